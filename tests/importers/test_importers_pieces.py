"""What no importer holds whole: JSON walked value by value, messages given in pieces."""

from __future__ import annotations

import io
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minirag_chat.importers import jsonwalk, pieces
from minirag_chat.importers.jsonwalk import DamagedJson, walk
from minirag_chat.importers.pieces import in_pieces
from minirag_chat.records import ParsedChat, ParsedMessage

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


def left_out(_: int) -> None:
    """Nothing here is too large."""


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(JSON, st.integers(0, 3), st.integers(1, 7), st.sampled_from([None, 1]))
def test_walking_gives_what_loading_gives(
    tree: object, depth: int, block: int, indent: int | None
) -> None:
    before = jsonwalk._BLOCK
    jsonwalk._BLOCK = block  # so small that every value is cut somewhere
    try:
        found = dict(
            walk(
                io.StringIO(json.dumps(tree, indent=indent)),
                lambda path: len(path) < depth,
                left_out,
            )
        )
    finally:
        jsonwalk._BLOCK = before
    expected: dict[Any, Any] = {}
    _flatten(tree, (), depth, expected)
    assert found == expected


def _flatten(value: Any, path: tuple[Any, ...], depth: int, into: dict[Any, Any]) -> None:
    if len(path) < depth and isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for step, inner in items:
            _flatten(inner, (*path, step), depth, into)
    else:
        into[path] = value


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"messages": [{"a": 1}, {"b"', "messages.1"), ('{"messages": [1, 2', "messages.1"),
        ("", "its beginning"), ("[", "its beginning"), ('{"a" 1}', "`a`"), ("[1 2]", "0"), ("[" * 99999, "0"),
        ('{"messages": [' + '"' + "x" * 99, "messages.0"),
    ],
)  # fmt: skip
def test_damage_is_named_by_its_path(text: str, where: str) -> None:
    with pytest.raises(DamagedJson) as caught:
        list(walk(io.StringIO(text), lambda path: path in ((), ("messages",)), left_out))
    assert caught.value.where == where


def message(number: int, text: str = "x") -> ParsedMessage:
    return ParsedMessage(datetime(2024, 1, 1) + timedelta(minutes=number), "Ann", text)


def test_pieces_are_bounded_and_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", 10)
    titles: dict[object, str] = {}

    def numbered() -> Any:
        for n in range(35):
            yield n % 2, message(n)
        titles[1] = "known at the end"

    given_ = list(in_pieces(numbered(), lambda key: ParsedChat("x", (), title=titles.get(key))))
    assert max(len(piece.messages) for piece in given_) <= 10
    assert {piece.part for piece in given_} == {0, 1}
    for part in (0, 1):
        together = [m for piece in given_ if piece.part == part for m in piece.messages]
        assert together == [message(n) for n in range(part, 35, 2)]
    assert [p.title for p in given_ if p.part == 1][-1] == "known at the end"


def test_newest_first_is_turned_round_and_one_stray_time_turns_nothing() -> None:
    forward = [message(0, "a"), message(0, "b"), message(5, "c")]
    [piece] = in_pieces(((0, m) for m in reversed(forward)), lambda _: ParsedChat("x", ()))
    assert [m.text for m in piece.messages] == ["a", "b", "c"]
    same = [message(0, "question"), message(0, "answer")]
    for newest_first, given_ in ((True, same[::-1]), (False, same)):
        pieces_ = in_pieces(
            ((0, m) for m in given_), lambda _: ParsedChat("x", ()), newest_first=newest_first
        )
        assert [m.text for m in next(pieces_).messages] == ["question", "answer"]
    stray = [message(99, "late"), *forward, message(7, "d")]
    [piece] = in_pieces(((0, m) for m in stray), lambda _: ParsedChat("x", ()))
    assert [m.text for m in piece.messages] == ["late", "a", "b", "c", "d"]
