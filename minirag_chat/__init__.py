"""MiniRAG Chat: ask your own messages, on your own machine."""
