"""SQLite and PostgreSQL side by side on histories of several sizes: import, size, retrieval, memory.

Histories and vectors are made up (``synthetic_history``, ``fake_embedder``), questions are embedded in the
same way, and no model ranks or reads: only the store and retrieval are measured. A history has planted
messages with a question about each, to measure whether they are found among all others.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from minirag_chat.bench.fake_embedder import StandInEmbedder
from minirag_chat.bench.peak_memory import peak_mib
from minirag_chat.bench.scores import spread
from minirag_chat.bench.synthetic_history import HistoryPlan, planted, questions, write_history
from minirag_chat.errors import StoreError
from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.ingest import embed_pending, ingest
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Progress, Report, silent
from minirag_chat.settings import Settings
from minirag_chat.store import Store
from minirag_chat.system.private_folders import make_folder

DIMENSION = 384
USERS = {1: 40, 8: 10, 32: 4}
"""How many users ask at the same time, and how many questions each asks in turn."""
FIRST, POOL = 10, 40  # ranks up to which the planted message is looked for


@dataclass(frozen=True, slots=True)
class ImportCost:
    """The cost of an import: wall-clock and processor seconds, peak memory in MiB."""

    chunks: int
    seconds: float
    processor: float
    peak_mb: float
    vectors_seconds: float
    size_mb: float


@dataclass(frozen=True, slots=True)
class Asked:
    """The cost of retrieval: median and 95th percentile of wall-clock seconds, by the number of users.

    ``processor`` are the processor seconds of this process for one user's questions, ``begin`` the seconds of
    the very first question. ``first`` and ``pool`` are the shares of planted messages among the first ten and
    forty. ``vectors`` says how vectors are compared.
    """

    begin: float
    processor: tuple[float, float]
    users: dict[str, tuple[float, float]]
    first: float
    pool: float
    peak_mb: float
    vectors: str


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """The figures of one store at one size."""

    store: str
    messages: int
    made: ImportCost
    asked: Asked


STORES_HEAD = (
    "store", "messages", "passages", "import s", "processor", "peak MB", "vectors s", "size MB",
    "retrieval, processor: median, 95% s",
    *(f"{users} {'user' if users == 1 else 'users'}: median, 95% s" for users in USERS),
    f"planted in {FIRST}, {POOL}", "peak MB",
)  # fmt: skip


def store_row(figures: StoreFigures) -> tuple[str, ...]:
    """As a row of a table."""
    made, asked = figures.made, figures.asked
    return (
        figures.store,
        f"{figures.messages:,}",
        f"{made.chunks:,}",
        f"{made.seconds:.0f}",
        f"{made.processor:.0f}",
        f"{made.peak_mb:.0f}",
        f"{made.vectors_seconds:.0f}",
        f"{made.size_mb:.0f}",
        "{:.3f}, {:.3f}".format(*asked.processor),
        *(f"{median:.3f}, {most:.3f}" for median, most in asked.users.values()),
        f"{asked.first:.2f}, {asked.pool:.2f}",
        f"{asked.peak_mb:.0f}",
    )


def measure_stores(
    folder: Path,
    sizes: Sequence[int],
    server: str = "",
    progress: Report = silent,
    users: Mapping[int, int] = USERS,
) -> list[StoreFigures]:
    """Measure each size on SQLite, and on a PostgreSQL server if its address is given.

    Figures are stored in ``folder`` and reused. ``users`` maps how many ask at once to how many questions
    each asks, as ``USERS`` does. Raises ``StoreError``.
    """
    make_folder(folder)
    found = []
    for messages in sorted(sizes):
        plan = HistoryPlan(messages=messages)
        found.append(
            _kept(folder, "SQLite", plan, str(folder / f"stores-{messages}.db"), progress, users)
        )
        if server:
            address = _database_on(server, f"minirag_scale_{messages}")
            found.append(_kept(folder, "PostgreSQL", plan, address, progress, users))
    return found


def growth_exponents(found: Sequence[StoreFigures]) -> dict[str, dict[str, float]]:
    """For each store, the exponent with which its figures grow with the number of messages."""
    grown: dict[str, Callable[[StoreFigures], float]] = {
        "import": lambda f: f.made.processor,
        "size": lambda f: f.made.size_mb,
        "retrieval": lambda f: f.asked.processor[0],
        "memory": lambda f: f.asked.peak_mb,
    }
    exponents: dict[str, dict[str, float]] = {}
    for store in dict.fromkeys(figures.store for figures in found):
        ours = [figures for figures in found if figures.store == store]
        if len(ours) > 1:
            sizes = np.log([figures.messages for figures in ours])
            exponents[store] = {
                what: float(np.polyfit(sizes, [math.log(value(f)) for f in ours], 1)[0])
                for what, value in grown.items()
            }
    return exponents


def _kept(
    folder: Path,
    store: str,
    plan: HistoryPlan,
    place: str,
    progress: Report,
    users: Mapping[int, int],
) -> StoreFigures:
    file = folder / f"stores-{plan.messages}-{store}.json"
    if not file.exists():
        export = folder / f"stores-{plan.messages}.jsonl"
        if not export.exists():
            write_history(export, plan)
        context = multiprocessing.get_context("spawn")
        with context.Pool(1, maxtasksperchild=1) as pool:  # a new process for each, for its memory
            progress(Progress(f"{store}, {plan.messages:,} messages", 0))
            made: ImportCost = pool.apply(_make, (place, export))
            asked: Asked = pool.apply(_ask, (place, plan, users))
        figures = StoreFigures(store, plan.messages, made, asked)
        file.write_text(json.dumps(asdict(figures), indent=2), encoding="utf-8")
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return StoreFigures(
        kept["store"], kept["messages"], ImportCost(**kept["made"]), Asked(**kept["asked"])
    )


def _database_on(server: str, name: str) -> str:
    """The address of the database with this name, which is created if it does not exist."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    try:
        with psycopg.connect(server, autocommit=True) as link:
            there = link.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
            if there is None:
                link.execute(f"CREATE DATABASE {name}".encode())
    except psycopg.Error as error:
        raise StoreError(
            "The server does not let a database be made there: give the address of a user who may "
            "(CREATEDB)."
        ) from error
    parts = conninfo_to_dict(make_conninfo(server, dbname=name))
    user = f"{parts.get('user', '')}@" if parts.get("user") else ""
    rest = "&".join(f"{k}={v}" for k, v in parts.items() if k not in ("user", "dbname"))
    return f"postgresql://{user}/{name}?{rest}"


def _embedder() -> StandInEmbedder:
    return StandInEmbedder("stand-in", DIMENSION)


def _make(place: str, export: Path) -> ImportCost:
    """Import a history, then embed it with the stand-in."""
    options, embedder = ImportOptions(time_zone="Etc/UTC"), _embedder()
    with Store.open(place) as store:
        with store.reading():
            if store.messages.count():
                raise StoreError(
                    f"{store.path} is left from a stopped measurement: delete it, and measure again."
                )
        begun, busy = time.perf_counter(), time.process_time()
        pieces = stream_export(export, options)
        ingest(store, pieces, Settings.make(), lambda: embedder, options.zone())
        seconds, processor = time.perf_counter() - begun, time.process_time() - busy
        peak = peak_mib()
        begun = time.perf_counter()
        embed_pending(store, embedder)
        with store.reading():
            chunks = len(store.index.chunk_ids())
        return ImportCost(
            chunks, seconds, processor, peak, time.perf_counter() - begun, store.size_bytes / 1e6
        )


def _ask(place: str, plan: HistoryPlan, users: Mapping[int, int]) -> Asked:
    """Ask as one user and as many at once, in threads of one process, as the page does."""
    settings = Settings.make(model="extractive", without=["ranker"], embedder="stand-in")
    with ChatMemory.open(place, settings, embedder=_embedder()) as memory:
        asked = questions(plan, max(each * count for count, each in users.items()))
        ((begin, _),) = _seconds(memory, asked[:1])
        processor = [busy for _, busy in _seconds(memory, asked[: users[1]])]
        together = {
            str(count): _together(memory, asked, count, each) for count, each in users.items()
        }
        hidden = planted(plan)
        places = [_place(memory, one.question, one.text) for one in hidden]
        return Asked(
            begin,
            spread(processor),
            together,
            sum(place < FIRST for place in places) / len(hidden),
            sum(place < POOL for place in places) / len(hidden),
            peak_mib(),
            memory.info().vectors,
        )


def _together(
    memory: ChatMemory, asked: Sequence[str], users: int, each: int
) -> tuple[float, float]:
    """The median and 95th percentile of a question's seconds when ``users`` ask at once."""
    found: list[tuple[float, float]] = []
    threads = [
        threading.Thread(
            target=lambda own=asked[number * each : (number + 1) * each]: found.extend(
                _seconds(memory, own)
            )
        )
        for number in range(users)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return spread([seconds for seconds, _ in found])


def _seconds(memory: ChatMemory, asked: Sequence[str]) -> list[tuple[float, float]]:
    """Wall-clock seconds, and processor seconds of this thread, of each question."""
    found = []
    for question in asked:
        begun, busy = time.perf_counter(), time.thread_time()
        memory.retrieve(question)
        found.append((time.perf_counter() - begun, time.thread_time() - busy))
    return found


def _place(memory: ChatMemory, question: str, text: str) -> int:
    """The index (from 0) of a message among those found for its question; ``POOL`` if not found."""
    found = [evidence.message.text for evidence in memory.retrieve(question, k=POOL)]
    return found.index(text) if text in found else POOL
