"""The file that keeps an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from canned import abstention, answered
from markdown_it import MarkdownIt

from minirag_chat.show.export import answers_markdown

LINK = "[1](http://evil.example)"


@pytest.mark.parametrize(
    "text", [LINK, f"see {LINK} [2]", "[1]: http://evil.example\n\n[1]", "![1](x)"]
)
def test_a_quoted_message_is_no_link_that_looks_like_a_source(text: str) -> None:
    kept = answers_markdown([replace(answered("Who?"), text=text)])
    tokens = [child for token in MarkdownIt().parse(kept) for child in token.children or ()]
    assert not {"link_open", "image"} & {token.type for token in tokens}


def test_an_answer_keeps_its_lines_and_its_list() -> None:
    text = "Two things:\n- the helmet [1]\n- *Priya* [2]\n\nIn \u201cA\u201d:\n10:00 Ann: hm [1]\n1. no list"
    kept = answers_markdown([replace(answered("What?"), text=text)])
    assert "Two things:\n\n- the helmet [1]\n- \\*Priya\\* [2]\n\nIn" in kept
    kinds = [token.type for token in MarkdownIt().parse(kept.partition("*Confidence")[0])]
    assert kinds.count("list_item_open") == 2
    html = MarkdownIt().render(kept)
    assert "In \u201cA\u201d:<br />\n10:00 Ann: hm [1]<br />\n1. no list</p>" in html


@pytest.mark.parametrize(
    "text",
    [
        "all\n===\nmine",
        "all\n---\nmine",
        "# mine",
        "> mine",
        "- # mine",
        "a\n1) b",
        "    x",
        "- \n==",
        "- 1. a",
    ],
)
def test_a_line_of_a_message_makes_nothing_of_the_file(text: str) -> None:
    kept = answers_markdown([replace(answered("What?"), text=text)])
    kinds = [token.type for token in MarkdownIt().parse(kept.partition("*Confidence")[0])]
    assert kinds.count("heading_open") == 2, "the title and the question"
    assert not {"ordered_list_open", "hr", "blockquote_open", "code_block", "fence"} & {*kinds}


def test_a_source_is_named_by_its_number() -> None:
    kept = answers_markdown([answered("When?")])
    assert "21 February 2026 [1], as Li Hua confirms [2]." in kept
    assert "\n1. **" in kept


def test_the_number_of_a_silence_says_what_it_estimates() -> None:
    assert "probability that the messages state it 0.12" in answers_markdown([abstention("When?")])
    read = replace(abstention("When?"), signals={"mean": -0.4})
    assert read.withheld == ("confidence in what was read" in answers_markdown([read]))
    assert "*Confidence 0.82" in answers_markdown([answered("When?")])
