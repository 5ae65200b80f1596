"""Finds the reactions of iPhones among SMS, which arrive as a text such as ``Liked “ok”``."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import TypeVar

from minirag_chat.importers.quotes import quote_key
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ParsedMessage, Reaction

_Chat = TypeVar("_Chat", bound=Hashable)
_TAPBACK = lazy(
    r"(?:(?P<kind>Liked|Loved|Disliked|Laughed at|Emphasi[sz]ed|Questioned)|Reacted (?P<emoji>\S{1,20}) to|"
    r"Removed an? (?P<undone>like|heart|dislike|laugh|exclamation|question mark) from) “(?P<quoted>.+)”",
    re.DOTALL,
)
_UNDONE = {
    "like": "Liked",
    "heart": "Loved",
    "dislike": "Disliked",
    "laugh": "Laughed at",
    "exclamation": "Emphasized",
    "question mark": "Questioned",
}
_WINDOW = 5000  # messages in memory, of all chats; a reaction follows soon


@dataclass(slots=True)
class _Held:
    """A message that later ones may react to; None once it was found to be a reaction itself."""

    place: Hashable
    message: ParsedMessage | None


def with_tapbacks(
    found: Iterable[tuple[_Chat, ParsedMessage | None]],
) -> Iterator[tuple[_Chat, ParsedMessage | None]]:
    """Yield the messages with their chats, in order; reactions are put to the message that they quote.

    That is the latest one before them with these words in the chat. One whose message is not found stays a
    message. The newest may come first.
    """
    window: deque[tuple[_Chat, _Held]] = deque()
    said: dict[Hashable, _Held] = {}
    waiting: dict[Hashable, list[tuple[datetime, _Held]]] = {}
    for chat, message in found:
        if message is None:
            continue
        tapback = _TAPBACK.fullmatch(message.text)
        held = _Held((chat, quote_key(tapback["quoted"] if tapback else message.text)), message)
        if tapback is None:
            for _, other in sorted(waiting.pop(held.place, ()), key=itemgetter(0)):
                _react(other, held)
            said[held.place] = held
        elif not _react(held, said.get(held.place)):
            waiting.setdefault(held.place, []).append((message.sent_at, held))
        window.append((chat, held))
        if len(window) > _WINDOW:
            oldest, first = window.popleft()
            if said.get(first.place) is first:
                del said[first.place]
            waiting.pop(first.place, None)
            yield oldest, first.message
    yield from ((chat, held.message) for chat, held in window)


def _react(tapback: _Held, target: _Held | None) -> bool:
    """Put a reaction to the message that it quotes; returns whether that was possible."""
    by, to = tapback.message, None if target is None else target.message
    match = None if by is None else _TAPBACK.fullmatch(by.text)
    if target is None or to is None or by is None or match is None or to.sent_at > by.sent_at:
        return False
    undone = _UNDONE.get(match["undone"] or "")
    if undone is None:
        kind = (match["kind"] or match["emoji"]).replace("Emphasised", "Emphasized")
        target.message = replace(to, reactions=(*to.reactions, Reaction(kind, by.sender)))
    else:
        kept = (one for one in to.reactions if one != Reaction(undone, by.sender))
        target.message = replace(to, reactions=tuple(kept))
    tapback.message = None
    return True
