"""A fragment such as “how much?” is asked of the conversation that answered the question before it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from fakes import PreferringRanker, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.answer.leaning import NEARER, favouring
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.records import STATES, Evidence, Message

WHEN = datetime(2026, 1, 5, 10)
TALK = {
    "20260105_1000": ("Ann: I lost my card.", "Ben: Leila lent me 30, she has more."),
    "20260119_1800": ("Ann: the programmes are here", "Ben: how much", "Ann: 31.50, so not much more"),
}  # fmt: skip


def test_how_much_is_asked_of_what_was_answered(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "chats.db", model="extractive", abstain_below=0.0)
    models = LoadedModels(settings, WordEmbedder(), None, PreferringRanker("31.50", 1.0))
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", TALK))
        first = memory.ask("Who lent Ben money?", history=[])
        assert first.sources[0].message.text.startswith("Leila lent me 30")
        answer = memory.ask("how much", history=[(first.question, first.text)])
        assert answer.sources[0].message.text.startswith("Leila lent me 30")


def test_what_is_near_the_last_answer_comes_first_unless_another_is_far_likelier() -> None:
    def evidence(name: str, session: int, score: float) -> Evidence:
        message = Message(session, "Ann", "Ann", WHEN, name, session_id=session)
        return Evidence(message, score, signals={STATES: score})

    found = [evidence("far", 1, 5.0), evidence("elsewhere", 1, 1.0), evidence("near", 2, 0.0)]
    ordered = favouring(found, {2})
    assert [one.message.text for one in ordered] == ["far", "near", "elsewhere"]
    assert ordered[1].signals[STATES] == NEARER
