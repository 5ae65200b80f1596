"""The paper's tables in its layout: our figure, the paper's if it has one, and what differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from minirag_chat.bench.paper import Growth, Measured, Pace, Storage
from minirag_chat.bench.paper_figures import (
    ABLATIONS,
    BM25_ACCURACY,
    LIHUAWORLD,
    NONE,
    PATHS,
    STORAGE_SHARE,
    SYSTEMS,
    UPSTREAM_BYTES,
    UPSTREAM_CALLS,
    UPSTREAM_SECONDS,
)
from minirag_chat.bench.report import RULES, Run, best_judgement, judged, judgements
from minirag_chat.bench.run_output import Retrieved
from minirag_chat.bench.scores import Rate, accuracy, ranking, silence, spread
from minirag_chat.bench.tables import number, share, table

DASH = "\u2013"
TOLERANCE = 0.25
NOTE = (
    "Partial wherever it says so. Retrieval figures are over sessions and need no model; accuracy "
    "and error need answers: give the folders of `minirag-chat bench run --method …` with --runs."
)
DIFFERS = (
    "What differs from the paper: its models are other ones; its answers read 6,000 "
    "tokens, ours 450; its judge is a model, ours are rules unless a run has people's verdicts; it "
    "asks all 637 questions, this the ones named above; its indexes are read by a model, ours are "
    "made without one except where `lightrag` and `--slm` say otherwise."
)


def paper_tables(
    measured: Measured, runs: Sequence[Run], questions: int, *, lihuaworld: bool
) -> str:
    """All tables, as Markdown. The paper's figures are for LiHuaWorld only."""
    parts = [
        "# The paper's tables",
        f"{questions} questions, {measured.sessions} sessions. {NOTE}",
        "## Systems: accuracy and error",
        _systems(runs, lihuaworld=lihuaworld),
        DIFFERS,
        "## Retrieval by method",
        _retrieval(measured.methods),
    ]
    if measured.sessions_read:
        parts += _partial(measured)
    parts += [
        "## Ablations of `minirag`",
        _ablations(measured, runs),
        "## k, the paths kept, and n, the longest path",
        _sweep("k", measured.paths, {k: f"{v:.0f}" for k, v in PATHS.items()}),
        _sweep("n", measured.hops, {}),
        "## Abstention and latency",
        _silence(runs),
        "## Index time against documents",
        _growth(measured.growth),
        *_pace(measured.pace),
        "## Storage",
        _storage(measured.storage),
    ]
    return "\n\n".join(parts) + "\n"


def _systems(runs: Sequence[Run], *, lihuaworld: bool) -> str:
    """One row for each model, two columns for each system, like the paper's first table."""
    methods = list(dict.fromkeys([*SYSTEMS, *(_method(run) for run in runs)]))
    titles = ["model", "whose"]
    titles += [f"{SYSTEMS.get(m, m)} {what}" for m in methods for what in ("acc", "err")]
    rows = []
    for model in dict.fromkeys(run.facts["model"]["name"] for run in runs):
        cells = [model, "ours"]
        for method in methods:
            mine = [r for r in runs if _method(r) == method and r.facts["model"]["name"] == model
                    and not r.facts["settings"]["without"] and r.answers]  # fmt: skip
            cells += _answered(mine[-1]) if mine else [DASH, DASH]
        rows.append(cells)
    for model, figures in (LIHUAWORLD if lihuaworld else {}).items():
        cells = [model, "paper"]
        for method in methods:
            found = figures.get(method, NONE)
            cells += [DASH if v is None else f"{v:.1f}%" for v in found]
        rows.append(cells)
    if lihuaworld:
        place = methods.index("bm25") if "bm25" in methods else None
        if place is not None:
            cells = ["(any)", "paper", *[DASH] * (2 * len(methods))]
            cells[2 + 2 * place] = f"{BM25_ACCURACY:.0f}%"
            rows.append(cells)
    return table(titles, rows)


def _answered(run: Run) -> list[str]:
    best, verdicts = best_judgement(run)
    found = accuracy(judged(run.answers, verdicts))
    return [f"{share(found.right)} of {found.right.total}, {best}", share(found.wrong)]


def _retrieval(methods: Mapping[str, Sequence[Retrieved]]) -> str:
    titles = ("system", "method", "n", "hit@1", "hit@5", "recall@5", "MRR", "median ms", "95% ms")
    return table(
        titles,
        [(SYSTEMS.get(m, DASH), f"`{m}`", *_figures(rows)) for m, rows in methods.items() if rows],
    )


def _figures(rows: Sequence[Retrieved]) -> tuple[str, ...]:
    found = ranking(rows)
    return (
        str(len(rows)), _share(found.hits[1]), _share(found.hits[5]), number(found.recall),
        number(found.reciprocal), f"{found.median_ms:.0f}", f"{found.high_ms:.0f}",
    )  # fmt: skip


def _share(value: Rate) -> str:
    low, high = value.interval
    return f"{value.value:.3f} ({low:.2f}\u2013{high:.2f})"


def _partial(measured: Measured) -> list[str]:
    """All methods on the questions that the model's partial index covers."""
    covered = {
        m: [r for r in rows if r.id in measured.partial] for m, rows in measured.methods.items()
    }
    note = (
        f"Partial: it has read {measured.sessions_read} of {measured.sessions} sessions, so only the "
        f"{len(measured.partial)} questions count whose evidence it has read. The other methods search "
        "all sessions on the same questions; `lightrag` can find no other than those read, which "
        "makes it easier."
    )
    return ["### Where a language model has read", note, _retrieval(covered)]


def _ablations(measured: Measured, runs: Sequence[Run]) -> str:
    titles = ("minirag", "in the paper", "n", "hit@1", "hit@5", "recall@5", "MRR",
              "hit@5 lost", "acc", "err")  # fmt: skip
    whole = measured.methods.get("minirag", ())
    if not whole:
        return DASH
    base = ranking(whole).hits[5].value
    rows = []
    for step, found in {"": whole, **measured.ablations}.items():
        figures = ranking(found)
        mine = [r for r in runs if _method(r) == "minirag" and r.answers
                and r.facts["settings"]["without"] == ([step] if step else [])]  # fmt: skip
        name = f"without `{step}`" if step else "whole"
        lost = f"{base - figures.hits[5].value:+.3f}" if step else DASH
        answered = _answered(mine[-1]) if mine else [DASH, DASH]
        rows.append((name, ABLATIONS.get(step, DASH), *_figures(found)[:5], lost, *answered))
    return table(titles, rows)


def _sweep(name: str, found: Mapping[int, Sequence[Retrieved]], paper: Mapping[int, str]) -> str:
    titles = (name, "n", "hit@1", "hit@5", "recall@5", "MRR", "median ms", "95% ms",
              "accuracy in the paper, %")  # fmt: skip
    return table(
        titles,
        [
            (str(v), *_figures(rows), paper.get(v, DASH))
            for v, rows in sorted(found.items())
            if rows
        ],
    )


def _silence(runs: Sequence[Run]) -> str:
    titles = ("run", "method", "model", "n", "unanswerable refused", "answerable wrongly refused",
              "median s", "95% s")  # fmt: skip
    rows = []
    for run in runs:
        if not run.answers:
            continue
        flags = silence(judged(run.answers, judgements(run)[RULES]))
        total = [a.timings["total"] for a in run.answers if "total" in a.timings]
        times = [f"{v:.1f}" for v in spread(total)] if total else [DASH, DASH]
        rows.append(
            (
                run.out.name, f"`{_method(run)}`", run.facts["model"]["name"],
                str(len(run.answers)), share(flags.refused), share(flags.wrongly_refused), *times,
            )
        )  # fmt: skip
    return table(titles, rows) if rows else "No answers were given: name their folders with --runs."


def _growth(steps: Sequence[Growth]) -> str:
    """The time of each step for its size, compared with the second step: the first is warm-up."""
    if len(steps) < 2:  # noqa: PLR2004 - one step shows no growth
        return "The corpus has too few files to show growth."
    each = [100_000 * step.seconds / step.size for step in steps]
    outside = sum(abs(seconds / each[1] - 1) > TOLERANCE for seconds in each[1:])
    rows = [
        (
            str(step.documents), f"{step.size / 1000:.0f}", f"{step.seconds:.1f}", f"{seconds:.1f}",
            f"{seconds / each[1] - 1:+.0%}" if n else "warm-up",
        )
        for n, (step, seconds) in enumerate(zip(steps, each, strict=True))
    ]  # fmt: skip
    titles = ("documents", "kB of the step", "CPU s of the step", "s a 100 kB", "beside the first")
    note = (
        f"{outside} of {len(steps) - 1} steps lie outside \u00b125% of the first after warm-up, for "
        "their size: documents are of different length."
    )
    return table(titles, rows) + f"\n\n{note}"


def _pace(steps: Sequence[Pace]) -> list[str]:
    """Seconds for each chunk and each thousand characters, as conversations differ in length."""
    if not steps:
        return []
    each = [1000 * step.seconds / step.characters for step in steps]
    rows = [
        (
            str(step.sessions), str(step.chunks), f"{step.seconds / step.chunks:.1f}",
            f"{thousand:.1f}", f"{thousand / each[0] - 1:+.0%}" if n else DASH,
        )
        for n, (step, thousand) in enumerate(zip(steps, each, strict=True))
    ]  # fmt: skip
    titles = ("sessions read", "chunks", "s a chunk", "s a 1,000 characters", "beside the first")
    note = (
        "Seconds on the clock, of characters read and written; whatever else ran then is in them."
    )
    return ["### Reading by the model", table(titles, rows), note]


def _storage(found: Storage) -> str:
    """Our bytes by part; and those of LightRAG-style indexing of the chunks that a model has read."""
    text = max(found.text, 1)
    parts = sorted(found.parts.items(), key=lambda part: -part[1])
    rows = [(name, f"{size:,}", f"{size / text:.2f}") for name, size in parts]
    model = found.parts.get("model's graph", 0)
    graph = found.parts.get("graph", 0)
    rows.append(("text of the messages", f"{text:,}", "1.00"))
    lines = [table(("part", "bytes", "times the text"), rows)]
    if found.slm_read:
        whole = model / found.slm_read * found.slm_chunks
        lines.append(
            f"A chunk that the model read costs {model / found.slm_read:,.0f} bytes "
            f"({found.slm_read} of {found.slm_chunks} chunks read; all of them: about {whole:,.0f} "
            f"bytes, an estimate). The graph that was made without a model takes {graph:,} bytes: "
            f"{100 * graph / max(whole, 1):.0f}% of that; the paper says {STORAGE_SHARE:.0f}% of "
            "LightRAG. Chunks, their vectors and the text are the same for both and left out of both."
        )
    else:
        lines.append("No chunk was read by a model: `minirag-chat index --slm --limit 40` first.")
    lines.append(
        f"The paper's own code with the 1.5B model: {UPSTREAM_BYTES:.0f} bytes of index a byte of "
        f"text, {UPSTREAM_SECONDS:.0f} s a session on 2 cores, {UPSTREAM_CALLS} calls a chunk (ours: 1)."
    )
    return "\n\n".join(lines)


def _method(run: Run) -> str:
    return str(run.facts["settings"]["method"])
