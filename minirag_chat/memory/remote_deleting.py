"""Deleting in a memory that lives in a Jupyter server; what ``RemoteMemory`` inherits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from minirag_chat.json_records import from_json
from minirag_chat.memory.filters import When, each_of
from minirag_chat.records import Deletion, EmptiedTrash


class RemoteDeleting(ABC):
    """Messages deleted, restored and wiped, and names replaced, by the server."""

    db: str

    def __init__(self) -> None:
        self._conversation: list[tuple[str, str]] = []  # it may quote what is deleted
        self._deleted: str | None = None  # ``deleted_so_far`` when that was last checked

    def preview_delete(self, **selection: Any) -> Deletion:
        """As ``ChatMemory.preview_delete``."""
        response = self._post("delete", preview=True, **_as_json(selection))
        return from_json(Deletion, response["would_be_deleted"])

    def delete(self, *, now: bool = False, prove: bool = False, **selection: Any) -> Deletion:
        """As ``ChatMemory.delete``; a proof searches the files of the server's machine."""
        self._conversation.clear()
        response = self._post("delete", now=now, prove=prove, **_as_json(selection))
        return from_json(Deletion, response["deleted"])

    def preview_name(self, person: str | int, by: str) -> Deletion:
        """As ``ChatMemory.preview_name``."""
        response = self._post("rename", person=person, by=by, preview=True)
        return from_json(Deletion, response["would_be_changed"])

    def replace_name(
        self, person: str | int, by: str, *, now: bool = False, prove: bool = False
    ) -> Deletion:
        """As ``ChatMemory.replace_name``."""
        self._conversation.clear()
        response = self._post("rename", person=person, by=by, now=now, prove=prove)
        return from_json(Deletion, response["changed"])

    def deletions(self) -> list[Deletion]:
        """What was deleted and can still be restored, the latest first."""
        return from_json(list[Deletion], self._call("GET", "trash")["deletions"])

    def deleted_so_far(self) -> str:
        """A token that changes whenever anybody deletes something, for good or into the trash."""
        return from_json(str, self._call("GET", "trash").get("so_far"))

    def restore(self, number: int | None = None) -> Deletion:
        """Undo a deletion by its number, or the latest one."""
        return from_json(Deletion, self._post("restore", number=number)["restored"])

    def empty_trash(self, *, prove: bool = False) -> EmptiedTrash:
        """As ``ChatMemory.empty_trash``; a proof searches the files of the server's machine."""
        self._conversation.clear()
        return from_json(EmptiedTrash, self._post("empty", prove=prove))

    # --- inside --------------------------------------------------------------------------------------

    @abstractmethod
    def _call(self, method: str, path: str, **options: Any) -> Any:
        """The server's answer to a request."""

    def _post(self, path: str, **body: Any) -> Any:
        return self._call("POST", path, json={**body, "db": self.db})


def _as_json(selection: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that choose messages, one name as a list of it, with times as text for JSON."""
    names = {key: list(each_of(selection[key])) for key in ("people", "chats") if key in selection}
    times = {key: time_text(selection[key]) for key in ("since", "until") if key in selection}
    return {**selection, **names, **times}


def time_text(moment: When) -> str | None:
    """A time as the text that the server expects."""
    return moment.isoformat() if isinstance(moment, (date, datetime)) else moment
