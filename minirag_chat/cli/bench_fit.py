"""The benchmark's commands that fit: a model's retrieval heads, and how sure an answer is."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.bench.dataset import load_corpus
from minirag_chat.bench.fit import as_document, examples, fit_all
from minirag_chat.bench.heads import find_heads
from minirag_chat.bench.report import read_run
from minirag_chat.bench.runner import Plan
from minirag_chat.cli.bench import bench, reporting
from minirag_chat.cli.output import print_json, say, table
from minirag_chat.cli.state import Json, settings
from minirag_chat.errors import NotFound
from minirag_chat.models import choose_model, load_embedder
from minirag_chat.models.choose import model_folder


@bench.command("heads")
def heads(
    corpora: Annotated[list[Path], typer.Argument(help="Folders with questions.csv.")],
    model: Annotated[str, typer.Option(help="A model by its catalog name.")] = "auto",
    as_json: Json = False,
) -> None:
    """Find the attention heads of a model that look at the message that answers."""
    chosen = settings(model=model)
    choice = choose_model(chosen)
    if choice.card is None:
        raise NotFound("Attention can only be looked at in a model on this machine: name one.")
    from minirag_chat.models.transformers_model import TransformersChatModel

    cache = chosen.model_dir.parent / "bench"
    plans = [
        Plan(load_corpus(folder), chosen, cache / "heads" / folder.name, cache, frozenset(), ())
        for folder in corpora
    ]
    for plan in plans:
        plan.out.mkdir(parents=True, exist_ok=True)
    folder = model_folder(choice.card, chosen.model_dir)
    with reporting(quiet=as_json) as progress:
        looker = TransformersChatModel(folder, name=choice.card.name)
        try:
            found = find_heads(plans, looker, load_embedder(chosen), progress=progress)
        finally:
            looker.close()
    if as_json:
        print_json({"model": choice.card.name, **asdict(found)})
        return
    say(f"{choice.card.name}: {', '.join(f'{i}.{j}' for i, j in found.heads)} (layer.head)")
    say(
        f"On {found.questions} questions they point at a message that answers "
        f"{found.cross_validated:.0%} of the time (found on other questions, 5 folds)."
    )


@bench.command("fit")
def fit_sureness(
    outs: Annotated[list[Path], typer.Argument(help="Folders of runs with abstain_below=0.")],
    write: Annotated[
        Path | None, typer.Option(help="Write the weights there, as answer/abstain.json has them.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Fit how sure an answer is on runs with a model and runs without, and say how well it does."""
    found = examples([read_run(out) for out in outs])
    fits = fit_all(found)
    document = as_document(found, fits, f"{date.today():%Y-%m-%d}")
    if write is not None:
        write.write_text(
            json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    if as_json:
        print_json({**document, "curves": {t: [f.curve for f in some] for t, some in fits.items()}})
        return
    for one in (one for some in fits.values() for one in some):
        auroc = ", ".join(f"{name} {value:.3f}" for name, value in one.auroc.items())
        say(f"{one.target}: {one.weights}")
        say(
            f"  {one.positives} of {one.examples}; left out of the fit: AUROC {auroc}; "
            f"calibration error {one.calibration:.3f}"
        )
        table(
            ("below", f"not {one.target}", one.target),
            [(f"{t:.2f}", f"{low:.0%}", f"{high:.0%}") for t, low, high in one.curve],
        )
