"""What free programs write that read an app's own storage, and pages whose program offers a better format."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from dialects import messages

from minirag_chat.errors import UnknownFormat, UnreadableFile
from minirag_chat.records import Attachment, ParsedExport, Reaction

Read = Callable[..., ParsedExport]


# --- WhatsApp-Chat-Exporter -------------------------------------------------------------------------


def whatsapp_json(read: Read, **chats: Any) -> ParsedExport:
    def message(n: int, more: dict[str, Any]) -> dict[str, Any]:
        return {"from_me": False, "timestamp": 1710263160 + 60 * n, "media": False, "key_id": f"K{n}", "meta": False,
                "data": "hi", "sender": None, "safe": False, "mime": None, "reply": None, "caption": None} | more  # fmt: skip

    return read(json.dumps({
        f"{key[1:]}@{'g.us' if key.startswith('g') else 's.whatsapp.net'}": {
            "name": name, "type": "android", "messages": {str(n): message(n, more) for n, more in enumerate(said)},
        }
        for key, (name, said) in chats.items()
    }))  # fmt: skip


def test_whatsapp_chat_exporter_has_direct_chats_and_groups(read: Read) -> None:
    export = whatsapp_json(
        read,
        d447700900123=(
            "Ann",
            [
                {"from_me": True, "data": "hello <br>there"},
                {"reply": "K0", "reactions": {"Me": "👍"}},
            ],
        ),
        g12345=("Boats", [{"sender": "Ben", "data": "x"}, {"meta": True, "data": "Ann left"}]),
        d447700900456=(None, [{"data": "who?"}]),
        d447700900789=("Cy", []),
    )
    assert [(c.platform, c.key, c.title, c.kind) for c in export.chats] == [
        ("whatsapp", "447700900123@s.whatsapp.net", "Ann", "direct"),
        ("whatsapp", "12345@g.us", "Boats", "group"),
        ("whatsapp", "447700900456@s.whatsapp.net", "+447700900456", "direct"),
    ]
    own, answer, boats, unknown = messages(export)
    assert (own.sender, own.text) == ("Me", "hello\nthere")
    assert (answer.sender, answer.reply_to) == ("Ann", own.source_id)
    assert answer.reactions == (Reaction("👍", "Me"),)
    assert (boats.sender, unknown.sender) == ("Ben", "+447700900456")
    assert (export.system_lines, export.skipped) == (1, ())


def test_whatsapp_chat_exporter_names_media_with_their_captions(read: Read) -> None:
    photo = {"media": True, "data": "WhatsApp/Media/a.jpg", "mime": "image/jpeg", "caption": "look"}
    gone = {"media": True, "data": "The media is missing", "mime": "media"}
    sticker = {"media": True, "data": "b.webp", "mime": "image/webp", "sticker": True}
    captioned, missing, stuck = messages(
        whatsapp_json(read, d447700900123=("Ann", [photo, gone, sticker]))
    )
    assert (captioned.text, captioned.attachments) == ("look", (Attachment("a.jpg", "photo"),))
    assert (missing.kind, missing.attachments) == ("media", (Attachment("", "file"),))
    assert stuck.attachments == (Attachment("b.webp", "sticker"),)


# --- sigtop -----------------------------------------------------------------------------------------

SIGTOP = """\
Conversation: Boats (abc-_123)

From: You
Type: outgoing
Sent: Tue, 12 Mar 2024 17:05:00 +0000
Reaction: 👍 from Ann Lee

Who has the key?

From: key

Type: group-v2-change
Sent: Tue, 12 Mar 2024 17:05:30 +0000
Received: Tue, 12 Mar 2024 17:05:30 +0000

From: Ann Lee (+447700900123)
Type: incoming
Sent: Tue, 12 Mar 2024 17:06:00 +0000
Received: Tue, 12 Mar 2024 17:06:01 +0000
Attachment: key.jpg (image/jpeg, 1234 bytes)

> From: You
> Sent: Tue, 12 Mar 2024 17:05:00 +0000
>
> Who has the key?

I do
and the boat

From: Ann Lee (+447700900123)
Type: incoming
Sent: Tue, 12 Mar 2024 17:07:00 +0000
Received: Tue, 12 Mar 2024 17:07:00 +0000
Edited: 2 versions

| Version: 2
| Sent: Tue, 12 Mar 2024 17:08:00 +0000
|
| at eight
| sharp
|
| Version: 1
| Sent: Tue, 12 Mar 2024 17:07:00 +0000
|
| at seven

"""


def test_sigtop_has_replies_files_reactions_and_the_newest_version(read: Read) -> None:
    export = read(SIGTOP, time_zone="Europe/Berlin")
    [chat] = export.chats
    assert (chat.platform, chat.title) == ("signal", "Boats")
    question, answer, edited = chat.messages
    assert (question.sender, question.text) == ("Me", "Who has the key?\n\nFrom: key")
    assert question.sent_at == datetime(2024, 3, 12, 18, 5)
    assert question.reactions == (Reaction("👍", "Ann Lee"),)
    assert (answer.sender, answer.text) == ("Ann Lee", "I do\nand the boat")
    assert (answer.reply_to, answer.attachments) == (
        question.source_id, (Attachment("key.jpg", "photo"),),
    )  # fmt: skip
    assert (edited.text, edited.edited) == ("at eight\nsharp", True)
    assert (export.system_lines, export.skipped) == (1, ())


def test_the_short_text_of_sigtop_says_what_is_a_reply_or_a_file(read: Read) -> None:
    export = read(
        "2024-03-12 18:04 Ann Lee: Who has the key?\n"
        "2024-03-12 18:05 Ann Lee: [call-history message]\n"
        "2024-03-12 18:06 You: [reply to Ann Lee on 2024-03-12 18:04] I do\nand the boat: here\n"
        "2024-03-12 18:07 Ann Lee (+447700900123): [2 attachments]\n"
        "2024-03-12 18:08 Ann Lee: [edited, 1 attachment] at eight\n",
        "Ann Lee (+447700900123).txt",
    )
    [chat] = export.chats
    assert (chat.platform, chat.title) == ("signal", "Ann Lee")
    question, answer, files, edited = chat.messages
    assert (answer.sender, answer.text) == ("Me", "I do\nand the boat: here")
    assert answer.reply_to == question.source_id
    assert (files.sender, files.kind, len(files.attachments)) == ("Ann Lee", "media", 2)
    assert (edited.text, edited.edited, len(edited.attachments)) == ("at eight", True, 1)
    assert (export.system_lines, export.skipped) == (1, ())


# --- Rocket.Chat ------------------------------------------------------------------------------------


def test_the_export_of_a_room_of_rocket_chat_leaves_notices_out(read: Read) -> None:
    file = {"type": "file", "title": "plan.pdf", "title_link": "/file-upload/1/plan.pdf"}
    said = [
        {"msg": "joined the channel", "username": "ann", "type": "uj"},
        {"msg": "Hello", "username": "ann", "attachments": []},
        {"msg": "", "username": "ben", "attachments": [file, {"text": "quoted", "author_name": "Ann"}]},
    ]  # fmt: skip
    lines = [
        json.dumps(item | {"ts": f"2024-03-12T17:0{n}:00.123Z"}) for n, item in enumerate(said)
    ]
    export = read("\n".join(lines), "general.json")
    assert [chat.title for chat in export.chats] == ["general"]
    hello, plan = messages(export)
    assert (hello.sender, hello.text) == ("ann", "Hello")
    assert (plan.sender, plan.attachments) == ("ben", (Attachment("plan.pdf", "file"),))
    assert (export.system_lines, export.skipped) == (1, ())


@pytest.mark.parametrize(
    "wrap", [lambda found: found, lambda found: {"messages": found, "success": True}]
)
def test_messages_of_rocket_chat_have_replies_reactions_and_what_was_removed(
    read: Read, wrap: Callable[[object], object]
) -> None:
    ann, ben = {"username": "ann", "name": "Ann Lee"}, {"username": "ben", "name": "Ben"}
    found = [
        {"_id": "a1", "msg": "Who has the key?", "u": ann, "reactions": {":+1:": {"usernames": ["ann", "cy"]}}},
        {"_id": "a2", "msg": "ben", "t": "uj", "u": ben},
        {"_id": "a3", "msg": "I do", "u": ben, "tmid": "a1", "editedAt": {"$date": "2024-03-12T18:00:00Z"}},
        {"_id": "a4", "msg": "[ ](https://chat.test/channel/boats?msg=a3) good", "u": ann},
        {"_id": "a5", "msg": "", "t": "rm", "u": ben},
        {"_id": "a6", "msg": "x9k", "t": "e2e", "u": ben},
    ]  # fmt: skip
    for n, item in enumerate(found):
        item |= {"rid": "R1", "ts": {"$date": f"2024-03-12T17:0{n}:00Z"}}
    export = read(json.dumps(wrap(found)))
    assert [chat.key for chat in export.chats] == ["R1"]
    question, answer, quoting, removed = messages(export)
    assert question.reactions == (Reaction(":+1:", "Ann Lee"), Reaction(":+1:", "cy"))
    assert (answer.sender, answer.reply_to, answer.edited) == ("Ben", "a1", True)
    assert (quoting.text, quoting.reply_to) == ("good", "a3")
    assert (removed.text, removed.deleted) == ("[deleted]", True)
    assert export.system_lines == 1
    assert any("encrypted" in note for note in export.notes)


def test_the_log_of_a_program_is_not_a_room_of_rocket_chat(read: Read) -> None:
    line = {"level": "info", "ts": "2024-03-12T17:05:00Z", "msg": "signed in", "username": "ann"}
    with pytest.raises(UnknownFormat):
        read(f"{json.dumps(line)}\n{json.dumps(line)}\n", "app.jsonl")


# --- Hinge ------------------------------------------------------------------------------------------


def test_hinge_has_what_one_wrote_to_each_match(read: Read) -> None:
    like = {
        "timestamp": "2024-03-12 17:00:00",
        "like": [{"timestamp": "2024-03-12 17:00:00", "comment": "Nice boat!"}],
    }
    export = read(json.dumps([
        {"like": [like]},
        {"like": [like], "match": [{"timestamp": "2024-03-12 17:04:00"}],
         "chats": [{"body": "Hey", "timestamp": "2024-03-12 17:05:00"}]},
        {"block": [{"block_type": "remove", "timestamp": "2024-03-13 17:05:00"}],
         "chats": [{"body": "Hello", "timestamp": "2024-03-13T17:05:00"}]},
    ]))  # fmt: skip
    assert [(chat.title, [(m.sender, m.text) for m in chat.messages]) for chat in export.chats] == [
        ("Match of 2024-03-12", [("Me", "Nice boat!"), ("Me", "Hey")]),
        ("Match of 2024-03-13", [("Me", "Hello")]),
    ]
    assert "only what you wrote" in export.notes[0]


# --- pages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "remedy"),
    [
        ('<div id="matrixchat"><div class="mx_MatrixChat_wrapper"><li class="mx_EventTile">hi</li></div></div>',
         "page of Element, which cannot be imported; export the room again, format JSON"),
        ("<script>const chatMessages = [{type:1, text: 'hi', is_send:0}];</script>", "as CSV or JSON"),
        ("<h1>Chat History with ann.lee</h1><div><h4>ann.lee</h4><h6>TEXT</h6><p>Hi</p></div>", "with JSON files"),
    ],
)  # fmt: skip
def test_a_page_of_a_known_program_is_refused_with_the_format_to_choose(
    read: Read, body: str, remedy: str
) -> None:
    with pytest.raises(UnreadableFile, match=remedy):
        read(f"<!DOCTYPE html><html><head></head><body>{body}</body></html>", "chat.html")


def test_the_page_of_a_room_of_rocket_chat_is_refused_with_the_format_to_choose(
    read: Read,
) -> None:
    page = "<p><strong>ann</strong> (Tue, 26 Mar 2024 18:24:21 GMT):<br/>\nhello\n</p>\n"
    with pytest.raises(UnreadableFile, match=r"Rocket.Chat.*format JSON"):
        read(page, "general.html")


def test_the_text_of_slackdump_is_refused_with_the_format_to_choose(read: Read) -> None:
    text = "\n> Ann Lee [U1] @ 12/03/2024 17:06:00 Z:\nHello\nsecond\n|   \n|   > Ben [U2] @ 12/03/2024 17:07:00 Z:\n|   hi\n"
    with pytest.raises(UnreadableFile, match="messages run together; dump the chat again as JSON"):
        read(text, "C1.txt")
