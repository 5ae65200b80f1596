"""How sure an answer is, fitted: what tells the classes apart gets the weight, and is told so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes import ScriptedModel
from small_corpus import run_small

from minirag_chat import Settings
from minirag_chat.answer import abstain
from minirag_chat.bench.examples import Example, examples
from minirag_chat.bench.fit import as_document, fit, fit_all
from minirag_chat.bench.report import read_run
from minirag_chat.bench.runner import Plan
from minirag_chat.errors import BadSetting, NotFound

pytestmark = pytest.mark.slow

Make = Callable[..., Plan]
NAMES = ("coverage", "cosine", "stated")


def told(count: int, *, telling: str) -> list[Example]:
    """Answers of two corpora, of which one signal tells whether the messages say."""
    chance = np.random.default_rng(5)
    found = []
    for number in range(count):
        known = number % 3 > 0
        signals = {name: float(chance.uniform(0.2, 0.8)) for name in NAMES}
        signals[telling] = float(chance.uniform(0.4, 0.9) if known else chance.uniform(0.1, 0.5))
        right = known and number % 2 == 0
        found.append(Example(f"corpus {number % 2}", str(number), signals, known, right))
    return found


@pytest.mark.parametrize("telling", NAMES)
def test_the_signal_that_tells_gets_the_weight(telling: str) -> None:
    found = fit(told(120, telling=telling), "answerable", NAMES)
    others = [abs(found.weights[name]) for name in NAMES if name != telling]
    assert found.weights[telling] > 3 * max(others)
    assert found.auroc["All"] > 0.9
    assert set(found.auroc) == {"All", "corpus 0", "corpus 1"}
    assert found.calibration < 0.15
    below = [point.negatives or 0.0 for point in found.curves["All"]]
    assert below == sorted(below), "a higher threshold refuses more"
    assert set(found.curves) == set(found.auroc)


def test_questions_asked_without_their_evidence_are_told_of_and_not_fitted_on() -> None:
    asked = told(120, telling="coverage")
    known = [replace(one, removed=True, answerable=False) for one in asked if one.answerable]
    alone = fit(asked, "answerable", NAMES)
    beside = fit([*asked, *known], "answerable", NAMES)
    assert beside.weights == alone.weights
    assert [p.positives for p in beside.curves["All"]] == [p.positives for p in alone.curves["All"]]
    silent = [p.removed or 0.0 for p in beside.curves["All"]]
    assert silent == sorted(silent)
    assert silent[-1] > silent[0]


def test_what_tells_nothing_is_told_to_tell_nothing() -> None:
    assert 0.3 < fit(told(120, telling="stated"), "answerable", ("cosine",)).auroc["All"] < 0.7


def test_each_kind_of_reader_has_a_fit_of_its_own() -> None:
    quoting = [
        replace(one, signals={"coverage": 0.5, "cosine": 0.5, "states": one.signals["cosine"]})
        for one in told(120, telling="cosine")
    ]
    reading = [
        replace(one, signals={**one.signals, "states": 0.0}) for one in told(120, telling="stated")
    ]
    for fits in fit_all([*quoting, *reading]).values():
        assert [set(one.weights) - {"bias"} for one in fits] == [
            {"coverage", "cosine", "stated"}, {"states"}, {"coverage", "cosine"},
        ]  # fmt: skip
        assert [one.examples for one in fits] == [120, 120, 120]


def test_too_few_answers_are_refused() -> None:
    with pytest.raises(NotFound, match="at least 20 of each"):
        fit(told(30, telling="stated"), "answerable", NAMES)


def test_what_is_written_is_what_the_engine_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = told(150, telling="stated")
    quoted = [
        replace(one, signals={k: v for k, v in one.signals.items() if k != "stated"})
        for one in told(150, telling="coverage")
    ]
    fits = fit_all([*read, *quoted])
    (tmp_path / "abstain.json").write_text(json.dumps(as_document(read, fits, "2026-11-21")))
    monkeypatch.setattr(abstain, "files", lambda package: tmp_path)
    abstain._fits.cache_clear()
    try:
        yes, no = (
            {"coverage": 0.5, "cosine": 0.5, "stated": 0.9},
            {"coverage": 0.5, "cosine": 0.5, "stated": 0.1},
        )
        assert abstain.answerable(yes) > 0.8
        assert abstain.answerable(no) < 0.2
        assert abstain.confidence(yes) < abstain.answerable(yes), (
            "half of what is answerable is right"
        )
        assert abstain.answerable({"coverage": 0.9, "cosine": 0.5}) > 0.5
        happened = {"coverage": 0.5, "cosine": 0.5, "happened": 0.9}
        assert abstain.answerable(happened) == abstain.answerable(yes)
    finally:
        abstain._fits.cache_clear()


def test_the_weights_that_ship_are_whole() -> None:
    for estimate in (abstain.answerable, abstain.confidence):
        low, high = (estimate({"coverage": 0.3, "cosine": 0.4, "stated": s}) for s in (0.05, 0.95))
        assert 0 < low < high < 1
        low, high = (estimate({"coverage": c, "cosine": 0.4}) for c in (0.05, 0.95))
        assert 0 < low < high < 1
    seen = {"coverage": 0.6, "cosine": 0.4, "stated": 0.5}
    low, high = (abstain.answerable({**seen, "silence": s}) for s in (3.0, -3.0))
    assert 0 < low < 0.5 < high < 1


def test_runs_become_examples_and_one_that_kept_silent_is_refused(
    plan: Make, settings: Settings
) -> None:
    done = plan("answers", chosen=settings.model_copy(update={"abstain_below": 0.0}))
    run_small(done, ScriptedModel("Walter Quint."))
    found = examples([read_run(done.out)])
    assert {one.answerable for one in found} == {True, False}
    assert any(one.right for one in found)
    assert all(not one.right for one in found if not one.answerable)

    sure = sorted(answer.signals["answerable"] for answer in read_run(done.out).answers)
    between = settings.model_copy(update={"abstain_below": (sure[0] + sure[-1]) / 2})
    half = plan("answers", out="half", chosen=between)
    run_small(half, ScriptedModel("Walter Quint."))
    with pytest.raises(BadSetting, match="abstain_below=0"):
        examples([read_run(half.out)])


def test_questions_that_were_only_asked_tell_nothing_of_what_is_right(
    plan: Make, settings: Settings
) -> None:
    silent = plan("answers", chosen=settings.model_copy(update={"abstain_below": 1.0}))
    run_small(silent)
    found = examples([read_run(silent.out)])
    assert {one.answerable for one in found} == {True, False}
    assert all(one.right is None for one in found)
