"""The tools for assistants: name, input, output and function of each. All of them only read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Answer, Cancelled
from minirag_chat.show.mcp_records import (
    AnswerOut,
    AskInput,
    ChatsOut,
    MessagesOut,
    Nothing,
    PeopleOut,
    PeriodOut,
    SearchInput,
    ShowInput,
    TimelineInput,
    TimelineOut,
    answer_out,
    chat_out,
    message_out,
    person_out,
)


@dataclass(frozen=True, slots=True)
class Watch:
    """The caller of a tool: whether the call is cancelled, and where to report progress."""

    cancelled: Cancelled
    tell: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ToolCard:
    """A tool. ``run`` is called with the memory, the tool's input (``takes``) and its caller."""

    name: str
    title: str
    description: str
    takes: type
    gives: type
    run: Callable[[ChatMemory, Any, Watch], Any]


def _ask(memory: ChatMemory, arguments: AskInput, watch: Watch) -> AnswerOut:
    watch.tell("Looking for the messages that say so")
    options = {**arguments.filters, "history": (), "cancelled": watch.cancelled}
    with closing(memory.stream(arguments.question, **options)) as pieces:
        for piece in pieces:
            if isinstance(piece, Answer):
                return answer_out(piece)
            watch.tell(piece)
    raise TypeError("the stream ended without an answer")


def _search(memory: ChatMemory, arguments: SearchInput, _: Watch) -> MessagesOut:
    found = memory.search(arguments.text, arguments.count, **arguments.filters)
    return MessagesOut(messages=[message_out(item.message) for item in found])


def _show(memory: ChatMemory, arguments: ShowInput, _: Watch) -> MessagesOut:
    found = memory.conversation(arguments.message, arguments.around)
    return MessagesOut(messages=[message_out(message) for message in found])


def _people(memory: ChatMemory, _: Nothing, __: Watch) -> PeopleOut:
    return PeopleOut(people=[person_out(person) for person in memory.people()])


def _chats(memory: ChatMemory, _: Nothing, __: Watch) -> ChatsOut:
    return ChatsOut(chats=[chat_out(chat) for chat in memory.chats()])


def _timeline(memory: ChatMemory, arguments: TimelineInput, _: Watch) -> TimelineOut:
    found = memory.timeline(arguments.unit, **arguments.filters)
    periods = [
        PeriodOut(start=f"{p.start:%Y-%m-%d}", messages=p.messages, people=p.people)
        for p in found.periods
    ]
    return TimelineOut(unit=found.unit, periods=periods)


_CARDS = (
    ToolCard(
        "ask", "Ask the chats",
        "Answer one question from the user's own chat messages, read by a small model on their "
        "machine. Gives the answer with the messages that state it, or says that they do not state "
        "one. It may take seconds to minutes. Use people's names, never I or my.",
        AskInput, AnswerOut, _ask,
    ),
    ToolCard(
        "search", "Search the chats",
        "Find the user's chat messages by their words, best first. No model is used; it is quick.",
        SearchInput, MessagesOut, _search,
    ),
    ToolCard(
        "show", "Show a conversation",
        "Show a message with those before and after it in its chat.",
        ShowInput, MessagesOut, _show,
    ),
    ToolCard(
        "people", "People in the chats",
        "List everyone who wrote, with the spellings of their names and how much they wrote.",
        Nothing, PeopleOut, _people,
    ),
    ToolCard(
        "chats", "The chats",
        "List the chats with their participants, extent and app, the most recently active first.",
        Nothing, ChatsOut, _chats,
    ),
    ToolCard(
        "timeline", "When messages were written",
        "Count the messages of each day, week or month, of everybody or of some people and chats.",
        TimelineInput, TimelineOut, _timeline,
    ),
)  # fmt: skip
TOOLS: Mapping[str, ToolCard] = {card.name: card for card in _CARDS}
