"""Questions about the program: "where is my data stored?", "how do I delete a chat?". Whole texts only."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.about_answer import APOSTROPHES
from minirag_chat.records import ProgramTopic

LONGEST = 80
"""Characters of the longest text that is looked at."""

_APP = r"(?:you|this (?:app|program|page|tool)|the (?:app|program)|minirag(?: chat)?)"
_MINE = r"(?:(?:(?:all )?my|our|the) )?(?:data|messages|chats|texts|conversations)"
_ACT = r"(?:how (?:do|can) (?:i|we|you)|can (?:i|we)|how to|where (?:do|can) (?:i|we))"
_MODEL = r"(?:(?:(?:ai|language) )?model|llm|ai)"
_SOME = r"(?:(?:an?|one|the|this|my|all|all my|new|another|single) )*"
_A_CHAT = rf"{_SOME}(?:chats?|messages?|conversations?|person|people|contacts?|data|everything)"
_TO_WHOM = (
    r"(?:anywhere|somewhere|online|to (?:anyone|anybody|someone|the (?:cloud|internet)|a server))"
)
_FORMATS = r"(?:(?:file )?formats?|files|exports?|apps|messengers)"
_TONGUE = r"(?:german|french|spanish|english|italian|portuguese|polish|chinese|other languages)"
_FORMS: tuple[tuple[ProgramTopic, str], ...] = (
    (
        "model",
        rf"""
        (?:what|which) {_MODEL} (?:are you|do you use|are you using|is used|is running|reads)
        (?:what|which) {_MODEL} (?:does|is) {_APP} (?:use|using|run|running)
        are you (?:an? )?(?:ai|chatgpt|gpt|llm|bot|robot|{_MODEL})
        """,
    ),
    (
        "data",
        rf"""
        where (?:is|are) {_MINE} (?:stored|kept|saved)
        where (?:do|does) {_APP} (?:store|keep|save) {_MINE}
        """,
    ),
    (
        "private",
        rf"""
        (?:do|does|will) {_APP} (?:send|share|upload) {_MINE}(?: {_TO_WHOM})?
        (?:do|does) {_MINE} leave (?:this|my) (?:machine|computer|device|laptop)
        (?:is|are) {_MINE} (?:private|safe|secure|sent {_TO_WHOM})
        (?:do|does) {_APP} (?:work offline|run locally|need (?:the )?internet)
        """,
    ),
    (
        "delete",
        rf"""
        {_ACT} (?:delete|remove|erase|forget|wipe) {_A_CHAT}
        {_ACT} (?:delete|remove|erase|wipe) (?:what|everything) (?:that )?you know(?: about me)?
        (?:(?:please|can you|could you) )*(?:delete|remove|erase|wipe) {_A_CHAT}(?: (?:with|from|of) [^?]+)?
        """,
    ),
    (
        "import",
        rf"""
        {_ACT} (?:import|add|upload) {_SOME}(?:chats?|files?|messages|exports?|conversations?)
        {_ACT} (?:import|add|upload|export) {_SOME}(?P<of>\w+) (?:chats?|messages|exports?|conversations?)
        {_ACT} (?:import|add|export) {_SOME}(?:chats?|messages|conversations?) from (?P<from>\w+)
        """,
    ),
    (
        "formats",
        rf"""
        (?:what|which) {_FORMATS} (?:can|do|does) {_APP} (?:import|read|support)
        (?:what|which) {_FORMATS} (?:are|is) supported
        """,
    ),
    (
        "languages",
        rf"""
        (?:what|which) languages? (?:can|do|does) {_APP} (?:understand|speak|know|support|read)
        do you (?:speak|understand) {_TONGUE}
        """,
    ),
    (
        "certainty",
        r"""
        how (?:sure|certain|confident|reliable|accurate) are (?:you|your answers|the answers)
        (?:can|should) i trust (?:you|your answers|the answers)
        what does the (?:confidence|percentage|flag) mean
        """,
    ),
)
_LEAD = r"\W*(?:(?:and|so|ok|but|hey|hi)[\s,]+)?"
_TAIL = r"(?:[\s,]+(?:please|then|actually|here))*[\s.!?]*"


def _any(forms: str) -> re.Pattern[str]:
    """Matches a text that is one of the forms, one a line."""
    lines = "|".join(line.strip() for line in forms.strip().splitlines())
    return any_case(rf"{_LEAD}(?:{lines}){_TAIL}")


_ASKS = tuple((topic, _any(forms)) for topic, forms in _FORMS)


def asks_about_program(text: str) -> tuple[ProgramTopic, str] | None:
    """What a text asks about the program, and the app of which it names exports; None if anything else."""
    if len(text) > LONGEST:
        return None
    plain = text.translate(APOSTROPHES)
    for topic, form in _ASKS:
        if found := form.fullmatch(plain):
            return topic, next(filter(None, found.groupdict().values()), "")
    return None
