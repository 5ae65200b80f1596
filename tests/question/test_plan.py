"""Each question has one plan, which says how it is answered."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from places import write_log
from three_chats import is_overview

from minirag_chat import ChatMemory
from minirag_chat.question import PlanContext, make_plan, map_question
from minirag_chat.records import Compare, Count, Filters, Lookup, Overview, QuestionPlan

NOW = datetime(2026, 4, 30, 12)


def planned(memory: ChatMemory, text: str, *, events: bool = True) -> QuestionPlan:
    question = map_question(text, memory._store, NOW, Filters())
    return make_plan(question, PlanContext.of(memory._store, NOW), events=events)


@pytest.mark.parametrize(
    ("text", "kind", "events"),
    [
        ("Where does Anna keep the van?", Lookup, ()),
        ("When did Anna first see the van?", Lookup, ("When did Anna see the van",)),
        ("How often did Anna paint the van?", Count, ("Anna paint the van",)),
        ("Did Anna call before she sold the van?", Compare, ("Anna call", "she sold the van")),
        ("Who complained about the van?", Lookup, ()),
    ],
)
def test_a_question_is_looked_up_counted_or_compared(
    small: ChatMemory, text: str, kind: type, events: tuple[str, ...]
) -> None:
    plan = planned(small, text)
    assert type(plan) is kind
    assert not isinstance(plan, Overview)
    assert plan.events == events


def test_an_overview_leaves_nothing_to_be_looked_up(small: ChatMemory) -> None:
    plan = planned(small, "What did we talk about in March 2026?")
    assert isinstance(plan, Overview)
    assert [time.phrase for time in plan.question.times] == ["March 2026"]


def test_what_i_did_is_an_overview_whoever_i_am(memory: ChatMemory, tmp_path: Path) -> None:
    chat = {"20260302_1000": ("Ivy: I painted the van.", "Tom: And then?", "Ivy: I sold it.")}
    memory.add(write_log(tmp_path / "log", chat))
    assert is_overview(memory.ask("What did I do in March 2026?"))
    memory.set_me("Ivy")
    assert is_overview(memory.ask("What did I do in March 2026?"))


def test_without_events_everything_but_an_overview_is_looked_up(small: ChatMemory) -> None:
    plan = planned(small, "How often did Anna paint the van?", events=False)
    assert isinstance(plan, Lookup)
    assert plan.events == ()


@pytest.mark.parametrize(
    ("listed", "starts"),
    [
        ("in January and March", ["2026-01-01", "2026-03-01"]),
        ("in November, January or February", ["2025-11-01", "2026-01-01", "2026-02-01"]),
        ("in May and July last year", ["2025-05-01", "2025-07-01"]),
        ("in January and in March", ["2026-01-01", "2026-03-01"]),
        ("on 4 March and on 6 March", ["2026-03-04", "2026-03-06"]),
        ("in 2023 and 2025", ["2023-01-01", "2025-01-01"]),
        ("on 4 and 6 March", ["2026-03-04", "2026-03-06"]),
        ("in February and March", ["2026-02-01"]),
        ("between January and March", ["2026-01-01"]),
        ("between 4 and 6 March", ["2026-03-04"]),
    ],
)
@pytest.mark.parametrize("asked", ["What did we talk about", "How often did Anna paint the van"])
def test_a_list_of_times_means_no_days_between_them(
    small: ChatMemory, asked: str, listed: str, starts: list[str]
) -> None:
    times = planned(small, f"{asked} {listed}?").question.times
    assert [f"{time.start:%Y-%m-%d}" for time in times] == starts
