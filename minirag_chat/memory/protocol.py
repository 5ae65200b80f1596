"""The interface of a memory: ``ChatMemory`` in this process, ``RemoteMemory`` in a Jupyter server.

Faces that need no more than this accept both. One test suite runs against both
(``tests/extension/test_contract.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Protocol

from minirag_chat.memory.filters import When
from minirag_chat.models.protocols import never
from minirag_chat.records import (
    Answer,
    Chat,
    Deletion,
    EmptiedTrash,
    Evidence,
    ImportReport,
    Message,
    OnContext,
    Person,
    Report,
    ignore_context,
    silent,
)
from minirag_chat.records.exploration import Info, Table


class Memory(Protocol):
    """A person's messages, ready to be asked. Each method is described at ``ChatMemory``."""

    def close(self) -> None:
        """Close it; a shared engine keeps running."""

    def info(self) -> Info:
        """What it holds and which model reads it."""

    # --- questions ---------------------------------------------------------------------------------

    def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
        history: Sequence[tuple[str, str]] | None = None,
        cancelled: Callable[[], bool] = never,
        reads: OnContext = ignore_context,
    ) -> Generator[str | Answer, None, None]:
        """Yield the answer's text in pieces, and at last the ``Answer``."""

    def ask(self, question: str, **options: Any) -> Answer:
        """Answer a question; takes what :meth:`stream` takes."""

    def forget_conversation(self) -> None:
        """Begin a new conversation."""

    def retrieve(
        self,
        question: str,
        method: str | None = None,
        k: int = 10,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
    ) -> list[Evidence]:
        """The ``k`` messages that fit the question best, best first."""

    # --- looking around ------------------------------------------------------------------------------

    def chats(self) -> Table[Chat]:
        """All chats, the most recently active first."""

    def people(self) -> Table[Person]:
        """Everyone who wrote."""

    @property
    def me(self) -> Person | None:
        """Who asks."""

    def set_me(self, person: str | int | None) -> Person | None:
        """Say who asks."""

    def likely_me(self) -> list[Person]:
        """Who may be the one who asks."""

    def search(
        self,
        text: str,
        k: int = 20,
        *,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
    ) -> list[Evidence]:
        """The messages with these words, best first."""

    def conversation(self, message_id: int, around: int = 5) -> list[Message]:
        """A message in its chat."""

    def deleted_so_far(self) -> str:
        """A token that changes with every deletion."""

    # --- changing what is kept -----------------------------------------------------------------------

    def add(self, path: str | Path, *, progress: Report = silent) -> ImportReport:
        """Import a file or a folder; adds only what is new."""

    def delete_chat(self, chat: str | int) -> Chat:
        """Delete a chat and wipe it."""

    def preview_delete(
        self,
        *,
        messages: Sequence[int] = (),
        people: Sequence[str | int] = (),
        chats: Sequence[str | int] = (),
    ) -> Deletion:
        """What :meth:`delete` would delete."""

    def delete(
        self,
        *,
        messages: Sequence[int] = (),
        people: Sequence[str | int] = (),
        now: bool = False,
    ) -> Deletion:
        """Put messages into the trash, or wipe them ``now``."""

    def preview_name(self, person: str | int, by: str) -> Deletion:
        """What :meth:`replace_name` would change."""

    def replace_name(self, person: str | int, by: str, *, now: bool = False) -> Deletion:
        """Replace a person's name everywhere."""

    def deletions(self) -> list[Deletion]:
        """What can still be restored, the latest first."""

    def restore(self, number: int | None = None) -> Deletion:
        """Undo a deletion."""

    def empty_trash(self, *, prove: bool = False) -> EmptiedTrash:
        """Wipe what is in the trash."""
