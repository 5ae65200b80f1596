"""Chats whose id in the export changes, or says less than it seems: each is one chat, and no two are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from minirag_chat import ChatMemory


def messenger(path: str, count: int) -> str:
    return json.dumps({
        "participants": [{"name": "Ann"}, {"name": "Bob"}], "title": "Ann", "thread_path": path,
        "messages": [
            {"sender_name": ("Ann", "Bob")[n % 2], "timestamp_ms": 1_640_995_200_000 + 60_000 * n, "content": f"boat {n}"}
            for n in reversed(range(count))
        ],
    })  # fmt: skip


def signal(chat: str, recipient: dict[str, Any], words: str) -> str:
    records: list[dict[str, Any]] = [
        {"account": {}}, {"recipient": {"id": "1", "self": {}}}, {"recipient": {"id": "2", **recipient}},
        {"chat": {"id": chat, "recipientId": "2"}},
        *({"chatItem": {"chatId": chat, "authorId": str(1 + n % 2), "dateSent": str(1_640_995_200_000 + 60_000 * n),
                        "standardMessage": {"text": {"body": f"{words} {n}"}}}} for n in range(6)),
    ]  # fmt: skip
    return "\n".join(map(json.dumps, records))


def added(memory: ChatMemory, file: Path, text: str) -> int:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return memory.add(file.parent).messages_added


def test_an_archived_chat_is_the_same(memory: ChatMemory, tmp_path: Path) -> None:
    assert added(memory, tmp_path / "1" / "message_1.json", messenger("inbox/ann_12", 10)) == 10
    assert (
        added(memory, tmp_path / "2" / "message_1.json", messenger("archived_threads/ann_12", 12))
        == 2
    )
    assert len(memory.chats()) == 1


def test_a_chat_with_a_new_id_is_known_by_its_messages(memory: ChatMemory, tmp_path: Path) -> None:
    assert added(memory, tmp_path / "1" / "message_1.json", messenger("inbox/ann_12", 10)) == 10
    assert added(memory, tmp_path / "2" / "message_1.json", messenger("inbox/ann_77", 15)) == 5
    assert len(memory.chats()) == 1


def test_one_number_on_two_phones_is_not_one_chat(memory: ChatMemory, tmp_path: Path) -> None:
    ann = {"contact": {"aci": "YW5u", "profileGivenName": "Ann"}}
    doctor = {"contact": {"e164": "49301234567", "profileGivenName": "Doctor Brown"}}
    assert added(memory, tmp_path / "1" / "main.jsonl", signal("3", ann, "boats")) == 6
    assert added(memory, tmp_path / "2" / "main.jsonl", signal("3", doctor, "pills")) == 6
    assert {chat.title for chat in memory.chats()} == {"Ann", "Doctor Brown"}


def test_one_person_on_two_phones_is_one_chat(memory: ChatMemory, tmp_path: Path) -> None:
    ann = {"contact": {"aci": "YW5u", "profileGivenName": "Ann"}}
    assert added(memory, tmp_path / "1" / "main.jsonl", signal("3", ann, "boats")) == 6
    assert added(memory, tmp_path / "2" / "main.jsonl", signal("8", ann, "boats")) == 0


PAGE = """<html><head><title>{title}</title></head><body><div class="hChatLog hfeed">{said}</div></body></html>"""
SAID = """<div class="message"><abbr class="dt" title="2021-12-31T18:0{n}:00.000-05:00">x</abbr>:
<cite class="sender vcard"><a class="tel" href="tel:+15551234"><span class="fn">{name}</span></a></cite>:
<q>the boat at pier {n}</q></div>"""


@pytest.mark.parametrize("name", ["Ann", "+15551234"])
def test_a_number_that_gets_a_name_is_the_same_chat(
    memory: ChatMemory, tmp_path: Path, name: str
) -> None:
    for folder, called, new in (("1", "", 9), ("2", name, 0)):
        said = "".join(SAID.format(n=n, name=called) for n in range(9))
        page = PAGE.format(title=f"{called or '+15551234'} - Text", said=said)
        assert (
            added(memory, tmp_path / folder / f"{called} - Text - 2021-12-31T23_00_00Z.html", page)
            == new
        )
    assert len(memory.chats()) == 1
