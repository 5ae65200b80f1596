"""Questions that the messages themselves suggest: at the start, and after an answer.

No model: what several messages name (a title, a place, a person's recurring topic) and who names it
most make questions that some message says something about. Nothing is invented.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minirag_chat.names import split_joined
from minirag_chat.records import Answer, EntityType
from minirag_chat.store import Store

TYPES: tuple[EntityType, ...] = ("title", "place", "organisation", "topic")
LEAST, MOST = 3, 0.02  # messages that name a thing; more than this share of all is everyday talk
LONGEST = 40
_ASK = {
    "title": ("Who mentioned {thing}?", "What did {who} say about {thing}?"),
    "place": ("Who went to {thing}?", "When was {thing} first mentioned?"),
    "organisation": ("What did {who} say about {thing}?", "When was {thing} first mentioned?"),
    "topic": ("What did {who} say about {thing}?", "When was {thing} first mentioned?"),
}


def openers(store: Store, count: int = 4) -> tuple[str, ...]:
    """Up to ``count`` questions about different things, people and wordings; none when empty."""
    ceiling = max(LEAST, int(MOST * store.messages.count()))
    named = [
        row for row in store.index.much_named(TYPES, LEAST) if row[3] <= ceiling and _nameable(row[1])
    ]
    chosen: list[str] = []
    people: set[int] = set()
    for kind in (*TYPES, *TYPES):
        for row in [r for r in named if r[2] == kind]:
            speakers = store.index.speakers_of(row[0])
            fresh = [s for s in speakers if s[0] not in people] or speakers
            if not fresh or any(row[1] in question for question in chosen):
                continue
            people.add(fresh[0][0])
            wordings = _ASK[kind]
            chosen.append(_worded(wordings[len(chosen) // len(TYPES) % 2], fresh[0][1], row[1]))
            break
    return tuple(dict.fromkeys(chosen))[:count]


def follow_ups(store: Store, answer: Answer, count: int = 3) -> tuple[str, ...]:
    """Up to ``count`` questions about what the cited (or closest) messages name."""
    shown = answer.sources or answer.closest
    found: list[str] = []
    for question in _about(store, [source.message_id for source in shown[:3]]):
        if question not in found and question.casefold() != answer.question.casefold():
            found.append(question)
        if len(found) == count:
            break
    return tuple(found)


def _about(store: Store, messages: Sequence[int]) -> Iterator[str]:
    seen: set[int] = set()
    senders = {i: m.sender_id for i, m in store.messages.by_ids(messages).items()}
    for message, entity, name, kind, _start, _end in store.index.named_in(messages):
        if entity in seen or kind not in TYPES or not _nameable(name):
            continue
        seen.add(entity)
        others = [s for s in store.index.speakers_of(entity) if s[0] != senders.get(message)]
        if others:
            yield _worded("What did {who} say about {thing}?", others[0][1], name)
        yield _worded("When was {thing} first mentioned?", "", name)


def _nameable(name: str) -> bool:
    return 2 < len(name) <= LONGEST and any(c.isalpha() for c in name) and "\n" not in name


def _worded(wording: str, who: str, thing: str) -> str:
    return wording.format(who=split_joined(who), thing=thing)
