"""Everything that is kept, in one SQLite file or in PostgreSQL: messages, people, graph, vectors, full text.

``Store`` (``database.py``) opens it and joins groups of tables over one connection, a module each:
``messages``, ``people``, ``me`` and ``media`` (what was imported, and who is who), ``index``, ``columns``,
``words`` and ``spelling_suggestions`` (what questions search), ``writers`` (whether two names are one
person), ``graph`` (its edges), ``slm`` and ``summaries`` (what a model made of it), ``trash``,
``forgetting`` and ``wiping`` (deletion), ``staging`` and ``versions`` (an import in progress; edited
messages), ``arrivals`` (watched folders), ``shares`` (which chats other users may read).
"""

from minirag_chat.store.database import Store

__all__ = ["Store"]
