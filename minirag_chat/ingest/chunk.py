"""Messages → sessions → chunks: windows of whole messages that fit the embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from minirag_chat.records import Message

LONGEST_SESSION = 2000  # messages, for groups without pauses
MOST_TEXT = 2_000_000  # characters of a session, which is kept in memory as a whole


def sessions(
    messages: Iterable[tuple[Message, str | None]], gap: timedelta
) -> Iterator[list[Message]]:
    """Cut the messages of one chat, in order, into conversations.

    A message with a session key belongs to that session. Other sessions end with a pause of more than
    ``gap``, or after ``LONGEST_SESSION`` messages. A session ends with the message that exceeds
    ``MOST_TEXT``.
    """
    found: list[Message] = []
    last_key: str | None = None
    size = 0
    for message, key in messages:
        same = bool(found) and key == last_key and size < MOST_TEXT
        if same and key is None:
            pause = message.sent_at - found[-1].sent_at
            same = pause <= gap and len(found) < LONGEST_SESSION
        if found and not same:
            yield found
            found, size = [], 0
        found.append(message)
        size += len(message.text)
        last_key = key
    if found:
        yield found


def windows(
    messages: Sequence[Message],
    *,
    size: int,
    overlap: int,
    limit: int,
    count_tokens: Callable[[Sequence[str]], list[int]],
) -> list[list[Message]]:
    """Cut one session into chunks of at most ``size`` messages and ``limit`` tokens.

    Neighbours share ``overlap`` messages. Messages are not split: one longer than ``limit`` is a chunk by
    itself. The embedder truncates it; the full-text index has all of it.
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


def with_parents(
    window: Sequence[Message],
    parents: Mapping[int, Message],
    *,
    limit: int,
    count_tokens: Callable[[Sequence[str]], list[int]],
) -> list[Message]:
    """A chunk with the messages that its replies answer, up to ``limit`` tokens.

    ``parents`` maps ids to messages. A reply is then also found by the words of the message that it answers.
    """
    inside = {message.id for message in window}
    wanted = [m.reply_to for m in window if m.reply_to and m.reply_to not in inside]
    found = [parents[i] for i in dict.fromkeys(wanted) if i in parents and not parents[i].deleted]
    if not found:
        return list(window)
    sizes = count_tokens([f"{m.sender}: {m.text}" for m in (*window, *found)])
    total = sum(sizes[: len(window)])
    kept = list(window)
    for parent, size in zip(found, sizes[len(window) :], strict=True):
        if total + size <= limit:
            total += size
            kept.append(parent)
    return sorted(kept, key=lambda m: (m.sent_at, m.id))
