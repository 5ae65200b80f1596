"""MiniRAG Chat in Jupyter: a server extension (REST) and the magics of ``%load_ext``.

Installed with ``pip install minirag-chat[notebook]`` it is enabled with no further step. It has no
logic of its own: everything is ``minirag_chat.memory.engine.ChatMemory``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minirag_chat import __version__

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["__version__", "load_ipython_extension"]


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    from minirag_chat_jupyter.app import MiniragChat

    return [{"module": "minirag_chat_jupyter", "app": MiniragChat}]


def load_ipython_extension(shell: InteractiveShell) -> None:
    """``%load_ext minirag_chat_jupyter``: ``%chat_open`` and ``%%ask``."""
    from minirag_chat_jupyter.magics import load

    load(shell)
