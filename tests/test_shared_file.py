"""Several processes on one database: each sees one moment, none sees half a change or an old one."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from commands import Forked
from fakes import ScriptedModel, WordEmbedder
from neighbour import Neighbour
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import DatabaseLocked, ImportStopped, MiniRagChatError
from minirag_chat.records import Progress, Source
from minirag_chat.store import Store

pytestmark = pytest.mark.process

MORE = {"20260301_1000": ("KatyaMoor: The xylophone stands in Lisbon.", "NinaVale: In Lisbon?")}


def shown(memory: ChatMemory) -> tuple[Source, ...]:
    """What the answer shows."""
    answer = memory.ask("Where is the xylophone?", history=())
    return answer.sources or answer.closest


PUBLIC: dict[str, Callable[[ChatMemory], Any]] = {
    "chats": lambda m: [c.title for c in m.chats()],
    "info": lambda m: (m.info().messages, m.info().chats, m.info().people),
    "people": lambda m: sorted(p.name for p in m.people()),
    "search": lambda m: [e.message.text for e in m.search("xylophone")],
    "messages": lambda m: [x.text for x in m.messages()],
    "retrieve": lambda m: [e.message.text for e in m.retrieve("Where is the xylophone?", k=1)],
    "hipporag": lambda m: [
        e.message.text for e in m.retrieve("Where is the xylophone?", "hipporag", k=1)
    ],
    "ask": lambda m: [source.message.text for source in shown(m)],
    "overview": lambda m: m.ask("What did we talk about in March 2026?").text,
    "explain": lambda m: len(m.explain("Where is the xylophone?").chunks),
    "compare": lambda m: [
        e.message.text for e in m.compare("Where is the xylophone?").found["minirag"]
    ],
    "entities": lambda m: sorted(e.name for e in m.entities()),
    "relations": lambda m: len(m.relations(1)),
    "timeline": lambda m: [p.messages for p in m.timeline("month").periods],
    "who_talks_to_whom": lambda m: sorted(m.who_talks_to_whom().graph.nodes),
    "neighbourhood": lambda m: m.neighbourhood("Katya Moor").centre.name,
    "suggestions": lambda m: m.suggestions(),
    "overview_questions": lambda m: m.overview_questions(),
    "suggest_people": lambda m: m.suggest_people(),
    "conversation": lambda m: [x.text for x in m.conversation(m.messages()[-1].id)],
    "has_index": lambda m: m.has_index("raptor"),
    "slm_chunks": lambda m: m.slm_chunks(),
    "index_left": lambda m: m.index_left(),
    "deletions": lambda m: [d.what for d in m.deletions()],
}


@pytest.fixture
def neighbour(small: ChatMemory, settings: Settings) -> Iterator[Neighbour]:
    with Neighbour(settings.db) as other:
        yield other


def seen(memory: ChatMemory) -> dict[str, Any]:
    """What every public method that reads gives, or the sentence it refuses with."""
    found: dict[str, Any] = {}
    for name, look in PUBLIC.items():
        try:
            found[name] = look(memory)
        except MiniRagChatError as error:
            found[name] = str(error)
    return found


def test_what_another_process_changes_is_seen_at_once_by_every_method(
    small: ChatMemory, settings: Settings, neighbour: Neighbour, tmp_path: Path
) -> None:
    more = write_log(tmp_path / "more", MORE)
    changes = (
        f"memory.add({str(more)!r}).messages_added",
        "memory.merge_people('NinaVale', 'KatyaMoor')",
        "memory.split_person('NinaVale')",
        "memory.delete(chats=['Katya Moor, Nina Vale']).what",
        "memory.restore().what",
        "memory.delete_chat('Katya Moor, Nina Vale').title",
    )
    before = seen(small)
    for change in changes:
        assert "Error" not in (said := neighbour.does(change)), said
        small.forget_conversation()
        after = seen(small)
        with ChatMemory.open(
            settings.db, settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
        ) as fresh:
            assert after == seen(fresh), change
        assert after != before or "restore" in change or "split" in change, change
        before = after


def test_every_read_of_a_public_method_runs_in_a_transaction(small: ChatMemory) -> None:
    loose: list[str] = []
    connection = small._store.connection

    def watch(statement: str) -> None:
        reads = statement.lstrip().upper().startswith(("SELECT", "WITH"))
        if reads and not connection.in_transaction:
            loose.append(statement)

    connection.set_trace_callback(watch)
    seen(small)
    small.build("raptor")
    small.rate(small.ask("Who is the piano tuner?"), liked=True)
    small.index()
    connection.set_trace_callback(None)
    assert loose == []


def test_a_read_sees_one_moment_whatever_others_do(
    small: ChatMemory, neighbour: Neighbour, tmp_path: Path
) -> None:
    more = write_log(tmp_path / "more", MORE)
    with small._store.reading():
        assert small._store.messages.count() == 9
        assert neighbour.does(f"memory.add({str(more)!r}).messages_added") == "2"
        assert small._store.messages.count() == 9
        assert len(small.messages()) == 9
    assert len(small.messages()) == 11


IMPORTS = """
import sys
sys.path.insert(0, {tests!r})
from fakes import WordEmbedder
from minirag_chat import ChatMemory, Settings
def progress(p):
    if p.step == "indexing":
        print("holds it", flush=True)
        sys.stdin.readline()
with ChatMemory.open({db!r}, Settings(model="extractive"), embedder=WordEmbedder()) as memory:
    memory.add({log!r}, progress=progress)
print("done", flush=True)
"""


class Importing:
    """Another process in the middle of an import, until it is let go."""

    def __init__(self, db: Path, log: Path) -> None:
        code = IMPORTS.format(tests=str(Path(__file__).parent), db=str(db), log=str(log))
        self._letting = threading.Lock()  # a timer and the end of a test may do it at once
        self.process = Forked(code)
        assert self.process.stdout.readline() == "holds it\n"

    def let_go(self) -> None:
        with self._letting:
            if not self.process.stdin.closed:
                self.process.stdin.write("\n" * 100)
                assert self.process.stdout.read().endswith("done\n")
                self.process.wait()


@pytest.fixture
def importing(small: ChatMemory, settings: Settings, tmp_path: Path) -> Iterator[Importing]:
    begun = Importing(settings.db, write_log(tmp_path / "more", MORE))
    yield begun
    begun.let_go()


def test_questions_are_answered_while_another_process_imports(
    small: ChatMemory, settings: Settings, importing: Importing
) -> None:
    found = seen(small)
    assert found["info"] == (9, 2, 3)
    assert small.ask("Who is the piano tuner?").sources
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as opened:
        assert opened.info().messages == 9, "and a process that is started meanwhile reads too"
    assert importing.process.running, "nobody waited for the import, which is not at its end"
    importing.let_go()
    assert seen(small)["info"] == (11, 3, 5)


def test_questions_are_answered_while_another_thread_of_the_same_memory_imports(
    small: ChatMemory, tmp_path: Path
) -> None:
    midway, go_on = threading.Event(), threading.Event()

    def hold(done: Progress) -> None:
        if done.step == "indexing":
            midway.set()
            assert go_on.wait(300)

    log = write_log(tmp_path / "more", MORE)
    importing = threading.Thread(target=small.add, args=(log,), kwargs={"progress": hold})
    importing.start()
    try:
        assert midway.wait(300)
        answers: list[tuple[Source, ...]] = []
        asking = threading.Thread(target=lambda: answers.append(shown(small)))
        asking.start()
        asking.join(300)
        assert answers, "the question waits for the import"
        assert not any("Lisbon" in source.message.text for source in answers[0])
    finally:
        go_on.set()
        importing.join(300)
    assert any("Lisbon" in source.message.text for source in shown(small))


def test_a_second_writer_waits_for_its_turn_and_says_so(
    small: ChatMemory, settings: Settings, importing: Importing, tmp_path: Path
) -> None:
    heard: list[str] = []
    steps: list[str] = []
    other = write_log(tmp_path / "b", {"20260401_1000": ("PiaLund: Hi.", "AnnaBerg: Hello.")})

    def progress(now: Progress) -> None:
        steps.append(now.step)

    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), told=heard.append
    ) as second:
        threading.Timer(1.0, importing.let_go).start()
        assert second.add(other, progress=progress).messages_added == 2
        assert second.info().messages == 13
    assert len(heard) == 1
    assert "waiting for its turn" in heard[0]
    assert "waiting for another program" in steps


def test_who_waits_can_be_stopped_and_does_not_wait_for_ever(
    small: ChatMemory, importing: Importing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    log = write_log(tmp_path / "b", {"20260401_1000": ("PiaLund: Hi.", "AnnaBerg: Hello.")})
    with pytest.raises(ImportStopped, match="nothing was added"):
        small.add(
            log,
            progress=lambda now: steps.append(now.step),
            cancelled=lambda: "waiting for another program" in steps,
        )
    monkeypatch.setattr("minirag_chat.store.database.PATIENCE_SECONDS", 0.2)
    with pytest.raises(DatabaseLocked, match=r"another process.*nothing was changed"):
        small.delete_chat(small.chats()[0].id)
    assert small.info().messages == 9


def test_a_thread_reads_while_another_one_waits_for_its_turn(
    small: ChatMemory, importing: Importing
) -> None:
    waits = threading.Event()
    small._store.on_status = lambda _: waits.set()
    writer = threading.Thread(target=lambda: small.merge_people("SamOrtiz", "TomHill"))
    writer.start()
    assert waits.wait(300)
    assert small.info().people == 3
    assert writer.is_alive()
    importing.let_go()
    writer.join(300)
    assert small.info().people == 4


def test_many_processes_make_one_database_at_the_same_time(tmp_path: Path) -> None:
    code = "import sys; from minirag_chat.store import Store; Store.open(sys.argv[1]).close()"
    command = [sys.executable, "-c", code, str(tmp_path / "new.db")]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    said = [process.communicate(timeout=120)[1] for process in started]
    assert [process.returncode for process in started] == [0] * 6, said


def test_what_is_taken_back_is_not_remembered(small: ChatMemory) -> None:
    store = small._store

    def change_and_fail() -> None:
        with store.transaction():
            store.connection.execute("UPDATE chats SET title = 'Mistake'")
            assert set(store.messages.titles().values()) == {"Mistake"}
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        change_and_fail()
    assert "Mistake" not in [chat.title for chat in small.chats()]


@pytest.mark.parametrize("begin", ["begin_writing", "begin_reading"])
def test_an_interrupt_while_a_transaction_begins_leaves_none_open(
    small: ChatMemory, monkeypatch: pytest.MonkeyPatch, begin: str
) -> None:
    """Ctrl-C during the statement is raised when it has ended: the transaction is there by then."""
    store = small._store

    def interrupted(**options: bool) -> None:
        getattr(type(store.connection), begin)(store.connection, **options)
        raise KeyboardInterrupt

    def read_and_change() -> None:
        small.chats()
        small.merge_people("SamOrtiz", "TomHill")

    with monkeypatch.context() as patch:
        patch.setattr(store.connection, begin, interrupted)
        with pytest.raises(KeyboardInterrupt):
            read_and_change()
    assert not store.connection.in_transaction
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(small.idle).result(), "the lock is free for other threads"
    read_and_change()


def test_a_change_inside_a_read_is_refused(small: ChatMemory) -> None:
    store: Store = small._store
    with store.reading(), pytest.raises(RuntimeError), store.transaction():
        pass
    assert small.chats(), "and the lock is free again"


def test_page_commands_and_notebook_at_once() -> None:
    """A short run of ``crowd.py``; longer ones are for whoever changes the store."""
    crowd = Path(__file__).with_name("crowd.py")
    command = [sys.executable, str(crowd), "--minutes", "0.2", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(name in done.stdout for name in ("page ", "notebook ", "commands ")), done.stdout
