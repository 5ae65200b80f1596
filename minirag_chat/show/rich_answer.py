"""An answer, its evidence, an import and a memory, as the parts of a rich display."""

from __future__ import annotations

from minirag_chat.records import Answer, Evidence, ImportReport, ReasoningPath, Source
from minirag_chat.records.exploration import Info
from minirag_chat.show.flag import flag_of
from minirag_chat.show.rich_parts import Flag, Fold, GraphFrame, Grid, Part, Quote, TextLine, when
from minirag_chat.ui_text import count

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
    span = (
        f"{record.first:%Y-%m-%d} to {record.last:%Y-%m-%d}" if record.first and record.last else ""
    )
    rows = [
        ("files", record.files),
        ("messages read", record.messages_read),
        ("of these new", record.messages_added),
        ("sessions", record.sessions),
        ("chats", len(record.chats)),
        ("people", ", ".join(record.people)),
        ("from, to", span),
        ("formats", ", ".join(f"{name} {count}" for name, count in record.formats.items())),
        ("system lines left out", record.system_lines),
        ("media placeholders kept", record.media),
        ("seconds", round(record.seconds, 1)),
    ]
    parts: list[Part] = [Grid(("import", ""), [row for row in rows if row[1] not in ("", 0)])]
    parts += [TextLine(f"Note: {note}") for note in record.notes]
    if record.skipped:
        left = [(s.source, s.line or "", s.reason) for s in record.skipped[:SKIPPED_SHOWN]]
        parts.append(Grid(("skipped", "line", "why"), left))
    if len(record.skipped) > SKIPPED_SHOWN:
        parts.append(TextLine(f"and {len(record.skipped) - SKIPPED_SHOWN} more skipped"))
    return parts


def info(record: Info) -> list[Part]:
    """What a memory holds, and what reads it."""
    span = (
        f"{record.first:%Y-%m-%d} to {record.last:%Y-%m-%d}" if record.first and record.last else ""
    )
    held = [
        ("messages", record.messages),
        ("chats", record.chats),
        ("people", record.people),
        ("from, to", span or "no messages yet: import some with memory.add(PATH)"),
        (
            "index",
            f"{count(record.chunks, 'passage')}, {count(record.entities, 'name')}, {record.embedder}",
        ),
        ("model", f"{record.model}: {record.model_reason}"),
        (
            "database",
            f"{record.database} ({record.size_bytes / 1e6:.1f} MB{', encrypted' * record.encrypted})",
        ),
    ]
    noted = [TextLine(f"Note: {record.note}")] if record.note else []
    return [Grid(("chat memory", ""), held), *noted]


def path(record: ReasoningPath) -> list[Part]:
    """The graph."""
    return [GraphFrame(record)]
