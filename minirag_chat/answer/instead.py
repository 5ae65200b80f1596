"""What is told instead of an unsure answer to open questions: "Who is Joy?", "What's new with the car?".

Few messages say who somebody is: so there is what there is about this person (``portrait.py``). No message
tells the news of a thing, or all about it: so the last ones that mention it are listed. Of "What did Ann say
about the car?" these are Ann's. So it is with what is called by a name in quotation marks. A word alone asks
nothing: so without a model its messages are listed.
"""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.answer.counting.request import CountRequest, Told
from minirag_chat.answer.counting.words_said import words_said
from minirag_chat.answer.path import PathBuilder
from minirag_chat.answer.portrait import QUOTING, told_of
from minirag_chat.answer.word_search import LIKELY, word_search
from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.names_like_words import WHO_IS
from minirag_chat.question.words import name_parts, words_of
from minirag_chat.records import Answer, Filters, Metadata, Question, Wanted
from minirag_chat.store import Store

UNSURE = 0.49  # the most confidence in who somebody is, of which only their own messages are told
LISTED = 5  # messages that mention a thing
MANY = 4
"""The fewest messages with its word that surely tell about a thing: others may call it something else."""
NOT_SAID = "Whether a message says who {name} is, I am not sure."
_PRESENTS = any_case(
    r"\b(?:i['\u2019]?m|i am|i work|i live|this is|my name|call me|ich bin|mein name|hier ist)\b",
)
_END = lazy(r"[\s?.!\uff1f]*")
_THING = r"(?:(?:the|my|our|your|this|that)\s+)?(?P<thing>[^\W\d_]{3,24}(?:\s[^\W\d_]{3,24})?)"
_IS = r"(?:['\u2019]?s| is| are| has been)"
_FORMS = (
    rf"what{_IS} (?:(?:new|happening|going on|up) with|the (?:latest|news) (?:with|on|about|from)) {_THING}",
    rf"(?:is there |are there )?any (?:news|updates?) (?:with|on|about|of|from) {_THING}",
    rf"how{_IS} {_THING} (?:doing|going|getting on|coming (?:on|along))",
    rf"(?:catch|fill|bring) [^?.!]{{2,60}}? (?:up|in|up to (?:date|speed)) (?:on|with) {_THING}",
    rf"update [^?.!]{{2,60}}? on {_THING}",
    rf"(?:(?:can|could) you )?tell [^?.!]{{2,60}}? about {_THING}",
    rf"what (?:else )?(?:do|can) (?:you|we|I) (?:know|say|tell me) about {_THING}",
)
_CALLED = any_case(
    r"\W*(?:who|what|where|when)(?:['\u2019]?s| is| are| was| were) (?:the )?"
    r"[\u201c\u201e\u00ab\"](?P<thing>[^\u201c\u201d\u201e\u00ab\u00bb\"]{2,40})[\u201c\u201d\u00bb\"]\W*",
)
_SAID_OF = any_case(
    r"\W*what (?:did|does|has|have) (?P<who>.{1,60}?) (?:ever )?"
    r"(?:say|said|write|wrote|written|mention|mentioned|(?:tell|told) (?:me|us|him|her|them))"
    rf" (?:about|of|on|regarding) {_THING}[\s?.!]*",
)
_NEWS = tuple(
    any_case(rf"\W*{form}(?: (?:lately|these days|now|then))?[\s?.!]*") for form in _FORMS
)


def told_instead(
    store: Store, question: Question, answer: Answer, *, quoted: bool, changed: bool
) -> Answer:
    """The answer; or, if it is unsure or silent, what can be told of such a question by counting.

    The answer was ``quoted`` by no model; or it is followed by a message that may have ``changed`` it.
    """
    if answer.stopped:
        return answer
    with store.reading():
        found = _told(store, question, answer, quoted=quoted, changed=changed)
        if found is None:
            return answer
        (text, cited), sure = found
        path = PathBuilder(store, question).build(cited, {})
    return replace(
        answer,
        text=text,
        abstained=False,
        confidence=sure,
        reason=None,
        sources=cited,
        closest=(),
        path=path,
        signals={},
    )


def _told(
    store: Store, question: Question, answer: Answer, *, quoted: bool, changed: bool
) -> tuple[Told, float] | None:
    """What is told instead of an answer, and how sure that is; None if the answer stays."""
    person, thing = who_is_asked_about(question), thing_asked_about(question)
    sayers, said_of = sayers_and_thing(question)
    unsure = answer.abstained or answer.confidence < LIKELY
    if person is not None:
        if not (unsure or (quoted and _is_chatter(store, person, answer))):
            return None
        told = _person(store, person, question.filters)
        return (told, min(answer.confidence, UNSURE)) if told else None
    called = quoted_thing(question)
    if of := thing or said_of or called:
        stays = changed or not unsure
        told = None if stays else _mentions(store, question, of, sayers)
        many = not called and told and len(told[1]) >= MANY
        return (told, 1.0 if many else QUOTING) if told else None
    told = word_search(store, question, answer) if quoted else None
    return (told, 1.0) if told else None


def who_is_asked_about(question: Question) -> int | None:
    """The person of whom a question asks nothing but who this is; None if it asks anything else."""
    lead = WHO_IS.match(question.text)
    if lead is None or len(question.spans) != 1:
        return None
    span = question.spans[0]
    alone = span.start == lead.end() and _END.fullmatch(question.text, span.end)
    return span.people[0] if alone and len(span.people) == 1 else None


def thing_asked_about(question: Question) -> str:
    """The one or two words of which a question asks for the news; empty if it asks anything else."""
    found = next((m for form in _NEWS if (m := form.fullmatch(question.text))), None)
    if found is None or STOP_WORDS & {*found["thing"].casefold().split()}:
        return ""
    named = any(span.overlaps(*found.span("thing")) for span in question.spans)
    return "" if named else found["thing"]


def quoted_thing(question: Question) -> str:
    """The name in quotation marks of which a question asks who, what, where or when it is; else empty."""
    found = _CALLED.fullmatch(question.text)
    return found["thing"].strip() if found and not question.spans else ""


def sayers_and_thing(question: Question) -> tuple[frozenset[int], str]:
    """Whose words about which thing a question asks for, and for nothing else; else nobody's, and empty."""
    found = _SAID_OF.fullmatch(question.text)
    who = [span for span in question.spans if found and found.span("who") == (span.start, span.end)]
    if found is None or len(who) != 1 or STOP_WORDS & {*found["thing"].casefold().split()}:
        return frozenset(), ""
    return frozenset(who[0].people), found["thing"]


def _is_chatter(store: Store, person: int, answer: Answer) -> bool:
    """Whether messages of this person are cited that do not speak of themself."""
    parts = name_parts(store.people.shown_by_id(person))
    return all(
        one.message.sender_id == person
        and not _PRESENTS.search(one.message.text)
        and parts.isdisjoint(words_of(one.message.text))
        for one in answer.sources
    )


def _person(store: Store, person: int, filters: Filters) -> Told | None:
    """That it is not sure who somebody is, and what there is about them; None if there is nothing."""
    told = told_of(store, person, filters, with_first=True)
    if told is None:
        return None
    text, cited = told
    return f"{NOT_SAID.format(name=store.people.shown_by_id(person))} {text}", cited


def _mentions(
    store: Store, question: Question, thing: str, senders: frozenset[int] = frozenset()
) -> Told | None:
    """The last messages with a word, of these people or of all; None if there is none."""
    plan = Metadata(
        question=question,
        asks=Wanted("message", "last"),
        word=thing,
        inflected=True,
        number=LISTED,
        senders=senders,
    )
    filters = question.filters
    if senders:
        filters = replace(filters, people=senders & filters.people if filters.people else senders)
    text, cited = words_said(CountRequest(store, plan, filters))
    return (text, cited) if cited else None
