"""Gradio, imported in half the time: the page is to be there in a moment.

At every start it parses its own source and writes type stubs beside it. It does without where a
component's source cannot be found, and that is what it is told while it is imported. Nor is garbage
sought among modules, which are none; and MCP's library is loaded only where it is wanted.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def _quickly() -> Iterator[None]:
    found = inspect.getfile

    def getfile(thing: Any) -> str:
        if type(thing).__name__ == "ComponentMeta":
            raise OSError("a component of Gradio's needs no stub")
        return found(thing)

    inspect.getfile = getfile  # type: ignore[assignment]  # it passes on whatever it is given
    seeking = gc.isenabled()
    gc.disable()
    hidden = "mcp" not in sys.modules
    if hidden:
        sys.modules["mcp"] = None  # type: ignore[assignment]  # as Python marks what is not there
    try:
        yield
    finally:
        if hidden:
            del sys.modules["mcp"]
        inspect.getfile = found
        gc.freeze()
        if seeking:
            gc.enable()


with _quickly():
    import gradio as gr
    from gradio.events import api

__all__ = ["api", "gr", "load_mcp"]


def load_mcp() -> None:
    """Let Gradio have MCP's library. Raises ``ImportError`` where it is not installed."""
    import gradio.mcp
    import mcp  # noqa: F401 - only to know that it is there

    if not hasattr(gradio.mcp.GradioMCPServer, "types"):  # it was not there when Gradio looked
        importlib.reload(gradio.mcp)
