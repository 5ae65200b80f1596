"""Takes the polite frame off a question: "I wonder whether you could tell me when June comes, please?".

What is said to the program asks nothing of the messages, and its "I" and "may" are no asker and no month.
English.
"""

from __future__ import annotations

from minirag_chat.lazy_patterns import any_case, lazy

LONGEST = 600  # characters of a question that is looked at
_YOU = (
    r"(?:(?:please|possibly|kindly|perhaps|maybe|ever|also|just|be (?:so|very) (?:kind|good) (?:as to|to)"
    r"|be able to|happen to|mind)\s+)*"
)
_OPENS = any_case(
    r"\W*(?:"
    r"(?:sorry|apologies|excuse me|forgive me)(?: to (?:trouble|bother) you)?(?:,| but|, but)+"
    r"|if it(?:['\u2019]s| is) not (?:too much )?(?:trouble|a bother),?"
    r"|if you (?:don['\u2019]t|do not|wouldn['\u2019]t|would not) mind,?"
    r"|my memory is [a-z]+[,.;]?"
    r"|kindly(?=\s+(?:show|tell|list|give|find|count|remind|summari[sz]e|read|let)\b)"
    r"|do(?=\s+(?:tell|show|let)\s+me\b)"
    rf"|please (?:can|could|would|will) you\s+{_YOU}"
    rf"|(?:would|could|can|will|might) you\s+{_YOU}(?=(?:[a-z]+ing|show|tell|list|give|find|count|remind"
    r"|summari[sz]e|read|let|say|look|search|check)\b)"
    rf"|is there any (?:chance|way|possibility) (?:that )?you (?:can|could|might)\s+{_YOU}"
    rf"|i(?: was|['\u2019]?m)? wonder(?:ing)?(?: (?:if|whether) you (?:could|can|would|might)\s+{_YOU}"
    r"|(?: (?:if|whether) you know)?(?=\s+(?:who|what|when|where|why|how|which)\b))"
    r"|i (?:would|should) be (?:most |very |so )?(?:grateful|obliged)"
    r" (?:if you (?:could|would)|for(?: a list of)?)"
    r"|i don['\u2019]t suppose (?:that )?you (?:happen to )?know"
    r"|do you (?:happen to |by any chance )?(?:know|remember|recall)"
    r"(?=\s+(?:who|what|when|where|why|how|which)\b)"
    r"|i (?:can['\u2019]?t|cannot|don['\u2019]t|do not) (?:quite )?(?:remember|recall|know)"
    r"(?=\s+(?:who|what|when|where|why|how|which)\b)"
    r"|i(?:['\u2019]ve| have) (?:quite )?forgotten(?=\s+(?:who|what|when|where|why|how|which)\b)"
    r"|(?:may|might|can|could) i (?:please |just )?(?:ask|know|enquire|inquire)(?: you)?[,:]?"
    r"(?=\s+(?:who|what|when|where|why|how|which|if|whether)\b)"
    r"|(?:may|might|can|could) i (?:please |just )?(?:see|have|get|read|look at)(?=\s+(?:the|all|a|my|any)\b)"
    r"|would it be possible to (?:see|have|get|know)"
    r"|i(?:['\u2019]d| would| should) (?:love|like) to (?:see|know|ask)(?=\s+\w)"
    r")\s*",
)
_ASKS_BACK = (
    r"(?:can|could|would|will|do) you|if you (?:don['\u2019]t|do not|wouldn['\u2019]t) mind"
    r"|if (?:it|that)(?:['\u2019]s| is) (?:not too much trouble|possible|all right|ok(?:ay)?)"
)
_THANKS = r"(?:my )?dear|there['\u2019]s a dear|i forget|(?:many )?thanks|thank you(?: very much)?"
_CLOSES = any_case(  # not "who said thank you", nor "did Ann write please"
    rf"(?:[,;.]\s*(?:{_ASKS_BACK}|{_THANKS}|please|pls)"
    r"|(?<!\bsay)(?<!\bsays)(?<!\bsaid)(?<!\bwrite)(?<!\bwrote)(?<!\bword)\s+(?:please|pls))(?=\W*$)",
)
_LISTING = any_case(
    r"(?P<verb>show|tell|list|giv|find|count|remind|summaris|summariz|read|check)ing\b"
)
_FULL = {"giv": "give", "summaris": "summarise", "summariz": "summarize"}
_WORD = lazy(r"\w{2}")
MOST_FRAMES = 4  # within one another


def without_politeness(question: str) -> str:
    """The question without what is only polite before and behind it; as it is if nothing else is left."""
    text = question
    for _ in range(MOST_FRAMES if len(question) <= LONGEST else 0):
        shorter = _without_one(text)
        if shorter == text or not _WORD.search(shorter):
            break
        text = shorter
    asks = text != question and question.rstrip().endswith("?") and not text.endswith("?")
    return f"{text}?" if asks else text


def _without_one(text: str) -> str:
    """A text without one frame on each side; "showing me" behind one is "show me"."""
    opened = _OPENS.match(text)
    rest = _CLOSES.sub("", text[opened.end() :] if opened else text)
    found = _LISTING.match(rest) if opened else None
    if found is None:
        return rest
    verb = found["verb"].casefold()
    return f"{_FULL.get(verb, verb)}{rest[found.end() :]}"
