"""Looking around: tables, who writes when and to whom, neighbours, one question step by step."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import pytest
from needed import needed
from places import write_log

from minirag_chat import ChatMemory
from minirag_chat.errors import BadSetting, MiniRagChatError, NotFound
from minirag_chat.names import split_joined
from minirag_chat.records import Message

pytestmark = pytest.mark.both_stores

pd = needed("pandas")


def test_messages_come_in_the_order_of_writing_and_can_be_narrowed(small: ChatMemory) -> None:
    texts = [m.text for m in small.messages()]
    assert (len(texts), texts[0]) == (9, "The piano tuner is called Walter Quint.")
    assert {m.sender for m in small.messages(people=["Tom"])} == {"TomHill"}
    assert small.messages(since="2026-01-09")[0].text.startswith("Rehearsal")
    with pytest.raises(NotFound):
        small.messages(people=["Zacharias"])


def test_tables_are_lists_of_records_and_frames(small: ChatMemory) -> None:
    frame = small.messages().frame()
    assert list(frame["sender"])[:2] == ["AnnaBerg", "TomHill"]
    assert frame["sent_at"].dt.year.unique().tolist() == [2026]
    assert small.people().frame().loc[small.people()[0].id, "name"] == small.people()[0].name
    assert set(small.chats().frame()["messages"]) == {c.messages for c in small.chats()}
    assert small.entities()[0].messages >= small.entities()[-1].messages
    assert "type" in small.entities().frame().columns


def test_an_empty_memory_gives_empty_tables_with_columns(memory: ChatMemory) -> None:
    assert list(memory.messages().frame().columns)[:2] == ["chat", "sender"]
    assert memory.timeline().periods == ()
    assert len(memory.who_talks_to_whom().graph) == 0
    assert memory.relations() == []


def test_without_pandas_the_records_are_there_and_the_remedy_is_said(
    small: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    people = small.people()
    assert people[0].name
    with pytest.raises(MiniRagChatError, match="pip install pandas"):
        people.frame()


def test_relations_are_pairs_named_in_one_message(small: ChatMemory) -> None:
    pairs = {frozenset((r.source, r.target)) for r in small.relations(least=1)}
    assert frozenset(("TomHill", "AnnaBerg")) in pairs
    example = next(
        r.example for r in small.relations(1) if {r.source, r.target} == {"TomHill", "AnnaBerg"}
    )
    assert "Anna Berg" in small.conversation(example, 0)[0].text
    assert len(small.relations(least=100)) == 0


def test_the_timeline_has_every_period_also_the_silent_ones(small: ChatMemory) -> None:
    days = small.timeline("day").periods
    assert [(p.start.day, p.messages, p.people) for p in days] == [
        (5, 3, 2), (6, 0, 0), (7, 3, 2), (8, 0, 0), (9, 3, 3),
    ]  # fmt: skip
    assert [p.start for p in small.timeline("week").periods] == [datetime(2026, 1, 5)]
    assert small.timeline("month").frame()["messages"].tolist() == [9]
    assert sum(p.messages for p in small.timeline("day", people=["Tom"]).periods) == 4
    with pytest.raises(BadSetting, match="week"):
        small.timeline("year")


def test_months_follow_one_another_over_a_year(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(write_log(tmp_path / "y", {"20251130_1000": ("A: x",), "20260301_1000": ("A: y",)}))
    starts = [p.start.strftime("%Y-%m") for p in memory.timeline("month").periods]
    assert starts == ["2025-11", "2025-12", "2026-01", "2026-02", "2026-03"]


def test_who_answers_whom_counts_turns_within_a_conversation(small: ChatMemory) -> None:
    talk = small.who_talks_to_whom()
    assert talk.weight("Tom Hill", "Anna Berg") == 2
    assert talk.weight("Anna Berg", "Tom Hill") == 2
    assert talk.weight("Sam Ortiz", "Anna Berg") == 1
    assert talk.weight("Anna Berg", "Sam Ortiz") == 0, "the session ends before she answers"
    assert not any(talk.weight(name, name) for name in talk.graph), "nobody answers themselves"
    assert talk.frame().loc["Tom Hill", "Anna Berg"] == 2


def test_who_is_left_out_is_still_who_was_answered(memory: ChatMemory, tmp_path: Path) -> None:
    said = (
        "Ben: Who has the key?",
        "Ann: I do.",
        "Cleo: Good.",
        "Ann: It is heavy.",
        "Ben: I see.",
    )
    memory.add(write_log(tmp_path / "log", {"20260105_1000": said}))
    whole = memory.who_talks_to_whom()
    assert (whole.weight("Cleo", "Ann"), whole.weight("Ben", "Ann")) == (1, 1)
    talk = memory.who_talks_to_whom(people=["Ben", "Cleo"])
    assert (talk.weight("Cleo", "Ann"), talk.weight("Ben", "Ann")) == (1, 1)
    assert (talk.weight("Cleo", "Ben"), talk.weight("Ben", "Cleo")) == (0, 0), "Ann was between"
    assert talk.weight("Ann", "Ben") == 0, "she is not asked about"


def test_a_timeline_reads_no_message(small: ChatMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    before = small.timeline("day", people=["Anna", "Tom"], since="2026-01-06")
    with monkeypatch.context() as patched:
        patched.setattr(Message, "__init__", None)
        assert small.timeline("day", people=["Anna", "Tom"], since="2026-01-06") == before
    assert [(p.start.day, p.messages) for p in before.periods] == [(7, 3), (8, 0), (9, 2)]


@pytest.mark.slow
def test_a_neighbourhood_is_a_graph_around_a_person(sample_words: ChatMemory) -> None:
    near, wide = (
        sample_words.neighbourhood("Gus", hops=1),
        sample_words.neighbourhood("gus lindqvist", hops=2),
    )
    assert near.centre.name == "GusLindqvist"
    assert 1 < len(near.graph) < len(wide.graph)
    assert set(near.graph.neighbors(near.centre.id)) == set(near.graph) - {near.centre.id}
    assert near.path.nodes[0].name == "Gus Lindqvist"
    assert near.frame()["with_centre"].min() >= 1


def test_a_thing_has_a_neighbourhood_too_and_a_stranger_a_hint(sample_words: ChatMemory) -> None:
    assert sample_words.neighbourhood("Swanhilde II").centre.type != "person"
    with pytest.raises(NotFound, match="Swanhilde"):
        sample_words.neighbourhood("Swanhil")
    with pytest.raises(NotFound, match="entities"):
        sample_words.neighbourhood("")
    with pytest.raises(BadSetting, match="1 to 4"):
        sample_words.neighbourhood("Gus", hops=0)


def test_a_question_is_explained_step_by_step(sample: ChatMemory) -> None:
    told = sample.explain("What did the crew pay Gus Lindqvist for the swan?", k=5)
    assert "GusLindqvist" in {e.name for e in told.question.entities}
    assert "amount" in told.question.answer_types or told.question.answer_types == ()
    asked = {split_joined(e.name) for e in told.question.entities}
    assert {path.names[0] for path in told.paths} <= asked, "it begins with what is asked about"
    assert [p.score for p in told.paths] == sorted((p.score for p in told.paths), reverse=True)
    assert len(told.chunks) == len(told.evidence) == 5
    total = sum(told.chunks[0].ranked.signals.values())
    assert total == pytest.approx(told.chunks[0].ranked.score), "the signals add up to the score"
    assert told.answer is not None
    assert told.answer.signals
    assert sample.explain("Where is the key?", read=False).answer is None


def test_two_methods_are_compared_on_one_question(sample: ChatMemory) -> None:
    compared = sample.compare("Where is the spare key?", ("hybrid", "bm25"), k=4)
    assert [len(found) for found in compared.found.values()] == [4, 4]
    frame = compared.frame()
    assert frame["hybrid"].dropna().tolist() == [1, 2, 3, 4]
    assert set(frame.columns) == {"text", "hybrid", "bm25"}
    with pytest.raises(NotFound, match="magic"):
        sample.compare("Where?", ("hybrid", "magic"))


def test_a_name_that_is_taken_as_two_kinds_is_drawn_once(sample_words: ChatMemory) -> None:
    asked = "Who won the race with Swanhilde II?"
    kinds = {e.type for e in sample_words.explain(asked).question.entities}
    assert {"topic", "title"} <= kinds
    path = sample_words.ask(asked).path
    drawn = [node.id for node in path.nodes if node.name == "Swanhilde II"]
    assert len(drawn) == 1
    assert any(edge.source == drawn[0] or edge.target == drawn[0] for edge in path.edges)
    assert {end for edge in path.edges for end in (edge.source, edge.target)} <= {
        node.id for node in path.nodes
    }
