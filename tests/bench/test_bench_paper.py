"""The paper's tables: measured without a model, resumed, partial where they are partial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import WordEmbedder
from small_corpus import plans, run_small, write_corpus
from test_slm import ReadingModel

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.dataset import load_dataset
from minirag_chat.bench.paper import Growth, Measured, Pace, measure
from minirag_chat.bench.paper_figures import ABLATIONS, LIHUAWORLD, PATHS
from minirag_chat.bench.paper_tables import paper_tables
from minirag_chat.bench.report import read_run
from minirag_chat.bench.runner import Plan, indexed
from minirag_chat.bench.stored import reading_times

pytestmark = pytest.mark.slow

Plans = Callable[..., Plan]


@pytest.fixture
def paper_plan(plan: Plans, settings: Settings) -> Plan:
    return replace(
        plan("retrieval", out="paper"), settings=settings.model_copy(update={"method": "minirag"})
    )


@pytest.fixture(scope="module")
def measured_plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("measured")
    chosen = Settings(
        db=folder / "chats.db", model="extractive", model_dir=folder / "models", method="minirag"
    )
    make = plans(folder, load_dataset(write_corpus(folder / "small")), chosen)
    return make("retrieval", out="paper")


@pytest.fixture(scope="module")
def measured(measured_plan: Plan) -> Measured:
    """Measured once, for all who read it."""
    return measure(measured_plan, embedder=WordEmbedder())


def test_every_method_that_needs_no_model_is_measured(measured: Measured) -> None:
    assert {"hybrid", "bm25", "minirag", "hipporag", "raptor"} <= set(measured.methods)
    assert "lightrag" not in measured.methods
    assert {len(rows) for rows in measured.methods.values()} == {4}
    assert set(measured.ablations) == set(ABLATIONS)
    assert set(measured.paths) == set(PATHS)
    assert measured.storage.text > 0


def test_the_tables_say_whose_figure_is_whose(measured: Measured, plan: Plans) -> None:
    run_small(plan("answers", out="answers"))
    text = paper_tables(measured, [read_run(plan().out.parent / "answers")], 5, lihuaworld=True)
    for title in ("Systems", "Ablations", "Abstention", "Index time", "Storage"):
        assert f"## {title}" in text
    paper_row = next(line for line in text.splitlines() if line.startswith("| Phi-3.5"))
    assert "paper" in paper_row
    assert "53.3%" in paper_row
    assert "| ours |" in text
    assert "hybrid acc" in text
    assert "What differs" in text
    assert "No chunk was read by a model" in text


def test_another_corpus_gets_no_figures_of_the_paper(measured: Measured) -> None:
    text = paper_tables(measured, [], 5, lihuaworld=False)
    assert not any(model in text for model in LIHUAWORLD)


def test_a_part_that_a_model_read_is_labelled_partial(paper_plan: Plan) -> None:
    database = indexed(_made(paper_plan), WordEmbedder(), lambda _: None)
    model = ReadingModel()
    with ChatMemory.open(
        database, paper_plan.settings, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        memory.index_slm(limit=1)
        [(_session, _seconds, characters)] = reading_times(memory._store)
        assert characters > 50, "of what was read and written"
    found = measure(paper_plan, embedder=WordEmbedder())
    assert "lightrag" in found.methods
    assert (found.sessions_read, found.sessions) == (1, 3)
    assert found.partial == {"1", "2"}
    text = paper_tables(found, [], 5, lihuaworld=True)
    assert "Partial: it has read 1 of 3 sessions" in text
    assert "bytes, an estimate" in text


def test_a_second_call_asks_nothing_again(measured_plan: Plan, measured: Measured) -> None:
    sizes = {p: p.stat().st_size for p in measured_plan.out.rglob("*.jsonl")}
    assert sizes
    again = measure(measured_plan, embedder=WordEmbedder())
    assert {p: p.stat().st_size for p in measured_plan.out.rglob("*.jsonl")} == sizes
    assert again.methods == measured.methods


def test_growth_counts_steps_outside_a_quarter(measured: Measured) -> None:
    sized = ((55, 9.0, 40), (110, 4.0, 40), (165, 8.8, 80), (220, 6.0, 40))
    steps = tuple(Growth(documents, seconds, 1000 * kb) for documents, seconds, kb in sized)
    text = paper_tables(replace(measured, growth=steps), [], 5, lihuaworld=True)
    assert "1 of 3 steps lie outside" in text


def test_the_models_pace_is_told_by_length(measured: Measured) -> None:
    steps = (Pace(10, 20, 400.0, 20_000), Pace(20, 30, 900.0, 30_000))
    text = paper_tables(replace(measured, pace=steps), [], 5, lihuaworld=True)
    assert "| 10 | 20 | 20.0 | 20.0 | \u2013 |" in text
    assert "| 20 | 30 | 30.0 | 30.0 | +50% |" in text
    assert "Reading by the model" not in paper_tables(measured, [], 5, lihuaworld=True)


def _made(plan: Plan) -> Plan:
    Path(plan.out).mkdir(parents=True, exist_ok=True)
    return plan
