"""Reads WhatsApp's exports of one chat, from Android and iOS, as ``.txt`` or in a zip."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal, NamedTuple

from minirag_chat.errors import UnreadableFile
from minirag_chat.importers.base import ANY_MARKS, DELETED, Clock, ExportFile, Importer, Sample
from minirag_chat.importers.clocks import CLOCK, HalfDays, clock_time, half_of, to_time
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.dates import (
    DATE,
    OrderChooser,
    OrderDecision,
    Triple,
    order_note,
    to_datetime,
)
from minirag_chat.importers.entries import entries
from minirag_chat.importers.kinds import chat_kind
from minirag_chat.importers.limits import KeptLines
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.importers.whatsapp_pasted import PastedLine, PastedLines
from minirag_chat.importers.whatsapp_phrases import (
    OWN_MARKS,
    attachment_in,
    group_name_in,
    has_not_arrived,
    is_about_community,
    is_about_member,
    is_call,
    is_call_of_android,
    is_deleted,
    is_group_notice,
    is_missed_call,
    is_notice,
    is_sentence,
    media_part,
    names_file,
    title_in,
    without_edit_mark,
    without_isolates,
    without_layout_marks,
)
from minirag_chat.importers.whatsapp_senders import Names, is_about
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import ChatKind, MessageKind, ParsedChat, ParsedMessage

_WHENS = (rf"{DATE}[,،]?{ANY_MARKS}\s+{CLOCK}", rf"{CLOCK}[,،]?{ANY_MARKS}\s+{DATE}")
_DOT = r"(?:(?<=\d)(?P<dot>\.))?"
# What Skype's text, which is like iOS's, has behind the time of a message that was changed.
_CHANGED = (
    r"(?: \| (?P<change>[^\W\d_]{1,30}) \d{1,2}[:.]\d\d(?:[:.]\d\d)?"
    r"(?:[ \u00a0\u202f][^\s\[\]]{1,6}){0,2})?"
)
_IOS = tuple(
    lazy(rf"{ANY_MARKS}\[{ANY_MARKS}{when}{ANY_MARKS}{_CHANGED}\](?:\s|$)(?P<rest>.*)", re.DOTALL)
    for when in _WHENS
)
_ANDROID = tuple(
    lazy(rf"{ANY_MARKS}{when}{_DOT}{ANY_MARKS}\s+[-–—](?:\s|$)(?P<rest>.*)", re.DOTALL)  # noqa: RUF001 - these very dashes
    for when in _WHENS
)
_OLD_IOS = tuple(  # about 2010 to 2016
    lazy(rf"{ANY_MARKS}{when}{ANY_MARKS}:(?:\s|$)(?P<rest>.*)", re.DOTALL) for when in _WHENS
)
# A fast check for the most common form; the patterns above cover all.
_PLAIN = lazy(
    r"(\[)?(\d{1,4})([/.-])(\d{1,2})\3(\d{4}|\d{1,2}),? (\d{1,2}):(\d\d)(?::(\d\d))?"
    r"(?:[ \u202f]([AaPp][Mm]))?(?(1)\]| -) "
)
# Other English-speaking countries write numbers with a leading zero, AM in lower case, or both.
_AMERICAN = lazy(
    rf"{ANY_MARKS}\[?{ANY_MARKS}[1-9]\d?/{ANY_MARKS}[1-9]\d?/{ANY_MARKS}(?:\d\d){{1,2}},? "
    r"[1-9]\d?:\d\d(?::\d\d)?[ \u202f][AP]M\b"
)
_NUMBERS = lazy(r"\W{0,4}\d{1,4}\D{1,4}\d")  # two numbers of a date or a clock time
_EDITED, _REMOVED = "Edited", "Removed"
_EDGES = "\u200e\u200f"
_SAMPLE_LINES = 60
_ENOUGH_LINES = 2
_MARKS_BEFORE = 4
_MOST_MARKS = 3  # unknown words beside clock times that are reported
_MOST_KNOWN_MARKS = 100
_FEW = 0.2  # share of lines: a rarer style is quoted from another export


# The marks around or after date and time; [t]: the time comes first.
_Style = Literal["[]", "[t]", "-", ".-", ":"]


_Patterns = tuple[tuple[_Style, tuple[re.Pattern[str], ...]], ...]
_BRACKETED: _Patterns = (("[]", _IOS[:1]), ("[t]", _IOS[1:]))
_PLAINLY: _Patterns = (("-", _ANDROID), (":", _OLD_IOS))


class Stamped(NamedTuple):
    """A line that begins like a message, with its date as text until day and month are ordered.

    ``rest`` is what follows date and time; ``style`` is the marks around or after them; ``change`` is Skype's
    word for what was done to the message later, such as ``Edited``.
    """

    date: Triple
    clock: time
    rest: str
    style: _Style
    change: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A message or system line: its text in the first line, and the lines below."""

    line: int
    sent_at: datetime
    first: str
    more: KeptLines
    change: str = ""


class WhatsApp(Importer):
    """The importer for WhatsApp's own text exports."""

    name = "whatsapp"
    title = "WhatsApp export"
    files = "WhatsApp Chat with ….txt, _chat.txt, or the zip with media"
    how = (
        "In the chat: menu, More, Export chat (Android) or the chat's name, Export Chat (iPhone); "
        "with or without media."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if the first lines begin with a date, a time and a sender or notice."""
        clock = sample.options.clock
        lines = [line for line in sample.text.split("\n") if line.strip()][:_SAMPLE_LINES]
        stamps = [(line, stamp) for line in lines if (stamp := stamped(line, clock))]
        unknown = None if stamps else next(filter(None, map(_unknown_mark, lines)), None)
        if unknown is not None:
            return (
                f"the word “{unknown[0]}” beside the clock time is not known to mean morning or afternoon: "
                "write AM or PM in its place"
            )
        if not stamps:
            return "no line begins with a date and a time as `31/12/21, 18:00 - Ann: text`"
        begun = sum(": " in stamp.rest for _, stamp in stamps)
        first, stamp = stamps[0]
        if begun < _ENOUGH_LINES and (first is not lines[0] or (not begun and stamp.style != "-")):
            return "it does not begin with a date and a time as `31/12/21, 18:00 - Ann: text`"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file. It is read twice, first to decide the date order and senders."""
        facts = _Facts(context)
        title = _title(context.file) or facts.names.group_name()
        yield from one_chat_in_pieces(
            map(facts.message, _entries(context, facts)),
            lambda: context.chat(self.name, title=title or facts.noted_title, kind=facts.kind()),
        )
        if facts.undated:
            context.notes.append(
                f"{len(facts.undated):,} of the dates in {context.name} do not exist, the first of "
                f"them {facts.undated[0]}; those messages were given the time of the message before them."
            )
        for mark, lines in facts.unknown_marks.most_common(_MOST_MARKS):
            context.notes.append(
                f"{context.name} has lines that look like messages ({lines:,}), but the word “{mark}” beside "
                "the clock time is not known to mean morning or afternoon; they were read as text of the "
                "message before. Write AM or PM in its place."
            )


def stamped(line: str, clock: Clock | None = None) -> Stamped | None:
    """Return the parts of a line that begins with a date and a clock time, or None."""
    plain = _PLAIN.match(line)
    if plain is None:
        return _stamped_otherwise(line, clock)
    bracket, day, _, month, year, hour, minute, second, mark = plain.groups()
    written = clock_time(hour, minute, second, None if clock == "24" else mark)
    if written is None:
        return None
    style: _Style = "-" if bracket is None else "[]"
    return Stamped((day, month, year), written, line[plain.end() :], style)


def _stamped_otherwise(line: str, clock: Clock | None) -> Stamped | None:
    for style, patterns in _BRACKETED if "[" in line[:_MARKS_BEFORE] else _PLAINLY:
        for pattern in patterns:
            match = pattern.fullmatch(line)
            written = None if match is None else to_time(match, clock)
            if match is not None and written is not None:
                day, month, year, rest = match.group("d1", "d2", "d3", "rest")
                dotted = style == "-" and match["dot"] is not None
                change = match.groupdict().get("change") or ""
                return Stamped((day, month, year), written, rest, ".-" if dotted else style, change)
    return None


def _unknown_mark(line: str) -> tuple[str, str] | None:
    """Return the word beside the clock time, and the rest, of a line with no other fault than this word."""
    if _NUMBERS.match(line) is None:
        return None
    for _style, patterns in _BRACKETED if "[" in line[:_MARKS_BEFORE] else _PLAINLY[:1]:
        for pattern in patterns:
            match = pattern.fullmatch(line)
            mark = None if match is None else match["pre"] or match["post"]
            if match is not None and mark is not None and half_of(mark) is None:
                return mark.strip(), match["rest"]
    return None


def _entries(context: ImportContext, facts: _Facts) -> Iterator[_Entry]:
    """Yield the messages and system lines with their times.

    A message with a date that does not exist gets the time of the one before it.
    """
    sent_at: datetime | None = None
    halves = HalfDays(context.options.clock)
    context.half_days = True
    for entry in entries(context, facts.begins):
        stamp, written = entry.head
        if written is not None:
            sent_at = halves.to_24_hours(written)
        if sent_at is None:
            context.skip("a message before all others, whose date does not exist", entry.line)
            continue
        if written is None:
            facts.undated.append("/".join(stamp.date))
        yield _Entry(entry.line, sent_at, stamp.rest, entry.more, stamp.change)


class _Facts:
    """Facts about the whole file: the date order, the names, and the kind of chat."""

    def __init__(self, context: ImportContext) -> None:
        self._context = context
        self._senders: set[str] = set()
        self._grouped = False
        self._styles: Counter[_Style] = Counter()
        self._pasted: frozenset[PastedLine] = frozenset()
        self.names = Names()
        self.noted_title: str | None = None  # the last name that a notice gave to the group
        self.unknown_marks: Counter[str] = (
            Counter()
        )  # beside clock times, neither morning nor afternoon
        self.undated: list[str] = []  # dates that do not exist, as they are written
        self.order = self._decide()
        few = _FEW * self._styles.total()
        self._rare = {style for style, lines in self._styles.items() if lines < few}
        if not self.order.exists:
            raise UnreadableFile(
                f"{context.name} has no date that exists in a known calendar; "
                "set the phone to the Gregorian calendar and export the chat again."
            )

    def _decide(self) -> OrderDecision:
        context = self._context
        chooser = OrderChooser()
        pasted = PastedLines()
        for line in context.lines():
            stamp = self._stamped(line)
            if stamp is not None:
                pasted.see(stamp.date, stamp.clock, stamp.rest)
                american = _AMERICAN.match(line) is not None
                chooser.see(stamp.date, american=american, text=stamp.rest)
                self._styles[stamp.style] += 1
                self.names.see(stamp.rest)
        order = chooser.decide(context.options.date_order)
        self._pasted = pasted.found(order.order, self.names)
        context.date_order = chooser.proven(order)
        if not order.certain:
            note = order_note(context.name, order.order)
            context.decide("date order", order.order, "date_order", note, chooser.ambiguous)
        return order

    def _stamped(self, line: str) -> Stamped | None:
        """Return a line's stamp. One with a colon counts only if the file's first stamp has one too.

        In other files a line such as ``31/12/21 20:00: dinner`` is part of a plan that somebody sent.
        """
        stamp = stamped(line, self._context.options.clock)
        if stamp is not None and stamp.style == ":" != next(iter(self._styles), ":"):
            return None
        return stamp

    def begins(self, line: str) -> tuple[Stamped, datetime | None] | None:
        """Return a line that begins a message, with its time; None for a continuation line.

        The time is None if the date does not exist, but a sender of other messages follows it.
        """
        stamp = self._stamped(line)
        if stamp is None:
            self._see_unknown_mark(line)
        if stamp is None or stamp.style in self._rare:
            return None
        if self._pasted and (stamp.date, stamp.clock, stamp.rest) in self._pasted:
            return None
        sent_at = to_datetime(stamp.date, self.order.order, stamp.clock)
        if sent_at is None and not self.names.writes_often(stamp.rest):
            return None
        return stamp, sent_at

    def _see_unknown_mark(self, line: str) -> None:
        """Count the word that hides a stamp, if a sender of other messages follows it."""
        found = _unknown_mark(line)
        if found is not None and self.names.writes_often(found[1]):
            mark = found[0]
            if mark in self.unknown_marks or len(self.unknown_marks) < _MOST_KNOWN_MARKS:
                self.unknown_marks[mark] += 1

    def kind(self) -> ChatKind:
        """Return the kind of the chat, by its senders and group notices so far."""
        return "group" if self._grouped else chat_kind(len(self._senders))

    def message(self, entry: _Entry) -> ParsedMessage | None:
        """Return an entry's message, or None for a system line or an empty text."""
        split = self.names.split(entry.first)
        if split is None:
            self._system(entry.first)
            return None
        sender, first = split
        text, edited = without_edit_mark("\n".join([first, *entry.more]).strip())
        edited = edited or entry.change == _EDITED
        if is_deleted(text) or entry.change == _REMOVED:
            self._senders.add(sender)
            return ParsedMessage(entry.sent_at, sender, DELETED, deleted=True)
        if has_not_arrived(text) or _is_system(sender, text, self.names) or self._is_call(text):
            self._system(text)
            return None
        media = _placeholder(text)
        self._context.media += media is not None
        whole = without_isolates(text.strip(_EDGES).strip())
        text = whole if media is None else _caption(whole, media)
        if not text:
            self._context.skip(f"a message of {sender} without text", entry.line)
            return None
        self._senders.add(sender)
        kind: MessageKind = "media" if media == text else "text"
        files = () if media is None else (attachment_in(media, whole),)
        said = without_layout_marks(text)
        return ParsedMessage(entry.sent_at, sender, said, kind, edited=edited, attachments=files)

    def _is_call(self, text: str) -> bool:
        """Whether a text is a notice of a call; Android has no marks of its own."""
        of_ios = any(self._styles[style] for style in ("[]", "[t]", ":"))
        if not of_ios:
            return is_call_of_android(text)
        return is_call(text) or (text.startswith(OWN_MARKS) and is_missed_call(text))

    def _system(self, text: str) -> None:
        self._context.system_lines += 1
        self._grouped = self._grouped or is_group_notice(text)
        self.noted_title = group_name_in(text) or self.noted_title


def _is_system(sender: str, text: str, names: Names) -> bool:
    """Whether a text is a notice. People's texts from right to left may begin with the second mark."""
    if not text.startswith(OWN_MARKS) or _placeholder(text) is not None:
        return False
    if names.speaks_as_system(sender):
        return True
    about = is_about_member(sender, text)
    if not text.startswith(OWN_MARKS[0]):
        begins = (
            is_about(sender, text)
            or names.begins_with_member(text)
            or names.is_done_in_arabic(text)
        )
        return (about and begins) or names.is_about_own_encryption(sender, text)
    if about or names.is_done_in_arabic(text) or is_about_community(text.partition(": ")[0]):
        return True
    if is_notice(text) or is_about(sender, text) or is_sentence(text):
        return True
    return names.begins_with_member(text)


def _placeholder(text: str) -> str | None:
    """Return the media placeholder in a message's first or last line; the rest is a caption."""
    first, _, more = text.partition("\n")
    found = media_part(first) or (media_part(more.rpartition("\n")[2]) if more else None)
    return None if found is None else found.strip(_EDGES).strip()


def _caption(text: str, placeholder: str) -> str:
    """A message without the placeholder of its file in its first or last line; the whole if it is no more.

    A placeholder without a file's name, such as ``null``, may be a person's words if no mark is before it.
    """
    before, found, behind = text.rpartition(placeholder)
    if not (names_file(placeholder) or before.endswith(OWN_MARKS)):
        return text
    if text.startswith(f"{placeholder}\n"):
        before, behind = "", text[len(placeholder) :]
    if not found or (before.strip() and behind.strip()):
        return text
    return f"{before}{behind}".strip(f"{_EDGES} \n") or text


def _title(file: ExportFile) -> str | None:
    """Return the chat's title from the file's name, or from that of its zip or folder."""
    for name in (file.path.name, file.container):
        title = title_in(re.sub(r"\.(txt|zip)$", "", name, flags=re.IGNORECASE))
        if title is not None:
            return title
    return None
