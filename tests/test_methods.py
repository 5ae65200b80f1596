"""Every way of retrieval answers the same questions on the same store; each says what it needs."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from fakes import WordEmbedder
from test_slm import ReadingModel

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import IndexMissing
from minirag_chat.graph import neighbours
from minirag_chat.graph.communities import communities
from minirag_chat.graph.walk import personalised_pagerank, walk_graph
from minirag_chat.retrieve import METHODS, NEEDS, is_built
from minirag_chat.settings import STEPS
from minirag_chat.summaries.tree import soft_clusters

pytestmark = pytest.mark.model

QUESTION = "What is the secret ingredient in Ottoline's cinnamon buns?"


@pytest.fixture(scope="module")
def built(sample: ChatMemory, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    """The sample corpus with everything built, by the real embedder and a scripted model."""
    folder = tmp_path_factory.mktemp("built")
    chosen = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    shutil.copy(sample.info().database, chosen.db)
    with ChatMemory.open(chosen.db, chosen, chat_model=ReadingModel()) as memory:
        for method in {need: method for method, need in NEEDS.items()}.values():  # each index once
            memory.build(method)
        yield memory


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_message_that_answers(built: ChatMemory, method: str) -> None:
    found = built.retrieve(QUESTION, method=method, k=10)
    assert len(found) == 10
    assert len({f.message.id for f in found}) == 10
    if method not in ("lightrag", "graphrag-global"):  # read by a script; made for overviews
        assert any("black pepper" in f.message.text for f in found)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers_and_cites_messages(built: ChatMemory, method: str) -> None:
    answer = built.ask(QUESTION, method=method, history=())
    assert answer.text
    assert answer.sources or answer.closest or method == "lightrag"  # a script read for it


@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_to_the_filters(built: ChatMemory, method: str) -> None:
    person = built.people()[1]
    found = built.retrieve("What is new?", method=method, people=[person.name])
    assert found
    assert {f.message.sender_id for f in found} == {person.id}


@pytest.mark.parametrize("method", sorted(NEEDS))
def test_a_method_without_its_index_says_what_to_build(small: ChatMemory, method: str) -> None:
    with pytest.raises(IndexMissing, match=r"minirag-chat index --(slm|for)"):
        small.retrieve("Who has the key?", method=method)


def test_a_method_builds_only_what_it_needs(small: ChatMemory) -> None:
    small.build("raptor")
    assert is_built(small._store, "raptor")
    assert not is_built(small._store, "graphrag-local")
    assert not is_built(small._store, "lightrag")
    assert "nothing" in small.build("hipporag")


def saved(memory: ChatMemory, copy: Path) -> None:
    """A copy of a database that is open: not all of it need be in the file itself."""
    with closing(sqlite3.connect(copy)) as target:
        memory._store.connection.backup(target)


def test_a_summary_goes_with_the_chat_that_it_quotes(built: ChatMemory, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    saved(built, copy)
    with ChatMemory.open(copy, built.settings, embedder=built.models.embedder()) as memory:
        before = memory._store.summaries.count("tree")
        chat = memory.chats()[0]
        memory.delete_chat(chat.id)
        assert memory._store.summaries.count("tree") < before
        rows = memory._store.connection.execute("SELECT chunk_id FROM summary_chunks").fetchall()
        chunks = {r[0] for r in memory._store.connection.execute("SELECT id FROM chunks")}
        assert {r[0] for r in rows} <= chunks


def test_summaries_of_the_sample_quote_it_with_dates_and_names(built: ChatMemory) -> None:
    reports = built._store.summaries.all("report")
    assert len(reports) >= 5
    assert {r.level for r in reports} > {0}
    assert all(r.title and r.chunks for r in reports)


def test_the_walk_is_networkx_pagerank() -> None:
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, 2.0), (1, 2, 1.0), (2, 3, 4.0), (3, 0, 1.0), (2, 0, 1.0)])
    matrix = nx.to_scipy_sparse_array(graph, weight="weight")
    moves = matrix / matrix.sum(axis=0)
    start = np.array([0.7, 0.0, 0.3, 0.0])
    ours = personalised_pagerank(moves, start, 0.5)
    theirs = nx.pagerank(graph, alpha=0.5, personalization=dict(enumerate(start)), tol=1e-10)
    assert ours == pytest.approx([theirs[node] for node in range(4)], abs=1e-6)


def test_the_walk_graph_follows_the_index(small: ChatMemory, tmp_path: Path) -> None:
    before = walk_graph(small._store)
    assert walk_graph(small._store) is before
    small.delete_chat(small.chats()[0].id)
    assert len(walk_graph(small._store).chunks) < len(before.chunks)


def test_two_cliques_with_one_bridge_are_two_communities() -> None:
    edges = [(a, b, 1.0) for g in (range(5), range(10, 15)) for a in g for b in g if a < b]
    found = communities([*edges, (0, 10, 0.1)])
    assert {frozenset(range(5)), frozenset(range(10, 15))} == {c.entities for c in found}
    assert communities([*edges, (0, 10, 0.1)], without={0, 10})[0].entities == frozenset(
        range(1, 5)
    )


def test_soft_clusters_hold_every_node() -> None:
    points = np.random.default_rng(1).normal(size=(200, 24)).astype(np.float32)
    groups = soft_clusters(points)
    assert set().union(*groups) == set(range(200))
    assert 10 < len(groups) < 120
    assert sum(map(len, groups)) >= 200


@pytest.mark.parametrize("step", [name for name in STEPS if name.startswith("minirag-")])
def test_each_part_of_minirag_can_be_left_out(built: ChatMemory, step: str) -> None:
    question = "When did Priya and Kwame talk about the bakery and the ferry?"
    whole = built.retrieve(question, method="minirag", k=20)
    without = built.tuned(without=step).retrieve(question, method="minirag", k=20)
    assert without
    assert [f.signals for f in whole] != [f.signals for f in without]


def test_an_edge_of_the_model_leads_from_a_question_to_a_chunk(built: ChatMemory) -> None:
    store = built._store
    person = built.people()[0].id
    near = neighbours(store, person, 20)
    assert any(message for *_node, message in near)
    assert {node < 0 for node, *_rest in near} == {True, False}


def test_another_embedder_makes_all_vectors_anew(built: ChatMemory, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    saved(built, copy)
    with ChatMemory.open(copy, built.settings, embedder=WordEmbedder()) as memory:
        assert memory.retrieve(QUESTION)
        assert "minirag-chat index" in memory.ask(QUESTION).note
        memory.index()
        assert not len(memory._store.slm.vectors("entities").ids)
        with pytest.raises(IndexMissing):
            memory.retrieve(QUESTION, method="raptor")
