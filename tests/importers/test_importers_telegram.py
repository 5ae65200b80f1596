from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from minirag_chat.errors import ImportFailed, UnknownFormat, UnreadableFile
from minirag_chat.records import Attachment, ParsedExport

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


@pytest.mark.parametrize(
    ("mime", "kind"),
    [("image/jpeg", "photo"), ("video/mp4", "video"), ("application/pdf", "file"), (None, "file")],
)
def test_what_was_sent_as_a_file_has_the_kind_of_its_content(
    read: Read, mime: str | None, kind: str
) -> None:
    more = {"file": "files/x.bin", "file_name": "x.bin", **({"mime_type": mime} if mime else {})}
    export = read(json.dumps(single([message(1, WHEN, "Ann", "", **more)])))
    [sent] = export.chats[0].messages
    assert (sent.text, sent.attachments) == ("[file x.bin]", (Attachment("x.bin", kind),))


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
    chat["messages"][0]["date"] = "2021-12-31T19:00:00"  # the clock of whoever exported it
    (again,) = read(json.dumps(chat), time_zone="Asia/Tokyo").chats
    assert again.messages[0].sent_at == datetime(2022, 1, 1, 9)


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


SPOT = {"latitude": 49.79, "longitude": 18.25}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"location_information": SPOT}, "[location 49.79, 18.25]"),
        ({"place_name": "Kiosk Ela", "address": "Dlouhá 5", "location_information": SPOT},
         "[location Kiosk Ela, Dlouhá 5, 49.79, 18.25]"),
        ({"place_name": "Kiosk Ela", "address": "Dlouhá 5"}, "[location Kiosk Ela, Dlouhá 5]"),
        ({"location_information": [1, 2]}, "[location]"),
        ({"contact_information": {"first_name": "Cy", "last_name": "", "phone_number": "+420 600 1"}},
         "[contact Cy +420 600 1]"),
        ({"todo_list": {"title": "Before the trip", "others_can_append": True,
                        "answers": [{"id": 1, "text": "feed Mia"}, {"id": 2, "text": ["pack ", {"type": "bold", "text": "tent"}]}]}},
         "Before the trip\n- feed Mia\n- pack tent"),
        ({"poll": {"question": "Where?", "total_voters": 3, "answers": [
            {"text": "Lake", "voters": 2, "chosen": True}, {"text": "Hill", "voters": 1}, {"text": "Zoo", "voters": 0}]}},
         "Where?\n- Lake (2 votes, chosen)\n- Hill (1 vote)\n- Zoo (0 votes)"),
        ({"poll": {"question": "Where?", "answers": [{"text": "Lake", "voters": 0, "chosen": False}]}},
         "Where?\n- Lake"),
    ],
)  # fmt: skip
def test_what_places_contacts_lists_and_polls_say_is_kept(
    read: Read, fields: dict[str, Any], said: str
) -> None:
    export = read(json.dumps(single([message(1, WHEN, "Ann", "", **fields)])))
    assert [m.text for m in export.chats[0].messages] == [said]


@pytest.mark.parametrize(
    ("text", "target", "said"),
    [
        ("the plan", "https://example.org/p", "see the plan (https://example.org/p)!"),
        ("plan ", "https://example.org/p", "see plan (https://example.org/p) !"),
        ("example.org/p", "https://example.org/p/", "see example.org/p!"),
        ("https://example.org", "https://example.org/", "see https://example.org!"),
        ("the plan", "", "see the plan!"),
    ],
)
def test_the_target_of_a_link_is_kept(read: Read, text: str, target: str, said: str) -> None:
    parts = ["see ", {"type": "text_link", "text": text, "href": target}, "!"]
    [found] = read(json.dumps(single([message(1, WHEN, "Ann", parts)]))).chats[0].messages
    assert found.text == said


def media_block(kind: str, link: str, *shown: tuple[str, str]) -> str:
    tag = "a" if link else "div"
    rows = "".join(f'<div class="{name}">{text}</div>' for name, text in shown)
    href = f' href="{link}"' if link else ""
    return (
        '<!DOCTYPE html><html><body><div class="page_wrap"><div class="history">'
        '<div class="message default clearfix" id="message7"><div class="body">'
        '<div class="pull_right date details" title="31.12.2021 18:05:00 UTC+01:00">18:05</div>'
        '<div class="from_name">Ann</div><div class="media_wrap clearfix">'
        f'<{tag} class="media clearfix pull_left block_link media_{kind}"{href}>'
        f'<div class="fill pull_left"></div><div class="body">{rows}</div></{tag}>'
        "</div></div></div></div></div></body></html>"
    )


MAP = "https://maps.google.com/maps?q=49.79,18.25&amp;ll=49.79,18.25&amp;z=16"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (media_block("venue", MAP, ("title bold", "Kiosk Ela"), ("description", "Dlouhá 5")),
         "[location Kiosk Ela, Dlouhá 5, 49.79, 18.25]"),
        (media_block("venue", "", ("title bold", "Kiosk Ela"), ("description", "Dlouhá 5")),
         "[location Kiosk Ela, Dlouhá 5]"),
        (media_block("location", MAP, ("title bold", "Location"), ("status details", "49.79, 18.25")),
         "[location 49.79, 18.25]"),
        (media_block("live_location", MAP, ("title bold", "Live location"), ("status details", "49.79, 18.25")),
         "[live location 49.79, 18.25]"),
        (media_block("contact", "contacts/contact_1.vcard", ("title bold", "Cy"), ("status details", "+420 600 1 - vCard")),
         "[contact Cy +420 600 1]"),
        (media_block("voice_message", "voice/audio_1.ogg", ("title bold", "Voice message"), ("status details", "00:12")),
         "[voice message audio_1.ogg]"),
        (media_block("voice_message", "", ("title bold", "Voice message"), ("status details", "Not included, 00:12")),
         "[voice message Voice message]"),
    ],
)  # fmt: skip
def test_what_a_page_shows_of_places_and_contacts_is_kept(read: Read, page: str, said: str) -> None:
    [found] = read(page, "messages.html").chats[0].messages
    assert found.text == said


@pytest.mark.parametrize(
    ("kind", "title", "is_really"),
    [
        ("photo", "Sticker", "sticker"), ("video", "Animation", "animation"),
        ("video", "Video message", "video message"), ("video", "Video file", "video"), ("photo", "Photo", "photo"),
        ("file", "Sticker", "file"),
    ],
)  # fmt: skip
def test_a_file_that_a_page_does_not_show_has_its_kind(
    read: Read, kind: str, title: str, is_really: str
) -> None:
    [found] = read(media_block(kind, "", ("title bold", title)), "messages.html").chats[0].messages
    assert [file.kind for file in found.attachments] == [is_really]


@pytest.mark.parametrize(
    ("wrapped", "kind"),
    [
        (('<a class="animated_wrap clearfix pull_left" href="v/a.mp4"><div class="video_play_bg"><div class="gif_play">'
         'GIF</div></div><img class="animated" src="v/a_thumb.jpg"></a>'), "animation"),
        (('<a class="video_file_wrap clearfix pull_left" href="v/b.mp4"><div class="video_play_bg"></div>'
         '<img class="video_file" src="v/b_thumb.jpg"></a>'), "video"),
        ('<a class="sticker_wrap clearfix pull_left" href="s/c.webp"><img class="sticker" src="s/c.jpg"></a>', "sticker"),
        ('<a class="photo_wrap clearfix pull_left" href="p/d.jpg"><img class="photo" src="p/d_thumb.jpg"></a>', "photo"),
    ],
)  # fmt: skip
def test_a_file_that_a_page_shows_has_its_kind(read: Read, wrapped: str, kind: str) -> None:
    before, _, after = media_block("file", "").partition('<div class="media clear')
    page = f"{before}{wrapped}{after.partition('</div></div>')[2]}"
    [found] = read(page, "messages.html").chats[0].messages
    assert [file.kind for file in found.attachments] == [kind]


def test_reactions_are_signs_and_no_words_of_the_app(read: Read) -> None:
    reactions = [
        {"type": "custom_emoji", "count": 1, "document_id": "abc.tgs"},
        {"type": "paid", "count": 3},
        {"type": "emoji", "count": 1, "emoji": "👍", "recent": [{"from": "Bob", "from_id": "user2"}]},
    ]  # fmt: skip
    said = message(1, datetime(2022, 1, 1, 10), "Ann", "hi", reactions=reactions)
    (chat,) = read(json.dumps(single([said]))).chats
    assert [(r.emoji, r.sender) for r in chat.messages[0].reactions] == [("⭐", ""), ("👍", "Bob")]


def test_a_bot_that_helped_to_write_is_no_part_of_the_name_on_a_page(read: Read) -> None:
    export = read(
        '<!DOCTYPE html><html><body><div class="history">'
        '<div class="message default clearfix" id="message1"><div class="body">'
        '<div class="date" title="01.01.2022 10:00:00">10:00</div><div class="from_name">\nBob via @gif </div>'
        '<div class="text">a</div></div></div>'
        '<div class="message default clearfix joined" id="message2"><div class="body">'
        '<div class="date" title="01.01.2022 10:01:00">10:01</div><div class="text">b</div></div></div>'
        "</div></body></html>"
    )
    assert [(m.sender, m.text) for m in export.chats[0].messages] == [("Bob", "a"), ("Bob", "b")]
