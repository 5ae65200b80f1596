"""Reads the JSON of slackdump, a free program: a file for each Slack chat or thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from minirag_chat.importers.base import Importer, Sample, as_text, json_mismatch, objects
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.one_object import messages_of
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.importers.slack import STAMP, TYPE, Slack, message_of, read_workspace
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ChatKind, ParsedChat, ParsedMessage

_MESSAGES = lazy(r'"messages"\s*:\s*\[')
_REPLIES = "slackdump_thread_replies"
_KINDS: Mapping[str, ChatKind] = {"C": "group", "G": "group", "D": "direct"}  # by an id's letter


class SlackDump(Importer):
    """The importer for slackdump's JSON, in which the replies of a thread are in its first message."""

    name = "slackdump"
    title = "Slack (slackdump JSON)"
    files = "C0123456789.json, one per chat, or the zip or folder of them"
    how = (
        "slackdump, a free program, reads what your own account sees: `slackdump dump ID`. With Slack's list "
        "of users beside the files, as users.json, people have their names; `slackdump export` makes a "
        "folder as Slack's own export is."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None for an object with a list of messages that have Slack's time stamps."""
        fields = (_MESSAGES, STAMP, TYPE)
        return json_mismatch(sample, "{", fields, "it has no `messages` with a `ts`")

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file."""
        facts: dict[str, Any] = {}
        return one_chat_in_pieces(_messages(context, facts), lambda: _chat(facts, context))


def _chat(facts: Mapping[str, Any], context: ImportContext) -> ParsedChat:
    key, name = as_text(facts.get("channel_id")), as_text(facts.get("name"))
    return context.chat(Slack.name, key=key, title=name, kind=_KINDS.get(key[:1]))


def _messages(context: ImportContext, facts: dict[str, Any]) -> Iterator[ParsedMessage | None]:
    """Yield each message and the replies in it; of a reply that the chat shows too, only the first."""
    here = context.file.inside.rpartition("/")[0]
    space = context.file.folder.once(
        f"slackdump {here}", lambda: read_workspace(context.file, context.options)
    )
    if not space.names:
        context.notes.append(
            "Slack's list of users is not beside the messages: people whose name is not in them have their "
            "ids as names; put it there as users.json."
        )
    shown_twice: set[str] = set()
    for where, raw in messages_of(context, facts):
        for item in (raw, *_replies(raw)):
            stamp = as_text(item.get("ts"))
            if item.get("subtype") == "thread_broadcast":
                if stamp in shown_twice:
                    continue
                shown_twice.add(stamp)
            yield message_of(where, item, context, space)


def _replies(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the replies in the first message of a thread, without that message itself."""
    first = as_text(raw.get("ts"))
    for reply in objects(raw.get(_REPLIES)):
        if as_text(reply.get("ts")) != first:
            yield {"thread_ts": first, **reply}
