"""The few parts that rich displays are made of, each in HTML, Markdown and plain text."""

from __future__ import annotations

import base64
import gzip
import html as escaping
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from minirag_chat.records import ReasoningPath
from minirag_chat.show.flag import Level
from minirag_chat.show.path_graph import path_html
from minirag_chat.show.path_style import LOOKS
from minirag_chat.show.safe_text import in_html, in_markdown, plain

CELL = 400
# A path page is half a megabyte, most of it the drawing library. Compressed, it is a third of that, and
# the frame decompresses it itself; the page's own policy then forbids everything else.
_UNPACK = """<!doctype html><meta charset="utf-8"><script>
const packed = Uint8Array.from(atob("{packed}"), (c) => c.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(stream).text().then((page) => {{
  document.open();
  document.write(page);
  document.close();
}});
</script>"""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A paragraph; ``role`` is its CSS class."""

    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """How sure an answer is, at a glance."""

    level: Level
    words: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A message with the relevant part highlighted; ``meta`` says who, where and when."""

    number: str
    meta: str
    text: str
    marked: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; numbers are right-aligned. ``shades`` in [0, 1] tint the cells, row by row."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    shades: Sequence[Sequence[float]] = ()


@dataclass(frozen=True, slots=True)
class GraphFrame:
    """A path graph, in a frame of its own."""

    path: ReasoningPath


@dataclass(frozen=True, slots=True)
class Bars:
    """One bar for each value, with its label."""

    labels: Sequence[str]
    values: Sequence[int]
    title: str


@dataclass(frozen=True, slots=True)
class Fold:
    """A heading under which the rest can be collapsed."""

    title: str
    page: Sequence[Part]
    opened: bool = True


Part = TextLine | Flag | Quote | Grid | GraphFrame | Bars | Fold
Page = Sequence[Part]


def when(moment: datetime) -> str:
    """As in "Sat 21 Feb 2026, 14:05"."""
    return f"{moment:%a} {moment.day} {moment:%b %Y, %H:%M}"


def cell(value: object) -> str:
    """A value as one line of text."""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, (tuple, list)):
        return ", ".join(cell(item) for item in value)
    return plain("" if value is None else str(value))


def frame(path: ReasoningPath) -> str:
    """The graph as an ``<iframe>`` that runs its own scripts and reaches nothing else."""
    packed = base64.b64encode(gzip.compress(path_html(path).encode(), mtime=0)).decode()
    page = _UNPACK.format(packed=packed)
    return (
        '<iframe title="Reasoning path" sandbox="allow-scripts" referrerpolicy="no-referrer"'
        f' srcdoc="{escaping.escape(page)}"></iframe>'
    )


# --- HTML -------------------------------------------------------------------------------------------


def html(page: Page) -> str:
    """All parts as HTML; quotes in a row become one list."""
    pieces: list[str] = []
    for part in page:
        piece = _html(part)
        if isinstance(part, Quote) and pieces and pieces[-1].endswith("</ol>"):
            pieces[-1] = pieces[-1].removesuffix("</ol>") + piece + "</ol>"
        elif isinstance(part, Quote):
            pieces.append(f'<ol class="mc-sources">{piece}</ol>')
        else:
            pieces.append(piece)
    return "".join(pieces)


def _html(part: Part) -> str:  # noqa: PLR0911 - one case a part
    match part:
        case TextLine():
            role = f' class="mc-{part.role}"' if part.role else ""
            return f'<p{role} dir="auto">{in_html(part.text)}</p>'
        case Flag():
            return f'<p><span class="mc-flag mc-{part.level}">{in_html(part.words)}</span></p>'
        case Quote():
            meta = in_html(f"{part.number} {part.meta}".strip())
            return (
                f'<li><div class="mc-meta"><bdi>{meta}</bdi></div>'
                f'<div class="mc-said" dir="auto">{_marked(part)}</div></li>'
            )
        case Grid():
            return _grid(part)
        case GraphFrame():
            return frame(part.path)
        case Bars():
            return _bars(part)
        case Fold():
            opened = " open" if part.opened else ""
            return (
                f"<details{opened}><summary>{in_html(part.title)}</summary>"
                f"{html(part.page)}</details>"
            )


def _marked(quote: Quote) -> str:
    before, found, after = quote.text.partition(quote.marked) if quote.marked else ("", "", "")
    if not found:
        return in_html(quote.text)
    return f"{in_html(before)}<mark>{in_html(found)}</mark>{in_html(after)}"


def _grid(grid: Grid) -> str:
    head = "".join(f"<th scope=col>{in_html(name)}</th>" for name in grid.head)
    rows = []
    for place, row in enumerate(grid.rows):
        shades = grid.shades[place] if grid.shades else [0.0] * len(row)
        cells = (_cell(value, shade) for value, shade in zip(row, shades, strict=True))
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cell(value: object, shade: float) -> str:
    role = ' class="mc-number"' if isinstance(value, (int, float)) else ""
    tint = f' style="background: rgba(43, 108, 176, {0.6 * shade:.2f})"' if shade else ""
    return f'<td{role}{tint}><bdi dir="auto">{in_html(plain(cell(value), CELL))}</bdi></td>'


def _bars(bars: Bars) -> str:
    """An SVG with a bar a value; its title and each bar's are read aloud and shown on hover."""
    width, height, foot = 720, 150, 18
    highest = max(bars.values, default=0) or 1
    step = width / max(1, len(bars.values))
    every = max(1, -(-len(bars.labels) * 64 // width))
    drawn = []
    for place, (label, value) in enumerate(zip(bars.labels, bars.values, strict=True)):
        tall = value / highest * (height - 4)
        x = place * step
        drawn.append(
            f'<rect x="{x + step * 0.1:.1f}" y="{height - tall:.1f}" width="{step * 0.8:.1f}" '
            f'height="{tall:.1f}" fill="#2b6cb0"><title>{in_html(label)}: {value:,}</title></rect>'
        )
        if place % every == 0:
            drawn.append(
                f'<text x="{x:.1f}" y="{height + foot - 4}" font-size="11" fill="currentColor">'
                f"{in_html(label)}</text>"
            )
    return (
        f'<svg role="img" viewBox="0 0 {width} {height + foot}" width="{width}">'
        f"<title>{in_html(bars.title)}</title>{''.join(drawn)}</svg>"
    )


# --- Markdown and plain text ------------------------------------------------------------------------


def markdown(page: Page) -> str:
    """All parts as Markdown, separated by blank lines."""
    return "\n\n".join(_markdown(part) for part in page)


def _markdown(part: Part) -> str:
    match part:
        case TextLine():
            return in_markdown(part.text)
        case Flag():
            return f"**{in_markdown(part.words)}**"
        case Quote():
            said = in_markdown(part.text)
            return f"> {in_markdown(f'{part.number} {part.meta}'.strip())}<br>{said}"
        case Grid():
            rows = [list(part.head), ["---"] * len(part.head)]
            rows += [[in_markdown(plain(cell(v), CELL)) for v in row] for row in part.rows]
            return "\n".join(f"| {' | '.join(row)} |" for row in rows)
        case Fold():
            return f"**{in_markdown(part.title)}**\n\n{markdown(part.page)}"
        case GraphFrame() | Bars():
            return in_markdown(_text(part))


def text(page: Page) -> str:
    """All parts as plain text, without terminal control characters."""
    return "\n".join(_text(part) for part in page)


def _text(part: Part) -> str:  # noqa: PLR0911 - one case a part
    match part:
        case TextLine():
            return plain(part.text)
        case Flag():
            return f"({plain(part.words)})"
        case Quote():
            return f"{part.number} {plain(part.meta)}: \u201c{plain(part.text, 300)}\u201d".strip()
        case Grid():
            rows = [[*map(plain, part.head)]]
            rows += [[plain(cell(value), 90) for value in row] for row in part.rows]
            widths = [max(len(row[i]) for row in rows) for i in range(len(part.head))]
            return "\n".join(
                "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
                for row in rows
            )
        case GraphFrame():
            return _path_words(part.path)
        case Bars():
            return "\n".join(
                f"{la} {v:>6,}" for la, v in zip(part.labels, part.values, strict=True)
            )
        case Fold():
            return f"{plain(part.title)}\n{text(part.page)}"


def _path_words(path: ReasoningPath) -> str:
    names = {node.id: f"{plain(node.name, 60)} ({LOOKS[node.type].word})" for node in path.nodes}
    steps = [
        f"{names[e.source]} \u2192 {names[e.target]}"
        for e in path.edges
        if e.source in names and e.target in names
    ]
    return "\n".join(steps) or "The path is empty."
