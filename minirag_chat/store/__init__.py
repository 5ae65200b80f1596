"""Everything that is kept, in one SQLite file: messages, people, chunks, graph, vectors, full text.

``Store`` joins three groups of tables over one connection: ``messages`` (what was imported),
``people`` (spellings and who they belong to) and ``index`` (what questions search).
"""

from minirag_chat.store.database import Store

__all__ = ["Store"]
