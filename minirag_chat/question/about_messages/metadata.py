"""Whether a question asks for facts about the messages themselves: how many, the last one, who is in a chat.

Such facts are in no message's words, so no retrieval finds them; senders, times and chats have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from itertools import pairwise

from minirag_chat.lazy_patterns import any_case, lazy, lazy_regex
from minirag_chat.question.about_messages.bare_hours import with_bare_hours, with_parts_as_clocks
from minirag_chat.question.about_messages.calendar_day import as_calendar_day
from minirag_chat.question.about_messages.each_month import each_month
from minirag_chat.question.about_messages.forms import LAST_TIME, LATEST, with_times_asked_for
from minirag_chat.question.about_messages.forms.matching import Form, MarkedNames, match_form
from minirag_chat.question.about_messages.forms.vocabulary import PERSON
from minirag_chat.question.about_messages.forms.who_we_are import with_apposed
from minirag_chat.question.about_messages.german import in_english
from minirag_chat.question.about_messages.paraphrase import in_known_words
from minirag_chat.question.about_messages.said_word import SaidWord, said_word
from minirag_chat.question.chats import (
    OF_ONE_GROUP,
    have_one_title,
    members_of,
    named_chats,
    titles_in,
    whole_title,
    without_groups,
)
from minirag_chat.question.named_times import has_inexact_hours, without_times
from minirag_chat.question.placeholders import NAMES, SIGN, WORD
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.question.repeated import without_repeated
from minirag_chat.question.words import words_of
from minirag_chat.records import (
    MOST_LISTED,
    AskedFor,
    Filters,
    Metadata,
    PersonSpan,
    Question,
    Repeated,
    TimeSpan,
    Wanted,
)

LONGEST = 300  # characters
MOST_PEOPLE = len(NAMES)  # named in one question

_GENITIVE = lazy(rf"({PERSON})s\b")  # "Bens messages"
_TIMES_OWN = lazy(
    r"(?<!\S)['\u2019]s?(?=\s)"
)  # "today's messages", of which the time was taken out
_IS = any_case(r"\b(what|when|who)['\u2019]?s\b")
SIGNS = lazy_regex(r"[\p{S}\uFE0E\uFE0F\u200D\u20E3]+")
_OR = any_case(r"\bor\b")
_OFFERED = any_case(r"\bor\b(?=(?:\s+(?:in|on|during))?\W*$)")  # was between times
_ALL = any_case(
    r"\b(?:everyone|everybody|(?:all|each|every one) of (?:us|them)|(?:we|they) all)\b",
)
_LISTED: frozenset[AskedFor] = frozenset({"count", "average", "days", "when"})
"""What is asked of some messages that could be listed: how many or when they are."""
_LAST_HOURS = any_case(
    r"\b(?:(?:in|within|over|during) )?the (?:last|past) (?:(?P<hours>\d{1,3}) ?(?:hours?|hrs?|h)|hour)\b",
)
_OUR_CHAT = any_case(
    r"\s+in our (?:(?:own|private|direct|one-on-one) )?(?:chat|conversation|thread)\b",
)
_OF_HOURS = _LISTED | {"writers", "silent"}
"""What is asked of which a question may mean an hour of the day by a bare number."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A text without the chats and times that it names, and these."""

    text: str
    chats: frozenset[int]
    times: tuple[TimeSpan, ...]
    repeated: Repeated
    hours_read: str


def as_metadata(question: Question, context: PlanContext) -> Metadata | None:
    """The plan of a question that asks for nothing but facts about the messages themselves.

    It does if nothing is left after removing the phrase that asks, the times, people and chats; or, with
    ``context.in_other_words``, if a classifier is sure that it means such a question.
    """
    if len(question.text) > LONGEST:
        return None
    if (of_day := as_calendar_day(question, context.newest)) is not None:
        return of_day
    inside = members_of(question.text, context.titles, question.filters)
    if inside is not None:
        return Metadata(
            question=_within(question, inside, (), question.filters.repeated),
            asks=Wanted("members"),
        )
    if question.filters.chats and (other := members_of(question.text, context.titles, Filters())):
        return Metadata(question=question, asks=Wanted("members"), elsewhere=other)
    within, left_out = _without_chat_left_out(question, context.titles)
    plan = _count_plan(within, context)
    if plan is None or not left_out:
        return plan
    whole = replace(plan.question, text=question.text, spans=question.spans)
    return replace(plan, question=whole, elsewhere=left_out)


def listing(plan: Metadata) -> Metadata | None:
    """The plan that lists the messages that another one counts; None if that counts none."""
    if plan.asks.what not in _LISTED:
        return None
    return replace(
        plan,
        question=replace(plan.question, yes_no=False),
        asks=Wanted("message", "last"),
        number=MOST_LISTED,
        all_of_them=False,
    )


def _without_chat_left_out(
    question: Question, chats: Mapping[int, str]
) -> tuple[Question, frozenset[int]]:
    """The question without "in the X chat", and this chat, if the filters are for other chats only."""
    text, only = question.text, question.filters.chats
    for start, end, called in named_chats(text, chats) if only else ():
        if have_one_title(called, chats) and not called & only:
            spans = tuple(s for s in question.spans if not s.overlaps(start, end))
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
            return replace(question, text=text, spans=spans), called
    return question, frozenset()


def _count_plan(question: Question, context: PlanContext) -> Metadata | None:
    """The plan of a question that asks for a word, an emoji or messages to be counted."""
    word = said_word(question.text, [(span.start, span.end) for span in question.spans])
    counted = _counted(question, context, word) if word else None
    if counted and counted.word:
        return counted
    if word and word.is_sign and not SIGNS.search(word.word):
        return None  # nothing but punctuation, which is not to be lost
    return _counted(question, context, None)


def _counted(question: Question, context: PlanContext, word: SaidWord | None) -> Metadata | None:
    """The plan of a question that, with ``word``, asks how often this was written."""
    newest, chats = context.newest, context.titles
    spans = [s for s in question.spans if not (word and s.overlaps(word.start, word.end))]
    spans = _outside_titles(spans, question.text, chats.values())
    people = [span.people for span in spans]
    if len(people) > MOST_PEOPLE or not all(people):
        return None
    names = MarkedNames(dict(zip(NAMES, people, strict=False)), context.me)
    text = _GENITIVE.sub(r"\1's", _IS.sub(r"\1 is", _marked(question.text, spans, word)))
    text = with_apposed(text, names.mine)
    text = with_times_asked_for(LATEST.sub("who is latest by the clock", text))
    part = _without_places_and_times(_plainly_titled(text, chats.values()), chats, newest)
    if part is None or (len(chats) > 1 and not part.chats and OF_ONE_GROUP.search(text)):
        return None  # or it is not known which chat "our family" is
    text = LAST_TIME.sub(r"when did \g<who> \g<which>", in_english(part.text))
    if len(part.times) > 1 and _apart(part.times):
        text = _OFFERED.sub(" ", text)
    form = _of_our_chat(text, names) or match_form(text, names)
    form = form if form and _has_its_time(form, part) else None
    # Two guesses are one too many, and "in March or April" asks which of these.
    one_guess = not part.hours_read and not _offers_times(question.text, part.text)
    if form is None and context.in_other_words and one_guess:
        form = _meant(text, names, _called(question.text, spans, word))
        past = tuple(span for span in part.times if span.start < newest)  # "the most in one day"
        part = replace(part, times=past)
        of_a_chat = part.chats and not [*named_chats(question.text, chats)]
        if form and form.asks.what == "members" and of_a_chat:
            return None  # "Who is in the cabin?" need not be about the Cabin Crew chat
    if form is None or not _fits(form, part, newest) or context.me in form.among - form.by:
        return None  # "Does Ann text me more than Ben?" may compare either
    return _as_plan(question, form, part, word if form.counts_word else None)


def _has_its_time(form: Form, part: _Part) -> bool:
    """Whether a text names a time or a chat if its form needs one: "messages" alone does not ask for them."""
    named = part.times or part.chats or part.repeated != Repeated()
    return not form.timed or bool(named)


def _fits(form: Form, part: _Part, newest: datetime) -> bool:
    """Whether the times of a text can be what its form asks about."""
    if part.hours_read and form.asks.what not in _OF_HOURS:
        return False
    if form.counts_word and any(span.start >= newest for span in part.times):
        return False  # "in four minutes" is how long somebody spoke
    if form.of_times and len(part.times) < 2:  # noqa: PLR2004 - one is not compared
        return False  # "Did we write more in May?", and than when?
    return _of_one_day(part.times) or _apart(part.times)


def _as_plan(question: Question, form: Form, part: _Part, word: SaidWord | None) -> Metadata:
    """The plan that a form, the chats and times of its text and the ``word`` to be counted make."""
    only = part.chats & (question.filters.chats or part.chats)
    verdict = question.yes_no and not form.understood_as and not form.of_times
    all_named = form.all_named if form.by else _ALL.search(question.text) is not None
    plan = Metadata(
        question=_within(replace(question, yes_no=verdict), only, part.times, part.repeated),
        asks=form.asks,
        senders=form.by,
        between=_in_one_chat(form),
        answering=form.to if _is_answered(form) else frozenset(),
        in_words=form.in_words,
        units=form.units,
        place=form.place,
        files=form.files,
        marked=form.marked,
        word=word.word if word else "",
        inflected=word is not None and word.inflected,
        hours_read=part.hours_read,
        elsewhere=frozenset() if only else part.chats,
        without=form.without,
        number=form.number,
        compared=form.compared if verdict else frozenset(),
        among=form.among,
        all_of_them=verdict and form.asks.what != "writers" and all_named,
        understood_as=form.understood_as,
    )
    return (listing(plan) or plan) if form.listed else plan


def _offers_times(text: str, rest: str) -> bool:
    """Whether an "or" of a text is between its times, which ``rest`` does not have."""
    return len(_OR.findall(text)) > len(_OR.findall(rest))


def _in_one_chat(form: Form) -> frozenset[int]:
    """The people in whose chats is counted: those written to, or who may begin a conversation."""
    if form.asks.what == "begins" and len(form.by) > 1:
        return form.by
    return frozenset() if _is_answered(form) else form.to


def _is_answered(form: Form) -> bool:
    """Whether a form asks for replies or reactions to what somebody wrote."""
    return form.asks.what == "replies" or form.marked == "reacted"


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
    text = _TIMES_OWN.sub(" ", text) if times else text
    return _Part(text, inside, each_month(times) or recent, repeated, hours_read)


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
    kept = list(spans)
    for words in titles_in(text, titles) if kept else ():
        for found in whole_title(words).finditer(text):
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
        plain = " ".join(SIGNS.sub(" ", title).split())
        if plain and plain != title:
            by = plain.replace("\\", r"\\")
            text = re.sub(re.escape(title), by, text, flags=re.IGNORECASE)
    return text


def _of_our_chat(text: str, names: MarkedNames) -> Form | None:
    """What a text asks that names "our chat" and one person beside the asker: of the chat of these two."""
    place = _OUR_CHAT.search(text)
    me = names.me
    if place is None or me is None:
        return None
    form = match_form(f"{text[: place.start()]}{text[place.end() :]}", names)
    if form is None or len(form.by - {me}) != 1 or form.to - {me}:
        return None
    return replace(form, to=form.by | {me})


def _meant(text: str, names: MarkedNames, called: Mapping[str, str]) -> Form | None:
    """What a text asks in other words than those of the forms, if that is sure.

    ``called`` are the words that each mark stands for.
    """
    me, marked = names.me, names.people
    once: dict[tuple[int, ...], str] = {}
    for mark, people in marked.items():  # who is named twice has one mark
        text = text.replace(mark, once.setdefault(people, mark))
    mine = once.get((me,), "") if me else ""
    spare = NAMES[len(marked)] if me and not mine and len(marked) < MOST_PEOPLE else ""
    known = in_known_words(text, mine, spare)
    with_me = replace(names, people={**marked, spare: (me,)}) if me else names
    form = match_form(known.text, with_me) if known else None
    if known is None or form is None:
        return None
    said = {**called, spare: "I"}
    words = "".join(said.get(letter, letter) for letter in known.text)
    return replace(form, understood_as=words, listed=known.listed)


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
