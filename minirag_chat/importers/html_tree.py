"""Walks HTML of any size with lxml: one message's elements at a time, and then they are gone."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from lxml import etree

from minirag_chat.importers.limits import LARGEST_PART

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from minirag_chat.importers.context import ImportContext

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_BLOCKS = ("p", "div", "pre", "blockquote")


def elements(
    context: ImportContext, wanted: Callable[[etree._Element], bool]
) -> Iterator[etree._Element]:
    """Yield each ``div`` that is ``wanted`` and stands in no other such; it is emptied afterwards.

    Where the page cannot be read on, ``damage`` of the account says so.
    """
    parser = etree.HTMLPullParser(events=("start", "end"), encoding="utf-8", no_network=True)
    inside: etree._Element | None = None
    held = 0
    try:
        for block in chain(context.blocks(), (None,)):
            if block is None:
                parser.close()
            else:
                parser.feed(_CONTROL.sub(" ", block).encode())
                held += len(block)
            for event, element in parser.read_events():
                if event == "start":
                    if inside is None and element.tag == "div" and wanted(element):
                        inside = element
                elif element is inside:
                    yield element
                    _forget(element)
                    inside, held = None, 0
            if held > LARGEST_PART:
                context.damage = (
                    f"{context.name} has more than {LARGEST_PART:,} characters at one message or "
                    "without any; export the chat again."
                )
                return
    except etree.LxmlError as error:
        context.damage = (
            f"{context.name} is no HTML that can be read ({error}); export the chat again."
        )


def _forget(element: etree._Element) -> None:
    """Free an element, with those before it."""
    element.clear(keep_tail=False)
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def markup_tree(markup: str) -> etree._Element | None:
    """Return the tree of a small page or a piece of one; None where there is nothing in it."""
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(_CONTROL.sub(" ", markup).encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        return None


def classes(element: etree._Element) -> frozenset[str]:
    """Return the classes of an element."""
    return frozenset((element.get("class") or "").split())


def first(element: etree._Element, name: str) -> etree._Element | None:
    """Return the first element below with a class, or None."""
    return next((e for e in element.iter() if isinstance(e.tag, str) and name in classes(e)), None)


def outermost(
    element: etree._Element, wanted: Callable[[etree._Element], bool]
) -> list[etree._Element]:
    """Return the elements below that are wanted, and stand in no other such."""
    found: list[etree._Element] = []
    waiting = list(reversed(element))
    while waiting:
        inner = waiting.pop()
        if isinstance(inner.tag, str) and wanted(inner):
            found.append(inner)
        else:
            waiting.extend(reversed(inner))
    return found


def text_of(element: etree._Element | None) -> str:
    """Return an element's text as it is shown: ``br`` and blocks are line breaks."""
    if element is None:
        return ""
    parts: list[str] = []
    _gather(element, parts)
    lines = "".join(parts).split("\n")
    return "\n".join(" ".join(line.split(" ")).strip() for line in lines).strip()


def _gather(element: etree._Element, parts: list[str]) -> None:
    if not isinstance(element.tag, str):  # a comment
        return
    keep = element.tag == "pre"
    on_new_line = not parts or parts[-1].endswith("\n")
    if element.tag == "br" or (element.tag in _BLOCKS and not on_new_line):
        parts.append("\n")
    parts.append(_plain(element.text, keep=keep))
    for child in element:
        _gather(child, parts)
        parts.append(_plain(child.tail, keep=keep))


def _plain(text: str | None, *, keep: bool) -> str:
    """Return text with its runs of blanks as one, as a browser shows them; ``pre`` keeps them."""
    if not text:
        return ""
    return text if keep else re.sub(r"[ \t\r\n\f]+", " ", text)
