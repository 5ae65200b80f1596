"""How many photos, voice notes, other files and links were sent, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import regex

from minirag_chat.answer.all_wrote import compared
from minirag_chat.answer.counted import (
    PLACES,
    SHOWN,
    Counted,
    NotRecordedError,
    first_and_last,
    in_place,
    listed_names,
    ranking,
    sources,
)
from minirag_chat.answer.scope import in_times, of_chats
from minirag_chat.records import FileKind, Filters, Metadata, Source
from minirag_chat.store import Store
from minirag_chat.ui_text import count, joined

_KINDS: Mapping[FileKind, frozenset[str]] = {
    "voice note": frozenset({"voice message", "voice note", "voice", "audio", "voicemail"}),
    "photo": frozenset({"photo", "view-once photo"}),
}
"""What exports call these; other kinds have one name."""
_ANY = frozenset({"media", "attachment", "photo or video", "view-once media"})
"""Files of which an export does not say what they are."""
_IN_TEXTS: frozenset[FileKind] = frozenset({"link", "emoji"})
"""Kinds that are in texts."""
_ONE = (  # of a sequence: a flag, or one with its variation, skin and tags
    r"(?:\p{RI}\p{RI}|(?:\p{Emoji}\uFE0F|\p{Emoji}\p{EMod}|\p{Emoji_Presentation})"
    r"[\u20E3\U000E0020-\U000E007F]*)"
)
_FIRST_SIGN = "\u203c"  # each emoji has this character or a later one
_EMOJI = regex.compile(rf"{_ONE}(?:\u200D(?:{_ONE}|\p{{Emoji}}))*")

UNCLEAR = "I cannot count the {kind}s{whose}{where}: of {files} the export does not say the kind."
NO_FILES = (
    "I cannot count or show the {kind}s{where}: no message has a file, and an export may leave "
    "files out."
)


def files_sent(store: Store, filters: Filters, plan: Metadata) -> tuple[str, tuple[Source, ...]]:
    """The text, and the first and the last message, or one of each sender.

    Raises ``NotRecordedError`` if an export without files tells nothing of them, or if there are only files
    of which it does not say what they are.
    """
    kind: FileKind = plan.files or "file"
    found = _with_files(store, filters, kind)
    sent = [(message, person, _number_of(kind, kinds)) for message, person, kinds in found]
    unclear = sum(one in _ANY for *_message, kinds in found for one in kinds)
    beside = (
        f" Of {count(unclear, 'other file')} the export does not say the kind."
        if unclear and kind not in {"file", *_IN_TEXTS}
        else ""
    )
    of_kind = [one for one in sent if one[2]]
    if beside and not of_kind:
        names = [store.people.shown_by_id(person) for person in sorted(filters.people)]
        whose = f" from {joined(names)}" if names else ""
        where = f"{of_chats(store, filters)}{in_times(filters)}"
        files = count(unclear, "file")
        raise NotRecordedError(UNCLEAR.format(kind=kind, whose=whose, where=where, files=files))
    text, cited = _said(store, filters, plan, kind, of_kind)
    return text + beside, cited


def messages_with(store: Store, filters: Filters, kind: FileKind) -> list[int]:
    """The ids of the messages with a photo, a link or another kind of file, in order of time.

    Raises ``NotRecordedError`` as ``files_sent`` does.
    """
    found = _with_files(store, filters, kind)
    return [message for message, _person, kinds in found if _number_of(kind, kinds)]


def _with_files(
    store: Store, filters: Filters, kind: FileKind
) -> list[tuple[int, int, tuple[str, ...]]]:
    """``(message id, person id, what each file is called)`` of the messages with files, links or emoji."""
    counts = store.message_counts
    if kind == "emoji":
        return emoji_in(counts.typed(filters))
    found = counts.links(filters) if kind == "link" else counts.files(filters)
    if kind not in _IN_TEXTS and not found and not counts.files(Filters(chats=filters.chats)):
        raise NotRecordedError(NO_FILES.format(kind=kind, where=of_chats(store, filters)))
    return found


def _number_of(kind: FileKind, files: Iterable[str]) -> int:
    own = _KINDS.get(kind, frozenset({kind}))
    return sum(kind == "file" or one in own for one in files)


def emoji_in(
    typed: Iterable[tuple[int, int, str]],
) -> list[tuple[int, int, tuple[str, ...]]]:
    """``(message id, person id, "emoji" for each)`` of the texts that have any."""
    found = ((message, person, emoji_of(text)) for message, person, text in typed)
    return [(message, person, ("emoji",) * len(signs)) for message, person, signs in found if signs]


def emoji_of(text: str) -> list[str]:
    """The emoji of a text, in their order."""
    return _EMOJI.findall(text) if max(text, default="") >= _FIRST_SIGN else []


def _said(
    store: Store, filters: Filters, plan: Metadata, kind: FileKind, sent: list[tuple[int, int, int]]
) -> tuple[str, tuple[Source, ...]]:
    numbers: Counter[int] = Counter()
    last: dict[int, int] = {}
    for message, person, number in sent:
        numbers[person] += number
        last[person] = message
    total = numbers.total()
    where = f"{of_chats(store, filters)}{in_times(filters)}"
    names = {person: store.people.shown_by_id(person) for person in numbers.keys() | plan.senders}
    senders = [Counted(names[person], number) for person, number in numbers.most_common()]
    if not total:
        who = " and ".join(names[person] for person in sorted(plan.senders))
        return f"{f'{who} sent no' if who else 'There are no'} {kind}s{where}.", ()
    if plan.asks in {"most", "fewest"}:
        every = senders if plan.asks == "most" else senders[::-1]
        ordered = in_place(every, plan.place)
        nth = PLACES[plan.place] if ordered != every else ""
        text = ranking(ordered, total, f"sent the {nth}{plan.asks} {kind}s{where}", kind=kind)
        text = compared(plan, numbers) + text
        people = {name: person for person, name in names.items()}
        return text, sources(store, [last[people[one.name]] for one in ordered[:SHOWN]])
    head = f"{senders[0].name} sent {count(total, kind)}{where}, "
    if len(senders) > 1:
        head = f"{count(total, kind)}{where}: {listed_names(senders[:SHOWN], len(senders))}; "
    cited = sources(store, list(dict.fromkeys((sent[0][0], sent[-1][0]))))
    return f"{head}{first_and_last(cited, total)}.", cited
