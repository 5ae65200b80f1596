"""How long a large history takes: questions, searches, overviews, the page.

The history and its vectors are made up (``synthetic_history``, ``fake_embedder``): only time and memory are
meaningful. Questions are embedded by the real embedder and answered by the extractive reader.
"""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from minirag_chat.bench.fake_embedder import StandInEmbedder
from minirag_chat.bench.peak_memory import peak_mib
from minirag_chat.bench.scores import spread
from minirag_chat.bench.synthetic_history import HistoryPlan, lexicon, questions, write_history
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Report, silent
from minirag_chat.settings import Settings
from minirag_chat.system.private_folders import make_folder
from minirag_chat.system.threads import one_blas_thread

ASKED = 120  # questions, of eight shapes; as many searches
COMMANDS = 5  # calls of ``ask`` as a command
OVERVIEWS = (
    "What did we talk about lately?",
    "What are the main themes?",
    "What did we talk about in July 2023?",
)
DIMENSION = 384
EMBEDDER = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class Figure:
    """The cost of something: wall-clock and processor seconds of each repetition."""

    what: str
    wall: tuple[float, ...]
    processor: tuple[float, ...]
    peak_mb: float = 0.0  # of the process that did it

    def row(self) -> tuple[str, ...]:
        """As a row of a table: medians and 95th percentiles in seconds, memory in MB."""
        shown = [f"{v:.3f}" for each in (self.wall, self.processor) for v in spread(each)]
        return (self.what, str(len(self.wall)), *shown, f"{self.peak_mb:.0f}")


HEAD = ("what", "times", "median s", "95% s", "median s, processor", "95% s, processor", "peak MB")


def make_database(folder: Path, plan: HistoryPlan, progress: Report = silent) -> Path:
    """The database of a history in ``folder``; created if it does not exist yet."""
    file = folder / f"scale-{plan.messages}.db"
    if file.exists():
        return file
    make_folder(folder)
    export, part = file.with_suffix(".jsonl"), file.with_suffix(".part")
    part.unlink(missing_ok=True)
    write_history(export, plan)
    with ChatMemory.open(part, embedder=StandInEmbedder(EMBEDDER, DIMENSION)) as memory:
        memory.add(export, progress=progress, time_zone="Etc/UTC")
    part.replace(file)
    return file


def measure(db: Path, plan: HistoryPlan, parts: Sequence[str]) -> list[Figure]:
    """The cost of the named parts, each measured in a new process."""
    found: list[Figure] = []
    context = multiprocessing.get_context("spawn")
    for part in parts:
        with context.Pool(1, one_blas_thread) as pool:  # as in the commands
            found += pool.apply(PARTS[part], (db, plan))
    return found


def _retrieval(db: Path, plan: HistoryPlan) -> list[Figure]:
    """The first question, further ones, and ones with a filter."""
    asked = questions(plan, ASKED)
    with _open(db) as memory:
        first = _timed("the first question of a process", [lambda: memory.retrieve(asked[0])])
        rest = _timed("retrieval", [lambda q=q: memory.retrieve(q) for q in asked])  # type: ignore[misc]  # a default binds it now
        person = lexicon(plan).people[3]
        narrowed: list[Callable[[], object]] = [
            lambda q=q: memory.retrieve(q, people=[person], since="2023-01-01")  # type: ignore[misc]  # the same
            for q in asked[: ASKED // 4]
        ]
        return _peak([first, rest, _timed("retrieval, of one person from a day on", narrowed)])


def _search(db: Path, plan: HistoryPlan) -> list[Figure]:
    with _open(db) as memory:
        asked = questions(plan, ASKED)
        memory.search(asked[0])
        return _peak([_timed("search", [lambda q=q: memory.search(q) for q in asked])])  # type: ignore[misc]  # the same


def _overview(db: Path, _plan: HistoryPlan) -> list[Figure]:
    """Overviews; the first one also writes the reports."""
    with _open(db) as memory:
        memory.retrieve("warm up")
        _without_reports(memory)
        first = _timed("the first overview", [lambda: memory.ask(OVERVIEWS[0], history=())])
        rest = [lambda q=q: memory.ask(q, history=()) for q in OVERVIEWS]
        return _peak([first, _timed("further overviews", rest)])


def _without_reports(memory: ChatMemory) -> None:
    with memory._store.transaction():  # noqa: SLF001 - no public method drops them
        memory._store.summaries.drop()  # noqa: SLF001 - the same


def _page(db: Path, _plan: HistoryPlan) -> list[Figure]:
    """What the page does when it is loaded, when a filter is set, and for a question."""
    begun, busy = time.perf_counter(), time.process_time()
    from minirag_chat.show import page_views
    from minirag_chat.show.page_commands import Commands
    from minirag_chat.show.page_sessions import Sessions

    with _open(db) as memory:
        sessions = Sessions(memory)
        start = Figure("the page's start, in Python", (time.perf_counter() - begun,),
                       (time.process_time() - busy,))  # fmt: skip
        tab = sessions.tab("one")

        def shown() -> None:
            page_views.middle(sessions, tab)
            page_views.right(tab)
            page_views.left(sessions, tab)

        def pressed(person: int) -> None:
            Commands(sessions).do(tab, "person", str(person))
            shown()

        load = _timed("the page's first load", [shown])
        people = [person.id for person in memory.people()[:10]]
        filters = _timed("a filter on the page", [lambda p=p: pressed(p) for p in people])  # type: ignore[misc]  # the same
        sessions.own.warm_up()
        return _peak([start, load, filters, _timed("a question there", [lambda: _asked(memory)])])


def _asked(memory: ChatMemory) -> None:
    memory.suggestions(memory.ask("What happened at the market last week?", history=()), 3)


def _commands(db: Path, plan: HistoryPlan) -> list[Figure]:
    """The command ``ask`` with the extractive reader, from its start to its end."""
    wall, processor = [], []
    for question in questions(plan, COMMANDS):
        before = psutil.Process().cpu_times()
        begun = time.perf_counter()
        subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "minirag_chat", "--db", db, "ask", question, "--model", "extractive"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        wall.append(time.perf_counter() - begun)
        after = psutil.Process().cpu_times()
        processor.append(after.children_user + after.children_system
                         - before.children_user - before.children_system)  # fmt: skip
    return [Figure("the command ask", tuple(wall), tuple(processor), peak_mib(children=True))]


PARTS: dict[str, Callable[[Path, HistoryPlan], list[Figure]]] = {
    "retrieval": _retrieval,
    "search": _search,
    "overview": _overview,
    "page": _page,
    "command": _commands,
}


def _open(db: Path) -> ChatMemory:
    return ChatMemory.open(db, Settings.make(db=db, model="extractive", embedder=EMBEDDER))


def _timed(what: str, things: Sequence[Callable[[], object]]) -> Figure:
    wall, processor = [], []
    for thing in things:
        begun, busy = time.perf_counter(), time.process_time()
        thing()
        wall.append(time.perf_counter() - begun)
        processor.append(time.process_time() - busy)
    return Figure(what, tuple(wall), tuple(processor))


def _peak(figures: Sequence[Figure]) -> list[Figure]:
    """Add the peak memory of this process."""
    return [replace(figure, peak_mb=peak_mib()) for figure in figures]
