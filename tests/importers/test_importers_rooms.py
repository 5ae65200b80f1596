"""Matrix rooms and Microsoft's chats: what events change, who is who, markup and quotations."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from dialects import exports
from dialects.rooms import matrix_events
from golden import TALK

from minirag_chat.records import Attachment, ParsedExport, ParsedMessage, Reaction

Read = Callable[..., ParsedExport]


def event(identity: str, kind: str = "m.room.message", /, **more: Any) -> dict[str, Any]:
    content = {key: more.pop(key) for key in list(more) if key in ("body", "msgtype", "filename")}
    return {"type": kind, "event_id": identity, "sender": "@ann:x", "origin_server_ts": 1640000000000,
            "room_id": "!r:x", "content": content | more.pop("content", {}), **more}  # fmt: skip


def relates(kind: str, target: str, **more: Any) -> dict[str, Any]:
    return {"content": {"m.relates_to": {"rel_type": kind, "event_id": target, **more}}}


def room(read: Read, *events: object, **facts: Any) -> ParsedExport:
    return read(json.dumps({"room_name": "Boats", "messages": events, **facts}))


def only(export: ParsedExport) -> list[ParsedMessage]:
    return [m for chat in export.chats for m in chat.messages]


def test_the_last_edit_by_the_sender_counts(read: Read) -> None:
    edits = [
        event(f"$e{n}", content=relates("m.replace", "$1")["content"] | {"m.new_content": {"body": text}},
              origin_server_ts=1640000000000 + n * 1000, sender=sender)
        for n, text, sender in ((2, "nine euros", "@ann:x"), (1, "eight euros", "@ann:x"))
    ]  # fmt: skip
    [message] = only(room(read, event("$1", body="seven euros"), *edits))
    assert (message.text, message.edited, message.edited_at) == ("nine euros", True, 1640000002)


def test_nobody_edits_the_words_of_another(read: Read) -> None:
    edit = event("$2", content=relates("m.replace", "$1")["content"] | {"m.new_content": {"body": "a lie"}},
                 sender="@eve:x")  # fmt: skip
    [message] = only(room(read, event("$1", body="seven euros"), edit))
    assert (message.text, message.edited) == ("seven euros", False)


def test_an_edit_beside_the_message_is_taken(read: Read) -> None:
    beside = {
        "m.relations": {"m.replace": event("$2", content={"m.new_content": {"body": "nine euros"}})}
    }
    [message] = only(room(read, event("$1", body="seven euros", unsigned=beside)))
    assert (message.text, message.edited) == ("nine euros", True)


def test_a_deleted_message_is_known_to_have_been_there(read: Read) -> None:
    export = room(read, event("$1", body="a secret"), event("$2", "m.room.redaction", redacts="$1"),
                  event("$3", unsigned={"redacted_because": {}}))  # fmt: skip
    assert [(m.text, m.deleted) for m in only(export)] == [("[deleted]", True)] * 2


def test_replies_threads_and_reactions(read: Read) -> None:
    fallback = {
        "body": "> <@bob:x> shall we?\n> at 7\n\nyes",
        "m.relates_to": {"m.in_reply_to": {"event_id": "$1"}},
    }
    in_thread = relates(
        "m.thread", "$1", is_falling_back=True, **{"m.in_reply_to": {"event_id": "$2"}}
    )["content"]
    export = room(
        read, event("$1", body="shall we?"), event("$2", content=fallback),
        event("$3", content={"body": "and tea"} | in_thread),
        event("$4", "m.reaction", **relates("m.annotation", "$1", key="👍"), sender="@bob:x"),
        event("$5", "m.reaction", **relates("m.annotation", "$1", key="👎"), sender="@bob:x"),
        event("$6", "m.room.redaction", redacts="$5"),
    )  # fmt: skip
    first, second, third = only(export)
    assert (second.text, second.reply_to, third.reply_to) == ("yes", "$1", "$1")
    assert first.reactions == (Reaction("👍", "bob"),)


def test_what_could_not_be_decrypted_is_counted_and_told(read: Read) -> None:
    export = room(read, event("$1", "m.room.encrypted"), event("$2", msgtype="m.bad.encrypted", body="** no key **"),
                  event("$3", body="hi"))  # fmt: skip
    assert [m.text for m in only(export)] == ["hi"]
    assert any(note.startswith("2 messages in") and "keys" in note for note in export.notes)


def test_people_have_their_names_and_namesakes_are_told_apart(read: Read) -> None:
    def member(person: str, name: str) -> dict[str, Any]:
        return event(
            f"$j{person}", "m.room.member", state_key=person, content={"displayname": name}
        )

    export = room(read, member("@ann:x", "Ann"), member("@bob:x", "Bob"), member("@bob:y", "Bob"),
                  event("$1", body="a"), event("$2", body="b", sender="@bob:x"), event("$3", body="c", sender="@zoe:x"))  # fmt: skip
    assert [m.sender for m in only(export)] == ["Ann", "Bob (@bob:x)", "zoe"]
    assert (export.system_lines, export.chats[0].kind, export.chats[0].title) == (
        3,
        "group",
        "Boats",
    )


def test_files_polls_and_captions(read: Read) -> None:
    poll = {"org.matrix.msc3381.poll.start": {
        "question": {"org.matrix.msc1767.text": "When?"},
        "answers": [{"id": "1", "org.matrix.msc1767.text": "now"}, {"id": "2", "m.text": [{"body": "later"}]}],
    }}  # fmt: skip
    export = room(
        read, event("$1", msgtype="m.image", body="boat.jpg"),
        event("$2", msgtype="m.image", body="my boat", filename="boat.jpg"),
        event("$3", "org.matrix.msc3381.poll.start", content=poll),
        event("$4", msgtype="m.audio", body="Voice message", content={"org.matrix.msc3245.voice": {}}),
    )  # fmt: skip
    assert [(m.text, m.attachments) for m in only(export)] == [
        ("[photo boat.jpg]", (Attachment("boat.jpg", "photo"),)),
        ("my boat", (Attachment("boat.jpg", "photo"),)),
        ("When?\n- now\n- later", ()),
        ("[voice message Voice message]", (Attachment("Voice message", "voice message"),)),
    ]


def test_an_edit_of_a_message_before_the_export_begins_is_kept(read: Read) -> None:
    edit = event(
        "$2",
        content=relates("m.replace", "$1")["content"] | {"m.new_content": {"body": "nine euros"}},
    )
    [message] = only(room(read, edit))
    assert (message.source_id, message.text, message.sender) == ("$1", "nine euros", "ann")


def test_a_room_cut_off_keeps_what_was_said_before(read: Read) -> None:
    text = json.dumps({"messages": matrix_events(TALK)})
    export = read(text[: text.index("12.07, ugh")])
    assert [m.text for m in only(export)] == [said for _, _, said in TALK[:4]]
    assert len(export.skipped) == 1
    assert "cut off" in export.skipped[0].reason


# --- Teams and Skype ---------------------------------------------------------------------------------


def ms(kind: str, content: str, **more: Any) -> dict[str, Any]:
    return {"id": "1", "displayName": None, "originalarrivaltime": "2022-01-01T10:00:00.5Z", "messagetype": kind,
            "content": content, "from": "8:live:bob", "properties": None} | more  # fmt: skip


def conversation(read: Read, *messages: object, **facts: Any) -> ParsedExport:
    return read(json.dumps({"userId": "8:live:ann", "conversations": [
        {"id": "8:live:bob", "displayName": "Bob", "MessageList": messages} | facts]}))  # fmt: skip


def test_markup_becomes_text_and_quotations_become_replies(read: Read) -> None:
    export = conversation(
        read,
        ms("RichText", 'so <b>be</b> it\nand <ss type="smile">:)</ss> &amp; more'),
        ms("RichText", '<quote author="ann" messageid="77"><legacyquote>[1] Ann: </legacyquote>tea?</quote>yes'
           '<e_m a="live:bob" ts_ms="1640000000123" ts="1640000000" t="61"/>'),
        ms("RichText/Html", '<blockquote itemscope itemtype="http://schema.skype.com/Reply" itemid="78"><p>tea?</p>'
           '</blockquote><p>no, <at id="8:live:ann">Ann</at></p><p>coffee <img alt="☕" itemtype="x/Emoji"></p>'),
    )  # fmt: skip
    first, second, third = only(export)
    assert first.text == "so be it\nand :) & more"
    assert (second.text, second.reply_to, second.edited_at) == ("yes", "77", 1640000000)
    assert (third.text, third.reply_to) == ("no, Ann\ncoffee ☕", "78")


def test_plain_text_is_no_markup(read: Read) -> None:
    [message] = only(conversation(read, ms("Text", "a < b & c > d")))
    assert message.text == "a < b & c > d"


def test_names_come_from_the_whole_file_and_the_owner_is_me(read: Read) -> None:
    export = conversation(
        read, ms("Text", "a"), ms("Text", "b", **{"from": "8:live:ann"}),
        ms("Text", "c", **{"from": "8:live:zoe"}), ms("Text", "d", displayName="Zoe", **{"from": "8:live:zoe"}),
    )  # fmt: skip
    assert [m.sender for m in only(export)] == ["Bob", "Me", "Zoe", "Zoe"]
    assert (export.chats[0].title, export.chats[0].kind) == ("Bob", "direct")


def test_files_deletions_reactions_and_what_is_teams_own(read: Read) -> None:
    export = conversation(
        read,
        ms("RichText/UriObject", '<URIObject type="Picture.1"><OriginalName v="boat.jpg"/></URIObject>'),
        ms("RichText/Html", "", properties={"deletetime": "1640000000123"}),
        ms("Text", "hi", properties={"edittime": 1640000000123, "emotions": '[{"key": "like", "users": [{"mri": "8:live:ann"}]}]'}),
        ms("RichText/Html", "<p>see</p>", properties={"files": '[{"fileName": "papers.pdf"}]'}),
        ms("ThreadActivity/AddMember", "<addmember/>"), ms("Event/Call", "<partlist/>"),
    )  # fmt: skip
    photo, gone, edited, file = only(export)
    assert photo.attachments == (Attachment("boat.jpg", "photo"),)
    assert gone.deleted
    assert (edited.edited_at, edited.reactions) == (1640000000, (Reaction("👍", "Me"),))
    assert file.attachments == (Attachment("papers.pdf", "file"),)
    assert export.system_lines == 2


def test_a_group_in_teams_has_its_topic_and_a_bot_is_no_group(read: Read) -> None:
    def chat(identity: str, topic: str | None) -> dict[str, Any]:
        return {"id": identity, "displayName": None, "threadProperties": {"topic": topic},
                "MessageList": [ms("Text", "a"), ms("Text", "b", **{"from": "8:live:zoe"})]}  # fmt: skip

    export = read(json.dumps({"userId": "8:live:ann", "conversations": [
        chat("19:a@thread.v2", "Garden party"), chat("19:b@unq.gbl.spaces", None), chat("28:concierge", None),
    ]}))  # fmt: skip
    assert [(c.title, c.kind) for c in export.chats] == [
        ("Garden party", "group"), (None, "direct"), (None, "direct"),
    ]  # fmt: skip


def test_calls_notices_and_quotations_name_who_has_no_name_in_messages(read: Read) -> None:
    export = conversation(
        read,
        ms("Event/Call", '<partlist><part identity="live:ann"><name>Ann &amp; Co</name></part>'
           '<part identity="live:eve"><name>live:eve</name></part></partlist>'),
        ms("ThreadActivity/AddMember", "<addmember><detailedtargetinfo><id>8:live:zoe</id>"
           "<friendlyName>Zoe</friendlyName></detailedtargetinfo></addmember>"),
        *(ms("Text", "hi", **{"from": f"8:live:{who}"}) for who in ("ann", "zoe", "eve")),
    )  # fmt: skip
    assert [m.sender for m in only(export)] == ["Ann & Co", "Zoe", "live:eve"]
    assert export.owner == "Ann & Co"


def test_pictures_in_a_text_are_attachments_and_links_keep_their_target(read: Read) -> None:
    export = conversation(
        read,
        ms("RichText/Html", '<p><img alt="image" src="x" itemtype="http://schema.skype.com/AMSImage"></p>'),
        ms("RichText/Html", '<p>our&nbsp;<a href="https://x.example/menu">menu</a> '
           '<a href="https://x.example">https://x.example/</a><img alt="image" itemtype="x/AMSImage"></p>'),
        ms("RichText/Html", '<p><img alt="Dance (GIF Image)" itemtype="http://schema.skype.com/Giphy"></p>'),
        ms("RichText/Html", '<video itemtype="x/AMSVideo">video</video>'),
        ms("RichText/Html", "", properties={"cards": '[{"content": {"title": "Lunch?"}}]'}),
        ms("RichText/Contacts", '<contacts><c t="s" s="dora" f="Dora D."/><c t="s" s="eve"/></contacts>'),
    )  # fmt: skip
    assert [(m.text, [(a.kind, a.name) for a in m.attachments]) for m in only(export)] == [
        ("[photo]", [("photo", "")]),
        ("our menu (https://x.example/menu) https://x.example/", [("photo", "")]),
        ("[gif]", [("gif", "")]),
        ("[video]", [("video", "")]),
        ("[card Lunch?]", [("card", "Lunch?")]),
        ("[contact Dora D.] [contact eve]", [("contact", "Dora D."), ("contact", "eve")]),
    ]


def test_a_forwarded_message_is_no_reply_and_an_edit_to_nothing_a_deletion(read: Read) -> None:
    export = conversation(
        read,
        ms("RichText/Html", '<blockquote itemtype="http://schema.skype.com/Forward" itemid="7">'
           '<strong itemprop="mri">Zoe</strong><p>tea at four</p></blockquote><p>fyi</p>'),
        ms("RichText", 'Edited previous message: at 8<e_m ts="1640000000"></e_m>'),
        ms("RichText", '<e_m ts="1640000000"></e_m>'),
        ms("RichText/Sms", 'by phone<sms alt="by phone"><body>by phone</body></sms>'),
    )  # fmt: skip
    forwarded, edited, deleted, sms = only(export)
    assert (forwarded.text, forwarded.reply_to) == ("tea at four\nfyi", None)
    assert forwarded.forwarded_from == "Zoe"
    assert (edited.text, edited.edited) == ("at 8", True)
    assert deleted.deleted
    assert sms.text == "by phone"


def test_reactions_in_teams_are_emoji(read: Read) -> None:
    keys = ("1f389_partypopper", "yes-tone2", "heart", "octopusdance")
    emotions = [{"key": key, "users": [{"mri": "8:live:bob"}]} for key in keys]
    [message] = only(conversation(read, ms("Text", "hi", properties={"emotions": emotions})))
    assert [reaction.emoji for reaction in message.reactions] == ["🎉", "👍", "❤️", "octopusdance"]


def test_newest_first_is_turned_round(read: Read) -> None:
    export = conversation(read, *(
        ms("Text", f"number {n}", id=str(n), originalarrivaltime=f"2022-01-01T10:0{n}:00Z") for n in (3, 2, 1)
    ))  # fmt: skip
    assert [m.sent_at for m in only(export)] == sorted(m.sent_at for m in only(export))
    assert all(isinstance(m.sent_at, datetime) for m in only(export))


# --- Mattermost -------------------------------------------------------------------------------------


def mattermost_export(*records: dict[str, Any]) -> str:
    return "\n".join(json.dumps(one) for one in ({"type": "version", "version": 1}, *records))


def test_mattermost_has_names_replies_reactions_and_files(read: Read) -> None:
    users = [
        {"username": "ann", "nickname": "Annie", "first_name": "Ann", "last_name": "Berg"},
        {"username": "bo"},
    ]
    post = {
        "team": "home", "channel": "boats", "user": "ann", "message": "Who has the key?", "create_at": 1705311000000,
        "edit_at": 1705311030000, "reactions": [{"user": "bo", "emoji_name": "key", "create_at": 1705311040000}],
        "replies": [{"user": "bo", "message": "Me.", "create_at": 1705311120000,
                     "attachments": [{"path": "2024/teams/x/key.jpg"}]}],
    }  # fmt: skip
    joined = {"team": "home", "channel": "boats", "user": "bo", "type": "system_join_channel",
              "message": "bo joined the channel.", "create_at": 1705310000000}  # fmt: skip
    export = read(
        mattermost_export(
            {"type": "team", "team": {"name": "home", "display_name": "Home"}},
            {"type": "channel", "channel": {"team": "home", "name": "boats", "display_name": "The Boats", "type": "P"}},
            *({"type": "user", "user": user} for user in users),
            {"type": "post", "post": joined},
            {"type": "post", "post": post},
            {"type": "direct_post", "direct_post": {
                "channel_members": ["bo", "ann", "cy"], "user": "cy", "message": "Three of us.",
                "create_at": 1705311000000}},
        )
    )  # fmt: skip
    channel, group = export.chats
    asked, answer = channel.messages
    assert (channel.title, channel.kind, export.system_lines) == ("The Boats", "group", 1)
    assert (asked.sender, asked.edited, answer.sender) == ("Ann Berg", True, "bo")
    assert asked.reactions == (Reaction(":key:", "bo"),)
    assert answer.reply_to == asked.source_id
    assert answer.attachments == (Attachment("key.jpg", "photo"),)
    assert (group.title, group.kind, group.messages[0].sender) == (None, "group", "cy")


# --- Zulip ------------------------------------------------------------------------------------------


def zulip_export(folder: Path, *messages: dict[str, Any]) -> Path:
    realm = {
        "zerver_userprofile": [{"id": 1, "full_name": "Ann Berg", "email": "a@x"}, {"id": 2, "full_name": "Bo", "email": "b@x"},
                               {"id": 3, "full_name": "Cy", "email": "c@x"}],
        "zerver_userprofile_crossrealm": [{"id": 9, "email": "notification-bot@zulip.com"}],
        "zerver_stream": [{"id": 7, "name": "boats"}],
        "zerver_recipient": [{"id": 11, "type": 1, "type_id": 1}, {"id": 12, "type": 1, "type_id": 2},
                             {"id": 17, "type": 2, "type_id": 7}, {"id": 18, "type": 3, "type_id": 1}],
        "zerver_subscription": [{"recipient": 18, "user_profile": one} for one in (1, 2, 3)],
        "zerver_reaction": [{"message": 100, "user_profile": 2, "emoji_name": "key"}],
    }  # fmt: skip
    told = [
        {"id": 100 + n, "date_sent": 1705311000.5 + 60 * n, "subject": "", **message}
        for n, message in enumerate(messages)
    ]
    folder.mkdir()
    (folder / "realm.json").write_text(json.dumps(realm))
    (folder / "messages-000001.json").write_text(json.dumps({"zerver_message": told}))
    return folder


def test_zulip_has_topics_direct_chats_reactions_and_files(tmp_path: Path) -> None:
    key = "@**Bo|2** has it: [key.jpg](/user_uploads/2/ab/c/key.jpg)"
    folder = zulip_export(
        tmp_path / "export",
        {"sender": 1, "recipient": 17, "subject": "keys", "content": key, "last_edit_time": 1705311030.0},
        {"sender": 9, "recipient": 17, "subject": "keys", "content": "This topic was moved."},
        {"sender": 2, "recipient": 17, "subject": "lunch", "content": "At noon?"},
        {"sender": 1, "recipient": 12, "content": "Hello Bo"},
        {"sender": 2, "recipient": 11, "content": "Hello Ann"},
        {"sender": 3, "recipient": 18, "content": "Three of us."},
    )  # fmt: skip
    (export,) = exports(folder)
    assert export.system_lines == 1
    assert [(chat.title, chat.kind, len(chat.messages)) for chat in export.chats] == [
        ("boats > keys", "group", 1), ("boats > lunch", "group", 1), (None, "direct", 2), (None, "group", 1),
    ]  # fmt: skip
    (first,) = export.chats[0].messages
    assert (first.sender, first.edited, first.source_id) == ("Ann Berg", True, "100")
    assert first.text == "@Bo has it: [key.jpg](/user_uploads/2/ab/c/key.jpg)"
    assert first.reactions == (Reaction(":key:", "Bo"),)
    assert first.attachments == (Attachment("key.jpg", "photo"),)


def test_zulip_without_its_list_of_people_says_what_to_import(tmp_path: Path) -> None:
    folder = zulip_export(tmp_path / "export", {"sender": 1, "recipient": 17, "content": "hi"})
    (folder / "realm.json").unlink()
    (export,) = exports(folder)
    assert export.chats[0].messages[0].sender == "1"
    assert "import the whole export" in export.notes[0]


# --- Element's text ---------------------------------------------------------------------------------


def test_element_text_has_replies_files_emotes_and_deleted_messages(read: Read) -> None:
    export = read(
        "12/03/2024, 18:04:00 - Ann Lee joined the room\n"
        '13/03/2024, 18:04:30 - Ann Lee changed the topic to "Boats: new".\n'
        "13/03/2024, 18:05:00 - Ann Lee: Who brings the key for the second boat house?\n"
        '13/03/2024, 18:06:00 - Ben: <@ann:matrix.org "Who brings the key for the second…"> I do\nat 7: sharp\n'
        "13/03/2024, 18:07:00 - Ann Lee sent an image. (Media omitted)\n"
        "13/03/2024, 18:07:30 - Ann Lee: plan.pdf (File Attached)\n"
        "13/03/2024, 18:08:00 - Ben: Message deleted\n"
        "13/03/2024, 18:09:00 - * Ann Lee waves back\n"
        "13/03/2024, 18:10:00 - Ben: <@eve:matrix.org> no\n",
        "matrix - Lake Trip - Chat Export - 2024-05-01T10-00-00.000Z.txt",
    )
    [chat] = export.chats
    assert (chat.platform, chat.title, chat.kind) == ("matrix", "Lake Trip", "direct")
    question, answer, photo, plan, deleted, waves, no = chat.messages
    assert (answer.sender, answer.text) == ("Ben", "I do\nat 7: sharp")
    assert answer.reply_to == question.source_id
    assert (photo.sender, photo.attachments) == ("Ann Lee", (Attachment("", "photo"),))
    assert (plan.kind, plan.attachments) == ("media", (Attachment("plan.pdf", "file"),))
    assert (deleted.sender, deleted.text, deleted.deleted) == ("Ben", "[deleted]", True)
    assert (waves.sender, waves.text) == ("Ann Lee", "waves back")
    assert (no.text, no.reply_to, no.sent_at) == ("no", None, datetime(2024, 3, 13, 18, 10))
    assert (export.system_lines, export.skipped) == (2, ())


def test_the_text_of_an_older_element_is_called_after_its_room(read: Read) -> None:
    said = "3/13/2024, 6:05:00 PM - Ann: hi\n3/13/2024, 6:06:00 PM - Ben sent a sticker. (File Attached)\n"
    [chat] = read(said, "matrix-Lake-Trip-export-3-13-2024.txt").chats
    assert (chat.title, [m.sender for m in chat.messages]) == ("Lake-Trip", ["Ann", "Ben"])


def test_a_chat_of_whatsapp_is_not_taken_for_one_of_element(read: Read) -> None:
    said = (
        "12/03/2024, 18:05 - Ben joined using this group's invite link\n"
        "12/03/2024, 18:05 - Ann: <Media omitted>\n"
        "12/03/2024, 18:06 - Ben: IMG-1.jpg (file attached)\n"
        "12/03/2024, 18:07 - Ann: I joined the room\n"
    )
    assert read(said).chats[0].platform == "whatsapp"
