"""Archives that could do harm, or that cannot be read, are refused with one sentence."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from dialects import read_export

from minirag_chat.errors import ImportFailed
from minirag_chat.records import ParsedExport, Skipped

CHAT = "31/12/21, 18:05 - Ann: hi\n31/12/21, 18:06 - Bob: ho\n"


def packed(*members: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def in_both_headers(data: bytes, local: int, central: int, value: bytes) -> bytes:
    """Overwrite a field of the only member, at these offsets of its two headers."""
    changed = bytearray(data)
    at = data.index(b"PK\x01\x02") + central
    changed[local : local + len(value)] = value
    changed[at : at + len(value)] = value
    return bytes(changed)


def link(name: str) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name)
    found.create_system = 3
    found.external_attr = (stat.S_IFLNK | 0o777) << 16
    return found


def tar(mode: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        member = tarfile.TarInfo("_chat.txt")
        member.size = len(CHAT)
        archive.addfile(member, io.BytesIO(CHAT.encode()))
    return out.getvalue()


def ten_gigabytes() -> bytes:
    """Three members of zeros that unpack to four gigabytes each, by what the directory says."""
    data = packed(*((f"{n}.txt", bytes(1024 * 1024)) for n in range(3)))
    head, *entries = data.split(b"PK\x01\x02")
    size = (4_000_000_000).to_bytes(4, "little")
    return b"PK\x01\x02".join([head, *(entry[:20] + size + entry[24:] for entry in entries)])


ONE = packed(("_chat.txt", CHAT))
BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "path escape": (lambda: packed(("../evil.txt", CHAT)), "leads out of the zip"),
    "absolute path": (lambda: packed(("/etc/evil.txt", CHAT)), "leads out of the zip"),
    "link": (lambda: packed((link("_chat.txt"), "/etc/passwd")), "a link to another file"),
    "absurd path": (lambda: packed(("d/" * 3000 + "c.txt", CHAT)), "1,000 characters"),
    "bomb": (ten_gigabytes, "unpacks to 3 files and 12,000,000,000 bytes"),
    "encrypted": (lambda: in_both_headers(ONE, 6, 8, b"\x01\x00"), "encrypted.*without a password"),
    "unknown method": (lambda: in_both_headers(ONE, 8, 10, b"\x63\x00"), "cannot be unpacked"),
    "wrong checksum": (lambda: in_both_headers(ONE, 14, 16, b"1234"), "cannot be unpacked"),
    "nested zip": (lambda: packed(("inner.zip", ONE)), "unpack it and import it alone"),
    "nested tar": (lambda: packed(("inner.tar.gz", tar("w:gz"))), "unpack it and import it alone"),
    "cut off": (lambda: packed(("_chat.txt", CHAT * 500))[:-30], "take out what is whole"),
    "empty": (packed, "it is empty"),
    "tar": (lambda: tar("w"), "a tar archive"),
    "tar.gz": (lambda: tar("w:gz"), "a gzip archive"),
    "7z": (lambda: b"7z\xbc\xaf\x27\x1c" + bytes(50), "a 7z archive"),
    "rar": (lambda: b"Rar!\x1a\x07" + bytes(50), "a RAR archive"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_archive_is_refused_with_one_sentence(tmp_path: Path, kind: str) -> None:
    make, says = BAD[kind]
    path = tmp_path / "export.zip"
    path.write_bytes(make())
    with pytest.raises(ImportFailed, match=says) as caught:
        list(read_export(path))
    told = str(caught.value)
    assert told.startswith("export.zip")
    assert told.endswith(".")
    assert told.count(". ") == 0
    assert len(told) < 300
    assert list(tmp_path.iterdir()) == [path], "nothing is unpacked"


def test_names_that_would_trick_a_terminal_are_shown_without_their_codes(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(
        packed(("\x1b[31mred\n.txt", CHAT), ("\u202etxt.exe", CHAT), ("x" * 900, b"\x00"))
    )
    for where, found in read_export(path):
        shown = f"{where}{found.reason if isinstance(found, Skipped) else ''}"
        assert shown.isprintable()


def test_the_good_members_of_an_archive_with_bad_ones_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(
        packed(("_chat.txt", CHAT), (link("b.txt"), "/etc/passwd"), ("../c.txt", CHAT))
    )
    results = list(read_export(path))
    assert [where.name for where, found in results if isinstance(found, ParsedExport)] == [
        "_chat.txt"
    ]
    assert sum(isinstance(found, Skipped) for _, found in results) == 2


@pytest.mark.parametrize(
    ("name", "members", "says"),
    [
        ("chat.xlsx", (("[Content_Types].xml", "<a/>"), ("xl/workbook.xml", "<a/>")), "an Excel workbook; save its sheet as CSV"),
        ("chat.ods", (("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", "<a/>")), "OpenDocument spreadsheet; save its sheet as CSV"),
        ("chat.docx", (("word/document.xml", "<a/>"),), "a Word document; save it as plain text"),
    ],
)  # fmt: skip
def test_a_document_of_an_office_program_is_named_with_what_to_save_it_as(
    tmp_path: Path, name: str, members: tuple[tuple[str, str], ...], says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(packed(*members))
    with pytest.raises(ImportFailed, match=says):
        list(read_export(path))


def test_a_zip_with_a_chat_and_a_file_called_mimetype_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chat.zip"
    path.write_bytes(packed(("mimetype", "x"), ("_chat.txt", CHAT)))
    assert [len(e.chats[0].messages) for _, e in read_export(path) if isinstance(e, ParsedExport)] == [2]  # fmt: skip
