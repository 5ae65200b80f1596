"""Adds the target to a link whose text is something else."""

from __future__ import annotations


def linked(text: str, target: str) -> str:
    """Return a link's text, followed by its target in parentheses if the text is not the target."""
    shown = text.rstrip()
    if not target or _bare(target) == _bare(shown):
        return text
    return f"{shown} ({target}){text[len(shown) :]}"


def _bare(link: str) -> str:
    return link.strip().removeprefix("https://").removeprefix("http://").rstrip("/").casefold()
