"""Tells from a table's column, such as Type with Sent and Received, which messages its owner sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from minirag_chat.importers.base import OWNER, clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable

COLUMNS = ("direction", "type", "message_type", "folder", "box")
"""Names of columns that may say so; their values decide."""
_SENT = frozenset("sent outgoing outbound outbox out from_me".split())
_RECEIVED = frozenset("received incoming inbound inbox in to_me".split())
_NEITHER = frozenset(("", "draft", "drafts", "failed", "queued", "notification"))
_ENDS = (" box", " folder", " items", " messages", " message")


@dataclass(frozen=True, slots=True)
class Directions:
    """What a column of directions says about the column of senders.

    ``contacts``: that column names whom a message was sent to, where the owner sent it.
    """

    contacts: bool

    def sender(self, direction: str, named: str) -> str:
        """Return the sender of a row; the owner has a name of their own only if the table gives it."""
        sent = _plain(direction) in _SENT
        return OWNER if sent and (self.contacts or not clean_name(named)) else named


def read_directions(rows: Iterable[tuple[str, str]]) -> Directions | None:
    """Return what the values of a column say, given with each row's sender; None if they are others.

    A sent row's sender is the contact if somebody of this name also received or if there are several.
    """
    senders: dict[bool, set[str]] = {True: set(), False: set()}
    for direction, named in rows:
        value = _plain(direction)
        if value in _SENT or value in _RECEIVED:
            senders[value in _SENT].add(clean_name(named))
        elif value not in _NEITHER:
            return None
    own = senders[True] - {""}
    if not senders[True]:
        return None
    return Directions(contacts=len(own) > 1 or not own.isdisjoint(senders[False]))


def _plain(value: str) -> str:
    words = value.strip().casefold()
    for end in _ENDS:
        words = words.removesuffix(end)
    return words.replace(" ", "_")
