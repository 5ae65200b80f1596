"""“How long until the trip?” asks when the trip is; how long that is from today is added to the answer."""

from __future__ import annotations

from minirag_chat.lazy_patterns import any_case

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
_WHEN_IS = any_case(r"\W*when(?: (?:is|are|do|will)|['\u2019]s) (?P<event>[^?]{2,80}?)\W*")
# "Until I have to pay" names no event.
_CLAUSE = any_case(r"(?:i|we|you|he|she|it|they|ich|wir|er|sie|es|wann|when)\b")


def event_until(question: str) -> str:
    """The event or day that a question asks how long it is until; empty if it asks for something else."""
    found = _UNTIL.fullmatch(question)
    return "" if found is None or _CLAUSE.match(found["event"]) else found["event"]


def when_it_is(question: str) -> str:
    """The question when that event is; any other question as it is."""
    event = event_until(question)
    return f"When is {event}?" if event else question


def with_event_before(question: str, before: str) -> str:
    """The question with the event of the one before: "How long is that from now?" after "When is the trip?".

    It is then "How long until the trip?". Any other question is as it was.
    """
    then, event = _UNTIL_THEN.fullmatch(question), _WHEN_IS.fullmatch(before)
    if not (then and event):
        return question
    far = f"many {then['unit']}" if then["unit"] else "long"
    return f"How {far} until {event['event']}?"
