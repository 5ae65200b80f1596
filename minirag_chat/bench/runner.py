"""Asks a corpus's questions and writes the results line by line; a stopped run can be resumed.

``OUT`` has ``run.json`` (the run's circumstances), ``index.json``, ``retrieval.jsonl``,
``answers.jsonl`` and ``removed.jsonl``. The index is in a cache that runs share.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args

from minirag_chat.bench.dataset import BenchQuestion, Dataset
from minirag_chat.bench.run_conditions import circumstances, index_key, model_facts, run_key
from minirag_chat.bench.run_model import RunModel, run_model
from minirag_chat.bench.run_output import Answered, Retrieved, appending, read_lines
from minirag_chat.bench.stored import (
    messages_at,
    remove_sessions,
    sessions_at,
    size_by_part,
    text_bytes,
)
from minirag_chat.errors import BadSetting
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models import choose_model, load_chat_model, load_embedder, load_ranker
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import ChatModel, Embedder
from minirag_chat.records import Answer, Progress, Report, silent
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.system.private_folders import make_folder

Part = Literal["retrieval", "answers", "removed"]
PARTS: tuple[Part, ...] = get_args(Part)
Evidence = dict[str, list[frozenset[int]]]  # by question id: the ids of each piece of it
DEEPEST = 50  # messages retrieved: ranks are known up to here
RUN, INDEX = "run.json", "index.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run. ``cache`` is the folder for indexes, ``out`` the folder for results.

    With ``reuse``, a model's reply to the same prompt in an earlier run is taken from the cache.
    """

    corpus: Dataset
    settings: Settings
    out: Path
    cache: Path
    parts: frozenset[Part]
    methods: tuple[str, ...]
    seed: int = 1
    reuse: bool = False


def run(
    plan: Plan,
    *,
    progress: Report = silent,
    embedder: Embedder | None = None,
    chat_model: ChatModel | None = None,
) -> None:
    """Do all parts of the plan that are not done yet. Models may be given; else they are loaded.

    Raises ``BadSetting`` if ``out`` has answers of a run with another model, setting or code.
    """
    _claim(plan)
    ranker = load_ranker(plan.settings) if embedder is None else None
    embedder = embedder or load_embedder(plan.settings)
    database = indexed(plan, embedder, progress)
    if "retrieval" in plan.parts:
        _retrieve(plan, database, LoadedModels(plan.settings, embedder, None, ranker), progress)
    if not plan.parts & {"answers", "removed"}:
        return
    kept = None
    if plan.reuse:  # asked before the model loads
        kept = plan.cache / f"replies-{model_facts(plan.settings)['hash']}.jsonl"
    loaded = chat_model or load_chat_model(plan.settings, choose_model(plan.settings))
    model = run_model(loaded, kept) if loaded else None
    models = LoadedModels(plan.settings, embedder, model, ranker)
    try:
        if "answers" in plan.parts:
            _answer(plan, database, models, model, progress)
        if "removed" in plan.parts:
            _answer_removed(plan, database, models, model, progress)
    finally:
        if chat_model is None:
            models.close()


def _claim(plan: Plan) -> None:
    """Write ``run.json``; refuse a folder with answers of another model, setting or code."""
    key = run_key(plan.corpus, plan.settings)
    file = plan.out / RUN
    if file.is_file():
        known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        other = [name for name, value in key.items() if known["key"].get(name) != value]
        if other:
            raise BadSetting(
                f"{plan.out} holds figures of another run (different: {', '.join(other)}): "
                "name another folder with --out, or start over with --again."
            )
        return
    make_folder(plan.out)
    facts = {"key": key, **circumstances(plan.corpus, plan.settings, plan.seed)}
    facts["evidence_folder"] = str(plan.corpus.folder)
    file.write_text(json.dumps(facts, indent=2, ensure_ascii=False), encoding="utf-8")


def indexed(plan: Plan, embedder: Embedder, progress: Report) -> Path:
    """The corpus's database: from the cache, or imported now; ``index.json`` has its time and size."""
    folder = plan.cache / f"{plan.corpus.name}-{index_key(plan.corpus, plan.settings)}"
    database = folder / "chats.db"
    if not (folder / INDEX).is_file():
        shutil.rmtree(folder, ignore_errors=True)
        begun = time.perf_counter()
        with ChatMemory.open(database, plan.settings, embedder=embedder) as memory:
            report = memory.add(plan.corpus.messages, progress=progress)
        seconds = time.perf_counter() - begun
        with closing(Store.open(database)) as store:
            store.compact()
            figures = {
                "seconds": seconds,
                "messages": report.messages_added,
                "sessions": report.sessions,
                "bytes": size_by_part(store),
                "file_bytes": store.size_bytes,
                "text_bytes": text_bytes(store),
                "date": datetime.now().isoformat(timespec="seconds"),
            }
        (folder / INDEX).write_text(json.dumps(figures, indent=2), encoding="utf-8")
    shutil.copyfile(folder / INDEX, plan.out / INDEX)
    return database


def evidence_ids(
    database: Path,
    questions: Iterable[BenchQuestion],
    ids_at: Callable[[Store, datetime], frozenset[int]] = sessions_at,
) -> Evidence:
    """For each question, the ids of sessions, or those of ``ids_at``, for each piece of evidence found."""
    with closing(Store.open(database)) as store:
        found = {q.id: [ids_at(store, moment) for moment in q.evidence] for q in questions}
    return {identity: [ids for ids in pieces if ids] for identity, pieces in found.items()}


def _retrieve(plan: Plan, database: Path, models: LoadedModels, progress: Report) -> None:
    gold = evidence_ids(database, plan.corpus.questions)
    stated = evidence_ids(database, plan.corpus.questions, messages_at)
    file = plan.out / "retrieval.jsonl"
    done = {(r.id, r.method) for r in read_lines(file, Retrieved)}
    with (
        ChatMemory.open(database, plan.settings, models=models) as memory,
        appending(file) as to,
    ):
        memory.retrieve("warm up")
        for method in plan.methods:
            wanted = [q for q in plan.corpus.questions if gold[q.id]]
            left = [q for q in wanted if (q.id, method) not in done]
            for question in _counted(left, len(wanted), f"retrieval, {method}", progress):
                begun = time.perf_counter()
                found = memory.retrieve(
                    question.text, method=method, k=DEEPEST, chats=_chats(question)
                )
                seconds = time.perf_counter() - begun
                sessions = list(dict.fromkeys(item.message.session_id for item in found))
                ranks = tuple(_rank(piece, sessions) for piece in gold[question.id])
                places = [item.message.id for item in found]
                said = tuple(_rank(piece, places) for piece in stated[question.id])
                to.add(Retrieved(question.id, question.type, method, ranks, seconds, said))


def _chats(question: BenchQuestion) -> list[str] | None:
    return [question.chat] if question.chat else None


def _rank(piece: frozenset[int], found: Sequence[int]) -> int:
    """The rank (from 1) of the first of a piece's ids among those found; 0 if none is."""
    return next((rank for rank, one in enumerate(found, start=1) if one in piece), 0)


def _answer(
    plan: Plan, database: Path, models: LoadedModels, model: RunModel | None, progress: Report
) -> None:
    gold = evidence_ids(database, plan.corpus.questions)
    with (
        ChatMemory.open(database, plan.settings, models=models) as memory,
        appending(plan.out / "answers.jsonl") as to,
    ):
        for question in _left(plan, "answers.jsonl", plan.corpus.questions, "answers", progress):
            to.add(_asked(memory, question, gold[question.id], model))


def _answer_removed(
    plan: Plan, database: Path, models: LoadedModels, model: RunModel | None, progress: Report
) -> None:
    """Ask each answerable question on its own copy of the database, without its evidence."""
    gold = evidence_ids(database, plan.corpus.questions)
    wanted = [q for q in plan.corpus.questions if q.answerable and gold[q.id]]
    copy = plan.out / "removed.db"
    with appending(plan.out / "removed.jsonl") as to:
        for question in _left(plan, "removed.jsonl", wanted, "evidence removed", progress):
            shutil.copyfile(database, copy)
            try:
                with closing(Store.open(copy)) as store:
                    remove_sessions(store, sorted(frozenset().union(*gold[question.id])))
                with ChatMemory.open(copy, plan.settings, models=models) as memory:
                    to.add(_asked(memory, question, [], model))
            finally:
                copy.unlink(missing_ok=True)


def _left(
    plan: Plan, name: str, wanted: Sequence[BenchQuestion], step: str, progress: Report
) -> Iterator[BenchQuestion]:
    done = {answered.id for answered in read_lines(plan.out / name, Answered)}
    left = [question for question in wanted if question.id not in done]
    return _counted(left, len(wanted), step, progress)


def _asked(
    memory: ChatMemory,
    question: BenchQuestion,
    gold: Sequence[frozenset[int]],
    model: RunModel | None,
) -> Answered:
    prompts, before = (model.prompts, model.reused) if model else ([], 0)
    prompts.clear()
    answer: Answer = memory.ask(question.text, history=(), chats=_chats(question))
    reused = model is not None and model.reused > before
    cited = {source.message.session_id for source in answer.sources}
    return Answered(
        id=question.id,
        type=question.type,
        question=question.text,
        gold=question.gold,
        answer=answer.text,
        abstained=answer.abstained,
        confidence=round(answer.confidence, 4),
        reason=answer.reason,
        cited=None if answer.abstained or not gold else bool(cited & frozenset().union(*gold)),
        model=answer.model,
        prompt_tokens=max(prompts, default=0),
        read_tokens=sum(prompts),
        timings={k: round(value, 4) for k, value in answer.timings.items() if not reused},
        signals={name: round(float(value), 5) for name, value in answer.signals.items()},
    )


def _counted(
    left: Sequence[BenchQuestion], total: int, step: str, progress: Report
) -> Iterator[BenchQuestion]:
    done = total - len(left)
    progress(Progress(step, done, total))
    for question in left:
        yield question
        done += 1
        progress(Progress(step, done, total))
