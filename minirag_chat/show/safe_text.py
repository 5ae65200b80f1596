"""Message text made safe to show: as plain text, in HTML, in Markdown, in JSON inside a script.

Names, sentences and titles are written by other people and so hostile input. ``plain`` removes characters
that affect the text around them (control characters, direction overrides); escaping neutralises markup.
The ``h`` of ``http`` is written as a character reference or a JSON escape, so that searching a
page for that word finds only what a browser could load.
"""

from __future__ import annotations

import html
import re
import unicodedata

from minirag_chat.lazy_patterns import lazy

_HTTP = lazy(r"h(?=ttp)", re.IGNORECASE)
# Emphasis, code, HTML, headings, rules, tables, links and images, bare addresses, list items.
_MARKDOWN = lazy(r"""[\\`*_{}<>&#+!|~$^@/=]|[:.](?=\S)|(?<=\d)[.)]|(?<=\])[(:]|(?<!\w)-|-(?!\w)""")
_DROPPED = frozenset({"Cc", "Cs", "Co", "Cn"})
# Marks, embeddings, overrides and isolates: they reorder the text that follows, even outside it.
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plain(text: str, limit: int | None = None) -> str:
    """One line of text without control or direction characters; past ``limit`` it ends in …."""
    spaced = " ".join(text.split())
    kept = "".join(
        c for c in spaced if c not in _DIRECTION and unicodedata.category(c) not in _DROPPED
    )
    if limit is not None and len(kept) > limit:
        return kept[: limit - 1].rstrip() + "…"
    return kept


def in_html(text: str) -> str:
    """Escaped for an HTML text node or a quoted attribute."""
    escaped = html.escape(_encodable(text), quote=True)
    return _HTTP.sub(lambda found: f"&#{ord(found[0])};", escaped)


def in_markdown(text: str) -> str:
    """For a Markdown renderer, which then shows exactly ``text``: no markup, links or images.

    Markdown's special characters become character references. Commas, brackets and the like stay as they
    are, because Gradio reads a message aloud from its source.
    """
    kept = "".join(c for c in _encodable(text.strip()) if c not in _DIRECTION)
    return _MARKDOWN.sub(lambda found: f"&#{ord(found[0])};", kept).replace("\n", "<br>")


def in_script(json_text: str) -> str:
    r"""JSON for a ``<script>``: ``<``, ``>``, ``&``, U+2028, U+2029 and ``http`` as ``\u…``."""
    for character in "<>&\u2028\u2029":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return without_http(json_text)


def without_http(json_text: str) -> str:
    r"""The same JSON with the ``h`` of each ``http`` as ``\u0068`` (``\u0048``)."""
    return _HTTP.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)


def _encodable(text: str) -> str:
    """Without what UTF-8 or HTML cannot represent: half a surrogate pair, control characters."""
    valid = text.encode("utf-8", "replace").decode()
    valid = valid.replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(c for c in valid if c in "\n\t" or unicodedata.category(c) != "Cc")
