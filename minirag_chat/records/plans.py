"""The plan of a question: which of five ways answers it. It is made before retrieval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minirag_chat.records.questions import Question, Shape

Extreme = Literal["first", "last"]
AskedFor = Literal[
    "count", "share",  # how many messages, and which share of all
    "average", "days", "streak",  # messages a day or month; days with a message; most of these in a row
    "words",  # that somebody wrote
    "writers", "members", "silent",  # who wrote most; who is in a chat; who wrote nothing
    "leaders", "difference",  # who wrote most in each chat; how many more one of two wrote than the other
    "days without",  # on how many days somebody wrote nothing
    "partners", "addressees",  # with whom somebody has most messages in chats of two, and to whom
    "begins", "latest",  # who begins conversations; who wrote latest at night
    "asker", "date",  # who asks; which day of the calendar a time is
    "message", "length", "mean length",  # the first or last one; the longest one; who writes long ones
    "times", "when", "silence",  # those with most messages; the days of somebody; the longest gap
    "replies",  # how long they take
    "chats", "sizes",  # which chats there are; which has most messages
    "first messages", "quiet", "unwritten",  # whose is the oldest; whose last is, or the asker's to whom
    "unanswered", "not answered", "answered",  # by the asker; by others; by one of two
    "emoji", "words used",  # which are used most
]  # fmt: skip
End = Literal[
    "most", "fewest", "first", "last", "fastest", "slowest", "longest", "shortest", "oldest", "newest",
]  # fmt: skip
FileKind = Literal[
    "photo", "video", "video message", "voice note", "audio file", "sticker", "gif", "file", "link", "emoji",
    "heart", "question",
]  # fmt: skip
Mark = Literal["deleted", "edited", "forwarded", "reaction", "reacted", "call"]
"""What exports mark messages with: "reaction" by whom they got, "reacted" by who gave them.

A call is no message, and not kept.
"""
MOST_LISTED = 20  # messages that one answer lists
TimeUnit = Literal["hour", "weekday", "day", "week", "month", "year"]
AnswerAspect = Literal["sources", "list", "certainty", "context", "others"]
"""What is asked about the answer before: its messages (who wrote them, when, in which chat), or all that it
counts, how sure it is, what was written around them, or others, since it is not what was asked for."""

ProgramTopic = Literal[
    "model", "data", "private", "delete", "import", "formats", "languages", "certainty",
]  # fmt: skip
"""What is asked about the program itself: which model reads, where the messages lie, how to delete them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Besides the question, each of ``events`` is looked up and dated by itself."""

    question: Question
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup(_Plan):
    """Read the best messages, or with ``extreme`` those around the first or last time of an event."""

    extreme: Extreme | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(_Plan):
    """Compare the dates of two events, as ``shape`` says."""

    shape: Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(_Plan):
    """Count the days on which an event happened."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Summarise what was talked about, in the period and chats and with the people of the question.

    ``planned`` asks for the messages that name days of this period instead, written before these;
    of these only those about a ``kind`` of things, ``first`` the next one, ``moved`` what was moved of it;
    ``portrait`` for what there is about a person, who is ``question.people``, or each of those called so.
    """

    question: Question
    planned: bool = False
    portrait: bool = False
    kind: str = ""
    first: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the messages themselves, which ``end`` of an order, and ``of`` whom."""

    what: AskedFor
    end: End | None = None
    of: Literal["people", "chats", "groups", "direct chats"] = "people"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Answer from the senders, times and chats of messages, not from their words.

    What is counted are messages, or with ``files`` what was sent with them, or the links or emoji in them, or
    with ``word`` the times that a word or phrase is in them, or with ``marked`` only messages that an export
    marks so, or the reactions to them. People and chats are ids.
    """

    question: Question
    asks: Wanted
    senders: frozenset[int] = frozenset()
    """Whose messages; of all, if it is empty."""
    without: frozenset[int] = frozenset()
    """Whose messages do not count: the asker's, for "Who texted me last?"."""
    between: frozenset[int] = frozenset()
    """Only chats count that these people have for themselves, or if there is none, all that they share."""
    answering: frozenset[int] = frozenset()
    """To whom replies are, or whose messages got the reactions."""
    compared: frozenset[int] = frozenset()
    """Whose number the question says to be larger or smaller: "Did Ann write more than Ben?"."""
    among: frozenset[int] = frozenset()
    """Of these only the partners and addressees are, if it is not empty."""
    elsewhere: frozenset[int] = frozenset()
    """The chats that the question names, if the filters leave out all of them."""
    files: FileKind | None = None
    word: str = ""
    inflected: bool = False
    """The word counts with an "s" at its end too."""
    marked: Mark | None = None
    units: tuple[TimeUnit, ...] = ()
    place: int = 1
    """2 for who wrote second most."""
    number: int = 0
    """How many messages are listed; 0 if one is asked for."""
    in_words: bool = False
    """It is asked what a message says, so files do not count if there are others."""
    all_of_them: bool = False
    """The answer is yes only if each of the senders, or everybody, wrote."""
    hours_read: str = ""
    """How the bare hours of the question are read, as "after 17:00"."""
    understood_as: str = ""
    """The question in the words in which it is known, if it was asked in others."""


Computed = Compare | Count
"""Plans answered by code from dated messages; the model reads if it finds none."""
QuestionPlan = Lookup | Computed | Overview | Metadata
