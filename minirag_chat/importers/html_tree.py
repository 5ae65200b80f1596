"""Reads HTML of any size with lxml: the elements of one message at a time, which are freed afterwards."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from lxml import etree

from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.limits import LARGEST_PART
from minirag_chat.lazy_patterns import lazy

_CONTROL = lazy(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_HOLDERS = ("div", "section")  # the elements that can hold a message
_HOLDER = lazy("<(?:div|section)[ >]")
READ_AT_ONCE = 4 * 1024 * 1024  # characters that one parser reads before it is replaced
_BLOCKS = frozenset("p div pre blockquote ul ol li dl dt dd table tr h1 h2 h3 h4 h5 h6".split())
_CELLS = ("td", "th")
_TITLE = lazy(r"<title>([^<]*)</title>", re.IGNORECASE)
_SPACES = lazy(r"[ \t\r\n\f]+")


def elements(
    context: ImportContext, wanted: Callable[[etree._Element], bool]
) -> Iterator[etree._Element]:
    """Yield each outermost ``div`` or ``section`` that is ``wanted``; it is emptied afterwards.

    If parsing fails, ``damage`` of the context is set.
    """
    walk = _Walk(wanted)
    held = 0
    try:
        for block in context.blocks():
            for piece in walk.pieces(_CONTROL.sub(" ", block)):
                held += len(piece)
                for element in walk.feed(piece):
                    yield element
                    held = 0
            if held > LARGEST_PART:
                context.damage = (
                    f"{context.name} has more than {LARGEST_PART:,} characters at one message or "
                    "without any; export the chat again."
                )
                return
        yield from walk.end()
    except etree.LxmlError as error:
        context.damage = (
            f"{context.name} is no HTML that can be read ({error}); export the chat again."
        )


class _Walk:
    """Parses a page piece by piece, and replaces the parser every few MiB.

    libxml2 keeps everything it has read of a page in memory. So after a few MiB a new parser continues at the
    next ``div`` or ``section`` outside of all wanted elements.
    """

    def __init__(self, wanted: Callable[[etree._Element], bool]) -> None:
        self._wanted = wanted
        self._parser = _pull_parser()
        self._inside: etree._Element | None = None
        self._read = 0

    def pieces(self, block: str) -> Iterator[str]:
        """Split a block at each ``div`` and ``section`` once the parser has read enough to be replaced."""
        begin = 0
        for place in _HOLDER.finditer(block):
            if self._read + place.start() - begin < READ_AT_ONCE:
                continue
            yield block[begin : place.start()]
            begin = place.start()
            if self._inside is None:
                self._parser.close()
                self._parser, self._read = _pull_parser(), 0
        yield block[begin:]

    def feed(self, piece: str) -> Iterator[etree._Element]:
        """Parse a piece; yields the wanted elements that end in it."""
        self._read += len(piece)
        self._parser.feed(piece.encode())
        yield from self._ended()
        fatal = self._parser.feed_error_log.filter_from_fatals()
        if fatal:  # the parser stops without raising
            raise etree.ParserError(fatal[0].message.partition(",")[0])

    def end(self) -> Iterator[etree._Element]:
        """Yield the elements that end with the page."""
        self._parser.close()
        yield from self._ended()

    def _ended(self) -> Iterator[etree._Element]:
        for event, element in self._parser.read_events():
            if event == "start":
                if self._inside is None and element.tag in _HOLDERS and self._wanted(element):
                    self._inside = element
            elif element is self._inside:
                yield element
                _forget(element)
                self._inside = None


def _pull_parser() -> etree.HTMLPullParser:
    # A huge tree is one of up to 2,048 levels.
    return etree.HTMLPullParser(
        events=("start", "end"), encoding="utf-8", no_network=True, huge_tree=True
    )


def _forget(element: etree._Element) -> None:
    """Free an element and those before it."""
    element.clear(keep_tail=False)
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def markup_tree(markup: str) -> etree._Element | None:
    """Return the tree of a small page or fragment; None if it is empty."""
    parser = etree.HTMLParser(
        encoding="utf-8",
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        huge_tree=True,
    )
    try:
        return etree.fromstring(_CONTROL.sub(" ", markup).encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        return None


def page_title(context: ImportContext) -> str:
    """Return the title of a page on one line; empty if its first 64 KiB have none."""
    found = _TITLE.search(context.file.sample(context.options).text)
    return " ".join(unescaped(found[1]).split()) if found else ""


def unescaped(text: str) -> str:
    """Return a text with its character references replaced: ``&amp;`` becomes ``&``."""
    try:
        return html.unescape(text)
    except ValueError:  # a reference with thousands of digits
        return text


def classes(element: etree._Element) -> frozenset[str]:
    """Return the classes of an element."""
    return _names(element.get("class") or "")


@lru_cache(maxsize=4096)  # a page has few different ones
def _names(written: str) -> frozenset[str]:
    return frozenset(written.split())


def with_class(*names: str, tag: str = "") -> Callable[[etree._Element], bool]:
    """Return a test for elements with one of these classes, and with this tag if one is given."""
    wanted = frozenset(names)
    return lambda element: tag in ("", element.tag) and not wanted.isdisjoint(classes(element))


def first(element: etree._Element, *names: str) -> etree._Element | None:
    """Return the first element below with the first of these classes that occurs, or None."""
    found = (e for name in names for e in element.iter("*") if name in classes(e))
    return next(found, None)


def outermost(
    element: etree._Element, wanted: Callable[[etree._Element], bool]
) -> list[etree._Element]:
    """Return the outermost wanted elements below."""
    found: list[etree._Element] = []
    waiting = list(reversed(element))
    while waiting:
        inner = waiting.pop()
        if isinstance(inner.tag, str) and wanted(inner):
            found.append(inner)
        else:
            waiting.extend(reversed(inner))
    return found


def put_in_place(element: etree._Element, text: str = "") -> None:
    """Remove an element, and put a text in its place; what follows it stays."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    text += element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
    parent.remove(element)


def text_of(element: etree._Element | None, *, keep: bool = False) -> str:
    """Return an element's text as a browser shows it: ``br`` and blocks are line breaks.

    ``keep`` keeps its white space, as a style sheet may ask for.
    """
    if element is None:
        return ""
    parts: list[str] = []
    _gather(element, parts, keep=keep)
    return "\n".join(line.rstrip() for line in "".join(parts).split("\n")).strip("\n\u00a0")


def _gather(element: etree._Element, parts: list[str], *, keep: bool) -> None:
    # One flag for each open element: no recursion, since a page may be nested deeper than Python allows.
    kept = [keep]
    for event, inner in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            kept.append(kept[-1] or inner.tag == "pre")
            if inner.tag == "br" or (inner.tag in _BLOCKS and not _on_new_line(parts)):
                parts.append("\n")
            if inner.tag in _CELLS:
                _add(" ", parts, keep=False)
            _add(inner.text, parts, keep=kept[-1])
            continue
        if event == "end":
            kept.pop()
        if inner is not element:
            if inner.tag in _BLOCKS and not _on_new_line(parts):
                parts.append("\n")
            _add(inner.tail, parts, keep=kept[-1])


def _on_new_line(parts: list[str]) -> bool:
    return not parts or parts[-1].endswith("\n")


def _add(text: str | None, parts: list[str], *, keep: bool) -> None:
    """Add a text with its whitespace collapsed as a browser does, except in ``pre``."""
    if not text:
        return
    shown = text if keep else _SPACES.sub(" ", text)
    if not keep and (not parts or parts[-1].endswith((" ", "\n"))):
        shown = shown.removeprefix(" ")
    if shown:
        parts.append(shown)
