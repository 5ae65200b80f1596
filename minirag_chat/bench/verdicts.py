"""People's verdicts on answers, and how well a judge agrees with them.

A verdict belongs to one answer of one question: it names the question's id and the answer's hash
(or the answer itself). Files are JSON lines or CSV with ``id``, ``verdict`` and ``hash`` or
``answer``; a verdict with neither applies to any answer to that question, and is counted as ``loose``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from minirag_chat.bench.judge import Verdict
from minirag_chat.bench.run_output import Answered, answer_hash, read_rows
from minirag_chat.bench.scores import Rate, rate
from minirag_chat.errors import ImportFailed

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
SHORT = {verdict[0]: verdict for verdict in VERDICTS}


@dataclass(frozen=True, slots=True)
class HumanVerdict:
    """One person's verdict; ``hash`` is empty if the file does not say which answer."""

    id: str
    verdict: Verdict
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a judge's verdicts agree with people's, on answers that both judged.

    ``right`` only compares right and not right; ``given`` leaves out silent answers, where there is
    nothing to judge; ``kappa`` is Cohen's over the three verdicts. ``loose`` verdicts named no answer.
    """

    same: Rate
    right: Rate
    given: Rate
    kappa: float
    loose: int


def read_verdicts(file: Path) -> list[HumanVerdict]:
    """Read a file of verdicts. Raises ``ImportFailed``, which names the wrong line."""
    if not file.is_file():
        raise ImportFailed(f"{file} does not exist: name a CSV or JSONL file of verdicts.")
    if file.suffix.casefold() == ".csv":
        with file.open(encoding="utf-8-sig", newline="") as opened:
            rows: list[dict[str, Any]] = list(csv.DictReader(opened))
    else:
        rows = list(read_rows(file))
    return [_verdict(file, number, row) for number, row in enumerate(rows, start=1)]


def _verdict(file: Path, number: int, row: Mapping[str, Any]) -> HumanVerdict:
    identity = str(row.get("id") or row.get("Id") or "").strip()
    said = str(row.get("verdict") or row.get("Verdict") or "").strip().casefold()
    verdict = SHORT.get(said[:1])
    if not identity or verdict is None or verdict[: len(said)] != said:
        raise ImportFailed(
            f"{file}, verdict {number}: each needs an id, and a verdict that is right, wrong or "
            "irrelevant."
        )
    text = row.get("answer")
    given = str(row.get("hash") or row.get("answer_hash") or "").strip()
    return HumanVerdict(identity, verdict, given or (answer_hash(str(text)) if text else ""))


def match(answers: Iterable[Answered], verdicts: Sequence[HumanVerdict]) -> dict[str, HumanVerdict]:
    """The verdict of each answer that has one, by the question's id; the last one given counts."""
    exact = {(v.id, v.hash): v for v in verdicts if v.hash}
    loose = {v.id: v for v in verdicts if not v.hash}
    found = {a.id: exact.get((a.id, a.hash)) or loose.get(a.id) for a in answers}
    return {identity: verdict for identity, verdict in found.items() if verdict is not None}


def agreement(
    answers: Sequence[Answered], judged: Mapping[str, Verdict], people: Mapping[str, HumanVerdict]
) -> Agreement | None:
    """How ``judged`` agrees with ``people``; None if they have no answer in common."""
    both = [a for a in answers if a.id in people and a.id in judged]
    if not both:
        return None
    ours = [judged[a.id] for a in both]
    theirs = [people[a.id].verdict for a in both]
    pairs = list(zip(ours, theirs, strict=True))
    return Agreement(
        same=rate(a == b for a, b in pairs),
        right=rate((a == "right") == (b == "right") for a, b in pairs),
        given=rate(a == b for item, (a, b) in zip(both, pairs, strict=True) if not item.abstained),
        kappa=_kappa(ours, theirs),
        loose=sum(not people[a.id].hash for a in both),
    )


def _kappa(ours: Sequence[Verdict], theirs: Sequence[Verdict]) -> float:
    if len({*ours, *theirs}) == 1:  # kappa is undefined if all verdicts are the same
        return 1.0
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(cast("list[str]", ours), cast("list[str]", theirs)))
