"""Messages → sessions → chunks: windows of whole messages that fit the embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from minirag_chat.records import Message


def sessions(messages: Sequence[tuple[Message, str | None]], gap: timedelta) -> list[list[Message]]:
    """Cut the messages of one chat, in order, into conversations.

    A message with a session key belongs to that session; the others part where nobody writes for
    longer than ``gap``.
    """
    found: list[list[Message]] = []
    last_key: str | None = None
    for message, key in messages:
        same = bool(found) and key == last_key
        if same and key is None:
            same = message.sent_at - found[-1][-1].sent_at <= gap
        if same:
            found[-1].append(message)
        else:
            found.append([message])
        last_key = key
    return found


def windows(
    messages: Sequence[Message],
    *,
    size: int,
    overlap: int,
    limit: int,
    count_tokens: Callable[[Sequence[str]], list[int]],
) -> list[list[Message]]:
    """Cut one session into chunks of at most ``size`` messages and ``limit`` tokens.

    Neighbours share ``overlap`` messages. A message is never cut: one longer than ``limit`` is a
    chunk of its own, of which the embedder sees the beginning (the full text sees all of it).
    """
    tokens = count_tokens([f"{m.sender}: {m.text}" for m in messages])
    found: list[list[Message]] = []
    start = 0
    while start < len(messages):
        end = start + 1
        total = tokens[start]
        while end < len(messages) and end - start < size and total + tokens[end] <= limit:
            total += tokens[end]
            end += 1
        found.append(list(messages[start:end]))
        if end >= len(messages):
            break
        start = max(end - overlap, start + 1)
    return found
