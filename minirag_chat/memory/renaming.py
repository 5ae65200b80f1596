"""Replaces a person's name everywhere: as sender, in texts, and in everything derived from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from minirag_chat.errors import BadDeletion
from minirag_chat.ingest import each_vector, embed_pending, reindex, reuse
from minirag_chat.ingest.stage import Staged
from minirag_chat.memory.deletion_scope import one_person
from minirag_chat.memory.feedback import ratings, reword
from minirag_chat.memory.trash import (
    BeforeDelete,
    Indexing,
    drop_sessions,
    empty,
    forget_for_good,
    no_proof,
)
from minirag_chat.names import PersonIndex, spelling_key, split_joined
from minirag_chat.records import Deletion
from minirag_chat.store import Store
from minirag_chat.store.rows import Row
from minirag_chat.store.trash import now

LONGEST = 80  # characters of a name
_NAMING = ("forwarded_from", "session_key", "source_id", "reply_to")
_JOINT = r"[\s._\-]*"  # between the words of a name


class NameReplacer:
    """Finds a person's names in texts, and replaces them by another."""

    def __init__(
        self, person: int, names: Iterable[str], new_name: str, index: PersonIndex
    ) -> None:
        self._person = person
        self._new_name = new_name
        self._index = index
        self._keys = {spelling_key(name) for name in names}
        patterns = sorted({_pattern(name) for name in names}, key=len, reverse=True)
        self._spelled = re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)")

    def text(self, text: str, present: frozenset[int] = frozenset()) -> str:
        """Replace whole names in a text, and first names that can only mean this person."""
        found = self._index.find(text, present)
        spans = [(start, end) for start, end, owners in found if owners == (self._person,)]
        spans += [match.span() for match in self._spelled.finditer(text)]
        spans.sort(key=lambda span: (span[0], -span[1]))  # the longer one first
        parts, done = [], 0
        for start, end in spans:
            if start >= done:
                parts += [text[done:start], self._new_name]
                done = end
        return "".join([*parts, text[done:]])

    def name(self, name: str) -> str:
        """A name, replaced if it is one of the person's; else as :meth:`text` changes it."""
        return self._new_name if spelling_key(name) in self._keys else self.text(name)


@dataclass(frozen=True, slots=True)
class _Replacements:
    """Rows with their old and new values, and the spellings to remove."""

    messages: list[tuple[Row, Row]]
    chats: list[tuple[Row, Row]]
    person: tuple[Row, Row]
    spellings: list[Row]
    questions: Mapping[str, str]
    deletion: Deletion
    places: Sequence[str]


def preview_name(store: Store, person: str | int, by: str) -> Deletion:
    """What would be changed. Raises ``BadDeletion`` or ``NotFound``."""
    with store.reading(only_own=True):
        return replace(_changes(store, person, by).deletion, makes_final=len(store.trash.all()))


def replace_name(
    store: Store,
    person: str | int,
    by: str,
    index: Indexing,
    *,
    undo: bool,
    before_delete: BeforeDelete = no_proof,
) -> Deletion:
    """Replace a person's name, with all spellings, everywhere. Earlier deletions become final.

    What a model extracted from messages with the name is dropped. ``before_delete`` is called with the
    rows that have the name, unless they are kept for ``undo``. Raises ``BadDeletion`` or ``NotFound``; or
    ``StoreError``, which says what is changed.
    """
    preview_name(store, person, by)
    empty(store)
    with store.transaction():
        changes = _changes(store, person, by)
        deletion = changes.deletion
        if undo:
            deletion = replace(deletion, number=store.trash.add(deletion), deleted_at=now())
            _keep(store, deletion.number, changes)
        else:
            before_delete([changes.person[0], *changes.spellings])
        _apply(store, changes, index)
        if not undo:
            forget_for_good(store, ())
    try:
        if not undo:
            store.wipe()
    finally:
        embed_pending(store, index.embedder(), index.progress, index.cancelled)
    return deletion


@dataclass(frozen=True, slots=True)
class ReplacedAgain:
    """What an import had of names that the user replaced before."""

    replacers: Sequence[NameReplacer] = ()
    new_names: Sequence[str] = ()

    def text(self, text: str) -> str:
        """A text of the import's report, or a whole name, with the new names."""
        for replacer in self.replacers:
            text = replacer.name(text)
        return text

    def notes(self) -> list[str]:
        """What the report says of it; the old names are not among its words."""
        return [
            f"A name that you replaced by {name} is in this export too; it was replaced again."
            for name in self.new_names
        ]


def replace_again(store: Store, staged: Sequence[Staged]) -> ReplacedAgain:
    """Replace the names that the user replaced before in the chats of an import; inside its transaction.

    Those of senders and of titles: what others write of such a person is changed where these have the name.
    """
    chats = [item.id for item in staged]
    senders = store.replaced_names.senders(chats)
    titles = [item.described.title for item in staged if item.described.title]
    found = store.replaced_names.among([*senders, *titles])
    if not found:
        return ReplacedAgain()
    people, persons = store.people.spellings(), store.people.canonical()
    for one in found:
        if one.name in senders:
            people.pop(senders[one.name], None)
    for one in found:
        people[persons[one.into]].append(one.name)
    index = PersonIndex(people)
    new = {one.into: one.new_name for one in found}
    replacers = [
        NameReplacer(persons[into], [one.name for one in found if one.into == into], name, index)
        for into, name in new.items()
    ]
    for one in found:
        if one.name in senders:
            store.replaced_names.give(chats, senders[one.name], one.into)
    for replacer in replacers:
        _replace_staged(store, staged, replacer)
    store.wiping.request()
    return ReplacedAgain(replacers, [*new.values()])


def _replace_staged(store: Store, staged: Sequence[Staged], replacer: NameReplacer) -> None:
    """Write the new name into the texts of an import's chats."""
    for item in staged:
        present = frozenset(
            map(store.people.canonical().__getitem__, store.staging.senders(item.id))
        )
        rows = store.forgetting.all_rows(f"WHERE chat_id = {item.id:d}")
        changed = [(row, _replaced(replacer, row, present)) for row in rows]
        store.forgetting.update("messages", [new for row, new in changed if new != row])
        described = item.described
        item.described = replace(
            described,
            title=_renamed(replacer, described.title),
            key=_renamed(replacer, described.key),
        )
    store.media.forget_places(
        [place for place in store.media.places() if replacer.text(place) != place]
    )


def _changes(store: Store, person: str | int, by: str) -> _Replacements:
    identity = one_person(store, person)
    by = " ".join(by.split())
    _check(store, by)
    names = store.people.spellings()[identity]
    replacer = NameReplacer(identity, names, by, store.people.index())
    senders = [row["id"] for row in store.forgetting.spelling_rows(identity)]
    messages = list(_messages(store, replacer, identity, frozenset(senders)))
    chats = [
        (row, new)
        for row in store.forgetting.chat_rows()
        if (
            new := _with(
                row, title=_renamed(replacer, row["title"]), key=_renamed(replacer, row["key"])
            )
        )
    ]
    rows = store.forgetting.spelling_rows(identity)
    head = next(row for row in rows if row["id"] == identity)
    new_head = {**head, "name": by, "key": spelling_key(by), "same_as": None, "origin": "user"}
    questions = {r.question: replacer.text(r.question) for r in ratings(store)}
    store.forgetting.choose(row["id"] for row, _new in messages)
    count, first, last = store.forgetting.extent()
    titles = store.messages.titles()
    deletion = Deletion(
        kind="name",
        what=f"the name {names[0]} \u2192 {by}",
        messages=count,
        first=first,
        last=last,
        chats=tuple(titles[chat] for chat in store.forgetting.chats()),
    )
    return _Replacements(
        messages, chats, (head, new_head), [row for row in rows if row["id"] != identity],
        {old: new for old, new in questions.items() if old != new}, deletion,
        [place for place in store.media.places() if replacer.text(place) != place],
    )  # fmt: skip


def _check(store: Store, new_name: str) -> None:
    """Raise ``BadDeletion`` for a name that is not valid, or is somebody's."""
    if not spelling_key(new_name) or len(new_name) > LONGEST or not new_name.isprintable():
        raise BadDeletion(f"A name has 1 to {LONGEST} visible characters: write another one.")
    if store.people.spelling_id(new_name) is not None:
        raise BadDeletion(
            f"Somebody is called {new_name!r} already: write another name, or merge the two people."
        )


def _messages(
    store: Store, replacer: NameReplacer, person: int, senders: frozenset[int]
) -> Iterator[tuple[Row, Row]]:
    """The messages that the person wrote or that name the person: (old row, new row)."""
    present = {chat: frozenset(p) for chat, p in store.messages.participants().items()}
    for row in store.forgetting.all_rows():
        renamed = _replaced(replacer, row, present.get(row["chat_id"], frozenset()))
        if row["sender_id"] in senders:
            renamed["sender_id"] = person
        if renamed != row or row["sender_id"] == person:
            yield row, renamed


def _replaced(replacer: NameReplacer, row: Row, present: frozenset[int]) -> Row:
    """A message with the new name in all its texts."""
    return {
        **row,
        "text": replacer.text(row["text"], present),
        "heard": _replace_in_transcript(replacer, row["heard"], present),
        **{name: _renamed(replacer, row[name]) for name in _NAMING},
        **{name: _pairs(replacer, row[name]) for name in ("attachments", "reactions")},
    }


def _keep(store: Store, number: int, changes: _Replacements) -> None:
    """Keep the old values in the trash."""
    trash = store.trash
    trash.keep(number, "entities", [_before(*changes.person)], changed=True)
    trash.keep(number, "entities", changes.spellings)
    trash.keep(number, "chats", (_before(*change) for change in changes.chats), changed=True)
    trash.keep(number, "messages", (_before(*change) for change in changes.messages), changed=True)
    trash.keep(number, "slm_readings", store.forgetting.extraction_rows())
    questions = [{"id": 0, "old": old, "new": new} for old, new in changes.questions.items()]
    trash.keep(number, "meta", questions, changed=True)


def _apply(store: Store, changes: _Replacements, index: Indexing) -> None:
    """Write the new values, and reindex what they affect."""
    forgetting = store.forgetting
    vectors = dict(each_vector(store, forgetting.sessions()))
    chats = drop_sessions(store, forgetting.sessions())
    forgetting.forget_extractions()
    forgetting.update("messages", (new for _old, new in changes.messages))
    forgetting.drop_spellings([row["id"] for row in changes.spellings], changes.person[0]["id"])
    forgetting.update("entities", [changes.person[1]])
    forgetting.update("chats", (new for _old, new in changes.chats))
    old_names = [changes.person[0]["name"], *(row["name"] for row in changes.spellings)]
    store.replaced_names.add(old_names, changes.person[1]["name"])
    reword(store, changes.questions)
    store.arrivals.forget_names()
    store.media.forget_places(changes.places)
    reindex(store, chats, index.settings, index.embedder)
    reuse(store, vectors)
    store.people.drop_unused()


def _before(old: Row, new: Row) -> Row:
    """The old values of what changes; a message also with its text, by which it is found again.

    The rest may change before the replacement is undone, and then stays as it is.
    """
    return {k: value for k, value in old.items() if k in {"id", "text"} or value != new[k]}


def _with(row: Row, **values: object) -> Row | None:
    """The row with these values; None if nothing changes."""
    new = {**row, **values}
    return None if new == row else new


def _renamed(replacer: NameReplacer, text: str | None) -> str | None:
    return None if text is None else replacer.name(text)


def _replace_in_transcript(
    replacer: NameReplacer, transcript: str | None, present: frozenset[int]
) -> str | None:
    """Text that was read in attachments, with the new name."""
    return None if transcript is None else replacer.text(transcript, present)


def _pairs(replacer: NameReplacer, pairs: str | None) -> str | None:
    """Attachments or reactions, both pairs of texts, with the new name."""
    if pairs is None:
        return None
    made = [[replacer.name(part) for part in pair] for pair in json.loads(pairs)]
    return pairs if made == json.loads(pairs) else json.dumps(made, ensure_ascii=False)


def _pattern(name: str) -> str:
    """A regex for a name. Several words match however they are joined: Anna Berg, AnnaBerg, anna.berg.

    A single word matches in its own case only: Will is a name, will is not.
    """
    parts = [re.escape(word) for word in split_joined(name).split()]
    joined = _JOINT.join(parts)
    return joined if len(parts) == 1 else f"(?i:{joined})"
