"""A person reads answers in the terminal and says right, wrong or irrelevant.

Everything goes to standard error: standard output has only the report, or its JSON.
"""

from __future__ import annotations

import json
from pathlib import Path

import typer

from minirag_chat.bench.report import Run
from minirag_chat.bench.run_output import Answered, answer_hash, appending, read_rows
from minirag_chat.bench.verdicts import SHORT
from minirag_chat.cli.output import ERR, say

PROMPT = "right, wrong, irrelevant, undo, quit? [r/w/i/u/q]"


def review(run: Run, file: Path) -> None:
    """Show each answer that has no verdict in ``file`` yet. Silent ones are not shown.

    The file stores the question's id, the answer and the verdict, but not the question.
    """
    known = {(str(row.get("id")), str(row.get("hash"))) for row in read_rows(file)}
    left = [a for a in run.answers if not a.abstained and (a.id, a.hash) not in known]
    if not left:
        _tell("Every answer has a verdict.")
    place = 0
    while place < len(left):
        _show(left[place], place + 1, len(left))
        key = _key()
        if key == "q":
            break
        if key == "u":
            place = max(0, place - 1)
            _take_back(file, left[place])
            continue
        _keep(file, left[place], key)
        place += 1
    _tell(f"The verdicts are in {file}.", style="dim")


def _show(answered: Answered, number: int, total: int) -> None:
    _tell(f"\n{number} of {total} \u00b7 {answered.id} \u00b7 {answered.type}", style="dim")
    _tell(f"Question: {answered.question}", style="bold")
    _tell(f"Gold:     {answered.gold}")
    _tell(f"Answer:   {answered.answer}")


def _key() -> str:
    while True:
        said = str(typer.prompt(PROMPT, prompt_suffix=" ", err=True)).strip().casefold()[:1]
        if said in {*SHORT, "u", "q"}:
            return said


def _keep(file: Path, answered: Answered, key: str) -> None:
    with appending(file) as to:
        to.add({"id": answered.id, "hash": answer_hash(answered.answer),
                "verdict": SHORT[key], "answer": answered.answer})  # fmt: skip


def _take_back(file: Path, answered: Answered) -> None:
    """Drop the verdict on this answer, so that it is asked for again."""
    rows = [
        row
        for row in read_rows(file)
        if (str(row.get("id")), str(row.get("hash"))) != (answered.id, answered.hash)
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    file.write_text(text, encoding="utf-8")


def _tell(text: str, style: str = "") -> None:
    say(text, style, to=ERR)
