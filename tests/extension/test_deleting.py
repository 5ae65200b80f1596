"""Deleting over REST: previewed, undone, wiped, proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from calling import Fetch, get, post, refusal
from test_forgetting import CANARY, EXPORT, KINDS, PLACE, found_in

pytestmark = pytest.mark.process

DB = "boats.db"


@pytest.fixture
def boats(databases: Any, jp_root_dir: Path) -> Path:
    (jp_root_dir / "result.json").write_text(EXPORT, encoding="utf-8")
    databases.open(DB, create=True).memory.add(jp_root_dir / "result.json")
    found: Path = jp_root_dir / DB
    return found


async def said(jp_fetch: Fetch, path: str, **body: Any) -> Any:
    return json.loads((await post(jp_fetch, path, **{"db": DB, **body})).body)


@pytest.mark.parametrize("kind", KINDS)
async def test_nothing_is_left_of_what_is_deleted(jp_fetch: Fetch, boats: Path, kind: str) -> None:
    assert found_in(boats, CANARY, PLACE) == [CANARY, PLACE]
    shown = (await said(jp_fetch, "delete", preview=True, **KINDS[kind]))["would_be_deleted"]
    assert shown["first"].startswith("2026-03-01")
    gone = (await said(jp_fetch, "delete", prove=True, **KINDS[kind]))["deleted"]
    assert gone["messages"] == shown["messages"]
    assert gone["proof"]["leaks"] == []
    assert found_in(boats, CANARY, PLACE) == []


@pytest.mark.parametrize(
    "body",
    [
        {"everything": "yes"}, {"everything": 1}, {"chats": [True]}, {"messages": ["1"]},
        {"people": [1.0]}, {"messages": [1], "preview": "yes"},
    ],
)  # fmt: skip
async def test_nothing_is_deleted_by_a_value_of_another_type(
    jp_fetch: Fetch, boats: Path, body: dict[str, Any]
) -> None:
    status, sentence = await refusal(post(jp_fetch, "delete", db=DB, **body))
    assert (status, "is not valid" in sentence) == (400, True), sentence
    assert found_in(boats, CANARY, PLACE) == [CANARY, PLACE]


@pytest.mark.parametrize("number", [10**18, 2**63, 10**23])
async def test_the_number_of_no_message_is_not_found(
    jp_fetch: Fetch, boats: Path, number: int
) -> None:
    status, sentence = await refusal(post(jp_fetch, "delete", db=DB, messages=[number]))
    assert (status, "There is no message" in sentence) == (404, True), sentence


async def test_a_deletion_is_undone_and_the_trash_emptied(jp_fetch: Fetch, boats: Path) -> None:
    gone = (await said(jp_fetch, "delete", messages=[1]))["deleted"]
    waiting = json.loads((await jp_fetch("minirag-chat", "trash", params={"db": DB})).body)[
        "deletions"
    ]
    assert [d["number"] for d in waiting] == [gone["number"]]
    assert (await said(jp_fetch, "restore", number=gone["number"]))["restored"]["messages"] == 1
    assert (await refusal(post(jp_fetch, "restore", db=DB)))[0] == 404
    await said(jp_fetch, "delete", messages=[1])
    wiped = await said(jp_fetch, "empty", prove=True)
    assert (wiped["wiped"], wiped["proof"]["leaks"]) == (1, [])
    assert found_in(boats, CANARY) == []


async def test_a_name_is_replaced(jp_fetch: Fetch, boats: Path) -> None:
    person = {"person": "Olga Prizzle", "by": "Person 7"}
    assert (await said(jp_fetch, "rename", preview=True, **person))["would_be_changed"]["messages"]
    changed = (await said(jp_fetch, "rename", prove=True, **person))["changed"]
    assert changed["proof"]["leaks"] == []
    assert found_in(boats, "prizzle") == []


async def test_what_is_not_clear_is_refused(jp_fetch: Fetch, boats: Path) -> None:
    for body in ({}, {"messages": [1], "everything": True}, {"message": [1]}):
        status, sentence = await refusal(post(jp_fetch, "delete", db=DB, **body))
        assert status == 400, sentence
    assert (await refusal(post(jp_fetch, "delete", db=DB, messages=[99])))[0] == 404
    assert await get(jp_fetch, "info")
