"""Measures those of the paper's tables that need no language model; answers come from runs.

A stopped measurement can be resumed: retrieval is stored line by line, index growth when complete.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from minirag_chat.bench.paper_figures import ABLATIONS, PATHS
from minirag_chat.bench.run_output import Retrieved, read_lines
from minirag_chat.bench.runner import Plan, evidence_ids, indexed, run
from minirag_chat.bench.stored import reading_times, sessions_read, size_by_part, text_bytes
from minirag_chat.errors import IndexMissing
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models import load_embedder
from minirag_chat.models.protocols import Embedder
from minirag_chat.records import Progress, Report, silent
from minirag_chat.retrieve import METHODS, NEEDS
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.system.private_folders import make_folder

GROWTH = "growth.json"
STEP_SESSIONS, STEP_READ = 55, 10
BASE = "methods"
HOPS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Growth:
    """One step of a growing index: documents so far; the seconds and bytes of the step."""

    documents: int
    seconds: float
    size: int


@dataclass(frozen=True, slots=True)
class Pace:
    """One step of the model's reading: sessions so far; its chunks, seconds and characters."""

    sessions: int
    chunks: int
    seconds: float
    characters: int


@dataclass(frozen=True, slots=True)
class Storage:
    """Bytes of the text, and of the index by part; chunks that the model has read, and all chunks."""

    text: int
    parts: Mapping[str, int]
    slm_read: int
    slm_chunks: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything measured without a model. ``partial``: questions that the model's index covers."""

    methods: Mapping[str, tuple[Retrieved, ...]]
    ablations: Mapping[str, tuple[Retrieved, ...]]
    paths: Mapping[int, tuple[Retrieved, ...]]
    hops: Mapping[int, tuple[Retrieved, ...]]
    growth: tuple[Growth, ...]
    pace: tuple[Pace, ...]
    storage: Storage
    sessions: int
    sessions_read: int
    partial: frozenset[str]


def measure(plan: Plan, *, embedder: Embedder | None = None, progress: Report = silent) -> Measured:
    """Measure what has not been measured yet; returns all figures. ``plan.out`` has a folder per variant."""
    embedder = embedder or load_embedder(plan.settings)
    make_folder(plan.out)
    database = indexed(plan, embedder, progress)
    methods = _build(database, plan.settings, embedder, progress)
    base = _retrieved(replace(plan, methods=methods), BASE, {}, embedder, progress)
    one = replace(plan, methods=("minirag",))
    ablations = {
        step: _retrieved(one, f"without-{step}", {"without": step}, embedder, progress)
        for step in ABLATIONS
    }
    paths = {k: _retrieved(one, f"k-{k}", {"paths": k}, embedder, progress) for k in PATHS}
    hops = {n: _retrieved(one, f"n-{n}", {"hops": n}, embedder, progress) for n in HOPS}
    growth = _growth(plan, embedder, progress)
    with closing(Store.open(database)) as store:
        read = frozenset(sessions_read(store))
        pace = _pace(store)
        sessions = len(store.slm.sessions())
    gold = evidence_ids(database, plan.corpus.questions)
    covered = {q for q, pieces in gold.items() if pieces and all(p & read for p in pieces)}
    return Measured(
        methods={m: tuple(r for r in base if r.method == m) for m in methods},
        ablations=ablations,
        paths=paths,
        hops=hops,
        growth=growth,
        pace=pace,
        storage=_storage(database, plan.settings, embedder),
        sessions=sessions,
        sessions_read=len(read),
        partial=frozenset(covered),
    )


def _build(
    database: Path, settings: Settings, embedder: Embedder, progress: Report
) -> tuple[str, ...]:
    """Build what needs no model; returns the methods that can be measured."""
    with ChatMemory.open(database, settings, embedder=embedder) as memory:
        for method, need in NEEDS.items():
            if need != "slm" and not memory.has_index(method):
                with contextlib.suppress(IndexMissing):  # the corpus is too small for it
                    memory.build(method, progress=progress)
        return tuple(method for method in METHODS if memory.has_index(method))


def _retrieved(
    plan: Plan, name: str, changes: Mapping[str, Any], embedder: Embedder, progress: Report
) -> tuple[Retrieved, ...]:
    before = plan.settings.model_dump()
    values = {**before, **changes}
    if values == before and name != BASE:  # the same as the base method
        name = BASE
    variant = replace(
        plan,
        settings=Settings.make(**values),
        out=plan.out / name,
        parts=frozenset({"retrieval"}),
    )

    def named(at: Progress) -> None:
        progress(Progress(f"{name}: {at.step}", at.done, at.total))

    run(variant, progress=named, embedder=embedder)
    wanted = {question.id for question in plan.corpus.questions}  # the file may have more
    rows = read_lines(variant.out / "retrieval.jsonl", Retrieved)
    return tuple(row for row in rows if row.id in wanted and row.method in plan.methods)


def _growth(plan: Plan, embedder: Embedder, progress: Report) -> tuple[Growth, ...]:
    """The seconds to add each further ``STEP_SESSIONS`` documents to the index."""
    file = plan.out / GROWTH
    if file.is_file():
        return tuple(Growth(**row) for row in json.loads(file.read_text(encoding="utf-8")))
    documents = sorted(p for p in plan.corpus.messages.rglob("*") if p.is_file())
    steps = [
        documents[at : at + STEP_SESSIONS]
        for at in range(0, len(documents) - STEP_SESSIONS + 1, STEP_SESSIONS)
    ]
    found: list[Growth] = []
    scratch = plan.out / "growth"
    with ChatMemory.open(":memory:", plan.settings, embedder=embedder) as memory:
        for number, step in enumerate(steps):
            progress(Progress("growth", number, len(steps)))
            shutil.rmtree(scratch, ignore_errors=True)
            make_folder(scratch)
            for document in step:
                shutil.copyfile(document, scratch / document.name)
            begun = time.process_time()
            memory.add(scratch)
            seconds = time.process_time() - begun
            size = sum(document.stat().st_size for document in step)
            found.append(Growth((number + 1) * STEP_SESSIONS, seconds, size))
    shutil.rmtree(scratch, ignore_errors=True)
    file.write_text(json.dumps([asdict(row) for row in found]), encoding="utf-8")
    return tuple(found)


def _pace(store: Store) -> tuple[Pace, ...]:
    """How fast the model read, for each ``STEP_READ`` sessions in the order of reading."""
    read: dict[int, list[tuple[float, int]]] = {}
    for session, seconds, characters in reading_times(store):
        read.setdefault(session, []).append((seconds, characters))
    sessions = list(read.values())
    found = []
    for end in range(STEP_READ, len(sessions) + 1, STEP_READ):
        chunks = [chunk for session in sessions[end - STEP_READ : end] for chunk in session]
        seconds, characters = (sum(values) for values in zip(*chunks, strict=True))
        found.append(Pace(end, len(chunks), float(seconds), int(characters)))
    return tuple(found)


def _storage(database: Path, settings: Settings, embedder: Embedder) -> Storage:
    with ChatMemory.open(database, settings, embedder=embedder) as memory:
        chunks = memory.slm_chunks()
    with closing(Store.open(database)) as store:
        read = store.slm.counts()["readings"]
        return Storage(text_bytes(store), size_by_part(store), read, chunks)
