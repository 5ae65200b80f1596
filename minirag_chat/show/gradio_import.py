"""Gradio, imported without the stubs that it renders anew for each component: two fifths of the time.

It writes them beside its own files, for editors. A page needs none. Once it is imported, Gradio does as
it always does: components that a caller defines get theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

_MODULE, _WRITES = "gradio.component_meta", "create_or_modify_pyi"


class _Loader(SourceFileLoader):
    """Loads the module that writes stubs, and lets it write none; ``written`` is its own function."""

    written: Callable[..., Any] | None = None

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        self.written = getattr(module, _WRITES, None)
        if self.written:  # else a release of Gradio that does without
            setattr(module, _WRITES, lambda *_: None)


class _Finder:
    """Finds that module only."""

    loader: _Loader | None = None

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name == _MODULE else None
        if spec and spec.origin and isinstance(spec.loader, SourceFileLoader):
            spec.loader = self.loader = _Loader(name, spec.origin)
        return spec


@contextmanager
def _without_stubs() -> Iterator[None]:
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if finder.loader and finder.loader.written and _MODULE in sys.modules:
            setattr(sys.modules[_MODULE], _WRITES, finder.loader.written)


with _without_stubs():
    import gradio as gr

__all__ = ["gr"]
