"""The scripts, styles and templates that are shown, read from the package."""

from __future__ import annotations

from importlib.resources import files


def asset(name: str) -> str:
    """The text of a file beside this module."""
    return files("minirag_chat.show").joinpath(name).read_text(encoding="utf-8")
