"""Deleting with undo, or for good; replacing a name; the trash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from minirag_chat.memory import trash
from minirag_chat.memory.filters import When
from minirag_chat.memory.opened import Part
from minirag_chat.memory.proof import Proving
from minirag_chat.memory.renaming import preview_name, replace_name
from minirag_chat.memory.what_to_delete import Wanted
from minirag_chat.models.protocols import never
from minirag_chat.records import Chat, Deletion, EmptiedTrash, Report, silent
from minirag_chat.system.monitoring import tells


class Deletions(Part):
    """Deletes and renames, at once or with undo."""

    @tells("deletion")
    def delete_chat(self, chat: str | int) -> Chat:
        """Delete a chat, given by its number or whole title, and wipe it from the file.

        Raises ``NotFound``, or ``StoreError``, which says whether the chat is deleted. If only the
        wiping failed, the next call finishes it.
        """
        gone = trash.wipe(self._store, Wanted(chats=[chat]), self._opened.indexing())
        return self._noted(gone, "deletion").whole[0]

    def preview_delete(self, /, **wanted: Any) -> Deletion:
        """What :meth:`delete` would delete; takes the same arguments to choose messages."""
        return trash.preview(self._store, Wanted(**wanted))

    @tells("deletion")
    def delete(
        self,
        *,
        messages: Sequence[int] = (),
        people: Sequence[str | int] = (),
        chats: Sequence[str | int] = (),
        since: When = None,
        until: When = None,
        everything: bool = False,
        now: bool = False,
        prove: bool = False,
        progress: Report = silent,
        cancelled: Callable[[], bool] = never,
    ) -> Deletion:
        """Delete messages by id, or those that match all of people, chats and a time, or everything.

        Deleted messages stay in the trash, from which :meth:`restore` brings them back, for
        ``trash.DAYS`` days, until the next import, or until :meth:`empty_trash`. With ``now`` they are
        wiped at once; with ``prove`` every file of the program is then searched for them: see ``proof``
        of the result. Deleting a person also deletes their reactions to other people's messages.
        What is left of the conversations is then embedded again; once ``cancelled`` is true, the rest
        is left to :meth:`index`. Raises ``BadDeletion``, ``NotFound``, or ``StoreError``, which says
        whether they are deleted.
        """
        wanted = Wanted(messages, people, chats, since, until, everything)
        indexing = self._opened.indexing(progress, cancelled)
        if not (now or prove):
            gone = trash.put(self._store, wanted, indexing)
            return self._noted(gone, "deletion, with a way back")
        proving = Proving(self._store, self._opened.settings)
        before_delete = proving.before_delete if prove else trash.no_proof
        gone = trash.wipe(self._store, wanted, indexing, before_delete)
        self._noted(gone, "deletion")
        return replace(gone, proof=proving.prove() if prove else None)

    def preview_name(self, person: str | int, by: str) -> Deletion:
        """What :meth:`replace_name` would change."""
        return preview_name(self._store, person, by)

    @tells("deletion")
    def replace_name(
        self,
        person: str | int,
        by: str,
        *,
        now: bool = False,
        prove: bool = False,
        progress: Report = silent,
        cancelled: Callable[[], bool] = never,
    ) -> Deletion:
        """Replace a person's name, in all spellings, everywhere, also in messages of others.

        A first name is replaced where it can only mean this person. The old names stay in the trash
        like messages that :meth:`delete` deletes; the options work as there. Earlier
        deletions become final, and a later import keeps the names of its files. Raises
        ``BadDeletion``, ``NotFound`` or ``StoreError``.
        """
        proving = Proving(self._store, self._opened.settings)
        indexing = self._opened.indexing(progress, cancelled)
        before_delete = proving.before_delete if prove else trash.no_proof
        changed = replace_name(
            self._store, person, by, indexing, undo=not (now or prove), before_delete=before_delete
        )
        self._noted(changed, "name replaced")
        return replace(changed, proof=proving.prove() if prove else None)

    # --- the trash ----------------------------------------------------------------------------------

    def deletions(self) -> list[Deletion]:
        """What was deleted and can still be restored, the latest first."""
        with self._store.reading():
            return self._store.trash.all()

    @tells("restore")
    def restore(
        self,
        number: int | None = None,
        *,
        progress: Report = silent,
        cancelled: Callable[[], bool] = never,
    ) -> Deletion:
        """Undo a deletion by its ``number``, or the latest one. Raises ``NotFound``.

        ``progress`` and ``cancelled`` as for :meth:`delete`.
        """
        back = trash.restore(self._store, number, self._opened.indexing(progress, cancelled))
        return self._noted(back, "deletion undone")

    @tells("deletion")
    def empty_trash(self, *, prove: bool = False) -> EmptiedTrash:
        """Delete for good what is in the trash, and wipe it; ``prove`` as for :meth:`delete`."""
        proving = Proving(self._store, self._opened.settings)
        gone = trash.empty(self._store, proving.before_delete if prove else trash.no_proof)
        for deletion in gone:
            self._noted(deletion, "deletion made final")
        return EmptiedTrash(len(gone), proving.prove() if prove else None)

    def _noted(self, done: Deletion, event: str) -> Deletion:
        """Record the deletion in the audit log, if the database has users; returns the deletion."""
        self._store.note(event, f"{done.messages} messages")
        return done
