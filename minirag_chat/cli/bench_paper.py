"""The benchmark's commands about the paper: its tables, and the public question sets."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from minirag_chat.bench.dataset import load_dataset
from minirag_chat.bench.datasets import LOADERS, convert
from minirag_chat.bench.paper import measure
from minirag_chat.bench.paper_tables import paper_tables
from minirag_chat.bench.report import read_run
from minirag_chat.bench.runner import Plan
from minirag_chat.cli.bench import LIHUAWORLD, bench, corpus_folder, reporting
from minirag_chat.cli.output import OUT, done, print_json, say, table, visible
from minirag_chat.cli.state import Json, memory, settings
from minirag_chat.records import Answer, Progress

DASH = "\u2013"


@bench.command("paper")
def paper(
    corpus: Annotated[str, typer.Argument(help="lihuaworld, or a folder with questions.csv.")],
    source: Annotated[
        Path | None, typer.Option("--from", help="The folder with LiHuaWorld's data and questions.")
    ] = None,
    questions: Annotated[
        int | None,
        typer.Option(
            "--questions", "-n", min=1, help="Ask only this many questions, drawn at random."
        ),
    ] = None,
    runs: Annotated[
        list[Path] | None, typer.Option(help="Folders of runs whose answers to show.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder for the results.")] = Path(
        "bench-results/paper"
    ),
    as_json: Json = False,
) -> None:
    """Print the tables of the paper: our figures, theirs, and what differs. Retrieval needs no model."""
    chosen = settings(method="minirag", model="extractive")
    data = load_dataset(corpus_folder(corpus, source, chosen)).chosen((), questions, 1)
    cache = chosen.model_dir.parent / "bench"
    plan = Plan(data, chosen, out, cache, frozenset({"retrieval"}), ())
    with reporting(quiet=as_json) as progress:
        measured = measure(plan, progress=progress)
    given = [read_run(run) for run in runs or ()]
    known = (corpus == LIHUAWORLD) or "lihua" in data.name.casefold()
    text = paper_tables(measured, given, len(data.questions), lihuaworld=known)
    (out / "paper.md").write_text(text, encoding="utf-8")
    if as_json:
        print_json(asdict(measured))
        return
    OUT.print(Text(visible(text)), soft_wrap=True)
    say(f"Everything is in {out}.", style="dim")


@bench.command("convert")
def convert_set(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(LOADERS)}.")],
    source: Annotated[Path, typer.Argument(help="The published files: a folder, or the file.")],
    to: Annotated[Path, typer.Argument(help="The corpus to write.")],
    questions: Annotated[
        int | None,
        typer.Option(
            "--questions", "-n", min=1, help="Take only this many questions, drawn at random."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a corpus of a public question set over short documents."""
    count = convert(name, source, to, questions)
    said = f"{count:,} questions are in {to}; measure them with `minirag-chat bench {to}`."
    done({"questions": count, "corpus": to}, said, as_json=as_json)


@bench.command("suggestions")
def suggestions(
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many to show.")] = 30,
    as_json: Json = False,
) -> None:
    """Ask the suggested questions and show the answers, so that a person can count the answerable ones."""
    rows = []
    with memory() as opened:
        for question in opened.suggestions(count=count):
            answer = opened.ask(question, history=())
            shown = answer.shown[:1]
            quote = shown[0].quote if shown else ""
            rows.append((question, answer.abstained, answer.text, quote))
    if as_json:
        names = ("question", "abstained", "answer", "source")
        print_json([dict(zip(names, row, strict=True)) for row in rows])
        return
    table(("question", "answer", "source"), [(q, DASH if no else a, s) for q, no, a, s in rows])
    answered = sum(not row[1] for row in rows)
    say(f"{answered} of {len(rows)} were answered; whether the source says so is for you to read.")


@bench.command("overviews")
def ask_overviews(
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many to show.")] = 10,
    as_json: Json = False,
) -> None:
    """Ask for overviews of people and months, and show them with all that they cite, for a person to read."""
    answers = []
    with memory() as opened, reporting(quiet=as_json) as progress:
        questions = opened.overview_questions(count)
        for number, question in enumerate(questions):
            progress(Progress("overviews", number, len(questions)))
            answers.append(opened.ask(question, history=()))
            if not as_json:
                _show_overview(answers[-1])
    if as_json:
        print_json(answers)


def _show_overview(answer: Answer) -> None:
    say(answer.question, style="bold")
    OUT.print(Text(visible(answer.text)), soft_wrap=True)
    for source in answer.sources:
        line = f"[{source.number}] {source.sent_at:%Y-%m-%d} {source.sender}: {source.quote}"
        OUT.print(Text(visible(line)), style="dim", soft_wrap=True)
    cited = {source.message.session_id for source in answer.sources}
    total = answer.timings["total"]
    say(f"{len(answer.sources)} messages of {len(cited)} conversations, {total:.0f} s.\n")
