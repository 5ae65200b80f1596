"""Conversations with assistants, as their exports are written. Ann is the owner, Bob the assistant."""

from __future__ import annotations

import json
from typing import Any

from dialects.parts import Conversation, Files, numbered, seconds


def _node(
    identity: str, parent: str | None, role: str, content: dict[str, Any], when: float | None
) -> dict[str, Any]:
    return {
        "id": identity, "parent": parent, "children": [],
        "message": {"id": identity, "author": {"role": role, "name": None, "metadata": {}},
                    "create_time": when, "content": content, "recipient": "all", "metadata": {}},
    }  # fmt: skip


def _text(said: str) -> dict[str, Any]:
    return {"content_type": "text", "parts": [said]}


def chatgpt_conversation(talk: Conversation) -> dict[str, Any]:
    root = {"id": "client-created-root", "message": None, "parent": None, "children": ["s"]}
    hidden = _text("You are a helpful assistant.")
    mapping = {
        "client-created-root": root,
        "s": _node("s", "client-created-root", "system", hidden, None),
    }
    last = "s"
    for n, (t, who, said) in numbered(talk):
        role = "user" if who == "Ann Miller" else "assistant"
        mapping[f"m{n}"] = _node(f"m{n}", last, role, _text(said), seconds(t) + 0.25)
        last = f"m{n}"
    return {"title": "Picnic", "create_time": seconds(talk[0][0]), "update_time": None,
            "mapping": mapping, "current_node": last, "conversation_id": "c-1", "id": "c-1"}  # fmt: skip


def chatgpt(talk: Conversation) -> Files:
    return {"conversations.json": json.dumps([chatgpt_conversation(talk)])}


def chatgpt_parts(talk: Conversation) -> Files:
    """As since 2026, in numbered files, with branches beside the one that is shown."""
    found = chatgpt_conversation(talk)
    first = next(key for key in found["mapping"] if key.startswith("m"))
    found["mapping"] |= {
        "b1": _node("b1", "s", "user", _text("an older wording"), 1640000000),
        "b2": _node("b2", "b1", "assistant", _text("an older answer"), 1640000001),
        "b3": _node("b3", first, "tool", _text('{"result": 1}'), 1640000002),
    }
    return {
        "conversations-000.json": json.dumps([found], ensure_ascii=False, indent=1),
        "user.json": json.dumps({"id": "user-1", "email": "ann@example.org"}),
    }


def _claude_message(number: int, when: str, who: str, said: str) -> dict[str, Any]:
    return {"uuid": f"m{number}", "text": "", "sender": "human" if who == "Ann Miller" else "assistant",
            "content": [{"type": "text", "text": said, "citations": []}],
            "created_at": when, "updated_at": when, "attachments": [], "files": []}  # fmt: skip


def claude(talk: Conversation, *, users: bool = False) -> Files:
    messages = [
        _claude_message(n, f"{t.isoformat()}.250000Z", who, said)
        for n, (t, who, said) in numbered(talk)
    ]
    files = {"conversations.json": json.dumps([
        {"uuid": "c-1", "name": "Picnic", "created_at": "2021-12-31T18:00:00Z",
         "account": {"uuid": "a-1"}, "chat_messages": messages},
    ])}  # fmt: skip
    if users:
        files["users.json"] = json.dumps([{"uuid": "a-1", "full_name": "Ann Miller"}])
    return files


def claude_old(talk: Conversation) -> Files:
    """As until 2024, without blocks of content."""
    files = claude(talk)
    [found] = json.loads(files["conversations.json"])
    for message in found["chat_messages"]:
        [block] = message.pop("content")
        message["text"] = block["text"]
    return {"conversations.json": json.dumps([found])}


def claude_branches(talk: Conversation) -> Files:
    """As it is where messages name their parents; an older wording stands beside the first one."""
    files = claude(talk, users=True)
    [found] = json.loads(files["conversations.json"])
    messages, parent = found["chat_messages"], "00000000-0000-4000-8000-000000000000"
    older = _claude_message(99, "2021-12-31T18:00:00Z", "Ann Miller", "an older wording")
    for message in messages:
        message["parent_message_uuid"], parent = parent, message["uuid"]
        del message["text"]
        message["content"].insert(0, {"type": "thinking", "thinking": "a picnic, then"})
    messages.insert(0, older | {"parent_message_uuid": messages[0]["parent_message_uuid"]})
    return files | {"conversations.json": json.dumps([found])}
