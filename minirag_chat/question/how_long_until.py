"""“How long until the trip?” asks when the trip is; how long that is from today is added to the answer.

So does “How long until we get the keys?”, and “How long ago did we move?” asks when that was: asked so, the
messages that say it are found (docs/measured.md, "Questions in other words").
"""

from __future__ import annotations

from collections.abc import Sequence

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.about_messages.forms.vocabulary import COUNTED, TALK, WRITE

_UNTIL = any_case(
    r"\W*(?:(?:and|so|but)\s+)?(?:how\s+(?:long|many\s+(?:more\s+)?(?:days|weeks|months|sleeps))"
    r"(?:\s+(?:is\s+it|is\s+there|are\s+there|is\s+left|are\s+left|left|to\s+go|do\s+(?:i|we)\s+have(?:\s+left)?))?"
    r"\s+(?:until|till|til)"
    r"|wie\s+(?:lange|viele\s+(?:tage|wochen|monate))(?:\s+(?:ist|sind|dauert)\s+es)?(?:\s+noch)?\s+bis(?:\s+zu[mr]?)?)"
    r"\s+(?P<event>[^?!.]{2,80}?)\W*",
)
_IT = r"(?: (?:is|was) (?:it|that|this))"
_FROM_NOW = r"(?: (?:from now|away|off|(?:un)?till? (?:then|that)|to go))"
_UNTIL_THEN = any_case(  # not "how long is it?", which may be its length
    rf"\W*(?:(?:and|so|but) )?how (?:(?:long|far){_IT}?{_FROM_NOW}"
    rf"|many (?P<unit>days|weeks|months|hours)(?:{_IT}{_FROM_NOW}?|{_FROM_NOW}))\W*",
)
_WHICH_DAY = any_case(
    r"\W*(?:(?:and|so|but) )?(?:what|which) (?:day(?: of the week)?|weekday) (?:is|was) (?:it|that|this)\W*"
)
_WHEN = any_case(r"\W*(?:(?:and|so|but) )?when\b")
_WHEN_IS = any_case(r"\W*when(?: (?P<aux>is|are|do|will)|['\u2019]s) (?P<event>[^?]{2,80}?)\W*")
_PRONOUN = any_case(r"(?P<who>i|we|you|they|he|she|it|that|this)\b(?P<rest>.*)")
_SHORT_FORM = any_case(r"(?P<who>i|we|you|they|he|she|it)['\u2019](?P<verb>m|re|s)\b")
_FULL = {"m": "am", "re": "are", "s": "is"}
# "Bis wir einziehen", "until when": no event, and none that is made one.
_AGO = any_case(
    r"\W*(?:(?:and|so|but)\s+)?how\s+(?:long|many\s+(?:days|weeks|months|years))\s+ago"
    r"\s+(?P<asks>(?:did|was|were|had)\s+[^?!.]{2,120}?)\W*"
)
_OF_MESSAGES = any_case(
    rf"\b(?:{WRITE}|{TALK}|say|said|hear|heard|call(?:ed)?|rep(?:ly|lied)|tell|told|ask(?:ed)?|answer(?:ed)?"
    rf"|mention(?:ed)?|react(?:ed)?)\b|\b{COUNTED}(?!\w)"
)
_CLAUSE = any_case(r"(?:ich|wir|er|sie|es|wann|when)\b")
_WHO_DOES = any_case(r"(?P<who>i|we|you|they|he|she|it)\s+(?P<verb>[a-z]+)(?P<rest>.*)")
_AUXILIARY = any_case(r"(?:am|are|is|was|were|can|could|will|should|must|may)")
_THIRD = any_case(r"he|she|it")


def event_until(question: str) -> str:
    """The event or day that a question asks how long it is until; empty if it asks for something else."""
    found = _UNTIL.fullmatch(question)
    return "" if found is None or _CLAUSE.match(found["event"]) else found["event"]


def when_it_is(question: str) -> str:
    """The question when that event is, or was; any other question as it is."""
    ago = _AGO.fullmatch(question)
    if ago and not _OF_MESSAGES.search(ago["asks"]):
        return f"When {ago['asks']}?"
    event = _SHORT_FORM.sub(
        lambda short: f"{short['who']} {_FULL[short['verb'].casefold()]}", event_until(question)
    )
    if clause := _WHO_DOES.fullmatch(event):
        return _when_done(clause["who"], clause["verb"], clause["rest"])
    return f"When is {event}?" if event else question


def with_event_before(question: str, earlier: Sequence[str]) -> str:
    """The question with the event of the one before, the last of the ``earlier`` ones, which may have it so.

    After "When is the trip?", "what day is that?" asks for its day, and "how long is that from now?" how long
    it is until then.
    """
    before = ""
    for asked in earlier:
        before = _with_event(asked, before)
    return _with_event(question, before)


def _with_event(question: str, before: str) -> str:
    """The question with the event of the one before: "How long is that from now?" after "When is the trip?".

    It is then "How long until the trip?". "What day of the week is that?" asks when it is once more: the
    answer says it. Any other question is as it was.
    """
    if _WHICH_DAY.fullmatch(question) and _WHEN.match(before):
        return before
    then, asked = _UNTIL_THEN.fullmatch(question), _WHEN_IS.fullmatch(before)
    if not (then and asked):
        return question
    event, far = asked["event"], f"many {then['unit']}" if then["unit"] else "long"
    if clause := _PRONOUN.fullmatch(event):
        rest, verb = clause["rest"], asked["aux"] or "is"
        if not rest.strip():  # "When is it?"
            return question
        event = f"{clause['who']}{rest}" if verb == "do" else f"{clause['who']} {verb}{rest}"
    return f"How {far} until {event}?"


def _when_done(who: str, verb: str, rest: str) -> str:
    """The question when somebody does something: "When do we get the keys?"."""
    if _AUXILIARY.fullmatch(verb):
        return f"When {verb} {who}{rest}?"
    if verb.casefold().endswith("ing"):  # after "When are we leaving?"
        return f"When will {who} be {verb}{rest}?"
    if not _THIRD.fullmatch(who):
        return f"When do {who} {verb}{rest}?"
    return f"When does {who} {_plain(verb)}{rest}?"


def _plain(verb: str) -> str:
    """A verb without the "s" that it has after "she": "comes", "goes", "watches", "flies", "has"."""
    if verb.casefold() == "has":
        return "have"
    if verb.endswith("ies") and len(verb) > len("dies"):
        return f"{verb[:-3]}y"
    return (
        verb[:-2]
        if verb.endswith(("oes", "ches", "shes", "sses", "xes"))
        else verb.removesuffix("s")
    )
