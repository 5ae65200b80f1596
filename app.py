"""Start the chat page: your messages (MINIRAG_CHAT_DB) and the sample corpora. Also a Space's entry."""

from pathlib import Path

from minirag_chat.show.page_start import start

if __name__ == "__main__":
    start(Path(__file__).parent / "corpora")
