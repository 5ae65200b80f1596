"""A run may take what the model replied to the same prompts before, and asks only the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import ScriptedModel, ScriptedReader
from small_corpus import QUESTIONS, run_small, write_corpus

from minirag_chat.bench.dataset import load_dataset
from minirag_chat.bench.report import figures_of, read_run, write_report
from minirag_chat.bench.run_model import RunModel, run_model
from minirag_chat.bench.run_output import Answered, read_lines
from minirag_chat.bench.runner import Plan
from minirag_chat.models.protocols import ChatReader, GrammarModel
from minirag_chat.records import Turn

Make = Callable[..., Plan]
ASKED = (Turn("system", "Be brief."), Turn("user", "Where is the van?"))
OTHER = (Turn("system", "Be brief."), Turn("user", "Whose is the van?"))


def answers(plan: Plan) -> list[Answered]:
    return read_lines(plan.out / "answers.jsonl", Answered)


@pytest.mark.slow
def test_the_same_prompts_are_not_put_to_the_model_again(plan: Make) -> None:
    first = replace(plan("answers"), reuse=True)
    again = replace(plan("answers", out="again"), reuse=True)
    assert len(run_small(first).asked) == 5
    assert run_small(again, ScriptedModel("Something else.")).asked == []
    said = [(a.answer, a.signals) for a in answers(again)]
    assert said == [(a.answer, a.signals) for a in answers(first)]


@pytest.mark.slow
def test_known_replies_do_not_count_for_speed(plan: Make) -> None:
    run_small(replace(plan("answers"), reuse=True))
    again = replace(plan("answers", out="again"), reuse=True)
    run_small(again)
    assert [a.timings for a in answers(again)] == [{}] * 5
    assert figures_of(read_run(again.out))["seconds"] == {}
    assert "total, s" not in write_report(read_run(again.out)).read_text(encoding="utf-8")


@pytest.mark.slow
def test_only_what_changed_is_asked(plan: Make, tmp_path: Path) -> None:
    run_small(replace(plan("answers"), reuse=True))
    one = ("6", "Who tuned the piano?", "Walter Quint", "20260105_10:00", "Single")
    more = load_dataset(write_corpus(tmp_path / "more", [*QUESTIONS, one]))
    asked = run_small(replace(plan("answers", out="more", data=more), reuse=True)).asked
    assert [turns[-1].content.count("Who tuned the piano?") for turns in asked] == [1]


@pytest.mark.slow
def test_without_being_told_to_nothing_is_taken_from_before(plan: Make) -> None:
    run_small(replace(plan("answers"), reuse=True))
    assert len(run_small(plan("answers", out="again")).asked) == 5


def test_another_length_or_another_question_is_another_reply(tmp_path: Path) -> None:
    model = ScriptedModel("It stands behind the bakery.")
    asked = RunModel(model, tmp_path / "replies.jsonl")
    assert "".join(asked.stream(ASKED, max_new_tokens=9)) == "It stands behind the bakery. "
    assert "".join(asked.stream(ASKED, max_new_tokens=2)) == "It stands "
    list(asked.stream(OTHER, max_new_tokens=9))
    assert (len(model.asked), asked.reused) == (3, 0)


def test_a_reply_that_was_stopped_is_not_kept(tmp_path: Path) -> None:
    model = ScriptedModel("It stands behind the bakery.")
    asked = RunModel(model, tmp_path / "replies.jsonl")
    list(asked.stream(ASKED, max_new_tokens=9, cancelled=lambda: model.pieces >= 2))
    assert "".join(asked.stream(ASKED, max_new_tokens=9)) == "It stands behind the bakery. "


def test_a_choice_comes_back_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    first = RunModel(ScriptedModel(stated=0.75), file).choose_each([ASKED], ("Yes", "No"))
    later = RunModel(ScriptedModel(stated=0.25), file).choose_each([ASKED], ("Yes", "No"))
    assert later == first == [(0.75, 0.25)]


def test_of_several_prompts_only_the_new_ones_are_read(tmp_path: Path) -> None:
    model = ScriptedModel(stated=0.75)
    asked = RunModel(model, tmp_path / "replies.jsonl")
    third = (ASKED[0], Turn("user", "When was the van sold?"))
    before = asked.choose_each([ASKED, OTHER], ("Yes", "No"))
    model.stated = 0.25
    probabilities = [c[0] for c in asked.choose_each([ASKED, third, OTHER], ("Yes", "No")) if c]
    assert [c[0] for c in before if c] == [0.75, 0.75]
    assert probabilities == [0.75, 0.25, 0.75]


def test_a_model_in_a_run_reads_chats_where_it_does_outside_and_says_the_same_again(
    tmp_path: Path,
) -> None:
    file = tmp_path / "replies.jsonl"
    model = ScriptedReader("[1] the bakery", leans=-2.0)
    said = []
    for _ in range(2):
        reader = run_model(model, file)
        assert isinstance(reader, ChatReader)
        pieces = reader.read(ASKED, max_new_tokens=9)
        said.append((reader.silence(ASKED), "".join(piece.text for piece in pieces)))
    assert said == [(-2.0, "[1] the bakery ")] * 2
    assert len(model.asked) == 2, "the second time nothing is asked"
    assert not isinstance(run_model(ScriptedModel(), file), ChatReader)


def test_a_model_in_a_run_is_not_taken_for_one_that_is_held_to_a_grammar() -> None:
    class Held(ScriptedModel):
        write = ScriptedModel.stream

    assert isinstance(Held(), GrammarModel)
    assert not isinstance(run_model(Held()), GrammarModel), "on every Python: it cannot count that"
