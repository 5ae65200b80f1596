"""Deleting with undo: out of sight at once, back as it was, or wiped."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log
from stored import raw
from three_chats import opened

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import ImportStopped, MiniRagChatError, NotFound
from minirag_chat.importers import pieces
from minirag_chat.memory.feedback import ratings
from minirag_chat.records import Answer, Progress

pytestmark = pytest.mark.both_stores

TOLD = "Walter Quint"


def chat_of(memory: ChatMemory, words: str) -> int:
    return memory.search(words)[0].message.chat_id


def test_a_chat_in_the_trash_is_found_by_nothing(small: ChatMemory) -> None:
    (found,) = small.search(TOLD)
    small.delete(chats=[found.message.chat_id])
    assert small.search(TOLD) == []
    assert all(TOLD not in e.message.text for e in small.retrieve("Who is the piano tuner?"))
    assert found.message.chat_id not in {chat.id for chat in small.chats()}
    assert [chat.id for gone in small.deletions() for chat in gone.whole] == [found.message.chat_id]
    with pytest.raises(NotFound):
        small.conversation(found.message.id)


def test_a_search_for_remains_that_fails_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.memory.raw_search.sys.executable", shutil.which("false"))
    with opened(tmp_path) as memory, pytest.raises(MiniRagChatError, match="could not be searched"):
        memory.delete(chats=["Ollie"], prove=True)


def test_what_is_deleted_is_named_as_one_list(tmp_path: Path) -> None:
    names = ["Tom Reed", "Dana Fox", "Ollie"]
    with opened(tmp_path) as memory:
        of_people = memory.preview_delete(people=names).what
        of_chats = memory.preview_delete(chats=["Cabin Crew", "Dana Fox", "Ollie"]).what
    assert of_people == "the messages of Dana Fox, Tom Reed and Ollie"
    assert of_chats == "Cabin Crew, Dana Fox and Ollie"


def test_a_chat_in_the_trash_is_in_no_list(memory: ChatMemory, tmp_path: Path) -> None:
    log = {
        "20260105_1000": ("AnnaBerg: The tuner is Walter Quint.", "KatjaMoor: Good."),
        "20260401_1000": ("KatyaMoor: I hid it in Lisbon.", "TomHill: In Lisbon?"),
    }
    memory.add(write_log(tmp_path / "log", log))
    assert memory.suggest_people()
    memory.delete(chats=[chat_of(memory, "hid it in Lisbon")])
    assert {m.sender for m in memory.messages()} == {"AnnaBerg", "KatjaMoor"}
    assert {person.name for person in memory.people()} == {"AnnaBerg", "KatjaMoor"}
    assert memory.suggest_people() == []
    assert "Tom Hill" not in memory.who_talks_to_whom().graph
    assert [(p.start.month, p.messages) for p in memory.timeline("month").periods] == [(1, 2)]
    found = memory.info()
    assert (found.messages, found.chats, found.people) == (2, 1, 2)
    assert found.last is not None
    assert found.last.month == 1
    with pytest.raises(NotFound) as refused:
        memory.search("x", people=["Toma Hil"])
    assert "Tom" not in str(refused.value).replace("Toma Hil", "")
    with pytest.raises(NotFound) as refused:
        memory.neighbourhood("Lisbo")
    assert "Lisbon" not in str(refused.value)
    memory.restore()
    assert len(memory.messages()) == 4


def test_undo_brings_it_back_as_it_was(small: ChatMemory) -> None:
    before = (small.info(), small.chats(), [e.message.text for e in small.retrieve("piano tuner")])
    number = small.delete(chats=[chat_of(small, TOLD)]).number
    small.restore(number)
    after = (small.info(), small.chats(), [e.message.text for e in small.retrieve("piano tuner")])
    assert after[1:] == before[1:]
    assert (after[0].messages, after[0].sessions, after[0].chunks) == (
        before[0].messages, before[0].sessions, before[0].chunks,
    )  # fmt: skip
    assert small.deletions() == []
    with pytest.raises(NotFound, match="not in the trash"):
        small.restore(number)


def scores(memory: ChatMemory, question: str) -> dict[int, float]:
    return {e.message.id: round(e.score, 6) for e in memory.retrieve(question)}


KINDS: dict[str, dict[str, object]] = {
    "chat": {"chats": ["Anna Berg, Tom Hill"]},
    "message": {"messages": [2]},
    "person": {"people": ["TomHill"]},
    "time": {"since": "2026-01-06"},
    "everything": {"everything": True},
}


@pytest.mark.parametrize("wanted", KINDS.values(), ids=KINDS)
def test_undo_embeds_nothing_again(
    settings: Settings, tmp_path: Path, wanted: dict[str, Any]
) -> None:
    embedder = WordEmbedder()
    with ChatMemory.open(settings.db, settings, embedder=embedder) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        before = scores(memory, "Who is the piano tuner?")
        memory.delete(**wanted)
        assert memory.index_left() == 0
        embedded = embedder.embedded
        memory.restore()
        assert (embedder.embedded, memory.index_left()) == (embedded, 0)
        assert scores(memory, "Who is the piano tuner?") == before


def test_deleting_a_message_embeds_only_the_passages_it_was_in(
    settings: Settings, tmp_path: Path
) -> None:
    embedder = WordEmbedder()
    long = tuple(f"{who}: We count to {n}." for n in range(40) for who in ("AnnaBerg", "TomHill"))
    with ChatMemory.open(settings.db, settings, embedder=embedder) as memory:
        memory.add(write_log(tmp_path / "log", {"20260105_1000": long}))
        embedded = embedder.embedded
        memory.delete(messages=[memory.messages()[-2].id])
        assert 0 < embedder.embedded - embedded <= 3


def test_a_name_that_comes_back_is_embedded_as_it_was(settings: Settings, tmp_path: Path) -> None:
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        before = scores(memory, "Who has Anna Berg's key?")
        memory.replace_name("AnnaBerg", "Zoe Ort")
        memory.restore()
        assert scores(memory, "Who has Anna Berg's key?") == before


@pytest.mark.sqlite_file
def test_confirming_wipes_the_text_from_the_file(small: ChatMemory, settings: Settings) -> None:
    small.delete(chats=[chat_of(small, TOLD)])
    assert TOLD.encode() in raw(settings.db)
    assert small.empty_trash().wiped == 1
    assert TOLD.encode() not in raw(settings.db)
    assert small.empty_trash().wiped == 0


def test_a_restart_neither_wipes_nor_restores(small: ChatMemory, settings: Settings) -> None:
    small.delete(chats=[chat_of(small, TOLD)])
    small.close()
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as again:
        (gone,) = again.deletions()
        assert again.search(TOLD) == []
        again.restore(gone.number)
        assert len(again.search(TOLD)) == 1


def test_importing_it_again_is_a_fresh_start(small: ChatMemory, small_log: Path) -> None:
    small.delete(chats=[chat_of(small, TOLD)])
    assert small.add(small_log).messages_added > 0
    assert len(small.search(TOLD)) == 1
    assert small.deletions() == []


def test_a_stopped_import_adds_nothing(memory: ChatMemory, small_log: Path) -> None:
    seen: list[Progress] = []
    with pytest.raises(ImportStopped, match="nothing was added"):
        memory.add(small_log, progress=seen.append, cancelled=lambda: len(seen) >= 3)
    assert memory.info().messages == 0
    assert memory.add(small_log).messages_added == 9


@pytest.mark.slow
@pytest.mark.parametrize(("step", "total"), [("import", None), ("indexing", 1000)])
def test_an_import_of_one_chat_tells_how_far_it_is_and_stops_on_the_way(
    memory: ChatMemory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    total: int | None,
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 300)
    begun = datetime(2024, 1, 3, 9)
    rows = [
        f"{begun + timedelta(minutes=37 * n):%d/%m/%Y, %H:%M} - {'Ann' if n % 3 else 'Bob'}: Number {n}"
        for n in range(1000)
    ]
    chat = tmp_path / "WhatsApp Chat with Ann.txt"
    chat.write_text("\n".join(rows), encoding="utf-8")
    seen: list[Progress] = []

    def midway() -> bool:
        return any(now.step == step and 200 <= now.done < 900 for now in seen)

    with pytest.raises(ImportStopped, match="nothing was added"):
        memory.add(chat, progress=seen.append, cancelled=midway, date_order="dmy")
    assert memory.info().messages == 0
    assert (seen[-1].step, seen[-1].total) == (step, total)
    seen.clear()
    assert memory.add(chat, progress=seen.append, date_order="dmy").messages_added == 1000
    told = [now.done for now in seen if now.step == step]
    assert told == sorted(told)
    assert told[-1] == 1000


@pytest.mark.slow
def test_an_import_of_many_files_stops_while_they_are_compared_with_known_chats(
    memory: ChatMemory, tmp_path: Path
) -> None:
    log = write_log(
        tmp_path / "log",
        {f"202603{day:02}_0900": ("Ann: Number one", "Bob: And two") for day in range(1, 29)},
    )
    assert memory.add(log).messages_added == 56
    added = {f"202604{day:02}_0900": ("Ann: Number three",) for day in range(1, 29)}
    write_log(log, added)
    seen: list[Progress] = []

    def midway() -> bool:
        return any(now.step == "joining" and now.done >= 20 for now in seen)

    with pytest.raises(ImportStopped, match="nothing was added"):
        memory.add(log, progress=seen.append, cancelled=midway)
    assert (seen[-1].step, seen[-1].done, seen[-1].total) == ("joining", 20, 56)
    assert memory.info().messages == 56
    assert memory.search("two")
    assert memory.add(log).messages_added == 28


def test_an_import_that_adds_nothing_leaves_the_trash(
    small: ChatMemory, small_log: Path, tmp_path: Path
) -> None:
    small.delete(chats=[chat_of(small, TOLD)])
    other = write_log(tmp_path / "other", {"20260601_1000": ("NinaVale: The boat is blue.",)})
    seen: list[Progress] = []
    with pytest.raises(ImportStopped):
        small.add(other, progress=seen.append, cancelled=lambda: bool(seen))
    small.restore()
    assert len(small.search(TOLD)) == 1


def test_a_rating_goes_with_the_messages_it_showed(small: ChatMemory) -> None:
    answer = small.ask("Who is the piano tuner?")
    assert isinstance(answer, Answer)
    small.rate(answer, liked=True)
    small.rate(answer, liked=False)
    (kept,) = ratings(small._store)
    assert not kept.liked
    small.delete_chat((answer.sources or answer.closest)[0].message.chat_id)
    assert ratings(small._store) == []


def test_memories_share_models_but_nothing_else(small: ChatMemory) -> None:
    with small.beside(":memory:") as other:
        assert other.info().messages == 0
        assert small.search(TOLD)
    assert isinstance(small.models.loaded, ScriptedModel)
    assert not small.models.loaded.closed


def test_tuned_reads_the_same_messages_under_other_settings(small: ChatMemory) -> None:
    tuned = small.tuned(abstain_below=1.0)
    assert tuned.ask("Who is the piano tuner?").abstained
    assert not small.ask("Who is the piano tuner?").abstained
    assert tuned.info() == small.info()
