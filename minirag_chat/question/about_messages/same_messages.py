"""Follow-ups about the messages of the question before: "How many in May?", "and who wrote most?".

"When was the last one?" asks for one of those that were counted, "how many of them are Ben's?" and "apart
from Ben?" for some of them, "both together?" for the sum of two counts, "by how much?" for the numbers again,
and "when did she last write?" means whose messages were counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.about_messages.forms.matching import FIRST
from minirag_chat.question.about_messages.forms.vocabulary import COUNTED
from minirag_chat.question.about_messages.metadata import SIGNS
from minirag_chat.question.chats import chat_place
from minirag_chat.question.named_entities import people_in
from minirag_chat.question.plan_of_text import plan_of
from minirag_chat.question.repeated import without_repeated
from minirag_chat.records import Asked, AskedFor, Filters, Metadata, Repeated
from minirag_chat.store import Store
from minirag_chat.times.ranges import find_atoms

_RANKED = lazy(
    r"\b(?:most|more|least|less|fewest|fewer|meisten|mehr|wenigsten|weniger)\b", re.IGNORECASE
)
_FROM_WHOM = lazy(r"^(?:from|by) whom?(?: the)? (most|least|fewest)\b", re.IGNORECASE)
_MESSAGES = lazy(r"\b(?:messages|texts|msgs|nachrichten)\b", re.IGNORECASE)
_SENT = lazy(r"\bwho (?:has |have )?(?:sen[dt]|share|post|use)", re.IGNORECASE)
_PREPOSITION = lazy(
    r"\b(?:in|on|at|during|of|for|by|from|im|am|an|um)\s+(?:the\s+)?$", re.IGNORECASE
)
LONGEST_PREPOSITION = 20  # characters before a time in which its preposition is looked for
_END = lazy(
    r"(?:(?P<asks>when|what|which|who) (?:(?:is|was|sent|wrote|said|posted|shared) )?)?(?:the )?(?:very )?"
    r"(?P<end>last|latest|most recent|newest|first|earliest|oldest)"
    r"(?: (?:ones?|time|message|of (?:them|these|those)))?\W*$",
    re.IGNORECASE,
)
_TOGETHER = lazy(
    r"(?:(?:for|of|from) )?(?:(?:both|all|the (?:two|three))(?: of (?:them|us))?"
    r"(?: (?:together|combined|in total|added up))?|(?:all )?together|combined|added up)\W*$",
    re.IGNORECASE,
)
_BY_HOW_MUCH = lazy(
    r"(?:(?:by )?how (?:much|many)(?: more| fewer| less)?(?: messages)?"
    r"|(?:what is |what's )?the difference)\W*$",
    re.IGNORECASE,
)
_WHO_ELSE = lazy(
    r"(?:who )?(?:else|(?:(?:is|comes|was|came) )?(?:the )?(?:next|second|third|rest|others"
    r"|after(?: (?:that|them|him|her))?)(?: (?:one|place))?)\W*$",
    re.IGNORECASE,
)
_COMPARES: frozenset[AskedFor] = frozenset({"writers", "sizes"})
_IN_ORDER = _COMPARES | {
    "partners", "begins", "mean length", "emoji", "quiet", "unwritten", "times", "first messages",
}  # fmt: skip
"""What is asked of which the answer names the first and those after it."""
_BEFORE_IT = lazy(
    r"(?:what (?:was|is|did \w+ (?:say|write|send))? ?)?(?:the (?:one|message) )?"
    r"(?:before(?: (?:that|it|this)(?: one)?)?|previous(?: one)?)\W*$",
    re.IGNORECASE,
)
SHOWN_BEFORE = 3  # messages
_COUNTS: frozenset[AskedFor] = frozenset({"count", "days", "when"})
_SOME_OF_THEM = lazy(
    r"(?:how many (?:(?:of (?:them|those|these) )?(?:(?:are|were|did) )?))?(?:(?:from|by|of) )?"
    r"(?P<who>[^?]{1,60}?)(?:['\u2019]s)?(?: (?:send|write|say))?\W*$",
    re.IGNORECASE,
)
_APART_FROM = lazy(
    r"(?:apart from|aside from|except(?: for)?|without|besides|other than|not counting|excluding) "
    r"(?P<who>[^?]{1,60}?)\W*$",
    re.IGNORECASE,
)
_KIND = lazy(rf"\b{COUNTED}(?!\w)", re.IGNORECASE)
_PLAIN_WORD = lazy(  # in lower case: no name, no relative, no adverb
    r"(?!(?:often|never|ever|others?|else|mum|mom|mama|dad|papa|baba|gran\w*|nan|auntie?|uncle|sis|bro)$)"
    r"[^\W\d_A-Z]+(?<!ly)"
)
_SHE = lazy(r"\b(?:s?he|him|his|hers?)\b", re.IGNORECASE)


def of_same_messages(
    earlier: Sequence[str], rest: str, store: Store, now: datetime, *, led: bool
) -> str | None:
    """What ``rest`` asks about the messages of the last of the ``earlier`` questions; None if nothing.

    ``led``: "and" or the like stands before it.
    """
    before = earlier[-1]
    return (
        _who_wrote_most(before, rest, store, now, led=led)
        or _one_of_them(before, rest, store, now)
        or _some_of_them(before, rest, store, now)
        or _apart_from(before, rest, store, now)
        or _another_kind(before, rest, store, now)
        or (_another_word(before, rest, store, now) if led else None)
        or _together(earlier, rest, store, now)
        or _by_how_much(before, rest, store, now)
        or _after_the_first(before, rest, store, now)
        or _before_the_last(before, rest, store, now)
        or _of_who_was_named(before, rest, store, now)
    )


def asks_about_messages(text: str, store: Store, now: datetime) -> bool:
    """Whether a text asks about messages without an earlier question: "How many messages are there?"."""
    return _plan(text, store, now) is not None


def _who_wrote_most(
    before: str, rest: str, store: Store, now: datetime, *, led: bool
) -> str | None:
    """``rest``, which asks who wrote or sent most, with the chat, the time and the files of ``before``.

    Only where both ask about messages, and ``rest`` does not say itself what is meant: without an "and"
    (``led``) not "Who wrote the most messages?". A chat or time that it names is its own.
    """
    if not _RANKED.search(rest):
        return None
    rest = _FROM_WHOM.sub(r"who sent the \1", rest)
    old = _plan(before, store, now)
    if old is None or old.word:
        return None
    text = rest.rstrip(" ?!.\uff1f")
    new = _plan(text, store, now)
    said = _MESSAGES.search(rest) or (new and new.files)
    if old.files and not said and _SENT.search(rest):
        text = _RANKED.sub(rf"\g<0> {old.files}s", text, count=1)
        new = _plan(text, store, now)
    if new is None or new.asks.what != "writers" or new.senders or (said and not led):
        return None
    have, had = new.question.filters, old.question.filters
    chats = "" if have.chats else _chat(before, old, store)
    times = "" if _when(have) != _when(Filters()) else _time(before, store, now)
    others = " apart from me" if old.without == {store.me.id()} else ""
    asked = f"{text[:1].upper()}{text[1:]}{chats}{times}{others}?"
    made = _plan(asked, store, now)
    if made is None or (made.asks, made.place) != (new.asks, new.place):
        return None
    if others and made.without != old.without:
        return None
    filters = made.question.filters
    same = filters.chats == (have.chats or had.chats) or (old.between and filters.chats)
    then = _when(have if _when(have) != _when(Filters()) else had)
    return asked if same and _when(filters) == then else None


def _one_of_them(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """The question for the first or last of the messages that ``before`` has counted."""
    found = _END.match(rest)
    old = _plan(before, store, now) if found else None
    if found is None or old is None or old.asks.what not in _COUNTS | {"message"} or old.marked:
        return None
    end = "first" if found["end"].casefold() in FIRST else "last"
    where = f"{_chat(before, old, store)}{_time(before, store, now)}"
    word = "when" if (found["asks"] or "").casefold() == "when" else "what"
    sent = _named("from", old.senders, store) + _named("to", old.between - old.senders, store)
    asked = f"{word.title()} is the {end} {old.files or 'message'}{sent}{where}?"
    if old.word:
        by = _named("by", old.senders, store)
        asked = f"When was {_called(old)} {end} mentioned{by}{where}?"
    made = _plan(asked, store, now)
    same = made and replace(made, asks=old.asks, in_words=old.in_words, question=old.question)
    is_same = made and same == old and _scope(made) == _scope(old)
    return asked if is_same else None


def _some_of_them(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """The question how many of the messages that ``before`` has counted, of all people, are of one."""
    found = _SOME_OF_THEM.match(rest)
    who = _whole_name(found["who"], store) if found else ""
    old = _plan(before, store, now) if who else None
    if old is None or old.asks.what != "count" or old.senders or old.between or old.marked:
        return None
    where = f"{_chat(before, old, store)}{_time(before, store, now)}"
    asked = f"How many {f'{old.files}s' if old.files else 'messages'} did {who} send{where}?"
    if old.word:
        asked = f"How many times did {who} mention {_called(old)}{where}?"
    made = _plan(asked, store, now)
    return asked if made and made.senders and _same_of_others(old, made) else None


def _apart_from(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """``before``, which counts messages or asks who wrote most, without those of a person."""
    found = _APART_FROM.match(rest)
    who = _whole_name(found["who"], store) if found else ""
    old = _plan(before, store, now) if who else None
    if old is None or old.asks.what not in {"count", "writers"} or old.senders:
        return None
    asked = f"{before.rstrip(' ?!.')} apart from {who}?"
    made = _plan(asked, store, now)
    return asked if made and made.without and _scope(made) == _scope(old) else None


def _another_kind(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """``before``, which counts messages or photos, with the links or other files of ``rest`` instead."""
    kind, counted = _KIND.fullmatch(rest.rstrip(" ?!.")), _KIND.search(before)
    old = _plan(before, store, now) if kind and counted else None
    if kind is None or counted is None or old is None or old.word:
        return None
    asked = f"{before[: counted.start()]}{kind[0]}{before[counted.end() :]}"
    made = _plan(asked, store, now)
    same = made and replace(made, files=old.files, question=old.question)
    return asked if made and same == old and _scope(made) == _scope(old) else None


def _called(plan: Metadata) -> str:
    """The word that was counted, in quotation marks if just as it stands."""
    return plan.word if plan.inflected else f"\u201c{plan.word}\u201d"


def _another_word(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """``before``, which counts a word, with the word of ``rest`` in its place: "and soup?"."""
    word = rest.strip(" ?!.\"\u201c\u201d'")
    if not _PLAIN_WORD.fullmatch(word) or word in STOP_WORDS or people_in(word, store):
        return None  # "and why?" is a question of its own, and "and Dad?" asks of another person
    if find_atoms(f"in {word}", now, "past") or find_atoms(word, now, "past"):
        return None
    old = _plan(before, store, now)
    if old is None or not old.word or _plan(word, store, now):
        return None
    old_word = r"\s+".join(map(re.escape, old.word.split()))
    last = re.match(rf"(.*){old_word}", before, re.IGNORECASE | re.DOTALL)
    if last is None:
        return None
    asked = f"{last[1]}{word}{before[last.end() :]}"
    made = _plan(asked, store, now)
    same = made and replace(made, word=old.word, question=old.question)
    return asked if made and made.word.casefold() == word.casefold() and same == old else None


def _whole_name(text: str, store: Store) -> str:
    """``text`` if it is a person's name and nothing else, or "me"; else empty."""
    if text.casefold() in {"me", "myself"} and (me := store.me.person()):
        return me.shown_name
    place = _only_name(text, store)
    return text if place and not (text[: place[0]] + text[place[1] :]).strip() else ""


def _named(word: str, people: frozenset[int], store: Store) -> str:
    """These people behind a preposition; empty if there are none."""
    shown = store.people.shown_names(people)
    names = " or ".join(" ".join(SIGNS.sub(" ", name).split()) or name for name in shown)
    return f" {word} {names}" if names else ""


def _together(earlier: Sequence[str], rest: str, store: Store, now: datetime) -> str | None:
    """The last of the questions with the people of all before it that ask the same of others."""
    if len(earlier) < 2 or not _TOGETHER.match(rest):  # noqa: PLR2004 - one is not together
        return None
    before = earlier[-1]
    last, place = _plan(before, store, now), _only_name(before, store)
    if last is None or place is None or last.asks.what not in _COUNTS:
        return None
    names, people = [before[place[0] : place[1]]], last.senders
    for text in reversed(earlier[:-1]):
        old, other = _plan(text, store, now), _only_name(text, store)
        if old is None or other is None or not _same_of_others(old, last):
            break
        if not old.senders <= people:
            names.insert(0, text[other[0] : other[1]])
            people |= old.senders
    asked = f"{before[: place[0]]}{' and '.join(names)}{before[place[1] :]}"
    made = _plan(asked, store, now) if len(names) > 1 else None
    return asked if made and made.senders == people and made.asks == last.asks else None


def _same_of_others(old: Metadata, last: Metadata) -> bool:
    """Whether two plans differ in nothing but whose messages they are about."""
    like = replace(old, senders=last.senders, question=last.question)
    return like == last and _scope(old) == _scope(last)


def _by_how_much(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """``before`` again if it asks who wrote most, whose answer has the numbers."""
    old = _plan(before, store, now) if _BY_HOW_MUCH.match(rest) else None
    other = old and (old.files or old.word) and _MESSAGES.search(rest)
    return before if old and old.asks.what in _COMPARES and not other else None


def _after_the_first(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """``before`` again if it asks for the first of an order, and ``rest`` for the next: it has both."""
    old = _plan(before, store, now) if _WHO_ELSE.match(rest) else None
    ranked = old and (old.asks.what in _IN_ORDER or (old.asks.what == "replies" and old.asks.end))
    return before if ranked else None


def _before_the_last(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """The last messages, if ``before`` asks for the last one and ``rest`` for the one before that."""
    old = _plan(before, store, now) if _BEFORE_IT.match(rest) else None
    if (
        old is None
        or old.asks != Asked("message", "last")
        or old.files
        or old.word
        or old.marked
        or old.number
    ):
        return None
    sent = _named("from", old.senders, store) + _named("to", old.between - old.senders, store)
    where = f"{_chat(before, old, store)}{_time(before, store, now)}"
    asked = f"What are the last {SHOWN_BEFORE} messages{sent}{where}?"
    made = _plan(asked, store, now)
    return asked if made and made.number and _scope(made) == _scope(old) else None


def _of_who_was_named(before: str, rest: str, store: Store, now: datetime) -> str | None:
    """``rest``, if it asks about the messages of "her" or "him", with the only name of ``before``.

    Only if that asks about the messages of one person: after "What is Ann's husband called?" or "Who wrote to
    Ann last?" it is not known who "he" is.
    """
    found = _SHE.search(rest)
    if found is None or _SHE.search(rest, found.end()) or people_in(rest, store):
        return None
    old, place = _plan(before, store, now), _only_name(before, store)
    if old is None or place is None or old.word or len(old.senders) != 1:
        return None
    name = before[place[0] : place[1]]
    for whose in (name, f"{name}'s"):
        asked = f"{rest[: found.start()]}{whose}{rest[found.end() :]}"
        if _plan(asked, store, now):
            return asked
    return None


def _only_name(text: str, store: Store) -> tuple[int, int] | None:
    """Where a text names a person, if it does once, and it is one person."""
    found = people_in(text, store)
    return found[0][:2] if len(found) == 1 and len(found[0][2]) == 1 else None


def _scope(plan: Metadata) -> object:
    """The chats and times of a plan."""
    return plan.question.filters.chats, _when(plan.question.filters)


def _plan(text: str, store: Store, now: datetime) -> Metadata | None:
    """The plan of a question, if it asks about the messages themselves."""
    plan = plan_of(text, store, now)
    return plan if isinstance(plan, Metadata) else None


def _when(filters: Filters) -> object:
    """The times of filters."""
    return filters.since, filters.until, filters.repeated, filters.periods


def _chat(before: str, old: Metadata, store: Store) -> str:
    """The chat that ``before`` names, with its preposition, or the one with the person that it is about."""
    others = old.between - {store.me.id()}
    if len(others) == 1:
        return f" in the chat with {store.people.shown_by_id(min(others))}"
    titles = store.messages.titles()
    if place := chat_place(before, titles, people_in(before, store)):
        return f" {before[place[0] : place[1]]}"
    named = {titles[chat] for chat in old.question.filters.chats}  # by a part of its title
    return f" in the {named.pop()} chat" if len(named) == 1 else ""


def _time(before: str, store: Store, now: datetime) -> str:
    """The times of ``before`` with their preposition, and those that come again ("on Sundays")."""
    before, each = _without_repeated(before, now)
    named = people_in(before, store)
    times = [
        atom
        for atom in find_atoms(before, now, "past")
        if all(atom.right <= left or right <= atom.left for left, right, _ in named)
    ]
    if not times:
        return each
    begin, end = times[0].left, times[-1].right
    lead = _PREPOSITION.search(before, max(0, begin - LONGEST_PREPOSITION), begin)
    return f"{each} {before[lead.start() if lead else begin : end]}"


def _without_repeated(text: str, now: datetime) -> tuple[str, str]:
    """``text`` without the days of the week or hours that it means each time, and these in one phrase."""
    left, each = without_repeated(text, now)
    begin = next((n for n, (a, b) in enumerate(zip(text, left, strict=False)) if a != b), 0)
    end = len(text) - len(left) + begin + 1
    one = each != Repeated() and f"{text[:begin]} {text[end:]}" == left
    return left, f" {text[begin:end].strip()}" if one else ""
