"""Questions in the first person ("When did I move?"): puts the asking person's name in them.

Left unchanged: what is said to the program ("tell me …"), what is in quotation marks or said to somebody
("say I love you"), and "we" and "our", which are more than one person. English, German and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import any_case, lazy
from minirag_chat.question.placeholders import BEGIN, END, ME
from minirag_chat.times.quoted import QUOTED

_IGNORED = re.IGNORECASE
_HAN = lazy(r"[\u3400-\u9fff]")
_ENGLISH = any_case(
    r"\b(?:who|whom|whose|what|when|where|why|how|which|am|will|can|won['\u2019]t"
    r"|(?:did|do|does|was|were|is|are|has|have|had|would|could|should)(?:n['\u2019]t)?"
    r"|the|of|to|my|i'm|i've|i'll|i'd|and|about|with|for|there|any|sent|messages?)\b",
)
_GERMAN = any_case(
    r"\b(?:wer|wen|wem|was|wann|wo|wohin|warum|wieso|wie|welche[rsmn]?|bin|habe?|war|ist|sind|der|die|das|den"
    r"|dem|ein|eine[rnm]?|ich|mich|mir|mein(?:e[rsmn]?)?|und|mit|für|von|zu|über|hat|haben|soll|will)\b",
)
SAID_TO_SOMEBODY = (
    r"\b(?:says?|said|saying|types?|typed|writes?|wrote|sends?|sent)\s+(?P<word>(?:i|we)"
    r"(?:\s+(?:really|still|do|also|always|will))*\s+(?!(?:saw|met|told|would|could|should|had|was|were)\b)"
    r"[^\W\d_]+(?<!ed)\s+(?:you|ya|u)\b(?:\s+(?:too|so|all|both|(?:so\s+|very\s+)?much))*"
    r"|(?:i['\u2019]?m|i\s+am)\s+(?:(?:so|very|really)\s+)?sorry)\b"
)
"""Words as they were said, without quotation marks: what is told of them has "him" or "her", not "you"."""
_SAID_TO_SOMEBODY = any_case(SAID_TO_SOMEBODY)
# "Tell me when I moved": the first part is said to the program; its "me" must not be replaced.
_TO_US = any_case(
    r"^\W*(?:(?:please|ok(?:ay)?|hey|hi|so|and|now)\b[\s,]*)*"
    r"(?:(?:can|could|would|will) you\b\s*(?:please\s*)?)?"
    r"(?:(?:tell|remind|show|give|read|help|find|list|let|explain)\s+(?:to\s+)?me\b(?:\s+know)?"
    r"|i(?:\s+(?:want|need|would like|wonder)|'d (?:like|love)|\u2019d (?:like|love))(?:\s+to\s+know)?\b"
    r"(?=\s+(?:who|what|when|where|why|how|which|whether|if)\b))(?:\s+please\b)?",
)
_TO_US_GERMAN = any_case(
    r"^\W*(?:(?:bitte|ok(?:ay)?|hallo|und|so)\b[\s,]*)*"
    r"(?:(?:kannst|könntest|würdest) du (?:mir|mich)\b"
    r"|(?:sage?|erzähle??|zeige?|nenne?|erinnere?|erkläre?|gib|hilf)\s+(?:mir|mich)\b"
    r"|ich (?:möchte|will|würde gerne?) wissen\b|weißt du\b)(?:\s+bitte\b)?",
)
_TO_US_CHINESE = lazy(
    r"^\W*(?:请|麻烦)?(?:你)?(?:能|能不能|可以|可不可以)?(?:你)?(?:请)?"
    r"(?:告诉|提醒|帮|给|跟|和)我(?:说说?|讲讲?|看看?|查一?下?|找一?下?|列出)?(?:一下)?|^\W*我想(?:要)?知道"
)
# "Did I have …", "Ann and I do …": these verbs get no -s.
_UNINFLECTED = (
    r"\b((?:did|could|would|should|must|might)(?:n['\u2019]t)?|can(?:['\u2019]t)?|will|won['\u2019]t|shall|may"
    rf"|(?-i:[A-Z{BEGIN}])\S*\s+and)"  # "Ann and I", and not "yes and I"; a name may be a placeholder
    r"\s+i(?=\s+(?:have|do|don['\u2019]t)\b)"
)
_ENGLISH_FORMS: tuple[tuple[str, str], ...] = (
    (_UNINFLECTED, r"\1 {name}"),
    (r"\bam\s+i\b", "is {name}"),
    (r"\bhave\s+i\b", "has {name}"),
    (r"\bhaven['\u2019]t\s+i\b", "hasn't {name}"),
    (r"\bdo\s+i\b", "does {name}"),
    (r"\bdon['\u2019]t\s+i\b", "doesn't {name}"),
    (r"\bi(?:['\u2019]m|\s+am)\b", "{name} is"),
    (r"\bi['\u2019]ve\b|\bi\s+have\b", "{name} has"),
    (r"\bi['\u2019]ll\b", "{name} will"),
    (r"\bi['\u2019]d\b", "{name} would"),
    (r"\bi\s+do\b", "{name} does"),
    (r"\bi\s+don['\u2019]t\b", "{name} doesn't"),
    (r"\bmyself\b", "{name}"),
    (r"\b(?:my\s+own|my|mine)\b", "{name}'s"),
    (r"\bme\b", "{name}"),
    (r"(?<![.\-/'\u2019])\bi\b(?![.\-/][^\s]|['\u2019])", "{name}"),
)
_SENT = r"(?=\s+(?:zuletzt\s+|zuerst\s+)?(?:geschrieben|geschickt|gesendet)\b)"
# "Was hat mir Lena geschrieben?" → "Was hat Lena an Ann geschrieben?": else Ann would be a writer too.
_WRITTEN_TO_ME = (
    r"(?<!\bmit )(?<!\bvon )(?<!\bbei )(?<!\bzu )(?<!\bin )(?<!\bnach )\bmir\b(?P<between>[^?!.,]*?)"
    rf"{_SENT}"
)
_I_WROTE_TO = rf"\bich\s+(?P<whom>{BEGIN}\d+{END}){_SENT}"
# "Was hat mir Lena empfohlen?": who acts stands first, as in "Was hat Lena Ann empfohlen?".
_DONE_TO_ME = rf"\b(?:mir|mich)\s+(?P<actor>{BEGIN}\d+{END})"
_GERMAN_FORMS: tuple[tuple[str, str], ...] = (
    (_I_WROTE_TO, r"{name} an \g<whom>"),
    (_WRITTEN_TO_ME, r"\g<between> an {name}"),
    (r"\b(?P<writes>schreib(?:t|en)|schrieb(?:en)?)\s+mir\b", r"\g<writes> an {name}"),
    (r"\bmein(?:e|er|es|em|en)?\b", "{name}'s"),
    (_DONE_TO_ME, r"\g<actor> {name}"),
    (r"\b(?:ich|mich|mir)\b", "{name}"),
)
_WITH_ICH = ((r"mich|mir", "sich"), (r"bin", "ist"), (r"habe?", "hat"), (r"werde", "wird"))
_CHINESE = lazy(r"(?<!自)我(?!们|們|国|方|等)")
_NUMERAL = lazy(r"(?P<before>[^\W\d_][\w'\u2019]*)\s+I\b(?!['\u2019][a-z])")
_PLACEHOLDER = f"{BEGIN}{{}}{END}"  # placeholder for text that must not change
_PLACEHOLDERS = lazy(rf"{BEGIN}(\d+){END}")


def about(text: str, name: str, names: Sequence[tuple[int, int]] = ()) -> str:
    """``text`` with ``name`` for the first person: "When did I move?" → "When did Ann move?".

    Text at ``names``, the positions of people's names, does not change: somebody may be called "My Love".
    """
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return _PLACEHOLDER.format(len(kept) - 1)

    for start, end in sorted(names, reverse=True):
        kept.append(text[start:end])
        text = f"{text[:start]}{_PLACEHOLDER.format(len(kept) - 1)}{text[end:]}"
    left = QUOTED.sub(keep, text)
    said = _spoken(left, name, keep)
    for _ in kept:  # placeholders may be nested
        said = _PLACEHOLDERS.sub(lambda mark: kept[int(mark[1])], said)
    return said


def is_first_person(text: str) -> bool:
    """Whether ``text`` asks about the person who asks it."""
    return about(text, "N") != text


def is_english(text: str) -> bool:
    """Whether ``text`` is an English question, as far as its little words say."""
    english = len(_ENGLISH.findall(text))
    return bool(english) and english >= len(_GERMAN.findall(text)) and not _HAN.search(text)


def _spoken(text: str, name: str, keep: Callable[[re.Match[str]], str]) -> str:
    if _HAN.search(text):
        return _chinese(_TO_US_CHINESE.sub(keep, text), name)
    german = len(_GERMAN.findall(text))
    english = len(_ENGLISH.findall(text))
    if german > english:
        return _german(_TO_US_GERMAN.sub(keep, text), name)
    return _english(_TO_US.sub(keep, text), name, keep) if english else text


def _english(text: str, name: str, keep: Callable[[re.Match[str]], str]) -> str:
    def numeral(found: re.Match[str]) -> str:
        """World War I, Elizabeth I: a number behind a name."""
        word = found["before"]
        names = word[0].isupper() and word.casefold() not in STOP_WORDS and found.start() > 0
        return keep(found) if names else found[0]

    text = _SAID_TO_SOMEBODY.sub(keep, _NUMERAL.sub(numeral, text))
    return _filled(text, _ENGLISH_FORMS, name)


def _german(text: str, name: str) -> str:
    if re.search(r"\bich\b", text, _IGNORED):
        for word, by in _WITH_ICH:
            text = re.sub(rf"\b(?:{word})\b", by, text, flags=_IGNORED)
    return _filled(text, _GERMAN_FORMS, name)


def _chinese(text: str, name: str) -> str:
    if _HAN.search(name):
        return _CHINESE.sub(lambda _: name, text)
    spaced = _CHINESE.sub(lambda _: f" {name} ", text)
    return text if spaced == text else " ".join(spaced.split())


def _filled(text: str, forms: tuple[tuple[str, str], ...], name: str) -> str:
    """``text`` with the name in each form; the name itself is never matched."""
    for form, by in forms:
        text = re.sub(form, by.format(name=ME), text, flags=_IGNORED)
    return text.replace(ME, name)
