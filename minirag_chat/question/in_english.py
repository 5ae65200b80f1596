"""Questions about the messages themselves in other languages, and their names while they are translated.

Their forms are known in English, and some in German. In other languages a language model translates the
question, and it is answered by counting only if the English one has such a form and nothing else in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from minirag_chat.lazy_patterns import lazy
from minirag_chat.question.translation import languages_of
from minirag_chat.records import PersonSpan
from minirag_chat.times import question_window

# Beginnings of words for messages, photos, chats, writing, talking and summing up: of other questions
# only the time of a translation is lost. English, Spanish, Portuguese, French, Italian, German, Dutch,
# Polish, Turkish, Russian, Ukrainian; Chinese, Japanese and Korean have no spaces.
_MAY_BE = lazy(
    r"(?<!\w)(?:mensa|messa|nachricht|bericht|wiadomo|mesaj|\u0441\u043e\u043e\u0431\u0449|\u043f\u043e\u0432\u0456\u0434\u043e\u043c"
    r"|foto|photo|image|imagen|bild|zdj|\u0444\u043e\u0442|v[i\u00ed]d|stick|emoji|link"
    r"|chat|grup|group|gruppo?|conversa|konvers|gespr|\u0447\u0430\u0442|\u0433\u0440\u0443\u043f|\u0431\u0435\u0441\u0435\u0434"
    r"|(?:re|d)?escri|[e\u00e9]cri|scri|schrie?b|geschr|schrij|geschickt|schick|gesend|stuur|gestuurd|mand|envi|envoy|invi"
    r"|napisa|pisa|yaz|\u043f\u0438\u0441\u0430|\u043d\u0430\u043f\u0438\u0441|habl|parl|fal[aeo]|gesproch|gered|red[ei]|praat|gepraat|bespr"
    r"|rozmaw|konu\u015f|\u0433\u043e\u0432\u043e\u0440|\u043e\u0431\u0441\u0443\u0436\u0434|resum|r\u00e9sum|riass|zusammen|samenvat|vat|podsum|\u00f6zet|\u0438\u0442\u043e\u0433)"
    r"|\u6d88\u606f|\u4fe1\u606f|\u7167\u7247|\u56fe\u7247|\u7fa4|\u804a|\u603b\u7ed3|\u30e1\u30c3\u30bb\u30fc\u30b8|\u5199\u771f|\u30b0\u30eb\u30fc\u30d7|\uba54\uc2dc\uc9c0|\uc0ac\uc9c4|\ub300\ud654",
    re.IGNORECASE,
)
_PLACEHOLDER = "Person{}"


def may_ask_about_messages(text: str) -> bool:
    """Whether a question in another language has a word with which one asks about the messages themselves."""
    return _MAY_BE.search(text) is not None and languages_of([text]) != ("en",)


def with_placeholders(text: str, spans: Sequence[PersonSpan]) -> tuple[str, tuple[str, ...]]:
    """``text`` with "Person1" for its first name, and so on, and the names: a translator changes some."""
    ordered = sorted(spans, key=lambda span: span.start)
    names = tuple(text[span.start : span.end] for span in ordered)
    for number, span in reversed([*enumerate(ordered, start=1)]):
        text = f"{text[: span.start]}{_PLACEHOLDER.format(number)}{text[span.end :]}"
    return text, names


def with_names(translation: str, names: Sequence[str]) -> str:
    """A translation with its names again; empty unless it has each placeholder once."""
    for number, name in reversed([*enumerate(names, start=1)]):
        place = _PLACEHOLDER.format(number)
        if translation.count(place) != 1:
            return ""
        translation = translation.replace(place, name)
    return translation


def same_time(text: str, translation: str, now: datetime) -> bool:
    """Whether a translation names the times of the question, as far as these are known in its language."""
    since, until, _spans = question_window(text, now)
    return (since, until) in {(None, None), question_window(translation, now)[:2]}
