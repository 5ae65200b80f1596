"""A reasoning path as one interactive HTML page (pyvis), which opens offline and runs no message text.

pyvis draws. Only the two scripts of its template are used, as the rest loads Bootstrap from the network.
A Content-Security-Policy with the scripts' hashes forbids the page to run or load anything else.
``path_layout`` decides which nodes are drawn, and where.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import PathNode, ReasoningPath
from minirag_chat.show.page_assets import asset
from minirag_chat.show.path_layout import Drawing, lay_out
from minirag_chat.show.path_style import (
    BACKGROUND,
    INSIDE,
    LOOKS,
    TEXT,
    Mode,
    legend,
    mark_rules,
    theme,
)
from minirag_chat.show.safe_text import in_html, in_script, plain, without_http

NAME_LENGTH, UNDER_LENGTH = 30, 24
_DETAIL_LENGTH = 600
_ROW_HEIGHT = 92
_LEAST_HEIGHT, _MOST_HEIGHT = 260, 540
_SCRIPT = lazy(r"<script[^>]*>(.*?)</script>", re.DOTALL)
_SCHEME = lazy(r"https?://(?!www\.w3\.org/2000/svg\b)")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_EMPTY = (
    '<p class="empty"><b>No path to show</b>Nothing in the messages led from this question to an '
    "answer.</p>"
)
_LINES: Mapping[Mode, Mapping[str, str]] = {
    "light": {"soft": "#8b95a3", "cited": "#0b5cad", "strong": "#1b2028"},
    "dark": {"soft": "#76808f", "cited": "#7db8ff", "strong": "#ffffff"},
}
_DARK_PAGE = "--ink:#e9edf3;--paper:#14171c;--soft:#b3bcc8;--line:#3a424e;--wash:#222831;"
_DARK_PAGE += "--focus:#7db8ff;color-scheme:dark"


def path_html(path: ReasoningPath) -> str:
    """The path as a complete HTML page without external references, in the reader's light or dark mode.

    Fits ``<iframe sandbox="allow-scripts" srcdoc=…>``; there, picking a message posts
    ``{type: "minirag-open-message", id: N}`` to the parent window.
    """
    if not path.nodes:
        return _page(_POLICY, _EMPTY, "")
    drawn = lay_out(path)
    scripts = _scripts(drawn)
    hashes = " ".join(_csp_hash(script) for script in scripts)
    colours = in_script(json.dumps({"looks": theme(), "lines": _lines()}))
    body = Template(asset("path_graph.html")).substitute(
        legend=legend((node.type for node in drawn.path.nodes), drawn.left_out),
        height=_height(drawn),
        summary=in_html(_summary(drawn)),
        words=_words(drawn),
    )
    run = [f"<script>{script}</script>" for script in scripts]
    return _page(
        f"{_POLICY}; script-src {hashes}; base-uri 'none'; form-action 'none'",
        body.rstrip(),
        "\n".join([f'<script type="application/json" id="theme">{colours}</script>', *run]),
    )


def _page(policy: str, body: str, scripts: str) -> str:
    return Template(asset("path_page.html")).substitute(
        policy=policy, style=_style(), body=body, scripts=scripts
    )


def write_path_graph(path: ReasoningPath, file: str | Path) -> Path:
    """Write ``path_html`` as UTF-8; returns the file's path. Missing parent folders are created."""
    target = Path(file)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(path_html(path), encoding="utf-8", newline="\n")
    return target


def _style() -> str:
    dark = f":root{{{_DARK_PAGE}}}{mark_rules('dark')}"
    light = asset("path_graph.css") + mark_rules("light")
    return f"{light}@media (prefers-color-scheme: dark){{{dark}}}"


def _height(drawing: Drawing) -> int:
    """The graph's height in pixels, by its longest column."""
    tallest = round(max(drawing.row.values()) - min(drawing.row.values())) + 1
    return max(_LEAST_HEIGHT, min(_MOST_HEIGHT, tallest * _ROW_HEIGHT + 60))


def _scripts(drawing: Drawing) -> list[str]:
    """vis-network, pyvis's drawing of this path, and ours; without the URLs in their comments."""
    page = _network(drawing).generate_html().replace("\r\n", "\n")
    found: list[str] = _SCRIPT.findall(page)
    library = next(script for script in found if "@license" in script)
    draw = next(script for script in found if "function drawGraph" in script)
    # pyvis escaped its JSON for HTML; only the word http of links in it is still to be escaped.
    # The URLs in the library are licence notices and an error text; only the SVG namespace works.
    return [_SCHEME.sub("", library), without_http(draw), asset("path_graph.js")]


def _csp_hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _lines() -> dict[str, dict[str, str]]:
    modes: tuple[Mode, Mode] = ("light", "dark")
    return {m: {**_LINES[m], "paper": BACKGROUND[m], "text": TEXT[m]} for m in modes}


def _network(drawing: Drawing) -> Any:
    """The pyvis network. Ids are numbers and no text is a pyvis title: pyvis renders titles as HTML."""
    from pyvis.network import Network  # type: ignore[import-untyped]  # it ships no types

    net = Network(height="100%", width="100%", directed=True, cdn_resources="in_line")
    number = {node.id: place for place, node in enumerate(drawing.path.nodes)}
    for node in drawing.path.nodes:
        net.add_node(number[node.id], **_node(node, drawing))
    top = max((edge.score for edge in drawing.path.edges), default=0.0) or 1.0
    cited = {node.id for node in drawing.path.nodes if node.type == "message"}
    for edge in drawing.path.edges:
        net.add_edge(
            number[edge.source],
            number[edge.target],
            width=round(1.2 + 2.2 * max(0.0, edge.score) / top, 2),
            cited=edge.target in cited or edge.source in cited,
            words=plain(edge.label, _DETAIL_LENGTH),
        )
    net.options = _options()
    return net


def _node(node: PathNode, drawing: Drawing) -> dict[str, Any]:
    look = LOOKS[node.type]
    return {
        "label": plain(_short(node, drawing), _length(node)) or look.word,
        "name": plain(node.name, _DETAIL_LENGTH) or look.word,
        "detail": plain(node.detail, _DETAIL_LENGTH),
        "word": look.word,
        "kind": node.type,
        "shape": look.shape,
        "inside": look.shape in INSIDE,
        "shapeProperties": {"borderDashes": [5, 4] if look.dashed else False, "borderRadius": 5},
        "message": node.message_id,
        "layer": drawing.layer[node.id],
        "x": drawing.layer[node.id] * 200,
        "y": round(drawing.row[node.id] * _ROW_HEIGHT, 1),
        "y0": round(drawing.row[node.id] * _ROW_HEIGHT, 1),
    }


def _length(node: PathNode) -> int:
    """The label length. Labels under a mark are shorter than in a box, as they may overlap others."""
    return NAME_LENGTH if LOOKS[node.type].shape in INSIDE else UNDER_LENGTH


def _short(node: PathNode, drawing: Drawing) -> str:
    """A passage's name without its chat, which is shown beside it."""
    if node.type == "chunk":
        chats = [other.name for other in drawing.path.nodes if other.type == "chat"]
        for chat in sorted(chats, key=len, reverse=True):  # one title may be a prefix of another
            if node.name.startswith(f"{chat}, "):
                return node.name.removeprefix(f"{chat}, ")
    return node.name


def _options() -> dict[str, Any]:
    font = {"size": 15, "face": "system-ui, Segoe UI, Roboto, Arial, sans-serif"}
    return {
        "physics": {"enabled": False},
        "nodes": {
            "size": 11,
            "borderWidth": 2,
            "borderWidthSelected": 3,
            "margin": 7,
            "widthConstraint": {"maximum": 116},
            "font": {**font, "strokeWidth": 3, "vadjust": -2},
        },
        "edges": {
            "font": {**font, "size": 12},
            "arrows": {"to": {"enabled": True, "scaleFactor": 0.5}},
            "smooth": {"type": "cubicBezier", "forceDirection": "horizontal", "roundness": 0.45},
            "hoverWidth": 0.6,
            "selectionWidth": 0.6,
        },
        "interaction": {
            "hover": True,
            "tooltipDelay": 120,
            "zoomSpeed": 0.6,
            "keyboard": {"enabled": True, "bindToWindow": False},
        },
    }


def _summary(drawing: Drawing) -> str:
    messages = sum(node.type == "message" for node in drawing.path.nodes)
    nodes, links = len(drawing.path.nodes), len(drawing.path.edges)
    return f"Graph of {nodes} marks and {links} links, from the question to {messages} messages"


def _words(drawing: Drawing) -> str:
    """The path as a list, for those who cannot see the graph or use a mouse."""
    names = {n.id: plain(n.name, 80) or LOOKS[n.type].word for n in drawing.path.nodes}
    following: dict[str, list[str]] = {node.id: [] for node in drawing.path.nodes}
    for edge in drawing.path.edges:
        label = f" ({plain(edge.label, 80)})" if edge.label else ""
        following[edge.source].append(names[edge.target] + label)
    order = sorted(drawing.path.nodes, key=lambda n: (drawing.layer[n.id], drawing.row[n.id]))
    return "\n".join(_word(node, names[node.id], following[node.id]) for node in order)


def _word(node: PathNode, name: str, following: list[str]) -> str:
    word, detail = in_html(LOOKS[node.type].word), plain(node.detail, _DETAIL_LENGTH)
    parts = [f'<li><b><bdi>{in_html(name)}</bdi></b> <span class="kind">{word}</span>']
    if node.message_id is not None:
        parts.append(
            f'<button type="button" data-message-id="{node.message_id:d}">Show message</button>'
        )
    if detail:
        parts.append(f"<q><bdi>{in_html(detail)}</bdi></q>")
    if following:
        links = ", ".join(f"<bdi>{in_html(text)}</bdi>" for text in following)
        parts.append(f'<span class="next">leads to {links}</span>')
    return "".join(parts) + "</li>"
