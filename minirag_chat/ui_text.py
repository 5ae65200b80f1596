"""Short texts that the command line, the page and notebooks have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from minirag_chat.lazy_patterns import lazy
from minirag_chat.names import OWNER_WORDS, spelling_key
from minirag_chat.records import (
    Arrival,
    CalledOwner,
    ImportReport,
    Message,
    Person,
    Reason,
    Repeated,
    TimeSpan,
)

READS_SHOWN = 3  # messages shown while they are being read
_NAMED = 3  # titles that a sentence names
_APPS = {"imessage": "iMessage", "sms": "SMS", "whatsapp": "WhatsApp", "chatgpt": "ChatGPT",
         "google-voice": "Google Voice", "wechat": "WeChat", "csv": "tables"}  # fmt: skip
"""How an app writes its name, where that is not its name in the program with a capital."""
STOPPED = "The question was stopped before it was answered: ask again."
WANTS_KEY = "wants a key: set MINIRAG_CHAT_SERVER_URL, _MODEL and _KEY"
NO_MESSAGE = "There is no message {number}: answers and found messages come with their numbers."
NO_MESSAGES = "There are no messages yet: import some with `minirag-chat add PATH` first."
_WHO_IS_I = (
    "The question says \u201cI\u201d or \u201cmy\u201d, and who you are is not known: say it once, "
)
WHO_IS_I = (
    f"{_WHO_IS_I}on the page under People, with `minirag-chat people --me NAME`, or with "
    "`memory.set_me(NAME)`."
)
I_IS = (
    "\u201cI\u201d is counted as {name}, without {others}: if you wrote that too, join the names on the page "
    "under People, or with `minirag-chat people merge {pair}`; if not, `minirag-chat people apart {pair}`."
)
I_IS_CALLED = (
    "\u201cI\u201d is counted as \u201c{name}\u201d, as some exports call you; your name in the other chats "
    "is not known: say it once, on the page under People, with `minirag-chat people --me NAME`, or with "
    "`memory.set_me(NAME)`."
)
READING_OF_FILES = "How the next files are read"
"""The heading of the page's options of an import."""
DATE_ORDER_WORDS: Mapping[str, str] = {
    "dmy": "day first",
    "mdy": "month first",
    "ymd": "year first",
}


class Silence(NamedTuple):
    """Why there is no answer: as a ``sentence`` in place of the answer, and as a short ``flag``."""

    sentence: str
    flag: str


SILENCES: Mapping[Reason, Silence] = {
    "no_question": Silence(
        "I answer questions about your messages, and show the messages that say so.",
        "No question about your messages",
    ),
    "no_messages": Silence(
        "There are no messages for the time, people or chats that you asked for.",
        "No messages for the time, people or chats that you asked for",
    ),
    "not_recorded": Silence(
        "This export does not record what you ask for.",
        "Your messages do not record this",
    ),
    "nothing_found": Silence(
        "I found nothing about this in your messages.",
        "Your messages do not say: nothing in them matches the question",
    ),
    "not_stated": Silence(
        "I found no answer in your messages, only some that come close.",
        "No answer found: the closest messages do not state it",
    ),
    "unsupported": Silence(
        "Your messages come close, but they do not support the answer that I would give.",
        "No answer that your messages support",
    ),
    "unsure": Silence(
        "Your messages may say something about this, but I am not sure enough to answer.",
        "Not sure enough to answer from your messages",
    ),
}


def count(number: int, one: str, many: str = "") -> str:
    """As in "1 chat" and "1,200 chats"; ``many`` is the plural if it is not ``one`` with an "s"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEK = {frozenset(range(5)): "on weekdays", frozenset({5, 6}): "at weekends"}


CALLED_SO = "If you call somebody so, `minirag-chat people nickname NICKNAME NAME` lets your questions do it."
SPLIT_WITH = "; undo with `minirag-chat people split "
"""Followed by a spelling that an import joined with another one, and a backtick."""


_ON_THE_PAGE = (
    (" (`minirag-chat formats` lists them), or name its format", ""),
    (" `minirag-chat inspect` says what each format misses in it.", ""),
    ("; `minirag-chat inspect` of this file alone says why", ""),
    (", which the option time_zone changes", f", which \u201c{READING_OF_FILES}\u201d changes"),
    (
        "the option date_order (dmy, mdy or ymd) changes that",
        f"\u201c{READING_OF_FILES}\u201d changes that",
    ),
    (
        "each with its own --time-zone",
        f"each with its own time zone in \u201c{READING_OF_FILES}\u201d",
    ),
    ("each with its --time-zone", f"each with its time zone in \u201c{READING_OF_FILES}\u201d"),
    (
        "a running import does that, or `minirag-chat index`",
        "a running import does that, or \u201cComplete the index\u201d",
    ),
    (
        "`minirag-chat people merge` joins",
        "the pencil beside the name, under People, joins",
    ),
    (CALLED_SO, "If you call somebody so, say it with the pencil beside the name."),
    (WHO_IS_I, f"{_WHO_IS_I}under \u201cWhich of these is you?\u201d, or under People."),
)
"""What sentences say on a command line, and what they say on the page."""
_I_AM_NOBODY = (
    "The question says \u201cI\u201d or \u201cmy\u201d, and none of these messages are yours."
)
NO_LONGER = "{spelling} is no longer taken to be {name}; `minirag-chat people merge` joins those who are one."
_MERGE = lazy(
    r"if so, `minirag-chat people merge [^`]{1,400}`(?:; if not, `minirag-chat people apart [^`]{1,400}`)?"
)


def on_the_page(note: str) -> str:
    """A sentence as the page shows it: what is done there is not named as a command or an option."""
    note, is_link, _command = note.partition(SPLIT_WITH)
    note += "; the pencil beside the name, under People, undoes it." if is_link else ""
    for words, there in _ON_THE_PAGE:
        note = note.replace(words, there)
    return _MERGE.sub("if so, join the two with the pencil beside the name", note)


def called_only(called: Sequence[CalledOwner]) -> str:
    """As in "In iMessage and Signal you are only called “Me”"."""
    apps = dict.fromkeys(_APPS.get(app, app.title()) for one in called for app in one.platforms)
    names = [f"\u201c{one.name}\u201d" for one in called]
    return f"In {joined(list(apps))} you are only called {joined(names)}"


def called_in_exports(me: Person) -> list[str]:
    """What exports call the one who asks, beside their name: "Me", "You"."""
    return [name for name in me.spellings if spelling_key(name) in OWNER_WORDS and name != me.name]


def one_with_you(me: Person) -> str:
    """That what exports call the one who asks and their name are one person; empty if they are not."""
    called = [f"\u201c{name}\u201d" for name in called_in_exports(me)]
    return f"{joined(called)} in your exports and {me.shown_name} are one person." if called else ""


def of_others(note: str) -> str:
    """A sentence as the page shows it beside messages that are nobody's who asks, as those of a sample."""
    return note.replace(CALLED_SO, "").replace(WHO_IS_I, _I_AM_NOBODY).strip()


def repeated_words(repeated: Repeated) -> str:
    """As in "on Sundays between 22:00 and 06:00"; empty for any time."""
    named = [f"{WEEKDAYS[weekday]}s" for weekday in sorted(repeated.weekdays)]
    on = _WEEK.get(repeated.weekdays, f"on {joined(named)}") if named else ""
    since, until = (
        f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (repeated.since, repeated.until)
    )
    at = f"between {since} and {until}" if repeated.until < 24 * 60 else f"after {since}"
    if (repeated.since, repeated.until) == (0, 24 * 60):
        at = ""
    return " ".join(filter(None, (on, at)))


def makes_final(deletions: int) -> str:
    """What replacing a name does to the deletions in the trash; empty if there are none."""
    return f"This makes {count(deletions, 'earlier deletion')} final" if deletions else ""


def stays_in(titles: Sequence[str]) -> str:
    """That a deleted person's name stays in titles of chats, and what to do; empty if it does not."""
    if not titles:
        return ""
    named = joined([repr(title) for title in titles[:_NAMED]], of=len(titles))
    which, them = ("title", "this chat") if len(titles) == 1 else ("titles", "these chats")
    return f"The name stays in the {which} {named}: delete {them} too, or replace the name."


def joined(parts: Sequence[str], of: int = 0) -> str:
    """The parts as one list in words, which says how many ``of`` all it leaves out; empty without parts."""
    if of > len(parts):
        parts = [*parts, f"{of - len(parts):,} more"]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def one_line(text: str) -> str:
    """``text`` with each line break or other run of white space as one space."""
    return " ".join(text.split())


def cut(text: str, longest: int) -> str:
    """``text``, truncated to ``longest`` characters."""
    return text if len(text) <= longest else f"{text[:longest]}\u2026"


def day(at: date) -> str:
    """A date as in "21 February 2026"."""
    return f"{at.day} {at:%B} {at.year}"


MAY_HAVE_CHANGED = "This may have changed"


def said_at(message: Message, quote: str, *, in_chat: bool) -> str:
    """What a message says, after its sender and time, and its chat if that is not known.

    The chat of two is not repeated if the sender's name is its title.
    """
    sender, chat = one_line(message.shown_sender), one_line(message.chat)
    where = f" in \u201c{chat}\u201d" if in_chat and chat != sender else ""
    return f"{sender}, {day(message.sent_at)}, {message.sent_at:%H:%M}{where}: \u201c{quote}\u201d"


def period(span: TimeSpan) -> str:
    """The first and the last day: "2026-05-01 \u2013 2026-05-31", "since 2026-05-01", "2026-05-01"."""
    first, last = f"{span.start:%Y-%m-%d}", f"{span.end - datetime.resolution:%Y-%m-%d}"
    if span.start == datetime.min:
        return f"until {last}"
    if span.end == datetime.max:
        return f"since {first}"
    return first if first == last else f"{first} \u2013 {last}"


def dates(
    first: datetime | None,
    last: datetime | None,
    written: Callable[[datetime], str] = "{:%Y-%m-%d}".format,
) -> str:
    """The first and the last day, as in "2026-05-01 to 2026-05-31", or one; empty if there are none."""
    if not first or not last:
        return ""
    ends = dict.fromkeys((written(first), written(last)))
    return " to ".join(ends)


def brought(found: ImportReport | Arrival, new: str) -> list[str]:
    """What an import added: what is ``new``, "2 updated", "1 known already"."""
    known = found.messages_read - found.messages_added - found.messages_updated
    others = {"updated": found.messages_updated, "known already": known}
    return [new, *(f"{number:,} {what}" for what, number in others.items() if number > 0)]


def being_read(messages: Sequence[Message]) -> str:
    """The status line while an answer is awaited; without messages, the search is still running."""
    if not messages:
        return "Searching your messages \u2026"
    chats = count(len({message.chat_id for message in messages}), "chat")
    return f"Reading {count(len(messages), 'message')} from {chats} \u2026"
