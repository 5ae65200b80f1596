"""What many tests share: the sample corpus, a small memory, the real data where it is."""

from __future__ import annotations

import os

# Before numpy, torch and onnxruntime are imported, here and in the processes that tests start: threads of
# several workers on the same cores would spin while they wait for one another, half again as much work.
_workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
if _workers > 1:
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // _workers)))

import gc
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedModel, WordEmbedder
from filelock import FileLock
from in_memory import in_memory
from places import SAMPLE, SHARED, SMALL, SMALL_MODEL, write_log
from postgres_server import PostgresServer, programs
from stored import made_empty, made_small

from minirag_chat import ChatMemory, Settings
from minirag_chat.models.convert import origin_of

if "TMPDIR" not in os.environ and (memory_folder := in_memory()):
    # Also for workers, and for processes that tests start.
    os.environ["TMPDIR"] = str(memory_folder)
    tempfile.tempdir = None  # what it was is not kept

SLOW = ("slow", "process", "model", "browser", "both_stores")
LARGE = re.compile(r'(?:needed\("|import )(gradio|torch)\b')
"""What a file of tests says that needs a library of which the import takes seconds."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever asks the memory ``sample`` needs the real embedder, and ``postgres`` a server.

    Files with slow tests come first, so that no worker begins a long file when all others are done.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "sample" in fixtures:
            item.add_marker(pytest.mark.model)
        if "postgres" in fixtures:
            item.add_marker(pytest.mark.process)
    slow = Counter(i.path for i in items if any(map(i.get_closest_marker, SLOW)))
    items.sort(key=lambda item: -slow[item.path])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """As pytest-xdist does by files, but all files that need the same large library are one worker's."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByLibrary(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return _library(config.rootpath / file) or file

    return ByLibrary(config, log)


@cache
def _library(file: Path) -> str:
    """The large library that a file of tests needs, or nothing."""
    found = LARGE.search(file.read_text(encoding="utf-8"))
    return found[1] if found else ""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests, not garbage: what the libraries make meanwhile stays, and is looked at no more."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of modules that are marked ``both_stores`` run on SQLite and on PostgreSQL."""
    definition = metafunc.definition
    if definition.get_closest_marker("both_stores"):
        of_the_file = definition.get_closest_marker("sqlite_file")
        server = pytest.param("postgres", marks=pytest.mark.process)
        stores = ["sqlite"] if of_the_file else ["sqlite", server]
        metafunc.parametrize("kept_in", stores, indirect=True)


@pytest.fixture(autouse=True)
def kept_in(request: pytest.FixtureRequest) -> Iterator[str]:
    """What keeps the messages: a file, or a database of a server for each path of the test."""
    store: str = getattr(request, "param", "sqlite")
    if store != "postgres":
        yield store
        return
    with request.getfixturevalue("postgres").in_place_of_files():
        yield store


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL of the tests' own."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if programs() is None:
        pytest.skip("PostgreSQL is not installed: `make postgres`")
    with PostgresServer.running() as server:
        yield server


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path / "models")


@pytest.fixture
def small_log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "log", SMALL)


@pytest.fixture
def interrupted(settings: Settings, small_log: Path) -> Iterator[ChatMemory]:
    """A memory whose import was stopped before anything was embedded; its embedder works again."""
    embedder = WordEmbedder()
    embedder.fail_after = 0
    with ChatMemory.open(settings.db, settings, embedder=embedder) as opened:
        with pytest.raises(KeyboardInterrupt):
            opened.add(small_log)
        embedder.fail_after = None
        yield opened


@pytest.fixture
def memory(settings: Settings, kept_in: str) -> Iterator[ChatMemory]:
    """An empty memory with a word embedder and a scripted model."""
    if kept_in == "sqlite":
        made_empty(settings.db)
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
    ) as opened:
        yield opened


@pytest.fixture
def small(
    settings: Settings, kept_in: str, small_log: Path, request: pytest.FixtureRequest
) -> ChatMemory:
    """Three sessions of three people. A test that asked for ``memory`` before gets them by an import."""
    if kept_in == "sqlite":
        made_small(settings.db)
    memory: ChatMemory = request.getfixturevalue("memory")
    if not memory.info().messages:
        memory.add(small_log)
    return memory


@contextmanager
def _sample_in(folder: Path, embedder: WordEmbedder | None = None) -> Iterator[ChatMemory]:
    chosen = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    with ChatMemory.open(chosen.db, chosen, embedder=embedder) as opened:
        if not opened.info().messages:
            opened.add(SAMPLE / "log")
        yield opened


def _made_once(base: Path, name: str, embedder: WordEmbedder | None = None) -> Path:
    """The database of the sample corpus, made by the first worker that asks for it."""
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            with _sample_in(folder.with_suffix(".part"), embedder):
                pass
            folder.with_suffix(".part").rename(folder)
    return folder / "chats.db"


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the sample corpus with the real embedder: made once for all workers."""
    return _made_once(tmp_path_factory.getbasetemp(), "sample-of-all")


@pytest.fixture(scope="session")
def sample_words_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the sample corpus with a word embedder: made once for all workers."""
    return _made_once(tmp_path_factory.getbasetemp(), "sample-words-of-all", WordEmbedder())


@pytest.fixture(scope="session")
def sample(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    """The sample corpus with the real embedder and no language model. Read only."""
    folder = tmp_path_factory.mktemp("sample")
    shutil.copy(sample_file, folder)
    with _sample_in(folder) as opened:
        yield opened


@pytest.fixture(scope="session")
def sample_words(
    sample_words_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ChatMemory]:
    """The sample corpus with a word embedder, for what does not depend on what is found. Read only."""
    folder = tmp_path_factory.mktemp("sample-words")
    shutil.copy(sample_words_file, folder)
    with _sample_in(folder, WordEmbedder()) as opened:
        yield opened


@pytest.fixture(scope="session")
def lihuaworld() -> Path:
    """LiHuaWorld's folder, read in place; the text never enters this repository."""
    folder = SHARED / "lihuaworld"
    if not (folder / "data").is_dir():
        pytest.skip("LiHuaWorld is not beside this checkout (../shared/lihuaworld)")
    return folder


@pytest.fixture(scope="session")
def small_model_folder() -> Path:
    """The converted 0.5B, in MINIRAG_CHAT_MODEL_DIR or the usual place."""
    model_dir = Path(os.environ.get("MINIRAG_CHAT_MODEL_DIR") or Settings().model_dir)
    folder = model_dir / f"{SMALL_MODEL}-nf4"
    if origin_of(folder) is None:
        pytest.skip(f"{SMALL_MODEL} is not in {model_dir}: minirag-chat models get {SMALL_MODEL}")
    return folder
