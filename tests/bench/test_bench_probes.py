"""Probes: what a model's hidden state tells is found, and nothing that it does not tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from fakes import OpenModel
from sklearn.metrics import roc_auc_score
from small_corpus import run_small

from minirag_chat import Settings
from minirag_chat.answer import probe
from minirag_chat.bench.examples import Example, examples
from minirag_chat.bench.fit import as_probe_document
from minirag_chat.bench.lines import packed, unpacked
from minirag_chat.bench.probes import probed
from minirag_chat.bench.report import read_run
from minirag_chat.bench.runner import Plan

Make = Callable[..., Plan]
SIZE = 48


def seen(count: int, *, telling: float, copies: int = 1) -> list[Example]:
    """Questions whose states differ by ``telling`` along one of their dimensions; noise else."""
    chance = np.random.default_rng(3)
    found = []
    for number in range(count):
        known = bool(chance.integers(2))
        state = chance.normal(size=SIZE)
        state[7] += telling if known else -telling
        kept = packed(state.astype(np.float32))
        one = Example(
            "one", f"one:{number}", {"probe": 9.0}, known, None, weights="open", state=kept
        )
        found += [one] * copies
    return found


def told(found: Sequence[Example]) -> float:
    """How well the probes' signal tells, on questions that they did not know."""
    truth = [one.answerable for one in found]
    return float(roc_auc_score(truth, [one.signals["probe"] for one in found]))


def test_what_a_state_tells_is_found() -> None:
    known, (fitted,) = probed(seen(300, telling=1.5))
    assert told(known) > 0.9
    assert fitted.states == 300
    assert int(np.argmax(np.abs(fitted.probe.weights))) == 7
    rows = seen(20, telling=4.0)
    says = [fitted.probe.log_odds(unpacked(one.state)) > 0 for one in rows]
    assert says == [one.answerable for one in rows]


@pytest.mark.parametrize("copies", [1, 3])
def test_what_a_state_does_not_tell_is_not_found_however_often_it_is_asked(copies: int) -> None:
    known, _ = probed(seen(200, telling=0.0, copies=copies))
    assert 0.35 < told(known) < 0.65


def test_too_few_states_make_no_probe_and_no_signal() -> None:
    known, fitted = probed(seen(60, telling=3.0))
    assert not fitted
    assert all("probe" not in one.signals for one in known), "what an earlier probe said is dropped"


def test_what_is_written_is_what_the_engine_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = seen(200, telling=2.0)
    _, (fitted,) = probed(found)
    document = as_probe_document(fitted, found, "2026-11-21")
    assert document["fitted_on"] == {"date": "2026-11-21", "one": "200 states"}
    (tmp_path / probe.probe_file("open")).write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setattr(probe, "files", lambda package: tmp_path)
    probe.probe_of.cache_clear()
    try:
        read = probe.probe_of("open")
        assert read is not None
        state = unpacked(found[0].state)
        assert read.log_odds(state) == pytest.approx(fitted.probe.log_odds(state))
        assert probe.probe_of("another") is None
    finally:
        probe.probe_of.cache_clear()


def test_a_run_keeps_the_states_of_questions_asked_with_and_without_their_evidence(
    plan: Make, settings: Settings
) -> None:
    asked = plan("answers", "removed", chosen=settings.model_copy(update={"abstain_below": 1.0}))
    run_small(asked, OpenModel(knows="Walter Quint"))
    found = examples([read_run(asked.out)])
    assert all(one.right is None and one.weights == "open" for one in found)
    assert [one.answerable for one in found].count(True) == 4
    tuner = [one for one in found if one.question == "small:1"]
    assert [(one.answerable, unpacked(one.state)[0]) for one in tuner] == [(True, 4), (False, -4)]
