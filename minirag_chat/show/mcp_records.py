"""What the tools for assistants take and give. Times are ISO wall-clock text, as they were sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from minirag_chat.records import Answer, Chat, Message, Person, Source

URI = "minirag-chat://message/"
_STRICT = ConfigDict(extra="forbid")

Day = Annotated[
    str | None, Field(description='A day as 2026-05-03, or words such as "last March".')
]


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """What a tool takes that needs no arguments."""

    __pydantic_config__ = _STRICT


@dataclass(frozen=True, kw_only=True)
class Which(Nothing):
    """Which messages to look at; all of them where nothing is given."""

    people: Annotated[
        list[str] | None, Field(description="Only messages by these people, by name.")
    ] = None
    chats: Annotated[list[str] | None, Field(description="Only these chats, by title.")] = None
    since: Day = None
    until: Day = None

    @property
    def filters(self) -> dict[str, Any]:
        """The same as the options of a question."""
        return {
            "people": self.people or None,
            "chats": self.chats or None,
            "since": self.since or None,
            "until": self.until or None,
        }


@dataclass(frozen=True, kw_only=True)
class AskInput(Which):
    """What ``ask`` takes."""

    question: Annotated[str, Field(description="One question in a sentence, with people's names.")]


@dataclass(frozen=True, kw_only=True)
class SearchInput(Which):
    """What ``search`` takes."""

    text: Annotated[str, Field(description="Words to look for in the messages.")]
    count: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 20


@dataclass(frozen=True, kw_only=True)
class ShowInput(Nothing):
    """What ``show`` takes."""

    message: Annotated[int, Field(description="The id of a message, as ask and search give it.")]
    around: Annotated[int, Field(ge=0, le=50, description="How many before and after it.")] = 5


@dataclass(frozen=True, kw_only=True)
class TimelineInput(Which):
    """What ``timeline`` takes."""

    unit: Annotated[
        Literal["day", "week", "month"], Field(description="The length of each period.")
    ] = "month"


@dataclass(frozen=True, kw_only=True)
class MessageOut:
    """A message; ``uri`` is its resource. A forwarded one is not in its sender's own words."""

    id: int
    uri: str
    chat: str
    sender: str
    sent_at: str
    text: str
    forwarded_from: str | None


@dataclass(frozen=True, kw_only=True)
class SourceOut(MessageOut):
    """A message that is cited: ``[number]`` in the answer, and the part of it that says so."""

    number: int
    quote: str


@dataclass(frozen=True, kw_only=True)
class AnswerOut:
    """An answer. Where ``abstained``, the messages do not state one; ``closest`` are the nearest."""

    text: str
    abstained: bool
    confidence: float
    reason: str | None
    note: str
    read_by: str
    sources: list[SourceOut]
    closest: list[SourceOut]


@dataclass(frozen=True, kw_only=True)
class MessagesOut:
    """Messages: the best first where they were searched, in their order in a conversation."""

    messages: list[MessageOut]


@dataclass(frozen=True, kw_only=True)
class PersonOut:
    """Somebody who wrote."""

    name: str
    spellings: list[str]
    messages: int


@dataclass(frozen=True, kw_only=True)
class PeopleOut:
    """Everyone who wrote."""

    people: list[PersonOut]


@dataclass(frozen=True, kw_only=True)
class ChatOut:
    """A chat."""

    title: str
    kind: str
    platform: str
    participants: list[str]
    messages: int
    first: str | None
    last: str | None


@dataclass(frozen=True, kw_only=True)
class ChatsOut:
    """All chats, the most recently active first."""

    chats: list[ChatOut]


@dataclass(frozen=True, kw_only=True)
class PeriodOut:
    """A day, week or month by its first day."""

    start: str
    messages: int
    people: int


@dataclass(frozen=True, kw_only=True)
class TimelineOut:
    """How much was written when."""

    unit: str
    periods: list[PeriodOut]


def message_out(message: Message) -> MessageOut:
    """A message as it is given."""
    return MessageOut(**_fields(message))


def source_out(source: Source) -> SourceOut:
    """A cited message as it is given."""
    return SourceOut(number=source.number, quote=source.quote, **_fields(source.message))


def answer_out(answer: Answer) -> AnswerOut:
    """An answer as it is given."""
    return AnswerOut(
        text=answer.text,
        abstained=answer.abstained,
        confidence=answer.confidence,
        reason=answer.reason,
        note=answer.note,
        read_by=answer.model,
        sources=[source_out(source) for source in answer.sources],
        closest=[source_out(source) for source in answer.closest],
    )


def person_out(person: Person) -> PersonOut:
    """A person as they are given."""
    return PersonOut(
        name=person.shown_name, spellings=list(person.spellings), messages=person.messages
    )


def chat_out(chat: Chat) -> ChatOut:
    """A chat as it is given."""
    return ChatOut(
        title=chat.title,
        kind=chat.kind,
        platform=chat.platform,
        participants=list(chat.participants),
        messages=chat.messages,
        first=_time(chat.first),
        last=_time(chat.last),
    )


def _fields(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "uri": f"{URI}{message.id}",
        "chat": message.chat,
        "sender": message.shown_sender,
        "sent_at": message.sent_at.isoformat(),
        "text": message.text,
        "forwarded_from": message.forwarded_from,
    }


def _time(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
