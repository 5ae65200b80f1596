"""Follow-ups about the messages of the question before: "How many in May?", "and who wrote most?".

"When was the last one?" asks for one of those that were counted, "how many of them are Ben's?" and "apart
from Ben?" for some of them, "both together?" for the sum of two counts and "who sent more?" for the larger,
"by how much?" for the numbers again, and "when did she last write?" means whose messages were counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.about_messages.forms.matching import FIRST
from minirag_chat.question.about_messages.forms.vocabulary import COUNTED
from minirag_chat.question.about_messages.metadata import SIGNS
from minirag_chat.question.chats import chat_place
from minirag_chat.question.repeated import without_repeated
from minirag_chat.question.text_alone import TextReader
from minirag_chat.records import AskedFor, Filters, Metadata, Repeated, Wanted
from minirag_chat.times.ranges import find_atoms

_RANKED = any_case(r"\b(?:most|more|least|less|fewest|fewer|meisten|mehr|wenigsten|weniger)\b")
_FROM_WHOM = any_case(r"^(?:from|by) whom?(?: the)? (most|least|fewest)\b")
_MESSAGES = any_case(r"\b(?:messages|texts|msgs|nachrichten)\b")
_SENT = any_case(r"\bwho (?:has |have )?(?:sen[dt]|share|post|use)")
_PREPOSITION = any_case(r"\b(?:in|on|at|during|of|for|by|from|im|am|an|um)\s+(?:the\s+)?$")
LONGEST_PREPOSITION = 20  # characters before a time in which its preposition is looked for
_END = any_case(
    r"(?:(?P<asks>when|what|which|who) (?:(?:is|was|sent|wrote|said|posted|shared) )?)?(?:the )?(?:very )?"
    r"(?P<end>last|latest|most recent|newest|first|earliest|oldest)"
    r"(?: (?:ones?|time|message|of (?:them|these|those)))?\W*$",
)
_THERE = any_case(
    r"\s+(?:(?:in )?there|in (?:it|(?:this|that|the) (?:chat|group|channel)))(?=\W*$)"
)
_TOGETHER = any_case(
    r"(?:how many(?: messages)? (?:did|have|do) they (?:write|written|send|sent|have) )?"
    r"(?:(?:for|of|from) )?(?:(?:both|all|the (?:two|three))(?: of (?:them|us))?"
    r"(?: (?:together|combined|in total|added up))?|(?:all )?together|combined|added up)\W*$",
)
_WHO_HAS_MORE = any_case(
    r"(?:who|which(?: one)?)(?P<these> of (?:them|the (?:two|three)))?"
    r"(?: (?:has |have )?(?:sent|wrote|written|posted|shared|has|had))?(?: the)?"
    r" (?P<more>more|fewer|less|(?(these)(?:most|fewest|least)|(?!)))(?: messages)?"
    r"(?: of (?:them|the (?:two|three)))?\W*$",
)
_BY_HOW_MUCH = any_case(
    r"(?:(?:by )?how (?:much|many)(?: more| fewer| less)?(?: messages)?"
    r"|(?:what is |what's )?the difference)\W*$",
)
_WHO_ELSE = any_case(
    r"(?:who )?(?:else|(?:(?:is|comes|was|came) )?(?:the )?(?:next|second|third|rest|others"
    r"|after(?: (?:that|them|him|her))?)(?: (?:one|place))?)\W*$",
)
_COMPARES: frozenset[AskedFor] = frozenset({"writers", "sizes"})
_IN_ORDER = _COMPARES | {
    "partners", "begins", "mean length", "emoji", "quiet", "unwritten", "times", "first messages",
}  # fmt: skip
"""What is asked of which the answer names the first and those after it."""
_BEFORE_IT = any_case(
    r"(?:what (?:was|is|did \w+ (?:say|write|send))? ?)?(?:the (?:one|message) )?"
    r"(?:before(?: (?:that|it|this)(?: one)?)?|previous(?: one)?)\W*$",
)
SHOWN_BEFORE = 3  # messages
_COUNTS: frozenset[AskedFor] = frozenset({"count", "days", "when"})
_SOME_OF_THEM = any_case(
    r"(?:how many (?:(?:of (?:them|those|these) )?(?:(?:are|were|did) )?))?(?:(?:from|by|of) )?"
    r"(?P<who>[^?]{1,60}?)(?:['\u2019]s)?(?: (?:send|write|say))?\W*$",
)
_APART_FROM = any_case(
    r"(?:apart from|aside from|except(?: for)?|without|besides|other than|not counting|excluding) "
    r"(?P<who>[^?]{1,60}?)\W*$",
)
_KIND = any_case(rf"\b{COUNTED}(?!\w)")
_PLAIN_WORD = lazy(  # in lower case: no name, no relative, no adverb
    r"(?!(?:often|never|ever|others?|else|mum|mom|mama|dad|papa|baba|gran\w*|nan|auntie?|uncle|sis|bro)$)"
    r"[^\W\d_A-Z]+(?<!ly)"
)
_SHE = any_case(r"\b(?:s?he|him|his|hers?)\b")


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is said (``rest``) after ``earlier`` questions; ``led``: "and" or the like stands before it."""

    earlier: Sequence[str]
    rest: str
    led: bool
    reader: TextReader

    @property
    def before(self) -> str:
        """The last of the earlier questions."""
        return self.earlier[-1]

    @property
    def old(self) -> Metadata | None:
        """Its plan, if it asks about messages."""
        return self.reader.counted(self.before)

    def chat(self, old: Metadata) -> str:
        """The chat that it names, with its preposition, or the one with the person that it is about."""
        store = self.reader.store
        others = old.between - {store.me.id()}
        if len(others) == 1:
            return f" in the chat with {store.people.shown_by_id(min(others))}"
        titles = store.messages.titles()
        if place := chat_place(self.before, titles, self.reader.people(self.before)):
            return f" {self.before[place[0] : place[1]]}"
        named = {titles[chat] for chat in old.question.filters.chats}  # by a part of its title
        return f" in the {named.pop()} chat" if len(named) == 1 else ""

    def time(self) -> str:
        """Its times with their preposition, and those that come again ("on Sundays")."""
        before, each = _without_repeated(self.before, self.reader.now)
        named = self.reader.people(before)
        times = [
            atom
            for atom in find_atoms(before, self.reader.now, "past")
            if all(atom.right <= left or right <= atom.left for left, right, _ in named)
        ]
        if not times:
            return each
        begin, end = times[0].left, times[-1].right
        lead = _PREPOSITION.search(before, max(0, begin - LONGEST_PREPOSITION), begin)
        return f"{each} {before[lead.start() if lead else begin : end]}"

    def where(self, old: Metadata) -> str:
        """Its chat and times."""
        return self.chat(old) + self.time()

    def named(self, word: str, people: frozenset[int]) -> str:
        """These people behind a preposition; empty if there are none."""
        shown = self.reader.store.people.shown_names(people)
        names = " or ".join(" ".join(SIGNS.sub(" ", name).split()) or name for name in shown)
        return f" {word} {names}" if names else ""

    def sent(self, old: Metadata) -> str:
        """From whom and to whom its messages are."""
        return self.named("from", old.senders) + self.named("to", old.between - old.senders)

    def whole_name(self, found: re.Match[str] | None) -> str:
        """The group who of a match if it is a person's name and nothing else, or "me"; else empty."""
        text = found["who"] if found else ""
        if text.casefold() in {"me", "myself"} and (me := self.reader.store.me.person()):
            return me.shown_name
        place = self.reader.only_name(text)
        return text if place and not (text[: place[0]] + text[place[1] :]).strip() else ""


def of_same_messages(
    earlier: Sequence[str], rest: str, reader: TextReader, *, led: bool
) -> str | None:
    """What ``rest`` asks about the messages of the last of the ``earlier`` questions; None if nothing.

    ``led``: "and" or the like stands before it.
    """
    turn = _Turn(earlier, rest, led, reader)
    return next((asked for reading in _READINGS if (asked := reading(turn))), None)


def _who_wrote_most(turn: _Turn) -> str | None:
    """``rest``, which asks who wrote or sent most, with the chat, the time and the files of ``before``.

    Only where both ask about messages, and ``rest`` does not say itself what is meant: without an "and"
    (``led``) not "Who wrote the most messages?". A chat or time that it names is its own.
    """
    old = turn.old if _RANKED.search(turn.rest) else None
    if old is None or old.word:
        return None
    rest = _THERE.sub("", _FROM_WHOM.sub(r"who sent the \1", turn.rest))
    text = rest.rstrip(" ?!.\uff1f")
    new = turn.reader.counted(text)
    said = _MESSAGES.search(rest) or (new and new.files)
    if old.files and not said and _SENT.search(rest):
        text = _RANKED.sub(rf"\g<0> {old.files}s", text, count=1)
        new = turn.reader.counted(text)
    if new is None or new.asks.what != "writers" or new.senders or (said and not turn.led):
        return None
    have, had = new.question.filters, old.question.filters
    timed = _when(have) != _when(Filters())
    others = " apart from me" if old.without == {turn.reader.store.me.id()} else ""
    where = ("" if have.chats else turn.chat(old)) + ("" if timed else turn.time())
    asked = f"{text[:1].upper()}{text[1:]}{where}{others}?"
    made = turn.reader.counted(asked)
    if made is None or (made.asks, made.place) != (new.asks, new.place):
        return None
    if others and made.without != old.without:
        return None
    filters = made.question.filters
    same = filters.chats == (have.chats or had.chats) or (old.between and filters.chats)
    return asked if same and _when(filters) == _when(have if timed else had) else None


def _one_of_them(turn: _Turn) -> str | None:
    """The question for the first or last of the messages that ``before`` has counted."""
    found = _END.match(turn.rest)
    old = turn.old if found else None
    if found is None or old is None or old.asks.what not in _COUNTS | {"message"} or old.marked:
        return None
    end = "first" if found["end"].casefold() in FIRST else "last"
    word = "When" if (found["asks"] or "").casefold() == "when" else "What"
    asked = f"{word} is the {end} {old.files or 'message'}{turn.sent(old)}{turn.where(old)}?"
    if old.word:
        by = turn.named("by", old.senders)
        asked = f"When was {_called(old)} {end} mentioned{by}{turn.where(old)}?"
    made = turn.reader.counted(asked)
    return asked if made and _is_same(made, old, asks=old.asks, in_words=old.in_words) else None


def _some_of_them(turn: _Turn) -> str | None:
    """The question how many of the messages that ``before`` has counted, of all people, are of one."""
    who = turn.whole_name(_SOME_OF_THEM.match(turn.rest))
    old = turn.old if who else None
    if old is None or old.asks.what != "count" or old.senders or old.between or old.marked:
        return None
    things = f"{old.files}s" if old.files else "messages"
    asked = f"How many {things} did {who} send{turn.where(old)}?"
    if old.word:
        asked = f"How many times did {who} mention {_called(old)}{turn.where(old)}?"
    made = turn.reader.counted(asked)
    return asked if made and made.senders and _is_same(old, made, senders=made.senders) else None


def _apart_from(turn: _Turn) -> str | None:
    """``before``, which counts messages or asks who wrote most, without those of a person."""
    who = turn.whole_name(_APART_FROM.match(turn.rest))
    old = turn.old if who else None
    if old is None or old.asks.what not in {"count", "writers"} or old.senders:
        return None
    asked = f"{turn.before.rstrip(' ?!.')} apart from {who}?"
    made = turn.reader.counted(asked)
    return asked if made and made.without and _scope(made) == _scope(old) else None


def _another_kind(turn: _Turn) -> str | None:
    """``before``, which counts messages or photos, with the links or other files of ``rest`` instead."""
    kind, counted = _KIND.fullmatch(turn.rest.rstrip(" ?!.")), _KIND.search(turn.before)
    old = turn.old if kind and counted else None
    if kind is None or counted is None or old is None or old.word:
        return None
    asked = f"{turn.before[: counted.start()]}{kind[0]}{turn.before[counted.end() :]}"
    made = turn.reader.counted(asked)
    return asked if made and _is_same(made, old, files=old.files) else None


def _another_word(turn: _Turn) -> str | None:
    """``before``, which counts a word, with the word of ``rest`` in its place: "and soup?"."""
    word, now = turn.rest.strip(" ?!.\"\u201c\u201d'"), turn.reader.now
    # "And why?" is a question of its own, and "and Dad?" asks of another person.
    plain = turn.led and _PLAIN_WORD.fullmatch(word) and word not in STOP_WORDS
    if not plain or turn.reader.people(word):
        return None
    if find_atoms(f"in {word}", now, "past") or find_atoms(word, now, "past"):
        return None
    old = turn.old
    if old is None or not old.word or turn.reader.counted(word):
        return None
    old_word = r"\s+".join(map(re.escape, old.word.split()))
    last = re.match(rf"(.*){old_word}", turn.before, re.IGNORECASE | re.DOTALL)
    if last is None:
        return None
    asked = f"{last[1]}{word}{turn.before[last.end() :]}"
    made = turn.reader.counted(asked)
    if made is None or made.word.casefold() != word.casefold():
        return None
    return asked if replace(made, word=old.word, question=old.question) == old else None


@dataclass(frozen=True, slots=True)
class _Counted:
    """The people whose messages were counted one after the other, in the same chats and times."""

    names: Sequence[str]
    people: frozenset[int]
    place: tuple[int, int]
    """Where the name stands in the last question."""


def _counted_apart(turn: _Turn) -> _Counted | None:
    """The people of the last of the questions, and of all before it that ask the same of others."""
    if len(turn.earlier) < 2:  # noqa: PLR2004 - one is not several
        return None
    before, last, reader = turn.before, turn.old, turn.reader
    place = reader.only_name(before)
    if last is None or place is None or last.asks.what not in _COUNTS:
        return None
    names, people = [before[place[0] : place[1]]], last.senders
    for text in reversed(turn.earlier[:-1]):
        old, other = reader.counted(text), reader.only_name(text)
        if old is None or other is None or not _is_same(old, last, senders=last.senders):
            break
        if not old.senders <= people:
            names.insert(0, text[other[0] : other[1]])
            people |= old.senders
    return _Counted(names, people, place[:2]) if len(names) > 1 else None


def _together(turn: _Turn) -> str | None:
    """The last of the questions with the people of all before it that ask the same of others."""
    counted = _counted_apart(turn) if _TOGETHER.match(turn.rest) else None
    if counted is None or turn.old is None:
        return None
    begin, end = counted.place
    asked = f"{turn.before[:begin]}{' and '.join(counted.names)}{turn.before[end:]}"
    made = turn.reader.counted(asked)
    return asked if made and made.senders == counted.people and made.asks == turn.old.asks else None


def _more_of_them(turn: _Turn) -> str | None:
    """Who has more or fewer of the messages that were counted together, or one after the other."""
    found, old = _WHO_HAS_MORE.match(turn.rest), turn.old
    if found is None or old is None or old.word or old.asks.what not in _COUNTS:
        return None
    counted = _counted_apart(turn)
    people = counted.people if counted else old.senders
    sent = f"{old.files}s" if old.files else "messages"
    asked = f"Who sent {found['more']} {sent},{turn.named('', people)}{turn.where(old)}?"
    made = turn.reader.counted(asked) if len(people) > 1 else None
    if made is None or made.asks.what != "writers" or made.senders != people:
        return None
    return asked if _scope(made) == _scope(old) else None


def _by_how_much(turn: _Turn) -> str | None:
    """``before`` again if it asks who wrote most, whose answer has the numbers."""
    old = turn.old if _BY_HOW_MUCH.match(turn.rest) else None
    other = old and (old.files or old.word) and _MESSAGES.search(turn.rest)
    return turn.before if old and old.asks.what in _COMPARES and not other else None


def _after_the_first(turn: _Turn) -> str | None:
    """``before`` again if it asks for the first of an order, and ``rest`` for the next: it has both."""
    old = turn.old if _WHO_ELSE.match(turn.rest) else None
    ranked = old and (old.asks.what in _IN_ORDER or (old.asks.what == "replies" and old.asks.end))
    return turn.before if ranked else None


def _before_the_last(turn: _Turn) -> str | None:
    """The last messages, if ``before`` asks for the last one and ``rest`` for the one before that."""
    old = turn.old if _BEFORE_IT.match(turn.rest) else None
    if old is None or old.asks != Wanted("message", "last"):
        return None
    if old.files or old.word or old.marked or old.number:
        return None
    asked = f"What are the last {SHOWN_BEFORE} messages{turn.sent(old)}{turn.where(old)}?"
    made = turn.reader.counted(asked)
    return asked if made and made.number and _scope(made) == _scope(old) else None


def _of_who_was_named(turn: _Turn) -> str | None:
    """``rest``, if it asks about the messages of "her", or all about her, with the only name of ``before``.

    Only if that asks the same of one person: after "What is Ann's husband called?" or "Who wrote to Ann
    last?" it is not known who "he" is.
    """
    rest, found, reader = turn.rest, _SHE.search(turn.rest), turn.reader
    if found is None or _SHE.search(rest, found.end()) or reader.people(rest):
        return None
    old, place = turn.old, reader.only_name(turn.before)
    of_one = old and not old.word and len(old.senders) == 1
    if place is None or not (of_one or reader.asks_for_portrait(turn.before)):
        return None
    name = turn.before[place[0] : place[1]]
    for whose in (name, f"{name}'s"):
        asked = f"{rest[: found.start()]}{whose}{rest[found.end() :]}"
        if reader.counted(asked) or reader.asks_for_portrait(asked):
            return asked
    return None


_READINGS: tuple[Callable[[_Turn], str | None], ...] = (
    _more_of_them, _who_wrote_most, _one_of_them, _some_of_them, _apart_from, _another_kind, _another_word,
    _together, _by_how_much, _after_the_first, _before_the_last, _of_who_was_named,
)  # fmt: skip
"""What may be asked of the same messages; the first that fits counts."""


def _is_same(plan: Metadata, other: Metadata, **changes: Any) -> bool:
    """Whether a plan is another one but for these changes, and of the same chats and times."""
    like = replace(plan, question=other.question, **changes)
    return like == other and _scope(plan) == _scope(other)


def _called(plan: Metadata) -> str:
    """The word that was counted, in quotation marks if just as it stands."""
    return plan.word if plan.inflected else f"\u201c{plan.word}\u201d"


def _scope(plan: Metadata) -> object:
    """The chats and times of a plan."""
    return plan.question.filters.chats, _when(plan.question.filters)


def _when(filters: Filters) -> object:
    """The times of filters."""
    return filters.since, filters.until, filters.repeated, filters.periods


def _without_repeated(text: str, now: datetime) -> tuple[str, str]:
    """``text`` without the days of the week or hours that it means each time, and these in one phrase."""
    left, each = without_repeated(text, now)
    begin = next((n for n, (a, b) in enumerate(zip(text, left, strict=False)) if a != b), 0)
    end = len(text) - len(left) + begin + 1
    one = each != Repeated() and f"{text[:begin]} {text[end:]}" == left
    return left, f" {text[begin:end].strip()}" if one else ""
