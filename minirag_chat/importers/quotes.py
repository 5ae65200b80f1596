"""Which message a quotation quotes, for exports that give a reply's parent by its words."""

from __future__ import annotations

from collections import OrderedDict

_REMEMBERED = 10_000  # of the latest messages; a quotation reaches back some way, not for ever
_LONGEST = 300
_READ = 10 * _LONGEST  # characters in which so much is found, whatever blanks are between


class Quotes:
    """Remembers the latest messages by what they say."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, str] = OrderedDict()

    def remember(self, text: str, identity: str) -> None:
        """Take a message that later ones may quote."""
        key = _key(text)
        if key:
            self._ids[key] = identity
            self._ids.move_to_end(key)
            if len(self._ids) > _REMEMBERED:
                self._ids.popitem(last=False)

    def find(self, quoted: str) -> str | None:
        """Return the id of the latest message that says this, or None."""
        return self._ids.get(_key(quoted))


def _key(text: str) -> str:
    return " ".join(text[:_READ].replace(">", " ").split())[:_LONGEST].casefold()
