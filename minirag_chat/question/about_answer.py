"""Questions about the answer before: "who said that?", "in which chat?", "are you sure?", "that's wrong"."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import any_case
from minirag_chat.records import AnswerAspect

LONGEST = 80
"""Characters of the longest text that is looked at."""

_IT = r"(?:that|this|it|these|those|them)"
_SO = r"(?:that|this|it|so)"
_HE = r"(?:he|she|they)"
_THAT = r"(?:that|this)"  # not "it": who sent it, and when, may be asked of a parcel
_ABOUT_IT = rf"(?: (?:about|of|for|on|to) {_IT})?"
_SHOWN = (
    rf"(?:{_IT}|(?:the|that|this|those|these|your) (?:(?:exact|original|whole|full) )?"
    r"(?:messages?|sources?|quotes?|evidence|texts?|words|wording))"
)
_MORE = r"(?:more(?: details?| context| info(?:rmation)?)?|details?|context)"

_SOURCES = rf"""
    who (?:said|says|claims|claimed) {_SO}
    who (?:wrote|writes|mentioned|posted) {_THAT}
    who (?:told|tells) (?:you|me|us)(?: {_SO})?
    says who
    according to whom?
    when was {_THAT} (?:said|written|mentioned)
    when did {_HE} (?:say|write|mention) {_THAT}
    when (?:was|is) (?:the|that|this) message(?: (?:from|sent|written))?
    (?:on )?(?:which|what) (?:day|date|time) was {_THAT} (?:said|written)
    in (?:which|what) (?:chat|group|conversation)(?: (?:is|was) {_IT}(?: (?:said|written))?)?
    (?:which|what) chat(?: (?:is|was) {_IT}(?: (?:in|from|said|written))?)?
    where was {_THAT} (?:said|written)
    where did {_HE} (?:say|write|mention) {_THAT}
    (?:what(?:'s| is| are| was) )?(?:the |your |its )?(?:sources?|evidence|proof|citations?){_ABOUT_IT}
    how (?:do|did) you (?:know|find out|find|get)(?: {_SO})?
    where (?:did|do) you (?:get|have|find|read|see) {_SO}(?: from)?
    prove {_SO}
    (?:show|give)(?: me)? {_SHOWN}{_ABOUT_IT}
    (?:can|could|may) i (?:see|read) {_SHOWN}
    quote (?:him|her|{_SHOWN})
    (?:which|what) messages? (?:says?|states?) {_SO}
    (?:which|what) messages? (?:is|was) {_IT}(?: (?:in|from))?
    what exactly did {_HE} (?:say|write)
    what did {_HE} (?:say|write) exactly
    what (?:does|did|do) the messages? (?:say|read)
    what (?:is|are|was|were) (?:the|his|her|their) (?:exact|actual|original) (?:words|wording|messages?)
    wer (?:sagt|schreibt) das
    wer hat das (?:gesagt|geschrieben)
    wann (?:wurde|hat (?:er|sie)) das (?:gesagt|geschrieben)
    in welche[mr] (?:chat|gruppe)(?: (?:war|steht) das)?
    wo steht das
    woher wei(?:ß|ss)t du das
    zeige?(?: mir)? die nachricht
    qui a (?:dit|écrit) (?:ça|cela)
    dans quel(?:le)? (?:chat|groupe|conversation)
    comment (?:le sais-tu|tu le sais)
    quién (?:dijo|escribió|dice) eso
    en qué (?:chat|grupo|conversación)
    cómo lo sabes
    (?:这是|这话是)?谁[说写]的
    什么时候[说写]的
    在?哪个(?:群|聊天)里?(?:说的)?
    你怎么知道的?
    (?:原话|来源)(?:是什么)?
"""
_LISTED = r"""
    (?:show|give|list|read)(?: (?:me|us))?(?: all(?: of)?)? (?:them|these|those)(?: all)?
    (?:show|give|list|read)(?: (?:me|us))?(?: all)?(?: of)? (?:the|these|those) messages
    (?:show(?: me| us)|let me see)(?: all)?
    (?:which|what) (?:ones|messages)(?: (?:are|were) (?:they|these|those))?
    (?:which|what) (?:are|were) (?:they|these|those)
    (?:can|could|may) (?:i|we) (?:see|read)(?: all(?: of)?)? (?:them|these|those)(?: all)?
    (?:can|could|may) (?:i|we) (?:see|read)(?: all)?(?: of)? (?:the|these|those) messages
    zeige?(?: mir| uns)? (?:sie|die|diese)(?: alle)?
    zeige? (?:sie|die|diese) (?:mir|uns)(?: alle)?
    zeige?(?: mir| uns)? (?:alle|die|diese) nachrichten
    liste? (?:sie|diese)(?: alle)? auf
"""
_CERTAINTY = rf"""
    are you (?:really |quite |absolutely )?(?:sure|certain|positive){_ABOUT_IT}
    how (?:sure|certain|confident) are you{_ABOUT_IT}
    is {_IT} (?:really )?(?:right|true|correct|certain)
    really
    bist du (?:dir )?sicher
    stimmt das
    tu es sûre?
    c'est vrai
    estás segur[oa]
    你?确定吗
    真的吗
"""
_CONTEXT = rf"""
    (?:tell|give|show)(?: me)? (?:some |a (?:bit|little) |any |the )?{_MORE}{_ABOUT_IT}
    (?:any |some |with |in )?{_MORE}{_ABOUT_IT}
    go on
    explain(?: (?:{_SO}|yourself))?
    elaborate{_ABOUT_IT}
    what(?:'s| is| was) the context{_ABOUT_IT}
    what do you mean(?: by {_SO})?
    (?:erzähl )?mehr(?: details| dazu)?
    plus de détails
    más detalles
    详细(?:点|说说|一点)?
"""
_WRONG = r"(?:all |just |simply |completely |totally )?(?:wrong|incorrect|mistaken)"
_IS_NO = rf"(?:(?:{_THAT}|it) is not|(?:{_THAT}|it)'s not|{_THAT} (?:isn't|wasn't|was not))"
_DISPUTED = rf"""
    (?:(?:{_THAT}|it|you)(?:'s|'re| is| was| are)) {_WRONG}
    {_IS_NO} (?:quite )?(?:right|true|correct|it|the (?:right )?(?:one|answer|message))
    (?:{_IS_NO} |not )what i (?:asked|meant|wanted|was (?:asking|looking for))(?: for| about)?
    i (?:didn't|did not) (?:ask|mean) {_THAT}
    i (?:don't|do not) think (?:so|that(?:'s| is) (?:right|true|correct|it))
    not {_THAT}(?: one)?
    wrong(?: (?:answer|one|message|again))?
    (?:try|look|search) again
    (?:das )?(?:stimmt nicht|ist falsch)
    falsch
    c'est faux
    ce n'est pas (?:ça|vrai)
    (?:eso )?(?:está mal|no es (?:cierto|correcto|eso))
    不对
    错了
"""
_LEAD = (
    r"(?:(?:ok(?:ay)?|and|but|so|wait|hm+|no|yes|oh|well|then|und|aber|et|mais|y|pero)\b[\s,.!\u2026]*)*"
    r"(?:(?:can|could|would|will) you (?:please )?|please )?"
)
_TAIL = (
    r"(?:[\s,]+(?:exactly|again|then|though|please|to me|bitte|por favor|denn))*"
    r"[\s.!?\u2026\uff1f\u3002]*"
)
APOSTROPHES = str.maketrans("\u2018\u2019", "''")
_OPENING = " \t\n\u00bf\u00a1"


def _any(forms: str) -> re.Pattern[str]:
    """Matches a text that is one of the forms, one a line."""
    lines = "|".join(line.strip() for line in forms.strip().splitlines())
    return any_case(rf"{_LEAD}(?:{lines}){_TAIL}")


_ASKS: tuple[tuple[AnswerAspect, re.Pattern[str]], ...] = (
    ("list", _any(_LISTED)),
    ("sources", _any(_SOURCES)),
    ("certainty", _any(_CERTAINTY)),
    ("context", _any(_CONTEXT)),
    ("others", _any(_DISPUTED)),
)


def asks_about_answer(text: str) -> AnswerAspect | None:
    """What a text asks about the answer before it; None if it is not wholly about that answer."""
    if len(text) > LONGEST:
        return None
    plain = text.translate(APOSTROPHES).strip(_OPENING)
    return next((aspect for aspect, form in _ASKS if form.fullmatch(plain)), None)
