"""The texts of Telegram's messages in JSON: links, polls, lists, places and contacts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minirag_chat.importers.base import as_text, objects
from minirag_chat.importers.links import linked

# Field of a message → the name of the media; the first field present counts.
_MEDIA_FIELDS = (
    ("photo", "photo"),
    ("contact_information", "contact"),
    ("location_information", "location"),
    ("place_name", "location"),
    ("game_title", "game"),
    ("invoice_information", "invoice"),
    ("giveaway_information", "giveaway"),
    ("dice", "dice"),
    ("file", "file"),
)


def text_in(value: object) -> str:
    """Return a text, or its fragments joined without separators: they contain the spaces."""
    if isinstance(value, str):
        return as_text(value)
    if not isinstance(value, list):
        return ""
    return "".join(_fragment(part) for part in value)


def _fragment(part: object) -> str:
    """Return a fragment's text, with its link if that is another one than the text."""
    if not isinstance(part, dict):
        return part if isinstance(part, str) else ""
    text = as_text(part.get("text"))
    target = as_text(part.get("href")) if part.get("type") == "text_link" else ""
    return linked(text, target)


def media_of(raw: Mapping[str, Any]) -> str | None:
    """Return the placeholder of a message's media, such as ``sticker 😀``; None without any."""
    kind = raw.get("media_type")
    if kind is not None:
        words = [str(kind).replace("_", " "), raw.get("sticker_emoji") or raw.get("title")]
    else:
        kind = next((what for name, what in _MEDIA_FIELDS if raw.get(name) is not None), None)
        if kind is None:
            return None
        words = [kind, _detail(kind, raw)]
    return " ".join(str(word) for word in words if word)


def _detail(kind: str, raw: Mapping[str, Any]) -> str:
    match kind:
        case "file":
            return as_text(raw.get("file_name"))
        case "contact":
            return " ".join(
                _values(raw["contact_information"], "first_name", "last_name", "phone_number")
            )
        case "location":
            place = _values(raw, "place_name", "address")
            spot = _values(raw.get("location_information"), "latitude", "longitude")
            return ", ".join([*place, *spot])
        case "game":
            return as_text(raw.get("game_title"))
    return ""


def _values(holder: object, *names: str) -> list[str]:
    """Return the texts of some fields that are not empty."""
    if not isinstance(holder, dict):
        return []
    return [text for name in names if (text := as_text(holder.get(name)).strip())]


def list_in(raw: Mapping[str, Any]) -> str:
    """Return a message's poll or to-do list: its title, and one line an answer or item."""
    poll, todo = raw.get("poll"), raw.get("todo_list")
    if isinstance(poll, dict):
        answers = objects(poll.get("answers"))
        voted = any(answer.get("voters") for answer in answers)
        lines = [text_in(poll.get("question"))]
        lines += [f"- {text_in(answer.get('text'))}{_votes(answer, voted)}" for answer in answers]
    elif isinstance(todo, dict):
        items = objects(todo.get("answers")) or objects(todo.get("items"))
        lines = [text_in(todo.get("title")), *(f"- {text_in(item.get('text'))}" for item in items)]
    else:
        return ""
    return "\n".join(lines).strip()


def _votes(answer: Mapping[str, Any], voted: object) -> str:
    """Return the votes of an answer in parentheses; empty if the poll has no votes."""
    count = answer.get("voters")
    if not voted or not isinstance(count, int):
        return ""
    chosen = ", chosen" if answer.get("chosen") is True else ""
    return f" ({count} {'vote' if count == 1 else 'votes'}{chosen})"
