from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from minirag_chat.errors import ImportFailed, UnknownFormat, UnreadableFile
from minirag_chat.records import ParsedExport

if TYPE_CHECKING:
    from pathlib import Path

Read = Callable[..., ParsedExport]
Conversation = tuple[tuple[datetime, str, str], ...]
Plain = Callable[[ParsedExport], list[tuple[datetime, str, str]]]


def message(number: int, when: datetime, who: str, text: object, **more: object) -> dict:
    return {"id": number, "type": "message", "date": when.isoformat(), "from": who,
            "from_id": f"user{who}", "text": text, **more}  # fmt: skip


def as_string(text: str) -> object:
    return text


def as_fragments(text: str) -> object:
    head, space, rest = text.partition(" ")
    return [{"type": "bold", "text": head}, space, {"type": "plain", "text": rest}]


def single(messages: list[dict]) -> dict:
    return {"name": "Ann Miller", "type": "personal_chat", "id": 7, "messages": messages}


def whole(messages: list[dict]) -> dict:
    return {
        "about": "Here is the data you requested. Telegram is fast.",
        "contacts": {"about": "", "list": []},
        "chats": {"about": "", "list": [single(messages)]},
        "left_chats": {"about": "", "list": []},
    }


@pytest.mark.parametrize("text", [as_string, as_fragments])
@pytest.mark.parametrize("unix", [False, True])
def test_every_dialect_gives_the_golden_conversation(
    read: Read,
    plain: Plain,
    conversation: Conversation,
    text: Callable[[str], object],
    *,
    unix: bool,
) -> None:
    messages = [message(n, t, who, text(said)) for n, (t, who, said) in enumerate(conversation)]
    if unix:
        for item, (when, _, _) in zip(messages, conversation, strict=True):
            del item["date"]
            item["date_unixtime"] = str(int(when.replace(tzinfo=UTC).timestamp()))
    for shape in (single, whole):
        export = read(json.dumps(shape(messages)), "result.json", time_zone="UTC")
        assert export.format == "telegram"
        assert plain(export) == list(conversation)
        [chat] = export.chats
        assert (chat.key, chat.title, chat.kind) == ("7", "Ann Miller", "direct")
        assert len(export.notes) == unix


@pytest.mark.parametrize("name", ["test_single_export", "test_batch_export"])
def test_chat_miner_samples(read: Read, shared: Path, name: str) -> None:
    folder = shared / "exports" / "chat-miner" / "telegram"
    target = json.loads((folder / "target.json").read_text(encoding="utf-8"))
    [chat] = read((folder / f"{name}.json").read_bytes(), time_zone="UTC").chats
    assert [(m.sent_at.isoformat(), m.sender, "".join(m.text.split())) for m in chat.messages] == [
        (m["timestamp"], m["author"], "".join(m["message"].split())) for m in target
    ]


WHEN = datetime(2022, 1, 1, 10)


def test_what_is_no_text_is_accounted_for(read: Read) -> None:
    export = read(json.dumps(single([
        {"id": 1, "type": "service", "action": "phone_call", "date": "2022-01-01T10:00:00",
         "actor": "Ann", "text": ""},
        message(2, WHEN, "Ann", "", media_type="sticker", sticker_emoji="😀", file="s.webp"),
        message(3, WHEN, "Ann", "the caption", photo="p.jpg"),
        message(4, WHEN, "Ann", "", file="f.pdf", file_name="report.pdf"),
        message(5, WHEN, "Ann", "", poll={"question": "When?", "answers": [{"text": "now"}]}),
        message(6, WHEN, "Ann", ""),
        {"id": 7, "type": "message", "from": "Ann", "text": "no date"},
        "noise",
        {"id": 9, "type": "unsupported", "date": "2022-01-01T10:00:00"},
    ])))  # fmt: skip
    assert (export.system_lines, export.media, len(export.skipped)) == (1, 3, 4)
    assert [(m.kind, m.text) for m in export.chats[0].messages] == [
        ("media", "[sticker 😀]"), ("text", "the caption"), ("media", "[file report.pdf]"),
        ("text", "When?\n- now"),
    ]  # fmt: skip


def test_replies_forwards_and_edits_are_kept(read: Read) -> None:
    export = read(json.dumps(single([
        message(1, WHEN, "Ann", "a"),
        message(2, WHEN, "Bob", "b", reply_to_message_id=1, forwarded_from="Cy",
                edited="2022-01-01T10:01:00"),
    ])))  # fmt: skip
    first, second = export.chats[0].messages
    assert (first.source_id, first.reply_to, first.edited) == ("1", None, False)
    assert (second.reply_to, second.edited, second.forwarded_from) == ("1", True, "Cy")


def test_deleted_accounts_have_a_name(read: Read) -> None:
    export = read(json.dumps(single([
        message(1, WHEN, "Ann", "a") | {"from": None, "from_id": "user1"},
        message(2, WHEN, "Ann", "b") | {"from": "", "from_id": "user2"},
        {"id": 3, "type": "message", "date": "2022-01-01T10:00:00", "text": "c"},
    ])))  # fmt: skip
    names = [m.sender for m in export.chats[0].messages]
    assert len(set(names)) == 3
    assert all(name.startswith("Deleted Account") for name in names)


@pytest.mark.parametrize(
    ("chat_type", "kind"),
    [
        ("personal_chat", "direct"), ("saved_messages", "direct"), ("bot_chat", "direct"),
        ("private_group", "group"), ("private_supergroup", "group"), ("public_channel", "group"),
    ],
)  # fmt: skip
def test_chat_types(read: Read, chat_type: str, kind: str) -> None:
    chat = single([message(1, WHEN, "Ann", "a")]) | {"type": chat_type}
    assert read(json.dumps(chat)).chats[0].kind == kind


def test_left_chats_are_read_and_empty_ones_accounted_for(read: Read) -> None:
    export = read(json.dumps({
        "about": "Telegram",
        "chats": {"list": [single([])]},
        "left_chats": {"list": [single([message(1, WHEN, "Ann", "a")]) | {"id": 8}, {"id": 9}]},
    }))  # fmt: skip
    assert [chat.key for chat in export.chats] == ["8"]
    assert len(export.skipped) == 2


def test_moments_are_shown_in_the_zone_asked_for(read: Read) -> None:
    chat = single([{"id": 1, "type": "message", "date_unixtime": "1640995200", "from": "Ann",
                    "text": "a"}])  # fmt: skip
    export = read(json.dumps(chat), time_zone="Asia/Tokyo")
    assert export.chats[0].messages[0].sent_at == datetime(2022, 1, 1, 9)
    assert "Asia/Tokyo" in export.notes[0]


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("shape", [single, whole])
def test_half_a_file_gives_the_messages_before_the_cut_and_says_so(
    read: Read, shape: Callable[[list[dict[str, Any]]], dict[str, Any]], share: float
) -> None:
    text = json.dumps(shape([message(n, WHEN, "Ann", f"{n}" + "a" * 50) for n in range(20)]))
    cut = text[: int(len(text) * share)]
    export = read(cut, "result.json")
    whole_ones = cut.count('a"}')
    assert [m.source_id for m in export.chats[0].messages] == [str(n) for n in range(whole_ones)]
    [skipped] = export.skipped
    assert f"messages.{whole_ones}" in skipped.reason
    assert "export the chat again" in skipped.reason


def test_a_file_cut_before_the_first_message_is_unreadable(read: Read) -> None:
    text = json.dumps(single([message(1, WHEN, "Ann", "a")]))
    with pytest.raises(UnreadableFile, match="export the chat again"):
        read(text[:-20], "result.json")


def test_other_json_is_not_telegram(read: Read) -> None:
    with pytest.raises(UnknownFormat):
        read(json.dumps({"participants": [], "messages": [{"who": "A", "at": 1}]}))
    with pytest.raises(ImportFailed):
        read("[[[[" * 50_000, format="telegram")
