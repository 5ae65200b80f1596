"""The command that checks whether everything is installed."""

from __future__ import annotations

import typer

from minirag_chat.cli.output import can_show, here, print_json, say
from minirag_chat.cli.state import Json, app, settings
from minirag_chat.doctor.check_result import CheckResult, State
from minirag_chat.doctor.report import Examination, examine

_MARKS: dict[State, str] = {"ok": "\u2713", "could be better": "~", "missing": "\u2717"}
_PLAIN: dict[State, str] = {"ok": "+", "could be better": "~", "missing": "x"}
"""For an encoding without these marks, as Windows' in a pipe."""


@app.command()
def doctor(as_json: Json = False) -> None:
    """Show what is installed, what is missing and what to do. Fails if no question could be answered."""
    examination = examine(settings())
    if as_json:
        error = {} if examination.can_answer else {"error": _verdict(examination)}
        print_json(
            {"can_answer": examination.can_answer, "findings": examination.findings, **error}
        )
    else:
        _print(examination)
    if not examination.can_answer:
        raise typer.Exit(1)


def _print(examination: Examination) -> None:
    for finding in examination.findings:
        say(_line(finding), style="" if finding.state == "ok" else "bold")
        if finding.remedy:
            say(f"    {here(finding.remedy)}", style="dim")
    say()
    say(_verdict(examination))


def _verdict(examination: Examination) -> str:
    lacking = [finding.name for finding in examination.findings if finding.state == "missing"]
    if not lacking:
        return "Questions can be answered."
    return f"Questions cannot be answered yet: {', '.join(lacking)}."


def _line(finding: CheckResult) -> str:
    marks = _MARKS if can_show("".join(_MARKS.values())) else _PLAIN
    return f"{marks[finding.state]} {finding.name}: {finding.text}"
