"""A question about the messages in other words → the words in which ``forms/`` knows it.

"Who never shuts up?" is read as "who wrote the most messages". A trained classifier says which question it
is (``models/question_kinds.py``); it is asked only where no form matches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import regex

from minirag_chat.lazy_patterns import any_case, lazy, lazy_regex
from minirag_chat.models.question_kinds import OTHER, kind_of
from minirag_chat.question.about_messages.asks_for_notices import asks_for_notices
from minirag_chat.question.about_messages.other_meaning import means_more, with_extreme_of
from minirag_chat.question.placeholders import NAMES, WORD

SURE = 0.5
"""The least probability of a class: measured in docs/measured.md, "Questions in other words"."""
MOST_NAMES = 2  # in a known question
LONGEST = 100  # characters of a text that is classified

_UNITS = {"day": "date", "month": "month", "hour": "hour", "weekday": "day of the week"}
_WITH_WORD = f"how many messages mention {WORD}", f"how many times did {{a}} say {WORD}", ""
_KNOWN: Mapping[str, tuple[str, str, str]] = {
    "most": ("who wrote the most messages", "", "who wrote the most messages, {a} or {b}"),
    "fewest": ("who wrote the fewest messages", "", "who wrote the fewest messages, {a} or {b}"),
    "count": (
        "how many messages are there",
        "how many messages did {a} send",
        "how many messages did {a} send to {b}",
    ),
    "between": ("", "", "how many messages did {a} and {b} exchange"),
    "first": (
        "what is the first message",
        "what is the first message from {a}",
        "what is the first message from {a} to {b}",
    ),
    "first_talk": ("when did we first talk", "", "when did {a} and {b} first talk"),
    "last": (
        "what is the last message",
        "what is the last message from {a}",
        "what is the last message from {a} to {b}",
    ),
    "last_talk": ("when did we last talk", "", "when did {a} and {b} last talk"),
    **{
        f"busiest_{kind}": (
            f"which {unit} had the most messages",
            f"which {unit} did {{a}} write the most messages",
            f"which {unit} did {{a}} and {{b}} write the most messages to each other",
        )
        for kind, unit in _UNITS.items()
    },
    "begins": ("who starts the conversations", "", "who starts the conversations, {a} or {b}"),
    "replies": (
        "who replies the fastest",
        "how long does {a} take to reply",
        "how long does {a} take to reply to {b}",
    ),
    "waits": ("", "", "how long does {b} take to reply to {a}"),
    "received": ("", "", "how many messages did {b} send to {a}"),
    "heard_first": ("", "what is the first message from {a}", "what is the first message from {b}"),
    "heard_last": ("", "what is the last message from {a}", "what is the last message from {b}"),
    "replies_of_two": (
        "who replies the fastest",
        "how long does {a} take to reply",
        "who replies the fastest, {a} or {b}",
    ),
    "members": ("who wrote", "", ""),
    "chats": ("which chats are there", "which chats is {a} in", ""),
    "largest": ("which chat has the most messages", "", ""),
    "longest": ("what is the longest message", "what is the longest message from {a}", ""),
    "longest_writer": (
        "who writes the longest messages",
        "how long are {a}'s messages",
        "who writes the longest messages, {a} or {b}",
    ),
    "silence": ("what is the longest silence", "what is the longest silence with {a}", ""),
    "word_count": _WITH_WORD,
    "word_list": _WITH_WORD,
    **{
        f"average_{unit}": (
            f"how many messages per {unit}",
            f"how many messages did {{a}} send per {unit}",
            f"how many messages did {{a}} send to {{b}} per {unit}",
        )
        for unit in ("day", "week", "month")
    },
    "share": (
        "who wrote the most messages",
        "what percentage of the messages did {a} send",
        "who wrote the most messages, {a} or {b}",
    ),
    "days": (
        "on how many days did anybody write",
        "on how many days did {a} write",
        "on how many days did {a} and {b} write to each other",
    ),
    "streak": (
        "what is the longest streak",
        "how many days in a row did {a} write",
        "what is the longest streak between {a} and {b}",
    ),
    "word_total": (
        "how many words are there",
        "how many words did {a} write",
        "",
    ),
    "words_used": ("which words are used most", "which words did {a} use the most", ""),
    "emoji_used": ("which emojis are used most", "which emoji did {a} use the most", ""),
    "owed": ("", "who did {a} not answer", "did {a} answer {b}"),
    "owes_me": ("", "who has not answered {a}", "did {b} answer {a}"),
    "lost_touch": ("who has been quiet for the longest", "", ""),
    "lost_touch_with_me": ("", "who has not written to {a} for the longest time", ""),
    "oldest": ("what is the oldest chat", "", ""),
    "newest": ("what is the newest chat", "", ""),
}
"""For each class the known question, where no name, one or two are named; empty where there is none."""
_OVERVIEWS = {
    "overview": "what did we talk about",
    "news": "what is new",
    "plans": "what are the plans",
}
"""For each class of an overview the known question; "with they" follows where somebody is named."""
# The asker is the second of two, if one is named.
_OF_TWO = frozenset("between first_talk last_talk begins streak".split())
# The asker is the first one.
_OF_ASKER = frozenset({"owed", "owes_me", "lost_touch_with_me"})
# The answer is about everybody, whoever is named.
_OF_ALL = frozenset("most fewest begins members largest lost_touch oldest newest".split())
_ASKS_WHO = _OF_ALL | {"replies", "replies_of_two", "longest_writer", *_OF_ASKER}
_LISTED = {"word_list"}
_AVERAGES = frozenset({"average_day", "average_week", "average_month"})
_WITH_A_WORD = _LISTED | {"word_count"}
_STAND_INS = ("Ann", "Ben", "Carl", "Dan")
_NOBODY = any_case(rf"\b(?:{'|'.join(_STAND_INS)})\b")
"""Names that only stand in for others: where they are in a text, nobody is called so."""
_WITH = any_case(rf"\b(?:with|between) [{NAMES}]")
_MARK = lazy(rf"[{NAMES}]")
_TOP = any_case(r"\btop \d{1,2}\b")
_COMPARES = any_case(r"\b(?:than|or)\b")
_LEAD = (
    r"(?<!\w)(?:(?:tell|show|give|let) ME(?: know)?|can ME see|ME (?:wonder|bet|forgot|am curious|'m curious"
    r"|(?:want|would like|'d like) to (?:know|see)))(?!\w)"
)
"""What a question may begin or end with; ``ME`` is the mark of who asks, who is not asked about."""
# A number, a sign, or what is left of a time that was not understood, which no known question has: "since the
# move", but "since Ann's last message" is asked for.
_MORE = lazy_regex(
    rf"\b(?:since|before|after|until|till)\s+(?:the|our|his|her|their|[{NAMES}]['\u2019]s?)\s+(?!last\b|first\b)\w"
    r"|\d|[\p{S}--[<>+=|~^`$]]|\b(?:before|after|until|or|and|than(?:\s+(?:in|on|during))?)\W*$",
    regex.IGNORECASE | regex.V1,
)
# Leaves out messages or people, and only some classes have known questions that do.
_LEAVES_OUT = any_case(
    r"\b(?:not|without|except|excluding|apart from|other than|(?:from|by|did|do|have) others)\b"
    r"|n['\u2019]t\b",
)
_MAY_LEAVE_OUT = frozenset({"silence", "members", "lost_touch", *_OF_ASKER, *_OVERVIEWS})
_CHAT_WITH = any_case(r"\b(?:chat|group|conversation)s? with\b")
_OF_CHATS = frozenset({"chats", "largest"})
_WHICH_CHAT = any_case(r"\b(?:which|what|each|every|per) (?:chat|group|conversation)\b")
_THEY = lazy(r"\bthey\b(?:\s*(?:,|and)\s*\bthey\b)*")
_GROUP = any_case(r"\bgroups?\b(?! chat)")
# What is left where a chat and a time were named, and "here", which asks for nothing more.
_IN_CHAT = any_case(r"\b(?:in|on|at|of|from|within)\s+everyone\b")
_ENDS = any_case(r"(?:[\s,]+(?:in|on|at|of|from|during|since|for|between|here))+\W*$")
_PAST = any_case(r"\b(?:was|were|had|did)\b")
_WHO = any_case(r"\W*(?:who|whose|whom|which of us|with whom)\b")


@dataclass(frozen=True, slots=True)
class Known:
    """The known question, with the marks of names, and whether it asks for the messages to be listed."""

    text: str
    listed: bool


def in_known_words(text: str, mine: str, spare: str) -> Known | None:
    """The known question that ``text``, with marks for its names, means; None if that is not sure.

    ``mine`` is the mark of the asker, empty if the question does not name them, and ``spare`` the one that
    they have in what is returned if they are not named; empty if nobody is the asker.
    """
    if mine:
        text = re.sub(_LEAD.replace("ME", mine), " ", text, flags=re.IGNORECASE)
    kind = _kind(text, mine)
    if kind not in _KNOWN:
        return None
    kind = "lost_touch_with_me" if kind == "lost_touch" and mine in text and mine else kind
    names = _names(text, kind, mine, spare)
    kind = "replies_of_two" if kind == "replies" and _COMPARES.search(text) else kind
    known = _KNOWN[kind][len(names)] if len(names) <= MOST_NAMES else ""
    if not known or (names and _WHO.match(text) and kind not in _ASKS_WHO):
        return None  # "who texted Ann last" asks for a writer, and Ann is none
    if kind in {"largest", "oldest", "newest"} and _GROUP.search(text):
        known = known.replace("chat", "group")
    if kind in _AVERAGES and len(names) == 1 and names != [mine] and _WITH.search(text):
        known = known.replace("did {a} send per", "with {a} per")  # both write
    known = with_extreme_of(text, known)
    return (
        Known(known.format(**dict(zip("ab", names, strict=False))), kind in _LISTED)
        if known
        else None
    )


def _kind(text: str, mine: str) -> str:
    """The class of a text; empty if it is another question, or that is not sure."""
    text = _TOP.sub("top", text)  # some are listed, however many are asked for
    if len(text) > LONGEST or any(
        found(text) for found in (_MORE.search, _CHAT_WITH.search, _NOBODY.search, asks_for_notices)
    ):
        return ""  # in the "chat with Ben" others may write too
    found = kind_of(_spoken(text, mine))
    if found is None or found.kind == OTHER or found.probability < SURE:
        return ""
    if found.kind not in _MAY_LEAVE_OUT and _LEAVES_OUT.search(text):
        return ""
    if means_more(found.kind, text):
        return ""
    if found.kind not in _OF_CHATS and _WHICH_CHAT.search(text):
        return ""
    return found.kind if (WORD in text) == (found.kind in _WITH_A_WORD) else ""


def _names(text: str, kind: str, mine: str, spare: str) -> list[str]:
    """The marks of whom the known question is about, in the order of the text."""
    names = list(dict.fromkeys(_MARK.findall(text)))
    if kind in _OF_ASKER:
        asker = mine or spare
        return [asker, *(name for name in names if name != mine)] if asker else []
    if mine in names and _WHO.match(text):
        names.remove(mine)  # "who texts me first"
    if kind in _OF_TWO and len(names) == 1 and names != [mine] and (mine or spare):
        names.append(mine or spare)
    return [] if kind in _OF_ALL and len(names) == 1 else names


def _spoken(text: str, mine: str) -> str:
    """The text as the classifier knows such texts: with names that stand in for those of people."""
    others = [mark for mark in dict.fromkeys(_MARK.findall(text)) if mark != mine]
    for mark, name in zip(others, _STAND_INS, strict=False):
        text = text.replace(mark, name)
    if mine:
        text = re.sub(rf"{mine}['\u2019]s?(?!\w)", "my", text)
        text = re.sub(rf"{mine}(?=\W*$)|(?<=to ){mine}|(?<=with ){mine}", "me", text)
        text = text.replace(mine, "I")
    return _ENDS.sub("", _IN_CHAT.sub(" ", text)).replace(WORD, "WORD")


def as_known_overview(text: str) -> str:
    """The known question for an overview that ``text`` means; empty if it means none, or that is not sure.

    In both "they" stands for people, "we" for the asker and "everyone" for a chat.
    """
    spoken = _THEY.sub("Ann", text)
    known = _OVERVIEWS.get(_kind(spoken, ""), "")
    if known == _OVERVIEWS["plans"] and _PAST.search(spoken):
        known = "what were the plans"
    return f"{known} with they" if known and spoken != text else known
