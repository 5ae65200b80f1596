"""The figures are what they are called; people's verdicts belong to the answers they read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes import ScriptedModel
from small_corpus import run_small

from minirag_chat import Settings
from minirag_chat.bench.compare import compare
from minirag_chat.bench.dataset import Dataset
from minirag_chat.bench.plots import draw
from minirag_chat.bench.report import judgements, read_run, write_report
from minirag_chat.bench.run_output import Answered, Retrieved, answer_hash
from minirag_chat.bench.runner import Plan
from minirag_chat.bench.scores import (
    Judged,
    Rate,
    accuracy,
    calibration_error,
    message_ranking,
    ranking,
    refusal_curve,
    risk_coverage,
    silence,
)
from minirag_chat.bench.verdicts import HumanVerdict, agreement, match, read_verdicts
from minirag_chat.errors import BadSetting, ImportFailed, NotFound

NOTHING = "Insufficient information"


def answered(
    identity: str, *, gold: str = "tea", sure: float = 0.5, silent: bool = False
) -> Answered:
    return Answered(
        id=identity, type="Single", question="What?", gold=gold, answer=f"answer {identity}",
        abstained=silent, confidence=sure, reason=None, cited=None, model="m",
    )  # fmt: skip


@pytest.mark.slow
def test_the_paper_counts_right_wrong_and_silent() -> None:
    rows = [
        Judged(answered("1"), "right"), Judged(answered("2"), "right"), Judged(answered("3"), "wrong"),
        Judged(answered("4", silent=True), "irrelevant"),
        Judged(answered("5", gold=NOTHING, silent=True), "right"),
    ]  # fmt: skip
    figures = accuracy(rows)
    assert (figures.right.value, figures.wrong.value, figures.silent.value) == (0.6, 0.2, 0.4)
    assert figures.score == pytest.approx(0.4)
    flag = silence(rows)
    assert (flag.refused.value, flag.wrongly_refused.value) == (1.0, 0.25)


@pytest.mark.slow
def test_wilsons_interval_is_the_textbooks() -> None:
    low, high = Rate(8, 10).interval
    assert (low, high) == (pytest.approx(0.490, abs=5e-4), pytest.approx(0.943, abs=5e-4))
    assert Rate(0, 0).interval == (0.0, 1.0)


def test_ranks_become_hits_recall_and_reciprocal_rank() -> None:
    rows = [
        Retrieved("1", "Single", "bm25", (1,), 0.010),
        Retrieved("2", "Multi", "bm25", (2, 7), 0.030),
        Retrieved("3", "Multi", "bm25", (0, 0), 0.020),
    ]
    figures = ranking(rows)
    assert {k: v.count for k, v in figures.hits.items()} == {1: 1, 5: 2, 10: 2}
    assert figures.recall == pytest.approx((1 + 0.5 + 0) / 3)
    assert figures.reciprocal == pytest.approx((1 + 0.5 + 0) / 3)
    assert figures.median_ms == pytest.approx(20)


def test_ranks_of_single_messages_become_the_share_that_is_found() -> None:
    rows = [
        Retrieved("1", "Single", "bm25", (1,), 0.010, (1,)),
        Retrieved("2", "Multi", "bm25", (2, 7), 0.030, (6, 0)),
        Retrieved("3", "Multi", "bm25", (1,), 0.020),
    ]
    figures = message_ranking(rows)
    assert (figures.count, figures.first.count) == (2, 1), "of the third no message is known"
    assert figures.recalls == {5: 0.5, 10: 0.75, 20: 0.75}


def test_confidence_that_is_right_as_often_as_it_says_has_no_error() -> None:
    sure = np.array([0.75] * 4 + [0.25] * 4)
    right = np.array([True, True, True, False, False, False, False, True])
    assert calibration_error(right, sure) == pytest.approx(0)
    assert calibration_error(~right, sure) == pytest.approx(0.5)


@pytest.mark.slow
def test_the_curves_begin_with_the_surest_and_end_with_all() -> None:
    rows = [
        Judged(answered("1", sure=0.9), "right"), Judged(answered("2", sure=0.6), "wrong"),
        Judged(answered("3", sure=0.8), "right"), Judged(answered("4", gold=NOTHING, sure=0.1), "wrong"),
    ]  # fmt: skip
    coverage, risk = risk_coverage(rows)
    assert list(coverage) == [0.25, 0.5, 0.75, 1.0]
    assert list(risk) == pytest.approx([0, 0, 1 / 3, 0.5])
    thresholds, unknown, known = refusal_curve(rows)
    at_half = int(np.searchsorted(thresholds, 0.5))
    assert (unknown[at_half], known[at_half]) == (1.0, 0.0)
    assert silence(rows).separation == 1.0


def test_figures_of_one_kind_only_are_dashes_and_not_crashes() -> None:
    rows = [Judged(answered("1", silent=True), "irrelevant")]
    flag = silence(rows)
    assert np.isnan([flag.separation, flag.ranking, flag.calibration]).all()


def test_a_verdict_belongs_to_the_answer_that_was_read(tmp_path: Path) -> None:
    answers = [answered("1"), answered("2"), answered("3")]
    file = tmp_path / "v.csv"
    file.write_text(
        f"id,verdict,hash,answer\n1,right,{answer_hash('answer 1')},\n2,r,,another answer\n"
        "2,wrong,,answer  2\n3,irrelevant,,\n",
        encoding="utf-8",
    )
    found = match(answers, read_verdicts(file))
    assert {k: v.verdict for k, v in found.items()} == {
        "1": "right",
        "2": "wrong",
        "3": "irrelevant",
    }
    ours = {"1": "right", "2": "right", "3": "irrelevant"}
    agreed = agreement(answers, ours, found)
    assert agreed is not None
    assert (agreed.same.count, agreed.same.total, agreed.loose) == (2, 3, 1)
    assert agreed.kappa == pytest.approx(0.5)


def test_nobody_agrees_where_nobody_has_read() -> None:
    assert agreement([answered("1")], {"1": "right"}, {}) is None
    one = agreement([answered("1")], {"1": "right"}, {"1": HumanVerdict("1", "right")})
    assert one is not None
    assert one.kappa == 1.0


@pytest.mark.parametrize("text", ["id,verdict\n1,maybe\n", "id,verdict\n,right\n", "a,b\n1,2\n"])
def test_a_verdict_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "v.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ImportFailed, match="verdict 1: each needs an id"):
        read_verdicts(file)


@pytest.mark.slow
def test_the_report_prints_how_far_the_judge_can_be_believed(
    tmp_path: Path, plan: Callable[..., Plan]
) -> None:
    done = plan("answers")
    run_small(done)
    text = write_report(read_run(done.out)).read_text(encoding="utf-8")
    assert "no person has read these answers yet" in text
    verdicts = tmp_path / "v.csv"
    verdicts.write_text("id,verdict\n1,right\n2,right\n", encoding="utf-8")
    measured = read_run(done.out, [verdicts])
    text = write_report(measured).read_text(encoding="utf-8")
    assert "It agrees with people on 50.0%" in text
    assert "2 of the verdicts name no answer's hash" in text
    assert "Read by people: 2 of 5" in text
    assert set(judgements(measured)) == {"rules", "people"}


@pytest.mark.slow
def test_runs_are_compared_on_the_questions_that_both_answered(
    plan: Callable[..., Plan], corpus: Dataset, settings: Settings
) -> None:
    base = plan(out="base")
    run_small(base, ScriptedModel("90 euros."))
    other = plan("answers", out="other", data=corpus.chosen(types=["Single"]))
    run_small(other, ScriptedModel("Walter Quint, for 90 euros."))
    text = compare([read_run(base.out), read_run(other.out)])
    rows = {line.split(" | ")[0].strip("| "): line.split(" | ") for line in text.splitlines()[2:]}
    assert rows["base"][6] == "\u2013"
    assert rows["other"][1] == "2"
    assert rows["other"][6].startswith("+1.000")  # one of two from wrong to right
    assert rows["other"][11:14] == ["\u2013"] * 3  # it retrieved nothing
    with pytest.raises(NotFound, match="no verdicts of 'people': it has rules"):
        compare([read_run(base.out)], "people")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["messages", "questions"])
def test_runs_of_different_corpora_are_not_compared(plan: Callable[..., Plan], what: str) -> None:
    done = plan("answers")
    run_small(done)
    run = read_run(done.out)
    other = replace(run, facts={**run.facts, "key": {**run.facts["key"], what: "another"}})
    with pytest.raises(BadSetting, match=f"have different {what}: compare runs of one corpus"):
        compare([run, other])


@pytest.mark.slow
def test_the_curves_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plots need the extra `bench`")
    rows = [Judged(answered("1", sure=0.9), "right"), Judged(answered("2", gold=NOTHING), "wrong")]
    for some in (rows, []):
        for file in draw(some, tmp_path):
            assert file.read_bytes().startswith(b"\x89PNG")
