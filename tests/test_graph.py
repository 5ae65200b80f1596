"""Eq. 2 and Eq. 3 on a graph small enough to check by hand, and the subgraph out of the store."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from minirag_chat import ChatMemory
from minirag_chat.graph import answer_nodes, best_paths, edge_scores, key_edges, subgraph


@pytest.fixture
def chain() -> nx.Graph[int]:
    """1 – 2 – 3 – 4 – 5, where 1 is the seed and 4 a place."""
    graph: nx.Graph[int] = nx.Graph()
    for node in range(1, 6):
        graph.add_node(node, name=str(node), type="place" if node == 4 else "person")
    nx.add_path(graph, range(1, 6))
    return graph


def test_equation_2_counts_the_marked_nodes_within_k_hops_of_an_edge(chain: nx.Graph[int]) -> None:
    scores = edge_scores(chain, {1, 4}, hops=1)
    assert scores == {(1, 2): 1, (2, 3): 2, (3, 4): 1, (4, 5): 1}
    assert edge_scores(chain, {1, 4}, hops=0) == {(1, 2): 1, (2, 3): 0, (3, 4): 1, (4, 5): 1}


def test_key_edges_are_the_best_and_never_the_worthless(
    chain: nx.Graph[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = edge_scores(chain, {1, 4}, hops=0)
    assert set(key_edges(scores)) == {(1, 2), (3, 4), (4, 5)}
    monkeypatch.setattr("minirag_chat.graph.paths.KEY_EDGES", 1)
    assert len(key_edges(scores)) == 1


def test_equation_3_sums_key_edges_and_answer_nodes(chain: nx.Graph[int]) -> None:
    keys = {(1, 2): 1.0, (2, 3): 2.0}
    answers = answer_nodes(chain, ["place"])
    assert answers == {4}
    paths = best_paths(chain, 1, 0.5, keys, answers, longest=4, count=10)
    scores = {path.nodes: path.score for path in paths}
    assert scores[1, 2] == pytest.approx(0.5 * (1 + 1))
    assert scores[1, 2, 3] == pytest.approx(0.5 * (1 + 1 + 2))
    assert scores[1, 2, 3, 4] == pytest.approx(0.5 * (1 + 1 + 2 + 1))
    assert [p.score for p in paths] == sorted(scores.values(), reverse=True)


def test_paths_are_acyclic_and_no_longer_than_asked() -> None:
    ring: nx.Graph[int] = nx.cycle_graph(6)
    paths = best_paths(ring, 0, 1.0, {}, set(), longest=3, count=99)
    assert all(len(set(path.nodes)) == len(path.nodes) <= 4 for path in paths)
    assert len(paths) == 6


def test_the_subgraph_holds_who_is_named_together(small: ChatMemory) -> None:
    (tom,) = small._store.people.named("Tom Hill") or small._store.people.named("TomHill")
    graph = subgraph(small._store, [tom], hops=1)
    names = {data["name"] for _, data in graph.nodes(data=True)}
    assert "Tom Hill" in names
    assert "Anna Berg" in names
    assert all(tom.id in edge for edge in graph.edges if tom.id in edge)


def test_what_somebody_has_is_filed_under_the_name_and_a_shop_keeps_its_own(
    memory: ChatMemory, tmp_path: Path
) -> None:
    log = tmp_path / "buns.txt"
    log.write_text(
        "Time: 20260110_09:00\nSamOrtiz: We had some of Ottoline's buns today\n"
        "SamOrtiz: I think that Ottoline bakes best\n"
        "SamOrtiz: Come to dinner at Lindqvist's tonight\n",
        encoding="utf-8",
    )
    memory.add(log)
    named = {entity.name: entity.messages for entity in memory.entities()}
    assert named["Ottoline"] == 2
    assert "Lindqvist's" in named
    asked = memory.explain("What is in Ottoline's buns?").question
    assert "Ottoline" in {entity.name for entity in asked.entities}
