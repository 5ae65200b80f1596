"""Which further index each retrieval method needs, beside that of an import, and whether it is built."""

from __future__ import annotations

from typing import Literal

from minirag_chat.errors import IndexMissing
from minirag_chat.store import Store

Need = Literal["slm", "tree", "report"]
NEEDS: dict[str, Need] = {
    "lightrag": "slm",
    "raptor": "tree",
    "graphrag-local": "report",
    "graphrag-global": "report",
}
"""Methods that are not here need nothing more."""

WORDS: dict[Need, str] = {
    "slm": "entities and relations that a language model has extracted (minirag-chat index --slm)",
    "tree": "a tree of summaries over the chunks (minirag-chat index --for raptor)",
    "report": "reports on the communities of the graph (minirag-chat index --for graphrag-global)",
}


def is_built(store: Store, method: str) -> bool:
    """Whether the index that a method needs is built, at least in part."""
    need = NEEDS.get(method)
    if need == "slm":
        return store.slm.counts()["relations"] > 0
    return need is None or store.summaries.count(need) > 0


def check_built(store: Store, method: str) -> None:
    """Raise ``IndexMissing``, which says what to build, if a method lacks its index."""
    if not is_built(store, method):
        raise IndexMissing(f"The method {method} needs {WORDS[NEEDS[method]]}: build that first.")
