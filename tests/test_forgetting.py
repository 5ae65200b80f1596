"""Deleting messages, times, people, chats, everything, and replacing a name: undone, then gone."""

from __future__ import annotations

import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import WordEmbedder
from places import write_log
from stored import contents, made_older, raw
from test_slm import ReadingModel

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadDeletion, NotFound
from minirag_chat.memory.asking import Asking
from minirag_chat.memory.feedback import ratings
from minirag_chat.records import Deletion
from minirag_chat.store.trash import now

CANARY = "xylophone77"
PLACE = "Secretville"
EXPORT = """{"name": "Boats", "type": "private_group", "id": 7, "messages": [
 {"id": 1, "type": "message", "date": "2026-03-01T10:00:00", "date_unixtime": "1772359200", "from": "Olga Prizzle", "from_id": "user1", "text": "My xylophone77 is in Secretville, and the running zebrafinches too."},
 {"id": 2, "type": "message", "date": "2026-03-01T10:01:00", "date_unixtime": "1772359260", "from": "Tom Hill", "from_id": "user2", "text": "Which boat is yours?", "reply_to_message_id": 1},
 {"id": 3, "type": "message", "date": "2026-03-01T10:02:00", "date_unixtime": "1772359320", "from": "Anna Berg", "from_id": "user3", "text": "The blue boat leaves at six.",
  "reactions": [{"type": "emoji", "count": 1, "emoji": "X", "recent": [{"from": "Olga Prizzle", "from_id": "user1", "date": "2026-03-01T10:03:00"}]}]},
 {"id": 4, "type": "message", "date": "2026-03-05T10:00:00", "date_unixtime": "1772704800", "from": "Tom Hill", "from_id": "user2", "text": "The van is sold to a friend."},
 {"id": 5, "type": "message", "date": "2026-03-05T10:01:00", "date_unixtime": "1772704860", "from": "Anna Berg", "from_id": "user3", "text": "To whom did the van go?"}
]}"""
KINDS: dict[str, dict[str, Any]] = {
    "message": {"messages": [1]},
    "time": {"since": "2026-03-01", "until": "2026-03-01"},
    "time in a chat": {"chats": ["Boats"], "until": "2026-03-02"},
    "person": {"people": ["Olga Prizzle"]},
    "chat": {"chats": ["Boats"]},
    "everything": {"everything": True},
}


@pytest.fixture
def boats(settings: Settings, tmp_path: Path) -> Iterator[ChatMemory]:
    """A chat with a message that nothing may be left of, read by a model, summed up, and rated."""
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "result.json").write_text(EXPORT, encoding="utf-8")
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ReadingModel()
    ) as memory:
        memory.add(folder / "result.json")
        memory.index_slm()
        memory.build("raptor")
        memory.rate(memory.ask(f"Where is the {CANARY}?"), liked=True)
        memory.rate(memory.ask("When does the blue boat leave?", until="2026-03-05"), liked=True)
        yield memory


def found_in(database: Path, *texts: str) -> list[str]:
    """Those of the texts that are in the file or beside it, in UTF-8 or UTF-16."""
    there = raw(database).lower()
    return [
        text for text in texts
        if any(text.lower().encode(form) in there for form in ("utf-8", "utf-16-le", "utf-16-be"))
    ]  # fmt: skip


def shown(memory: ChatMemory) -> list[Any]:
    """What a reader sees of a memory."""
    return [
        memory.chats(), memory.people(), [replace(m, session_id=0) for m in memory.messages()],
        [e.message.id for e in memory.search("boat")], [e.message.id for e in memory.search(CANARY)],
        sorted((e.name, e.type, e.messages) for e in memory.entities()), memory.info().chunks,
        memory.slm_chunks(), memory._store.slm.counts(), ratings(memory._store),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_deleted_is_found_by_nothing_and_comes_back_as_it_was(
    boats: ChatMemory, settings: Settings, kind: str
) -> None:
    before, stored = shown(boats), contents(settings.db.parent)
    said = boats.preview_delete(**KINDS[kind])
    assert shown(boats) == before, "looking changes nothing"
    gone = boats.delete(**KINDS[kind])
    assert (gone.messages, gone.first, gone.last) == (said.messages, said.first, said.last)
    assert boats.search(CANARY) == []
    assert all(CANARY not in m.text for m in boats.messages())
    assert PLACE not in {entity.name for entity in boats.entities()}
    assert [d.number for d in boats.deletions()] == [gone.number]
    with pytest.raises(NotFound):
        boats.conversation(1)
    assert boats.restore().messages == gone.messages
    assert shown(boats) == before
    assert contents(settings.db.parent) == stored
    assert boats.deletions() == []
    with pytest.raises(NotFound, match="trash"):
        boats.restore()


@pytest.mark.parametrize("way", ["now", "trash"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_left_of_what_is_deleted(
    boats: ChatMemory, settings: Settings, kind: str, way: str
) -> None:
    texts = (CANARY, PLACE, "zebrafinch", "running zeb", "my xylo")
    assert set(found_in(settings.db, *texts)) == set(texts)
    if way == "now":
        gone = boats.delete(**KINDS[kind], now=True)
        assert gone.number == 0
    else:
        boats.delete(**KINDS[kind])
        assert boats.empty_trash().wiped == 1
    assert boats.deletions() == []
    assert found_in(settings.db, *texts) == []
    if kind in ("person", "chat", "everything"):
        assert found_in(settings.db, "Olga", "Prizzle") == []
    if kind in ("message", "person"):
        assert [m.id for m in boats.messages()] == [2, 3, 4, 5]
        assert boats.info().note == "", "what stays is indexed"
        assert [r.question for r in ratings(boats._store)] == ["When does the blue boat leave?"]
    assert boats._store.slm.counts()["readings"] == len(
        boats._store.connection.execute(
            "SELECT DISTINCT reading_id FROM slm_reading_messages"
        ).fetchall()
    )


@pytest.mark.slow
@pytest.mark.parametrize("now", [True, False])
def test_a_deletion_takes_no_memory_for_what_it_deletes(boats: ChatMemory, now: bool) -> None:
    chat, text = boats.chats()[0].id, 400 * "boat "
    with boats._store.transaction():
        boats._store.connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
            "INSERT INTO messages (chat_id, sender_id, sent_at, sent_utc, text, kind, fingerprint) "
            "SELECT m.chat_id, m.sender_id, m.sent_at, m.sent_utc, i || ?2, m.kind, randomblob(12) "
            "FROM n JOIN messages m ON m.id = (SELECT MIN(id) FROM messages) WHERE m.chat_id = ?1",
            (chat, text),
        )
    tracemalloc.start()
    try:
        assert boats.delete(everything=True, now=now).messages > 4000
        assert tracemalloc.get_traced_memory()[1] < 4000 * len(text) / 2
    finally:
        tracemalloc.stop()


def test_a_person_s_messages_go_and_others_stay(boats: ChatMemory) -> None:
    boats.delete(people=["Tom Hill"], now=True)
    assert {m.sender for m in boats.messages()} == {"Olga Prizzle", "Anna Berg"}
    boats.delete(people=["Olga Prizzle"], now=True)
    assert [m.reactions for m in boats.messages()] == [(), ()]


def test_deletions_are_undone_in_any_order(boats: ChatMemory) -> None:
    before = shown(boats)
    first = boats.delete(messages=[1])
    second = boats.delete(messages=[3])
    rest = boats.delete(everything=True)
    assert boats.info().messages == 0
    boats.restore(first.number)
    assert [m.id for m in boats.messages()] == [1]
    boats.restore(rest.number)
    boats.restore(second.number)
    assert shown(boats) == before


def test_a_deletion_becomes_final_after_thirty_days(
    boats: ChatMemory, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    boats.delete(messages=[1])
    later = now() + timedelta(days=29)
    monkeypatch.setattr("minirag_chat.memory.trash.now", lambda: later)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as again:
        assert len(again.deletions()) == 1
    much_later = now() + timedelta(days=31)
    monkeypatch.setattr("minirag_chat.memory.trash.now", lambda: much_later)
    boats.close()
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as again:
        assert again.deletions() == []
    assert found_in(settings.db, CANARY) == []


def test_nothing_is_deleted_where_it_is_not_clear_what(boats: ChatMemory) -> None:
    refused: list[tuple[dict[str, Any], type[Exception]]] = [
        ({}, BadDeletion),
        ({"messages": [1], "chats": ["Boats"]}, BadDeletion),
        ({"everything": True, "people": ["Olga Prizzle"]}, BadDeletion),
        ({"messages": [99]}, NotFound),
        ({"people": ["Nobody Atall"]}, NotFound),
        ({"chats": ["Boa"]}, NotFound),
        ({"since": "2027-01-01"}, NotFound),
    ]
    for wanted, error in refused:
        with pytest.raises(error):
            boats.delete(**wanted)
    assert boats.info().messages == 5
    assert boats.deletions() == []


NAMED = """{"name": "Boats", "type": "private_group", "id": 7, "messages": [
 {"id": 1, "type": "message", "date": "2026-03-01T10:00:00", "date_unixtime": "1772359200", "from": "Wilma Quorn", "from_id": "user1", "text": "Hello, it is me."},
 {"id": 2, "type": "message", "date": "2026-03-01T10:01:00", "date_unixtime": "1772359260", "from": "Tom Hill", "from_id": "user2", "text": "Wilma, ask wilma.quorn@example.org or WilmaQuorn!"},
 {"id": 3, "type": "message", "date": "2026-03-01T10:02:00", "date_unixtime": "1772359320", "from": "Tom Hill", "from_id": "user2", "text": "A forward.", "forwarded_from": "Wilma Quorn"},
 {"id": 4, "type": "message", "date": "2026-03-09T10:02:00", "date_unixtime": "1773050520", "from": "Tom Hill", "from_id": "user2", "text": "Later the boat sank."}
]}"""


@pytest.fixture
def named(settings: Settings, tmp_path: Path) -> Iterator[ChatMemory]:
    (tmp_path / "result.json").write_text(NAMED, encoding="utf-8")
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ReadingModel()
    ) as memory:
        memory.add(tmp_path / "result.json")
        memory.index_slm()
        memory.rate(memory.ask("What did Wilma Quorn say?"), liked=True)
        yield memory


def test_a_name_is_replaced_everywhere(named: ChatMemory, settings: Settings) -> None:
    assert named.preview_name("Wilma Quorn", "Person 7").messages == 3
    named.replace_name("Wilma Quorn", "Person 7", now=True)
    assert [m.text for m in named.messages()][:2] == [
        "Hello, it is me.", "Person 7, ask Person 7@example.org or Person 7!",
    ]  # fmt: skip
    assert {p.name for p in named.people()} == {"Person 7", "Tom Hill"}
    assert [m.forwarded_from for m in named.messages()][2] == "Person 7"
    assert [r.question for r in ratings(named._store)] == ["What did Person 7 say?"]
    assert named.search("Hello", people=["Person 7"])
    assert found_in(settings.db, "wilma", "quorn") == []


REPLACED_AGAIN = (
    "A name that you replaced by Person 7 is in this export too; it was replaced again."
)


@pytest.mark.parametrize("at_once", [True, False])
def test_a_replaced_name_stays_replaced_when_the_export_comes_again(
    named: ChatMemory, settings: Settings, tmp_path: Path, at_once: bool
) -> None:
    named.replace_name("Wilma Quorn", "Person 7", now=at_once)
    before = shown(named)
    report = named.add(tmp_path / "result.json")
    assert (report.messages_added, report.messages_updated) == (0, 0)
    assert REPLACED_AGAIN in report.notes
    assert report.people == ("Person 7", "Tom Hill")
    assert "Quorn" not in repr(report)
    assert shown(named) == before
    assert found_in(settings.db, "wilma", "quorn") == []


def test_what_a_later_export_adds_has_the_new_name(
    named: ChatMemory, settings: Settings, tmp_path: Path
) -> None:
    named.replace_name("Wilma Quorn", "Person 7", now=True)
    grown = NAMED.replace(
        "]}",
        """, {"id": 5, "type": "message", "date": "2026-03-10T10:02:00", "date_unixtime": "1773136920",
        "from": "Tom Hill", "from_id": "user2", "text": "Wilma and wilma quorn saw it, WilmaQuorn says."}]}""",
    )
    (tmp_path / "result.json").write_text(grown, encoding="utf-8")
    assert named.add(tmp_path / "result.json").messages_added == 1
    assert [m.text for m in named.messages()][-1] == "Person 7 and Person 7 saw it, Person 7 says."
    other = tmp_path / "WhatsApp Chat with Wilma Quorn.txt"
    other.write_text(
        "01/04/2026, 19:00 - Wilma Quorn: oars\n02/04/2026, 19:00 - Zoe: thanks Wilma\n"
    )
    report = named.add(other)
    assert REPLACED_AGAIN in report.notes
    assert report.chats == ("Person 7",)
    assert [m.text for m in named.messages()][-1] == "thanks Person 7"
    assert {p.name for p in named.people()} == {"Person 7", "Tom Hill", "Zoe"}
    assert found_in(settings.db, "wilma", "quorn") == []


def test_a_name_is_replaced_again_by_the_latest_one(named: ChatMemory, tmp_path: Path) -> None:
    named.replace_name("Wilma Quorn", "Person 7")
    named.replace_name("Person 7", "Robin Vale")
    assert "Robin Vale" in named.add(tmp_path / "result.json").people
    assert {p.name for p in named.people()} == {"Robin Vale", "Tom Hill"}


def test_after_an_undo_no_name_is_replaced(named: ChatMemory, tmp_path: Path) -> None:
    named.replace_name("Wilma Quorn", "Person 7")
    named.restore()
    assert "Wilma Quorn" in named.add(tmp_path / "result.json").people
    assert {p.name for p in named.people()} == {"Wilma Quorn", "Tom Hill"}
    named.replace_name("Wilma Quorn", "Person 7")
    named.replace_name("Person 7", "Wilma Quorn")  # given back
    report = named.add(tmp_path / "result.json")
    assert not any("replaced" in note for note in report.notes)
    assert {p.name for p in named.people()} == {"Wilma Quorn", "Tom Hill"}


def test_a_replaced_name_can_be_undone(named: ChatMemory, settings: Settings) -> None:
    before, stored = shown(named), contents(settings.db.parent)
    named.replace_name("Wilma Quorn", "Person 7")
    assert named.search("Wilma") == []
    assert named.deletions()[0].what == "the name Wilma Quorn \u2192 Person 7"
    named.restore()
    assert contents(settings.db.parent) == stored
    assert shown(named) == before


def test_a_name_in_lower_case_is_replaced_unless_it_is_a_common_word(
    settings: Settings, tmp_path: Path
) -> None:
    log = {
        "20260105_1000": (
            "Priya Nair: Hi.",
            "Will Ford: will you come?",
            "Ann: priya led, i will too",
        )
    }
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", log))
        memory.replace_name("Priya Nair", "Pat Smith")
        memory.replace_name("Will Ford", "Zed")
        texts = [message.text for message in memory.messages()]
    assert texts == ["Hi.", "will you come?", "Pat Smith led, i will too"]


def test_undoing_a_replaced_name_keeps_who_was_merged(settings: Settings, tmp_path: Path) -> None:
    log = {"20260105_1000": ("Tommy: Hi.", "Tom Ford: Hello.", "Quentin: Ok.", "Ann: Yes.")}
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", log))
        memory.merge_people("Tommy", "Tom Ford")
        memory.merge_people("Quentin", "Tom Ford")
        before = [(person.name, person.spellings) for person in memory.people()]
        memory.replace_name("Tom Ford", "Zed")
        memory.restore()
        assert [(person.name, person.spellings) for person in memory.people()] == before


def test_a_replaced_name_is_gone_from_the_trash_once_it_is_emptied(
    named: ChatMemory, settings: Settings
) -> None:
    named.replace_name("Wilma Quorn", "Person 7")
    assert found_in(settings.db, "quorn") == ["quorn"]
    assert named.empty_trash().wiped == 1
    assert found_in(settings.db, "wilma", "quorn") == []
    assert named.info().messages == 4


def test_what_earlier_deletions_keep_of_a_message_goes_with_it(
    named: ChatMemory, settings: Settings
) -> None:
    named.replace_name("Wilma Quorn", "Person 7")
    proof = named.delete(messages=[2], prove=True).proof
    assert proof is not None
    assert proof.clean
    assert found_in(settings.db, "example.org") == []
    named.restore()
    assert [m.text for m in named.messages()] == [
        "Hello, it is me.", "A forward.", "Later the boat sank.",
    ]  # fmt: skip
    assert {p.name for p in named.people()} == {"Wilma Quorn", "Tom Hill"}


def test_a_replaced_name_goes_for_good_with_the_person(
    named: ChatMemory, settings: Settings
) -> None:
    named.replace_name("Wilma Quorn", "Person 7")
    named.delete(everything=True, now=True)
    assert named.deletions() == []
    assert found_in(settings.db, "wilma", "quorn") == []


def test_a_title_with_the_name_goes_for_good_with_its_chat(
    settings: Settings, tmp_path: Path
) -> None:
    titled = NAMED.replace('"name": "Boats"', '"name": "Boats of Wilma Quorn"')
    (tmp_path / "result.json").write_text(titled, encoding="utf-8")
    other = tmp_path / "WhatsApp Chat with Tom.txt"
    other.write_text("03.04.26, 18:05 - Wilma Quorn: Hello.\n03.04.26, 18:06 - Tom Hill: Hi.\n")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(tmp_path / "result.json")
        memory.add(other)
        memory.replace_name("Wilma Quorn", "Person 7")
        proof = memory.delete(chats=["Boats of Person 7"], prove=True).proof
        assert proof is not None
        assert proof.clean
        assert found_in(settings.db, "Boats of") == []
        memory.restore()
        assert {p.name for p in memory.people()} == {"Wilma Quorn", "Tom Hill"}


def test_wiping_others_leaves_the_way_back_to_a_name_of_who_is_in_the_trash(
    named: ChatMemory,
) -> None:
    named.replace_name("Wilma Quorn", "Person 7")
    named.delete(people=["Person 7"])
    named.delete(messages=[4], now=True)
    assert len(named.deletions()) == 2
    named.restore()
    named.restore()
    assert {p.name for p in named.people()} == {"Wilma Quorn", "Tom Hill"}


def test_what_a_model_read_in_a_message_goes_from_the_trash_of_its_neighbour(
    boats: ChatMemory, settings: Settings
) -> None:
    boats.delete(messages=[2])  # the reading of the passage says what message 1 says
    proof = boats.delete(messages=[1], prove=True).proof
    assert proof is not None
    assert proof.clean
    assert found_in(settings.db, CANARY, PLACE) == []
    boats.restore()
    assert [m.id for m in boats.messages()] == [2, 3, 4, 5]


def test_a_name_is_replaced_by_one_that_begins_like_it(named: ChatMemory) -> None:
    named.replace_name("Wilma Quorn", "Wilma Q.")
    assert [m.text for m in named.messages()][1] == (
        "Wilma Q., ask Wilma Q.@example.org or Wilma Q.!"
    )


def test_what_was_transcribed_since_a_name_was_replaced_stays(named: ChatMemory) -> None:
    named.replace_name("Wilma Quorn", "Person 7")
    with named._store.transaction():
        named._store.forgetting.update("messages", [{"id": 1, "heard": "a voice note"}])
    named.restore()
    assert [m.heard for m in named.messages()][:2] == ["a voice note", ""]


def test_the_conversation_so_far_goes_with_a_deletion(boats: ChatMemory) -> None:
    boats.ask("When does the blue boat leave?")
    assert boats.part(Asking).remembered()
    boats.delete(messages=[3])
    assert boats.part(Asking).remembered() == []


def test_a_name_that_somebody_has_is_refused(named: ChatMemory) -> None:
    for name in ("Tom Hill", " ", "x" * 200, "x\0y", "x\ud800"):
        with pytest.raises(BadDeletion):
            named.replace_name("Wilma Quorn", name)
    with pytest.raises(NotFound):
        named.replace_name("Nobody Atall", "Person 7")


# --- the proof ------------------------------------------------------------------------------------


PLANTED: dict[str, Callable[[sqlite3.Connection, str], object]] = {
    "feedback": lambda c, text: c.execute("INSERT OR REPLACE INTO meta VALUES ('other', ?)", (text,)),
    "an index page": lambda c, text: c.executescript(
        "INSERT INTO message_text (rowid, text) VALUES (999, 'xylophone77');"
        "DELETE FROM message_text_docsize WHERE id = 999;"
    ),
    "a summary": lambda c, text: c.execute(
        "INSERT INTO summaries (kind, level, title, text, weight, vector) VALUES ('tree', 1, '', ?, 1, x'')", (text,)
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_proof_finds_nothing_after_a_deletion(boats: ChatMemory, kind: str) -> None:
    proof = boats.delete(**KINDS[kind], prove=True).proof
    assert proof is not None
    assert proof.leaks == ()
    assert proof.words > 2
    assert proof.texts > 0
    assert any(place.path.name == "chats.db" and place.bytes for place in proof.looked)
    assert any("minirag-chat" in place.path.name for place in proof.looked)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLANTED)
def test_the_proof_finds_what_is_left_in_the_database(
    boats: ChatMemory, settings: Settings, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wipe = boats._store.wipe

    def wipe_and_plant() -> None:
        wipe()
        with closing(sqlite3.connect(settings.db)) as connection, connection:
            PLANTED[place](connection, CANARY)

    monkeypatch.setattr(boats._store, "wipe", wipe_and_plant)
    proof = boats.delete(messages=[1], prove=True).proof
    assert proof is not None
    assert CANARY in {leak.text for leak in proof.leaks}
    assert not proof.clean


@pytest.mark.slow
@pytest.mark.parametrize("form", ["utf-8", "utf-16-le", "utf-16-be"])
def test_the_proof_finds_what_is_left_in_another_file(
    boats: ChatMemory, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "uploads" / "1" / "chat.txt"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"x" + "in SECRETVILLE it was".encode(form))
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))
    proof = boats.delete(messages=[1], prove=True).proof
    assert proof is not None
    assert {leak.path for leak in proof.leaks} == {left}
    assert "secretville" in {leak.text for leak in proof.leaks}


def test_words_of_other_messages_and_of_the_trash_are_no_leak(boats: ChatMemory) -> None:
    boats.delete(messages=[4])
    proof = boats.delete(messages=[5], prove=True).proof  # the van is in the trash
    assert proof is not None
    assert proof.leaks == ()
    assert proof.known > 0


def test_emptying_the_trash_proves_too(boats: ChatMemory) -> None:
    boats.delete(messages=[1])
    boats.delete(people=["Tom Hill"])
    emptied = boats.empty_trash(prove=True)
    assert emptied.wiped == 2
    assert emptied.proof is not None
    assert emptied.proof.clean
    assert emptied.proof.words > 2


def test_a_replaced_name_is_proved_to_be_gone(named: ChatMemory) -> None:
    proof = named.replace_name("Wilma Quorn", "Person 7", prove=True).proof
    assert proof is not None
    assert proof.leaks == ()
    assert proof.words > 0


def test_a_trash_of_an_earlier_release_can_be_restored(
    boats: ChatMemory, settings: Settings
) -> None:
    before = boats.messages()
    chat = boats.chats()[0]
    boats.close()
    made_older(settings.db)
    with closing(sqlite3.connect(settings.db)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.executescript(
            "DROP TABLE deleted_rows; DROP TABLE deletions; PRAGMA user_version = 5;"
            "DELETE FROM message_text; DELETE FROM session_text; DELETE FROM chunk_text;"
            "DELETE FROM mentions; DELETE FROM sessions; INSERT INTO meta VALUES ('trash', '[1]');"
        )
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as again:
        assert again.messages() == []
        (deletion,) = again.deletions()
        assert isinstance(deletion, Deletion)
        assert [(c.id, c.title, c.messages) for c in deletion.whole] == [(chat.id, "Boats", 5)]
        again.restore()
        assert [(m.id, m.text, m.sender) for m in again.messages()] == [
            (m.id, m.text, m.sender) for m in before
        ]
