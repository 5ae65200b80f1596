"""The results of exploring, as the parts of a rich display."""

from __future__ import annotations

import dataclasses
from typing import Any

from minirag_chat.records.exploration import (
    Comparison,
    Explanation,
    Neighbourhood,
    Table,
    TalkNetwork,
    Timeline,
)
from minirag_chat.show import rich_answer
from minirag_chat.show.rich_parts import Bars, Fold, GraphFrame, Grid, Part, Quote, TextLine, when
from minirag_chat.ui_text import period

ROWS_SHOWN = 20
PEOPLE_SHOWN = 15


def table(record: Table[Any]) -> list[Part]:
    """The first rows."""
    names = [field.name for field in dataclasses.fields(record.kind)]
    rows = [[getattr(row, name) for name in names] for row in record[:ROWS_SHOWN]]
    more = len(record) - ROWS_SHOWN
    parts: list[Part] = [Grid(names, rows)]
    if more > 0:
        parts.append(
            TextLine(f"and {more:,} more rows; .frame() gives all as a pandas frame", "meta")
        )
    return parts


def timeline(record: Timeline) -> list[Part]:
    """A bar for each day, week or month."""
    pattern = "%b %Y" if record.unit == "month" else "%Y-%m-%d"
    labels = [f"{period.start:{pattern}}" for period in record.periods]
    title = f"Messages by {record.unit}"
    return [TextLine(title), Bars(labels, [period.messages for period in record.periods], title)]


def talk(record: TalkNetwork) -> list[Part]:
    """Rows are writers, columns the people they answer; a darker cell means more often."""
    people = list(record.graph)[:PEOPLE_SHOWN]
    weights = [[record.weight(a, b) for b in people] for a in people]
    highest = max((w for row in weights for w in row), default=0) or 1
    rows = [[a, *(w or "" for w in row)] for a, row in zip(people, weights, strict=True)]
    shades = [[0.0, *(w / highest for w in row)] for row in weights]
    left = len(record.graph) - len(people)
    parts: list[Part] = [Grid(("answers \u2192", *people), rows, shades=shades)]
    return [*parts, TextLine(f"and {left} more people", "meta")] if left > 0 else parts


def neighbourhood(record: Neighbourhood) -> list[Part]:
    """The graph around the centre."""
    words = f"{len(record.graph) - 1} names around {record.centre.shown_name}"
    return [TextLine(words), GraphFrame(record.path)]


def comparison(record: Comparison) -> list[Part]:
    """A column for each method; messages that only one method found are marked."""
    ids = {m: {item.message.id for item in found} for m, found in record.found.items()}
    length = max((len(found) for found in record.found.values()), default=0)
    rows = []
    for rank in range(length):
        row: list[object] = [rank + 1]
        for method, found in record.found.items():
            if rank >= len(found):
                row.append("")
                continue
            message = found[rank].message
            alone = all(message.id not in there for m, there in ids.items() if m != method)
            mark = f" (only {method})" if alone and len(ids) > 1 else ""
            row.append(f"{message.shown_sender}: {message.text}{mark}")
        rows.append(row)
    return [TextLine(record.question, "asked"), Grid(("rank", *record.found), rows)]


def explanation(record: Explanation) -> list[Part]:
    """Mapping, paths, chunks, evidence, answer, in the order of the work."""
    question = record.question
    mapped = [
        ("names", ", ".join(f"{e.shown_name} ({e.type})" for e in question.entities)),
        ("people", ", ".join(e.shown_name for e in question.people)),
        ("who acts", ", ".join(e.shown_name for e in question.speakers)),
        (
            "asked for what they say",
            ", ".join(e.shown_name for e in question.quoted_speakers),
        ),
        ("answer types", ", ".join(question.answer_types)),
        ("times", ", ".join(f"{t.phrase} ({period(t)})" for t in question.times)),
    ]
    parts: list[Part] = [
        TextLine(question.text, "asked"),
        Fold("1. What the question names", [Grid(("part", "found"), mapped)]),
        Fold("2. Reasoning paths (Eq. 3)", [_paths(record)]),
        Fold(f"3. Chunks ranked by {record.method}", [_chunks(record)]),
        Fold("4. Messages in the order of reading", _evidence(record)),
    ]
    if record.answer is not None:
        answer: list[Part] = [rich_answer.flag(record.answer), TextLine(record.answer.text, "text")]
        parts.append(Fold("5. Answer", [*answer, *rich_answer.how(record.answer)]))
    return [*parts, Fold("Times", [Grid(("step", "seconds"), list(record.seconds.items()))])]


def _paths(record: Explanation) -> Part:
    if not record.paths:
        return TextLine("None: the question names nothing that the messages name.")
    return Grid(("score", "path"), [(p.score, " \u2192 ".join(p.names)) for p in record.paths])


def _chunks(record: Explanation) -> Part:
    signals = list(dict.fromkeys(name for c in record.chunks for name in c.ranked.signals))
    rows = [
        (c.ranked.score, *(c.ranked.signals.get(name, 0.0) for name in signals), c.text)
        for c in record.chunks
    ]
    return Grid(("score", *signals, "chunk"), rows)


def _evidence(record: Explanation) -> list[Part]:
    return [
        Quote(
            f"{item.score:.2f}",
            f"{item.message.shown_sender} \u00b7 {when(item.message.sent_at)}",
            item.message.text,
        )
        for item in record.evidence
    ]
