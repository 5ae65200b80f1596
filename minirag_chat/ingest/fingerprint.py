"""Fingerprints by which a message is recognised in another export of the chat."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from datetime import datetime
from functools import lru_cache

from minirag_chat.names import spelling_key
from minirag_chat.records import ParsedMessage

# Equal messages have equal times and are close to each other in every export: in one piece, or in two.
_TIMES_REMEMBERED = 8192


class Fingerprints:
    """Gives each message its fingerprint: time, sender and text.

    Equal messages of a chat are numbered in order, so that two "ok" in one minute stay two.
    """

    def __init__(self) -> None:
        # By chat and time: how often the same person said the same. All are hashes, since texts are long.
        self._seen: OrderedDict[int, dict[int, int]] = OrderedDict()

    def of(self, message: ParsedMessage, chat: int) -> bytes:
        """Return the next message's fingerprint, 12 bytes."""
        return self.made(message.sent_at, _key(message.sender), message.text, chat)

    def made(self, sent_at: datetime, sender: str, said: str, chat: int = 0) -> bytes:
        """Return the next message's fingerprint; ``sender`` is the key of a spelling."""
        moment, words = hash((chat, sent_at)), hash((sender, said))
        counts = self._seen.get(moment)
        if counts is None:
            counts = self._seen[moment] = {}
            if len(self._seen) > _TIMES_REMEMBERED:
                self._seen.popitem(last=False)
        number = counts[words] = counts.get(words, 0) + 1
        text = "\x1f".join((sent_at.isoformat(), sender, said, str(number)))
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


@lru_cache(maxsize=4096)
def _key(sender: str) -> str:
    return spelling_key(sender)
