"""Telegram's JSON and plain tables, as they are written."""

from __future__ import annotations

import json
from typing import Any

from dialects.parts import Conversation, Files, lines, numbered, seconds, table


def _chat(talk: Conversation) -> dict[str, Any]:
    return {
        "name": "Ann Miller",
        "type": "personal_chat",
        "id": 7,
        "messages": [
            {"id": n, "type": "message", "date": t.isoformat(), "date_unixtime": str(seconds(t)),
             "from": who, "from_id": f"user{who}", "text": [{"type": "bold", "text": said[:1]}, said[1:]]}
            for n, (t, who, said) in numbered(talk)
        ],
    }  # fmt: skip


def telegram(talk: Conversation) -> Files:
    return {"ChatExport/result.json": json.dumps(_chat(talk), ensure_ascii=False, indent=1)}


def telegram_whole(talk: Conversation) -> Files:
    return {"DataExport/result.json": json.dumps({
        "about": "Here is the data you requested. Telegram is fast.",
        "chats": {"about": "", "list": [_chat(talk)]}, "left_chats": {"about": "", "list": []},
    })}  # fmt: skip


def csv_table(talk: Conversation) -> Files:
    rows: list[list[object]] = [[t.isoformat(), who, said, "Boats"] for t, who, said in talk]
    return {"messages.csv": table("sent_at,sender,text,chat", rows)}


def json_lines_table(talk: Conversation) -> Files:
    return {"messages.jsonl": lines([
        {"sent_at": t.isoformat(), "sender": who, "text": said, "chat": "Boats"} for t, who, said in talk
    ])}  # fmt: skip
