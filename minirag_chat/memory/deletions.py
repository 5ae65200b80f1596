"""Deleting with undo, or for good; replacing a name; the trash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from minirag_chat.memory import trash
from minirag_chat.memory.context import Part
from minirag_chat.memory.deletion_scope import DeletionRequest
from minirag_chat.memory.filters import When
from minirag_chat.memory.proof import DeletionProver
from minirag_chat.memory.renaming import preview_name, replace_name
from minirag_chat.records import Cancelled, Chat, Deletion, EmptiedTrash, Report, never, silent
from minirag_chat.system.monitoring import monitored_method


class Deletions(Part):
    """Deletes and renames, at once or with undo."""

    @monitored_method("deletion")
    def delete_chat(self, chat: str | int) -> Chat:
        """Delete a chat, given by its number or whole title, and wipe it from the file.

        Raises ``NotFound``, or ``StoreError``, which says whether the chat is deleted. If only the
        wiping failed, the next call finishes it.
        """
        deletion = trash.wipe(self._store, DeletionRequest(chats=[chat]), self._context.indexing())
        return self._audit(deletion, "deletion").whole[0]

    def preview_delete(self, /, **selection: Any) -> Deletion:
        """What :meth:`delete` would delete; takes the same arguments to choose messages."""
        return trash.preview(self._store, DeletionRequest(**selection))

    @monitored_method("deletion")
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
        cancelled: Cancelled = never,
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
        request = DeletionRequest(messages, people, chats, since, until, everything)
        indexing = self._context.indexing(progress, cancelled)
        if not (now or prove):
            deletion = trash.move_to_trash(self._store, request, indexing)
            return self._audit(deletion, "deletion, into the trash")
        prover = DeletionProver(self._store, self._context.settings)
        before_delete = prover.before_delete if prove else trash.no_proof
        deletion = trash.wipe(self._store, request, indexing, before_delete)
        self._audit(deletion, "deletion")
        return replace(deletion, proof=prover.prove() if prove else None)

    def preview_name(self, person: str | int, by: str) -> Deletion:
        """What :meth:`replace_name` would change."""
        return preview_name(self._store, person, by)

    @monitored_method("deletion")
    def replace_name(
        self,
        person: str | int,
        by: str,
        *,
        now: bool = False,
        prove: bool = False,
        progress: Report = silent,
        cancelled: Cancelled = never,
    ) -> Deletion:
        """Replace a person's name, in all spellings, everywhere, also in messages of others.

        A first name is replaced where it can only mean this person. The old names stay in the trash
        like messages that :meth:`delete` deletes; the options work as there. Earlier
        deletions become final, and a later import of the old names replaces them again. Raises
        ``BadDeletion``, ``NotFound`` or ``StoreError``.
        """
        prover = DeletionProver(self._store, self._context.settings)
        indexing = self._context.indexing(progress, cancelled)
        before_delete = prover.before_delete if prove else trash.no_proof
        changed = replace_name(
            self._store, person, by, indexing, undo=not (now or prove), before_delete=before_delete
        )
        self._audit(changed, "name replaced")
        return replace(changed, proof=prover.prove() if prove else None)

    # --- the trash ----------------------------------------------------------------------------------

    def deletions(self) -> list[Deletion]:
        """What was deleted and can still be restored, the latest first."""
        with self._store.reading():
            return self._store.trash.all()

    @monitored_method("restore")
    def restore(
        self, number: int | None = None, *, progress: Report = silent, cancelled: Cancelled = never
    ) -> Deletion:
        """Undo a deletion by its ``number``, or the latest one. Raises ``NotFound``.

        ``progress`` and ``cancelled`` as for :meth:`delete`.
        """
        deletion = trash.restore(self._store, number, self._context.indexing(progress, cancelled))
        return self._audit(deletion, "deletion undone")

    @monitored_method("deletion")
    def empty_trash(self, *, prove: bool = False) -> EmptiedTrash:
        """Delete for good what is in the trash, and wipe it; ``prove`` as for :meth:`delete`."""
        prover = DeletionProver(self._store, self._context.settings)
        final = trash.empty(self._store, prover.before_delete if prove else trash.no_proof)
        for deletion in final:
            self._audit(deletion, "deletion made final")
        return EmptiedTrash(len(final), prover.prove() if prove else None)

    def _audit(self, deletion: Deletion, event: str) -> Deletion:
        """Record the deletion in the audit log, if the database has users; returns the deletion."""
        self._store.note(event, f"{deletion.messages} messages")
        return deletion
