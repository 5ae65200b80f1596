"""Hangouts, GroupMe and Snapchat: attachments, replies, reactions, names and what the services wrote."""

from __future__ import annotations

import json
from collections.abc import Callable

from dialects import messages

from minirag_chat.records import Attachment, ParsedExport, Reaction

Read = Callable[..., ParsedExport]


def test_hangouts(read: Read) -> None:
    people = [{"id": {"gaia_id": "1"}, "fallback_name": "Ann"}, {"id": {"gaia_id": "2"}}]
    about = {"id": {"id": "Ugx"}, "type": "GROUP", "name": "Trip", "participant_data": people}
    photo = {"embed_item": {"type": ["PLUS_PHOTO"]}}
    start = {"sender_id": {"gaia_id": "1"}, "timestamp": "1640973900000000"}

    def event(**more: object) -> dict[str, object]:
        return {**start, "event_type": "REGULAR_CHAT_MESSAGE", **more}

    link = [{"type": "TEXT", "text": "see "}, {"type": "LINK", "text": "example.org"}]
    export = read(json.dumps({"conversations": [{
        "conversation": {"conversation": about},
        "events": [
            event(chat_message={"message_content": {"segment": link}}),
            event(chat_message={"message_content": {"attachment": [photo]}}, sender_id={"gaia_id": "2"}),
            {**start, "event_type": "RENAME_CONVERSATION", "conversation_rename": {"new_name": "Trip"}},
            {**start, "event_type": "HANGOUT_EVENT"},
        ],
    }]}))  # fmt: skip
    said, sent = messages(export)
    assert (said.sender, said.text, said.sent_at.year) == ("Ann", "see example.org", 2021)
    assert (sent.sender, sent.attachments) == ("2", (Attachment("", "photo"),))
    assert export.system_lines == 2
    assert (export.chats[0].title, export.chats[0].kind) == ("Trip", "group")


def test_groupme(read: Read) -> None:
    def said(number: int, text: str | None, **more: object) -> dict[str, object]:
        return {"id": str(number), "created_at": 1640973900 + number, "name": "Ann", "sender_id": "1",
                "sender_type": "user", "source_guid": f"g{number}", "text": text, **more}  # fmt: skip

    answer = {"type": "reply", "reply_id": "1", "base_reply_id": "1"}
    export = read(json.dumps([
        said(3, "Ann added Bob to the group.", sender_type="system", system=True),
        said(2, "me too", attachments=[answer], name="Bob"),
        said(1, None, attachments=[{"type": "image", "url": "https://i.example.org/1"}], favorited_by=["2"]),
    ]))  # fmt: skip
    photo, reply = messages(export)
    assert photo.attachments == (Attachment("", "photo"),)
    assert photo.reactions == (Reaction("❤️"),)
    assert (reply.sender, reply.reply_to) == ("Bob", photo.source_id)
    assert export.system_lines == 1


def test_snapchat(read: Read) -> None:
    def said(
        sender: str, kind: str, text: str | None, minute: int, title: str | None = None
    ) -> dict[str, object]:
        return {"From": sender, "Media Type": kind, "Created": f"2023-03-04 12:{minute:02}:00 UTC",
                "Content": text, "Conversation Title": title, "IsSender": sender == "me.me"}  # fmt: skip

    export = read(json.dumps({
        "ann": [said("me.me", "MEDIA", None, 2), said("ann", "TEXT", "hi", 1), said("ann", "STATUSERASEDMESSAGE", "", 0)],
        "8a-group": [said("cy", "TEXT", "who is in?", 5, "Lake")],
    }))  # fmt: skip
    direct, group = export.chats
    assert [(m.sender, m.text) for m in direct.messages] == [
        ("ann", "hi"),
        ("Me", "[photo or video]"),
    ]
    assert (direct.title, direct.kind, group.title, group.kind) == (
        "ann",
        "direct",
        "Lake",
        "group",
    )
    assert export.system_lines == 1
