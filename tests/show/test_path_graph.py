"""The path graph's page as text: offline, small, placed well, and deaf to hostile names."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest
from canned import HOSTILE, calm_path, hostile_path, large_path

from minirag_chat.records import Answer, EntityType, NodeType, PathEdge, PathNode, ReasoningPath
from minirag_chat.show.path_graph import NAME_LENGTH, path_html, write_path_graph
from minirag_chat.show.path_layout import MAX_NODES, MAX_ROWS, lay_out, layers, trimmed
from minirag_chat.show.path_style import BACKGROUND, LOOKS, TEXT, Mode, colours
from minirag_chat.show.safe_text import in_html, in_markdown, in_script, plain

PATHS = {"calm": calm_path(), "hostile": hostile_path(), "large": large_path()}
NAMESPACE = "http://www.w3.org/2000/svg"


class Tags(HTMLParser):
    """Every element with its attributes, and every script's text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] == "script" and self.cdata_elem == "script":
            self.scripts.append(data)


def embedded(page: str, what: str) -> list[dict[str, object]]:
    found = re.search(rf"{what} = new vis\.DataSet\((\[.*?\])\);\n", page, re.DOTALL)
    assert found, f"no {what} in the page"
    return list(json.loads(found[1]))


@pytest.mark.parametrize("name", PATHS)
def test_the_page_refers_to_nothing_outside(name: str) -> None:
    page = path_html(PATHS[name])
    found = re.findall(r"http[^\s\"'<>]*", page, re.IGNORECASE)
    assert {word for word in found if not word.startswith("HTTP-EQUIV")} == {NAMESPACE}
    for tag, attributes in Tags(page).found:
        assert tag not in {"link", "img", "iframe", "base", "object"}
        assert not {"src", "href", "srcset", "action"} & set(attributes)
    assert not re.search(r"@import|url\(", page.split("<script>")[0])


def test_the_licence_notice_stays() -> None:
    page = path_html(calm_path())
    assert "The Apache 2.0 License" in page
    assert "www.apache.org/licenses/LICENSE-2.0" in page


def test_hostile_text_stays_text() -> None:
    page = path_html(hostile_path())
    tags = Tags(page)
    assert [tag for tag, _ in tags.found].count("script") == 4
    assert not any(name.startswith("on") for _, attributes in tags.found for name in attributes)
    for text in (HOSTILE[0], HOSTILE[1], "\u2028", "\u2029", "\u202e", "\x00"):
        assert text not in page


def test_the_page_is_light_or_dark_as_the_reader_has_it() -> None:
    page = path_html(calm_path())
    assert '<meta name="color-scheme" content="light dark">' in page
    light, dark = page.split("@media (prefers-color-scheme: dark)")
    assert f"--paper: {BACKGROUND['light']}" in light
    assert f"--paper:{BACKGROUND['dark']}" in dark


def test_embedded_data_gives_the_text_back() -> None:
    page = path_html(hostile_path())
    nodes = embedded(page, "nodes")
    assert [node["detail"] for node in nodes[1:]] == [plain(text) for text in HOSTILE]
    assert all(len(str(node["label"])) <= NAME_LENGTH for node in nodes)
    assert not any("title" in node for node in nodes), "pyvis shows titles as HTML"
    known = {node["id"] for node in nodes}
    for edge in embedded(page, "edges"):
        assert edge["from"] in known
        assert edge["to"] in known


def test_only_the_hashed_scripts_may_run() -> None:
    page = path_html(hostile_path())
    run = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    policy = re.search(r"script-src ([^;]*);", page)
    assert policy
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in run
    ]
    assert policy[1].split() == hashes
    assert "default-src 'none'" in page


def test_at_most_forty_nodes_are_drawn_and_the_rest_is_counted() -> None:
    path = large_path(90)
    kept = {node.id for node in trimmed(path).nodes}
    assert len(kept) == MAX_NODES
    assert kept >= {"q", "s0", "s1", "s2", "m0", "m4", "e0", "e4", "e89"}
    assert "e5" not in kept
    page = path_html(path)
    assert len(embedded(page, "nodes")) == MAX_NODES
    assert f"+{len(path.nodes) - MAX_NODES} more" in page
    assert " more</li>" not in path_html(calm_path())


def test_columns_lead_from_the_question_to_the_messages() -> None:
    layer = layers(calm_path())
    assert layer["q"] == 0
    assert layer["e1"] == layer["e2"] == 1
    assert layer["m11"] == layer["m12"] == layer["m13"] == max(layer.values())


def test_what_leads_in_stands_before_and_what_a_message_names_after() -> None:
    kinds = {
        "q": "question",
        "e": "person",
        "c": "chunk",
        "m": "message",
        "chat": "chat",
        "t": "time",
    }
    nodes = tuple(PathNode(name, kind, name) for name, kind in kinds.items())
    links = (("q", "e"), ("e", "c"), ("c", "m"), ("chat", "c"), ("m", "t"), ("m", "e"))
    path = ReasoningPath(nodes, tuple(PathEdge(a, b) for a, b in links))
    assert layers(path) == {"q": 0, "e": 1, "c": 2, "m": 3, "chat": 1, "t": 4}


def test_full_columns_are_folded_and_no_two_nodes_share_a_place() -> None:
    shown = lay_out(large_path(90))
    places = [(shown.layer[node.id], shown.row[node.id]) for node in shown.path.nodes]
    assert len(set(places)) == len(places)
    assert max(row for _, row in places) <= MAX_ROWS / 2


def test_stray_edges_and_repeated_nodes_do_no_harm() -> None:
    node = PathNode("a", "topic", "A")
    path = ReasoningPath((node, node), (PathEdge("a", "gone"), PathEdge("a", "a")))
    page = path_html(path)
    assert len(embedded(page, "nodes")) == 1
    assert embedded(page, "edges") == []


def test_an_empty_path_says_so() -> None:
    page = path_html(ReasoningPath())
    assert "No path to show" in page
    assert "<script" not in page


def test_words_name_every_node_and_open_messages() -> None:
    page = path_html(calm_path())
    for node in calm_path().nodes:
        assert in_html(node.name) in page
    buttons = [a for tag, a in Tags(page).found if tag == "button" and "data-message-id" in a]
    assert [button["data-message-id"] for button in buttons] == ["11", "12", "13"]


def test_the_file_is_utf8_and_answers_write_it(tmp_path: Path) -> None:
    file = write_path_graph(hostile_path(), tmp_path / "new" / "why.html")
    assert "你好" in file.read_text(encoding="utf-8")
    answer = Answer("?", "", True, 0.0, None, (), (), calm_path(), {}, "")  # noqa: FBT003 - an answer that has nothing
    assert answer.path_graph(tmp_path / "why.html").stat().st_size > 100_000


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_type_has_a_look_of_its_own_with_enough_contrast(mode: Mode) -> None:
    # NodeType = Literal[...] | EntityType: get_args on the union gives its two literals.
    types = {name for part in get_args(NodeType) for name in (get_args(part) or (part,))}
    assert set(LOOKS) == types >= set(get_args(EntityType))
    assert len({(look.shape, look.filled, look.dashed, look.ring) for look in LOOKS.values()}) == 12
    for look in LOOKS.values():
        colour = colours(look, mode)
        behind = colour["background"] if look.filled else BACKGROUND[mode]
        assert contrast(colour["border"], BACKGROUND[mode]) >= 3, look
        assert contrast(colour["font"], behind) >= 4.5, look
    assert contrast(TEXT[mode], BACKGROUND[mode]) >= 7


@pytest.mark.parametrize("text", HOSTILE)
def test_safe_text(text: str) -> None:
    assert json.loads(in_script(json.dumps(text))) == text
    assert not re.search(r"[<>&]|http", in_script(json.dumps({"a": text})), re.IGNORECASE)
    assert not re.search(r"[<>\"']|http", in_html(text), re.IGNORECASE)
    shown = in_markdown(text).replace("<br>", " ")
    assert not re.search(r"[<>`*_{}!\\$|#~]|\]\(|://|&(?!#\d+;)", re.sub(r"&#\d+;", "", shown))


def test_plain_is_one_short_line() -> None:
    assert plain("a\n b\t c\u202e\x00") == "a b c"
    assert plain("word " * 20, 28) == "word word word word word wo…"


def test_topics_that_only_hang_on_a_message_are_left_out_and_counted() -> None:
    kinds = {"q": "question", "m": "message", "loose": "topic", "tied": "topic", "t": "time"}
    nodes = tuple(PathNode(name, kind, name) for name, kind in kinds.items())
    links = (("q", "tied"), ("tied", "m"), ("m", "loose"), ("m", "t"))
    shown = lay_out(ReasoningPath(nodes, tuple(PathEdge(a, b) for a, b in links)))
    assert {node.id for node in shown.path.nodes} == {"q", "m", "tied", "t"}
    assert shown.left_out == 1


def test_a_passage_is_labelled_without_the_name_of_its_chat() -> None:
    nodes = (PathNode("c", "chat", "Club"), PathNode("p", "chunk", "Club, 2026-02-21 14:05"))
    page = path_html(ReasoningPath(nodes, (PathEdge("c", "p"),)))
    assert [node["label"] for node in embedded(page, "nodes")] == ["Club", "2026-02-21 14:05"]


def test_a_passage_of_a_group_is_not_labelled_as_one_of_a_chat_that_begins_alike() -> None:
    nodes = (
        PathNode("a", "chat", "Ann"),
        PathNode("b", "chat", "Ann, Bob"),
        PathNode("p", "chunk", "Ann, Bob, 2026-02-21 14:05"),
    )
    page = path_html(ReasoningPath(nodes, (PathEdge("b", "p"), PathEdge("a", "p"))))
    assert "2026-02-21 14:05" in {node["label"] for node in embedded(page, "nodes")}
