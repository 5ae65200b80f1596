"""Matrix rooms as Element exports them, and chats of a personal Microsoft account."""

from __future__ import annotations

import html
import json
from datetime import datetime
from typing import Any

from dialects.parts import IDS, Conversation, Files, lines, numbered, seconds


def _event(identity: str, when: int, sender: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "sender": f"@{sender}:example.org", "content": {}, "room_id": "!room:example.org",
            "origin_server_ts": when * 1000 + 250, "event_id": f"${identity}", **more}  # fmt: skip


def matrix_events(talk: Conversation) -> list[dict[str, Any]]:
    begun = seconds(talk[0][0]) - 60
    members = [
        _event(f"join{IDS[who]}", begun, f"user{IDS[who]}", "m.room.member", state_key=f"@user{IDS[who]}:example.org",
               content={"membership": "join", "displayname": who})
        for who in IDS
    ]  # fmt: skip
    return members + [
        _event(f"m{n}", seconds(t), f"user{IDS[who]}", "m.room.message", content={"msgtype": "m.text", "body": said})
        for n, (t, who, said) in numbered(talk)
    ]  # fmt: skip


def matrix(talk: Conversation) -> Files:
    return {"matrix - Picnic - Chat Export.json": json.dumps({
        "room_name": "Picnic", "room_creator": "@user1001:example.org", "topic": "", "export_date": "1/14/2022",
        "exported_by": "Ann Miller", "messages": matrix_events(talk),
    }, indent=4)}  # fmt: skip


def matrix_list(talk: Conversation) -> Files:
    """A plain list of events, in which the first message was edited and another one has a reaction."""
    events = matrix_events(talk)
    first = next(event for event in events if event["type"] == "m.room.message")
    said = first["content"]["body"]
    first["content"] = {"msgtype": "m.text", "body": "an older wording"}
    relation = {"rel_type": "m.replace", "event_id": first["event_id"]}
    events.append(first | {
        "event_id": f"${first['event_id']}e", "origin_server_ts": first["origin_server_ts"] + 5000,
        "content": {"msgtype": "m.text", "body": f"* {said}", "m.relates_to": relation,
                    "m.new_content": {"msgtype": "m.text", "body": said}},
    })  # fmt: skip
    return {"events.json": json.dumps(events, ensure_ascii=False)}


def matrix_text(talk: Conversation) -> Files:
    begun = talk[0][0]
    joined = [f"{begun:%d/%m/%Y, %H:%M:%S} - {who} joined the room\n" for who in IDS]
    said = [f"{t:%d/%m/%Y, %H:%M:%S} - {who}: {said}\n" for t, who, said in talk]
    return {
        "matrix - Picnic - Chat Export - 2022-01-14T10-00-00.000Z.txt": "".join([*joined, *said])
    }


def teams(talk: Conversation, kind: str = "Text") -> Files:
    def content(said: str) -> str:
        return said if kind == "Text" else html.escape(said).replace("\n", "<br/>")

    return {"messages.json": json.dumps({
        "userId": "8:live:ann", "exportDate": "2022-01-14T10:00", "conversations": [{
            "id": "8:live:bob", "displayName": "Bob", "version": 1640000000000,
            "properties": {"conversationblocked": False}, "threadProperties": None,
            "MessageList": [
                {"id": f"16400000{n:05}", "displayName": who, "originalarrivaltime": f"{t.isoformat()}.25Z",
                 "messagetype": kind, "version": 1640000000000 + n, "content": content(said),
                 "conversationid": "8:live:bob", "from": "8:live:ann" if who == "Ann Miller" else "8:live:bob",
                 "properties": None, "amsreferences": None}
                for n, (t, who, said) in reversed(list(numbered(talk)))
            ],
        }],
    }, ensure_ascii=False)}  # fmt: skip


def teams_html(talk: Conversation) -> Files:
    return teams(talk, "RichText/Html")


def skype(talk: Conversation) -> Files:
    """Skype's markup keeps line breaks as they are."""
    files = teams(talk, "RichText")
    return {name: text.replace("<br/>", r"\n") for name, text in files.items()}


_USERNAMES = {"Ann Miller": "ann.m", "Bob": "bob_b"}


def _mattermost(said: list[dict[str, Any]]) -> Files:
    users = [
        {"username": "ann.m", "email": "a@example.org", "first_name": "Ann", "last_name": "Miller"},
        {"username": "bob_b", "email": "b@example.org", "nickname": "Bob", "first_name": ""},
    ]
    return {"bulk.jsonl": lines([
        {"type": "version", "version": 1},
        *({"type": "user", "user": user} for user in users),
        *said,
    ])}  # fmt: skip


def _post(when: datetime, who: str, said: str) -> dict[str, Any]:
    return {"user": _USERNAMES[who], "message": said, "create_at": seconds(when) * 1000,
            "reactions": None, "replies": None, "attachments": None}  # fmt: skip


def zulip(talk: Conversation) -> Files:
    ids = {who: int(number) for who, number in IDS.items()}
    people = [
        {"id": number, "full_name": who, "email": f"{number}@example.org"}
        for who, number in ids.items()
    ]
    return {
        "realm.json": json.dumps({
            "zerver_userprofile": people,
            "zerver_recipient": [{"id": 10 + who["id"], "type": 1, "type_id": who["id"]} for who in people],
        }),
        "messages-000001.json": json.dumps({
            "zerver_message": [
                {"id": n, "sender": ids[who], "recipient": 10 + sum(ids.values()) - ids[who], "subject": "",
                 "content": said, "rendered_content": None, "date_sent": seconds(t) + 0.25, "last_edit_time": None}
                for n, (t, who, said) in numbered(talk)
            ],
            "zerver_usermessage": [],
        }, ensure_ascii=False),
    }  # fmt: skip


def mattermost(talk: Conversation) -> Files:
    both = {"channel_members": ["bob_b", "ann.m"]}
    return _mattermost(
        [{"type": "direct_post", "direct_post": _post(*message) | both} for message in talk]
    )


def rocket_chat(talk: Conversation) -> Files:
    return {"picnic.json": lines([
        {"msg": said, "username": who, "ts": f"{t.isoformat()}.000Z", "attachments": []} for t, who, said in talk
    ])}  # fmt: skip


def rocket_chat_list(talk: Conversation) -> Files:
    """Messages as MongoDB exports them."""
    return {"messages.json": json.dumps([
        {"_id": f"m{n}", "rid": "GENERAL", "msg": said, "ts": {"$date": f"{t.isoformat()}.000Z"},
         "u": {"_id": IDS[who], "username": f"user{IDS[who]}", "name": who}, "md": []}
        for n, (t, who, said) in numbered(talk)
    ])}  # fmt: skip
