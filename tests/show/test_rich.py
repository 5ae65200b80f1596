"""Records show themselves in notebooks: complete, escaped, and without asking anyone anything."""

from __future__ import annotations

import base64
import gzip
import html
import re
from html.parser import HTMLParser

import pytest
from canned import HOSTILE, abstention, answered, calm_path, hostile_answer, hostile_path, message

from minirag_chat import ChatMemory
from minirag_chat.errors import StoreError
from minirag_chat.records import Answer, Evidence, ImportReport, ReasoningPath, Skipped
from minirag_chat.show.path_graph import path_html

FRAME = re.compile(r'srcdoc="([^"]*)"')
ALLOWED = frozenset(
    "div style p span ol li bdi mark details summary iframe table caption thead tbody tr th td svg "
    "title rect text".split()
)


def forms(shown: object) -> tuple[str, str, str]:
    bundle = shown._repr_mimebundle_()
    return bundle["text/html"], bundle["text/markdown"], bundle["text/plain"]


class Seen(HTMLParser):
    """The tags and attributes that a browser would see."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def unpacked(page: str) -> str:
    """The graph page inside the frame."""
    (frame,) = FRAME.findall(page)
    packed = re.search(r'atob\("([^"]+)"\)', html.unescape(frame))
    assert packed
    return gzip.decompress(base64.b64decode(packed[1])).decode()


@pytest.mark.slow
def test_an_answer_shows_its_text_flag_sources_path_and_model() -> None:
    page, markdown, text = forms(answered("When did Wolfgang come?"))
    for form in (page, text):
        for part in ("When did Wolfgang come?", "Saturday 21 February 2026 [1]", "confidence 0.82",
                     "Li Hua", "bring the cables", "canned"):  # fmt: skip
            assert part in form
    assert "confidence 0&#46;82" in markdown
    assert unpacked(page) == path_html(calm_path())
    assert "stopped" in forms(answered("?", stopped=True))[2]


def test_an_abstention_says_so_and_shows_the_closest_messages() -> None:
    page, _, text = forms(abstention("Who?"))
    for form in (page, text):
        assert "No answer found" in form
        assert "none of them states the answer" in form
        assert "Wolfgang Schulz" in form
    assert "<iframe" not in page, "an empty path is no graph"


def test_hostile_messages_stay_text_in_every_form() -> None:
    evil = ImportReport(
        1, 1, 1, chats=HOSTILE, people=HOSTILE, notes=HOSTILE, formats=dict.fromkeys(HOSTILE, 1),
        skipped=tuple(Skipped(text, text) for text in HOSTILE),
    )  # fmt: skip
    for shown in (hostile_answer(HOSTILE[0]), evil, Evidence(message(1, HOSTILE[1], HOSTILE[2]), 1.0),
                  hostile_path()):  # fmt: skip
        page, markdown, text = forms(shown)
        seen = Seen(page)
        assert seen.tags <= ALLOWED
        assert not any(name.startswith("on") or name in {"href", "src"} for name in seen.attributes)
        assert "<script" not in markdown
        assert "![" not in markdown
        assert "](" not in markdown.replace("&#93;(", "")
        assert not any(c in text for c in "\x00\x07\u202e\u2067")


def test_a_display_fetches_nothing() -> None:
    page, _, _ = forms(answered("Who?"))
    assert "http" not in page
    assert 'sandbox="allow-scripts"' in page
    assert len(page) < 220_000, "a notebook of twenty answers stays below 5 MB"


@pytest.mark.slow
def test_every_record_has_a_display(small: ChatMemory) -> None:
    shown = [
        small, small.info(), small.people(), small.messages(), small.timeline("day"),
        small.who_talks_to_whom(), small.neighbourhood("Anna"), small.explain("Who has the key?"),
        small.compare("Who has the key?"), small.retrieve("key")[0], ReasoningPath(), calm_path(),
        small.ask("Who has the key?"), ImportReport(0, 0, 0),
    ]  # fmt: skip
    for item in shown:
        page, markdown, text = forms(item)
        assert page.startswith('<div class="mc-rich">')
        assert markdown
        assert text


def test_a_long_table_says_that_there_is_more(small: ChatMemory) -> None:
    table = small.messages()
    table.extend(list(table) * 5)
    assert "more rows" in forms(table)[0]


def test_a_closed_memory_says_so(small: ChatMemory) -> None:
    small.close()
    shown = small._repr_mimebundle_()
    assert list(shown) == ["text/plain"]
    assert shown["text/plain"].endswith("is closed: open it again.")
    with pytest.raises(StoreError, match="closed"):
        small.info()


def test_an_answer_without_anything_still_shows() -> None:
    bare = Answer("?", "", abstained=False, confidence=0.0, reason=None, sources=(), closest=(),
                  path=ReasoningPath(), timings={}, model="")  # fmt: skip
    assert "confidence 0.00" in forms(bare)[0]
