"""Knows documents of office programs by what is in them: most are zips."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from minirag_chat.errors import UnknownFormat, UnreadableFile

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


def refuse_rich_text(name: str, text: str) -> None:
    """Raise ``UnreadableFile`` with what to do if a file that begins with this text is rich text."""
    if text.startswith(_RICH_TEXT):
        raise UnreadableFile(f"{name} is rich text (RTF); save it as plain text, and import that.")


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
