"""Whether a question asks for facts about the messages themselves: how many, the last one, who is in a chat.

Such facts are in no message's words, so no retrieval finds them; senders, times and chats have them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from minirag_chat.question.german import in_english
from minirag_chat.question.marks import NAMES
from minirag_chat.question.named_chat import members_of
from minirag_chat.question.scope import has_inexact_hours, without_groups, without_times
from minirag_chat.records import Filters, Metadata, MetadataKind, Question, TimeSpan

LONGEST = 300  # characters
MOST_PEOPLE = len(NAMES)  # named in one question

# In the text that is matched each name is a mark, which no question contains.
_PERSON = f"[{NAMES}]"
_PEOPLE = rf"{_PERSON}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|or)\s+){_PERSON})*"
_ANYONE = rf"(?:{_PEOPLE}|we|everyone|anyone|people)"
_BY = rf"(?P<by>{_ANYONE})"
_TO = rf"(?: (?:(?:to|with) )?(?P<to>{_PEOPLE}|us|each other))?"
_MESSAGES = r"(?:(?:chat|text) )?(?:messages|texts|msgs)"
_MESSAGE = r"(?:(?:chat|text) )?(?:message|text)"
_WRITE = r"(?:send|sent|write|written|wrote|post(?:ed)?|text(?:ed)?|messaged?)"
_WRITES = r"(?:sends|writes|posts|texts|messages)"
_WITH, _MOST = r"(?: (?:to|with))?", r"(?: the)? (?:most|more)(?: often)?"
_FEWEST = r"(?: the)? (?:fewest|least|fewer|less)(?: often)?"
_TALK = r"(?:talk(?:ed)?|chat(?:ted)?|sp(?:eak|oke|oken)|(?:send|sent|exchanged?) messages)"
_LAST = r"(?:very )?(?P<which>last|latest|most recent(?:ly)?|newest|first|earliest|oldest)"
_WHICH_OF = r"(?:who|which (?:one )?of (?:us|them|the two))"
_WHO_WRITES = rf"{_WHICH_OF} (?:has |have )?(?:{_WRITE}|{_WRITES}|{_TALK}|talks)"
_OF = rf"(?:(?: (?:in|on|at|during|of))?\s*[,:]?\s*{_BY})?"
_CHATS = r"(?:which|what|how many) (?:group )?(?:chats|groups|conversations)"
_AUX = r"(?:did|do|does|has|have)"
_ASKS = r"(?:what|when|which) (?:is|was)"
_FORMS: tuple[tuple[MetadataKind | None, str], ...] = (
    ("count", rf"how many {_MESSAGES} {_AUX} {_BY} (?:{_WRITE}|exchanged?){_TO}"),
    (
        "count",
        rf"how many {_MESSAGES} {_AUX} (?P<to>{_PERSON}) (?:have|get|got|received?) from {_BY}",
    ),
    (
        "count",
        (
            rf"how many {_MESSAGES}(?: (?:are|were|have been)(?: there)?)?(?: {_WRITE})?"
            rf"(?: (?:by|from) {_BY})?"
        ),
    ),
    (
        "count",
        rf"(?:{_AUX}|had) {_BY} (?:ever )?{_WRITE}(?: (?:anything|any {_MESSAGES}|a {_MESSAGE}))?{_TO}",
    ),
    (
        "count",
        rf"(?:what is the )?(?:total )?number of {_MESSAGES}(?: (?:sent )?(?:from|by) {_BY})?",
    ),
    (
        "count",
        rf"how (?:many times|often) (?:did|has|have) {_BY} (?:{_WRITE})(?: a {_MESSAGE})?{_TO}",
    ),
    ("members", rf"who (?:has |have )?{_WRITE}(?: (?:anything|{_MESSAGES}|a {_MESSAGE}))?"),
    ("most", rf"{_WHO_WRITES}{_MOST}(?: {_MESSAGES})?{_OF}"),
    ("fewest", rf"{_WHO_WRITES}{_FEWEST}(?: {_MESSAGES})?{_OF}"),
    (
        "fewest",
        r"who (?:is|was) the (?:least (?:active|talkative|chatty)|quietest)(?: person| member)?",
    ),
    (
        "most",
        r"who (?:is|was) the (?:most (?:active|talkative|chatty)|chattiest)(?: person| member)?",
    ),
    (
        "closest",
        rf"whom? {_AUX} (?P<by>{_PERSON}) (?:{_TALK}|{_WRITE}){_WITH}{_MOST}{_WITH}",
    ),
    (None, rf"(?:what|when) did {_BY} {_LAST} (?:{_WRITE}|say)(?: a {_MESSAGE})?{_TO}"),
    (None, rf"(?:what|when) did {_BY} (?:{_WRITE}|say){_TO} {_LAST}"),
    (None, rf"(?:{_ASKS} )?{_BY}['\u2019]s? {_LAST} {_MESSAGE}{_TO}"),
    (
        None,
        rf"(?:{_ASKS} )?the {_LAST} {_MESSAGE}(?: (?:sent |written )?(?:from|by|of) {_BY})?{_TO}",
    ),
    (
        None,
        rf"{_ASKS} the {_LAST} (?:{_MESSAGE}|thing)(?: that)? {_BY} (?:{_WRITE}|said){_TO}",
    ),
    (None, rf"who (?:sent|wrote|posted)(?: the)? {_LAST}(?: {_MESSAGE})?"),
    (
        None,
        rf"who (?:is|was)(?: the)? {_LAST}(?: person| one)? (?:to|who|that) {_WRITE}(?: a {_MESSAGE})?",
    ),
    (None, rf"when did (?P<both>we|{_PEOPLE}) {_LAST} {_TALK}{_TO}"),
    (None, rf"when did (?P<hears>{_PERSON}) {_LAST} heard? from {_BY}"),
    (
        "chats",
        rf"{_CHATS} (?:is|are|was|were) {_BY} (?:in|part of)",
    ),
    ("chats", rf"{_CHATS} are there"),
)
_COMPILED = tuple(
    (asks, re.compile(rf"(?<!\w)(?:{form})(?!\w)", re.IGNORECASE)) for asks, form in _FORMS
)
_PLACE = re.compile(_PERSON)
_LAST_TIME = re.compile(
    rf"\bwhen (?:is|was) the {_LAST} time(?: that)? (?P<who>{_ANYONE})(?!\w)", re.IGNORECASE
)
_IS = re.compile(r"\b(what|when|who)['\u2019]?s\b", re.IGNORECASE)
_REST = re.compile(
    r"\b(?:please|(?:can|could|would) you|(?:tell|show|give) (?:me|us)|in total|in|on|at|from|during|over"
    rf"|for|of|to|the|and|so far|altogether|overall|ever|all|exactly|everyone|chat|here)\b|[^\w\s{NAMES}]",
    re.IGNORECASE,
)
_MUTUAL = re.compile(r"\b(?:exchanged?|each other)\b", re.IGNORECASE)
_WHEN_OR_WHO = re.compile(r"when|who", re.IGNORECASE)  # ask for a time or a sender, not for a text
_FIRST = frozenset({"first", "earliest", "oldest"})
_OF_ONE = frozenset({"closest", "chats"})  # kinds of which the answer does not say who wrote


@dataclass(frozen=True, slots=True)
class _Form:
    """How a text asks: for what, and whom it names as writers and as the people written to."""

    asks: MetadataKind
    by: frozenset[int] = frozenset()
    to: frozenset[int] = frozenset()
    in_words: bool = False


def as_metadata(
    question: Question, newest: datetime, chats: Mapping[int, str], me: int | None
) -> Metadata | None:
    """The plan of a question that asks for nothing but facts about the messages themselves.

    It does if nothing is left after removing the phrase that asks, the times, people and chats.
    ``newest`` is the time of the newest message, ``chats`` are the titles, ``me`` is who asks.
    """
    if len(question.text) > LONGEST:
        return None
    inside = members_of(question.text, chats, question.filters)
    if inside is not None:
        return Metadata(question=_within(question, inside, ()), asks="members")
    people = [span.people for span in question.spans]
    if len(people) > MOST_PEOPLE or not all(people):
        return None
    marked = dict(zip(NAMES, people, strict=False))
    text = _IS.sub(r"\1 is", _marked(question))
    text, inside = without_groups(text, chats, set(), newest)
    if has_inexact_hours(text, newest):
        return None
    text, times = without_times(text, newest, set(), "past")
    text = _LAST_TIME.sub(r"when did \g<who> \g<which>", in_english(text))
    form = _asks(text, marked, me)
    only = inside & (question.filters.chats or inside)
    if form is None or len(times) > 1 or (inside and not only):
        return None
    narrowed = _within(question, only, times)
    return Metadata(
        question=narrowed,
        asks=form.asks,
        senders=form.by,
        between=form.to,
        in_words=form.in_words,
    )


def _marked(question: Question) -> str:
    """The question's text with a mark for each name."""
    text = question.text
    for number, span in reversed(tuple(enumerate(question.spans))):
        text = f"{text[: span.start]}{NAMES[number]}{text[span.end :]}"
    return text


def _asks(text: str, marked: Mapping[str, tuple[int, ...]], me: int | None) -> _Form | None:
    """What a text with marks for names asks; None if it asks for anything else, or more.

    A name that several people have means all of them as writers, since the answer says who wrote; elsewhere
    it could be any of them.
    """
    for asks, form in _COMPILED:
        found = form.search(text)
        if found is None or _left(f"{text[: found.start()]} {text[found.end() :]}"):
            continue
        parts = found.groupdict()
        mutual = _MUTUAL.search(found[0]) is not None
        kind = asks or ("first" if parts["which"].casefold() in _FIRST else "last")
        named = " ".join(
            name
            for part, name in parts.items()
            if name and (part != "by" or mutual or kind in _OF_ONE)
        )
        if any(len(marked[name]) > 1 for name in _PLACE.findall(named)):
            return None
        by, to, hears = (_ids(parts.get(part) or "", marked) for part in ("by", "to", "hears"))
        if both := parts.get("both"):
            joined = _ids(both, marked) | to
            if me not in joined and both.casefold() != "we":
                return None  # others may have talked face to face
            return _Form(kind, to=joined | {me} if me and to else joined)
        to |= hears - {me} if me else hears  # the asker takes part in every chat: no restriction
        if mutual and len(by | to) > 1:  # both write, and to each other
            by = to = by | to
        in_words = _WHEN_OR_WHO.match(found[0]) is None
        return _Form(kind, by, by | to if to else frozenset(), in_words)
    return None


def _left(rest: str) -> str:
    """What is left of a text after removing words that ask for nothing more."""
    return _REST.sub(" ", rest).strip()


def _ids(names: str, marked: Mapping[str, tuple[int, ...]]) -> frozenset[int]:
    return frozenset(person for name in _PLACE.findall(names) for person in marked[name])


def _within(question: Question, chats: frozenset[int], times: tuple[TimeSpan, ...]) -> Question:
    """The question with these chats and times as filters."""
    old = question.filters
    since = max((t for t in (old.since, *(span.start for span in times)) if t), default=None)
    until = min((t for t in (old.until, *(span.end for span in times)) if t), default=None)
    filters = Filters(old.people, chats or old.chats, since, until)
    return replace(question, times=times, filters=filters)
