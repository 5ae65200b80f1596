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


def answer(shown: Answer, *, graph: bool = True) -> list[Part]:
    """Question, text, flag, sources, times; with ``graph`` the path too."""
    sources = shown.closest if shown.abstained else shown.sources
    parts: list[Part] = [
        TextLine(shown.question, "asked"),
        TextLine(shown.text, "text"),
        flag(shown),
    ]
    if sources and shown.abstained:
        parts.append(TextLine("The closest messages; none of them states the answer:"))
    parts += [quote(source) for source in sources]
    if shown.note:
        parts.append(TextLine(f"Note: {shown.note}", "meta"))
    parts += why(shown) if graph else []
    parts.append(Fold("How", how(shown), opened=False))
    return parts


def why(shown: Answer) -> list[Part]:
    """The path, if the answer has one."""
    if not shown.path.nodes:
        return []
    return [Fold("Why: the path to these messages", [GraphFrame(shown.path)])]


def quote(source: Source) -> Quote:
    """A source with its quote marked."""
    meta = f"{source.shown_sender} \u00b7 {source.chat} \u00b7 {when(source.sent_at)}"
    for mark in filter(None, (source.message.passed_on, source.read_in)):
        meta += f" \u00b7 {mark}"
    return Quote(f"[{source.number}]", meta, source.message.text, source.quote)


def how(shown: Answer) -> list[Part]:
    """The model, seconds by step, and the signals behind the confidence."""
    parts: list[Part] = [TextLine(f"Model: {shown.model}")]
    if shown.timings:
        parts.append(Grid(("step", "seconds"), list(shown.timings.items())))
    if shown.signals:
        parts.append(Grid(("signal", "value"), list(shown.signals.items())))
    return parts


def evidence(shown: Evidence) -> list[Part]:
    """One message with its score and the score's components."""
    message = shown.message
    meta = f"{message.shown_sender} \u00b7 {message.chat} \u00b7 {when(message.sent_at)}"
    meta += f" \u00b7 {message.passed_on}" if message.passed_on else ""
    signals = ", ".join(f"{name} {value:.2f}" for name, value in shown.signals.items())
    score = f"score {shown.score:.3f}" + (f" ({signals})" if signals else "")
    return [Quote(f"#{message.id}", meta, message.text), TextLine(score, "meta")]


def report(shown: ImportReport) -> list[Part]:
    """What was read, what was new, what was left out and why."""
    span = f"{shown.first:%Y-%m-%d} to {shown.last:%Y-%m-%d}" if shown.first and shown.last else ""
    rows = [
        ("files", shown.files),
        ("messages read", shown.messages_read),
        ("of these new", shown.messages_added),
        ("sessions", shown.sessions),
        ("chats", len(shown.chats)),
        ("people", ", ".join(shown.people)),
        ("from, to", span),
        ("formats", ", ".join(f"{name} {count}" for name, count in shown.formats.items())),
        ("system lines left out", shown.system_lines),
        ("media placeholders kept", shown.media),
        ("seconds", round(shown.seconds, 1)),
    ]
    parts: list[Part] = [Grid(("import", ""), [row for row in rows if row[1] not in ("", 0)])]
    parts += [TextLine(f"Note: {note}") for note in shown.notes]
    if shown.skipped:
        left = [(s.source, s.line or "", s.reason) for s in shown.skipped[:SKIPPED_SHOWN]]
        parts.append(Grid(("skipped", "line", "why"), left))
    if len(shown.skipped) > SKIPPED_SHOWN:
        parts.append(TextLine(f"and {len(shown.skipped) - SKIPPED_SHOWN} more skipped"))
    return parts


def info(shown: Info) -> list[Part]:
    """What a memory holds, and what reads it."""
    span = f"{shown.first:%Y-%m-%d} to {shown.last:%Y-%m-%d}" if shown.first and shown.last else ""
    held = [
        ("messages", shown.messages),
        ("chats", shown.chats),
        ("people", shown.people),
        ("from, to", span or "no messages yet: import some with memory.add(PATH)"),
        (
            "index",
            f"{count(shown.chunks, 'passage')}, {count(shown.entities, 'name')}, {shown.embedder}",
        ),
        ("model", f"{shown.model}: {shown.model_reason}"),
        (
            "database",
            f"{shown.database} ({shown.size_bytes / 1e6:.1f} MB{', encrypted' * shown.encrypted})",
        ),
    ]
    noted = [TextLine(f"Note: {shown.note}")] if shown.note else []
    return [Grid(("chat memory", ""), held), *noted]


def path(shown: ReasoningPath) -> list[Part]:
    """The graph."""
    return [GraphFrame(shown)]
