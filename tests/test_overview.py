"""Overview questions: recognised, narrowed, answered with messages; and no other question is taken for one."""

from __future__ import annotations

from datetime import datetime

import pytest
from fakes import ScriptedModel

from minirag_chat import Answer, ChatMemory
from minirag_chat.question import as_overview, map_question
from minirag_chat.records import Filters, Question

OVERVIEWS = (
    "What did we talk about?",
    "What did we talk about this spring?",
    "What have we been talking about in March 2026?",
    "What are the main themes with Priya?",
    "What are the main topics?",
    "Summarize our chats",
    "Give me an overview of everything",
    "What did Priya and Kwame talk about last month?",
    "What did Priya and I talk about in May?",
    "Give me a summary of our conversations in April",
    "\u6211\u4eec\u804a\u4e86\u4ec0\u4e48\uff1f",
    "\u6211\u4eec\u4eca\u5929\u804a\u4e86\u4ec0\u4e48\uff1f",
    "What did we talk about on 3 May at 5 PM?",
)
OTHERS = (
    "What did we talk about the ferry timetable?",
    "What did Priya say about the buns?",
    "What is the main ingredient of the buns?",
    "Who wrote the summary of the meeting?",
    "What happened to the van?",
    "What is new in the bakery window?",
    "When did we talk about Ottoline's recipe?",
    "Did Ann sum up the contract before Ben moved?",
    "What topic did Ivy choose for her thesis?",
    "How much is the ticket?",
    "What did we talk about the ferry timetable today?",
    "What happened to the van yesterday?",
    "What did we talk about in fall 0000?",
    "What did we talk about winter 9999?",
)


NOW = datetime(2026, 6, 10)


def asked(sample: ChatMemory, text: str) -> Question | None:
    return as_overview(map_question(text, sample._store, NOW, Filters()), NOW)


@pytest.mark.parametrize("text", OVERVIEWS)
def test_an_overview_question_is_recognised(sample: ChatMemory, text: str) -> None:
    assert asked(sample, text) is not None


@pytest.mark.parametrize("text", OTHERS)
def test_a_question_for_one_thing_is_not(sample: ChatMemory, text: str) -> None:
    assert asked(sample, text) is None


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did we talk about this spring?", datetime(2026, 3, 1), datetime(2026, 6, 1)),
        ("What did we talk about last winter?", datetime(2025, 12, 1), datetime(2026, 3, 1)),
        ("Summarize our chats in 2025", datetime(2025, 1, 1), datetime(2026, 1, 1)),
        ("Summarize our 2025 chats", datetime(2025, 1, 1), datetime(2026, 1, 1)),
        ("What did we talk about today?", datetime(2026, 6, 10), datetime(2026, 6, 11)),
        ("What did we talk about this week?", datetime(2026, 6, 8), datetime(2026, 6, 15)),
        ("What did we talk about this month?", datetime(2026, 6, 1), datetime(2026, 7, 1)),
        ("What did we talk about on Monday?", datetime(2026, 6, 8), datetime(2026, 6, 9)),
        ("What did we talk about over the weekend?", datetime(2026, 6, 6), datetime(2026, 6, 8)),
        ("What did we talk about since Monday?", datetime(2026, 6, 8), datetime(2026, 6, 11)),
        (
            "What did we talk about since March and before May?",
            datetime(2026, 3, 1),
            datetime(2026, 5, 1),
        ),
    ],
)
def test_a_time_that_is_named_is_the_period(
    sample: ChatMemory, text: str, start: datetime, end: datetime
) -> None:
    found = asked(sample, text)
    assert found is not None
    assert [(span.start, span.end) for span in found.times] == [(start, end)]


def test_two_times_are_two_periods(sample: ChatMemory) -> None:
    found = asked(sample, "What did we talk about yesterday and today?")
    assert found is not None
    assert [(span.start.day, span.end.day) for span in found.times] == [(9, 10), (10, 11)]


def test_an_overview_cites_messages_of_several_conversations(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about?", history=())
    assert not answer.abstained
    assert len(answer.sources) >= 5
    assert len({s.message.session_id for s in answer.sources}) >= 3
    assert [s.number for s in answer.sources] == list(range(1, len(answer.sources) + 1))
    for line in answer.text.splitlines():
        assert line.startswith("- ")
        assert line.endswith("]")
    assert {node.type for node in answer.path.nodes} >= {"question", "topic", "message"}


def test_a_period_narrows_it(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about in March 2026?", history=())
    assert answer.sources
    assert {(s.sent_at.year, s.sent_at.month) for s in answer.sources} == {(2026, 3)}


def test_a_person_narrows_it_to_conversations_with_them(sample: ChatMemory) -> None:
    person = sample.people()[2]
    answer = sample.ask(f"What are the main themes with {person.name}?", history=())
    sessions = sample._store.index.sessions_with([person.id])
    assert answer.sources
    assert all(s.message.session_id in sessions for s in answer.sources)


def test_a_time_without_messages_gives_silence(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about in 1999?", history=())
    assert answer.abstained
    assert answer.reason == "nothing_found"


def test_the_model_gives_points_and_a_line_for_each_theme(sample: ChatMemory) -> None:
    model = ScriptedModel("Somebody baked buns for the feast.", stated=0.8)
    with ChatMemory.open(sample._store.path, sample.settings, chat_model=model) as memory:
        pieces = list(memory.stream("What are the main themes?", history=()))
    answer = pieces[-1]
    assert isinstance(answer, Answer)
    assert len(pieces) == 6  # five lines, one by one, and the answer
    assert answer.confidence == pytest.approx(0.8)
    assert answer.text.count("baked buns") == 5
    assert len(model.asked) == 5


def test_themes_without_points_are_left_out(sample: ChatMemory) -> None:
    model = ScriptedModel("Buns.", stated=0.9)
    model.says_yes_to = "pepper"
    with ChatMemory.open(sample._store.path, sample.settings, chat_model=model) as memory:
        answer = memory.ask("What are the main themes?", history=())
    assert 1 <= len(answer.text.splitlines()) <= 5
