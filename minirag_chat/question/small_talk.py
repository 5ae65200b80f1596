"""Greetings, thanks, questions about the program itself and requests: no question about the messages."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.about_answer import APOSTROPHES

_PHRASES = """
hi | hello | hey | hiya | howdy | hi there | hello there | hey there | good morning | good afternoon
good evening | good night | bye | goodbye | see you | how are you | how are you doing | are you there
thanks | thanks a lot | thanks mate | cheers | cheers mate | many thanks
thank you | thank you very much | thank you so much | thx | ok | okay
help | help me | please help | can you help me | i need help | who are you | what are you
what can you do | what do you do | what can i do here | how does this work
how do i use this | how do you work | what can i ask | what can i ask you | what should i ask
what can you tell me | what do you know
hallo | guten morgen | guten tag | guten abend | moin | servus | danke | danke schön | vielen dank | tschüss
hilfe | wer bist du | was kannst du | was kann ich fragen | wie geht es dir | wie funktioniert das
bonjour | salut | merci | merci beaucoup | aide | qui es-tu | comment ça marche
hola | buenos días | gracias | muchas gracias | ayuda | quién eres | cómo funciona
ciao | buongiorno | grazie | olá | bom dia | obrigado | obrigada | привет | спасибо | помощь
你好 | 您好 | 谢谢 | 帮助 | 你是谁 | 你能做什么
"""
_KNOWN = frozenset(re.split(r"\s*[|\n]\s*", _PHRASES.strip()))
_ROW = lazy(
    r"(?:{0})(?:\s+(?:{0}))*".format(
        "|".join(map(re.escape, sorted(_KNOWN, key=len, reverse=True)))
    )
)
# What only an assistant that acts could do. "Remind me when it is" is a question.
_REQUEST = lazy(
    r"\W*(?:(?:please|can you|could you|hey|ok)\W+)*"
    r"(?:remind me to (?!wh|how\b)|translate\b[^?]*\binto \w+\W*$|set (?:an?|the) (?:reminder|alarm|timer)\b"
    r"|(?:send|write)(?: (?!me\b)[\w'-]+)? an? (?:new |short |quick )?"
    r"(?:message|text|reply|e-?mail|poem|letter)(?=\W*$| (?:to|for|saying|that)\b))",
    re.IGNORECASE,
)
_PART = lazy(r"[\w' -]*\w")
LONGEST = 80
"""Characters of the longest text that is looked at."""


def is_small_talk(text: str) -> bool:
    """Whether a text is nothing but such phrases, as in "Hi! What can you do?", or a request to act."""
    if len(text) > LONGEST:
        return False
    if _REQUEST.match(text):
        return True
    parts = _PART.findall(text.translate(APOSTROPHES).casefold())
    return bool(parts) and all(_ROW.fullmatch(part.strip()) for part in parts)
