"""Finds the quoted message, for exports that identify a reply's parent by its text."""

from __future__ import annotations

from collections import OrderedDict

_REMEMBERED = 10_000  # latest messages kept; older ones are hardly ever quoted
_LONGEST = 300
_READ = 10 * _LONGEST  # characters read, so that `_LONGEST` remain after white space is removed


class Quotes:
    """The latest messages, by their text."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, str] = OrderedDict()

    def remember(self, text: str, identity: str) -> None:
        """Add a message that later ones may quote."""
        key = quote_key(text)
        if key:
            self._ids[key] = identity
            self._ids.move_to_end(key)
            if len(self._ids) > _REMEMBERED:
                self._ids.popitem(last=False)

    def find(self, quoted: str) -> str | None:
        """Return the id of the latest message with this text, or None."""
        return self._ids.get(quote_key(quoted))


def quote_key(text: str) -> str:
    """Return the words by which a text and a quotation of it are the same."""
    return " ".join(text[:_READ].replace(">", " ").split())[:_LONGEST].casefold()
