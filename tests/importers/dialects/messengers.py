"""Signal, Discord, Slack, Messenger and Instagram, as their exports are written."""

from __future__ import annotations

import html
import json
from datetime import datetime
from typing import Any

from dialects.parts import IDS, Conversation, Files, lines, mojibake, numbered, seconds


def signal_markdown(talk: Conversation) -> Files:
    text = "\n".join(f"[{t:%Y-%m-%d, %H:%M}] {who}: {said}\n" for t, who, said in talk)
    return {"Ann/chat.md": text}


def signal_markdown_seconds(talk: Conversation) -> Files:
    text = "\n".join(f"[{t:%Y-%m-%d %H:%M:%S}] {who}: {said}\n" for t, who, said in talk)
    return {"Ann/chat.md": text}


def signal_markdown_breaks(talk: Conversation) -> Files:
    """Two spaces, Markdown's break of a line, are all that stands between its messages."""
    text = "".join(f"[{t:%Y-%m-%d %H:%M:%S}] {who}: {said}  \n" for t, who, said in talk)
    return {"Ann/chat.md": text}


def signal_json(talk: Conversation) -> Files:
    return {"Ann/data.json": lines([
        {"date": t.isoformat(), "sender": who, "body": said, "quote": "", "sticker": None,
         "reactions": [], "attachments": []} for t, who, said in talk
    ])}  # fmt: skip


def signal_app(talk: Conversation) -> Files:
    head: list[dict[str, Any]] = [
        {"version": "1", "backupTimeMs": "1700000000000"},
        {"account": {"givenName": "Bob"}},
        {"recipient": {"id": "1001", "contact": {"systemGivenName": "Ann", "systemFamilyName": "Miller"}}},
        {"recipient": {"id": "1002", "contact": {"profileGivenName": "Bob"}}},
        {"chat": {"id": "7", "recipientId": "1001"}},
    ]  # fmt: skip
    items = [
        {"chatItem": {"chatId": "7", "authorId": IDS[who], "dateSent": str(seconds(t) * 1000),
                      "incoming": {}, "standardMessage": {"text": {"body": said}}}}
        for t, who, said in talk
    ]  # fmt: skip
    return {"export/main.jsonl": lines([*head, *items]), "export/metadata.json": "{}"}


# --- Discord and Slack ----------------------------------------------------------------------


def discord(talk: Conversation, zone: str = "+00:00", *, nickname: bool = True) -> Files:
    return {"Server - general.json": json.dumps({
        "guild": {"id": "0", "name": "Direct Messages"},
        "channel": {"id": "77", "type": "DirectTextChat", "name": "Ann"},
        "messages": [
            {"id": str(n), "type": "Default", "timestamp": f"{t.isoformat()}.123{zone}",
             "content": said, "author": {"id": IDS[who], "name": who if not nickname else who.lower(),
                                         "nickname": who if nickname else None}, "attachments": []}
            for n, (t, who, said) in numbered(talk)
        ],
    }, indent=2)}  # fmt: skip


def discord_without_nickname(talk: Conversation) -> Files:
    return discord(talk, nickname=False)


def slack(talk: Conversation, people: str = "users.json", folder: str = "general") -> Files:
    users = [
        {"id": f"U{IDS[who]}", "name": who.lower(), "profile": {"real_name": who}} for who in IDS
    ]
    files = {people: json.dumps(users), "channels.json": json.dumps([{"id": "C1", "name": "general"}]),
             "dms.json": json.dumps([{"id": "D1", "members": ["U1001", "U1002"]}])}  # fmt: skip
    for day in {t.date() for t, _, _ in talk}:
        files[f"{folder}/{day}.json"] = json.dumps([
            {"type": "message", "user": f"U{IDS[who]}", "ts": f"{seconds(t)}.000200",
             "text": html.escape(said, quote=False).replace("https://example.org/?a=1:2", "<https://example.org/?a=1:2>")}
            for t, who, said in talk if t.date() == day
        ])  # fmt: skip
    return files


def slack_direct(talk: Conversation) -> Files:
    return slack(talk, "org_users.json", "D1")


def slackdump(talk: Conversation) -> Files:
    users = [
        {"id": f"U{IDS[who]}", "name": who.lower(), "profile": {"real_name": who}} for who in IDS
    ]
    messages = [
        {"type": "message", "user": f"U{IDS[who]}", "ts": f"{seconds(t)}.000200",
         "text": html.escape(said, quote=False)}
        for t, who, said in talk
    ]  # fmt: skip
    dump = {"name": "general", "messages": messages, "channel_id": "C1"}
    return {"C1.json": json.dumps(dump), "users.json": json.dumps(users)}


# --- Messenger, Instagram -------------------------------------------------------------------


def messenger(talk: Conversation) -> Files:
    return {"inbox/ann_1/message_1.json": json.dumps({
        "participants": [{"name": mojibake(who)} for who in IDS],
        "messages": [
            {"sender_name": mojibake(who), "timestamp_ms": seconds(t) * 1000, "content": mojibake(said)}
            for t, who, said in reversed(talk)
        ],
        "title": "Ann Miller", "thread_path": "inbox/ann_1",
    })}  # fmt: skip


def messenger_two_files(talk: Conversation) -> Files:
    newer, older = messenger(talk[2:]), messenger(talk[:2])
    return {"inbox/ann_1/message_1.json": next(iter(newer.values())),
            "inbox/ann_1/message_2.json": next(iter(older.values()))}  # fmt: skip


def messenger_already_repaired(talk: Conversation) -> Files:
    text = next(iter(messenger(talk).values()))
    fixed = json.dumps(json.loads(text, object_hook=_repair_all), ensure_ascii=False)
    return {"message_1.json": fixed}


def _repair_all(found: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value.encode("latin-1").decode() if isinstance(value, str) else value
        for key, value in found.items()
    }


def messenger_e2ee(talk: Conversation) -> Files:
    return {"Ann Miller_12.json": json.dumps({
        "participants": list(IDS), "threadName": "Ann Miller_12",
        "messages": [
            {"isUnsent": False, "media": [], "reactions": [], "senderName": who, "text": said,
             "timestamp": seconds(t) * 1000, "type": "text"} for t, who, said in talk
        ],
    }, ensure_ascii=False)}  # fmt: skip


def discord_text(talk: Conversation) -> Files:
    rule = "=" * 62
    head = f"{rule}\nGuild: Pond\nChannel: Text / tea\n{rule}\n\n"
    return {"Pond - Text - tea [900001].txt": (
        head + "".join(f"[{t:%-m/%-d/%Y %-I:%M %p}] {who}\n{said}\n\n" for t, who, said in talk)
        + f"{rule}\nExported {len(talk)} message(s)\n{rule}\n"
    )}  # fmt: skip


# --- programs that read an app's own storage ---------------------------------------------------


def whatsapp_json(talk: Conversation) -> Files:
    def message(n: int, when: datetime, who: str, said: str) -> dict[str, Any]:
        return {"from_me": False, "timestamp": seconds(when), "time": f"{when:%H:%M}", "media": False, "key_id": f"K{n}",
                "meta": False, "data": said.replace("\n", " <br>"), "sender": who, "safe": False, "mime": None,
                "reply": None, "quoted_data": None, "caption": None, "thumb": None, "sticker": False}  # fmt: skip

    return {"result.json": json.dumps({
        "447700900123@s.whatsapp.net": {"name": "Cy", "type": "android", "status": None, "messages": {}},
        "12345@g.us": {"name": "Picnic", "type": "android", "status": None,
                       "messages": {str(n): message(n, *sent) for n, sent in numbered(talk)}},
    })}  # fmt: skip


def sigtop(talk: Conversation) -> Files:
    said = "".join(
        f"From: {who} (+4477009{IDS[who]})\nType: incoming\nSent: {t:%a}, {t.day} {t:%b %Y %H:%M:%S} +0000\n"
        f"Received: {t:%a}, {t.day} {t:%b %Y %H:%M:%S} +0000\n\n{said}\n\n"
        for t, who, said in talk
    )
    return {"Picnic (group).txt": f"Conversation: Picnic (group)\n\n{said}"}


def sigtop_short(talk: Conversation) -> Files:
    """Messages of the owner's are by You; here the file begins with what Signal tells the owner."""
    notice = f"{talk[0][0]:%Y-%m-%d %H:%M} You: [group-v2-change message]\n"
    said = (f"{t:%Y-%m-%d %H:%M} {who}: {said}\n" for t, who, said in talk)
    return {"Picnic (group).txt": "".join([notice, *said])}
