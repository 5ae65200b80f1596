"""Both stores side by side on made-up histories: what was planted is found, and nothing measured twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from postgres_server import PostgresServer

from minirag_chat.bench import compare_stores
from minirag_chat.bench.compare_stores import growth_exponents, measure_stores, store_row
from minirag_chat.bench.synthetic_history import HistoryPlan, history, planted

# Questions: what is asserted needs no steady figures.
FEW = dict.fromkeys(compare_stores.USERS, 1) | {1: 5}


@pytest.mark.slow
def test_what_is_planted_is_in_the_history_once() -> None:
    plan = HistoryPlan(messages=2000)
    said = [row["text"] for row in history(plan)]
    assert len(said) == 2000
    assert all(said.count(one.text) == 1 for one in planted(plan))


@pytest.mark.slow
@pytest.mark.process
def test_both_stores_are_measured_and_kept(tmp_path: Path, postgres: PostgresServer) -> None:
    server = postgres.address(empty=True)
    found = measure_stores(tmp_path, [1000], server, users=FEW)
    assert [(one.store, one.messages) for one in found] == [("SQLite", 1000), ("PostgreSQL", 1000)]
    assert all(one.asked.pool > 0.9 for one in found)
    assert found[0].made.chunks == found[1].made.chunks
    twice = [replace(one, messages=2000) for one in found]
    exponents = growth_exponents([*found, *twice])
    assert set(exponents) == {"SQLite", "PostgreSQL"}
    costs = exponents["SQLite"].values()
    assert max(map(abs, costs)) < 1e-9, "twice the messages at the same cost"
    assert len(store_row(found[0])) == len(compare_stores.STORES_HEAD)
    kept = tmp_path / "stores-1000-SQLite.json"
    changed = {**json.loads(kept.read_text("utf-8")), "store": "kept"}
    kept.write_text(json.dumps(changed), "utf-8")
    assert measure_stores(tmp_path, [1000], server)[0].store == "kept"
