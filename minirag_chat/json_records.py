"""Records ↔ JSON, for the command line, the page, the exports and the REST API.

Reading validates every field.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from minirag_chat.errors import MiniRagChatError
from minirag_chat.errors.invalid_values import invalid
from minirag_chat.records import Answer, Source

Record = TypeVar("Record")
_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def to_json(record: object, kind: Any = None) -> Any:
    """A record, or a value of type ``kind`` (such as ``list[Info]``), as JSON. Times are ISO, wall-clock.

    Each source of an answer has the most used fields of its message, and the whole message.
    """
    document = adapter(kind or type(record)).dump_python(record, mode="json")
    if isinstance(record, Answer):
        for key in ("sources", "closest"):
            sources = getattr(record, key)
            document[key] = [
                {**_flat(source), **part}
                for source, part in zip(sources, document[key], strict=True)
            ]
    return document


def from_json(kind: type[Record], document: Any) -> Record:
    """The record of a JSON document. Raises ``MiniRagChatError`` if the document is not valid."""
    try:
        found: Record = adapter(kind).validate_python(document)
    except ValidationError as error:
        field = invalid(error).name
        at = f" (its field {field!r} is not valid)" if field else ""
        raise MiniRagChatError(
            f"The server sent no {getattr(kind, '__name__', kind)}{at}: update minirag-chat on both sides."
        ) from error
    return found


def adapter(kind: Any) -> TypeAdapter[Any]:
    """The pydantic adapter of a record type; cached, because making one takes milliseconds."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def _flat(source: Source) -> dict[str, object]:
    return {
        "number": source.number,
        "message_id": source.message_id,
        "chat": source.chat,
        "sender": source.sender,
        "sent_at": source.sent_at.isoformat(),
        "quote": source.quote,
        "text": source.message.text,
        **({"read_in": source.read_in} if source.read_in else {}),
    }
