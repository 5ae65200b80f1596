"""Follow-ups ("And Nora?"): rewritten as a complete question, or combined with earlier questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.about_messages.forms.vocabulary import COUNTED
from minirag_chat.question.about_messages.same_messages import of_same_messages
from minirag_chat.question.chats import (
    INSIDE,
    chat_place,
    is_part_of_one_title,
    named_chats,
    names_chat,
)
from minirag_chat.question.named_entities import Named
from minirag_chat.question.other_extreme import with_other_extreme
from minirag_chat.question.replaced_part import (
    AUXILIARY,
    WORD_ASKING,
    asked_anew,
    beside,
    in_same_year,
    in_total,
    swapped,
)
from minirag_chat.question.text_alone import TextReader
from minirag_chat.records import Metadata, Overview, Question
from minirag_chat.store import Store
from minirag_chat.store.text import terms
from minirag_chat.times.atoms import Atom

LONGEST_CHAIN = 3  # earlier questions used at most: the first of the chain and the last ones
MOST_HISTORY = 12  # earlier questions that are considered

_LEAD = any_case(
    r"[\s\u00bf\u00a1,]*"
    r"(?:(?:ok(?:ay)?|oh|ah|aha|h?mm+|yes|yeah|right|thanks|cool|great|nice|well)"
    r"(?:\s*[,.!\u2026]+\s*|\s+(?=(?:and|but|or|so|then|what|how)\b)))?(?:"
    r"(?P<foreign>(?:und|oder|aber|y|e|et|ou|pero|mais|en|maar)\s+(?:was ist mit\s+)?)"
    r"|(?P<own>(?:那么|那(?=[^?\uff1f什谁为怎哪几多何]{0,12}呢\W*$|什么|谁|为|怎|哪|几|多|何)|还有|然后|但是|それで|じゃあ)[\s\uff0c、]*"
    r"|(?:(?:and|but|or|also|so|then|no)\b[\s,]*){0,3}(?:(?:what|how) about\b\s*|i meant?\b\s*)?"
    r"))",
)
_ASKS = any_case(
    r"\bhow (?:long|much|many|often|far|old|come)\b|\b(?:what|which) (?:time|day|date|year|one)\b"
    r"|\b(?:since|until|till) (?:when|then)\b"
    r"|什么时候|什么|为什么|怎么|在?哪里|在?哪儿|在哪|几点|何时|多少|多久|谁|[呢吗吧啊是在了]|いつ|どこ|誰|何|です|か",
)
_EMPTY = STOP_WORDS | frozenset(
    "not else exactly really again too also just ok okay more please tell "
    "mit für von con para wann wo wer "
    "wem wen wohin woher seit bis "
    "warum wieso wie cuándo dónde quién cómo quand où qui pourquoi comment".split()
)
_ASKING = any_case(
    rf"\b(?:who|whom|whose|what|which|when|where|why|how|{AUXILIARY}|wer|wen|wann|wo|warum|wieso|wie"
    r"|cuándo|dónde|quién|qué|cómo|quand|où|qui|que|pourquoi|comment)\b"
    r"|什么|谁|怎么|哪|几|多少|多久|何|いつ|どこ|誰",
)
_INCOMPLETE = any_case(
    r"(?:(?:in|on|at|for|with|from|to|by|about|of|during|since|until)\s+)?"
    rf"(?:(?:which|whose|what|how (?:many|much))(?:\s+(?!{AUXILIARY})\w+){{1,2}}"
    rf"|(?:who|how)\s+(?!{AUXILIARY})\w+)\W*$",
)
"""A question without a verb or an object: "which platform?", "for how many nights?", "who helped?"."""
_NOT = any_case(r"n['\u2019]t\b")
_UNSPACED = lazy(r"[\u3040-\u30ff\u3400-\u9fff]")
_TOPIC = lazy(r"[^?\uff1f\s]{1,12}(?:呢|は)\W*$")
_HAPPENED = any_case(r"what happened(?: (?:next|then|there|after(?:wards| that)?|exactly))?\W*$")
_PERSON = any_case(r"\b(?:s?he|him|his|hers?|they|them|theirs?)\b|^[他她彼]")
_OWN = any_case(
    r"(?:who|(?:which|what)\s+\w+)\s+(?!(?:is|are|was|were)\b)\w+\s+(?:his|her|their)\s+\w",
)
_THING = any_case(
    r"\bit\b(?!\s+(?:(?:be |going to |ever )?(?:rain|snow|hail|storm|freez|true|possible)"
    r"|takes?(?:\s\w+){0,5}?\s(?:to|from)\b|(?:\w+\s+){0,2}?who\b))|\bits\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )\bthere\b|\bthere\b(?=\W*$)"
    r"|\b(?:that|those)(?=\W*$)|\b(?:is|are|was|were|did|does|do|will|would|has|had) (?:that|those)\b"
    r"|^它|那[里儿边]",
)
_WHICH = any_case(r"(?:which|what)\s+(?!is|are|was|were|do|does|did|has|had)\w")
_NOUN = lazy(r"\b(?i:the|an?|my|our|your|(?:some|any|every)(?:one|body)|people)\b|\s(?!I\b)[A-Z]")
_PROPER = lazy(r"\s(?!I\b)[A-Z]")
_OWN_SUBJECT = any_case(  # "who is the treasurer of the club", and not "who was the winner"
    rf"(?:who|what|which|when|where|why|how)\b.*?\b{AUXILIARY}\s+(?:(?:the|an?|my|our)\s+)(?:\w+\s+){{1,3}}?"
    r"(?:of|for|in|at|from)\s+(?:the|an?|my|our)\s+\w",
)
_ELSE = any_case(r"\b\w+\s+else\b")

_ELLIPSIS = any_case(  # "Did Nora?", "When did Nora?", and not "Where is Nora?", which is complete
    rf"(?:(?P<asks>{WORD_ASKING}\s+(?:did|does|do|has|have|had|will|would|can|could|should))\b"
    rf"|{AUXILIARY})[\W\d]*$",
)
_SAME_HEAD = any_case(  # "How many in May?", after "How many photos did Ann send?"
    r"(?P<head>(?:who|where|what|when|how (?:much|many|often))(?:\s+(?!(?:in|on|at|for|from|by)\b)\w+)?)"
    r"(?:\s+(?:in|on|at|during|for|from|by))?[\W\d]*$",
)
_ASKS_ANEW = any_case(
    r"(?P<ask>(?P<to>(?:since|until|till|with|for|to|from|at|about|on)\s+)?"
    rf"(?P<word>{WORD_ASKING})(?:\s+(?:else|exactly))*)(?:\s+(?:again|then|too|please))*\W*$",
)
_PREPOSITION = any_case(r"(?:in|from|on)\s+")
_COUNTED = any_case(rf"\b{COUNTED}(?!\w)")
"""What "How many messages in May?" says itself, and "How many in May?" leaves to the question before."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A resolved question: ``text`` is what is asked, ``context`` the earlier questions it depends on.

    A ``fragment`` is not a complete question: it keeps the time of the earlier ones. ``possible`` are the
    earlier questions that a complete one depends on if what is found says so ("Who came along?").
    """

    text: str
    context: tuple[str, ...] = ()
    fragment: bool = False
    possible: tuple[str, ...] = ()

    @property
    def before(self) -> str:
        """The questions that it depends on, or may depend on, as one text."""
        return " ".join(self.context or self.possible)


def follow_up(
    question: str, history: Sequence[tuple[str, str]], store: Store, now: datetime
) -> FollowUp:
    """What ``question`` asks after ``history``, the earlier (question, answer) pairs.

    "And Nora?" is the previous question with another person, "And in August?" with another time,
    "And where?" with another question word, "And the first?" for the other end. A fragment that cannot be
    put in like this, and a question with a pronoun, get the earlier questions as context; any other question
    is asked alone. ``now`` is the newest message's time.
    """
    past = [asked for asked, _answer in history[-MOST_HISTORY:]]
    first, *further = (*past, question)
    said, earlier, reader = FollowUp(first), [first], TextReader(store, now)
    for asked in further:
        said = _after(said, asked, reader, earlier)
        earlier.append(said.text)
    return said


def carried(question: Question, before: Question, *, fragment: bool) -> Question:
    """``question`` with the words of the earlier questions, ``before``, and their people if it names none.

    A fragment also keeps their time, the chat that they name, and whether the answer is yes or no.
    """
    people = question if question.people else before
    moved = len(before.text) + 1
    times = before if fragment and not question.times else question
    return replace(
        question,
        text=f"{before.text} {question.text}",
        follow_up=question.text,
        unnamed="",
        entities=tuple(dict.fromkeys((*question.entities, *before.entities))),
        people=people.people,
        spans=tuple(
            replace(span, start=span.start + moved, end=span.end + moved) for span in question.spans
        )
        or before.spans,
        speakers=people.speakers,
        related=people.related,
        quoted_speakers=people.quoted_speakers if fragment else question.quoted_speakers,
        answer_types=question.answer_types or before.answer_types,
        times=times.times,
        moments=times.moments,
        filters=before.filters if fragment and not question.filters.chats else question.filters,
        yes_no=question.yes_no
        or (fragment and before.yes_no and not _ASKING.search(question.text)),
        shape=question.shape if question.people and not fragment else None,
    )


def _after(before: FollowUp, question: str, reader: TextReader, earlier: Sequence[str]) -> FollowUp:
    """What ``question`` asks right after ``before``, the last of the ``earlier`` ones."""
    lead = _LEAD.match(question)
    rest = question[lead.end() :] if lead else question
    goes_on = bool(lead and lead["own"])
    joins = goes_on or bool(lead and lead["foreign"])
    led = bool(lead and lead[0].strip())
    if moved := _moved(before, rest, reader, earlier, led=led):
        return moved
    named = [place for place in reader.people(rest) if not names_chat(rest, place[1])]
    times = reader.times(rest, named)
    asked = _ASKS_ANEW.match(rest)
    complete = not led and _COUNTED.search(rest) is not None and reader.counted(rest) is not None
    bare = not (asked or complete) and _is_bare(rest, named, times, before.text)
    other = beside(rest, before.text, reader)
    other = other or (in_same_year(rest, times, before.text, reader) if bare else rest)
    if other != rest:
        return _after(before, question.removesuffix(rest) + other, reader, earlier)
    clean = asked_anew(asked, before.text) if asked else None
    if bare:
        clean = swapped(rest, named, times, before.text, reader)
    if clean:
        return replace(before, text=clean)
    chain = (*before.context, before.text)
    context = chain[:1] + chain[1:][1 - LONGEST_CHAIN :]
    possible = () if named or times or _OWN_SUBJECT.match(rest) else context
    refers = _refers(rest, named) and (_PERSON.search(rest) is not None or not reader.counted(rest))
    if not bare and (refers or _is_full(rest)):
        fragment = not _ASKING.search(rest)
        own = rest[:1].upper() + rest[1:] if goes_on and not fragment else question
        nameless = joins and not (named or times)
        leans = refers or (nameless and _is_of_the_same(rest, reader, foreign=not goes_on))
        return FollowUp(own, context if leans else (), fragment, () if leans else possible)
    if bare or joins or not _content(rest) or _TOPIC.match(rest) or _INCOMPLETE.match(rest):
        return FollowUp(question, context, fragment=True)
    return FollowUp(question, possible=possible)


def _asks_about_person(rest: str, reader: TextReader) -> bool:
    """Whether a text asks for all about somebody: "Tell me about Otis", but not "Otis?"."""
    place = reader.only_name(rest)
    more = place is not None and re.search(r"\w", _without(rest, [place]))
    return bool(more) and reader.asks_for_portrait(rest)


def _moved(
    before: FollowUp, rest: str, reader: TextReader, earlier: Sequence[str], *, led: bool
) -> FollowUp | None:
    """The previous question of another chat, of all times or for the other end, or about its messages.

    Or a question for all about somebody, which does not depend on it.
    """
    if moved := _in_chat(before, rest, reader):
        return moved
    text = in_total(rest, before.text, reader)
    if text is None and (led or not _ASKING.search(rest)):  # else it is a question of its own
        text = with_other_extreme(rest, before.text)
    if text is not None:
        return replace(before, text=text)
    same = of_same_messages([*earlier[:-1], before.text], rest, reader, led=led)
    if same is None and _asks_about_person(rest, reader):
        same = rest
    return FollowUp(same) if same else None


def _content(text: str) -> list[str]:
    """The content words of a text."""
    return [word for word in terms(_NOT.sub("", _ASKS.sub(" ", text))) if word not in _EMPTY]


def _is_full(text: str) -> bool:
    """Whether a text asks with a subject or verb of its own."""
    asking = _ASKING.search(text)
    if asking is None or not _content(text) or _INCOMPLETE.match(text):
        return False
    first = not re.search(r"\w", text[: asking.start()])
    return not first if _UNSPACED.search(text) else first


def _refers(text: str, named: Named) -> bool:
    """Whether a text refers to something named earlier ("Did she like it?", "What happened?")."""
    if _HAPPENED.match(text):
        return True
    if _ELSE.search(text):
        return not named and not _NOUN.search(_ELSE.sub(" ", text))
    he = None if _OWN.match(text) else _PERSON.search(text)
    if he and not _NOUN.search(text[: he.start()]) and not any(p[1] <= he.start() for p in named):
        return True
    plain = _without(text, [place[:2] for place in named])  # a person is no "it"
    it = _THING.search(plain)
    if it is None or (it[0].casefold() == "its" and _WHICH.match(plain)):
        return False
    return not _NOUN.search(plain[: it.start()])


def _is_of_the_same(rest: str, reader: TextReader, *, foreign: bool) -> bool:
    """Whether a full question behind an "and", with no person or time, is about what was asked before.

    Not if it has a name ("And who bought the Skoda?"), or asks about messages: "And who wrote most?".
    """
    if _UNSPACED.search(rest) or (not foreign and _PROPER.search(rest)):
        return False
    return not isinstance(reader.plan(rest), Metadata | Overview)


def _is_bare(rest: str, named: Named, times: Sequence[Atom], before: str) -> bool:
    """Whether ``rest`` has only people, times, and words of the previous question."""
    left = _without(rest, [place[:2] for place in named] + [(t.left, t.right) for t in times])
    ellipsis = _ELLIPSIS.match(left.strip()) if named else None
    whole = (
        named and not times and "from" not in left
    )  # "Where is Nora?", not "How many from Nora?"
    head = None if whole else _SAME_HEAD.match(left.strip())
    said = (ellipsis["asks"] or "") if ellipsis else head["head"] if head else None
    again = said is not None and before.casefold().startswith(said.casefold())
    if _ASKING.search(left) and not again:
        return False
    return bool(named or times) and {*_content(left)} <= {*terms(before)}


def _in_chat(before: FollowUp, rest: str, reader: TextReader) -> FollowUp | None:
    """The previous question about the chat that ``rest`` names, if it adds no more than people and times."""
    titles = reader.store.messages.titles()
    name = rest.rstrip(" ?!.\uff1f")
    whole = {tuple(terms(title)) for title in titles.values()}
    title = INSIDE.sub("", name, count=1)
    known = tuple(terms(title)) in whole or is_part_of_one_title(title, titles)
    bare_title = known and not reader.people(name)
    placed = INSIDE.match(name) is not None and not reader.people(name)
    titled = (
        (f"{name} chat", f"in {name} chat")
        if (bare_title or placed) and not reader.times(name, [])
        else ()
    )
    for text in (rest, f"in {rest}", *titled):
        for start, end, _chats in named_chats(text, titles):
            other = f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
            named = reader.people(other)
            bare = _is_bare(other, named, reader.times(other, named), before.text)
            old = chat_place(before.text, titles, reader.people(before.text))
            if (_content(other) or _ASKING.search(other)) and not bare:
                return None
            body = before.text.rstrip(" ?!.\uff1f")
            left, right = old or (len(body), len(body))
            there = text[start:end]
            if old and not INSIDE.match(before.text, left):  # "Summarize the Ben chat"
                there = _PREPOSITION.sub("", there, count=1)
            asked = f"{before.text[:left].rstrip()} {there}{before.text[right:] or '?'}"
            moved = replace(before, text=asked)
            return _after(moved, other, reader, (moved.text,)) if bare else moved
    return None


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """``text`` with blanks at ``places``."""
    for left, right in places:
        text = text[:left] + " " * (right - left) + text[right:]
    return text
