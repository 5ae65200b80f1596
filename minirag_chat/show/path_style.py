"""How each type of node looks: shape, name and colours in light and dark, and the legend.

Shapes distinguish the types without colour. The colours follow Okabe-Ito and Tol, darkened or lightened
to a contrast of 3:1 against the background, and 4.5:1 for text (WCAG 2.2 AA). A test computes both.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from minirag_chat.records import NodeType

Mode = Literal["light", "dark"]
BACKGROUND: Mapping[Mode, str] = {"light": "#ffffff", "dark": "#14171c"}
TEXT: Mapping[Mode, str] = {"light": "#1b2028", "dark": "#e9edf3"}


@dataclass(frozen=True, slots=True)
class Look:
    """A type's look. ``light`` and ``dark`` are the shape's colours; ``filled``: text is on that colour.

    Shapes named in ``INSIDE`` have their text inside, the others below; a ``ring`` is hollow.
    """

    word: str
    shape: str
    light: str
    dark: str
    svg: str
    filled: bool = False
    dashed: bool = False
    ring: bool = False


INSIDE = frozenset({"box", "ellipse"})

LOOKS: Mapping[NodeType, Look] = {
    "question": Look(
        "question",
        "box",
        "#1f2937",
        "#dfe5ee",
        '<rect x="1" y="4" width="16" height="10" rx="3"/>',
        filled=True,
    ),
    "message": Look(
        "message",
        "box",
        "#0b5cad",
        "#7db8ff",
        '<rect class="hollow" x="2" y="4" width="14" height="10" rx="2"/>',
    ),
    "chunk": Look(
        "passage",
        "box",
        "#5b6470",
        "#aeb7c4",
        '<rect class="hollow" stroke-dasharray="3 2" x="2" y="4" width="14" height="10" rx="2"/>',
        dashed=True,
    ),
    "person": Look("person", "dot", "#0072b2", "#56b4e9", '<circle cx="9" cy="9" r="6.5"/>'),
    "chat": Look(
        "chat",
        "hexagon",
        "#117733",
        "#6cc98a",
        '<path d="M5 2.5h8L16.5 9 13 15.5H5L1.5 9z"/>',
    ),
    "place": Look("place", "triangleDown", "#008a64", "#3fcfa6", '<path d="M2 3h14L9 16z"/>'),
    "organisation": Look(
        "organisation", "square", "#882255", "#ee99bb", '<rect x="3" y="3" width="12" height="12"/>'
    ),
    "title": Look(
        "title",
        "star",
        "#a03c8f",
        "#d9a3e6",
        '<path d="M9 1l2.4 5.3 5.6.6-4.2 3.8 1.2 5.7-5-2.9-5 2.9 1.2-5.7L1 6.9l5.6-.6z"/>',
    ),
    "time": Look("time", "diamond", "#c24e00", "#f5a16b", '<path d="M9 1l8 8-8 8-8-8z"/>'),
    "amount": Look("amount", "triangle", "#857300", "#f0e442", '<path d="M9 2l7 13H2z"/>'),
    "link": Look(
        "link",
        "dot",
        "#2b7a70",
        "#7fd6c8",
        '<circle class="hollow" cx="9" cy="9" r="6"/>',
        ring=True,
    ),
    "topic": Look(
        "topic",
        "ellipse",
        "#4d5663",
        "#b7bfca",
        '<ellipse class="hollow" cx="9" cy="9" rx="7.5" ry="5"/>',
    ),
}


def colours(look: Look, mode: Mode) -> dict[str, str]:
    """The vis-network colours of a node: ``background``, ``border`` and ``font``."""
    main = look.light if mode == "light" else look.dark
    paper, text = BACKGROUND[mode], TEXT[mode]
    if look.filled:
        return {"background": main, "border": main, "font": paper}
    hollow = look.shape in INSIDE or look.ring
    return {"background": paper if hollow else main, "border": main, "font": text}


def theme() -> dict[str, dict[str, dict[str, str]]]:
    """Colours by mode and node type, as ``path_graph.js`` reads them."""
    modes: tuple[Mode, Mode] = ("light", "dark")
    return {mode: {kind: colours(look, mode) for kind, look in LOOKS.items()} for mode in modes}


def legend(types: Iterable[NodeType], left_out: int) -> str:
    """The legend's HTML: the types that occur, in the order of ``LOOKS``, and "+N more"."""
    present = set(types)
    items = [
        f'<li><svg class="mark {html.escape(kind)}" viewBox="0 0 18 18" aria-hidden="true">'
        f"{look.svg}</svg>{html.escape(look.word)}</li>"
        for kind, look in LOOKS.items()
        if kind in present
    ]
    if left_out:
        items.append(f'<li class="more">+{left_out:d} more</li>')
    return "".join(items)


def mark_rules(mode: Mode) -> str:
    """The CSS that colours the legend's marks in one mode."""
    return "".join(
        f".mark.{kind}{{--mark:{look.light if mode == 'light' else look.dark}}}"
        for kind, look in LOOKS.items()
    )
