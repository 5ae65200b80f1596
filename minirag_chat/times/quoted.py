"""What is in quotation marks: words that somebody wrote, and no part of what a question says itself."""

from __future__ import annotations

from minirag_chat.lazy_patterns import lazy

QUOTED = lazy(
    '["\u201c\u201d\u201e][^"\u201c\u201d\u201e]*["\u201c\u201d]|\u00ab[^\u00bb]*\u00bb|\u300c[^\u300d]*\u300d'
    "|\u300e[^\u300f]*\u300f|\u300a[^\u300b]*\u300b"
    "|(?<!\\w)['\u2018](?:[^'\u2019\u2018]|(?<=\\w)['\u2019](?=\\w))+['\u2019](?!\\w)"
)


def unquoted(text: str) -> str:
    """``text`` with blanks for what is quoted; all other characters keep their places."""
    return QUOTED.sub(lambda quoted: " " * len(quoted[0]), text)
