"""How many photos, voice notes, other files, links, emoji and questions were sent, by whom, the last one."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from minirag_chat.answer.counting.by_person import how_many_sent, tally_of, who_sent_most
from minirag_chat.answer.counting.request import CountRequest, NotRecordedError, Told
from minirag_chat.lazy_patterns import lazy_regex
from minirag_chat.records import FileKind, Filters
from minirag_chat.ui_text import count

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


_Files = tuple[int, int, tuple[str, ...]]
"""The id of a message, that of its sender, and what each of its files is called."""


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


def files_sent(request: CountRequest) -> Told:
    """How many there are and whose, or whose are most.

    Raises ``NotRecordedError`` if an export without files tells nothing of them, or if there are only files
    of which it does not say what they are.
    """
    kind: FileKind = request.plan.files or "file"
    found = files_found(request)
    text, cited = _said(request, kind, found)
    return text + (COUNTED_AS if kind == "question" else found.beside), cited


def files_found(request: CountRequest) -> Found:
    """The messages with photos, links or another kind of file, in order of time.

    Raises ``NotRecordedError`` as ``files_sent`` does.
    """
    kind: FileKind = request.plan.files or "file"
    every = _with_files(request, kind)
    own = _KINDS.get(kind, frozenset({kind}))
    of_kind = _with(every, lambda one: kind == "file" or one in own)
    may_be = kind not in {"file", *_IN_TEXTS}
    unclear = _with(every, lambda one: may_be and one in _ANY)
    if unclear and not of_kind:
        files = count(sum(one.number for one in unclear), "file")
        whose, where = whose_files(request), request.where
        raise NotRecordedError(UNCLEAR.format(kind=kind, whose=whose, where=where, files=files))
    return Found(of_kind, unclear)


def _with(every: Sequence[_Files], counts: Callable[[str], bool]) -> list[Sent]:
    """The messages with files that count, and how many."""
    return [
        Sent(message, person, number)
        for message, person, files in every
        if (number := sum(map(counts, files)))
    ]


def file_at_end(request: CountRequest) -> tuple[int, str] | None:
    """The first or last message with a file of the kind that is asked about, None if there is none.

    With it comes a sentence about files before the first, or after the last one, that may be of this kind.
    """
    found = files_found(request)
    if not found.of_kind:
        return None
    last = request.plan.asks.end == "last"
    end = found.of_kind[-1 if last else 0].message
    messages = request.store.messages
    at = messages.by_ids([end])[end].sent_at
    unclear = messages.by_ids([one.message for one in found.unclear])
    beyond = [
        one
        for one in found.unclear
        if (unclear[one.message].sent_at > at if last else unclear[one.message].sent_at < at)
    ]
    return end, _beside(beyond, "later file" if last else "earlier file")


def whose_files(request: CountRequest) -> str:
    """From whom the files are that are asked about, in words; empty if they may be anybody's."""
    if request.plan.without:
        return " from others"
    return f" from {request.names(request.filters.people)}" if request.filters.people else ""


def no_files(request: CountRequest) -> str:
    """The sentence that says that nobody, or none of the senders, sent files of a kind."""
    none = f"{request.senders} sent no" if request.senders else "There are no"
    return request.verdict(f"{none} {request.plan.files or 'file'}s{request.where}.")


def _beside(unclear: Sequence[Sent], called: str) -> str:
    number = sum(one.number for one in unclear)
    return f" Of {count(number, called)} the export does not say the kind." if number else ""


def _with_files(request: CountRequest, kind: FileKind) -> list[_Files]:
    """The messages with files, or with links, emoji or question marks."""
    counts, filters = request.counts, request.filters
    if kind == "emoji" or kind == "heart":  # noqa: PLR1714 - mypy follows this form
        return emoji_in(counts.typed(filters), kind)
    if kind == "question":
        typed = counts.typed(filters)
        return [(m, person, (kind,)) for m, person, text in typed if _QUESTION_MARK.search(text)]
    if kind == "link":
        return counts.links(filters)
    found = _only_files(counts.files(filters))
    if not found and not _only_files(counts.files(Filters(chats=filters.chats))):
        raise NotRecordedError(NO_FILES.format(kind=kind, where=request.inside))
    return found


def _only_files(found: Iterable[_Files]) -> list[_Files]:
    """Those of the messages that have files, and not only a place, a poll or the like."""
    kept = (
        (message, person, tuple(one for one in kinds if one not in _NO_FILES))
        for message, person, kinds in found
    )
    return [one for one in kept if one[2]]


def emoji_in(
    typed: Iterable[tuple[int, int, str]], kind: Literal["emoji", "heart"]
) -> list[_Files]:
    """The kind for each emoji of the texts that have any emoji, or any heart."""
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


def _said(request: CountRequest, kind: FileKind, found: Found) -> Told:
    """Who sent most, or how many were sent and by whom."""
    if not found.of_kind:
        return no_files(request), ()
    plan, sent = request.plan, tally_of(found.of_kind)
    if plan.asks.what == "writers":
        return who_sent_most(request, sent, "sent", kind)
    ends = found.of_kind[0].message, found.of_kind[-1].message
    doubtful = {one.person for one in found.unclear} - sent.numbers.keys()
    # Whether all sent one is not known, if one of them sent a file that may be of this kind.
    unknown = plan.all_of_them and bool(doubtful & plan.senders if plan.senders else doubtful)
    return how_many_sent(request, sent, ends, "sent", kind, is_certain=not unknown)
