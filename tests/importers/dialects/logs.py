"""Logs of rooms and lists of a network's messages: IRC, Zoom, TikTok, LinkedIn."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime

from dialects.parts import Conversation, Files, numbered, table

_TO = {"Ann Miller": "Bob", "Bob": "Ann Miller"}


def irc(talk: Conversation) -> Files:
    """As ZNC and others write it; names with a space come from other networks. Pasted lines have no time."""
    lines = [f"[{talk[0][0]:%Y-%m-%d} 18:00:00] *** Joins: Bob (~b@example.org)"]
    lines += [
        f"[{t:%Y-%m-%d %H:%M:%S}] <{'@' * (who == 'Bob')}{who}> {said}" for t, who, said in talk
    ]
    return {"libera_#tea.log": "\n".join([*lines, ""])}


def _meetings(talk: Conversation, line: Callable[[datetime, str, str], str]) -> Files:
    """A meeting a day, each in a folder."""
    files: Files = {}
    for when, who, said in talk:
        name = f"{when:%Y-%m-%d} 18.00.00 Tea 81234567890/meeting_saved_chat.txt"
        files[name] = files.get(name, "") + line(when, who, said)
    return files


def zoom(talk: Conversation) -> Files:
    return _meetings(
        talk,
        lambda t, who, said: (
            f"{t:%H:%M:%S} From {who} to Everyone:\n\t" + said.replace("\n", "\n\t") + "\n"
        ),
    )


def zoom_old(talk: Conversation) -> Files:
    return _meetings(
        talk, lambda t, who, said: f"{t:%H:%M:%S}\t From  {who}  to  Everyone : {said}\n"
    )


def tinder(talk: Conversation) -> Files:
    """A download has only what its owner wrote; here the other one's messages are in it too."""
    said = [
        {"to": 0, "from": "You" if who == "Ann Miller" else who, "message": html.escape(said, quote=False),
         "sent_date": format_datetime(t.replace(tzinfo=UTC), usegmt=True)}
        for t, who, said in talk
    ]  # fmt: skip
    tree = {
        "Usage": {"app_opens": {"2021-12-31": 3}},
        "User": {"name": "Ann Miller"},
        "Messages": [{"match_id": "Match 1", "messages": said}],
    }
    return {"data.json": json.dumps(tree, ensure_ascii=False)}


def tiktok(talk: Conversation) -> Files:
    said = "".join(f"{t:%Y-%m-%d %H:%M:%S} UTC {who}: {said}\n" for t, who, said in reversed(talk))
    return {
        "TikTok/Direct Messages/Direct Messages.txt": f">>> Chat History with Bob::\n\n{said}\n"
    }


def linkedin(talk: Conversation) -> Files:
    header = (
        "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,"
        "FOLDER,ATTACHMENTS,IS MESSAGE DRAFT,IS CONVERSATION DRAFT"
    )
    return {"messages.csv": table(header, [
        ["2-abc==", "", who, "https://www.linkedin.com/in/x", _TO[who], "https://www.linkedin.com/in/y",
         f"{t:%Y-%m-%d %H:%M:%S} UTC", "", said, "INBOX", "", "No", "No"]
        for _, (t, who, said) in reversed(list(numbered(talk)))
    ])}  # fmt: skip


def headed_text(talk: Conversation) -> Files:
    """As exporters of WeChat write it."""
    return {
        "Bob.txt": "".join(f"{t:%Y-%m-%d %H:%M:%S} '{who}'\n{said}\n\n" for t, who, said in talk)
    }


def hinge(talk: Conversation) -> Files:
    """A download has no names, and only what its owner wrote."""
    return {"matches.json": json.dumps([
        {"like": [{"timestamp": "2021-12-30 10:00:00", "type": "like"}]},
        {"match": [{"timestamp": str(talk[0][0]), "type": "match"}],
         "chats": [{"body": said, "timestamp": str(t), "type": "chats"} for t, _, said in talk]},
    ])}  # fmt: skip
