"""Fingerprints by which a message is recognised in another export of the chat."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from datetime import datetime
from functools import lru_cache

from minirag_chat.names import spelling_key
from minirag_chat.records import ParsedMessage

# Equal messages have equal times and are close to each other in every export.
_TIMES_REMEMBERED = 4096


class Fingerprints:
    """Gives each message of one chat its fingerprint: time, sender and text.

    Equal messages are numbered in order, so that two "ok" in one minute stay two.
    """

    def __init__(self) -> None:
        self._seen: OrderedDict[datetime, tuple[str, dict[tuple[str, str], int]]] = OrderedDict()

    def of(self, message: ParsedMessage) -> bytes:
        """Return the next message's fingerprint, 12 bytes."""
        return self.made(message.sent_at, _key(message.sender), message.text)

    def made(self, sent_at: datetime, sender: str, said: str) -> bytes:
        """Return the next message's fingerprint; ``sender`` is the key of a spelling."""
        seen = self._seen.get(sent_at)
        if seen is None:
            seen = self._seen[sent_at] = (sent_at.isoformat(), {})
            if len(self._seen) > _TIMES_REMEMBERED:
                self._seen.popitem(last=False)
        when, counts = seen
        number = counts[sender, said] = counts.get((sender, said), 0) + 1
        text = "\x1f".join((when, sender, said, str(number)))
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


@lru_cache(maxsize=4096)
def _key(sender: str) -> str:
    return spelling_key(sender)
