"""Kinds of attachments, by name or MIME type, and of chats: the same words for all importers."""

from __future__ import annotations

from minirag_chat.records import ChatKind

DIRECT = 2
"""Most people in a direct chat."""
_BY_SUFFIX = {
    **dict.fromkeys(("jpg", "jpeg", "png", "heic", "tiff", "webp", "bmp", "avif"), "photo"),
    **dict.fromkeys(("mov", "mp4", "m4v", "3gp", "webm", "mkv", "avi"), "video"),
    **dict.fromkeys(("caf", "m4a", "mp3", "amr", "wav", "ogg", "opus", "aac"), "audio"),
    "gif": "gif",
}
_BY_MIME = {"image": "photo", "audio": "audio", "video": "video"}


def chat_kind(people: int) -> ChatKind:
    """Return the kind of a chat by the number of people in it."""
    return "direct" if people <= DIRECT else "group"


def file_kind(name: str) -> str:
    """Return the kind of an attachment by its name."""
    _stem, dot, suffix = name.rpartition(".")
    return _BY_SUFFIX.get(suffix.casefold(), "file") if dot else "file"


def kind_of_mime(mime: str) -> str:
    """Return the kind of an attachment by a MIME type such as ``image/jpeg``."""
    return _BY_MIME.get(mime.partition("/")[0].strip().casefold(), "file")
