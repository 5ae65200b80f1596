"""The same memory in PostgreSQL: by its address, from every face, and what only a server can do wrong."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import run_command
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log
from postgres_server import PostgresServer

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import DatabaseLocked, StoreError
from minirag_chat.ingest import embed_pending
from minirag_chat.models.protocols import Vectors
from minirag_chat.store import Store, database
from minirag_chat.store.postgres import opening
from minirag_chat.store.postgres.dialect import bound, translated
from minirag_chat.store.postgres.users import Users
from minirag_chat.store.sql import Work

TUNER = "What is the piano tuner called?"
psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    return postgres.address()


def opened(address: str, tmp_path: Path) -> ChatMemory:
    settings = Settings.make(
        db=address, model="extractive", model_dir=tmp_path / "models", abstain_below=0
    )
    return ChatMemory.open(None, settings, embedder=WordEmbedder(), chat_model=ScriptedModel())


@pytest.mark.slow
def test_an_answer_is_that_of_a_file(address: str, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", SMALL)
    in_file = ChatMemory.open(
        tmp_path / "chats.db",
        Settings.make(model="extractive", abstain_below=0),
        embedder=WordEmbedder(),
        chat_model=ScriptedModel(),
    )
    with opened(address, tmp_path) as memory, in_file:
        memory.add(log)
        in_file.add(log)
        for question in (
            TUNER,
            "Who plays the piano?",
            "When did Tom call Anna?",
            "Who has been quiet the longest?",
        ):
            there, here = memory.retrieve(question), in_file.retrieve(question)
            assert [one.message.text for one in there] == [one.message.text for one in here]
            assert [one.score for one in there] == pytest.approx([one.score for one in here])
            assert memory.ask(question, history=[]).text == in_file.ask(question, history=[]).text


def test_what_one_changes_the_other_sees(address: str, tmp_path: Path) -> None:
    with opened(address, tmp_path) as one, opened(address, tmp_path) as other:
        assert not other.chats()
        one.add(write_log(tmp_path / "log", SMALL))
        assert [chat.title for chat in other.chats()] == [chat.title for chat in one.chats()]
        other.delete_chat(one.chats()[0].id)
        assert len(one.chats()) == len(other.chats()) == 1


@pytest.mark.slow
def test_two_changes_wait_for_each_other(address: str) -> None:
    with Store.open(address) as one, Store.open(address) as other:
        done: list[str] = []

        def change() -> None:
            with other.transaction():
                other.set_meta("who", "other")
                done.append("other")

        with one.transaction():
            waiting = threading.Thread(target=change)
            waiting.start()
            waiting.join(0.3)
            one.set_meta("who", "one")
            done.append("one")
        waiting.join(120)
        with one.reading():
            assert (done, one.meta("who")) == (["one", "other"], "other")


def test_a_change_that_fails_leaves_all_as_it_was(address: str) -> None:
    with Store.open(address) as store:

        def fail() -> None:
            with store.transaction():
                store.set_meta("who", "nobody")
                store.connection.execute("SELECT nothing FROM nowhere")

        with pytest.raises(StoreError, match="nothing was changed"):
            fail()
        with store.reading():
            assert store.meta("who") is None


def test_what_is_deleted_at_once_is_in_no_table(address: str, tmp_path: Path) -> None:
    with opened(address, tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        memory.delete_chat(next(c.id for c in memory.chats() if c.kind == "direct"))
        assert not memory.search("piano")
    with Store.open(address) as store, store.reading():
        kept = b"\n".join(value for _, there in store.values() for value in there)
        assert b"Walter Quint" not in kept
        assert not {"walter", "quint"} & store.text.terms()


def in_files(address: str, table: str, text: bytes) -> bool:
    """Whether a text is in the file of a table."""
    with psycopg.connect(address, autocommit=True) as link:
        link.execute("CHECKPOINT")
        (folder,) = link.execute("SHOW data_directory").fetchone() or ("",)
        (file,) = link.execute("SELECT pg_relation_filepath(%s)", (table,)).fetchone() or ("",)
    return text in Path(folder, file).read_bytes()


def delete_piano(memory: ChatMemory) -> None:
    memory.delete_chat(next(c.id for c in memory.chats() if c.kind == "direct"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "begun", ["BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1", "BEGIN; SELECT 1 FROM messages"]
)
def test_what_others_still_read_is_wiped_when_they_are_done(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: str
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.1)
    with opened(address, tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        store = memory._store
        with psycopg.connect(address, autocommit=True) as reader:
            reader.execute(begun.encode())
            with pytest.raises(DatabaseLocked, match="its words are in the file"):
                delete_piano(memory)
            with store.reading():
                assert store.wiping.due()
            assert in_files(address, "messages", b"Walter Quint")
        store.wipe()
        with store.reading():
            assert not store.wiping.due()
        assert not in_files(address, "messages", b"Walter Quint")


@pytest.mark.slow
def test_a_user_that_is_removed_while_others_read_is_wiped_later(
    address: str, tmp_path: Path
) -> None:
    with Users.open(address) as users:
        users.add("ann")
    settings = Settings.make(db=address, user="ann", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(None, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
    with Users.open(address) as users, psycopg.connect(address, autocommit=True) as reader:
        reader.execute("BEGIN; SELECT 1 FROM messages")
        unwiped = users.remove("ann")
        assert isinstance(unwiped, DatabaseLocked)
        assert "`minirag-chat index` wipes them" in str(unwiped)
        assert users.all() == []
    with Store.open(address) as store:
        store.wipe()
    assert not in_files(address, "messages", b"Walter Quint")


def in_statistics(address: str, text: str) -> list[tuple[str, str]]:
    """The columns whose statistics have a text."""
    with psycopg.connect(address, autocommit=True) as link:
        link.execute("ANALYZE")
        asked = (
            "SELECT tablename, attname FROM pg_stats WHERE concat(most_common_vals::text, "
            "histogram_bounds::text, most_common_elems::text) ILIKE %s AND schemaname = 'public'"
        )
        return link.execute(asked, (f"%{text}%",)).fetchall()


@pytest.mark.slow
def test_the_planner_knows_no_text(postgres: PostgresServer, tmp_path: Path) -> None:
    address = postgres.address(empty=True)
    with pytest.MonkeyPatch.context() as patch:  # as an older release left it
        patch.setattr(opening, "MIGRATIONS", opening.MIGRATIONS[:3])
        with Users.open(address) as users:
            users.add("ann")
        ann = Settings.make(db=address, user="ann", model="extractive", model_dir=tmp_path)
        with ChatMemory.open(None, ann, embedder=WordEmbedder()) as memory:
            memory.add(write_log(tmp_path / "log", SMALL))
        assert {t for t, _ in in_statistics(address, "piano")} >= {"messages", "message_text"}
        assert ("entities", "name") in in_statistics(address, "AnnaBerg")
    with ChatMemory.open(None, ann, embedder=WordEmbedder()) as memory:
        for text in ("piano", "tuner", "AnnaBerg", "Walter Quint"):
            assert not in_statistics(address, text)
        memory.add(write_log(tmp_path / "log", {"20260201_1200": ("TomHill: The van is sold.",)}))
        assert [e.message.sender for e in memory.search("sold")] == ["TomHill"]
    assert not in_statistics(address, "TomHill")


def test_a_character_that_it_cannot_hold_is_replaced(address: str) -> None:
    with Store.open(address) as store:
        with store.transaction():
            store.set_meta("who", "a\0b")
        with store.reading():
            assert store.meta("who") == "a\ufffdb"


@pytest.mark.process
def test_commands_take_the_address_and_never_show_its_password(
    address: str, tmp_path: Path
) -> None:
    secret = address.replace("tests@", "tests:hunter2@")
    log = write_log(tmp_path / "log", SMALL)

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        environment = {"MINIRAG_CHAT_DB": secret, "MINIRAG_CHAT_MODEL": "extractive"}
        return run_command(*command, environment=environment)

    added = run("add", str(log))
    assert added.returncode == 0, added.stderr
    asked, looked = run("ask", TUNER), run("doctor")
    assert "Walter Quint" in " ".join(asked.stdout.split())
    assert "PostgreSQL at" in looked.stdout
    refused = run("encrypt")
    assert refused.returncode
    assert "PostgreSQL" in refused.stderr
    for said in (added, asked, looked, refused):
        assert "hunter2" not in said.stdout + said.stderr


class Counting(WordEmbedder):
    """Remembers what it embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        time.sleep(0.01)  # as long as the other one takes to claim
        return super().embed(texts)


@pytest.mark.slow
def test_workers_share_what_is_to_be_embedded(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.ingest.vectors.EMBED_BATCH", 2)
    with opened(address, tmp_path) as memory:
        memory.add(write_log(tmp_path / "log", long_log()))
    workers = [Counting(), Counting()]
    with Store.open(address) as one, Store.open(address) as other:
        with one.transaction():
            one.index.drop_vectors()
        threads = [
            threading.Thread(target=embed_pending, args=(store, worker))
            for store, worker in zip((one, other), workers, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
        with one.reading():
            assert one.index.missing_vectors()[0] == 0
            chunks = one.index.chunk_ids()
    assert len(workers[0].seen) + len(workers[1].seen) == len(chunks), "each chunk once"
    assert all(worker.seen for worker in workers)


def long_log() -> dict[str, tuple[str, ...]]:
    return {
        f"202601{day:02}_1000": tuple(
            f"AnnaBerg: on day {day} the {n}th tile fell" for n in range(9)
        )
        for day in range(1, 13)
    }


def test_what_a_killed_worker_had_claimed_is_anothers(address: str) -> None:
    with Store.open(address) as one:
        with Store.open(address) as killed:
            assert killed.connection.claim("embedding", [1, 2, 3]) == [1, 2, 3]
            assert one.connection.claim("embedding", [2, 3, 4]) == [4]
        until = time.monotonic() + 120  # the server ends what the connection had begun
        while (ours := one.connection.claim("embedding", [1, 2, 3])) != [
            1,
            2,
            3,
        ] and time.monotonic() < until:
            one.connection.release("embedding", ours)
            time.sleep(0.05)
        assert ours == [1, 2, 3]


def test_an_interrupt_while_work_is_claimed_leaves_it_to_others(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(address) as one, Store.open(address) as other:

        def interrupted(work: Work, ids: Sequence[int]) -> None:
            type(one.connection).claim(one.connection, work, ids)
            raise KeyboardInterrupt

        monkeypatch.setattr(one.connection, "claim", interrupted)
        with pytest.raises(KeyboardInterrupt), one.claimed("embedding", [1, 2]):
            pass
        assert other.connection.claim("embedding", [1, 2]) == [1, 2]


def test_a_connection_that_is_lost_at_the_end_of_a_change_is_one_sentence(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(address) as store:
        (pid,) = store.connection.execute("SELECT pg_backend_pid()").fetchone()

        def lost() -> None:
            with psycopg.connect(address) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))

        def change() -> None:
            with store.transaction():
                store.set_meta("a fact", "new")

        monkeypatch.setattr(store.text, "catch_up", lost)  # the last before COMMIT
        with pytest.raises(StoreError, match=r"^PostgreSQL at .*; nothing was changed\.$"):
            change()
        with store.reading():
            assert store.meta("a fact") is None


def test_a_server_that_was_restarted_is_asked_again(address: str, tmp_path: Path) -> None:
    with opened(address, tmp_path) as memory, Store.open(address) as other:
        memory.add(write_log(tmp_path / "log", SMALL))
        other.connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database()"
        ).fetchall()
        with pytest.raises(StoreError):
            memory.chats()
        assert len(memory.chats()) == 2


def test_a_database_of_another_program_is_left_alone(postgres: PostgresServer) -> None:
    import psycopg

    address = postgres.address(empty=True)
    with psycopg.connect(address, autocommit=True) as link:
        link.execute("CREATE TABLE meta (what TEXT)")
    with pytest.raises(StoreError, match="tables of another program"):
        Store.open(address)


@pytest.mark.parametrize("address", ["postgresql://me:hunter2@[half", "postgresql://x?hunter2"])
def test_an_address_that_is_none_is_said_without_its_password(address: str) -> None:
    with pytest.raises(StoreError, match="not written as PostgreSQL's are") as refused:
        Store.open(address)
    assert "hunter2" not in str(refused.value)


def test_a_server_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be reached .*see whether it runs") as refused:
        Store.open(f"postgresql://me:hunter2@/none?host={tmp_path}")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = %(1)s AND c = %(2)s"),
        ("WHERE a = ?1 OR b = ?1", "WHERE a = %(1)s OR b = %(1)s"),
        ("SET a = :name", "SET a = %(name)s"),
        ("WHERE a LIKE '%?%' AND b = ?", "WHERE a LIKE '%%?%%' AND b = %(1)s"),
        ("INSERT INTO temp.chosen VALUES (?)", "INSERT INTO pg_temp.chosen VALUES (%(1)s)"),
        ("FROM a CROSS JOIN b c ON c.x = a.x", "FROM a JOIN b c ON c.x = a.x"),
        ("FROM a CROSS JOIN b c INDEXED BY loose ON c.x = a.x", "FROM a JOIN b c ON c.x = a.x"),
        ("FROM messages m INDEXED BY loose WHERE", "FROM messages m WHERE"),
        ("WHERE a IS NOT b AND c IS d", "WHERE a IS DISTINCT FROM b AND c IS NOT DISTINCT FROM d"),
        ("WHERE a IS NOT NULL AND b IS NULL", "WHERE a IS NOT NULL AND b IS NULL"),
        ("SELECT ?::tsquery", "SELECT %(1)s::tsquery"),
    ],
)
def test_statements_are_translated(ours: str, theirs: str) -> None:
    assert translated(ours) == theirs


def test_parameters_are_bound_by_their_place() -> None:
    assert bound(("a\0b", 2)) == {"1": "a\ufffdb", "2": 2}
