"""A stream of messages → pieces of chats, so that no file is in memory as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

from minirag_chat.records import ParsedChat, ParsedMessage

_Key = TypeVar("_Key")
PIECE = 5000  # messages in memory
_MOST_TEXT = 4_000_000  # characters in memory


def in_pieces(
    messages: Iterable[tuple[_Key, ParsedMessage | None]],
    describe: Callable[[_Key], ParsedChat],
    *,
    newest_first: bool = False,
) -> Iterator[ParsedChat]:
    """Yield messages, given with the keys of their chats, as pieces of chats.

    None instead of a message is skipped. ``describe`` makes a chat without messages; it is called for
    each piece, so that facts found later in the file (a title, the kind) are in the last one. A piece whose
    times run backwards, as in exports with the newest message first, is reversed. With ``newest_first``, the
    order of the format, a piece whose messages all have one time is reversed too.
    """
    forward = partial(_forward, newest_first=newest_first)
    parts: dict[_Key, int] = {}
    given: dict[_Key, ParsedChat] = {}
    waiting: dict[_Key, list[ParsedMessage]] = {}
    count = size = 0
    for chat, message in messages:
        if message is None:
            continue
        parts.setdefault(chat, len(parts))
        waiting.setdefault(chat, []).append(message)
        count += 1
        size += len(message.text)
        if count >= PIECE or size >= _MOST_TEXT:
            for key, batch in waiting.items():
                given[key] = describe(key)
                yield replace(given[key], messages=forward(batch), part=parts[key])
            waiting.clear()
            count = size = 0
    for key, part in parts.items():
        chat_now = describe(key)
        batch = waiting.get(key, [])
        if batch or given[key] != chat_now:
            yield replace(chat_now, messages=forward(batch), part=part)


def one_chat_in_pieces(
    messages: Iterable[ParsedMessage | None],
    describe: Callable[[], ParsedChat],
    *,
    newest_first: bool = False,
) -> Iterator[ParsedChat]:
    """Yield the messages of a file that holds one chat, as :func:`in_pieces` does."""
    numbered = ((None, message) for message in messages)
    return in_pieces(numbered, lambda _: describe(), newest_first=newest_first)


def _forward(messages: list[ParsedMessage], *, newest_first: bool) -> tuple[ParsedMessage, ...]:
    steps = [(b.sent_at > a.sent_at) - (b.sent_at < a.sent_at) for a, b in pairwise(messages)]
    way = sum(steps) or (-1 if newest_first else 1)
    return tuple(reversed(messages) if way < 0 else messages)
