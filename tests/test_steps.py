"""Each step that can be left out, to measure it, does what its name says: with it and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings

YEAR = {
    "20260105_1000": ("Ann: I have paid the deposit for the flat.", "Ben: Well done!"),
    "20260119_1800": ("Ben: I moved the sofa into the flat today.", "Ann: Great."),
    "20260312_0900": ("Ann: When shall we clean the boat?", "Ben: Tomorrow at ten suits."),
    "20260402_0900": ("Ann: The boat is clean.", "Cem: Is the boat blue?", "Ann: It was red."),
    "20260510_0900": ("Cem: I painted a kite.", "Dov: Kites are hard."),
    "20260511_0900": ("Eda: The deposit was 1,200 euros.", "Cem: Dov and Ben helped to paint."),
}


@pytest.fixture
def year(tmp_path: Path) -> ChatMemory:
    memory = ChatMemory.open(
        tmp_path / "year.db",
        Settings.make(abstain_below=0.0),
        embedder=WordEmbedder(),
        chat_model=ScriptedModel("Because."),
    )
    memory.add(write_log(tmp_path / "log", YEAR))
    return memory


def _read(memory: ChatMemory, question: str, *left_out: str) -> str:
    """What the model was given to answer the question from."""
    tuned = memory.tuned(without=left_out)
    model = tuned.models.loaded
    assert isinstance(model, ScriptedModel)
    tuned.ask(question, history=[])
    return model.asked[-1][-1].content


def _before(text: str, one: str, other: str) -> bool:
    return text.index(one) < text.index(other)


def test_a_comparison_is_worked_out_in_code_or_left_to_the_model(year: ChatMemory) -> None:
    question = "Did Ann pay the deposit before Ben moved the sofa?"
    assert year.ask(question, history=[]).text.startswith("Yes: ")
    assert year.tuned(without=["events"]).ask(question, history=[]).text.startswith("Because.")


def test_a_relative_day_has_its_date_or_not(year: ChatMemory) -> None:
    question = "When does Ben clean the boat?"
    assert "Tomorrow at ten suits" not in _read(year, question)
    assert "Tomorrow (Friday 13 March)" in _read(year, question)
    assert "Tomorrow at ten suits" in _read(year, question, "dated")


def test_the_model_is_asked_whether_it_is_stated_or_not(year: ChatMemory) -> None:
    question = "Who painted a kite?"
    assert "stated" in year.ask(question, history=[]).signals
    assert "stated" not in year.tuned(without=["stated"]).ask(question, history=[]).signals


def test_messages_of_who_is_asked_about_count_less_without_the_step(year: ChatMemory) -> None:
    def score(memory: ChatMemory) -> float:
        found = memory.explain("What does Ben say about the flat?").evidence
        return next(e.score for e in found if "sofa" in e.message.text)

    assert score(year) > score(year.tuned(without=["speakers"]))
