"""Whether an English question asks for several things: "Which books has Tim read?", "List all costs"."""

from __future__ import annotations

from minirag_chat.lazy_patterns import lazy

MOST_BEFORE = 3  # words before the noun: "what kind of films", "which two old books"
_WORD = lazy(r"[^\W_](?:[\w\u2019'-]*[^\W_])?")
_ASKS = frozenset({"what", "which"})
_TELLS = frozenset({"list", "name"})
_ARE = frozenset({"are", "were"})
_VERBS = _ARE | frozenset(
    "is was did do does has have had will would can could should might may".split()
)
_PLURALS = frozenset({"people", "children", "men", "women"})
_NO_PLURAL_ENDS = ("ss", "us", "is", "'s", "\u2019s")
_NO_PLURALS = frozenset(
    {"was", "does", "has", "as", "yes", "always", "perhaps", "news", "series", "gas"}
)


def asks_for_several(question: str) -> bool:
    """Whether "what" or "which", "list" or "name" is about a noun in the plural.

    After "what" and "which" a verb has to follow the noun: "What helps Ann to sleep?" asks for one thing.
    """
    words = [word.casefold() for word in _WORD.findall(question)]
    for place, word in enumerate(words):
        if word in _ASKS:
            return _about_a_plural(words[place + 1 :])
    told = words[1:] if words[:1] and words[0] in _TELLS else ()
    return any(map(_is_plural, told[: MOST_BEFORE + 1]))


def _about_a_plural(after: list[str]) -> bool:
    """Whether a plural comes in the words after "what": before a verb, or after "are" or "were"."""
    are = after[:1] and after[0] in _ARE
    noun = after[1:] if are else after
    for place, word in enumerate(noun[: MOST_BEFORE + 1]):
        if word in _VERBS or (word == "of" and place == 0):
            return False
        if _is_plural(word):
            return bool(are) or any(later in _VERBS for later in noun[place + 1 :])
    return False


def _is_plural(word: str) -> bool:
    ends = word.endswith("s") and not word.endswith(_NO_PLURAL_ENDS)
    return word in _PLURALS or (ends and len(word) > 2 and word not in _NO_PLURALS)  # noqa: PLR2004 - "us", "as"
