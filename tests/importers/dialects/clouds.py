"""Hangouts, GroupMe and Snapchat, as they are written."""

from __future__ import annotations

import json
from typing import Any

from dialects.parts import IDS, Conversation, Files, numbered, seconds


def _said(text: str) -> list[dict[str, Any]]:
    """Hangouts' segments: a line break is one of its own."""
    parts: list[dict[str, Any]] = []
    for number, line in enumerate(text.split("\n")):
        parts += [{"type": "LINE_BREAK", "text": "\n"}] * (number > 0) + [
            {"type": "TEXT", "text": line}
        ]
    return parts  # fmt: skip


def _conversation() -> dict[str, Any]:
    people = [{"id": {"gaia_id": i, "chat_id": i}, "fallback_name": who} for who, i in IDS.items()]
    return {"id": {"id": "Ugx1"}, "type": "STICKY_ONE_TO_ONE", "participant_data": people}


def _events(talk: Conversation) -> list[dict[str, Any]]:
    return [
        {"conversation_id": {"id": "Ugx1"}, "sender_id": {"gaia_id": IDS[who], "chat_id": IDS[who]},
         "timestamp": str(seconds(t) * 1_000_000), "event_id": f"7-H0Z{n}", "event_type": "REGULAR_CHAT_MESSAGE",
         "chat_message": {"message_content": {"segment": _said(said)}}}
        for n, (t, who, said) in numbered(talk)
    ]  # fmt: skip


def hangouts(talk: Conversation) -> Files:
    found = {
        "conversation": {"conversation_id": {"id": "Ugx1"}, "conversation": _conversation()},
        "events": _events(talk),
    }
    return {"Hangouts/Hangouts.json": json.dumps({"conversations": [found]}, ensure_ascii=False)}  # fmt: skip


def hangouts_old(talk: Conversation) -> Files:
    state = {
        "conversation_id": {"id": "Ugx1"},
        "conversation": _conversation(),
        "event": _events(talk),
    }
    whole = {"continuation_end_timestamp": "0", "conversation_state": [
        {"conversation_id": {"id": "Ugx1"}, "response_header": {"status": "OK"}, "conversation_state": state}
    ]}  # fmt: skip
    return {"Hangouts/Hangouts.json": json.dumps(whole, ensure_ascii=False)}


def groupme(talk: Conversation) -> Files:
    members = [{"user_id": i, "nickname": who} for who, i in IDS.items()]
    return {
        "9001/message.json": json.dumps([
            {"attachments": [], "avatar_url": None, "created_at": seconds(t), "favorited_by": [], "group_id": "9001",
             "id": f"16{n}", "name": who, "sender_id": IDS[who], "sender_type": "user", "source_guid": f"g{n}",
             "system": False, "text": said, "user_id": IDS[who]}
            for n, (t, who, said) in reversed(list(numbered(talk)))
        ], ensure_ascii=False),
        "9001/conversation.json": json.dumps({"id": "9001", "name": "Tea", "members": members}),
    }  # fmt: skip


def _friends() -> Files:
    account = {"Basic Information": {"Username": "bob_b", "Name": "Bob"}}
    friends = {
        "Friends": [{"Username": "ann.m", "Display Name": "Ann Miller"}],
        "Deleted Friends": [],
    }
    return {"json/account.json": json.dumps(account), "json/friends.json": json.dumps(friends)}


USERNAMES = {"Ann Miller": "ann.m", "Bob": "bob_b"}


def snapchat(talk: Conversation) -> Files:
    said = [
        {"From": USERNAMES[who], "Media Type": "TEXT", "Created": f"{t:%Y-%m-%d %H:%M:%S} UTC", "Content": said,
         "Conversation Title": None, "IsSender": who == "Bob", "Created(microseconds)": seconds(t) * 1000,
         "IsSaved": False, "Media IDs": ""}
        for t, who, said in reversed(talk)
    ]  # fmt: skip
    return {"json/chat_history.json": json.dumps({"ann.m": said}, ensure_ascii=False)} | _friends()


def snapchat_old(talk: Conversation) -> Files:
    lists: dict[str, list[dict[str, str]]] = {}
    for t, who, said in reversed(talk):
        sent = who == "Bob"
        row = {
            "To" if sent else "From": "ann.m",
            "Media Type": "TEXT",
            "Created": f"{t:%Y-%m-%d %H:%M:%S} UTC",
            "Text": said,
        }
        lists.setdefault(f"{'Sent' if sent else 'Received'} Saved Chat History", []).append(row)
    return {"json/chat_history.json": json.dumps(lists, ensure_ascii=False)} | _friends()  # fmt: skip


def x_archive(talk: Conversation) -> Files:
    """The archive of Bob, who mentioned Ann Miller once."""
    sent = [
        {"messageCreate": {"recipientId": IDS["Bob" if who == "Ann Miller" else "Ann Miller"], "reactions": [],
                           "urls": [], "text": said, "mediaUrls": [], "senderId": IDS[who], "id": f"90{n}",
                           "createdAt": f"{t.isoformat()}.250Z"}}
        for n, (t, who, said) in reversed(list(numbered(talk)))
    ]  # fmt: skip
    mention = {"name": "Ann Miller", "screen_name": "ann_m", "id_str": IDS["Ann Miller"]}
    parts: dict[str, Any] = {
        "direct-messages": {"dmConversation": {"conversationId": "1001-1002", "messages": sent}},
        "account": {"account": {"accountId": IDS["Bob"], "username": "bob_b", "accountDisplayName": "Bob"}},
        "tweets": {"tweet": {"id_str": "7", "full_text": "@ann_m hi", "entities": {"user_mentions": [mention]}}},
    }  # fmt: skip
    return {
        f"data/{name}.js": f"window.YTD.{name.replace('-', '_')}.part0 = "
        + json.dumps([part], ensure_ascii=False)
        for name, part in parts.items()
    }
