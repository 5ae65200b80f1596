"""MiniRAG Chat: ask your own messages, on your own machine.

The names below are the public API. They load on first use: importing the package costs next to
nothing, and needs neither torch nor a page.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minirag_chat.errors import MiniRagChatError
    from minirag_chat.memory.engine import ChatMemory
    from minirag_chat.records import (
        Answer,
        Chat,
        Evidence,
        ImportReport,
        Message,
        Person,
        ReasoningPath,
        Source,
    )
    from minirag_chat.settings import Settings

# onnxruntime reads this when it is imported. Otherwise its builds for Linux and Windows give the machine an
# id, kept in the cache folder, and send events to Microsoft.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Chat",
    "ChatMemory",
    "Evidence",
    "ImportReport",
    "Message",
    "MiniRagChatError",
    "Person",
    "ReasoningPath",
    "Settings",
    "Source",
]
_HOMES = {"ChatMemory": "memory.engine", "MiniRagChatError": "errors", "Settings": "settings"}


def __getattr__(name: str) -> Any:
    """Load a public name from its module (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'records')}"), name)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext minirag_chat`` is ``%load_ext minirag_chat_jupyter``."""
    from importlib import import_module

    import_module("minirag_chat_jupyter").load_ipython_extension(shell)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
