"""Greetings, thanks, questions about the program itself and requests: no question about the messages."""

from __future__ import annotations

import re

from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.about_answer import APOSTROPHES

_PHRASES = """
hi | hello | hey | hiya | howdy | hi there | hello there | hey there | good morning | good afternoon
good evening | good night | bye | goodbye | see you | how are you | how are you doing | are you there
thanks | thanks a lot | thanks mate | cheers | cheers mate | many thanks
thank you | thx | ta | ok | okay | yes | yes please | no | no thank you | no thanks | right | fine
lovely | wonderful | brilliant | perfect | excellent | great | super | marvellous | splendid | good
very good | cheerio | bye bye | see you soon | see you later
that will be all | that is all | that's all | that was all
that was helpful | that was very helpful | that is helpful | very helpful | most helpful
you have been helpful | you have been very helpful | you have been most helpful | you've been most helpful
you've been very helpful | good evening to you | how are you today | nice to meet you
hallo | guten morgen | guten tag | guten abend | moin | servus | danke | danke schön | vielen dank | tschüss
wie geht es dir | bonjour | salut | merci | merci beaucoup | hola | buenos días | gracias | muchas gracias
ciao | buongiorno | grazie | olá | bom dia | obrigado | obrigada | привет | спасибо | 你好 | 您好 | 谢谢
"""
_BESIDE = """
very much | very much indeed | so much | a lot | kindly | indeed | ever so | for now | for that | to you
again | today | then | dear | my dear | love | my love | darling | sweetheart | everyone | all | there
mate | friend
"""
"""What may stand behind such a phrase: "Thank you very much, my dear"."""
_HELP = """
help | help me | please help | can you help me | i need help | who are you | what are you
what can you do | what do you do | what can i do here | how does this work
how do i use this | how do you work | what can i ask | what can i ask you | what should i ask
what can you tell me | what do you know
hilfe | wer bist du | was kannst du | was kann ich fragen | wie funktioniert das
aide | qui es-tu | comment ça marche | ayuda | quién eres | cómo funciona | помощь
帮助 | 你是谁 | 你能做什么
"""


def _any_of(phrases: str) -> str:
    """A pattern of these phrases, the longest first."""
    known = {*re.split(r"\s*[|\n]\s*", phrases.strip())}
    return "|".join(map(re.escape, sorted(known, key=len, reverse=True)))


_SAID = f"{_any_of(_HELP)}|{_any_of(_PHRASES)}"
_AFTER = _any_of(_BESIDE)
_ROW = lazy(rf"(?:{_SAID})(?:\s+(?:{_SAID}|{_AFTER}))*")
_AFTERWARDS = lazy(rf"(?:{_AFTER})(?:\s+(?:{_AFTER}))*")
_ASKS_FOR_HELP = lazy(rf"(?<!\w)(?:{_any_of(_HELP)})(?!\w)")
# What only an assistant that acts could do. "Remind me when it is" is a question.
_REQUEST = any_case(
    r"\W*(?:(?:please|can you|could you|hey|ok)\W+)*"
    r"(?:remind me to (?!wh|how\b)|translate\b[^?]*\binto \w+\W*$|set (?:an?|the) (?:reminder|alarm|timer)\b"
    r"|(?:send|write)(?: (?!me\b)[\w'-]+)? an? (?:new |short |quick )?"
    r"(?:message|text|reply|e-?mail|poem|letter)(?=\W*$| (?:to|for|saying|that)\b)"
    r"|(?:delete|erase|remove|export|archive|mute|block|rename|merge)\b"
    r"[^?]*\b(?:chats?|messages?|texts|groups?|conversations?|contacts?|everything)\b[^?]*$)",
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
    first, *further = [part.strip() for part in _PART.findall(_plain(text))] or [""]
    return _ROW.fullmatch(first) is not None and all(
        _ROW.fullmatch(part) or _AFTERWARDS.fullmatch(part) for part in further
    )


def asks_for_help(text: str) -> bool:
    """Whether small talk asks what can be asked here: "Hi! What can I ask?"."""
    return _ASKS_FOR_HELP.search(_plain(text)) is not None


def _plain(text: str) -> str:
    return text.translate(APOSTROPHES).casefold()
