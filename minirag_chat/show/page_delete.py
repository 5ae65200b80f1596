"""Deleting on the page: preview, confirmation, undo and wiping. No Gradio in here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count as counting
from typing import Any

from minirag_chat.errors import BadDeletion, BadQuestion, NotFound
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Deletion, Progress, Report
from minirag_chat.show.page_html import box, button, day
from minirag_chat.show.page_job import task
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import BrowserCommand, Tab, TabFilters, number
from minirag_chat.show.safe_text import in_html, plain
from minirag_chat.ui_text import count, dates, makes_final, stays_in

LONGEST_NAME = 80
_NUMBERS = counting(1)
MOST_AT_ONCE = 256  # passages that are embedded before the page answers; a job embeds more

# Where the keyboard goes on, since the button that was pressed is gone.
_ON_UNDO: BrowserCommand = {"do": "focus on", "name": "undo"}
_ON_KEEP: BrowserCommand = {"do": "focus on", "name": "delno"}
_ON_QUESTION: BrowserCommand = {"do": "focus"}


@dataclass(frozen=True, slots=True)
class PendingDeletion:
    """A deletion that waits for confirmation; ``new_name`` is the new name, if a person is renamed.

    ``number`` is sent with the confirmation: only what was seen is done.
    """

    deletion: Deletion
    selection: dict[str, Any]
    person: int = 0
    new_name: str = ""
    number: int = field(default_factory=lambda: next(_NUMBERS))


class DeletionCommands:
    """Carries out the page's commands that delete."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self.commands: dict[str, Callable[[Tab, str], BrowserCommand]] = {
            "delete": self._chat, "undo": self._undo, "askwipe": self._ask_wipe, "wipe": self._wipe,
            "delmessage": self._message, "delperson": self._person, "delshown": self._shown,
            "delall": self._all, "delyes": self._yes, "delno": self._no,
        }  # fmt: skip

    def _chat(self, tab: Tab, value: str) -> BrowserCommand:
        self._changing(tab)
        chat = number(value)
        memory = tab.corpus.memory
        with _not_found_as_deleted():
            memory.delete(chats=[chat], cancelled=_much_to_embed(memory))
        self._sessions.begin_completing()
        if chat in tab.filters.chats:
            tab.filters = tab.filters.with_chat(chat, included=False)
        return _ON_UNDO

    def _message(self, tab: Tab, value: str) -> BrowserCommand:
        return self._ask(tab, {"messages": [number(value)]})

    def _person(self, tab: Tab, value: str) -> BrowserCommand:
        return self._ask(tab, {"people": [number(value)]})

    def _shown(self, tab: Tab, _value: str) -> BrowserCommand:
        """Ask to delete the messages that match the filters."""
        wanted = {key: value for key, value in tab.filters.options().items() if value}
        return self._ask(tab, wanted)

    def _all(self, tab: Tab, _value: str) -> BrowserCommand:
        return self._ask(tab, {"everything": True})

    def _ask(self, tab: Tab, selection: dict[str, Any]) -> BrowserCommand:
        self._changing(tab)
        with _not_found_as_deleted():
            found = tab.corpus.memory.preview_delete(**selection)
        tab.asking, tab.person, tab.alike = PendingDeletion(found, selection), 0, None
        return _ON_KEEP

    def _yes(self, tab: Tab, value: str) -> BrowserCommand:
        self._changing(tab)
        if value and tab.asking is not None and value != str(tab.asking.number):
            raise BadDeletion("The question changed while you pressed: read it again.")
        asking, tab.asking = tab.asking, None
        if asking is None:
            return _ON_QUESTION
        memory = tab.corpus.memory
        much = _much_to_embed(memory)
        with _not_found_as_deleted():
            if asking.new_name:
                memory.replace_name(asking.person, asking.new_name, cancelled=much)
            else:
                memory.delete(**asking.selection, cancelled=much)
        self._sessions.begin_completing()
        tab.filters = TabFilters()
        return _ON_UNDO

    def _no(self, tab: Tab, _value: str) -> BrowserCommand:
        tab.asking, tab.wiping = None, False
        return _ON_QUESTION

    def _undo(self, tab: Tab, value: str) -> BrowserCommand:
        """Undo a deletion, by default the latest; once, however often its button is pressed."""
        self._changing(tab)
        memory, wanted = tab.corpus.memory, number(value) if value else None
        waiting = [done.number for done in memory.deletions()]
        if wanted is not None and wanted not in waiting:
            if wanted in self._sessions.undone:
                return _ON_QUESTION
            raise NotFound("This was deleted for good meanwhile, or undone by another program.")
        memory.restore(wanted, cancelled=_much_to_embed(memory))
        self._sessions.undone.update(waiting[:1] if wanted is None else [wanted])
        self._sessions.begin_completing()
        return _ON_QUESTION

    def _ask_wipe(self, tab: Tab, _value: str) -> BrowserCommand:
        """Ask whether to wipe the trash: that cannot be undone."""
        self._changing(tab)
        tab.wiping = True
        return _ON_KEEP

    def _wipe(self, tab: Tab, _value: str) -> BrowserCommand:
        """Wipe the trash, and remove answers that show deleted messages, in a job: it rewrites the file."""
        self._changing(tab)
        tab.wiping = False
        memory = tab.corpus.memory

        def wiped(progress: Report, **_: object) -> None:
            progress(Progress("rewriting the file of messages", 0))
            memory.empty_trash()
            self._sessions.forget_gone()

        self._sessions.begin(tab, task("Deleting for good", wiped, stoppable=False))
        return _ON_QUESTION

    def _changing(self, tab: Tab) -> None:
        must_be_changeable(self._sessions, tab, "delete")


def must_be_changeable(sessions: Sessions, tab: Tab, then: str) -> None:
    """Raise if the tab's messages cannot be changed now; ``then`` is what to do once they can."""
    if not tab.deletable:
        raise NotFound("These messages are shared and cannot be changed or deleted.")
    if sessions.is_answering():
        raise BadQuestion(
            f"An answer is being written: stop it with Esc, or wait for it, then {then}."
        )
    job = tab.job
    if job and job.running and (job is not sessions.completing or job.imports):
        raise BadQuestion(
            f"Something is being imported, downloaded or deleted: wait for it, then {then}."
        )
    tab.must_be_free()


@contextmanager
def _not_found_as_deleted() -> Iterator[None]:
    """Say that what the page shows was deleted, by another tab."""
    try:
        yield
    except NotFound as error:
        raise NotFound("There is nothing to delete: no such message is left.") from error


def _much_to_embed(memory: ChatMemory) -> Callable[[], bool]:
    """Whether more passages lack a vector than the page waits for; a job then completes the index."""
    return lambda: memory.index_left() > MOST_AT_ONCE


def question(asking: PendingDeletion | None, *, wiping: bool = False) -> str:
    """The question above the input box while a deletion, or a wiping, waits for confirmation."""
    if wiping:
        yes = button("wipe", css="mc-small mc-danger", words="Delete for good")
        no = button("delno", css="mc-small", words="Keep")
        said = "Delete what can still be undone for good? Answers that show it go too."
        return box(said, yes, no, role="alert")
    if asking is None:
        return ""
    found = asking.deletion
    span = dates(found.first, found.last, day)
    size = count(found.messages, "message") + (f", {span}" if span else "")
    final = f" {makes_final(found.makes_final)}." if found.makes_final else ""
    stays = stays_in([plain(title, 160) for title in found.named_in])
    final += f" {in_html(stays)}" if stays else ""
    does, what = "Replace" if asking.new_name else "Delete", in_html(plain(found.what, 160))
    yes = button("delyes", asking.number, css="mc-small mc-danger", words=does)
    no = button("delno", css="mc-small", words="Keep")
    return box(f"{does} <bdi>{what}</bdi>? {size}.{final}", yes, no, role="alert")
