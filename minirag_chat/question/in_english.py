"""Questions about the messages themselves in other languages, and their names while they are translated.

Their forms are known in English, and some in German. In other languages a language model translates the
question, and it is answered by counting only if the English one has such a form and nothing else in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.translation import languages_of
from minirag_chat.records import PersonSpan
from minirag_chat.times import question_window

# Beginnings of words for messages, photos, chats, writing, talking and summing up: of other questions
# only the time of a translation is lost. English, Spanish, Portuguese, French, Italian, German, Dutch,
# Polish, Turkish, Russian, Ukrainian; Chinese, Japanese and Korean have no spaces.
_MAY_BE = any_case(
    r"(?<!\w)(?:mensa|messa|nachricht|bericht|wiadomo|mesaj|сообщ|повідом"
    r"|foto|photo|image|imagen|bild|zdj|фот|v[ií]d|stick|emoji|link"
    r"|chat|grup|group|gruppo?|conversa|konvers|gespr|чат|груп|бесед"
    r"|(?:re|d)?escri|[eé]cri|scri|schrie?b|geschr|schrij|geschickt|schick|gesend|stuur|gestuurd|mand|envi|envoy|invi"
    r"|napisa|pisa|yaz|писа|напис|habl|parl|fal[aeo]|gesproch|gered|red[ei]|praat|gepraat|bespr"
    r"|rozmaw|konuş|говор|обсужд|resum|résum|riass|zusammen|samenvat|vat|podsum|özet|итог)"
    r"|消息|信息|照片|图片|群|聊|总结|メッセージ|写真|グループ|메시지|사진|대화",
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
