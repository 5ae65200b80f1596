"""Replies, forwards, edits, reactions, deletions and attachments are kept where a format has them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dialects import messages

from minirag_chat import ChatMemory
from minirag_chat.errors import UnreadableFile
from minirag_chat.records import Attachment, ParsedExport, Reaction

Read = Callable[..., ParsedExport]


def test_telegram_json(read: Read) -> None:
    export = read(json.dumps({"name": "x", "type": "personal_chat", "id": 1, "messages": [
        {"id": 1, "type": "message", "date": "2022-01-01T10:00:00", "from": "Ann", "text": "look",
         "photo": "photos/photo_1.jpg",
         "reactions": [{"type": "emoji", "emoji": "👍", "count": 1,
                        "recent": [{"from": "Bob", "from_id": "user2", "date": "x"}]},
                       {"type": "emoji", "emoji": "❤", "count": 3}]},
        {"id": 2, "type": "message", "date": "2022-01-01T10:01:00", "from": "Bob", "text": "",
         "media_type": "voice_message", "file": "voice/audio_1.ogg", "reply_to_message_id": 1},
    ]}))  # fmt: skip
    first, second = messages(export)
    assert first.attachments == (Attachment("photo_1.jpg", "photo"),)
    assert first.reactions == (Reaction("👍", "Bob"), Reaction("❤"))
    assert second.attachments == (Attachment("audio_1.ogg", "voice message"),)
    assert second.reply_to == first.source_id == "1"


def test_telegram_html(read: Read) -> None:
    body = (
        '<div class="message default clearfix" id="message7"><div class="body">'
        '<div class="pull_right date details" title="31.12.2021 18:05:00 UTC+01:00">18:05</div>'
        '<div class="from_name">Ann</div><div class="media_wrap clearfix">'
        '<a class="photo_wrap clearfix pull_left" href="photos/photo_3.jpg"><img class="photo" src="t.jpg"/></a></div>'
        '<div class="text">the pier</div><span class="reactions"><span class="reaction"><span class="emoji">👍</span>'
        '<span class="userpics"><div class="userpic"><div class="initials" title="Bob">B</div></div></span></span></span>'
        "</div></div>"
        '<div class="message default clearfix" id="message8"><div class="body">'
        '<div class="pull_right date details" title="31.12.2021 18:06:00 UTC+01:00">18:06</div>'
        '<div class="from_name">Bob</div><div class="reply_to details">In reply to '
        '<a href="#go_to_message7" onclick="return GoToMessage(7)">this message</a></div>'
        '<div class="text">lovely</div></div></div>'
        '<div class="message default clearfix joined" id="message9"><div class="body">'
        '<div class="pull_right date details" title="31.12.2021 18:07:00 UTC+01:00">18:07</div>'
        '<div class="pull_left forwarded userpic_wrap"></div><div class="forwarded body">'
        '<div class="from_name">Cy Young <span class="date details" title="01.01.2021 10:00:00"> 01.01.2021</span></div>'
        '<div class="text">said <b>Cy</b></div></div></div></div>'
    )
    export = read(
        f'<!DOCTYPE html><html><body><div class="page_wrap"><div class="history">{body}</div></div></body></html>'
    )
    photo, reply, forwarded = messages(export)
    assert photo.attachments == (Attachment("photo_3.jpg", "photo"),)
    assert photo.reactions == (Reaction("👍", "Bob"),)
    assert (reply.reply_to, photo.source_id) == ("7", "7")
    assert (forwarded.sender, forwarded.forwarded_from, forwarded.text) == (
        "Bob",
        "Cy Young",
        "said Cy",
    )


def test_signal_app(read: Read) -> None:
    records: list[dict[str, Any]] = [
        {"version": 1, "backupTimeMs": "1700000000000"},
        {"recipient": {"id": "1", "self": {}}},
        {"recipient": {"id": "2", "contact": {"profileGivenName": "Ann"}}},
        {"recipient": {"id": "3", "group": {"snapshot": {"title": {"title": "Boats"}}}}},
        {"chat": {"id": "9", "recipientId": "3"}},
        {"chatItem": {"chatId": "9", "authorId": "2", "dateSent": "1700000001000", "incoming": {},
                      "standardMessage": {"text": {"body": "Who has the key?"},
                                          "reactions": [{"emoji": "👀", "authorId": "1"}]}}},
        {"chatItem": {"chatId": "9", "authorId": "1", "dateSent": "1700000002000", "outgoing": {},
                      "revisions": [{}], "standardMessage": {
                          "quote": {"targetSentTimestamp": "1700000001000", "authorId": "2"},
                          "text": {"body": "I do"},
                          "attachments": [{"pointer": {"contentType": "image/jpeg", "fileName": "key.jpg"}}]}}},
        {"chatItem": {"chatId": "9", "authorId": "2", "dateSent": "1700000003000", "incoming": {},
                      "remoteDeletedMessage": {}}},
        {"chatItem": {"chatId": "9", "authorId": "2", "dateSent": "1700000004000", "directionless": {},
                      "updateMessage": {"simpleUpdate": {"type": "IDENTITY_UPDATE"}}}},
    ]  # fmt: skip
    export = read("\n".join(map(json.dumps, records)), "main.jsonl")
    question, answer, deleted = messages(export)
    assert (export.chats[0].title, export.chats[0].kind) == ("Boats", "group")
    assert question.reactions == (Reaction("👀", "Me"),)
    assert answer.reply_to == question.source_id
    assert answer.edited
    assert answer.attachments == (Attachment("key.jpg", "photo"),)
    assert (deleted.deleted, export.system_lines) == (True, 1)


@pytest.mark.parametrize(
    ("account", "name", "owner"),
    [
        ({"givenName": "Ivy", "familyName": "Stone"}, "Ivy Stone", "Ivy Stone"),
        ({"givenName": "Ivy"}, "Ivy", "Ivy"),
        ({"username": "ivy.01"}, "Me", ""),
    ],
)
def test_signal_calls_the_owner_by_the_name_of_the_account(
    read: Read, account: dict[str, str], name: str, owner: str
) -> None:
    said = {"chatId": "9", "dateSent": "1700000001000", "authorId": "1", "outgoing": {}}
    records: list[dict[str, Any]] = [
        {"version": 1, "backupTimeMs": "1700000000000"},
        {"account": account},
        {"recipient": {"id": "1", "self": {}}},
        {"recipient": {"id": "2", "contact": {"profileGivenName": "Ann"}}},
        {"chat": {"id": "9", "recipientId": "2"}},
        {"chatItem": said | {"standardMessage": {"text": {"body": "hi"}}}},
        {
            "chatItem": said
            | {"authorId": "2", "incoming": {}, "adminDeletedMessage": {"adminId": "1"}}
        },
    ]
    export = read("\n".join(map(json.dumps, records)), "main.jsonl")
    own, deleted = messages(export)
    assert (own.sender, export.owner) == (name, owner)
    assert (deleted.sender, deleted.text, deleted.deleted) == ("Ann", "[deleted]", True)


CALLS_OF_SIGNAL = (
    "Outgoing voice call (accepted, 2m 3s)",
    "Outgoing video call (declined by recipient)",
    "Missed video call",
    "Incoming group call (accepted)",
    "Incoming call",
)


def test_a_call_in_signal_export_is_no_message(read: Read) -> None:
    said = (*CALLS_OF_SIGNAL, "Missed call from mum", "Incoming call, wait")
    markdown = "".join(f"[2024-03-12 18:0{n}:00] Me: {text}  \n\n" for n, text in enumerate(said))
    lines = "\n".join(
        json.dumps({"date": f"2024-03-12T18:0{n}:00", "sender": "Me", "body": f"{text}  ", "quote": "",
                    "sticker": "", "reactions": [], "attachments": []})
        for n, text in enumerate(said)
    )  # fmt: skip
    for name, export in (
        ("chat.md", read(markdown, "chat.md")),
        ("data.json", read(lines, "data.json")),
    ):
        assert [m.text for m in messages(export)] == list(said[len(CALLS_OF_SIGNAL) :]), name
        assert (export.system_lines, export.skipped) == (len(CALLS_OF_SIGNAL), ()), name


def test_signal_names_shared_contacts_and_keeps_who_has_no_name(read: Read) -> None:
    shared = {
        "contact": {"name": {"givenName": "Cy", "familyName": "Ray"}, "number": [{"value": "+1"}]}
    }
    records: list[dict[str, Any]] = [
        {"version": 1, "backupTimeMs": "1700000000000"},
        {"recipient": {"id": "1", "self": {}}},
        {"recipient": {"id": "2", "contact": {"aci": "q83vEjRWeJA="}}},
        {"chat": {"id": "9", "recipientId": "2"}},
        {"chatItem": {"chatId": "9", "authorId": "2", "dateSent": "1700000001000", "incoming": {},
                      "standardMessage": {"text": {"body": "hi"}}}},
        {"chatItem": {"chatId": "9", "authorId": "1", "dateSent": "1700000002000", "outgoing": {},
                      "contactMessage": shared}},
    ]  # fmt: skip
    export = read("\n".join(map(json.dumps, records)), "main.jsonl")
    assert [(m.sender, m.text) for m in messages(export)] == [
        ("Unknown q83vEjRW", "hi"), ("Me", "[contact Cy Ray]"),
    ]  # fmt: skip
    assert export.chats[0].title == "Unknown q83vEjRW"


def test_signal_export_markdown_and_json(read: Read) -> None:
    export = read(
        "[2022-01-01, 10:00] Ann: Who has the key?\n(- Bob: 👀, Cy: 👍 -)\n\n"
        "[2022-01-01, 10:01] Bob: \n> Who has the key?\n\nI do ![key.jpg](./media/key.jpg)  \n\n"
        "[2022-01-01, 10:02] Ann: (This message was deleted)\n",
        "chat.md",
    )
    question, answer, deleted = messages(export)
    assert question.text == "Who has the key?"
    assert question.reactions == (Reaction("👀", "Bob"), Reaction("👍", "Cy"))
    assert (answer.text, answer.reply_to) == ("I do", question.source_id)
    assert answer.attachments == (Attachment("key.jpg", "photo"),)
    assert deleted.deleted
    export = read("\n".join(map(json.dumps, [
        {"date": "2022-01-01T10:00:00", "sender": "Ann", "body": "Who has the key?", "quote": "",
         "sticker": None, "reactions": [["Bob", "👀"]], "attachments": []},
        {"date": "2022-01-01T10:01:00", "sender": "Bob", "body": "I do", "quote": "\n\n> Who has the key?\n\n",
         "sticker": None, "reactions": [], "attachments": [{"name": "key.jpg", "path": "media/key.jpg"}]},
    ])))  # fmt: skip
    question, answer = messages(export)
    assert answer.reply_to == question.source_id
    assert question.reactions == (Reaction("👀", "Bob"),)


@pytest.mark.parametrize("texts", [["hi"], ["hi", "who is\nthere?", "me"]])
def test_markdown_of_signal_export_is_known_by_the_breaks_of_its_lines(
    read: Read, texts: list[str]
) -> None:
    said = [f"[2026-11-02 20:00:0{n}] Me: {text}  \n" for n, text in enumerate(texts)]
    for between in ("", "\n"):
        [chat] = read(between.join(said), "chat.md").chats
        assert (chat.platform, [m.text for m in chat.messages]) == ("signal", texts)
    plain = "".join(line.replace("  \n", "\n") for line in said)
    assert [chat.platform for chat in read(plain, "_chat.txt").chats] == ["whatsapp"]


def test_discord(read: Read) -> None:
    author = {"id": "1", "name": "ann", "nickname": "Ann"}
    export = read(json.dumps({"guild": {"id": "5", "name": "Boats"},
        "channel": {"id": "6", "type": "GuildTextChat", "name": "general"}, "messages": [
        {"id": "1", "type": "Default", "timestamp": "2022-01-01T10:00:00+00:00", "content": "key?",
         "timestampEdited": "2022-01-01T10:05:00+00:00", "author": author,
         "attachments": [{"fileName": "key.png", "url": "x"}],
         "reactions": [{"emoji": {"name": "👀"}, "count": 2, "users": [{"name": "bob", "nickname": "Bob"}]}]},
        {"id": "2", "type": "Reply", "timestamp": "2022-01-01T10:01:00+00:00", "content": "mine",
         "author": author, "reference": {"messageId": "1"}},
        {"id": "3", "type": "GuildMemberJoin", "timestamp": "2022-01-01T10:02:00+00:00",
         "content": "Joined the server.", "author": author},
    ]}))  # fmt: skip
    first, second = messages(export)
    assert first.edited
    assert first.attachments == (Attachment("key.png", "photo"),)
    assert first.reactions == (Reaction("👀", "Bob"),)
    assert second.reply_to == "1"
    assert (export.system_lines, export.chats[0].kind, export.chats[0].title) == (
        1,
        "group",
        "general in Boats",
    )


def test_slack(read: Read) -> None:
    export = read(json.dumps([
        {"type": "message", "ts": "1640000000.000100", "user": "U1", "user_profile": {"real_name": "Ann"},
         "text": "see <https://example.org|the plan> &amp; tell <!here> in <#C2|boats>",
         "reactions": [{"name": "eyes", "users": ["U2"], "count": 1}],
         "files": [{"name": "plan.pdf", "mimetype": "application/pdf"}]},
        {"type": "message", "ts": "1640000060.000100", "user": "U2", "user_profile": {"real_name": "Bob"},
         "text": "ok <@U1>", "thread_ts": "1640000000.000100", "edited": {"user": "U2", "ts": "1"}},
        {"type": "message", "subtype": "channel_join", "ts": "1640000070.000100", "user": "U2", "text": "joined"},
        {"type": "message", "subtype": "tombstone", "ts": "1640000080.000100", "user": "U2",
         "user_profile": {"real_name": "Bob"}, "text": "This message was deleted."},
    ]))  # fmt: skip
    first, second, third = messages(export)
    assert first.text == "see the plan (https://example.org) & tell @here in #boats"
    assert first.attachments == (Attachment("plan.pdf", "file"),)
    assert first.reactions[0].emoji == ":eyes:"
    assert (second.reply_to, second.edited) == (first.source_id, True)
    assert third.deleted
    assert export.system_lines == 1
    assert any("users.json" in note for note in export.notes)


def test_messenger(read: Read) -> None:
    export = read(json.dumps({"participants": [{"name": "Ann"}, {"name": "Bob"}], "messages": [
        {"sender_name": "Bob", "timestamp_ms": 1640000003000, "is_unsent": True},
        {"sender_name": "Ann", "timestamp_ms": 1640000002000, "photos": [{"uri": "x/photos/1.jpg"}],
         "reactions": [{"reaction": "\u00f0\u009f\u0091\u008d", "actor": "Bob"}]},
        {"sender_name": "Ann", "timestamp_ms": 1640000001000, "content": "Caf\u00c3\u00a9?",
         "share": {"link": "https://example.org"}},
        {"sender_name": "Ann", "timestamp_ms": 1640000000000, "content": "You called Bob.", "type": "Call"},
    ], "title": "Bob", "thread_path": "inbox/bob_1"}))  # fmt: skip
    shared, photo, unsent = messages(export)
    assert shared.text == "Café?\nhttps://example.org"
    assert photo.reactions == (Reaction("👍", "Bob"),)
    assert photo.attachments == (Attachment("1.jpg", "photo"),)
    assert (unsent.deleted, export.system_lines) == (True, 1)


def test_text_that_only_looks_broken_stays(read: Read) -> None:
    export = read(json.dumps({"messages": [
        {"sender_name": "Ann", "timestamp_ms": 1640000001000, "content": "déjà vu"},
        {"sender_name": "Ann", "timestamp_ms": 1640000002000, "content": "na\u00c3\u00afve"},
    ]}))  # fmt: skip
    assert [m.text for m in messages(export)] == ["déjà vu", "naïve"]


def test_google_chat(read: Read) -> None:
    who = {"name": "Ann", "email": "ann@example.org"}
    when = "Tuesday, January 4, 2022 at 10:00:0{} AM UTC"
    export = read(json.dumps({"messages": [
        {"creator": who, "created_date": when.format(0), "text": "Who has the key?", "message_id": "a/b/1",
         "reactions": [{"emoji": {"unicode": "👀"}, "reactor_emails": ["bob@example.org"]}]},
        {"creator": who, "created_date": when.format(1), "text": "I do", "message_id": "a/b/2",
         "quoted_message_metadata": {"creator": who, "text": "Who has the key?"},
         "attached_files": [{"original_name": "key.jpg", "export_name": "File-key.jpg"}]},
        {"creator": who, "created_date": when.format(2), "message_state": "DELETED", "message_id": "a/b/3"},
        {"creator": who, "created_date": "the other day", "text": "x", "message_id": "a/b/4"},
    ]}))  # fmt: skip
    question, answer, deleted = messages(export)
    assert question.reactions == (Reaction("👀", "bob@example.org"),)
    assert answer.reply_to == question.source_id
    assert answer.attachments == (Attachment("key.jpg", "photo"),)
    assert deleted.deleted
    assert "messages.3" in export.skipped[0].reason


def test_imessage(read: Read) -> None:
    export = read(
        "Jan 04, 2022 10:00:00 AM (Read by you after 3 seconds)\nAnn\nWho has the key?\nTapbacks:\n"
        "Loved by Bob\n\n    Jan 04, 2022 10:05:00 AM\n    Bob\n    I do\n\n\n"
        "Jan 04, 2022 10:01:00 AM\nAnn\n/Users/ann/Library/Attachments/key.heic\n\n"
        "Jan 04, 2022 10:02:00 AM\nAnn named the conversation Boats\n\n"
        "Jan 04, 2022 10:05:00 AM\nBob\nI do\nThis message responded to an earlier message.\n\n"
    )
    question, photo, answer = messages(export)
    assert question.text == "Who has the key?"
    assert question.reactions == (Reaction("Loved", "Bob"),)
    assert photo.attachments == (Attachment("key.heic", "photo"),)
    assert (answer.text, answer.reply_to) == ("I do", question.source_id)
    assert (export.system_lines, export.skipped) == (1, ())


@pytest.mark.parametrize(
    ("file", "title"),
    [("Boat club - 14.txt", "Boat club"), ("+1555-0100.txt", "+1555-0100"), ("Ann - Bo.txt", "Ann - Bo")],
)  # fmt: skip
def test_a_named_group_of_imessage_has_no_number_in_its_title(
    read: Read, file: str, title: str
) -> None:
    export = read("Jan 04, 2022 10:00:00 AM\nAnn\nhi\n\n", file)
    assert [chat.title for chat in export.chats] == [title]


def test_two_groups_of_one_name_stay_two_and_are_known_again_under_another(tmp_path: Path) -> None:
    said = "Jan 04, 2022 10:0{}:00 AM\nAnn\nsee you at the harbour, number {}\n\n"
    for folder, name in (("one", "Boats"), ("two", "Ships")):
        for number in (1, 2):
            path = tmp_path / folder / f"{name} - {number}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(said.format(number, number) + said.format(number + 2, number + 2))
    with ChatMemory.open(tmp_path / "chats.db") as memory:
        for folder, new in (("one", 4), ("one", 0), ("two", 0)):
            assert memory.add(tmp_path / folder).messages_added == new
        assert [chat.title for chat in memory.chats()] == ["Boats", "Boats"]


def test_imessage_keeps_the_last_version_of_an_edited_message(read: Read) -> None:
    said = (
        "May 17, 2022  5:29:42 PM\nMe\nThe code is 4471\nand ring twice\nEdited 1 minute later: The code is 4472\n"
        "Edited 5 seconds later: The code is 4473\nand ring once\n\nMay 17, 2022  5:31:00 PM\nAnn\nok\n"
    )
    (chat,) = read(said).chats
    assert [(m.text, m.edited) for m in chat.messages] == [
        ("The code is 4473\nand ring once", True), ("ok", False),
    ]  # fmt: skip


def test_imessage_announces_in_the_line_of_a_time(read: Read) -> None:
    export = read(
        "Jan 04, 2022  9:00:00 AM Ann renamed the conversation to Boats\n\n"
        "Jan 04, 2022  9:01:00 AM\nAnn\nhi\n\nDec 30, 2021 we met\n\n"
        "Jan 04, 2022 10:02:00 AM Bob left the conversation.\n\n"
        "Jan 04, 2022 10:03:00 AM\nAnn\nbye\n\n"
    )
    assert [m.text for m in messages(export)] == ["hi\n\nDec 30, 2021 we met", "bye"]
    assert (export.system_lines, export.skipped) == (2, ())


def test_imessage_keeps_what_only_looks_like_an_effect_or_a_file(read: Read) -> None:
    export = read(
        "Jan 04, 2022 10:00:00 AM\nAnn\nSent with Love\n\n"
        "Jan 04, 2022 10:01:00 AM\nAnn\nSent with Best Wishes\nfrom all of us\nSent with Balloons\n\n"
        "Jan 04, 2022 10:02:00 AM\nAnn\n~12.50\n/shrug.gif\n~/Library/Messages/key.heic\n\n"
    )
    assert [m.text for m in messages(export)] == [
        "Sent with Love",
        "Sent with Best Wishes\nfrom all of us",
        "~12.50\n/shrug.gif",
    ]
    assert messages(export)[2].attachments == (Attachment("key.heic", "photo"),)


def test_imessage_tells_notices_and_missing_files_from_what_was_said(read: Read) -> None:
    said = (
        "Started sharing location!",
        "SharePlay Message\nEnded",
        "Stopped sharing location!",
        "This message was deleted from the conversation!\nold words",
        "Attachment missing!",
        "look\nAttachment missing!",
    )
    export = read(
        "".join(f"Jan 04, 2022 10:0{n}:00 AM\nAnn\n{text}\n\n" for n, text in enumerate(said))
    )
    deleted, missing, captioned = messages(export)
    assert (deleted.text, deleted.deleted) == ("[deleted]", True)
    assert (missing.kind, missing.attachments) == ("media", (Attachment("", "file"),))
    assert (captioned.text, captioned.attachments) == ("look", (Attachment("", "file"),))
    assert (export.system_lines, export.media, export.skipped) == (3, 2, ())


def test_imessage_html_tells_notices_from_what_was_said(read: Read) -> None:
    deleted = '<span class="deleted">This message was deleted from the conversation!</span><hr>'
    parts = (
        '<span class="shared_location"><hr>Started sharing location!</span>',
        f'{deleted}<div class="message_part"><span class="bubble">old words</span></div>',
    )
    export = read(
        "<html><body>"
        + "".join(
            '<div class="message"><div class="received"><p><span class="timestamp">Jan 04, 2022 10:00:00 AM</span>'
            f'<span class="sender">Ann</span></p>{part}</div></div>'
            for part in parts
        )
        + "</body></html>"
    )
    assert [(m.text, m.deleted) for m in messages(export)] == [("[deleted]", True)]
    assert (export.system_lines, export.skipped) == (1, ())


def test_imessage_html(read: Read) -> None:
    def part(time: str, who: str, inner: str) -> str:
        return (f'<p><span class="timestamp"><a title="x" href="y">Jan 04, 2022 {time} AM</a></span> '
                f'<span class="sender">{who}</span></p><hr>{inner}')  # fmt: skip

    reply = part(
        "10:05:00", "Bob", '<div class="message_part"><span class="bubble">I do</span></div>'
    )
    export = read(
        '<html><head></head><body><div class="message"><div class="received">'
        + part(
            "10:00:00",
            "Ann",
            '<div class="message_part"><span class="bubble">Who has the key?</span></div>',
        )
        + '<hr><p>Tapbacks:</p><div class="tapbacks"><div class="tapback"><span title="Loved by Bob">❤️</span></div></div>'
        f'<div class="replies"><div class="reply"><div class="message"><div class="sent iMessage">{reply}</div></div></div></div>'
        '</div></div><div class="announcement"><p><span class="timestamp">Jan 04, 2022 10:02:00 AM</span> Ann left.</p></div>'
        f'<div class="message"><div class="sent iMessage">{reply}<span class="reply_context">This message responded to '
        '<a href="#r">an earlier message</a>.</span><div class="message_part"><div class="attachment">'
        '<img src="attachments/1/key.jpeg"></div></div></div></div></body></html>'
    )
    question, answer = messages(export)
    assert (question.text, question.reactions) == ("Who has the key?", (Reaction("❤️", "Bob"),))
    assert (answer.text, answer.reply_to) == ("I do", question.source_id)
    assert answer.attachments == (Attachment("key.jpeg", "photo"),)
    assert export.system_lines == 1


def test_kakaotalk(read: Read) -> None:
    export = read(
        "친구들 3 님과 카카오톡 대화\n저장한 날짜 : 2023-12-26 10:00:00\n\n"
        "--------------- 2023년 12월 24일 일요일 ---------------\n"
        "지영님이 민수님을 초대했습니다.\n"
        "[민수] [오후 6:05] 사진 3장\n[지영] [오후 6:06] 파일: plan.pdf\n[민수] [오후 6:07] 삭제된 메시지입니다.\n"
        "[지영] [오후 6:08] 보이스톡 1:23\n[팀[A]] [오전 12:09] 보이스톡 나중에 하자\n2023년 12월 25일\n그날 봐\n지영님이 나갔습니다.\n"
    )
    photo, file, deleted, last = messages(export)
    assert photo.attachments == (Attachment("", "photo"),)
    assert file.attachments == (Attachment("plan.pdf", "file"),)
    assert deleted.deleted
    assert (last.sender, last.text, f"{last.sent_at:%d %H:%M}") == (
        "팀[A]",
        "보이스톡 나중에 하자\n2023년 12월 25일\n그날 봐",
        "24 00:09",
    )
    assert export.chats[0].title == "친구들"
    assert export.system_lines == 3


def test_kakaotalks_english_notices_and_media_are_no_words_of_people(read: Read) -> None:
    export = read(
        "KakaoTalk Chats with Hiking club\nDate Saved : 2024-03-12 18:00:00\n\n"
        "--------------- Sunday, March 10, 2024 ---------------\n"
        "Tom joined this chatroom.\n[Ann] [8:15 AM] Emoticons\n[Bo] [8:16 AM] Map: Seoul Station\nAnn invited Cy and 2 others.\n"
        "[Bo] [8:17 AM] Voice Note\nTom left this chatroom.\n[Ann] [8:18 AM] Photo of the lake?\nthe man left the room.\n"
        "the boss invited us.\nBo left.\n[Ann] [8:19 AM] Video Call Missed\n[Ann] [8:20 AM] ok\n"
    )
    assert [m.text for m in messages(export)] == [
        "[sticker]", "[location Seoul Station]", "[voice message]",
        "Photo of the lake?\nthe man left the room.\nthe boss invited us.", "ok",
    ]  # fmt: skip
    assert export.system_lines == 5


def test_kakaotalk_on_an_iphone_writes_notices_behind_a_colon(read: Read) -> None:
    export = read(
        "Talk_2024.3.12 18:00-1.txt\nDate Saved : Mar 12, 2024 at 6:00 PM\n\n\nSunday, March 10, 2024\n"
        "Mar 10, 2024 at 8:15 AM, Ann : Hello\nMar 10, 2024 at 8:16 AM: Ann invited Bo.\nMar 10, 2024 at 8:17 AM, Bo : ok\n"
    )
    assert [m.text for m in messages(export)] == ["Hello", "ok"]
    assert export.system_lines == 1


@pytest.mark.parametrize(
    ("joined", "photo"), [("Bo joined this chatroom.", "Photo"), ("Bo님이 들어왔습니다.", "사진")]
)
def test_kakaotalks_table_of_a_mac_has_notices_and_media(
    read: Read, joined: str, photo: str
) -> None:
    export = read(
        f'Date,User,Message\n2024-03-10 08:10:00,"Bo","{joined}"\n2024-03-10 08:15:00,"Ann","Hi ""Bo"",\nwelcome"\n'
        f'2024-03-10 08:16:00,"Bo","{photo}"\n',
        "KakaoTalk_Chat_Hiking club_2024-03-12-18-00-00.csv",
    )
    assert export.chats[0].title == "Hiking club"
    assert [(m.sender, m.text) for m in messages(export)] == [
        ("Ann", 'Hi "Bo",\nwelcome'), ("Bo", "[photo]"),
    ]  # fmt: skip
    assert (export.format, export.system_lines) == ("kakaotalk", 1)


def test_line(read: Read) -> None:
    export = read(
        "[LINE] Chat history with Ann\nSaved on: 2022/01/04, 10:00\n\n2022/01/04(Tue)\n"
        "10:00\tAnn\t[Photo]\n10:01\tAnn\t[スタンプ]\n10:02\t\tAnn changed the group's name.\n"
        '10:03\tBob\t☎ Call time 0:12\n10:04\tBob left the group.\n10:05\tBob\t"He said\n""now"""\n'
    )
    photo, sticker, quoted = messages(export)
    assert photo.attachments == (Attachment("", "photo"),)
    assert sticker.attachments == (Attachment("", "sticker"),)
    assert quoted.text == 'He said\n"now"'
    assert (export.system_lines, export.media, export.chats[0].title) == (3, 2, "Ann")


def test_sms(read: Read) -> None:
    export = read(
        "<?xml version='1.0' encoding='UTF-8'?>\n<smses>"
        '<sms address="+1 (555) 01-00" date="1640000000000" type="1" body="hi" contact_name="(Unknown)"/>'
        '<sms address="+15550100" date="1640000001000" type="2" body="ho" contact_name="(Unknown)"/>'
        '<sms address="+15550100" date="1640000002000" type="3" body="draft" contact_name="(Unknown)"/>'
        '<mms address="+15550100~+15550200" date="1640000003000" msg_box="1" contact_name="Ann, Bob"><parts>'
        '<part ct="image/jpeg" name="null" cl="cat.jpg" data="AAAA"/><part ct="text/plain" text="a cat"/></parts>'
        '<addrs><addr address="+15550200" type="137"/></addrs></mms></smses>'
    )
    assert [(c.kind, len(c.messages)) for c in export.chats] == [("direct", 2), ("group", 1)]
    assert [m.sender for m in messages(export)] == ["+1 (555) 01-00", "Me", "+15550200"]
    assert messages(export)[2].attachments == (Attachment("cat.jpg", "photo"),)
    assert "draft" in export.skipped[0].reason


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE smses SYSTEM "http://127.0.0.1/x.dtd">',
    ],
)
def test_xml_with_entities_is_refused(read: Read, declared: str) -> None:
    with pytest.raises(UnreadableFile, match="entities at line 2"):
        read(f"<?xml version='1.0'?>\n{declared}\n<smses><sms body='&b;'/></smses>", format="sms")


def test_wechat(read: Read) -> None:
    header = "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender\n"
    export = read(
        header
        + '1,7,3,0,0,1640000000,,"<msg><img/></msg>",,李雷,lei,w1\n'
        + "2,7,10000,0,0,1640000001,,李雷撤回了一条消息,,李雷,lei,w1\n"
        + '3,7,49,5,1,1640000002,,"<msg><title>How to row</title></msg>",,李雷,lei,me\n'
        + "4,7,1,0,0,1640000003,,你为什么撤回了消息,,李雷,lei,w1\n"
    )
    photo, link, question = messages(export)
    assert question.text == "你为什么撤回了消息"
    assert photo.attachments == (Attachment("", "photo"),)
    assert (link.sender, link.text) == ("Me", "How to row")
    assert (export.system_lines, export.chats[0].title, export.chats[0].kind) == (
        1,
        "李雷",
        "direct",
    )


def test_wechat_with_columns_in_chinese(read: Read) -> None:
    export = read(
        "\ufeff消息ID,类型,发送人,时间,内容,备注,昵称,更多信息\n"
        "11,文本,小梅,2024-01-02 10:00:00,早,小梅,mei,more\n12,图片,李雷,2024-01-02 10:01:00,图片,李雷,lei,more\n"
        "13,系统消息,李雷,2024-01-02 10:02:00,李雷撤回了一条消息,李雷,lei,more\n"
        "14,文本,小梅,2024-01-02 10:03:00,图片,小梅,mei,more\n",
        "李雷.csv",
    )
    assert [(m.sender, m.text) for m in messages(export)] == [
        ("小梅", "早"), ("李雷", "[photo]"), ("小梅", "图片"),
    ]  # fmt: skip
    assert (export.format, export.system_lines) == ("wechat", 1)
    assert (export.chats[0].title, export.chats[0].kind) == ("李雷", "direct")


def test_rows_of_wechat_may_all_have_one_cell_more_than_the_header(read: Read) -> None:
    header = "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime\n"
    rows = [f"{n},7,1,0,1,164000000{n},,早 {n},2021-12-20 11:33:20,77{n}\n" for n in range(3)]
    export = read(header + "".join(rows))
    assert [m.text for m in messages(export)] == ["早 0", "早 1", "早 2"]
    assert not export.skipped
    other = read(header + rows[0] + rows[1].replace(",771", ""))
    assert [m.text for m in messages(other)] == ["早 1"]
    assert [skipped.line for skipped in other.skipped] == [2]


def test_a_table_has_names_beside_the_ids_of_senders(read: Read) -> None:
    export = read(
        "Time,SenderName,Sender,TalkerName,Talker,Content\n2024-01-02 10:00:00,小梅,wxid_m,船队,1@chatroom,早\n"
        "2024-01-02 10:01:00,,wxid_l,船队,1@chatroom,好\n2024-01-02 10:02:00,小梅,wxid_m,家,2@chatroom,在吗\n"
        "2024-01-02 10:03:00,,wxid_m,家,2@chatroom,喂\n",
        "chatlog.csv",
    )
    told = [(chat.title, [(m.sender, m.text) for m in chat.messages]) for chat in export.chats]
    assert told == [
        ("船队", [("小梅", "早"), ("wxid_l", "好")]), ("家", [("小梅", "在吗"), ("小梅", "喂")]),
    ]  # fmt: skip


def test_a_table_may_name_its_senders_in_chinese(read: Read) -> None:
    export = read("发送人,时间,内容\n小梅,2024-01-02 10:00:00,早\n", "a.csv")
    assert [(m.sender, m.text) for m in messages(export)] == [("小梅", "早")]


def test_chatlab(read: Read) -> None:
    export = read(json.dumps({
        "chatlab": {"version": "0.0.2"}, "meta": {"name": "班级", "platform": "qq", "type": "group", "groupId": "g"},
        "members": [{"platformId": "1", "accountName": "李雷"}],
        "messages": [
            {"sender": "1", "accountName": "old", "timestamp": 1640000000, "type": 0, "content": "在吗",
             "platformMessageId": "m1"},
            {"sender": "1", "accountName": "old", "timestamp": 1640000001, "type": 25, "content": "在",
             "platformMessageId": "m2", "replyToMessageId": "m1"},
            {"sender": "1", "timestamp": 1640000002, "type": 1, "content": "[图片]"},
            {"sender": "1", "timestamp": 1640000003, "type": 81, "content": None},
            {"sender": "1", "timestamp": 1640000004, "type": 80, "content": "入群"},
        ],
    }))  # fmt: skip
    first, reply, photo, recalled = messages(export)
    assert {m.sender for m in messages(export)} == {"李雷"}
    assert reply.reply_to == first.source_id
    assert (photo.kind, photo.attachments) == ("media", (Attachment("", "photo"),))
    assert recalled.deleted
    assert (export.chats[0].platform, export.chats[0].kind, export.system_lines) == (
        "qq",
        "group",
        1,
    )


def test_imessage_html_keeps_the_last_version_without_when_it_was_written(read: Read) -> None:
    edits = (
        '<div class="edited"><table><tbody><tr><td><span class="timestamp"></span></td><td>first</td></tr></tbody>'
        '<tfoot><tr><td><span class="timestamp">Edited 5 seconds later</span></td><td>second<br>line</td></tr></tfoot>'
        "</table></div>"
    )
    export = read(
        '<html><body><div class="message"><div class="received"><p><span class="timestamp">May 17, 2022  5:29:42 PM'
        f'</span> <span class="sender">Ann</span></p><div class="message_part">{edits}</div></div></div></body></html>'
    )
    assert [(m.text, m.edited) for m in messages(export)] == [("second\nline", True)]
