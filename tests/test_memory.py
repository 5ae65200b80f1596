"""Import and keep: idempotent, all or nothing, chats recognised, deletion complete."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from commands import Forked
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log
from stored import import_by_one_connection

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import (
    BadQuestion,
    DatabaseLocked,
    DatabaseReadOnly,
    DatabaseTooNew,
    EmptyMemory,
    ModelError,
    NotFound,
    StoreError,
    UnknownFormat,
)
from minirag_chat.memory.asking import Asking
from minirag_chat.models.protocols import Vectors
from minirag_chat.store import Store

pytestmark = pytest.mark.both_stores


@pytest.mark.slow
def test_the_report_counts_what_was_read_and_what_was_new(
    small_log: Path, memory: ChatMemory
) -> None:
    first = memory.add(small_log)
    assert (first.messages_read, first.messages_added, first.sessions) == (9, 9, 3)
    again = memory.add(small_log)
    assert (again.messages_read, again.messages_added) == (9, 0)
    assert memory.info().messages == 9


@pytest.mark.slow
def test_a_longer_export_adds_only_the_new_messages(small_log: Path, small: ChatMemory) -> None:
    file = small_log / "20260105_1000.txt"
    file.write_text(
        file.read_text(encoding="utf-8") + "\nTomHill: Good. I will be home then.", encoding="utf-8"
    )
    report = small.add(small_log)
    assert report.messages_added == 1
    found = small.conversation(small.search("home then")[0].message.id, 10)
    assert [m.text for m in found][:4] == [
        "The piano tuner is called Walter Quint.", "Is he expensive?",
        "90 euros, he comes on Thursday.", "Good. I will be home then.",
    ]  # fmt: skip


def test_a_further_session_leaves_the_others_indexed(small: ChatMemory, tmp_path: Path) -> None:
    embedder = small.models.embedder()
    assert isinstance(embedder, WordEmbedder)
    before = embedder.embedded
    small.add(
        write_log(
            tmp_path / "more",
            {"20260201_1200": ("TomHill: The van is sold.", "AnnaBerg: Finally!")},
        )
    )
    assert embedder.embedded - before == 1


def test_two_equal_messages_stay_two(memory: ChatMemory, tmp_path: Path) -> None:
    log = {"20260105_1000": ("AnnaBerg: ok", "TomHill: ok?", "AnnaBerg: ok")}
    memory.add(write_log(tmp_path / "log", log))
    memory.add(tmp_path / "log")
    assert memory.info().messages == 3


@pytest.mark.slow
def test_groups_are_told_apart_by_who_writes(sample_words: ChatMemory) -> None:
    kinds = [chat.kind for chat in sample_words.chats()]
    assert (kinds.count("group"), kinds.count("direct")) == (5, 14)
    assert all(len(c.participants) <= 2 for c in sample_words.chats() if c.kind == "direct")


def test_an_interrupted_embedding_keeps_the_messages_and_resumes(interrupted: ChatMemory) -> None:
    assert interrupted.info().messages == 9
    assert interrupted.index() == interrupted.info().chunks
    found = interrupted.retrieve("Where is the van?", k=1)[0]
    assert found.message.text.startswith("I parked the van")


class NearEmbedder(WordEmbedder):
    """All texts are near each other, as with multilingual-e5."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = super().embed(texts) + 3
        found: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return found


def test_what_is_not_embedded_yet_is_found_by_its_words_among_what_is(
    settings: Settings, small_log: Path
) -> None:
    with ChatMemory.open(settings.db, settings, embedder=NearEmbedder()) as memory:
        memory.add(small_log)
        (best,) = memory.retrieve("Where is the van?", k=1)
        (chunk,) = (
            c
            for c in memory._store.index.chunk_ids()
            if best.message.id in memory._store.index.members([c])[c]
        )
        with memory._store.transaction():
            memory._store.connection.execute("DELETE FROM vectors WHERE chunk_id = ?", (chunk,))
        assert memory.retrieve("Where is the van?", k=1)[0].message == best.message


@pytest.mark.parametrize("method", ["hybrid", "minirag", "bm25", "dense", "hipporag"])
def test_a_question_never_waits_for_an_index_that_is_not_complete(
    interrupted: ChatMemory, method: str
) -> None:
    missing = interrupted.info().chunks
    answer = interrupted.ask("Where is the van parked?", method=method)
    assert answer.sources or answer.closest
    assert f"{missing} of {missing} passages" in answer.note
    assert "minirag-chat index" in answer.note
    assert interrupted.info().note == answer.note, "nothing was embedded but the question"
    assert interrupted.ask("What did we talk about in January?").note == answer.note
    assert interrupted.index() == missing
    assert interrupted.ask("Where is the van parked?", method=method).note == ""


def test_another_embedder_is_said_and_words_are_found_all_the_same(
    settings: Settings, small: ChatMemory
) -> None:
    other = WordEmbedder()
    other.name, other.dimension = "other words", 32
    with ChatMemory.open(settings.db, settings, embedder=other) as memory:
        for method in ("hybrid", "minirag", "bm25", "dense", "hipporag"):
            answer = memory.ask("Where did Tom park the van?", method=method)
            assert "made by the embedder words" in answer.note
        assert memory.retrieve("Harbour Street Bakery", k=1)[0].message.text.startswith("I parked")
        assert memory.index() == memory.info().chunks
        assert memory.ask("Where did Tom park the van?").note == ""


CRASH = """
import os, sys
sys.path.insert(0, {tests!r})
from fakes import WordEmbedder
from minirag_chat import ChatMemory, Settings
memory = ChatMemory.open({db!r}, Settings(model="extractive"), embedder=WordEmbedder())
def progress(p):
    print(p.step, p.done, flush=True)
memory.add({log!r}, progress=progress)
print("complete", flush=True)
"""


@pytest.mark.process
@pytest.mark.sqlite_file  # the process that is killed knows no server
@pytest.mark.parametrize("step", ["import", "indexing", "embedding"])
def test_kill_9_leaves_the_database_as_it_was_or_complete(
    settings: Settings, small_log: Path, tmp_path: Path, step: str
) -> None:
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(small_log)
    sessions = {
        f"202603{d:02}_{h:02}00": (f"NinaVale: Day {d} hour {h}", "AnnaBerg: yes")
        for d in range(1, 29)
        for h in (8, 12, 18)
    }
    more = write_log(tmp_path / "more", sessions)
    code = CRASH.format(tests=str(Path(__file__).parent), db=str(settings.db), log=str(more))
    process = Forked(code)
    assert any(line.startswith(step) for line in process.stdout)
    process.kill()
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        assert memory.info().messages in (9, 9 + 2 * len(sessions))
        memory.add(more)
        assert memory.info().messages == 9 + 2 * len(sessions)
        assert memory.retrieve("Where is the van?", k=1)
        assert not memory._store.index.without_vector()


def test_a_bad_file_among_good_ones_is_named_and_the_rest_comes_in(
    small_log: Path, memory: ChatMemory
) -> None:
    (small_log / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    report = memory.add(small_log)
    assert report.messages_added == 9
    assert [Path(s.source).name for s in report.skipped] == ["picture.txt"]


def test_what_is_no_chat_changes_nothing(small: ChatMemory, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("milk\neggs\nbread\n", encoding="utf-8")
    with pytest.raises(UnknownFormat):
        small.add(tmp_path / "notes.txt")
    assert small.info().messages == 9


@pytest.mark.sqlite_file
def test_deleting_a_chat_wipes_its_text_from_the_file(
    settings: Settings, small_log: Path, tmp_path: Path
) -> None:
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(small_log)
        memory.add(
            write_log(
                tmp_path / "b",
                {"20260301_1000": ("KatyaMoor: My password is xylophone77.", "AnnaBerg: Noted.")},
            )
        )
        memory.delete_chat("Katya Moor")
        assert not memory.search("xylophone77")
        assert "KatyaMoor" not in {p.name for p in memory.people()}
        assert memory.info().messages == 9
    raw = settings.db.read_bytes()
    assert b"xylophone77" not in raw
    assert b"Katya" not in raw
    assert b"piano" in raw


@pytest.mark.parametrize("beginning", ["", "K", "Katya"])
def test_the_beginning_of_a_title_deletes_no_chat(
    memory: ChatMemory, tmp_path: Path, beginning: str
) -> None:
    said = {"20260301_1000": ("KatyaMoor: The roof is new.", "AnnaBerg: Noted.")}
    memory.add(write_log(tmp_path / "log", said))
    with pytest.raises(NotFound, match="Write the whole title"):
        memory.delete_chat(beginning)
    assert memory.info().messages == 2


def test_a_chat_of_a_sign_that_is_no_number_is_not_there(small: ChatMemory) -> None:
    with pytest.raises(NotFound, match="no chat"):
        small.messages(chats=["²"])


def test_what_would_be_deleted_or_renamed_is_shown_without_reading_all_vectors_again(
    small: ChatMemory,
) -> None:
    matrix = small._store.index.matrix()
    assert small.preview_delete(people=["AnnaBerg"]).messages == 4
    assert small.preview_name("AnnaBerg", "Rita").messages
    assert small._store.index.matrix() is matrix
    small.delete(people=["AnnaBerg"])
    assert small._store.index.matrix() is not matrix


@pytest.mark.sqlite_file
def test_a_folder_with_its_own_database_is_read_without_a_word_about_that(
    tmp_path: Path, settings: Settings
) -> None:
    assert settings.db.parent == tmp_path
    write_log(tmp_path / "log", SMALL)
    (tmp_path / "notes.pdf").write_bytes(b"%PDF-1.4")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        report = memory.add(tmp_path)
        assert report.messages_added == 9
        assert not [skipped for skipped in report.skipped if settings.db.name in skipped.source]
        assert report.skipped, "but of other files"


@pytest.mark.sqlite_file
def test_errors_of_the_file_name_the_remedy(tmp_path: Path, settings: Settings) -> None:
    Store.open(settings.db).close()
    with sqlite3.connect(settings.db) as raw:
        raw.execute("PRAGMA user_version = 99")
    with pytest.raises(DatabaseTooNew, match="upgrade"):
        Store.open(settings.db)
    (tmp_path / "text.db").write_text("not a database at all, just text " * 50)
    with pytest.raises(StoreError, match="--db"):
        Store.open(tmp_path / "text.db")
    with sqlite3.connect(tmp_path / "other.db") as raw:
        raw.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="another program"):
        Store.open(tmp_path / "other.db")


@pytest.mark.sqlite_file
def test_a_locked_database_says_so_and_loses_nothing(
    small: ChatMemory, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.store.database.PATIENCE_SECONDS", 0.1)
    log = write_log(tmp_path / "b", {"20260301_1000": ("KatyaMoor: Hi.", "AnnaBerg: Hi.")})
    other = sqlite3.connect(settings.db, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DatabaseLocked, match="another process"):
        ChatMemory.open(settings.db, settings, embedder=WordEmbedder()).add(log)
    other.execute("ROLLBACK")
    assert small.info().messages == 9


@pytest.mark.sqlite_file
def test_a_read_only_database_can_be_asked_but_not_changed(
    settings: Settings, small_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(small_log)
    log = write_log(tmp_path / "b", {"20260301_1000": ("KatyaMoor: Hi.", "AnnaBerg: Hi.")})
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory._store.connection.execute("PRAGMA query_only = ON")  # root writes read-only files
        import_by_one_connection(memory, monkeypatch)
        assert memory.retrieve("Where is the van?", k=1)
        with pytest.raises(DatabaseReadOnly, match="--db"):
            memory.add(log)


def test_an_empty_memory_says_how_to_fill_it(memory: ChatMemory) -> None:
    with pytest.raises(EmptyMemory, match="minirag-chat add"):
        memory.ask("Who?")


def test_conversation_shows_the_messages_around(small: ChatMemory) -> None:
    middle = small.search("key")[0].message
    around = small.conversation(middle.id, 1)
    assert middle.id in [m.id for m in around]
    assert len(around) == 3
    assert small.conversation(middle.id, -1) == [middle]
    with pytest.raises(NotFound, match="12345"):
        small.conversation(12345)


def test_a_closed_memory_says_so(settings: Settings) -> None:
    memory = ChatMemory.open(settings.db, settings, embedder=WordEmbedder())
    memory.close()
    with pytest.raises(StoreError, match="is closed: open it again"):
        memory.people()
    assert "is closed" in memory._repr_mimebundle_()["text/plain"]


def test_the_scripted_model_is_closed_with_the_memory(settings: Settings) -> None:
    model = ScriptedModel()
    ChatMemory.open(settings.db, settings, embedder=WordEmbedder(), chat_model=model).close()
    assert model.closed


def test_a_memory_that_outlives_the_one_with_its_model_says_so(
    settings: Settings, small_log: Path
) -> None:
    model = ScriptedModel()
    first = ChatMemory.open(settings.db, settings, embedder=WordEmbedder(), chat_model=model)
    with first.beside(settings.db.with_name("other.db")) as other:
        other.add(small_log)
        first.close()
        for _ in range(2):
            with pytest.raises(ModelError, match="was closed with the memory that it belongs to"):
                other.ask("Who is the piano tuner?")
        with pytest.raises(ModelError, match="was closed"):
            other.use_model("extractive")


@pytest.mark.slow
@pytest.mark.sqlite_file  # on either store: the next test
def test_lihuaworld_comes_in_whole_twice(lihuaworld: Path, settings: Settings) -> None:
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        report = memory.add(lihuaworld / "data")
        assert (report.messages_read, report.messages_added, report.sessions) == (5896, 5896, 442)
        assert memory.add(lihuaworld / "data").messages_added == 0
        assert memory.info().messages == 5896
        assert len(memory.people()) == 60
        assert all(" " not in p.name and "*" not in p.name for p in memory.people())


@pytest.mark.slow
def test_ten_weeks_of_lihuaworld_come_in_whole_twice(
    lihuaworld: Path, memory: ChatMemory, tmp_path: Path
) -> None:
    weeks = sorted((lihuaworld / "data").glob("week1?"))
    for week in weeks:
        shutil.copytree(week, tmp_path / "weeks" / week.name)
    report = memory.add(tmp_path / "weeks")
    assert report.messages_read == report.messages_added > 900
    assert report.sessions == len(list((tmp_path / "weeks").glob("*/*.txt")))
    assert memory.add(tmp_path / "weeks").messages_added == 0
    assert memory.info().messages == report.messages_added
    assert all(" " not in p.name and "*" not in p.name for p in memory.people())


def test_small_sessions_are_what_the_fixture_says() -> None:
    assert sum(len(lines) for lines in SMALL.values()) == 9


def test_the_same_question_again_is_no_follow_up_of_itself(small: ChatMemory) -> None:
    asked = "Which tuner do they have?"
    first = small.ask(asked)
    again = small.ask(asked)
    assert again.path.nodes[0].name == asked
    assert (again.text, again.confidence) == (first.text, first.confidence)


def test_a_question_beside_another_is_remembered_too(small: ChatMemory) -> None:
    slow = small.stream("Who is the piano tuner?")
    next(slow)
    small.ask("Who repairs the boiler?")
    list(slow)
    told = [question for question, _ in small.part(Asking).remembered()]
    assert told == ["Who repairs the boiler?", "Who is the piano tuner?"]


def test_an_answer_to_a_forgotten_conversation_is_no_part_of_the_next(small: ChatMemory) -> None:
    slow = small.stream("Who is the piano tuner?")
    next(slow)
    small.forget_conversation()
    list(slow)
    assert small.part(Asking).remembered() == []


def test_half_a_character_in_a_question_is_no_failure(small: ChatMemory) -> None:
    assert small.ask("Who is the piano tuner \ud83d?").sources


def test_another_embedder_that_came_meanwhile_keeps_its_vectors(
    small: ChatMemory, settings: Settings, tmp_path: Path
) -> None:
    class Other(WordEmbedder):
        name = "other words"

        def embed(self, texts: Sequence[str]) -> Vectors:
            with Store.open(settings.db) as store, store.transaction():
                store.index.drop_vectors()
                store.set_meta("embedder", "a third")
            return super().embed(texts)

    with ChatMemory.open(settings.db, settings, embedder=Other()) as other:
        with pytest.raises(StoreError, match="those of the embedder a third: set"):
            other.index()
        assert other.index_left() == 3


def test_a_search_puts_what_is_written_so_first_and_finds_what_has_no_word(
    memory: ChatMemory, tmp_path: Path
) -> None:
    told = (
        "420 warm bottles",
        "The boiler was £420",
        "It cost 12.50",
        "12 of 50 came",
        "oh 🙄",
        "🙄🙄 50%_",
    )
    memory.add(
        write_log(tmp_path / "signs", {"20260401_1000": tuple(f"Ann: {one}" for one in told)})
    )

    def found(text: str) -> list[str]:
        return [one.message.text for one in memory.search(text, k=2)]

    assert found("£420")[0] == "The boiler was £420"
    assert found("12.50") == ["It cost 12.50", "12 of 50 came"]
    assert found("🙄") == ["🙄🙄 50%_", "oh 🙄"]
    assert found("%") == ["🙄🙄 50%_"]
    assert found("🍐") == []
    with pytest.raises(BadQuestion, match="empty"):
        found(" ")
