"""The answers of runs as examples to fit on: signals, whether answerable, whether right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from minirag_chat.bench.judge import unanswerable
from minirag_chat.bench.report import Run, best_judgement
from minirag_chat.bench.run_output import Answered
from minirag_chat.errors import BadSetting

SURFACE = frozenset({"coverage", "cosine"})


@dataclass(frozen=True, slots=True)
class Example:
    """One question asked.

    ``right`` is None if no answer was given and only the signals are known. ``removed``: it was asked
    without its evidence. ``question`` identifies it across all corpora.
    """

    corpus: str
    question: str
    signals: Mapping[str, float]
    answerable: bool
    right: bool | None
    removed: bool = False


def examples(runs: Sequence[Run]) -> list[Example]:
    """The answers of the runs, judged by people if they judged all, else by the rules.

    Questions asked without their evidence are examples of unanswerable ones. Answers computed in code
    have no signals of reading and are left out. A run that answered nothing gives examples for
    ``answerable`` only; raises ``BadSetting`` if a run kept silent on only some questions.
    """
    found: list[Example] = []
    for run in runs:
        read = [answer for answer in run.answers if set(answer.signals) >= SURFACE]
        silent = sum(answer.abstained and not _held_back(answer) for answer in read)
        if 0 < silent < len(read):
            raise BadSetting(
                f"{run.out} kept silent on some questions, so that its answers to them are not known: "
                "run it with --set abstain_below=0, or with 1 to ask without answering."
            )
        _judge, verdicts = best_judgement(run)
        for answer in read:
            known = not unanswerable(answer.gold)
            right = None if silent or answer.abstained else known and verdicts[answer.id] == "right"
            found.append(_example(run, answer, known, right))
        found += [
            replace(_example(run, answer, answerable=False, right=None), removed=True)
            for answer in run.removed
            if set(answer.signals) >= SURFACE
        ]
    return found


def _held_back(answer: Answered) -> bool:
    """Whether the messages were read, but did not support the answer, so that it was withheld."""
    return "checked" in answer.signals


def _example(run: Run, answer: Answered, answerable: bool, right: bool | None) -> Example:
    corpus = str(run.facts["corpus"])
    return Example(corpus, f"{corpus}:{answer.id}", answer.signals, answerable, right)
