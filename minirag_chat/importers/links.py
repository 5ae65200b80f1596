"""Shows the target of a link that has other words."""

from __future__ import annotations


def linked(text: str, target: str) -> str:
    """Return a link's text, with its target in parentheses if that is another one than the text."""
    shown = text.rstrip()
    if not target or _bare(target) == _bare(shown):
        return text
    return f"{shown} ({target}){text[len(shown) :]}"


def _bare(link: str) -> str:
    return link.strip().removeprefix("https://").removeprefix("http://").rstrip("/").casefold()
