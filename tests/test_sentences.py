"""Where a sentence ends, in what people write."""

from __future__ import annotations

import pytest

from minirag_chat.extract.sentences import SENTENCE


@pytest.mark.parametrize(
    "text",
    [
        "We meet at St. Mary's at noon.", "It is 3.5 km to the mill.", "Bring fruit, e.g. plums.",
        "Ask Dr. Hill about it!", "Nimm Obst mit, z.B. Pflaumen.", "See example.org for more.",
        "Am 1. Mai ist frei.", "It ended 3:1 vs. Leeds.",
    ],
)  # fmt: skip
def test_a_dot_inside_a_sentence_ends_none(text: str) -> None:
    both = f"{text} Then we go home."
    assert [m.group().strip() for m in SENTENCE.finditer(both)] == [text, "Then we go home."]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Yes! And you? Fine...", ["Yes!", "And you?", "Fine..."]),
        ("One line\nand another", ["One line", "and another"]),
        ("Bring fruit, e.g.\nThen go", ["Bring fruit, e.g.", "Then go"]),
        ("好的。走吧！", ["好的。", "走吧！"]),  # noqa: RUF001
    ],
)
def test_marks_and_lines_end_a_sentence(text: str, parts: list[str]) -> None:
    assert [m.group().strip() for m in SENTENCE.finditer(text)] == parts
