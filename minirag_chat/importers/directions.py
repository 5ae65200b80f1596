"""Tells from a table's column, such as Type with Sent and Received, which messages its owner sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from minirag_chat.importers.base import OWNER, clean_name
from minirag_chat.names import ME, spelling_key

FLAGS = ("is_from_me", "isfromme", "from_me", "fromme", "is_outgoing", "outgoing", "is_sent")
"""Names of columns that say with yes or no whether the owner sent a message."""
COLUMNS = ("direction", "type", "message_type", "folder", "box", *FLAGS)
"""Names of columns that may say so; their values decide."""
_SENT = frozenset("sent outgoing outbound outbox out from_me".split())
_RECEIVED = frozenset("received incoming inbound inbox in to_me".split())
_YES, _NO = frozenset(("true", "yes", "1")), frozenset(("false", "no", "0"))
_NEITHER = frozenset(("", "draft", "drafts", "failed", "queued", "notification"))
_ENDS = (" box", " folder", " items", " messages", " message")


@dataclass(frozen=True, slots=True)
class Directions:
    """What a column of directions says about the column of senders.

    ``contacts``: that column names whom a message was sent to, where the owner sent it. ``own``: what it
    calls the owner.
    """

    contacts: bool
    own: frozenset[str] = frozenset()

    def sender(self, direction: str, named: str) -> str:
        """Return the sender of a row; the owner has a name of their own only if the table gives it."""
        sent = _is_sent(direction)
        return OWNER if sent and (self.contacts or not clean_name(named)) else named

    def other(self, direction: str, sender: str, recipient: str) -> str:
        """Return whose chat a row belongs to, by its sender and whom it was sent to: a person or a group."""
        to_owner = clean_name(recipient) in self.own or spelling_key(recipient) in ME
        return sender if not _is_sent(direction) and (to_owner or not recipient) else recipient


def direction_in(column: str, value: str) -> str:
    """Return what a column says of a row; ``column`` is one of ``COLUMNS``."""
    if column not in FLAGS:
        return value
    said = _plain(value)
    return "sent" if said in _YES else "received" if said in _NO else value


def read_directions(rows: Iterable[tuple[str, str]]) -> Directions | None:
    """Return what the values of a column say, given with each row's sender; None if they are others.

    A sent row's sender is the contact if somebody of this name also received or if there are several.
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
