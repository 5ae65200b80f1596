"""A corpus of three sessions and five questions, written and run."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log

from minirag_chat import Settings
from minirag_chat.bench.dataset import Dataset
from minirag_chat.bench.runner import Part, Plan, run

QUESTIONS = (
    ("1", "What is the piano tuner called?", "Walter Quint", "20260105_10:00", "Single"),
    ("2", "How much does the piano tuner cost?", "90 euros", "Time: 20260105_1000", "Single"),
    ("3", "Where is the van, and who has the key?", "Behind the bakery & Anna Berg",
     "20260107_18:00<and>20260105_10:00", "Multi"),
    ("4", "Did the rehearsal move to Saturday?", "Yes", "20260109_09:00", "YesNo"),
    ("5", "What colour is the van?", "Insufficient information", "N/A", "Null"),
)  # fmt: skip


def write_corpus(
    folder: Path,
    rows: Sequence[Sequence[str]] = QUESTIONS,
    columns: Sequence[str] = ("Id", "Question", "Gold Answer", "Evidence", "Type"),
) -> Path:
    write_log(folder / "log", SMALL)
    with (folder / "questions.csv").open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([columns, *rows])
    return folder


def plans(folder: Path, corpus: Dataset, usual: Settings) -> Callable[..., Plan]:
    """What makes plans of runs over the corpus, whose files are in ``folder``."""

    def make(
        *parts: Part, out: str = "out", chosen: Settings = usual, data: Dataset = corpus
    ) -> Plan:
        wanted = frozenset(parts or ("retrieval", "answers"))
        return Plan(data, chosen, folder / out, folder / "cache", wanted, ("hybrid", "bm25"))

    return make


def run_small(plan: Plan, model: ScriptedModel | None = None) -> ScriptedModel:
    model = model or ScriptedModel("Walter Quint.")
    run(plan, embedder=WordEmbedder(), chat_model=model)
    return model
