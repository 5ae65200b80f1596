"""Importing again: a longer export, in any order, with messages edited since. Through the store."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from dialects import DIALECTS, Conversation, part, write
from stored import contents, opened

from minirag_chat import ChatMemory

pytestmark = pytest.mark.slow


def talk(count: int) -> Conversation:
    """Days with pauses, equal texts, and several messages of one minute."""
    when, found = datetime(2021, 12, 31, 18, 5), []
    for n in range(count):
        when += timedelta(minutes=(0, 1, 3, 0, 400)[n % 5])
        text = ("well", f"number {n}", "ok", "ok", f"the boat\nat pier {n}")[n % 5]
        found.append((when, ("Ann Miller", "Bob")[n % 5 % 3 % 2], text))
    return tuple(found)


def held(folder: Path, *exports: Path, **options: Any) -> dict[str, list[tuple[Any, ...]]]:
    with opened(folder) as memory:
        for export in exports:
            memory.add(export, time_zone="UTC", **options)
    return contents(folder)


# Two mails of one second, one sender and one text, each in its own file, are one mail. Tinder's download has
# each chat from its first message on, which tells chats apart.
@pytest.mark.parametrize(
    "dialect", [dialect for dialect in DIALECTS if dialect not in {"eml", "tinder"}]
)
def test_half_and_then_all_is_all_and_the_order_does_not_matter(
    tmp_path: Path, dialect: str
) -> None:
    said, options = talk(37), dict[str, Any]()
    parts = {"whole": said, "first": part(said, 0, 17), "second": part(said, 12, 37)}
    files = {name: write(tmp_path / name, DIALECTS[dialect](part)) for name, part in parts.items()}
    # A part of it may not say what the whole does: the order of day and month.
    if "us" in dialect.split() or "us," in dialect.split() or "month first" in dialect:
        options["date_order"] = "mdy"
    whole = held(tmp_path / "a", files["whole"], **options)
    assert len(whole["messages"]) == 37
    assert held(tmp_path / "b", files["first"], files["whole"], files["whole"], **options) == whole
    assert held(tmp_path / "c", files["first"], files["second"], **options) == whole
    assert held(tmp_path / "d", files["second"], files["first"], **options) == whole


def test_mails_in_single_files_are_added_once(tmp_path: Path) -> None:
    said = tuple(
        (when + timedelta(seconds=n), who, text) for n, (when, who, text) in enumerate(talk(12))
    )
    first, whole = (write(tmp_path / name, DIALECTS["eml"](part(said, 0, end)))
                    for name, end in (("first", 7), ("whole", 12)))  # fmt: skip
    expected = held(tmp_path / "a", whole)
    assert len(expected["messages"]) == 12
    assert held(tmp_path / "b", first, whole, whole) == expected


def test_mails_of_one_minute_that_say_the_same_are_as_many_as_their_ids(tmp_path: Path) -> None:
    """Also where one was sent just as the minute began: that is no time without seconds."""
    begun = datetime(2024, 1, 20, 10)
    said = tuple((begun + timedelta(seconds=n), "Ann Miller", "ok") for n in (0, 20, 40, 60, 90))
    export = write(tmp_path / "mails", DIALECTS["eml"](part(said, 0, 5)))
    assert len(held(tmp_path / "a", export, export)["messages"]) == 5


# --- messages edited since ---------------------------------------------------------------------------


def at(minute: int) -> datetime:
    return datetime(2024, 1, 1, 10, minute)


def telegram(texts: list[str], **changes: Any) -> str:
    messages = [
        {"id": n, "type": "message", "date": at(n).isoformat(), "from": "Ann", "text": text}
        for n, text in enumerate(texts)
    ]
    for number, change in changes.items():
        messages[int(number[1:])] |= change
    return json.dumps({"name": "Boats", "type": "private_group", "id": 1, "messages": messages})


def discord(texts: list[str], **changes: Any) -> str:
    messages = [
        {"id": str(n), "type": "Default", "timestamp": f"{at(n).isoformat()}+00:00", "content": text,
         "author": {"id": "1", "name": "Ann"}} for n, text in enumerate(texts)
    ]  # fmt: skip
    for number, change in changes.items():
        messages[int(number[1:])] |= change
    return json.dumps({"guild": {"id": "0"}, "channel": {"id": "7", "type": "x", "name": "Boats"},
                       "messages": messages})  # fmt: skip


def whatsapp(texts: list[str]) -> str:
    return "\n".join(f"{at(n):%d/%m/%Y, %H:%M} - Ann: {text}" for n, text in enumerate(texts))


BEFORE = ["the ferry is green", "tickets cost nine euros", "see you at the mill"]
AFTER = ["the ferry is green", "tickets cost twelve euros", "see you at the mill"]
VERSIONS = {
    "telegram": [
        telegram(BEFORE),
        telegram(AFTER, m1={"edited": "2024-01-01T11:00:00", "edited_unixtime": "1704106800"}),
    ],
    "discord": [discord(BEFORE), discord(AFTER, m1={"timestampEdited": "2024-01-01T11:00:00+00:00"})],
    "whatsapp": [
        whatsapp(BEFORE),
        whatsapp([AFTER[0], f"{AFTER[1]} \u200e<This message was edited>", AFTER[2]]),
    ],
    "edited twice": [
        discord([BEFORE[0], "tickets cost zero euros", "c"], m1={"timestampEdited": "2024-01-01T10:30:00+00:00"}),
        discord([BEFORE[0], AFTER[1], "c"], m1={"timestampEdited": "2024-01-01T11:00:00+00:00"}),
    ],
}  # fmt: skip


def texts(memory: ChatMemory) -> list[str]:
    first = memory.search("ferry")[0].message
    return [message.text for message in memory.conversation(first.id, around=9)]


@pytest.mark.parametrize("versions", VERSIONS.values(), ids=VERSIONS)
@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0), (1, 0, 1)])
def test_an_edited_message_takes_the_place_of_what_it_was(
    tmp_path: Path, versions: list[str], order: tuple[int, ...]
) -> None:
    with opened(tmp_path) as memory:
        updated = []
        for n in order:
            path = tmp_path / "export" / str(n) / "WhatsApp Chat with Boats.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(versions[n], encoding="utf-8")
            updated.append(memory.add(path, time_zone="UTC").messages_updated)
        assert sum(updated) == (1 if order[0] == 0 else 0)
        assert len(texts(memory)) == 3
        [found] = memory.search("tickets")
        assert found.message.text == AFTER[1]
        assert found.message.edited
        assert memory.search("nine zero") == []
        [best] = memory.retrieve("What do the tickets cost?", "dense", k=1)
        assert "twelve" in best.message.text
    assert contents(tmp_path)["unembedded"] == []


def test_an_edited_message_keeps_its_id(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    with opened(tmp_path) as memory:
        path.write_text(telegram(BEFORE))
        memory.add(path)
        before = memory.search("tickets")[0].message.id
        path.write_text(telegram(AFTER, m1={"edited": "2024-01-01T11:00:00"}))
        report = memory.add(path)
        assert (report.messages_added, report.messages_updated) == (0, 1)
        assert memory.search("tickets")[0].message.id == before


def test_a_deletion_takes_the_text_away(tmp_path: Path) -> None:
    gone = whatsapp([BEFORE[0], "This message was deleted", BEFORE[2]])
    for order in permutations((whatsapp(BEFORE), gone)):
        with opened(
            tmp_path / order[0][-40:].split(": ")[-1][:3] / str(order.index(gone))
        ) as memory:
            for n, text in enumerate(order):
                path = tmp_path / str(n) / "WhatsApp Chat with Boats.txt"
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
                memory.add(path)
            assert memory.search("tickets") == []
            assert [m.deleted for m in memory.conversation(memory.search("ferry")[0].message.id)] == [
                False, True, False,
            ]  # fmt: skip


def test_equal_made_up_ids_lose_no_message(tmp_path: Path) -> None:
    lines = [
        {"date": "2024-01-01T10:00:00", "sender": "Ann", "body": f"part {n}", "quote": "", "sticker": None,
         "reactions": [], "attachments": []} for n in range(3)
    ]  # fmt: skip
    with opened(tmp_path) as memory:
        for n, line in enumerate(lines):
            path = tmp_path / str(n) / "Ann" / "data.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(line))
            memory.add(path.parent)
        assert len(memory.search("part")) == 3


# --- a file that was still being written ------------------------------------------------------------

GROWN = "".join(
    f"12/01/2024, 10:{minute:02} - {('Ann', 'Bob')[minute % 2]}: number {minute} über den See\n"
    for minute in range(20)
)


LINE = "12/01/2024, 10:11 - Bob: number 11 über den See\n".encode()


@pytest.mark.both_stores
@pytest.mark.parametrize("cut", [1, 14, 22, 30, LINE.index(b"\xc3") + 1, len(LINE) - 1])
def test_a_message_that_was_cut_off_is_completed_by_the_whole_file(
    tmp_path: Path, cut: int
) -> None:
    """Anywhere in its line; also where the cut file is imported after the whole one."""
    data = GROWN.encode()
    end = data.index(LINE) + cut
    half, whole = tmp_path / "half.txt", tmp_path / "whole.txt"
    half.write_bytes(data[:end])
    whole.write_bytes(data)
    expected = [line.split(": ")[1] for line in GROWN.splitlines()]
    for name, exports in (("a", (half, whole)), ("b", (whole, half))):
        with opened(tmp_path / name) as memory:
            for export in exports:
                memory.add(export, time_zone="UTC", date_order="dmy")
            assert [message.text for message in memory.messages()] == expected


def test_a_message_that_begins_as_the_last_one_of_another_export_stays(tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text(GROWN + "12/01/2024, 10:20 - Ann: Yes\n", encoding="utf-8")
    second.write_text(
        GROWN + "12/01/2024, 10:20 - Ann: Yes\n12/01/2024, 10:20 - Ann: Yes please\n",
        encoding="utf-8",
    )
    with opened(tmp_path / "a") as memory:
        memory.add(first, time_zone="UTC", date_order="dmy")
        memory.add(second, time_zone="UTC", date_order="dmy")
        assert [m.text for m in memory.messages()][-2:] == ["Yes", "Yes please"]
