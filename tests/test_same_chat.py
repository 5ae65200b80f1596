"""Which exports are of one chat, where folders, numbers and titles tell little."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from minirag_chat import ChatMemory
from minirag_chat.show.page_uploads import take

DAY = "2023-11-14.json"


def slack_day(folder: Path) -> Path:
    said = [
        {"type": "message", "user": f"U{n % 2}", "text": f"hello number {n}", "ts": f"170000{n:04}.0001"}
        for n in range(8)
    ]  # fmt: skip
    folder.mkdir(parents=True)
    (folder / DAY).write_text(json.dumps(said), encoding="utf-8")
    return folder / DAY


def groupme_file(folder: Path) -> Path:
    said = [
        {"id": str(n), "sender_type": "user", "source_guid": f"g{n}", "created_at": 1700000000 + n * 60,
         "name": ("Ann", "Bob")[n % 2], "sender_id": str(n % 2), "text": f"hello number {n}", "attachments": []}
        for n in range(8)
    ]  # fmt: skip
    folder.mkdir(parents=True)
    (folder / "message.json").write_text(json.dumps(said), encoding="utf-8")
    return folder / "message.json"


@pytest.mark.parametrize("write", [slack_day, groupme_file])
def test_a_file_dropped_twice_is_one_chat_without_the_name_of_a_folder(
    memory: ChatMemory, tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    added = [
        memory.add(take([str(write(tmp_path / f"upload{n}"))])[0]).messages_added for n in (1, 2)
    ]
    [chat] = memory.chats()
    assert added == [8, 0]
    assert "import-" not in str(chat.title)


def test_a_channel_and_then_the_whole_workspace_is_one_chat(
    memory: ChatMemory, tmp_path: Path
) -> None:
    channel = slack_day(tmp_path / "export" / "general").parent
    memory.add(channel)
    assert [chat.title for chat in memory.chats()] == ["general"]
    users = [{"id": "U0", "real_name": "Ann"}, {"id": "U1", "real_name": "Bob"}]
    (tmp_path / "export" / "users.json").write_text(json.dumps(users), encoding="utf-8")
    channels = [{"id": "C1", "name": "general"}]
    (tmp_path / "export" / "channels.json").write_text(json.dumps(channels), encoding="utf-8")
    assert memory.add(tmp_path / "export").messages_added == 0
    assert [(chat.title, chat.messages) for chat in memory.chats()] == [("general", 8)]


def signal_folder(folder: Path, stamp: str = "%Y-%m-%d %H:%M:%S") -> Path:
    """A folder of signal-export: each chat as ``chat.md`` and as ``data.json``."""
    told = [
        ("Me", "shall we meet at the lake?", "", []),
        ("Cal Reid", "at six, by the boats\n\nor is that late?", "", [("Fi", "👍"), ("Me", "😀")]),
        ("Fi", "six is fine", "\n\n> what was said before the export\n\n", []),
        ("Me", "bring the blanket", "\n\n> six is fine\n\n", []),
    ]
    times = [datetime(2026, 11, 2, 20, 0, 3) + timedelta(minutes=n) for n in range(len(told))]
    shown = [
        f"[{t.strftime(stamp)}] {who}: {quote}{text}  "
        + ("\n(- " + ", ".join(f"{name}: {emoji}" for name, emoji in reacted) + " -)" if reacted else "")
        for t, (who, text, quote, reacted) in zip(times, told, strict=True)
    ]  # fmt: skip
    listed = [
        {"date": t.isoformat(), "sender": who, "body": f"{text}  ", "quote": quote, "sticker": None,
         "reactions": reacted, "attachments": []}
        for t, (who, text, quote, reacted) in zip(times, told, strict=True)
    ]  # fmt: skip
    chat = folder / "sams bday 🤫"
    chat.mkdir(parents=True)
    (chat / "chat.md").write_text("\n".join(f"{line}\n" for line in shown), encoding="utf-8")
    lines = "\n".join(json.dumps(line) for line in listed)
    (chat / "data.json").write_text(lines, encoding="utf-8")
    return folder


@pytest.mark.parametrize("stamp", ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d, %H:%M"])
@pytest.mark.parametrize("between", ["\n\n", "\n"])
def test_both_forms_of_a_chat_in_a_folder_of_signal_export_are_one_chat(
    memory: ChatMemory, tmp_path: Path, stamp: str, between: str
) -> None:
    folder = signal_folder(tmp_path / "signal", stamp)
    markdown = folder / "sams bday 🤫" / "chat.md"
    text = markdown.read_text(encoding="utf-8").replace("\n\n[", between + "[")
    markdown.write_text(text, encoding="utf-8")
    assert memory.add(folder).messages_added == 4
    [chat] = memory.chats()
    assert (chat.title, chat.messages, chat.platform) == ("sams bday 🤫", 4, "signal")


def sms_backup(path: Path, numbers: list[str], name: str = "Ann") -> Path:
    rows = "".join(
        f'<sms address="{number}" date="{1700000000000 + n * 60000}" type="{n % 2 + 1}" '
        f'body="text number {n}" contact_name="{name}"/>'
        for n, number in enumerate(numbers)
    )
    path.write_text(f"<?xml version='1.0'?><smses>{rows}</smses>", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["Ann", "(Unknown)"])
@pytest.mark.parametrize(
    ("abroad", "at_home"), [("+491701234567", "01701234567"), ("+4551234567", "51 23 45 67")]
)
def test_a_number_is_one_chat_in_each_backup_however_it_is_written_first(
    memory: ChatMemory, tmp_path: Path, abroad: str, at_home: str, name: str
) -> None:
    first, second = [abroad] * 6, [at_home, *[abroad] * 6, at_home]
    memory.add(sms_backup(tmp_path / "sms-1.xml", first, name))
    report = memory.add(sms_backup(tmp_path / "sms-2.xml", second, name))
    assert [chat.messages for chat in memory.chats()] == [6 + report.messages_added]
    assert report.messages_added <= 3


def sms_lines(path: Path, numbers: list[str], name: str) -> Path:
    said = [
        {"address": number, "date": str(1700000000000 + n * 60000), "type": str(n % 2 + 1), "body": f"{name} {n}",
         "__display_name": name}
        for n, number in enumerate(numbers)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    return path


ANN, BOB = "+4915112345678", "+4917112345678"  # the same last eight digits


@pytest.mark.parametrize("write", [sms_backup, sms_lines])
def test_two_people_whose_numbers_end_alike_are_two_chats(
    memory: ChatMemory, tmp_path: Path, write: Callable[[Path, list[str], str], Path]
) -> None:
    both = [
        write(tmp_path / f"{name}.xml", [number] * 3, name)
        for name, number in (("Ann", ANN), ("Bob", BOB))
    ]
    for backup in both:
        memory.add(backup)
    memory.add(write(tmp_path / "later.xml", [BOB] * 5, "Bob"))
    assert {(chat.title, chat.messages) for chat in memory.chats()} == {("Ann", 3), ("Bob", 5)}


def test_sms_of_one_file_whose_numbers_end_alike_are_two_chats(
    memory: ChatMemory, tmp_path: Path
) -> None:
    texts = [
        sms_lines(tmp_path / name, [number] * 3, name).read_text(encoding="utf-8")
        for name, number in (("Ann", ANN), ("Bob", BOB))
    ]
    file = tmp_path / "messages.ndjson"
    file.write_text("\n".join(texts), encoding="utf-8")
    memory.add(file)
    assert {(chat.title, chat.messages) for chat in memory.chats()} == {("Ann", 3), ("Bob", 3)}


@pytest.mark.parametrize(
    ("numbers", "cut"),
    [
        (["+49 151 12345678"], "12345678"),
        (["+4551234567"], "51234567"),
        ([ANN, BOB], "12345678~12345678"),
        (["+15550100200", "+15559990000"], "50100200~59990000"),
        (["+49170001234567"], "01234567"),
    ],
)
@pytest.mark.parametrize("name", ["Ann", "(Unknown)"])
@pytest.mark.parametrize("count", [2, 8])
def test_sms_that_an_earlier_version_kept_by_cut_numbers_are_not_doubled(
    memory: ChatMemory, tmp_path: Path, numbers: list[str], cut: str, name: str, count: int
) -> None:
    backup = sms_backup(tmp_path / "sms.xml", ["~".join(numbers)] * count, name)
    before = memory.add(backup).messages_added
    with memory._store.transaction():
        memory._store.connection.execute("UPDATE chats SET key = ?", (cut,))
    assert memory.add(backup).messages_added == 0
    longer = sms_backup(tmp_path / "sms.xml", ["~".join(numbers)] * (count + 2), name)
    new = memory.add(longer).messages_added
    assert new
    assert [chat.messages for chat in memory.chats()] == [before + new]


def test_a_contact_is_one_chat_if_a_later_backup_has_only_the_number_at_home(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(sms_backup(tmp_path / "1.xml", ["+491701234567"] * 3))
    memory.add(sms_backup(tmp_path / "2.xml", ["01701234567"] * 4))
    assert len(memory.chats()) == 1
    memory.add(sms_backup(tmp_path / "3.xml", ["+431701234567"] * 3, "Bob"))
    assert len(memory.chats()) == 2


def telegram_page(path: Path, title: str, texts: list[str], first: int) -> None:
    said = "".join(
        f'<div class="message default clearfix" id="message{first + n}"><div class="body">'
        f'<div class="pull_right date details" title="{first // 60 + 1:02}.01.2024 10:{first % 60 + n:02}:00"></div>'
        f'<div class="from_name">{("Me Self", title)[n % 2]}</div><div class="text">{text}</div></div></div>'
        for n, text in enumerate(texts)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        '<!DOCTYPE html><html><body><div class="page_wrap"><div class="page_header"><div class="text bold">'
        f'{title}</div></div><div class="history">{said}</div></div></body></html>',
        encoding="utf-8",
    )


@pytest.mark.parametrize("title", ["Deleted Account", "Alex"])
def test_two_chats_of_one_telegram_export_stay_two_whatever_their_titles(
    memory: ChatMemory, tmp_path: Path, title: str
) -> None:
    def export(folder: str, numbers: tuple[int, int], more: int) -> Path:
        for number, what in zip(numbers, ("rent", "film"), strict=True):
            chat = tmp_path / folder / "chats" / f"chat_{number:03}"
            start = 600 if what == "film" else 0
            texts = [f"the {what} number {n}" for n in range(8 + more)]
            telegram_page(chat / "messages.html", title, texts[:4], start)
            telegram_page(chat / "messages2.html", title, texts[4:], start + 4)
        return tmp_path / folder

    assert memory.add(export("first", (1, 2), 0)).messages_added == 16
    assert [chat.messages for chat in memory.chats()] == [8, 8]
    assert memory.add(export("second", (7, 3), 2)).messages_added == 4
    assert [chat.messages for chat in memory.chats()] == [10, 10]
