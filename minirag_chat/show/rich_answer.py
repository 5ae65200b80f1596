"""An answer, its evidence, an import and a memory, as the parts of a rich display."""

from __future__ import annotations

from minirag_chat.records import Answer, Evidence, ImportReport, ReasoningPath, Source
from minirag_chat.records.exploration import Info
from minirag_chat.show.flag import flag_of
from minirag_chat.show.rich_parts import Flag, Fold, GraphFrame, Grid, Part, Quote, TextLine, when
from minirag_chat.show.tables import info_rows, report_rows
from minirag_chat.ui_text import brought

SKIPPED_SHOWN = 20


def flag(answer: Answer) -> Flag:
    """How sure the answer is, or why there is none."""
    return Flag(*flag_of(answer))


def answer(record: Answer, *, graph: bool = True) -> list[Part]:
    """Question, text, flag, sources, times; with ``graph`` the path too."""
    parts: list[Part] = [
        TextLine(record.question, "asked"),
        TextLine(record.text, "text"),
        flag(record),
    ]
    if record.shown and record.abstained:
        parts.append(TextLine("The closest messages; none of them states the answer:"))
    parts += [quote(source) for source in record.shown]
    if record.note:
        parts.append(TextLine(f"Note: {record.note}", "meta"))
    parts += why(record) if graph else []
    parts.append(Fold("How", how(record), opened=False))
    return parts


def why(record: Answer) -> list[Part]:
    """The path, if the answer has one."""
    if not record.path.nodes:
        return []
    return [Fold("Why: the path to these messages", [GraphFrame(record.path)])]


def quote(source: Source) -> Quote:
    """A source with its quote marked."""
    meta = f"{source.shown_sender} \u00b7 {source.chat} \u00b7 {when(source.sent_at)}"
    for mark in filter(None, (source.message.passed_on, source.read_in)):
        meta += f" \u00b7 {mark}"
    return Quote(f"[{source.number}]", meta, source.message.text, source.quote)


def how(record: Answer) -> list[Part]:
    """The model, seconds by step, and the signals behind the confidence."""
    parts: list[Part] = [TextLine(f"Model: {record.model}")]
    if record.timings:
        parts.append(Grid(("step", "seconds"), list(record.timings.items())))
    if record.signals:
        parts.append(Grid(("signal", "value"), list(record.signals.items())))
    return parts


def evidence(record: Evidence) -> list[Part]:
    """One message with its score and the score's components."""
    message = record.message
    meta = f"{message.shown_sender} \u00b7 {message.chat} \u00b7 {when(message.sent_at)}"
    meta += f" \u00b7 {message.passed_on}" if message.passed_on else ""
    signals = ", ".join(f"{name} {value:.2f}" for name, value in record.signals.items())
    score = f"score {record.score:.3f}" + (f" ({signals})" if signals else "")
    return [Quote(f"#{message.id}", meta, message.text), TextLine(score, "meta")]


def report(record: ImportReport) -> list[Part]:
    """What was read, what was new, what was left out and why."""
    new = ", ".join(brought(record, f"{record.messages_added:,} new"))
    rows = [("added", new), *report_rows(record), ("seconds", f"{record.seconds:.1f}")]
    parts: list[Part] = [Grid(("import", ""), rows)]
    parts += [TextLine(f"Note: {note}") for note in record.notes]
    if record.skipped:
        left = [(s.source, s.line or "", s.reason) for s in record.skipped[:SKIPPED_SHOWN]]
        parts.append(Grid(("skipped", "line", "why"), left))
    if len(record.skipped) > SKIPPED_SHOWN:
        parts.append(TextLine(f"and {len(record.skipped) - SKIPPED_SHOWN} more skipped"))
    return parts


def info(record: Info) -> list[Part]:
    """What a memory holds, and what reads it."""
    notes = [f"Note: {record.note}"] if record.note else []
    if not record.messages:
        notes.insert(0, "There are no messages yet: import some with memory.add(PATH).")
    return [Grid(("chat memory", ""), info_rows(record)), *map(TextLine, notes)]


def path(record: ReasoningPath) -> list[Part]:
    """The graph."""
    return [GraphFrame(record)]
