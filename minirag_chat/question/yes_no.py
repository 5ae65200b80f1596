"""Whether a question is to be answered with yes or no."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.times.quoted import unquoted

_IGNORED = re.IGNORECASE
_LEAD = any_case(r"\s*(?:(?:and|so)\s+)?")
_AUXILIARY = any_case(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|am|must)(?:n['\u2019]t)?\b",
)
_ASKS_FOR = r"(?:who|whom|whose|what|which|when|where|why|how)\b"
_POLITE = any_case(
    r"(?:can|could|will|would) (?:you|(?:some|any)(?:one|body) (?:tell|remind|explain))\b"
    r"|do(?:es)? (?:you|(?:some|any)(?:one|body)) (?:happen to )?(?:know|remember|recall)\b"
    r"|have you (?:any|got any|an) idea\b",
)
_BEGS = any_case(
    r"\s+(?:please\s+)?(?:tell|show|list|give|name|find|explain|describe|remind|say|write|look|check|help"
    r"|sum|summari[sz]e|recap|quote|count|search)\b",
)
_WANTS = any_case(rf"\b(?:(?P<polar>if|whether|confirm)\b|{_ASKS_FOR})")
_ANYTHING = any_case(rf"\s+(?!{_ASKS_FOR}|(?:que|quê|quem|qual|quais)\b)\S")
# "… in Rome or Paris?", and not "Did Ann or Bob call?" or "… for one reason or another?"
_CHOICE = lazy(
    r"(?!\w+\s+\w+\s+or\b)(?!.*\b(?:any\w*|ever|either|is it true)\b).*\w\s+or\s+(?!(?:an)?other\b)"
    r"(?!(?:not|no|so|more|less|some\w*|\d+)\b)(?:(?:in|on|at|to|by|with|from)\s+)?(?:(?:the|an?|my|his|her)\s+)?"
    r"\w+(?:\s+\w+)?\W*$",
    _IGNORED | re.DOTALL,
)
_SUBJECT = any_case(
    r"\s+(?:(?:i|he|she|it|we|you|they|there|one|the|an?|this|that|these|those|my|your|his|her|its|our"
    r"|their|anyone|anybody|anything|someone|somebody|something|everyone|everybody|everything|no|none"
    r"|nobody|nothing|any|some|each|every|all|both|either|neither|another|many|most|much|more|several"
    r"|people|children|men|women|not)\b|(?-i:[A-Z])|\d)",
)


def is_yes_no(text: str, names: Sequence[tuple[int, int]]) -> bool:
    """Whether yes or no answers ``text``; ``names`` are the (start, end) of the people it names.

    "Can you tell me when …" asks for a time, "Rome or Paris?" for one of them. A word that may be German
    ("Was") or a person's name ("Will") only counts before what looks like an English subject.
    """
    begin = _LEAD.match(text)
    at = begin.end() if begin else 0
    first = _AUXILIARY.match(text, at)
    if first is None or any(start == at and end > first.end() for start, end in names):
        return False
    if _CHOICE.match(unquoted(text), at):
        return False
    if polite := _POLITE.match(text, at):
        wanted = _WANTS.search(text, polite.end())
        if wanted is None:  # "Can you swim there?", and not "Can you list the guests?"
            return polite[0].lower().endswith("you") and not _BEGS.match(text, polite.end())
        return wanted["polar"] is not None
    unclear = first[0].lower() == "was" or first.span() in names
    return (_SUBJECT if unclear else _ANYTHING).match(text, first.end()) is not None
