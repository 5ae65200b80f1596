"""Knows by its content a document of an office program, or a page whose program offers another format."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from minirag_chat.errors import UnknownFormat, UnreadableFile
from minirag_chat.lazy_patterns import lazy

_OFFICE = {
    "xl/workbook.xml": "an Excel workbook; save its sheet as CSV",
    "xl/workbook.bin": "an Excel workbook; save its sheet as CSV",
    "word/document.xml": "a Word document; save it as plain text",
}
_OPEN = {
    b"application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument spreadsheet; save its sheet as CSV",
    b"application/vnd.oasis.opendocument.text": "an OpenDocument text; save it as plain text",
}
_KIND = "mimetype"
_LONGEST_KIND = 100  # bytes
_RICH_TEXT = "{\\rtf"
# Each page by what is in it; its program, and what to export instead.
_PAGES = (
    (lazy(r"\bclass=\"[^\"]{0,200}\bmx_(?:MatrixChat|EventTile|RoomView)"), "Element",
     "export the room again, format JSON"),
    (lazy(r"\bconst chatMessages = \["), "MemoTrace", "export the chat again, as CSV or JSON"),
    (lazy(r"<title>Whatsapp - "), "WhatsApp-Chat-Exporter", "run it again with --json"),
    (lazy(r"^<p><strong>[^<\n]{1,200}</strong> \([^()\n]{10,40} GMT\):<br/>", re.MULTILINE), "Rocket.Chat",
     "export the room again, format JSON"),
    (lazy(r"Chat History with [^<\n]{1,200}<.{0,2000}?<h6", re.DOTALL), "Snapchat",
     "request My Data again, with JSON files"),
)  # fmt: skip
_SLACKDUMP = lazy(
    r"\s*> [^\n]{1,200} \[[A-Z0-9]{1,30}\] @ \d\d/\d\d/\d{4} \d\d:\d\d:\d\d (?:Z|[+-]\d{4}):\r?\n"
)


def refuse_rich_text(name: str, text: str) -> None:
    """Raise ``UnreadableFile`` with what to do if a file that begins with this text is rich text."""
    if text.startswith(_RICH_TEXT):
        raise UnreadableFile(f"{name} is rich text (RTF); save it as plain text, and import that.")


def refuse_page(name: str, text: str) -> None:
    """Raise ``UnreadableFile`` with the format to choose if a known program wrote a text in another."""
    if _SLACKDUMP.match(text):
        raise UnreadableFile(
            f"{name} is slackdump's text, in which messages run together; dump the chat again as JSON."
        )
    if not text.lstrip("\ufeff \t\n").startswith("<"):
        return
    for pattern, program, remedy in _PAGES:
        if pattern.search(text):
            raise UnreadableFile(
                f"{name} is a page of {program}, which cannot be imported; {remedy}."
            )


def refuse_document(path: Path) -> None:
    """Raise ``UnknownFormat`` with what to do if a zip is a document of an office program."""
    found = None
    with suppress(BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        found = _document_in(path)
    if found is not None:
        raise UnknownFormat(f"{path.name} is {found}, and import that.")


def _document_in(path: Path) -> str | None:
    with ZipFile(path) as packed:
        names = set(packed.namelist())
        found = next((said for name, said in _OFFICE.items() if name in names), None)
        if found is None and _KIND in names:
            with packed.open(_KIND) as stream:
                found = _OPEN.get(stream.read(_LONGEST_KIND).strip())
    return found
