"""Reads JSON files of one chat: an object with ``messages`` and facts about it, or a list of messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.jsonwalk import place
from minirag_chat.importers.kinds import chat_kind
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.records import ChatKind, ParsedChat, ParsedMessage


def one_chat(
    context: ImportContext,
    read: Callable[[str, Mapping[str, Any]], ParsedMessage | None],
    describe: Callable[[Mapping[str, Any]], ParsedChat],
    *,
    newest_first: bool = False,
) -> Iterator[ParsedChat]:
    """Yield the chat of the file, in pieces, as :func:`one_chat_in_pieces` does.

    ``read`` returns the message of an object at a place such as ``messages.17``, or None if it recorded it as
    skipped; ``describe`` makes the chat without messages from the object's other keys.
    """
    facts: dict[str, Any] = {}
    messages = (read(where, raw) for where, raw in messages_of(context, facts))
    return one_chat_in_pieces(messages, lambda: describe(facts), newest_first=newest_first)


def listed(context: ImportContext) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a file that is one list, each with its place such as ``message 17``."""
    for path, value in context.values(lambda path: path == ()):
        if not path:
            context.skip("the file is not a JSON list")
        elif isinstance(value, dict):
            yield f"message {place(path)}", value
        else:
            context.skip(f"message {place(path)} is not an object")


def kind_by(participants: object) -> ChatKind | None:
    """The kind of a chat by the list of its participants; None without a list."""
    count = len(participants) if isinstance(participants, list) else 0
    return chat_kind(count) if count else None


def messages_of(
    context: ImportContext, facts: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects in ``messages``, each with its place such as ``messages.17``.

    The object's other keys are put into ``facts`` as they come.
    """
    read_any = False
    for path, value in context.values(lambda path: path in ((), ("messages",))):
        if len(path) == 1:
            facts[str(path[0])] = value
        elif not path:
            context.skip("the file is not a JSON object with `messages`")
            return
        else:
            read_any = True
            where = place(("messages", path[1]))
            if isinstance(value, dict):
                yield where, value
            else:
                context.skip(f"{where} is not an object")
    if not read_any and context.damage is None:
        context.skip("there are no `messages` in it")
