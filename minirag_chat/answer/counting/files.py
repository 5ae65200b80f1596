"""How many photos, voice notes, other files, links, emoji and questions were sent, by whom, the last one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from minirag_chat.answer.counting.all_wrote import compared, with_verdict
from minirag_chat.answer.counting.counted import (
    SHOWN,
    NotRecordedError,
    Tally,
    end_sources,
    first_and_last,
    last_sources,
    listed_names,
    ranked,
    ranking,
)
from minirag_chat.answer.scope import of_chats, where_and_when
from minirag_chat.lazy_patterns import lazy_regex
from minirag_chat.records import FileKind, Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, joined

_KINDS: Mapping[FileKind, frozenset[str]] = {
    "voice note": frozenset({"voice message", "voice note", "voice", "audio", "voicemail"}),
    "audio file": frozenset({"audio file", "audio"}),
    "photo": frozenset({"photo", "view-once photo"}),
    "video": frozenset({"video", "video file", "video message", "video note"}),
    "video message": frozenset({"video message", "video note"}),
    "gif": frozenset({"gif", "animation", "animated"}),
    "sticker": frozenset({"sticker", "animated emoji"}),
}
"""What exports call these; other kinds have one name."""
_ANY = frozenset({"media", "attachment", "photo or video", "view-once media"})
"""Files of which an export does not say what they are."""
_NO_FILES = frozenset(
    {"location", "live location", "poll", "event", "call", "game", "dice", "invoice", "giveaway"}
)
"""What exports list with files, and is none."""
_IN_TEXTS: frozenset[FileKind] = frozenset({"link", "emoji", "heart", "question"})
"""Kinds that are in texts."""
_QUESTION_MARK = lazy_regex(r"\?(?!\w)|[\uFF1F\u061F]")  # not that in a link
COUNTED_AS = " A question is a message with a question mark."
_PICTOGRAPH = (  # that stands for a picture even without its variation, unless that of a text follows
    r"(?=\p{Emoji})[\p{InMiscellaneous_Symbols}\p{InDingbats}\U0001F000-\U0001FFFF](?!\uFE0E)"
)
_ONE = (  # of a sequence: a flag, or one with its variation, skin and tags
    r"(?:\p{RI}\p{RI}|(?:\p{Emoji}\uFE0F|\p{Emoji}\p{EMod}|\p{Emoji_Presentation}"
    rf"|{_PICTOGRAPH})[\u20E3\U000E0020-\U000E007F]*)"
)
_FIRST_SIGN = "\u203c"  # each emoji has this character or a later one
_EMOJI = lazy_regex(rf"{_ONE}(?:\u200D(?:{_ONE}|\p{{Emoji}}))*")
_HEART = lazy_regex(r"(?!.*\b(?:FACE|COUPLE|ANATOMICAL)\b).*\bHEARTS?\b(?!-)")
"""Unicode's names of hearts, of any colour and number, but not of what only has some."""

UNCLEAR = (
    "I cannot count or show the {kind}s{whose}{where}: of {files} the export does not say the kind."
)
NO_FILES = (
    "I cannot count or show the {kind}s{where}: no message has a file, and an export may leave "
    "files out."
)


class Sent(NamedTuple):
    """A message with files of a kind: its id, who sent it, and the number of these files."""

    message: int
    person: int
    number: int


class Found(NamedTuple):
    """The messages with files of a kind, and those of whose files the export does not say the kind."""

    of_kind: list[Sent]
    unclear: list[Sent]

    @property
    def beside(self) -> str:
        """A sentence that says how many other files may be of this kind; empty if none may."""
        return _beside(self.unclear, "other file")


def files_sent(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text, and the first and the last message, or one of each sender.

    Raises ``NotRecordedError`` if an export without files tells nothing of them, or if there are only files
    of which it does not say what they are.
    """
    kind: FileKind = plan.files or "file"
    found = files_found(store, filters, plan)
    text, cited = _said(store, filters, plan, kind, found)
    return text + (COUNTED_AS if kind == "question" else found.beside), cited


def files_found(store: Store, filters: Filters, plan: Metadata) -> Found:
    """The messages with photos, links or another kind of file, in order of time.

    Raises ``NotRecordedError`` as ``files_sent`` does.
    """
    kind: FileKind = plan.files or "file"
    every = _with_files(store, filters, kind)
    own = _KINDS.get(kind, frozenset({kind}))
    of_kind = [
        Sent(message, person, number)
        for message, person, files in every
        if (number := sum(kind == "file" or one in own for one in files))
    ]
    unclear = [
        Sent(message, person, number)
        for message, person, files in every
        if kind not in {"file", *_IN_TEXTS} and (number := sum(one in _ANY for one in files))
    ]
    if unclear and not of_kind:
        where = where_and_when(store, filters)
        whose = whose_files(store, filters, plan)
        files = count(sum(one.number for one in unclear), "file")
        raise NotRecordedError(UNCLEAR.format(kind=kind, whose=whose, where=where, files=files))
    return Found(of_kind, unclear)


def file_at_end(store: Store, filters: Filters, plan: Metadata) -> tuple[int, str] | None:
    """The first or last message with a file of the kind that is asked about, None if there is none.

    With it comes a sentence about files before the first, or after the last one, that may be of this kind.
    """
    found = files_found(store, filters, plan)
    if not found.of_kind:
        return None
    last = plan.asks == "last"
    end = found.of_kind[-1 if last else 0].message
    at = store.messages.by_ids([end])[end].sent_at
    unclear = store.messages.by_ids([one.message for one in found.unclear])
    beyond = [
        one
        for one in found.unclear
        if (unclear[one.message].sent_at > at if last else unclear[one.message].sent_at < at)
    ]
    return end, _beside(beyond, "later file" if last else "earlier file")


def whose_files(store: Store, filters: Filters, plan: Metadata) -> str:
    """From whom the files are that are asked about, in words; empty if they may be anybody's."""
    if plan.without:
        return " from others"
    names = store.people.shown_names(filters.people)
    return f" from {joined(names)}" if names else ""


def no_files(store: Store, filters: Filters, plan: Metadata) -> str:
    """The sentence that says that nobody, or none of the senders, sent files of a kind."""
    who = joined(store.people.shown_names(plan.senders))
    where = where_and_when(store, filters)
    none = f"{f'{who} sent no' if who else 'There are no'} {plan.files or 'file'}s{where}."
    return f"No: {none}" if plan.question.yes_no else none


def _beside(unclear: Sequence[Sent], called: str) -> str:
    number = sum(one.number for one in unclear)
    return f" Of {count(number, called)} the export does not say the kind." if number else ""


def _with_files(
    store: Store, filters: Filters, kind: FileKind
) -> list[tuple[int, int, tuple[str, ...]]]:
    """``(message id, person id, what each file is called)`` of the messages with files, links or emoji."""
    counts = store.message_counts
    if kind == "emoji" or kind == "heart":  # noqa: PLR1714 - mypy follows this form
        return emoji_in(counts.typed(filters), kind)
    if kind == "question":
        typed = counts.typed(filters)
        return [(m, person, (kind,)) for m, person, text in typed if _QUESTION_MARK.search(text)]
    if kind == "link":
        return counts.links(filters)
    found = _only_files(counts.files(filters))
    if not found and not _only_files(counts.files(Filters(chats=filters.chats))):
        raise NotRecordedError(NO_FILES.format(kind=kind, where=of_chats(store, filters)))
    return found


def _only_files(
    found: Iterable[tuple[int, int, tuple[str, ...]]],
) -> list[tuple[int, int, tuple[str, ...]]]:
    """Those of the messages that have files, and not only a place, a poll or the like."""
    kept = (
        (message, person, tuple(one for one in kinds if one not in _NO_FILES))
        for message, person, kinds in found
    )
    return [one for one in kept if one[2]]


def emoji_in(
    typed: Iterable[tuple[int, int, str]], kind: Literal["emoji", "heart"]
) -> list[tuple[int, int, tuple[str, ...]]]:
    """``(message id, person id, the kind for each)`` of the texts that have any emoji, or any heart."""
    found = (
        (message, person, sum(kind == "emoji" or _is_heart(sign) for sign in emoji_of(text)))
        for message, person, text in typed
    )
    return [(message, person, (kind,) * number) for message, person, number in found if number]


def emoji_of(text: str) -> list[str]:
    """The emoji of a text, in their order."""
    return _EMOJI.findall(text) if max(text, default="") >= _FIRST_SIGN else []


def _is_heart(emoji: str) -> bool:
    return _HEART.match(unicodedata.name(emoji[0], "")) is not None


def _said(
    store: Store, filters: Filters, plan: Metadata, kind: FileKind, found: Found
) -> tuple[str, tuple[Source, ...]]:
    if not found.of_kind:
        return no_files(store, filters, plan), ()
    tally = Tally[int]()
    for message, person, number in found.of_kind:
        tally.add(person, message, number)
    numbers, total = tally.numbers, tally.numbers.total()
    where = where_and_when(store, filters)
    senders = tally.most_first(store.people.shown_by_id)
    if plan.asks in {"most", "fewest"}:
        ordered, nth = ranked(senders, plan)
        text = ranking(ordered, total, f"sent the {nth}{plan.asks} {kind}s{where}", kind=kind)
        text = compared(plan, numbers) + text
        return text, last_sources(store, ordered)
    head = f"{senders[0].name} sent {count(total, kind)}{where}, "
    if len(senders) > 1:
        head = f"{count(total, kind)}{where}: {listed_names(senders[:SHOWN], len(senders))}; "
    cited = end_sources(store, (found.of_kind[0].message, found.of_kind[-1].message))
    text = f"{head}{first_and_last(cited, total)}."
    doubtful = {one.person for one in found.unclear} - numbers.keys()
    if plan.all_of_them and (doubtful & plan.senders if plan.senders else doubtful):
        return text, cited  # whether all sent one is not known
    none = f"sent no {kind}s{where}"
    return with_verdict(store, plan, filters, numbers.keys(), (text, none)), cited
