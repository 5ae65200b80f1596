"""The tables of a run, in Markdown. Every rate has Wilson's 95% interval beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from minirag_chat.bench.overlap import overlap
from minirag_chat.bench.run_output import Answered, Retrieved
from minirag_chat.bench.scores import (
    HIT_RANKS,
    MESSAGE_RANKS,
    Judged,
    Rate,
    accuracy,
    by_type,
    message_ranking,
    ranking,
    rate,
    silence,
    spread,
)
from minirag_chat.bench.verdicts import Agreement


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a ``|`` inside a cell is escaped."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(
        "| " + " | ".join(c.replace("|", "\\|") for c in line) + " |" for line in lines
    )


def share(value: Rate) -> str:
    """A rate in percent, with its interval."""
    if not value.total:
        return "\u2013"
    low, high = value.interval
    return f"{100 * value.value:.1f}% ({100 * low:.0f}\u2013{100 * high:.0f})"


def number(value: float, digits: int = 3) -> str:
    """A figure, or a dash if there is none."""
    return "\u2013" if isnan(value) else f"{value:.{digits}f}"


def retrieval_tables(rows: Sequence[Retrieved]) -> str:
    """Each method over all questions, then by type."""
    hits = [f"hit@{k}" for k in HIT_RANKS]
    titles = ("method", "type", "n", *hits, "recall@5", "MRR", "median ms", "95% ms")
    cells = []
    for method, kind, group in _groups(rows):
        figures = ranking(group)
        cells.append(
            (
                method, kind, str(len(group)), *(share(figures.hits[k]) for k in HIT_RANKS),
                number(figures.recall), number(figures.reciprocal),
                f"{figures.median_ms:.0f}", f"{figures.high_ms:.0f}",
            )
        )  # fmt: skip
    return table(titles, cells)


def message_table(rows: Sequence[Retrieved]) -> str:
    """Figures of each method for single messages, over all questions, then by type."""
    titles = ("method", "type", "n", "hit@1", *(f"recall@{k}" for k in MESSAGE_RANKS))
    cells = []
    for method, kind, group in _groups(rows):
        figures = message_ranking(group)
        recalls = (number(figures.recalls[k]) for k in MESSAGE_RANKS)
        cells.append((method, kind, str(figures.count), share(figures.first), *recalls))
    return table(titles, cells)


def _groups(rows: Sequence[Retrieved]) -> Iterator[tuple[str, str, list[Retrieved]]]:
    """The rows of each method, shown as code: all, then those of each type."""
    for method in dict.fromkeys(row.method for row in rows):
        mine = [row for row in rows if row.method == method]
        for kind, group in by_type(mine, lambda row: row.type).items():
            yield f"`{method}`", kind, group


def answer_table(rows: Sequence[Judged]) -> str:
    """Accuracy, error and silence by type; the score is right +1, irrelevant 0, wrong -1."""
    titles = ("type", "n", "right", "wrong", "silent", "score", "cites its evidence")
    cells = []
    groups = by_type(rows, lambda row: row.answered.type)
    answerable = {"answerable": [row for row in rows if row.answerable]}
    for kind, group in (groups | answerable).items():
        figures = accuracy(group)
        cited = rate(row.answered.cited for row in group if row.answered.cited is not None)
        cells.append(
            (
                kind, str(len(group)), share(figures.right), share(figures.wrong),
                share(figures.silent), f"{figures.score:+.3f}", share(cited),
            )
        )  # fmt: skip
    return table(titles, cells)


def overlap_table(answers: Sequence[Answered]) -> str:
    """Mean F1 and BLEU-1 against the gold answers, by type, of answerable questions."""
    found = {kind: overlap(group) for kind, group in by_type(answers, lambda a: a.type).items()}
    cells = [
        (kind, str(count), f"{100 * f1:.1f}", f"{100 * bleu:.1f}")
        for kind, (count, f1, bleu) in found.items()
        if count
    ]
    return table(("type", "n", "F1", "BLEU-1"), cells)


def silence_table(rows: Sequence[Judged]) -> str:
    """The flag's figures."""
    figures = silence(rows)
    cells = [
        ("unanswerable refused", share(figures.refused)),
        ("answerable wrongly refused", share(figures.wrongly_refused)),
        ("AUROC, answerable against unanswerable", number(figures.separation)),
        ("AUROC, right against other answers given", number(figures.ranking)),
        ("expected calibration error, answers given", number(figures.calibration)),
        ("area under risk\u2013coverage", number(figures.area)),
    ]
    return table(("silence", "figure"), cells)


def speed_table(rows: Sequence[Answered]) -> str:
    """Seconds by step, and tokens."""
    steps = list(dict.fromkeys(step for row in rows for step in row.timings))
    cells = [
        (
            f"{step}, s",
            *(f"{v:.2f}" for v in spread([r.timings[step] for r in rows if step in r.timings])),
        )
        for step in steps
    ]
    for title, values in (
        ("longest prompt, tokens", [r.prompt_tokens for r in rows if r.prompt_tokens]),
        ("all prompts, tokens", [r.read_tokens for r in rows if r.read_tokens]),
    ):
        if values:
            cells.append((title, *(f"{value:.0f}" for value in spread(values))))
    return table(("a question", "median", "95%"), cells)


def index_table(figures: Mapping[str, Any]) -> str:
    """Import and storage: bytes by part, and relative to the bytes of the text."""
    text = max(int(figures["text_bytes"]), 1)
    parts = sorted(figures["bytes"].items(), key=lambda part: -part[1])
    cells = [
        ("import with index", f"{figures['seconds']:.1f} s", ""),
        ("messages in sessions", f"{figures['messages']:,} in {figures['sessions']:,}", ""),
        ("text of the messages", f"{text:,} bytes", "1.0"),
        ("database", f"{figures['file_bytes']:,} bytes", f"{figures['file_bytes'] / text:.1f}"),
        *((f"\u2013 {part}", f"{size:,} bytes", f"{size / text:.1f}") for part, size in parts),
    ]
    return table(("index", "figure", "times the text"), cells)


def judge_note(judge: str, found: Agreement | None) -> str:
    """The judge, and how well it agrees with people."""
    if found is None:
        return (
            f"Judged by {judge}; no person has read these answers yet (`minirag-chat bench judge`), so "
            "its agreement with people is not known here."
        )
    loose = f" {found.loose} of the verdicts name no answer's hash." if found.loose else ""
    kappa = number(found.kappa, 2)
    return (
        f"Judged by {judge}. It agrees with people on {share(found.same)} of {found.same.total} "
        f"answers they read (right or not: {share(found.right)}; of the {found.given.total} not "
        f"silent: {share(found.given)}; Cohen's \u03ba {kappa}).{loose}"
    )


def circumstances_table(facts: Mapping[str, Any]) -> str:
    """The run's main circumstances; ``run.json`` has all of them."""
    machine, versions = facts["machine"], facts["versions"]
    settings = facts["settings"]
    gpu = machine["gpu"] or "no GPU"
    changed = ", ".join(settings["without"]) or "nothing"
    processor = f"{gpu}, {machine['processor']}; load {machine['load']}"
    hashes = f"messages `{facts['key']['messages']}`, questions `{facts['key']['questions']}`"
    cells = [
        ("model", f"{facts['model']['name']} (`{facts['model']['hash']}`)"),
        ("embedder", facts["embedder"]),
        ("left out", changed),
        ("commit", f"{facts['commit'] or 'no git'}, code `{facts['key']['code']}`"),
        ("data", f"{facts['corpus']}: {hashes}; seed {facts['seed']}"),
        ("machine", f"{machine['cores']} cores, {machine['memory_gb']:.0f} GB, {processor}"),
        ("versions", ", ".join(f"{k} {v}" for k, v in versions.items() if v)),
        ("settings", ", ".join(f"{k}={v}" for k, v in settings.items() if v not in ("", [], None))),
        ("begun", facts["date"]),
    ]
    return table(("what", "which"), cells)
