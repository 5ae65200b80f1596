"""Large libraries that a file of tests needs, imported when the first of its tests uses them.

Each worker collects all files, but only one of them runs a file's tests: PyTorch and Gradio take seconds.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


class _Later:
    """Stands for a module: what is read of it or set in it, also by monkeypatch, is the module's own."""

    __slots__ = ("_module_name",)
    _mock_name = None
    """No mock: pytest asks everything in a file, which is no use of it yet."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_module_name", name)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # monkeypatch looks there
        return vars(import_module(self._module_name))

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # asked by pytest too
            raise AttributeError(attribute)
        return getattr(import_module(self._module_name), attribute)

    def __setattr__(self, attribute: str, value: Any) -> None:
        setattr(import_module(self._module_name), attribute, value)

    def __delattr__(self, attribute: str) -> None:
        delattr(import_module(self._module_name), attribute)


def needed(name: str) -> Any:
    """A module, imported at its first use. Skips the file, aloud, where its package is not installed."""
    package = name.partition(".")[0]
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed", allow_module_level=True)
    return _Later(name)
