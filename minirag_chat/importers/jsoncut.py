"""Shortens a JSON value that is too large for memory by truncating its long strings."""

from __future__ import annotations

from minirag_chat.importers.limits import LARGEST_PART, LONGEST_TEXT
from minirag_chat.lazy_patterns import lazy

_TO_BRACKET = lazy(r'[^"{}\[\]]*+')
_TO_QUOTE = lazy(r'[^"\\]*+')
_HEX_DIGITS = 4  # after \u


class JsonCutter:
    """Takes the text of one string, list or object in blocks, and keeps a shorter one.

    ``left_out`` counts the characters of strings that were not kept; ``too_large`` says that the value is
    still too large.
    """

    def __init__(self) -> None:
        self.left_out = 0
        self.too_large = False
        self._kept: list[str] = []
        self._size = 0
        self._depth = 0
        self._room: int | None = (
            None  # characters left for the current string; None outside of strings
        )
        self._escape = 0  # characters missing from an escape sequence; -1 before the first
        self._keeps_escape = True

    def text(self) -> str:
        """Return what was kept."""
        return "".join(self._kept)

    def feed(self, block: str) -> int | None:
        """Read a block; returns the position where the value ends, or None if it continues."""
        at = 0
        while at < len(block):
            at = self._outside(block, at) if self._room is None else self._inside(block, at)
            if self._depth == 0 and self._room is None:
                return at
        return None

    def _outside(self, block: str, at: int) -> int:
        end = _TO_BRACKET.match(block, at).end()  # type: ignore[union-attr]  # it matches nothing too
        sign = block[end : end + 1]
        self._keep(block[at : end + 1])
        self._depth += (sign in ("{", "[")) - (sign in ("}", "]"))
        if sign == '"':
            self._room = LONGEST_TEXT
        return end + 1

    def _inside(self, block: str, at: int) -> int:
        room = self._room or 0
        if self._escape:
            return self._escaped(block, at)
        end = _TO_QUOTE.match(block, at).end()  # type: ignore[union-attr]  # it matches nothing too
        kept = min(end - at, room)
        self._keep(block[at : at + kept])
        self.left_out += end - at - kept
        self._room = room - kept
        sign = block[end : end + 1]
        if sign == '"':
            self._keep(sign)
            self._room = None
        elif sign:
            self._escape, self._keeps_escape = -1, self._room > 0
            self._room = max(self._room - 1, 0)
            self.left_out += not self._keeps_escape
            self._keep(sign if self._keeps_escape else "")
        return end + 1

    def _escaped(self, block: str, at: int) -> int:
        """Read an escape sequence, one character or ``u`` and four digits; it is kept whole or dropped."""
        if self._escape < 0:
            end = at + 1
            self._escape = _HEX_DIGITS if block[at] == "u" else 0
        else:
            end = min(at + self._escape, len(block))
            self._escape -= end - at
        self._keep(block[at:end] if self._keeps_escape else "")
        return end

    def _keep(self, text: str) -> None:
        self._size += len(text)
        self.too_large = self.too_large or self._size > LARGEST_PART
        if self.too_large:
            self._kept.clear()
        elif text:
            self._kept.append(text)
