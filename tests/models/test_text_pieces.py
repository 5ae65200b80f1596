from __future__ import annotations

from collections.abc import Sequence

import pytest

from minirag_chat.models.text_pieces import TextPieces, repeats_itself


def bytes_as_tokens(tokens: Sequence[int]) -> str:
    return bytes(tokens).decode("utf-8", errors="replace")


@pytest.mark.parametrize("text", ["plain", "李华 came 🎉 twice 👩‍👩‍👧", "é", ""])
def test_pieces_join_to_the_text_and_none_holds_half_a_character(text: str) -> None:
    pieces = TextPieces(bytes_as_tokens)
    given = [pieces.add(byte) for byte in text.encode()]
    assert "".join([*given, pieces.end()]) == text
    assert all("\ufffd" not in piece for piece in given)


def test_a_character_that_is_never_finished_is_left_out() -> None:
    pieces = TextPieces(bytes_as_tokens)
    given = [pieces.add(byte) for byte in b"cake " + "🎉".encode()[:2]]
    assert "".join([*given, pieces.end()]) == "cake "


def test_a_passage_over_and_over_is_a_loop() -> None:
    assert repeats_itself([5, 1, 2, 3, 4, 5, 6] + [7, 8, 9, 4, 2, 6] * 4)
    assert repeats_itself([3] * 24)


def test_short_repetitions_are_none() -> None:
    assert not repeats_itself([3] * 12)
    assert not repeats_itself([1, 2, 3, 4, 5, 6, 7, 8] * 3)
    assert not repeats_itself(list(range(100)))
