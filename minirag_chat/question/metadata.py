"""Whether a question asks for facts about the messages themselves: how many, the last one, who is in a chat.

Such facts are in no message's words, so no retrieval finds them; senders, times and chats have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from functools import partial
from itertools import pairwise

from minirag_chat.lazy_patterns import lazy, lazy_regex
from minirag_chat.question.bare_hours import with_bare_hours, with_parts_as_clocks
from minirag_chat.question.forms import FORMS, LAST_TIME, LATEST
from minirag_chat.question.forms.vocabulary import ANY_LAST, PERSON, USUALLY
from minirag_chat.question.german import in_english
from minirag_chat.question.marks import NAMES, SIGN, WORD
from minirag_chat.question.named_chat import members_of, named_chats
from minirag_chat.question.paraphrase import in_known_words
from minirag_chat.question.repeated import without_repeated
from minirag_chat.question.said_word import SaidWord, said_word
from minirag_chat.question.scope import (
    has_inexact_hours,
    whole_title,
    without_groups,
    without_times,
    words_of,
)
from minirag_chat.records import (
    FileKind,
    Filters,
    Mark,
    Metadata,
    MetadataKind,
    PersonSpan,
    Question,
    Repeated,
    TimeSpan,
    TimeUnit,
)
from minirag_chat.times.patterns import NUMBERS

LONGEST = 300  # characters
MOST_PEOPLE = len(NAMES)  # named in one question

_PLACE = lazy(PERSON)
_GENITIVE = lazy(rf"({PERSON})s\b")  # "Bens messages"
_IS = lazy(r"\b(what|when|who)['\u2019]?s\b", re.IGNORECASE)
_REST = lazy(
    r"\b(?:please|(?:can|could|would) you|(?:tell|show|give) (?:me|us)|in total|on average|in|on|at|from"
    r"|during|over|for|of|to|the|and|so far|altogether|overall|ever|all|exactly|everyone|chat|here)\b"
    r"|[.,;:!?\u2026\u00bf\u00a1\uff1f\uff01\u3002\uff0c\u3001'\"\u2018-\u201f\u00ab\u00bb\u2039\u203a()\[\]\-\u2010-\u2015]",
    re.IGNORECASE,
)
"""Words that ask for nothing more, and plain punctuation: any other sign may be what is asked about."""
_SIGNS = lazy_regex(r"[\p{S}\uFE0E\uFE0F\u200D\u20E3]+")
_MUTUAL = lazy(r"\b(?:exchanged?|each other)\b", re.IGNORECASE)
_BETWEEN = lazy(rf"\bbetween {PERSON}", re.IGNORECASE)
_TALKED = lazy(
    rf"{PERSON} (?:(?:ever|{ANY_LAST}|{USUALLY}) )?(?:(?P<both>talk(?:ed)?|chat(?:ted)?|sp(?:eak|oke|oken))"
    r"|text(?:ed)?|messaged?)\b",
    re.IGNORECASE,
)
_OR = lazy(r"\bor\b", re.IGNORECASE)
_OFFERED = lazy(r"\bor\b(?=(?:\s+(?:in|on|during))?\W*$)", re.IGNORECASE)  # was between times
_THAN = lazy(rf"(?P<first>{PERSON})[^{NAMES}]* than (?={PERSON})", re.IGNORECASE)
_EITHER = lazy(r"\b(?:or|either)\b", re.IGNORECASE)
_ALL = lazy(
    r"\b(?:everyone|everybody|(?:all|each|every one) of (?:us|them)|(?:we|they) all)\b",
    re.IGNORECASE,
)
_OF_TALK = frozenset({"count", "busiest", "days", "when", "average", "first", "last"})
"""Kinds of which those who talk do so with each other, and are not compared."""
_LISTED: frozenset[MetadataKind] = frozenset({"count", "average", "days", "when"})
"""Kinds that tell of some messages how many or when they are."""
_OF_MESSAGES: frozenset[MetadataKind] = frozenset({"count", "first", "last"})
_WHEN_OR_WHO = lazy(
    r"when|who|how long|how many", re.IGNORECASE
)  # ask for a time or a sender, not for a text
_FILES: dict[str, FileKind] = {
    "photo": "photo", "pic": "photo", "image": "photo", "video message": "video message",
    "video note": "video message", "video": "video", "voice": "voice note", "audio file": "audio file",
    "audio": "voice note", "heart": "heart", "sticker": "sticker", "gif": "gif", "file": "file",
    "attachment": "file", "link": "link", "url": "link", "emoji": "emoji",
}  # fmt: skip
_LAST_HOURS = lazy(
    r"\b(?:(?:in|within|over|during) )?the (?:last|past) (?:(?P<hours>\d{1,3}) ?(?:hours?|hrs?|h)|hour)\b",
    re.IGNORECASE,
)
_PLACES = {"se": 2, "2n": 2, "th": 3, "3r": 3, "fo": 4, "4t": 4}
_MARKS: dict[str, Mark] = {
    "del": "deleted", "edi": "edited", "rea": "reaction", "cal": "call",
}  # fmt: skip
_A_FEW = {"few": 5, "cou": 2}
_ALL_FILES = 20  # that are listed at most
_OF_TIME = frozenset({"busiest", "quietest", "average"})
_GROUPS = lazy(r"\bgroups?\b", re.IGNORECASE)
_FEWER: Mapping[MetadataKind, MetadataKind] = {"busiest": "quietest", "largest": "smallest"}
_OF_GROUPS: Mapping[MetadataKind, MetadataKind] = {
    "chats": "groups", "largest": "largest group", "smallest": "smallest group",
}  # fmt: skip
_FAMILY = lazy(
    r"\b(?:in|within|of|by|from|among) (?:the|our|my) (?:whole |entire )?(?:family|gang|crew|team|friends)\b",
    re.IGNORECASE,
)
_FEW = lazy(r"few|least|less|quiet|small|short", re.IGNORECASE)
_PAST = lazy(r"when (?:did|was|were|had)\b", re.IGNORECASE)
_HOW_OFTEN = lazy(r"how often\b", re.IGNORECASE)
_UNITS: dict[str, TimeUnit] = {  # "time of day", "days of the week" …: the first that is in the words counts
    "ofday": "hour", "oftheday": "hour", "ofthe": "weekday", "weekday": "weekday", "week": "week",
    "time": "hour", "hour": "hour", "day": "day", "date": "day", "month": "month", "year": "year",
}  # fmt: skip
_FIRST = frozenset({"first", "earliest", "oldest"})
_OUR_CHAT = lazy(
    r"\s+in our (?:(?:own|private|direct|one-on-one) )?(?:chat|conversation|thread)\b",
    re.IGNORECASE,
)
_RANKED = frozenset({"most", "fewest"})
_OF_ONE = frozenset(
    {"closest", "chats", "groups", "largest", "largest group", "smallest", "smallest group"}
)
"""Kinds of which the answer does not say who wrote."""
_OF_REPLIES: frozenset[MetadataKind] = frozenset({"replies", "fastest", "slowest"})
_OF_HOURS: frozenset[MetadataKind] = frozenset(
    {"count", "most", "fewest", "average", "days", "when", "silent"}
)
"""Kinds of which a question may mean an hour of the day by a bare number."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A text without the chats and times that it names, and these."""

    text: str
    chats: frozenset[int]
    times: tuple[TimeSpan, ...]
    repeated: Repeated
    hours_read: str


@dataclass(frozen=True, slots=True)
class _Form:
    """How a text asks: for what, and whom it names as writers and as the people written to."""

    asks: MetadataKind
    by: frozenset[int] = frozenset()
    to: frozenset[int] = frozenset()
    in_words: bool = False
    units: tuple[TimeUnit, ...] = ()
    place: int = 1
    files: FileKind | None = None
    counts_word: bool = False
    without: frozenset[int] = frozenset()
    number: int = 0
    all_named: bool = False
    compared: frozenset[int] = frozenset()
    marked: Mark | None = None
    understood_as: str = ""
    listed: bool = False
    of_times: bool = False


def as_metadata(
    question: Question,
    newest: datetime,
    chats: Mapping[int, str],
    me: int | None,
    *,
    in_other_words: bool = False,
) -> Metadata | None:
    """The plan of a question that asks for nothing but facts about the messages themselves.

    It does if nothing is left after removing the phrase that asks, the times, people and chats; or, with
    ``in_other_words``, if a classifier is sure that it means such a question (``paraphrase.py``).
    ``newest`` is the time of the newest message, ``chats`` are the titles, ``me`` is who asks.
    """
    if len(question.text) > LONGEST:
        return None
    inside = members_of(question.text, chats, question.filters)
    if inside is not None:
        return Metadata(
            question=_within(question, inside, (), question.filters.repeated), asks="members"
        )
    if question.filters.chats and (other := members_of(question.text, chats, Filters())):
        return Metadata(question=question, asks="members", elsewhere=other)
    within, left_out = _without_chat_left_out(question, chats)
    plan = _planned(within, newest, chats, me, in_other_words=in_other_words)
    if plan is None or not left_out:
        return plan
    whole = replace(plan.question, text=question.text, spans=question.spans)
    return replace(plan, question=whole, elsewhere=left_out)


def listing(plan: Metadata) -> Metadata | None:
    """The plan that lists the messages that another one counts; None if that counts none."""
    if plan.asks not in _LISTED:
        return None
    return replace(
        plan,
        question=replace(plan.question, yes_no=False),
        asks="last",
        number=_ALL_FILES,
        all_of_them=False,
    )


def _without_chat_left_out(
    question: Question, chats: Mapping[int, str]
) -> tuple[Question, frozenset[int]]:
    """The question without "in the X chat", and this chat, if the filters are for other chats only."""
    text, only = question.text, question.filters.chats
    for start, end, called in named_chats(text, chats) if only else ():
        if len({chats[chat] for chat in called}) == 1 and not called & only:
            spans = tuple(s for s in question.spans if s.end <= start or end <= s.start)
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
            return replace(question, text=text, spans=spans), called
    return question, frozenset()


def _planned(
    question: Question,
    newest: datetime,
    chats: Mapping[int, str],
    me: int | None,
    *,
    in_other_words: bool,
) -> Metadata | None:
    """The plan of a question that asks for a word, an emoji or messages to be counted."""
    plan = partial(_counted, question, newest, chats, me, in_other_words=in_other_words)
    word = said_word(question.text, [(span.start, span.end) for span in question.spans])
    counted = plan(word) if word else None
    if counted and counted.word:
        return counted
    if word and word.is_sign and not _SIGNS.search(word.word):
        return None  # nothing but punctuation, which is not to be lost
    return plan(None)


def _counted(
    question: Question,
    newest: datetime,
    chats: Mapping[int, str],
    me: int | None,
    word: SaidWord | None,
    *,
    in_other_words: bool,
) -> Metadata | None:
    """The plan of a question that, with ``word``, asks how often this was written."""
    spans = [s for s in question.spans if not word or s.end <= word.start or word.end <= s.start]
    spans = _outside_titles(spans, question.text, chats.values())
    people = [span.people for span in spans]
    if len(people) > MOST_PEOPLE or not all(people):
        return None
    marked = dict(zip(NAMES, people, strict=False))
    text = _GENITIVE.sub(r"\1's", _IS.sub(r"\1 is", _marked(question.text, spans, word)))
    text = LATEST.sub("who is latest by the clock", text)
    part = _without_places_and_times(_plainly_titled(text, chats.values()), chats, newest)
    if part is None or (len(chats) > 1 and not part.chats and _FAMILY.search(text)):
        return None  # or it is not known which chat "our family" is
    text = LAST_TIME.sub(r"when did \g<who> \g<which>", in_english(part.text))
    if len(part.times) > 1 and _apart(part.times):
        text = _OFFERED.sub(" ", text)
    form = _of_our_chat(text, marked, me) or _asks(text, marked, me)
    # Two guesses are one too many, and "in March or April" asks which of these.
    if (
        form is None
        and in_other_words
        and not part.hours_read
        and not _offers_times(question.text, part.text)
    ):
        form = _meant(text, marked, me, _called(question.text, spans, word))
        past = tuple(span for span in part.times if span.start < newest)  # "the most in one day"
        part = replace(part, times=past)
        if (
            form
            and form.asks == "members"
            and part.chats
            and not [*named_chats(question.text, chats)]
        ):
            form = None  # "Who is in the cabin?" need not be about the Cabin Crew chat
    form = None if form and part.hours_read and form.asks not in _OF_HOURS else form
    if form and form.counts_word and any(span.start >= newest for span in part.times):
        form = None  # "in four minutes" is how long somebody spoke
    if form and form.of_times and len(part.times) < 2:  # noqa: PLR2004
        form = None  # "Did we write more in May?", and than when?
    if form is None or not (_of_one_day(part.times) or _apart(part.times)):
        return None
    only = part.chats & (question.filters.chats or part.chats)
    verdict = question.yes_no and not form.understood_as and not form.of_times
    question = replace(question, yes_no=verdict)
    plan = Metadata(
        question=_within(question, only, part.times, part.repeated),
        asks=form.asks,
        senders=form.by,
        between=_in_one_chat(form),
        answering=form.to if form.asks in _OF_REPLIES else frozenset(),
        in_words=form.in_words,
        units=form.units,
        place=form.place,
        files=form.files,
        marked=form.marked,
        word=word.word if word and form.counts_word else "",
        hours_read=part.hours_read,
        elsewhere=frozenset() if only else part.chats,
        without=form.without,
        number=form.number,
        compared=form.compared if question.yes_no else frozenset(),
        all_of_them=question.yes_no
        and form.asks not in _RANKED
        and (form.all_named if form.by else _ALL.search(question.text) is not None),
        understood_as=form.understood_as,
    )
    return (listing(plan) or plan) if form.listed else plan


def _offers_times(text: str, rest: str) -> bool:
    """Whether an "or" of a text is between its times, which ``rest`` does not have."""
    return len(_OR.findall(text)) > len(_OR.findall(rest))


def _in_one_chat(form: _Form) -> frozenset[int]:
    """The people in whose chats is counted: those written to, or who may begin a conversation."""
    if form.asks == "begins" and len(form.by) > 1:
        return form.by
    return frozenset() if form.asks in _OF_REPLIES else form.to


def _without_places_and_times(
    text: str, chats: Mapping[int, str], newest: datetime
) -> _Part | None:
    """``text`` without the chats and times that it names, and these; None if a time is not exact enough."""
    text, recent = _without_last_hours(text, newest)
    text, inside = without_groups(text, chats, set(), newest, fewest_words=1)
    text, hours_read = with_bare_hours(with_parts_as_clocks(text), newest)
    text, repeated = without_repeated(text, newest)
    if has_inexact_hours(text, newest):
        return None
    text, times = without_times(text, newest, set(), "past")
    if times and recent:
        return None
    return _Part(text, inside, times or recent, repeated, hours_read)


def _without_last_hours(text: str, newest: datetime) -> tuple[str, tuple[TimeSpan, ...]]:
    """``text`` without "in the last 24 hours", and this time: it ends with the newest message."""
    found = _LAST_HOURS.search(text)
    length = timedelta(hours=int(found["hours"] or 1)) if found else timedelta()
    if found is None or newest - datetime.min < length:
        return text, ()
    span = TimeSpan(newest - length, newest + timedelta(minutes=1), found[0])
    return f"{text[: found.start()]} {text[found.end() :]}", (span,)


def _outside_titles(
    spans: Sequence[PersonSpan], text: str, titles: Iterable[str]
) -> list[PersonSpan]:
    """The names that are no part of a chat's title in the text, which has other words too ("Rao Ruckus")."""
    present = set(words_of(text))
    kept = list(spans)
    for title in titles if kept else ():
        words = words_of(title)
        if len(words) > 1 and present.issuperset(words):
            for found in re.finditer(whole_title(words), text, re.IGNORECASE):
                inside = [s for s in kept if found.start() <= s.start and s.end <= found.end()]
                named = sum(len(words_of(text[s.start : s.end])) for s in inside)
                kept = [s for s in kept if s not in inside or named == len(words)]
    return kept


def _marked(text: str, spans: Sequence[PersonSpan], word: SaidWord | None) -> str:
    """A question's text with a mark for each name, and one for a word that it may ask to be counted."""
    parts = [(span.start, span.end, NAMES[number]) for number, span in enumerate(spans)]
    parts += [(word.start, word.end, SIGN if word.is_sign else WORD)] if word else []
    for start, end, mark in sorted(parts, reverse=True):
        text = f"{text[:start]}{mark}{text[end:]}"
    return text


def _called(text: str, spans: Sequence[PersonSpan], word: SaidWord | None) -> dict[str, str]:
    """The words of a question that each of its marks stands for."""
    names = dict(zip(NAMES, (text[span.start : span.end] for span in spans), strict=False))
    return names | ({WORD: f"\u2018{word.word}\u2019"} if word else {})


def _plainly_titled(text: str, titles: Iterable[str]) -> str:
    """``text`` with the titles that it names without their emoji, which are not looked for."""
    for title in titles:
        plain = " ".join(_SIGNS.sub(" ", title).split())
        if plain and plain != title:
            by = plain.replace("\\", r"\\")
            text = re.sub(re.escape(title), by, text, flags=re.IGNORECASE)
    return text


def _of_our_chat(text: str, marked: Mapping[str, tuple[int, ...]], me: int | None) -> _Form | None:
    """What a text asks that names "our chat" and one person beside the asker: of the chat of these two."""
    place = _OUR_CHAT.search(text)
    if place is None or me is None:
        return None
    form = _asks(f"{text[: place.start()]}{text[place.end() :]}", marked, me)
    if form is None or len(form.by - {me}) != 1 or form.to - {me}:
        return None
    return replace(form, to=form.by | {me})


def _asks(text: str, marked: Mapping[str, tuple[int, ...]], me: int | None) -> _Form | None:
    """What a text with marks for names asks; None if it asks for anything else, or more.

    A name that several people have means all of them as writers, since the answer says who wrote; elsewhere
    it could be any of them, and so could the chat in which one of them writes to somebody.
    """
    for asks, form in FORMS:
        found = form.search(text)
        if found and not _left(f"{text[: found.start()]} {text[found.end() :]}"):
            parts = found.groupdict()
            kind = asks or ("first" if parts["which"].casefold() in _FIRST else "last")
            return (
                None if _is_unclear(kind, found, marked, me) else _as_form(kind, found, marked, me)
            )
    return None


def _is_unclear(
    kind: MetadataKind, found: re.Match[str], marked: Mapping[str, tuple[int, ...]], me: int | None
) -> bool:
    """Whether a match names several people by one name, or does not tell who the others are."""
    parts = found.groupdict()
    addressed = _PLACE.search(f"{parts.get('to')} {parts.get('hears')}")
    named = " ".join(
        name
        for part, name in parts.items()
        if name and (part != "by" or _is_mutual(kind, found) or addressed or kind in _OF_ONE)
    )
    if any(len(marked[name]) > 1 for name in _PLACE.findall(named)):
        return True
    if parts.get("others") and me is None:
        return True
    # It is not known to whom somebody else's messages are.
    return bool(parts.get("me")) and marked[parts["me"]] != (me,)


def _is_mutual(kind: MetadataKind, found: re.Match[str]) -> bool:
    """Whether those who are named wrote to each other."""
    between = kind == "count" and _BETWEEN.search(found[0])
    return bool((kind in _OF_TALK and _talk(found)) or _MUTUAL.search(found[0]) or between)


def _as_form(
    kind: MetadataKind, found: re.Match[str], marked: Mapping[str, tuple[int, ...]], me: int | None
) -> _Form | None:
    """What a match of a form asks; None if it is about talks of which only some may be written."""
    parts = found.groupdict()
    by, to, hears, without = (
        _ids(parts.get(part) or "", marked) for part in ("by", "to", "hears", "not_by")
    )
    by |= _ids(parts.get("has") or "", marked) - {me}  # the asker has them all
    if both := parts.get("both"):
        joined = _ids(both, marked) | to
        if me not in joined and both.casefold() != "we":
            return None  # others may have talked face to face
        to = joined | {me} if me and to else joined
        # In a group others write too, whose messages are not theirs.
        return _Form(kind, by=to if len(to) > 1 else frozenset(), to=to)
    to |= hears - {me} if me else hears  # the asker takes part in every chat: no restriction
    to_me = to == {me} and not by and kind in _OF_MESSAGES
    if to_me:  # in any chat, as "who wrote to me?"
        to = frozenset()
    mutual = _is_mutual(kind, found)
    if mutual and len(by | to) > 1:  # both write, and to each other
        by = to = by | to
    together = to if kind in _OF_REPLIES else by | to
    formed = _formed(kind, found, by, together if to else frozenset())
    if me and (to_me or parts.get("me") or parts.get("others")):
        without |= {me}
    than = _THAN.search(found[0])
    return replace(
        formed,
        all_named=formed.all_named and (_MUTUAL.search(found[0]) is not None or not mutual),
        without=without,
        compared=_ids(than["first"], marked) if than else frozenset[int](),
    )


def _meant(
    text: str, marked: Mapping[str, tuple[int, ...]], me: int | None, called: Mapping[str, str]
) -> _Form | None:
    """What a text asks in other words than those of the forms, if that is sure.

    ``called`` are the words that each mark stands for.
    """
    once: dict[tuple[int, ...], str] = {}
    for mark, people in marked.items():  # who is named twice has one mark
        text = text.replace(mark, once.setdefault(people, mark))
    mine = once.get((me,), "") if me else ""
    spare = NAMES[len(marked)] if me and not mine and len(marked) < MOST_PEOPLE else ""
    known = in_known_words(text, mine, spare)
    form = _asks(known.text, {**marked, spare: (me,)} if me else marked, me) if known else None
    if known is None or form is None:
        return None
    said = {**called, spare: "I"}
    words = "".join(said.get(letter, letter) for letter in known.text)
    return replace(form, understood_as=words, listed=known.listed)


def _talk(found: re.Match[str]) -> bool:
    """Whether those who are named talk with each other: "Ann and I text", "I talk to Ann"."""
    parts, verb = found.groupdict(), _TALKED.search(found[0])
    by, to = (parts.get(part) or "" for part in ("by", "to"))
    if verb is None or _OR.search(by):
        return False
    named = len(_PLACE.findall(by))
    return (verb["both"] is not None and named > 0) if _PLACE.search(to) else named > 1


def _formed(
    kind: MetadataKind, found: re.Match[str], by: frozenset[int], between: frozenset[int]
) -> _Form:
    """What a match of a form asks, with its extreme, its units of time and what it counts."""
    parts = found.groupdict()
    few = _FEW.match(parts.get("extreme") or "") is not None
    if few and kind in _FEWER:
        kind = _FEWER[kind]
    if kind in _OF_GROUPS and _GROUPS.search(found[0]):
        kind = _OF_GROUPS[kind]
    return _Form(
        asks=kind,
        by=by,
        to=between,
        in_words=_WHEN_OR_WHO.match(found[0]) is None,
        units=_units(found) if kind in _OF_TIME else (),
        place=_PLACES.get((parts.get("nth") or "").casefold()[:2], 1),
        files=_files(parts.get("files")),
        marked=_MARKS.get((parts.get("marked") or "").casefold()[:3]),
        counts_word=WORD in found[0] or SIGN in found[0],
        number=_number(parts),
        all_named=_EITHER.search(parts.get("by") or "") is None,
        of_times=bool(parts.get("of_times")),
    )


def _units(found: re.Match[str]) -> tuple[TimeUnit, ...]:
    """The units of time of which it is asked which is the busiest: "when do" asks for hours and weekdays.

    "How often" asks for the average of one of several.
    """
    said = (found["unit"] if "unit" in found.re.groupindex else None) or ""
    if not said and _HOW_OFTEN.match(found[0]):
        return ("day", "week", "month", "year")
    if not said:
        return ("month", "hour") if _PAST.match(found[0]) else ("weekday", "hour")
    low = said.casefold().replace(" ", "")
    return (next(unit for word, unit in _UNITS.items() if word in low),)


def _number(parts: Mapping[str, str | None]) -> int:
    """How many messages are to be listed: all with files, a few of others if it is not said; or 0."""
    if "listed" in parts:
        return _ALL_FILES
    if "number" not in parts:
        return 0
    low = (parts["number"] or "few").casefold()
    return int(low) if low.isdigit() else NUMBERS.get(low) or _A_FEW[low[:3]]


def _files(said: str | None) -> FileKind | None:
    """What is counted instead of messages."""
    low = (said or "").casefold()
    return next((kind for word, kind in _FILES.items() if low.startswith(word)), None)


def _left(rest: str) -> str:
    """What is left of a text after removing words that ask for nothing more."""
    return _REST.sub(" ", rest).strip()


def _ids(names: str, marked: Mapping[str, tuple[int, ...]]) -> frozenset[int]:
    return frozenset(person for name in _PLACE.findall(names) for person in marked[name])


def _of_one_day(times: Sequence[TimeSpan]) -> bool:
    """Whether these are one time, or a day and hours of it ("on 3 May before 9 am")."""
    hours = any((span.start.time(), span.end.time()) != (time.min, time.min) for span in times)
    return len(times) == 1 or (
        hours and max(span.start for span in times) < min(span.end for span in times)
    )


def _apart(times: Sequence[TimeSpan]) -> bool:
    """Whether none of these times is in another one."""
    return all(a.end <= b.start for a, b in pairwise(sorted(times, key=lambda span: span.start)))


def _within(
    question: Question,
    chats: frozenset[int],
    times: tuple[TimeSpan, ...],
    repeated: Repeated,
) -> Question:
    """The question with these chats and times as filters."""
    old = question.filters
    bounds = times if _of_one_day(times) else ()
    since = max((t for t in (old.since, *(span.start for span in bounds)) if t), default=None)
    until = min((t for t in (old.until, *(span.end for span in bounds)) if t), default=None)
    periods = () if bounds else tuple(sorted(times, key=lambda span: span.start))
    filters = Filters(old.people, chats or old.chats, since, until, repeated, periods)
    return replace(question, times=times, filters=filters)
