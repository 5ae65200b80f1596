"""Deleting in two steps: hidden at once, wiped later, restorable until then.

Deleted rows move from their tables into the trash, so that no question, list or count can find them,
and everything derived from them is deleted: chunks, vectors, full text, edges, summaries. The rest of a
conversation is reindexed. After ``DAYS``, with the next import or on request, the trash is wiped.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain, islice

from minirag_chat.errors import DatabaseLocked, DatabaseReadOnly, NotFound
from minirag_chat.ingest import each_vector, embed_pending, reindex, reuse
from minirag_chat.ingest.slm import activate_stored_extractions, embed_extracted
from minirag_chat.memory.deletion_scope import DeletionRequest, DeletionTargets, as_deletion, choose
from minirag_chat.memory.feedback import asked_words, forget_deleted, reword
from minirag_chat.models.protocols import Embedder
from minirag_chat.names import spelling_key
from minirag_chat.records import Cancelled, Deletion, Report, never, silent
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.store.database import not_now
from minirag_chat.store.rows import Row, texts_of
from minirag_chat.store.trash import now

DAYS = 30
"""How long what was deleted can be restored, unless an import or a wiping comes first."""

MOST_VECTORS = 50_000
"""Vectors that a deletion keeps in the trash (1.6 kB each); other passages are embedded again."""

BeforeDelete = Callable[[Iterable[Row]], None]


def no_proof(_: Iterable[Row]) -> None:
    """Do nothing: no proof is wanted."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """What reindexing needs. ``embedder`` is called only if something is reindexed.

    ``progress`` and ``cancelled`` are of the embedding that follows; the next one completes it.
    """

    settings: Settings
    embedder: Callable[[], Embedder]
    progress: Report = silent
    cancelled: Cancelled = never


def preview(store: Store, request: DeletionRequest) -> Deletion:
    """What would be deleted. Raises ``BadDeletion`` or ``NotFound``."""
    with store.reading(only_own=True):
        return as_deletion(store, choose(store, request))


def move_to_trash(store: Store, request: DeletionRequest, indexing: Indexing) -> Deletion:
    """Move messages to the trash. Raises ``BadDeletion`` or ``NotFound``."""
    with store.transaction():
        targets = choose(store, request)
        deletion = as_deletion(store, targets)
        deletion = replace(deletion, number=store.trash.add(deletion), deleted_at=now())
        vectors = _left_vectors(store, deletion)
        _keep(store, deletion, targets)
        reindexed = _remove(store, deletion, targets, indexing, vectors)
    _embed(store, indexing, needed=reindexed)
    return deletion


def wipe(
    store: Store,
    request: DeletionRequest,
    indexing: Indexing,
    before_delete: BeforeDelete = no_proof,
) -> Deletion:
    """Delete messages with everything derived from them, and leave nothing of them in the file.

    ``before_delete`` is called with the rows before they are deleted. Raises ``BadDeletion`` or
    ``NotFound``; or ``StoreError``, which says whether they are deleted.
    """
    with store.transaction():
        targets = choose(store, request)
        deletion = as_deletion(store, targets)
        whole = {chat.id for chat in deletion.whole}
        rows = store.forgetting.chat_rows(whole) + store.forgetting.gone_rows()
        rows += store.forgetting.reaction_rows(targets.people)
        rows += store.trash.forget_chosen(whole, set(store.forgetting.gone()))
        before_delete(chain(store.forgetting.message_rows(), rows))
        asked = _asked_words(store, chain(store.forgetting.message_rows(), rows))
        vectors = _left_vectors(store, deletion)
        reindexed = _remove(store, deletion, targets, indexing, vectors)
        forget_for_good(store, asked)
    try:
        store.wipe()
    finally:
        _embed(store, indexing, needed=reindexed)
    return deletion


def restore(store: Store, number: int | None, indexing: Indexing) -> Deletion:
    """Undo a deletion, by default the latest. Raises ``NotFound``."""
    with store.transaction():
        deletion = _in_trash(store, number)
        sessions, chats, models = _restore_rows(store, deletion.number)
        vectors = _kept_vectors(store, deletion, sessions)
        chats |= set(drop_sessions(store, sessions))
        reindex(store, sorted(chats), indexing.settings, indexing.embedder)
        reuse(store, vectors)
        store.people.drop_unused()
        store.trash.drop([deletion.number])
    _embed(store, indexing, needed=bool(chats))
    if models:
        with store.transaction():
            for model in models:
                activate_stored_extractions(store, model)
        embed_extracted(store, indexing.embedder())
    return replace(deletion, number=0)


def empty(store: Store, before_delete: BeforeDelete = no_proof) -> list[Deletion]:
    """Wipe the trash; returns the deletions that were in it."""
    with store.reading():
        found = store.trash.all()
    if found:
        with store.transaction():
            found = store.trash.all()  # another process may have changed it
            _forget(store, found, before_delete)
    store.wipe()
    return found


def empty_later(store: Store) -> None:
    """Drop what is in the trash and ask for a wiping; inside a transaction."""
    if found := store.trash.all():
        _forget(store, found)


def empty_old(store: Store) -> None:
    """Wipe what was deleted more than ``DAYS`` ago, unless another process is writing."""
    with store.reading():
        before = now() - timedelta(days=DAYS)
        old = [d for d in store.trash.all() if d.deleted_at and d.deleted_at < before]
    if old:
        with contextlib.suppress(DatabaseLocked, DatabaseReadOnly):
            with store.transaction(waiting=not_now):
                _forget(store, old)
            store.wipe_if_free()


def _forget(
    store: Store, deletions: Sequence[Deletion], before_delete: BeforeDelete = no_proof
) -> None:
    """Drop deletions from the trash; call it inside a transaction, and wipe the file after it."""
    numbers = [deletion.number for deletion in deletions]
    before_delete(store.trash.texts(numbers))
    asked = _asked_words(store, store.trash.texts(numbers))
    store.trash.drop(numbers)
    forget_for_good(store, asked)


def _asked_words(store: Store, rows: Iterable[Row]) -> frozenset[str]:
    return asked_words(store, (text for row in rows for text in texts_of(row)))


def forget_for_good(store: Store, gone: Collection[str]) -> None:
    """Drop ratings and nicknames of what is gone, and ask for a wiping; call it in a transaction."""
    forget_deleted(store, gone)
    rows = (row for one in store.trash.all() for row, _ in store.trash.rows(one.number, "entities"))
    names = [str(row["name"]) for row in rows]
    store.nicknames.drop_unused(names)
    store.replaced_names.drop_unused(names)
    store.wiping.request()


def drop_sessions(store: Store, sessions: Sequence[int]) -> list[int]:
    """Drop sessions with everything derived from them; returns their chats, to be reindexed."""
    chats: set[int] = set()
    for start in range(0, len(sessions), 500):
        chats.update(store.forgetting.chats_of(sessions[start : start + 500]))
    store.index.drop_sessions(sessions)
    return sorted(chats)


def _left_vectors(store: Store, deletion: Deletion) -> dict[bytes, bytes]:
    """The vectors by text of what is about to be indexed again: of chats that do not go as a whole."""
    sessions = store.forgetting.sessions()
    whole = {chat.id for chat in deletion.whole}
    return dict(each_vector(store, store.forgetting.outside(sessions, whole)))


def _keep(store: Store, deletion: Deletion, targets: DeletionTargets) -> None:
    """Copy the chosen rows, and the vectors of their passages, into the trash."""
    forgetting, number = store.forgetting, deletion.number
    # also the chats that stay: they may be deleted later
    chats = {*forgetting.chats(), *(chat.id for chat in deletion.whole)}
    store.trash.keep(number, "entities", forgetting.sender_rows())
    store.trash.keep(number, "chats", forgetting.chat_rows(chats))
    store.trash.keep(number, "messages", forgetting.message_rows())
    store.trash.keep(number, "messages", forgetting.reaction_rows(targets.people), changed=True)
    store.trash.keep(number, "media", forgetting.media_rows())
    store.trash.keep(number, "slm_readings", forgetting.extraction_rows())
    some = islice(each_vector(store, forgetting.sessions()), MOST_VECTORS)
    store.trash.keep(number, "vectors", ({"text": key, "vector": v} for key, v in some))


def _kept_vectors(store: Store, deletion: Deletion, sessions: Sequence[int]) -> dict[bytes, bytes]:
    """The vectors by text of the sessions about to be dropped, and those of a deletion in the trash."""
    if deletion.kind == "name":  # the texts have changed by now
        return {}
    kept = {row["text"]: row["vector"] for row, _ in store.trash.rows(deletion.number, "vectors")}
    return {**kept, **dict(each_vector(store, sessions))}


def _remove(
    store: Store,
    deletion: Deletion,
    targets: DeletionTargets,
    indexing: Indexing,
    vectors: Mapping[bytes, bytes],
) -> bool:
    """Delete the rows with everything derived from them; returns whether something was reindexed.

    ``vectors`` by text are used for passages that do not change.
    """
    whole = {chat.id for chat in deletion.whole}
    left = [c for c in drop_sessions(store, store.forgetting.sessions()) if c not in whole]
    store.forgetting.update("messages", _without_reactions(store, targets))
    store.forgetting.delete(whole)
    store.arrivals.forget_names()
    reindex(store, left, indexing.settings, indexing.embedder)
    reuse(store, vectors)
    store.people.drop_unused()
    return bool(left)


def _without_reactions(store: Store, targets: DeletionTargets) -> Iterator[Row]:
    """The messages of others, without the reactions of the deleted people."""
    keys = store.forgetting.keys_of(targets.people)
    for row in store.forgetting.reaction_rows(targets.people):
        left = [r for r in json.loads(row["reactions"]) if spelling_key(r[1]) not in keys]
        yield {**row, "reactions": json.dumps(left, ensure_ascii=False) if left else None}


def _restore_rows(store: Store, number: int) -> tuple[list[int], set[int], list[str]]:
    """Write a deletion's rows back.

    Returns the sessions that they affect, the chats that have messages again, and the models whose
    extractions were in use.
    """
    rows, forgetting = store.trash.rows, store.forgetting
    people = [row for row, changed in rows(number, "entities") if not changed]
    renamed = [row for row, changed in rows(number, "entities") if changed]
    for row in renamed:
        if "name" in row:
            store.replaced_names.undo([row["name"], *(one["name"] for one in people)], row["id"])
    forgetting.update("entities", renamed)
    absent = forgetting.missing_people(people)
    spellings = forgetting.insert_people(people, {row["id"] for row in renamed})
    forgetting.insert("chats", (row for row, changed in rows(number, "chats") if not changed))
    forgetting.update("chats", (row for row, changed in rows(number, "chats") if changed))
    messages = [
        (_with_sender(row, spellings), changed) for row, changed in rows(number, "messages")
    ]
    forgetting.insert("messages", (row for row, changed in messages if not changed))
    forgetting.update("messages", (row for row, changed in messages if changed))
    present = store.messages.by_ids([row["message_id"] for row, _changed in rows(number, "media")])
    forgetting.insert(
        "media", (r for r, _changed in rows(number, "media") if r["message_id"] in present)
    )
    for row, _changed in rows(number, "meta"):
        reword(store, {row["new"]: row["old"]})
    forgetting.choose(row["id"] for row, changed in messages if changed and "text" in row)
    forgetting.forget_extractions()
    models = forgetting.insert_extractions(_complete_extractions(store, number))
    sessions = {*forgetting.sessions(), *forgetting.sessions_saying(row["name"] for row in absent)}
    chats = {int(row["chat_id"]) for row, changed in messages if not changed}
    return sorted(sessions), chats, models


def _complete_extractions(store: Store, number: int) -> Iterator[Row]:
    """A deletion's extractions whose messages all exist; others move to a missing message's deletion."""
    for row, _changed in store.trash.rows(number, "slm_readings"):
        missing = set(row["messages"]) - store.messages.by_ids(row["messages"]).keys()
        holder = store.trash.holder(missing, number) if missing else None
        if not missing:
            yield row
        elif holder is not None:
            store.trash.keep(holder, "slm_readings", [row])


def _with_sender(row: Row, spellings: dict[int, int]) -> Row:
    """A message's row with the current id of the sender's spelling."""
    if "sender_id" not in row:
        return row
    return {**row, "sender_id": spellings.get(row["sender_id"], row["sender_id"])}


def _in_trash(store: Store, number: int | None) -> Deletion:
    found = [d for d in store.trash.all() if number in (None, d.number)]
    if not found:
        if number is None:
            raise NotFound("The trash is empty: there is nothing to restore.")
        raise NotFound(f"The deletion {number} is not in the trash: it was wiped or restored.")
    return found[0]


def _embed(store: Store, indexing: Indexing, *, needed: bool) -> None:
    if needed:
        embed_pending(store, indexing.embedder(), indexing.progress, indexing.cancelled)
