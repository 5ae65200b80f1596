"""Every format, several dialects of one small conversation, one golden result. All made up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from dialects import DIALECTS, PACKED, Conversation, exports, read_export, talked, write

from minirag_chat.records import ParsedExport


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_gives_the_golden_conversation(
    tmp_path: Path, conversation: Conversation, dialect: str
) -> None:
    zone_shift = dialect == "telegram_html"
    path = write(tmp_path, DIALECTS[dialect](conversation))
    if zone_shift:  # the offset is part of the time, so it is read without a zone asked for
        found = [
            (m.sent_at, m.sender, m.text)
            for _, export in read_export(path)
            if isinstance(export, ParsedExport)
            for chat in export.chats
            for m in chat.messages
        ]
        assert found == list(conversation)
    else:
        assert talked(path) == list(conversation)
    for export in exports(path):
        assert not export.skipped
        assert all(chat.messages for chat in export.chats)


@pytest.mark.parametrize("dialect", PACKED)
def test_a_zip_is_read_as_its_folder(
    tmp_path: Path, conversation: Conversation, dialect: str
) -> None:
    folder = write(tmp_path / "folder", DIALECTS[dialect](conversation))
    packed = shutil.make_archive(str(tmp_path / "export"), "zip", folder)
    assert talked(Path(packed)) == talked(folder)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_do_not_matter(
    tmp_path: Path, conversation: Conversation, dialect: str, ending: str
) -> None:
    files = DIALECTS[dialect](conversation)
    write(tmp_path / "a", files)
    write(tmp_path / "b", {name: text.replace("\n", ending) for name, text in files.items()})
    assert talked(tmp_path / "b") == talked(tmp_path / "a")


@pytest.mark.parametrize(
    ("sample", "target"),
    [("instagram/test_export.json", "instagram/target.json"),
     ("signal/test_export.txt", "signal/target.json")],
)  # fmt: skip
def test_chat_miner_samples(shared: Path, sample: str, target: str) -> None:
    folder = shared / "exports" / "chat-miner"
    expected = json.loads((folder / target).read_text(encoding="utf-8"))
    # chat-miner joins the lines of a message; a line break is kept here
    assert [
        (t.isoformat(), who, "".join(said.split())) for t, who, said in talked(folder / sample)
    ] == sorted((m["timestamp"], m["author"], "".join(m["message"].split())) for m in expected)
