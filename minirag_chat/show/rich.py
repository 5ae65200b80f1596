"""How records are displayed in a notebook: the same content as HTML, Markdown and plain text.

The HTML is self-contained: styles, graph and scripts are inside it and nothing is fetched, so a saved
notebook shows it again without a kernel. All text that people wrote is escaped.
"""

from __future__ import annotations

from collections.abc import Callable

from minirag_chat.records import Answer, Evidence, ImportReport, ReasoningPath
from minirag_chat.records.exploration import (
    Comparison,
    Explanation,
    Info,
    Neighbourhood,
    Table,
    TalkNetwork,
    Timeline,
)
from minirag_chat.show import rich_answer as answers
from minirag_chat.show import rich_explore as explored
from minirag_chat.show.page_assets import asset
from minirag_chat.show.rich_parts import Page, Part, html, markdown, text


def mimebundle(record: object) -> dict[str, str]:
    """The three forms of a record, by their MIME type."""
    page = parts(record)
    return {"text/html": as_html(page), "text/markdown": markdown(page), "text/plain": text(page)}


def as_html(page: Page) -> str:
    """A page as one piece of HTML with its styles."""
    return f'<div class="mc-rich"><style>{styles()}</style>{html(page)}</div>'


def styles() -> str:
    """The rules for ``.mc-rich``; they follow the notebook's own colours, light or dark."""
    return asset("rich.css")


def parts(record: object) -> list[Part]:
    """The parts that display a record."""
    return _PARTS[type(record)](record)


_PARTS: dict[type, Callable[..., list[Part]]] = {
    Answer: answers.answer,
    Evidence: answers.evidence,
    ImportReport: answers.report,
    Info: answers.info,
    ReasoningPath: answers.path,
    Comparison: explored.comparison,
    Explanation: explored.explanation,
    Neighbourhood: explored.neighbourhood,
    Table: explored.table,
    TalkNetwork: explored.talk,
    Timeline: explored.timeline,
}
