"""The earlier conversations of the page, and the menu that opens them again. No Gradio in here.

They are kept in memory until the program ends: answers quote messages, which are stored in the database only.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from minirag_chat.errors import NotFound
from minirag_chat.show.page_html import button, icon
from minirag_chat.show.page_tabs import BrowserCommand, Exchange, Tab, number
from minirag_chat.show.safe_text import plain
from minirag_chat.ui_text import count

if TYPE_CHECKING:
    from minirag_chat.show.page_sessions import Sessions

MOST_KEPT = 30  # earlier conversations about one corpus
LONGEST_TITLE = 60  # characters


@dataclass(frozen=True, slots=True)
class PastConversation:
    """A conversation that another one has followed."""

    number: int
    exchanges: list[Exchange]


class PastConversations:
    """The earlier conversations about each corpus, the latest first."""

    def __init__(self) -> None:
        self._kept: dict[str, list[PastConversation]] = {}
        self._numbers = itertools.count(1)
        self._lock = Lock()

    def of(self, corpus: str) -> Sequence[PastConversation]:
        """Those about a corpus, named by its key."""
        return tuple(self._kept.get(corpus, ()))

    def keep(self, corpus: str, exchanges: list[Exchange]) -> None:
        """Add a conversation, unless nothing was asked in it; the oldest of too many is dropped.

        One that two tabs had is kept once.
        """
        ended = [replace(exchange, live=False) for exchange in exchanges]
        with self._lock:
            others = [kept for kept in self._kept.get(corpus, ()) if kept.exchanges != ended]
            if ended:
                latest = PastConversation(next(self._numbers), ended)
                self._kept[corpus] = [latest, *others][:MOST_KEPT]

    def take(self, corpus: str, number: int) -> list[Exchange]:
        """Remove a conversation, and return it. Raises ``NotFound`` if it is no longer there."""
        with self._lock:
            for kept in self._kept.get(corpus, ()):
                if kept.number == number:
                    self._kept[corpus].remove(kept)
                    return kept.exchanges
        raise NotFound("This conversation is no longer there.")

    def filter(self, corpus: str, some: Callable[[list[Exchange]], list[Exchange]]) -> None:
        """Keep those exchanges that ``some`` chooses of each conversation about a corpus."""
        with self._lock:
            chosen = [
                PastConversation(kept.number, some(kept.exchanges))
                for kept in self._kept.get(corpus, ())
            ]
            self._kept[corpus] = [kept for kept in chosen if kept.exchanges]


class PastCommands:
    """What the buttons of the menu do, and the one that begins a new conversation."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self.commands: dict[str, Callable[[Tab, str], BrowserCommand | None]] = {
            "new": self._new, "resume": self._resume, "forget": self._forget,
        }  # fmt: skip

    def _new(self, tab: Tab, _value: str) -> BrowserCommand:
        return self._begin(tab, [])

    def _resume(self, tab: Tab, value: str) -> BrowserCommand:
        with tab.lock:
            return self._begin(tab, tab.past.take(tab.corpus.key, number(value)))

    def _forget(self, tab: Tab, value: str) -> BrowserCommand:
        tab.past.take(tab.corpus.key, number(value))
        return {"do": "focus"}

    def _begin(self, tab: Tab, exchanges: list[Exchange]) -> BrowserCommand:
        """Continue with other exchanges; those before are kept."""
        tab.begin(exchanges)
        self._sessions.remember(tab)
        return {"do": "focus"}


def menu(past: Sequence[PastConversation]) -> str:
    """The menu of earlier conversations; empty if there are none."""
    if not past:
        return ""
    label = "Earlier conversations"
    rows = "".join(f"<li>{_row(kept)}</li>" for kept in past)
    return (
        f'<details class="mc-menu mc-past"><summary class="mc-act" aria-label="{label}" title="{label}">'
        f'{icon("time")}</summary><div><ul class="mc-list" aria-label="{label}">{rows}</ul></div></details>'
    )


def _row(kept: PastConversation) -> str:
    title = plain(kept.exchanges[0].question, LONGEST_TITLE)
    asked = count(len(kept.exchanges), "question")
    opened = button(
        "resume", kept.number, f"Continue: {title} ({asked})", css="mc-row", words=title
    )
    return opened + button("forget", kept.number, f"Forget this conversation: {title}", "delete")
