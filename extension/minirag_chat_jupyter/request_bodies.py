"""The request bodies. Unknown fields are refused, and values of another type: "yes" is not true."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from minirag_chat.errors import MiniRagChatError
from minirag_chat.errors.invalid_values import invalid
from minirag_chat.settings import Method

Body = TypeVar("Body", bound=BaseModel)
MOST_FOUND = 1_000
"""The most messages that one search or retrieval may ask for."""


class BadRequest(MiniRagChatError):
    """A call that cannot be understood."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    db: str = Field("", description="path of the database below the server's root; empty: default")


class _Filtered(_Strict):
    question: str
    method: Method | None = None
    people: list[str | int] | None = Field(None, description="only messages by them: names, or ids")
    chats: list[str | int] | None = Field(None, description="only these chats, by title or number")
    since: str | None = Field(None, description="from this day on: 2026-05-03, or a phrase")
    until: str | None = Field(None, description="up to this day, inclusive")


class AskBody(_Filtered):
    """``POST ask``."""

    history: list[tuple[str, str]] = Field(
        default_factory=list, max_length=100, description="(question, answer) pairs so far"
    )
    deleted: str | None = Field(
        None,
        description="the `so_far` of the last event `deleted`: the history is dropped if another one "
        "holds now, since it may quote what was deleted; null: keep it",
    )


class RetrieveBody(_Filtered):
    """``POST retrieve``."""

    k: int = Field(10, ge=1, le=MOST_FOUND)


class MeBody(_Strict):
    """``POST me``."""

    person: str | int | None = Field(description="a name or a person's id; null: nobody in here")


class ImportBody(_Strict):
    """``POST import``."""

    path: str = Field(description="a file, zip or folder below the server's root")
    date_order: str | None = None
    encoding: str | None = None
    time_zone: str | None = None
    chat_title: str | None = None
    clock: str | None = Field(None, description="12 or 24: the clock of the times in the file")
    format: str | None = Field(None, description="read the files as this format")
    columns: dict[str, str] | None = Field(
        None, description="a table's columns: sent_at, sender, text, chat"
    )


class _Deleting(_Strict):
    preview: bool = Field(default=False, description="only say what would be deleted")
    now: bool = Field(
        default=False, description="wipe it at once, not only when the trash is emptied"
    )
    prove: bool = Field(default=False, description="wipe it at once, and search every file for it")


class DeleteBody(_Deleting):
    """``POST delete``: messages; or what people, chats and a time have in common; or everything."""

    messages: list[int] = Field(default_factory=list, max_length=10_000)
    people: list[str | int] = Field(default_factory=list, max_length=100)
    chats: list[str | int] = Field(default_factory=list, max_length=100)
    since: str | None = Field(None, description="from this day on: 2026-05-03")
    until: str | None = Field(None, description="up to this day, inclusive")
    everything: bool = False


class RenameBody(_Deleting):
    """``POST rename``."""

    person: str | int = Field(description="whose name is replaced, in all spellings")
    by: str = Field(description="the name that replaces it everywhere")


class RestoreBody(_Strict):
    """``POST restore``."""

    number: int | None = Field(
        None, description="the number of a deletion, as GET trash lists it; by default the latest"
    )


class EmptyBody(_Strict):
    """``POST empty``."""

    prove: bool = Field(default=False, description="search every file for what was in the trash")


def parsed(kind: type[Body], raw: bytes) -> Body:
    """The body of a request. Raises ``BadRequest`` with one sentence."""
    try:
        return kind.model_validate_json(raw, strict=True)
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise BadRequest("The body is not JSON in UTF-8: send an object.") from error
        name, remedy = invalid(error)
        raise BadRequest(
            f"The {f'field {name!r}' if name else 'body'} is not valid: {remedy}; "
            f"the fields are {', '.join(kind.model_fields)}."
        ) from error
