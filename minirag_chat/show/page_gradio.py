"""Gradio, imported in half the time: the page is to be there in a moment.

At every start it parses its own source and writes type stubs beside it. It does without where a
component's source cannot be found, and that is what it is told while it is imported. Nor is garbage
sought among modules, which are none.
"""

from __future__ import annotations

import gc
import inspect
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
    try:
        yield
    finally:
        inspect.getfile = found
        gc.freeze()
        if seeking:
            gc.enable()


with _quickly():
    import gradio as gr
    from gradio.events import api

__all__ = ["api", "gr"]
