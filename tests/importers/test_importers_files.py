# ruff: noqa: RUF001 - any option, many scripts

from __future__ import annotations

import os
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from dialects import read_export, recognise

from minirag_chat.errors import ImportFailed, UnknownFormat, UnreadableFile
from minirag_chat.importers import IMPORTERS, ImportOptions
from minirag_chat.records import ParsedExport, Skipped

if TYPE_CHECKING:
    from pathlib import Path

CHAT = "31/12/21, 18:05 - Ann: hi\n31/12/21, 18:06 - Bob: ho\n"
LOG = "Time: 20260105_11:00\nAnn: hi\nBob: ho\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256))


def make_zip(path: Path, members: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def outcome(path: Path, **options: Any) -> dict[str, str]:
    """Name → the format read, or the reason for skipping."""
    return {
        where.name: result.reason if isinstance(result, Skipped) else result.format
        for where, result in read_export(path, ImportOptions(**options))
    }


def test_recognise_goes_by_content(tmp_path: Path) -> None:
    for name, text, expected in [
        ("a.json", CHAT, "whatsapp"), ("b.csv", LOG, "lihuaworld"),
        ("c.txt", "sent_at,sender,text\n", "table"),
        ("d.txt", '{"messages": [{"id": 1, "date_unixtime": "1"}]}', "telegram"),
    ]:  # fmt: skip
        (tmp_path / name).write_text(text)
        assert recognise(tmp_path / name).name == expected


@pytest.mark.parametrize(
    ("content", "error", "says"),
    [
        (b"", UnreadableFile, "empty"),
        (b"\xef\xbb\xbf", UnreadableFile, "no text"),
        (b" \n\n", UnreadableFile, "no text"),
        (PNG, UnreadableFile, "a PNG image"),
        (bytes(range(256)) * 8, UnreadableFile, "not text"),
        (b"\x00" * 5000, UnreadableFile, "not text"),
        (b"Dear diary,\nnothing happened: really.\n", UnknownFormat, "formats"),
        (b'{"name": "half', UnreadableFile, "cut off"),
        (b'{"name": "other"}', UnknownFormat, "inspect"),
        (
            b'{"chat": {"name": "x"}, "messages": [{"from": "a", "text": "b"}]}',
            UnknownFormat,
            "inspect",
        ),
        (b"PK\x03\x04 no zip", UnreadableFile, "zip"),
    ],
)
def test_what_is_no_chat_raises_with_a_remedy(
    tmp_path: Path, content: bytes, error: type[ImportFailed], says: str
) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(content)
    with pytest.raises(error, match=says) as caught:
        list(read_export(path))
    message = str(caught.value)
    assert "file.bin" in message
    assert message.endswith(".")
    assert "\n" not in message


def test_what_each_format_misses_in_an_unknown_file_is_kept_for_who_asks(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("just a note")
    with pytest.raises(UnknownFormat) as caught:
        recognise(tmp_path / "x.txt")
    reasons = caught.value.reasons
    assert len(reasons) == len(IMPORTERS)
    assert all(
        reason.startswith(f"{importer.title}: ")
        for importer, reason in zip(IMPORTERS, reasons, strict=True)
    )
    assert len(str(caught.value)) < 250, "it is read on a screen"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"date_order": "dym"}, "dmy"), ({"encoding": "klingon"}, "utf-8"),
        ({"time_zone": "Mars/Olympus"}, "Europe/Berlin"), ({"time_zone": "../etc"}, "Europe"),
        ({"encoding": "base64"}, "utf-8"), ({"columns": {"x": "y"}}, "sender"),
    ],
)  # fmt: skip
def test_bad_options_are_one_sentence(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ImportFailed, match=says):
        ImportOptions(**options)


def test_an_unknown_format_option(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(CHAT)
    for path in (tmp_path, tmp_path / "x.txt"):
        with pytest.raises(ImportFailed, match="whatsapp"):
            list(read_export(path, ImportOptions(format="icq")))


def test_missing_and_special_files(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="check the path"):
        list(read_export(tmp_path / "none.txt"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="plain file"):
        list(read_export(tmp_path / "pipe"))
    (tmp_path / "chat.txt").write_text(CHAT)
    assert "plain file" in outcome(tmp_path)["pipe"]


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    path.write_text(CHAT)
    os.truncate(path, 2 * 1024**3)
    with pytest.raises(UnreadableFile, match="max_file_mb"):
        list(read_export(path))
    (tmp_path / "chat.txt").write_text(CHAT)
    assert outcome(tmp_path)["chat.txt"] == "whatsapp"
    with pytest.raises(UnreadableFile):
        list(read_export(tmp_path / "chat.txt", ImportOptions(max_bytes=10)))


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("latin-1", "schöne Grüße, à bientôt, ¿qué?"), ("cp1252", "it’s 5 € – “really”"),
        ("cp1251", "Привет, как дела? Всё хорошо, спасибо, увидимся завтра вечером"),
        ("cp932", "こんにちは、お元気ですか。明日は一緒に映画を見に行きましょう"),
        ("gb18030", "你好，我们明天一起去看电影吧，好不好？我觉得这个主意很不错"),
        ("utf-16", "schöne 你好"), ("utf-8-sig", "schöne 你好"),
    ],
)  # fmt: skip
def test_encodings(tmp_path: Path, encoding: str, words: str) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes(
        f"31/12/21, 18:05 - Ann: {words}\n31/12/21, 18:06 - Bob: ok\n".encode(encoding)
    )
    [(_, export)] = list(read_export(path))
    assert export.chats[0].messages[0].text == words
    [(_, export)] = list(read_export(path, ImportOptions(encoding=encoding)))
    assert export.chats[0].messages[0].text == words
    assert not export.notes


def test_a_damaged_character_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    good = "31/12/21, 18:05 - Ann: schön schön schön schön schön schön schön schön schön schön"
    path.write_bytes(good.encode() + b" b\xffd")
    [(_, export)] = list(read_export(path))
    assert export.chats[0].messages[0].text.endswith("schön b\ufffdd")
    assert "1 characters" in export.notes[0]


def test_a_folder_reports_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "log.txt").write_text(LOG)
    (tmp_path / "a.txt").write_text(LOG)
    (tmp_path / "b" / "c.txt").write_text(CHAT)
    (tmp_path / "b" / "bad.txt").write_bytes(b"")
    (tmp_path / "README.md").write_text("# Chats")
    (tmp_path / "questions.csv").write_text("Id,Question,Gold Answer,Evidence,Type\n")
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    (tmp_path / "photo.jpg").write_bytes(PNG)
    make_zip(tmp_path / "z.zip", {"_chat.txt": CHAT, "IMG-1.jpg": PNG})
    told = []
    results = list(read_export(tmp_path, progress=told.append))
    read = [
        where.relative_to(tmp_path).as_posix()
        for where, r in results
        if isinstance(r, ParsedExport)
    ]
    assert read == ["a.txt", "z.zip/_chat.txt", "b/c.txt"]
    reasons = {where.name: r.reason for where, r in results if isinstance(r, Skipped)}
    assert set(reasons) == {".git", "bad.txt", "README.md", "questions.csv", ".DS_Store",
                            "z.zip", tmp_path.name}  # fmt: skip
    assert "hidden" in reasons[".git"]
    assert "1 .jpg" in reasons[tmp_path.name]
    counts = [
        sum(len(chat.messages) for chat in r.chats)
        for _, r in results
        if isinstance(r, ParsedExport)
    ]
    assert [p.done for p in told] == sorted(p.done for p in told)
    assert told[-1].done == sum(counts)


def test_a_folder_without_any_chat_raises(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match="empty"):
        list(read_export(tmp_path))
    (tmp_path / "README.md").write_text("# Chats")
    with pytest.raises(UnknownFormat, match=r"README\.md"):
        list(read_export(tmp_path))


def test_whatsapp_zips_are_read_in_place(tmp_path: Path) -> None:
    path = make_zip(
        tmp_path / "WhatsApp Chat - Ann.zip", {"_chat.txt": CHAT, "0001-PHOTO.jpg": PNG}
    )
    results = dict(read_export(path))
    export = results[path / "_chat.txt"]
    assert export.chats[0].title == "Ann"
    assert list(tmp_path.iterdir()) == [path]
    folder = tmp_path / "WhatsApp Chat - Cy"
    folder.mkdir()
    (folder / "_chat.txt").write_text(CHAT)
    [(_, export)] = list(read_export(folder))
    assert export.chats[0].title == "Cy"


def test_a_zip_may_not_lead_out_of_itself(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {
        "../evil.txt": CHAT, "/abs.txt": CHAT, "C:\\x.txt": CHAT, "..\\y.txt": CHAT,
        "good.txt": CHAT, "__MACOSX/._good.txt": b"\x00", "inner.zip": b"PK",
    })  # fmt: skip
    results = list(read_export(path))
    assert [w.name for w, r in results if isinstance(r, ParsedExport)] == ["good.txt"]
    assert sum("leads out" in r.reason for _, r in results if isinstance(r, Skipped)) == 4
    with pytest.raises(UnknownFormat, match="leads out"):
        list(read_export(make_zip(tmp_path / "b.zip", {"../evil.txt": CHAT})))


def test_zip_bombs_are_refused(tmp_path: Path) -> None:
    bomb = make_zip(tmp_path / "bomb.zip", {"_chat.txt": CHAT + "0" * 20_000_000})
    with pytest.raises(UnknownFormat, match="100 times"):
        list(read_export(bomb))
    with pytest.raises(UnreadableFile, match="unpacks to"):
        list(read_export(bomb, ImportOptions(max_bytes=1_000_000)))
    many = make_zip(tmp_path / "many.zip", {f"{n}.txt": CHAT for n in range(100)})
    with pytest.raises(UnreadableFile, match="unpacks to"):
        list(read_export(many, ImportOptions(max_bytes=1000)))


def test_a_zip_that_claims_gigabytes_is_refused_unread(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"_chat.txt": CHAT})
    data = bytearray(path.read_bytes())
    size = data.index(b"PK\x01\x02") + 24  # of what it unpacks to, in the directory
    data[size : size + 4] = (4_000_000_000).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(UnreadableFile, match=r"4,000,000,000 bytes.*max_file_mb"):
        list(read_export(path))


def test_what_a_zip_understates_is_not_read_beyond(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"_chat.txt": CHAT * 1000})
    data = bytearray(path.read_bytes())
    size = data.index(b"PK\x01\x02") + 24
    data[size : size + 4] = (len(CHAT)).to_bytes(4, "little")
    path.write_bytes(data)
    with suppress(ImportFailed):
        for _, export in read_export(path):
            assert isinstance(export, Skipped) or sum(len(c.messages) for c in export.chats) <= 2


def test_a_zip_of_zips_says_what_to_do(tmp_path: Path) -> None:
    inner = make_zip(tmp_path / "inner.zip", {"_chat.txt": CHAT})
    outer = make_zip(tmp_path / "outer.zip", {"inner.zip": inner.read_bytes()})
    with pytest.raises(UnknownFormat, match="unpack it and import it alone"):
        list(read_export(outer))


def test_a_link_in_a_folder_does_not_lead_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "users.json").write_text('[{"id": "U1", "real_name": "Secret"}]')
    folder = tmp_path / "export"
    (folder / "general").mkdir(parents=True)
    (folder / "users.json").symlink_to(tmp_path / "secret" / "users.json")
    (folder / "general" / "2022-01-01.json").write_text(
        '[{"type": "message", "user": "U1", "ts": "1640000000.000100", "text": "hi"}]'
    )
    exports = [r for _, r in read_export(folder) if isinstance(r, ParsedExport)]
    assert [m.sender for e in exports for c in e.chats for m in c.messages] == ["U1"]


def test_a_damaged_zip_is_unreadable(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"_chat.txt": CHAT * 50})
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(UnreadableFile, match="zip"):
        list(read_export(path))
    path.write_bytes(data[:45] + bytes(byte ^ 0xFF for byte in data[45:60]) + data[60:])
    with pytest.raises(ImportFailed):
        list(read_export(path))


def test_an_encrypted_member_is_skipped(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"_chat.txt": CHAT})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(ImportFailed, match="password"):
        list(read_export(path))


def test_public_names() -> None:
    from minirag_chat import importers

    assert importers.__all__ == [
        "IMPORTERS",
        "Frame",
        "ImportOptions",
        "Importer",
        "frame_file",
        "is_media",
        "stream_export",
    ]


def test_rich_text_is_refused_with_what_to_do(tmp_path: Path) -> None:
    page = tmp_path / "Chats.rtf"
    page.write_text("{\\rtf1\\ansi [31.12.21, 18:05:11] Ann: hi\\\n[31.12.21, 18:06:11] Bob: ho}")
    with pytest.raises(UnreadableFile, match=r"is rich text .*; save it as plain text"):
        outcome(page)


@pytest.mark.parametrize(
    ("name", "content", "format_name"),
    [
        ("direct-messages-group.js", "window.YTD.direct_messages_group.part0 = [ ]\n", "x"),
        ("message_1.json", '{"participants": [], "messages": [], "title": "Zoe", "thread_path": "inbox/z_1"}', "messenger"),
    ],
)  # fmt: skip
def test_a_file_of_an_app_without_messages_is_recognised(
    tmp_path: Path, name: str, content: str, format_name: str
) -> None:
    (tmp_path / name).write_text(content)
    [(_, export)] = list(read_export(tmp_path / name, ImportOptions()))
    assert isinstance(export, ParsedExport)
    assert (export.format, list(export.chats)) == (format_name, [])


def test_the_owners_account_in_discords_package_is_named_as_a_part_of_it(tmp_path: Path) -> None:
    row = '[{"ID": 1, "Timestamp": "2025-01-13 15:05:11", "Contents": "hi", "Attachments": ""}]'
    package = make_zip(
        tmp_path / "package.zip",
        {"Account/user.json": '{"username": "ann"}', "Messages/c1/messages.json": row},
    )
    assert "Discord" in outcome(package)["user.json"]
