"""Whether a question asks what there is to know about one person, and nothing in particular."""

from __future__ import annotations

from dataclasses import replace

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.overview import filters_within, is_all, question_parts
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.records import Question

# Matches a text in which the name of the person is replaced by "they", and the asker by "we".
_MUCH = r"(?:all|everything|anything|something|more|a (?:bit|little)(?: more)?)"
_ASKS = any_case(
    rf"\b(?:tell (?:me|us|we)|(?:do|can) you (?:tell (?:me|us|we)|know)) (?:{_MUCH} )?(?:you know )?"
    r"about they\b"
    rf"|\bwhat (?:else )?(?:do|can|could) (?:you|we|people) (?:know|say|tell (?:me|us|we)) about they\b"
    rf"|\b(?:describe|introduce|sketch) they\b|\bhow would you describe they\b"
    r"|\bwhat (?:kind|sort|type) of (?:a )?(?:person|man|woman|guy|girl) (?:is|was) they\b"
    r"|\bwhat (?:is|was) they like\b"
    rf"|\berz\u00e4hl(?:e)? (?:mir|uns|we) (?:mal )?(?:etwas |was |alles |mehr )?(?:\u00fcber|von) they\b"
    r"|\bwas (?:wei\u00dft du|wissen wir|wei\u00df man) \u00fcber they\b|\bbeschreib(?:e)? they\b"
    r"|^\W*they\W*$",
)


def as_portrait(question: Question, context: PlanContext) -> Question | None:
    """The question about one person, with the times and chats that it names; None if it asks anything else.

    "Tell me about Ann", "What do we know about Ann?", "Ann?"; but not "Tell me about Ann's new job". Its
    ``people`` are this person, or all who are called so.
    """
    others = tuple(person for person in question.people if person.id != context.me)
    named = [span for span in question.spans if span.people != (context.me,)]
    if len(named) != 1 or {one.id for one in others} != {*named[0].people} or question.follow_up:
        return None
    parts = question_parts(question, context)
    if parts is None or not _ASKS.search(parts.text) or not is_all(_ASKS.sub(" ", parts.text)):
        return None
    filters = filters_within(parts, question.filters)
    if filters is None:
        return None
    filters = replace(filters, repeated=parts.repeated)
    return replace(question, people=others, times=parts.spans, filters=filters)
