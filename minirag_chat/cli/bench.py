"""The benchmark's commands: run it, judge its answers, write its report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from typer.core import TyperGroup

from minirag_chat.bench.compare import compare
from minirag_chat.bench.dataset import load_dataset
from minirag_chat.bench.llm_judge import judge_by_model
from minirag_chat.bench.locomo import write_locomo
from minirag_chat.bench.peak_memory import peak_bytes
from minirag_chat.bench.report import (
    RULES,
    Run,
    best_judgement,
    figures_of,
    judged,
    read_run,
    write_report,
)
from minirag_chat.bench.run_conditions import run_key, short
from minirag_chat.bench.runner import PARTS, Part, Plan, run
from minirag_chat.cli.output import ERR, OUT, print_json, progress_bar, say, visible
from minirag_chat.cli.review import review
from minirag_chat.cli.state import Json, Model, settings
from minirag_chat.errors import BadSetting, NotFound
from minirag_chat.models import choose_model
from minirag_chat.records import Progress, Report
from minirag_chat.retrieve import METHODS, NEEDS
from minirag_chat.settings import Settings

LIHUAWORLD, LOCOMO = "lihuaworld", "locomo"
EVERY_SECONDS = 30.0


class _RunByDefault(TyperGroup):
    """``bench lihuaworld`` means ``bench run lihuaworld``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # click's own Context
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = ["run", *args]
        return super().parse_args(ctx, args)


bench = typer.Typer(
    help="Measure retrieval, answers, silence, speed and storage on a corpus with questions.",
    cls=_RunByDefault,
    no_args_is_help=True,
)
Verdicts = Annotated[
    list[Path] | None, typer.Option(help="People's verdicts, CSV or JSONL: id, verdict, hash.")
]
RunFolder = Annotated[Path, typer.Argument(help="The folder of a run.")]
JudgeModel = Annotated[str, typer.Option(help="The name of the judging model on that server.")]
Plots = Annotated[bool, typer.Option(help="Draw the curves as PNG.")]


@bench.command("run")
def run_bench(
    corpus: Annotated[
        str, typer.Argument(help="lihuaworld, locomo, or a folder with questions.csv.")
    ],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", help="LiHuaWorld's folder with data and questions, or LoCoMo's file."
        ),
    ] = None,
    questions: Annotated[
        int | None,
        typer.Option(
            "--questions", "-n", min=1, help="Ask only this many questions, drawn at random."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the draw.")] = 1,
    types: Annotated[list[str] | None, typer.Option(help="Only questions of this type.")] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(help="Retrieval methods to compare; answers use the first one."),
    ] = None,
    model: Model = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only this part: retrieval, answers, removed.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(help="Leave a step out, to measure what it contributes.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting, e.g. abstain_below=0.5.")
    ] = None,
    remove_evidence: Annotated[
        bool, typer.Option("--remove-evidence", help="Also ask without the evidence sessions.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The folder for the results.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Start over instead of resuming.")] = False,
    reuse: Annotated[
        bool,
        typer.Option(
            "--reuse", help="Reuse known replies to the same prompts; speed is then not measured."
        ),
    ] = False,
    verdicts: Verdicts = None,
    judge_url: Annotated[
        str, typer.Option(help="A model server that judges; its address ends in /v1.")
    ] = "",
    judge_model: JudgeModel = "",
    plots: Plots = True,
    as_json: Json = False,
) -> None:
    """Ask the questions of a corpus and report the results. A stopped run is resumed."""
    methods = _methods(method)
    chosen = _settings(
        changes, model=model, method=method[0] if method else None, without=without or None
    )
    parts = _parts(only, remove_evidence=remove_evidence)
    data = load_dataset(corpus_folder(corpus, source, chosen)).chosen(types or (), questions, seed)
    out = out or Path("bench-results") / f"{data.name}-{short(run_key(data, chosen))}"
    if again:
        _forget(out)
    plan = Plan(data, chosen, out, chosen.model_dir.parent / "bench", parts, methods, seed, reuse)
    if not as_json:
        choice = choose_model(chosen)
        say(f"{len(data.questions)} questions of {data.name} → {out}", style="dim")
        say(f"{choice.name}: {choice.reason}", style="dim")
    with reporting(quiet=as_json) as progress:
        run(plan, progress=progress)
        if judge_url:
            _model_judges(read_run(out), judge_url, judge_model, chosen, progress)
    _finish(read_run(out, verdicts or ()), plots=plots, as_json=as_json, peak=peak_bytes())


@bench.command("report")
def write_again(
    out: RunFolder,
    verdicts: Verdicts = None,
    plots: Plots = True,
    as_json: Json = False,
) -> None:
    """Write the tables of a run again, with the present verdicts."""
    _finish(read_run(out, verdicts or ()), plots=plots, as_json=as_json)


@bench.command("judge")
def judge_answers(
    out: RunFolder,
    to: Annotated[
        Path | None, typer.Option(help="The file for the verdicts.  [default: OUT/verdicts.jsonl]")
    ] = None,
    judge_url: Annotated[str, typer.Option(help="Let a model server judge instead.")] = "",
    judge_model: JudgeModel = "",
    as_json: Json = False,
) -> None:
    """Judge answers one by one; each verdict is saved immediately."""
    measured = read_run(out)
    if judge_url:
        with reporting(quiet=as_json) as progress:
            _model_judges(measured, judge_url, judge_model, settings(), progress)
    else:
        review(measured, to or out / "verdicts.jsonl")
    _finish(read_run(out, [to] if to and to.is_file() else []), plots=False, as_json=as_json)


@bench.command("compare")
def compare_runs(
    outs: Annotated[list[Path], typer.Argument(help="Folders of runs; the first is the base.")],
    judge: Annotated[str, typer.Option(help="rules, people, or a judging model's name.")] = RULES,
    as_json: Json = False,
) -> None:
    """Compare several runs, as with and without a step."""
    runs = [read_run(out) for out in outs]
    if as_json:
        print_json({str(found.out): figures_of(found) for found in runs})
        return
    OUT.print(Text(compare(runs, judge)), soft_wrap=True)


def _settings(changes: list[str] | None, **values: object) -> Settings:
    given: dict[str, object] = {}
    for change in changes or ():
        name, sign, value = change.partition("=")
        if not sign:
            raise BadSetting(f"{change!r} sets nothing: write --set NAME=VALUE.")
        given[name] = value
    return settings(**{**given, **{k: v for k, v in values.items() if v is not None}})


def corpus_folder(corpus: str, source: Path | None, chosen: Settings) -> Path:
    """The folder of the named corpus. Raises ``NotFound``."""
    if corpus == LOCOMO:
        if source is None:
            raise NotFound("LoCoMo is not here: name the JSON file of your copy with --from.")
        return write_locomo(source, chosen.model_dir.parent / "bench" / source.stem)
    if source is not None or corpus != LIHUAWORLD:
        return source or Path(corpus)
    folder = chosen.db.parent / "corpora" / LIHUAWORLD
    if not folder.is_dir():
        raise NotFound(
            "LiHuaWorld is not here: name the folder with its data and questions with --from, or "
            f"fetch the logs with `minirag-chat corpus get {LIHUAWORLD}` and put its questions "
            f"beside them in {folder}."
        )
    return folder


def _methods(names: list[str] | None) -> tuple[str, ...]:
    if unknown := set(names or ()) - set(METHODS):
        raise NotFound(f"There is no method {min(unknown)!r}: use one of {', '.join(METHODS)}.")
    return tuple(names or [method for method in METHODS if method not in NEEDS])


def _parts(only: list[str] | None, *, remove_evidence: bool) -> frozenset[Part]:
    unknown = set(only or ()) - set(PARTS)
    if unknown:
        raise BadSetting(f"There is no part {min(unknown)!r}: use {', '.join(PARTS)}.")
    wanted = {part for part in PARTS if part in (only or ("retrieval", "answers"))}
    return frozenset(wanted | ({"removed"} if remove_evidence else set()))


def _forget(out: Path) -> None:
    for name in ("run.json", "retrieval.jsonl", "answers.jsonl", "removed.jsonl"):
        (out / name).unlink(missing_ok=True)


def _model_judges(measured: Run, url: str, name: str, chosen: Settings, progress: Report) -> None:
    if not name:
        raise BadSetting("A judging server needs --judge-model, the model's name there.")
    from minirag_chat.models.server_model import ServerChatModel  # imports the HTTP library

    server = ServerChatModel(url, name, chosen.server_key)
    judge_by_model(measured.out, measured.answers, server, progress)


def _finish(measured: Run, *, plots: bool, as_json: bool, peak: int | None = None) -> None:
    file = write_report(measured, peak_bytes=peak)
    if plots and measured.answers:
        from minirag_chat.bench.plots import draw

        draw(judged(measured.answers, best_judgement(measured)[1]), measured.out)
    if as_json:
        print_json(figures_of(measured))
        return
    OUT.print(Text(visible(file.read_text(encoding="utf-8"))), soft_wrap=True)
    say(f"Everything is in {measured.out}.", style="dim")


@contextmanager
def reporting(*, quiet: bool) -> Iterator[Report]:
    """A progress bar with the time left; without a terminal, a line now and then."""
    if quiet or ERR.is_terminal:
        with progress_bar(quiet=quiet) as report:
            yield report
        return
    begun: dict[str, tuple[float, int]] = {}
    last = 0.0

    def line(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        start, first = begun.setdefault(progress.step, (now, progress.done))
        ended = progress.done == progress.total
        if progress.total is None or (now - last < EVERY_SECONDS and not ended):
            return
        last = now
        each = (now - start) / max(progress.done - first, 1)
        left = each * (progress.total - progress.done) / 60
        ERR.print(
            f"{progress.step}: {progress.done} of {progress.total}, {each:.1f} s each, "
            f"{left:.0f} min left"
        )

    yield line
