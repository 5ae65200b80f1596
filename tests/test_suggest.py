"""Suggested questions: what people asked and were answered, what was talked about, whose themes."""

from __future__ import annotations

import itertools
import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fakes import WordEmbedder
from growth import assert_steps_by_length, steps
from places import write_log
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app

KITCHEN = {
    "20260105_1000": (
        "Ann: Ben, what kind of flour do you use for your sourdough?",
        "Ben: Rye for the most part, with a little spelt. What about you?",
        "Ann: How about a walk in the park on Sunday?",
        "Ben: Who wants to bring the dog?",
    ),
    "20260107_1000": (
        "Ann: Where is the spare key for the cellar door?",
        "Ben: No idea, sorry, I never go down.",
        "Ann: How much does the new bread oven cost?",
        "Ben: It is 1,200 euros, delivered.",
    ),
    "20260109_1000": (
        "Ann: What did you think of it when they said that then?",
        "Ben: I thought that it was really very strange of them to say so.",
        'Ann: Have you seen "The Silent Valley"?',
        'Ben: Yes, "The Silent Valley" was the best film that I saw this year, by far.',
    ),
    "20260111_1000": ("Ann: When does the flour market open in the morning?", "Ann: Hello?"),
}


@pytest.fixture
def kitchen(tmp_path: Path) -> ChatMemory:
    memory = ChatMemory.open(
        tmp_path / "kitchen.db", Settings.make(model="extractive"), embedder=WordEmbedder()
    )
    memory.add(write_log(tmp_path / "log", KITCHEN))
    return memory


def test_what_people_asked_is_suggested_where_a_reply_has_it(kitchen: ChatMemory) -> None:
    questions = kitchen.suggestions(count=10)
    assert "How much does the new bread oven cost?" in questions
    assert not any("spare key" in q for q in questions), "the reply names no place"
    assert not any("market" in q for q in questions), "nobody replied"
    assert not any("walk" in q or "dog" in q for q in questions), "these want no answer"
    assert not any("say so" in q or "they" in q for q in questions), "who are they?"


def test_who_was_asked_is_named(kitchen: ChatMemory) -> None:
    assert "What kind of flour does Ben use for their sourdough?" in kitchen.suggestions(count=10)


def test_what_two_people_talked_about_is_suggested(kitchen: ChatMemory) -> None:
    assert "What did Ben say about The Silent Valley?" in kitchen.suggestions(count=10)


def test_nothing_is_suggested_without_messages(tmp_path: Path) -> None:
    with ChatMemory.open(tmp_path / "new.db", embedder=WordEmbedder()) as memory:
        assert memory.suggestions() == ()


def test_where_filters_limit_a_question_only_what_is_near_its_answer_is_suggested(
    kitchen: ChatMemory,
) -> None:
    assert kitchen.suggestions(near=True) == ()
    answer = kitchen.ask("How much is the bread oven?", since="2026-01-07", until="2026-01-07")
    near = kitchen.suggestions(answer, 9, near=True)
    assert near
    assert set(near) < set(kitchen.suggestions(answer, 9))
    assert not any("themes" in question for question in near)


def test_suggestions_are_about_what_the_messages_name(sample: ChatMemory) -> None:
    words = " ".join(m.message.text for m in sample.search("swan", 50))
    assert words
    questions = sample.suggestions()
    assert len(questions) == 4
    assert len(set(questions)) == 4
    for question in questions:
        assert sample.retrieve(question, k=3)
    answer = sample.ask("What was the swan pedalo called before the crew renamed it?")
    assert answer.question not in sample.suggestions(answer)


MARCH = {
    f"202603{day:02d}_1000": (
        f"Ann: The oven number {day} is on fire again, and the bakery is closed.",
        f"Ben: Then the fire brigade has oven number {day} on its list.",
        "Ann: They know the bakery by now.",
    )
    for day in range(2, 20)
}


@pytest.mark.slow
def test_the_benchmark_asks_what_is_suggested_and_for_overviews(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIRAG_CHAT_MODEL", "extractive")
    database = ["--db", str(tmp_path / "march.db")]
    log = write_log(tmp_path / "log", {**KITCHEN, **MARCH})
    assert CliRunner().invoke(app, [*database, "add", str(log)]).exit_code == 0
    with ChatMemory.open(tmp_path / "march.db") as memory:
        assert memory.overview_questions(2) == (
            "What are the main themes with Ben?",
            "What did we talk about in March 2026?",
        )
    command = [*database, "bench", "overviews", "-n", "2"]
    shown = CliRunner().invoke(app, command)
    assert shown.exit_code == 0, shown.output
    assert "What did we talk about in March 2026?" in shown.stdout
    assert re.search(r"\[1\] 2026-03-\d\d (?:Ann|Ben): ", shown.stdout)
    found = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert all(len({source["message"]["session_id"] for source in a["sources"]}) > 2 for a in found)
    command = [*database, "bench", "suggestions", "-n", "3", "--json"]
    rows = json.loads(CliRunner().invoke(app, command).stdout)
    assert "How much does the new bread oven cost?" in {row["question"] for row in rows}


@pytest.mark.slow
def test_suggestions_of_a_long_chat_of_two_cost_little(tmp_path: Path) -> None:
    run = itertools.count()

    def counted(sessions: int) -> int:
        said = ("Ann: Shall we meet near Harbour Street or at the Old Mill today?",
                "Ben: I like to go to Harbour Street very much with you.",
                "Ann: The Old Mill is fine for me too." + 200 * "\n" + "ok?")  # fmt: skip
        begin = datetime(2020, 1, 1, 10)
        log = {f"{begin + timedelta(hours=8 * n):%Y%m%d_%H%M}": said for n in range(sessions)}
        folder = tmp_path / str(next(run))
        folder.mkdir()
        with ChatMemory.open(
            folder / "chats.db", Settings.make(), embedder=WordEmbedder()
        ) as memory:
            memory.add(write_log(folder / "log", log))
            return steps(memory.suggestions, memory._store.connection)

    assert_steps_by_length(counted, 30)


def test_where_nobody_asks_what_is_counted_and_news_are_suggested(
    memory: ChatMemory, tmp_path: Path
) -> None:
    said = [f"{who}: the boat, part {n}" for n in range(30) for who in ("Ann", "Ben", "Carla")]
    memory.add(write_log(tmp_path / "log", {"20260305_1000": tuple(said)}))
    alone = tmp_path / "WhatsApp Chat with Ben.txt"
    alone.write_text("06/03/2026, 10:00 - Ben: hi\n06/03/2026, 10:01 - Ann: hi\n", encoding="utf-8")
    memory.add(alone)
    memory.set_me("Ann")
    assert memory.suggestions() == (
        "What is new with Ben?",
        "Who writes the most?",
        "What did we talk about in March 2026?",
        "Which messages have I not answered?",
    )


def test_a_short_chat_gets_three_questions(memory: ChatMemory, tmp_path: Path) -> None:
    said = [f"{'AnnaBerg' if n % 2 else 'TomHill'}: the boat, part {n}" for n in range(46)]
    memory.add(write_log(tmp_path / "log", {"20260305_1000": tuple(said)}))
    assert len(memory.suggestions()) >= 3


GARDEN = {
    "20260401_1000": (
        "Ann: I walked to the Old Mill today and the wheel was turning again.",
        "Me: The Old Mill is where I would like to live one day, you know.",
        "Dora: Nobody has lived at the Old Mill since the flood, as far as I know.",
    ),
    "20260402_1000": (
        "Ann: Dora, what kind of flour do you use for your sourdough?",
        "Dora: Rye for the most part, with a little spelt in it too.",
        "Me: Ann, how much does the bread oven in the Blue Barn cost?",
        "Ann: The Blue Barn wants 1,200 euros for it, delivered.",
    ),
    **{f"202604{day:02d}_1000": (f"Ann: The seeds of row {day} came up at Harbour Street this morning.",
                                 f"Dora: In Harbour Street I have seen row {day} as well, all green.")
       for day in range(3, 10)},
}  # fmt: skip


def test_nobody_is_asked_what_they_said_themselves(tmp_path: Path) -> None:
    with ChatMemory.open(
        tmp_path / "garden.db", Settings.make(model="extractive"), embedder=WordEmbedder()
    ) as memory:
        memory.add(write_log(tmp_path / "log", GARDEN))
        assert any("Dora" in question for question in memory.suggestions(count=12))
        memory.set_me("Dora")
        answer = memory.ask("What did Ann say about the Old Mill?")
        for questions in (memory.suggestions(count=12), memory.suggestions(answer, 12)):
            assert questions
            assert not any("Dora" in question for question in questions), questions


def test_what_is_suggested_next_follows_the_answer(tmp_path: Path) -> None:
    with ChatMemory.open(
        tmp_path / "garden.db", Settings.make(model="extractive"), embedder=WordEmbedder()
    ) as memory:
        memory.add(write_log(tmp_path / "log", GARDEN))
        memory.set_me("Me")
        asked = (
            "What did Ann say about the Old Mill?",
            "How much is the bread oven?",
            "Which row came up at Harbour Street on 5 April?",
        )
        suggested = [memory.suggestions(memory.ask(question)) for question in asked]
    assert len(set(suggested)) == 3, suggested
    assert any("Old Mill" in question for question in suggested[0])
    assert not any(" Me " in f" {question.strip('?')} " for row in suggested for question in row)
