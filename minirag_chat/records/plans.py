"""The plan of a question: which of five ways answers it. It is made before retrieval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minirag_chat.records.questions import Question, Shape

Extreme = Literal["first", "last"]
MetadataKind = Literal[
    "count", "most", "fewest", "closest", "first", "last", "members", "chats", "groups", "busiest",
    "quietest", "average", "days", "silent", "silence", "replies", "fastest", "slowest",
    "longest", "shortest", "wordiest", "briefest", "begins", "favourite", "largest", "largest group",
    "smallest", "smallest group", "when", "latest",
    "quiet", "quiet chat", "quiet group", "oldest", "oldest chat", "oldest group",
    "asker", "share", "newest", "newest chat", "newest group", "unanswered", "not answered",
    "answered", "unwritten", "favourite word", "streak", "words", "written to",
    "least close", "date",
]  # fmt: skip
FileKind = Literal[
    "photo", "video", "video message", "voice note", "audio file", "sticker", "gif", "file", "link", "emoji",
    "heart", "question",
]  # fmt: skip
Mark = Literal["deleted", "edited", "reaction", "call"]
"""What exports mark messages with; a call is no message, and not kept."""
MOST_LISTED = 20  # messages that one answer lists
TimeUnit = Literal["hour", "weekday", "day", "week", "month", "year"]
AnswerAspect = Literal["sources", "list", "certainty", "context"]
"""What is asked about the answer before: its messages (who wrote them, when, in which chat), or all that it
counts, how sure it is, or what was written around them."""


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

    ``planned`` asks for the messages that name days of this period instead, written before these.
    """

    question: Question
    planned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Answer from the senders, times and chats of messages, not from their words.

    ``asks`` is for the ``count`` of messages, who wrote ``most``, the ``first`` or ``last`` message, the
    ``members`` of a chat, the ``chats`` or only the ``groups``, who is ``closest``: has most messages in
    chats of two with the sender, or which of each of the ``units`` of time is ``busiest`` or ``quietest``,
    the ``average`` for such a unit, on how many ``days`` somebody wrote, who was ``silent``, for the
    longest ``silence``, how long ``replies`` to ``answering``, or to anybody, take, and who is ``fastest``
    or ``slowest``; for the ``longest`` or ``shortest`` message, or whose messages are on average
    (``wordiest``, ``briefest``), who ``begins`` most conversations, or the ``favourite`` emoji or
    ``favourite word``, or the ``largest`` chat or ``largest group``, ``when`` somebody wrote: on which
    days, who the ``asker`` is, what ``share`` somebody wrote, or who wrote ``latest`` at night, or who or
    which chat has been ``quiet`` for the longest, or is the ``oldest`` or the ``newest`` by its first
    message, or what the asker left ``unanswered``, what of theirs was ``not answered``, or whether one of
    two ``answered`` the other: who wrote last. ``unwritten`` is to whom the asker has not written for the
    longest. A ``streak`` is the most days in a row with a message. ``words`` asks for the number of words,
    or who wrote most of them, ``written to`` for those to whom a person wrote.

    The messages are those of ``senders`` (person ids; if empty, of all) in the period and chats of the
    question's filters and, if ``between`` names people, in the chats that these have for themselves, else
    in all that they share. ``in_words``: it is asked what a message says, so photos and other files do not
    count if there are others. ``place`` is 2 for who wrote second most. What is counted are messages, or
    with ``files`` what was sent with them, or the links or emoji in them, or the times that a ``word`` or
    phrase is in them, with ``inflected`` also with an "s" at its end. ``hours_read`` says how the bare
    hours of the question are read, as "after 17:00". ``elsewhere`` are the chats that the question names,
    if the filters leave out all of them. Messages of those in ``without`` do not count: the asker's, for
    "Who texted me last?". ``number`` of the first or last messages, or of those with ``files``, are listed;
    0 if one is asked for. With ``all_of_them`` the answer is yes only if each of the senders, or everybody,
    wrote. With ``marked`` only messages that an export marks so count, or the reactions to them, and the
    ``longest`` is the message with most of them. ``compared`` is whose number the question says to be
    larger or smaller: "Did Ann write more than Ben?". Only those ``among`` whom it asks who is ``closest``
    are counted, if it names some. ``understood_as`` is the question in the words in which it is known,
    where it was asked in others.
    """

    question: Question
    asks: MetadataKind
    senders: frozenset[int] = frozenset()
    between: frozenset[int] = frozenset()
    answering: frozenset[int] = frozenset()
    in_words: bool = False
    units: tuple[TimeUnit, ...] = ()
    place: int = 1
    files: FileKind | None = None
    word: str = ""
    inflected: bool = False
    hours_read: str = ""
    elsewhere: frozenset[int] = frozenset()
    without: frozenset[int] = frozenset()
    number: int = 0
    all_of_them: bool = False
    compared: frozenset[int] = frozenset()
    marked: Mark | None = None
    among: frozenset[int] = frozenset()
    understood_as: str = ""


Computed = Compare | Count
"""Plans answered by code from dated messages; the model reads if it finds none."""
QuestionPlan = Lookup | Computed | Overview | Metadata
