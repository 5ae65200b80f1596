"""Reads DiscordChatExporter's plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename

from minirag_chat.importers.base import Importer, Sample
from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.discord import Discord, channel_of_file, channel_title
from minirag_chat.importers.kinds import file_kind
from minirag_chat.importers.limits import KeptLines
from minirag_chat.importers.moments import MomentReader
from minirag_chat.importers.pieces import one_chat_in_pieces
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment, ParsedChat, ParsedMessage, Reaction

_RULE = "=" * 20
_HEAD = lazy(r"\[(?P<time>[^\[\]]{6,60}\d[^\[\]]{0,20})\] (?P<name>[^\n]{1,100}?)(?: \(pinned\))?")
_FACT = lazy(r"(?P<what>Guild|Channel|Topic|After|Before): (?P<value>.*)")
_PART = lazy(r"\{(Attachments|Embed|Stickers|Reactions|Forwarded Message)\}")
_COUNTED = lazy(r"(?P<emoji>\S+)(?: \((?P<count>\d+)\))?")
_TOP = 30  # lines in which the header ends
_ENDS = "Exported "
_PRIVATE = "direct message"


@dataclass(slots=True)
class _Entry:
    """A message that is still being read."""

    line: int
    time: str
    sender: str
    lines: KeptLines


class DiscordText(Importer):
    """The importer for DiscordChatExporter's text."""

    name = "discord-text"
    title = "Discord (DiscordChatExporter TXT)"
    files = "Server - channel [id].txt"
    how = (
        "DiscordChatExporter, a free program, format TXT; JSON says more and is the better choice."
    )

    def mismatch(self, sample: Sample) -> str | None:
        """Return None if it begins with the name of a server and a channel between two rules."""
        lines = sample.text.lstrip().split("\n")[:_TOP]
        facts = {match["what"] for line in lines if (match := _FACT.fullmatch(line.strip()))}
        if not lines[0].startswith(_RULE) or not facts >= {"Guild", "Channel"}:
            return "it does not begin with `Guild:` and `Channel:` as DiscordChatExporter's text"
        return None

    def read(self, context: ImportContext) -> Iterator[ParsedChat]:
        """Yield the one chat of the file, in pieces. It is read twice, first for the order of the dates."""
        facts: dict[str, str] = {}
        times = MomentReader((entry.time for entry in _entries(context, facts)), context)
        private = facts.get("Guild", "").casefold().startswith(_PRIVATE)
        return one_chat_in_pieces(
            (_message(entry, times, context) for entry in _entries(context, facts)),
            lambda: context.chat(
                Discord.name,
                key=channel_of_file(context.name),
                title=channel_title(
                    facts.get("Channel", "").rpartition(" / ")[2],
                    facts.get("Guild", ""),
                    direct=private,
                ),
                kind=None if private else "group",
            ),
        )


def _entries(context: ImportContext, facts: dict[str, str]) -> Iterator[_Entry]:
    """Yield the messages; the header's lines are put into ``facts``."""
    entry: _Entry | None = None
    blank, known = True, set[str]()
    for number, line in enumerate(context.lines(), 1):
        head = _HEAD.fullmatch(line)
        if head is not None and (blank or entry is None or head["name"] in known):
            if entry is not None:
                yield entry
            known.add(head["name"])
            entry = _Entry(number, head["time"], head["name"], KeptLines(context))
        elif entry is not None:
            entry.lines.append(line)
        elif match := _FACT.fullmatch(line.strip()):
            facts.setdefault(match["what"], match["value"].strip())
        blank = not line.strip()
    if entry is not None:
        _cut_end(entry.lines)
        yield entry


def _cut_end(lines: KeptLines) -> None:
    """Remove the footer: the number of messages, between two rules."""
    for at in range(len(lines) - 1, -1, -1):
        if lines[at].startswith(_ENDS) and at and lines[at - 1].startswith(_RULE):
            del lines[at - 1 :]
            return


def _message(entry: _Entry, times: MomentReader, context: ImportContext) -> ParsedMessage | None:
    parts: dict[str, list[str]] = {"": []}
    now = ""
    for line in entry.lines:
        found = _PART.fullmatch(line)
        now = found[1] if found else now
        if found is None:
            parts.setdefault(now, []).append(line)
    said = "\n".join(parts[""]).strip()
    forwarded = "\n".join(parts.get("Forwarded Message", [])).strip()
    embed = "\n".join(line for line in parts.get("Embed", []) if line.strip())
    return context.message(
        entry.line,
        times.read(entry.time),
        entry.sender,
        said or forwarded or embed,
        [
            Attachment(name, kind or file_kind(name))
            for part, kind in (("Attachments", ""), ("Stickers", "sticker"))
            for name in (
                basename(line.partition("?")[0]) for line in parts.get(part, []) if line.strip()
            )
        ],
        forwarded_from="another chat" if forwarded and not said else None,
        reactions=tuple(_reactions(" ".join(parts.get("Reactions", [])))),
    )


def _reactions(line: str) -> Iterator[Reaction]:
    for match in _COUNTED.finditer(line):
        if not match["emoji"].startswith("("):
            yield Reaction(match["emoji"])
