"""Finds the messages that a table's owner sent, by a column such as Type with Sent and Received."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from minirag_chat.importers.base import OWNER, clean_name
from minirag_chat.importers.table_words import plain
from minirag_chat.names import ME, spelling_key

FLAGS = tuple(map(plain, ("is_from_me", "from_me", "is_outgoing", "outgoing", "is_sent")))
"""Names of columns that say with yes or no whether the owner sent a message."""
COLUMNS = ("direction", "type", plain("message_type"), "folder", "box", *FLAGS)
"""Names of columns that may have directions; their values decide."""
_SENT = frozenset("sent outgoing outbound outbox out from_me".split())
_RECEIVED = frozenset("received incoming inbound inbox in to_me".split())
_YES, _NO = frozenset(("true", "yes", "1")), frozenset(("false", "no", "0"))
_NEITHER = frozenset(("", "draft", "drafts", "failed", "queued", "notification"))
_ENDS = (" box", " folder", " items", " messages", " message")


@dataclass(frozen=True, slots=True)
class Directions:
    """What a column of directions says about the column of senders.

    ``contacts``: in rows that the owner sent, the column of senders has the recipient. ``own``: the owner's
    names in that column.
    """

    contacts: bool
    own: frozenset[str] = frozenset()

    def sender(self, direction: str, named: str) -> str:
        """Return the sender of a row; the owner is called Me if the table has no name."""
        sent = _is_sent(direction)
        return OWNER if sent and (self.contacts or not clean_name(named)) else named

    def other(self, direction: str, sender: str, recipient: str) -> str:
        """Return whose chat a row belongs to, by its sender and whom it was sent to: a person or a group."""
        to_owner = clean_name(recipient) in self.own or spelling_key(recipient) in ME
        return sender if not _is_sent(direction) and (to_owner or not recipient) else recipient


def direction_in(column: str, value: str) -> str:
    """Return the direction of a row, such as ``sent``; ``column`` is one of ``COLUMNS``."""
    if column not in FLAGS:
        return value
    said = _plain(value)
    return "sent" if said in _YES else "received" if said in _NO else value


def read_directions(rows: Iterable[tuple[str, str]]) -> Directions | None:
    """Return the meaning of a column from ``(value, sender)`` of its rows; None if it has no directions.

    The senders of sent rows are contacts if there are several, or if one also sent a received row.
    """
    senders: dict[bool, set[str]] = {True: set(), False: set()}
    for direction, named in rows:
        if _is_sent(direction) or _is_received(direction):
            senders[_is_sent(direction)].add(clean_name(named))
        elif _plain(direction) not in _NEITHER:
            return None
    own = senders[True] - {""}
    if not senders[True]:
        return None
    contacts = len(own) > 1 or not own.isdisjoint(senders[False])
    return Directions(contacts, frozenset(() if contacts else own))


def _is_sent(value: str) -> bool:
    return _plain(value) in _SENT


def _is_received(value: str) -> bool:
    return _plain(value) in _RECEIVED


def _plain(value: str) -> str:
    words = value.strip().casefold()
    for end in _ENDS:
        words = words.removesuffix(end)
    return words.replace(" ", "_")
