"""A run's folder → ``report.md``, ``figures.json`` and plots. No question is asked and no answer changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from minirag_chat.bench.judge import Verdict, judge
from minirag_chat.bench.llm_judge import judges, read_judged
from minirag_chat.bench.overlap import overlap
from minirag_chat.bench.run_output import Answered, Retrieved, read_lines
from minirag_chat.bench.runner import INDEX, RUN
from minirag_chat.bench.scores import (
    Judged,
    accuracy,
    by_type,
    message_ranking,
    ranking,
    rate,
    silence,
    spread,
)
from minirag_chat.bench.tables import (
    answer_table,
    circumstances_table,
    index_table,
    judge_note,
    message_table,
    overlap_table,
    retrieval_tables,
    share,
    silence_table,
    speed_table,
    table,
)
from minirag_chat.bench.verdicts import HumanVerdict, agreement, match, read_verdicts
from minirag_chat.errors import NotFound

RULES = "rules"
PEOPLE = "people"
REMOVED = (
    "Answerable questions, each asked of a store without the sessions that hold its answer: "
    "silence is right."
)
NOW = datetime(2026, 12, 31)  # only completes dates without a year, in both texts


@dataclass(frozen=True, slots=True)
class Run:
    """The content of a run's folder. ``human`` are people's verdicts on its answers, by question."""

    out: Path
    facts: Mapping[str, Any]
    index: Mapping[str, Any]
    retrieved: tuple[Retrieved, ...]
    answers: tuple[Answered, ...]
    removed: tuple[Answered, ...]
    human: Mapping[str, HumanVerdict]


def read_run(out: Path, verdicts: Sequence[Path] = ()) -> Run:
    """Read a run, with the verdicts in its folder, beside its corpus, and in ``verdicts``."""
    if not (out / RUN).is_file():
        raise NotFound(f"{out} holds no run: name the folder that `minirag-chat bench` wrote.")
    facts = json.loads((out / RUN).read_text(encoding="utf-8"))
    answers = tuple(read_lines(out / "answers.jsonl", Answered))
    beside = (Path(facts["evidence_folder"]) / "verdicts.jsonl", out / "verdicts.jsonl")
    files = [*(file for file in beside if file.is_file()), *verdicts]
    human = [verdict for file in files for verdict in read_verdicts(file)]
    index = out / INDEX
    return Run(
        out=out,
        facts=facts,
        index=json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {},
        retrieved=tuple(read_lines(out / "retrieval.jsonl", Retrieved)),
        answers=answers,
        removed=tuple(read_lines(out / "removed.jsonl", Answered)),
        human=match(answers, human),
    )


def judgements(run: Run) -> dict[str, dict[str, Verdict]]:
    """The verdicts of each judge, by question: the rules, each model that judged, people."""
    rules = {a.id: by_rules(a) for a in run.answers}
    found: dict[str, dict[str, Verdict]] = {RULES: rules}
    for name in judges(run.out):
        said = read_judged(run.out, name)
        found[name] = {
            a.id: rules[a.id] if a.abstained else said[a.id, a.hash]
            for a in run.answers
            if a.abstained or (a.id, a.hash) in said
        }
    if run.human:
        found[PEOPLE] = {identity: verdict.verdict for identity, verdict in run.human.items()}
    return found


def best_judgement(run: Run) -> tuple[str, dict[str, Verdict]]:
    """The judge that counts, and its verdicts: people if they judged all answers, else the rules."""
    found = judgements(run)
    name = PEOPLE if len(found.get(PEOPLE, ())) == len(run.answers) else RULES
    return name, found[name]


def by_rules(answered: Answered) -> Verdict:
    """The deterministic judge's verdict."""
    return judge(
        answered.question, answered.gold, answered.answer, abstained=answered.abstained, now=NOW
    ).verdict


def write_report(run: Run, *, peak_bytes: int | None = None) -> Path:
    """Write ``report.md`` and ``figures.json``; returns the report's path."""
    parts = [f"# {run.facts['corpus']}", circumstances_table(run.facts)]
    if run.index:
        parts += ["## Index", index_table(run.index)]
    if run.retrieved:
        parts += ["## Retrieval", "By conversation:", retrieval_tables(run.retrieved)]
        parts += ["By single message:", message_table(run.retrieved)]
    if run.answers:
        parts += _answers(run)
    if run.removed:
        parts += ["## Evidence removed", REMOVED, _removed(run)]
    if peak_bytes:
        parts.append(f"Peak memory of the run: {peak_bytes / 1e9:.2f} GB.")
    file = run.out / "report.md"
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    figures = json.dumps(figures_of(run), indent=2, default=str)
    (run.out / "figures.json").write_text(figures, encoding="utf-8")
    return file


def _answers(run: Run) -> list[str]:
    parts = ["## Answers"]
    for name, verdicts in judgements(run).items():
        rows = judged(run.answers, verdicts)
        if name == PEOPLE:
            parts.append(f"Read by people: {len(rows)} of {len(run.answers)} answers.")
        else:
            found = agreement(run.answers, verdicts, run.human)
            parts.append(judge_note(f"{name} ({len(rows)} answers)", found))
        parts += [answer_table(rows), silence_table(rows)]
    parts += ["Words shared with the gold answers:", overlap_table(run.answers)]
    return [*parts, "## Speed", speed_table(run.answers)]


def _removed(run: Run) -> str:
    groups = by_type(run.removed, lambda row: row.type).items()
    cells = [(kind, str(len(g)), share(rate(row.abstained for row in g))) for kind, g in groups]
    return table(("type", "n", "silent"), cells)


def judged(answers: Sequence[Answered], verdicts: Mapping[str, Verdict]) -> list[Judged]:
    """The answers that have a verdict, each with its verdict."""
    return [Judged(a, verdicts[a.id]) for a in answers if a.id in verdicts]


def figures_of(run: Run) -> dict[str, Any]:
    """All figures for programs to read, with the run's circumstances."""
    found: dict[str, Any] = {"run": run.facts, "index": run.index, "retrieval": {}, "answers": {}}
    for method in dict.fromkeys(row.method for row in run.retrieved):
        figures = ranking([row for row in run.retrieved if row.method == method])
        found["retrieval"][method] = {
            **{f"hit@{k}": _rate(value) for k, value in figures.hits.items()},
            "recall@5": figures.recall, "mrr": figures.reciprocal,
            "median_ms": figures.median_ms, "p95_ms": figures.high_ms,
        }  # fmt: skip
        single = message_ranking([row for row in run.retrieved if row.method == method])
        found["retrieval"][method]["messages"] = {
            "n": single.count, "hit@1": _rate(single.first),
            **{f"recall@{k}": value for k, value in single.recalls.items()},
        }  # fmt: skip
    for name, verdicts in judgements(run).items():
        rows = judged(run.answers, verdicts)
        said, flag = accuracy(rows), silence(rows)
        found["answers"][name] = {
            "n": len(rows), "right": _rate(said.right), "wrong": _rate(said.wrong),
            "silent": _rate(said.silent), "score": said.score,
            "refused": _rate(flag.refused), "wrongly_refused": _rate(flag.wrongly_refused),
            "auroc": flag.separation, "auroc_right": flag.ranking, "ece": flag.calibration,
            "aurc": flag.area,
        }  # fmt: skip
    if run.removed:
        silent = [row.abstained for row in run.removed]
        found["removed"] = {"n": len(silent), "silent": sum(silent) / len(silent)}
    if run.answers:
        steps = {step for row in run.answers for step in row.timings}
        found["seconds"] = {
            step: spread([row.timings[step] for row in run.answers if step in row.timings])
            for step in sorted(steps)
        }
        found["overlap"] = {
            kind: dict(zip(("n", "f1", "bleu1"), overlap(group), strict=True))
            for kind, group in by_type(run.answers, lambda row: row.type).items()
        }
        found["prompt_tokens"] = spread([row.prompt_tokens for row in run.answers])
    return found


def _rate(value: Any) -> list[float]:
    """The rate with its interval: value, low, high."""
    return [value.value, *value.interval]
