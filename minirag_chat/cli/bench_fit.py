"""The benchmark's command that fits how sure an answer is."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.bench.examples import examples
from minirag_chat.bench.fit import as_document, fit_all
from minirag_chat.bench.report import read_run
from minirag_chat.cli.bench import bench
from minirag_chat.cli.output import print_json, say, table
from minirag_chat.cli.state import Json


@bench.command("fit")
def fit_sureness(
    outs: Annotated[
        list[Path],
        typer.Argument(
            help="Folders of runs with abstain_below=0, or with 1 (asked, not answered)."
        ),
    ],
    write: Annotated[
        Path | None,
        typer.Option(help="Write abstain.json into this folder, in the form that answer/ has it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Fit the confidence of answers on runs with and without a model, and print how well it works."""
    found = examples([read_run(out) for out in outs])
    fits = fit_all(found)
    day = f"{date.today():%Y-%m-%d}"
    document = as_document(found, fits, day)
    if write is not None:
        write.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document, indent=2, ensure_ascii=False)
        (write / "abstain.json").write_text(text + "\n", encoding="utf-8")
    if as_json:
        print_json(
            {**document, "curves": {t: [f.curves for f in some] for t, some in fits.items()}}
        )
        return
    for one in (one for some in fits.values() for one in some):
        auroc = ", ".join(f"{name} {value:.3f}" for name, value in one.auroc.items())
        say(f"{one.target}: {one.weights}")
        say(
            f"  {one.positives} of {one.examples}; left out of the fit: AUROC {auroc}; "
            f"calibration error {one.calibration:.3f}"
        )
        table(
            ("below", f"not {one.target}", one.target, "asked without evidence"),
            [
                (
                    f"{point.threshold:.2f}",
                    *("\u2013" if v is None else f"{v:.0%}" for v in point[1:]),
                )
                for point in one.curves["All"]
            ],
        )
