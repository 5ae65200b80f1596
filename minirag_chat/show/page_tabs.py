"""The state of each browser tab: its questions, answers and messages. No Gradio in here.

In private mode all tabs belong to one person: they share the messages, and a new tab continues the latest
conversation, a reload its own (of the last ``MOST_RESUMED`` tabs). In public mode each tab is a visitor of
its own: it sees the sample corpora and what it uploads, which is kept in memory only until the tab is closed.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, Lock, RLock
from typing import Any, TypeVar

from minirag_chat.errors import NotFound
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models.local_servers import LocalServer, ServedModel, ServerSearch
from minirag_chat.records import Answer, Message
from minirag_chat.show.page_job import Job, task

_T = TypeVar("_T")
BrowserCommand = dict[str, object]  # what the browser must do: {"do": …, …}
MOST_TABS = 500
MOST_RESUMED = 20  # tabs of the browser whose state is kept for a reload
SHOWN = 20  # exchanges of a conversation shown at first; each press shows as many more
OWN, UPLOAD = "own", "upload"
PRESS_SECONDS = 2.0  # a press waits so long for another program that writes
_NUMBER = re.compile(r"[0-9]{1,15}")  # an id has fewer digits


@dataclass(frozen=True, slots=True)
class TabFilters:
    """The filters of the questions: ids of people and chats, and days as YYYY-MM-DD."""

    people: tuple[int, ...] = ()
    chats: tuple[int, ...] = ()
    since: str = ""
    until: str = ""

    def options(self) -> dict[str, object]:
        """As ``ChatMemory.stream`` takes them."""
        return {
            "people": list(self.people) or None,
            "chats": list(self.chats) or None,
            "since": self.since or None,
            "until": self.until or None,
        }

    def with_person(self, person: int, *, included: bool | None = None) -> TabFilters:
        """With that person included or not; None: the other way round than now."""
        return replace(self, people=_switched(self.people, person, included))

    def with_chat(self, chat: int, *, included: bool | None = None) -> TabFilters:
        """With that chat included or not; None: the other way round than now."""
        return replace(self, chats=_switched(self.chats, chat, included))


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its result. Without an answer and a problem it was interrupted."""

    question: str
    text: str = ""
    answer: Answer | None = None
    problem: str = ""
    liked: bool | None = None
    follow_ups: tuple[str, ...] = ()
    rate: float = 0.0  # tokens a second
    live: bool = False
    reads: tuple[Message, ...] = ()  # the messages that are being read
    seconds: int = 0  # since the question was asked

    @property
    def shown(self) -> tuple[Message, ...]:
        """The messages that it shows, or that its text may be from."""
        answer = self.answer
        sources = () if answer is None else (*answer.sources, *answer.closest)
        return (*(source.message for source in sources), *self.reads)


@dataclass(frozen=True, slots=True)
class PageCorpus:
    """Messages that can be asked. ``mine``: the user may add to them and delete them."""

    key: str
    title: str
    memory: ChatMemory
    mine: bool = False


@dataclass(slots=True)
class Tab:
    """One browser tab."""

    corpora: dict[str, PageCorpus]
    corpus: PageCorpus
    exchanges: list[Exchange] = field(default_factory=list)
    others: dict[str, list[Exchange]] = field(default_factory=dict)  # of the other corpora, by key
    earlier: int = 0  # exchanges shown in addition to the last ones
    picked: int | None = None  # the exchange whose evidence is shown
    around: tuple[int, int] | None = None  # the open message, and how many around it
    filters: TabFilters = TabFilters()
    tuning: dict[str, object] = field(default_factory=dict)
    pending: str | None = None  # a question about to be asked
    waiting: list[str] = field(default_factory=list)  # asked while an answer is written, in order
    running: Event | None = None
    job: Job | None = None
    sessions: Sessions | None = None  # the sessions it belongs to
    sent: int = 0  # bytes that a visitor has uploaded
    seen: str = ""  # what the timer last showed
    listed: str = ""  # what the lists of chats and people last showed
    lists_of: str = ""  # the key of the corpus whose lists are shown
    lists_outdated: bool = False  # an import held the lock, so chats and people could not be shown
    shown_path: object = None  # the path whose graph the browser has
    choosing: bool = False  # the user wants to say again who they are
    asking: Any = None  # a deletion that waits for confirmation: see page_delete
    server: tuple[LocalServer, ServedModel] | None = None  # one that waits for a yes: page_servers
    changes: int = 0  # events that changed what is shown
    settled: int = 0  # those of them that had ended when the timer last showed everything
    # Held while the question to answer next is decided: several events of one tab may run at once.
    lock: Any = field(default_factory=RLock, repr=False, compare=False)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Around an event that changes what is shown.

        The browser may draw the reply to the older of two last: the timer shows everything again.
        """
        before = self.changes
        try:
            yield
        finally:
            if self.changes != before:
                self.shown_path = None
            self.changes += 1

    @property
    def memory(self) -> ChatMemory:
        """The messages that this tab asks, with its settings."""
        return self.corpus.memory.tuned(**self.tuning)

    @property
    def deletable(self) -> bool:
        """Whether messages may be deleted: not on a public page, nor in samples."""
        return self.corpus.key == OWN

    @property
    def first_shown(self) -> int:
        """The index of the first exchange that is shown."""
        return max(0, len(self.exchanges) - SHOWN - self.earlier)

    def must_be_free(self) -> None:
        """Raise ``DatabaseLocked`` if another program writes: a press that waits shows nothing."""
        self.corpus.memory.must_be_free(PRESS_SECONDS)

    def of(self, corpus: str) -> list[Exchange]:
        """The conversation about a corpus."""
        return self.exchanges if self.corpus.key == corpus else self.others.get(corpus, [])

    def keep(self, corpus: str, left: Callable[[list[Exchange]], list[Exchange]]) -> None:
        """Keep what is ``left`` of a conversation, unless an answer is being written in it."""
        told = self.of(corpus)
        if self.corpus.key != corpus:
            self.others[corpus] = left(told)
        elif self.running is None:
            self.exchanges = left(told)
            if len(self.exchanges) < len(told):
                self.picked = len(self.exchanges) - 1 if self.exchanges else None
                self.around = None

    def put_back(self) -> None:
        """Let a question whose turn has not come wait, as the first one."""
        if self.pending is not None:
            self.waiting.insert(0, self.pending)
            self.exchanges = self.exchanges[:-1]
            self.pending = self.running = None

    def hand_over(self, after: Tab) -> None:
        """Let the tab after a reload continue."""
        self.put_back()
        self.stop()
        after.waiting, self.waiting = self.waiting, []
        after.corpus = after.corpora.get(self.corpus.key, after.corpus)
        after.exchanges = [replace(exchange, live=False) for exchange in self.exchanges]
        after.others = dict(self.others)
        after.filters, after.earlier = self.filters, self.earlier
        last = len(after.exchanges) - 1
        after.picked = min(self.picked or 0, last) if after.exchanges else None

    def stop(self) -> None:
        """Stop the running question, if there is one; one that waits for its turn is dropped."""
        if self.running is not None:
            self.running.set()
        if self.pending is not None:
            self.pending = self.running = None
        if self.exchanges and self.running is None:
            self.exchanges[-1] = replace(self.exchanges[-1], live=False)

    def show(self, corpus: PageCorpus) -> None:
        """Switch to other messages, with their own conversation and no filters."""
        if corpus is not self.corpus:
            with self.lock:
                self._show(corpus)

    def _show(self, corpus: PageCorpus) -> None:
        self.stop()
        self.others[self.corpus.key] = [replace(told, live=False) for told in self.exchanges]
        self.corpus, self.filters = corpus, TabFilters()
        self.exchanges, self.waiting, self.earlier = self.others.pop(corpus.key, []), [], 0
        self.picked = len(self.exchanges) - 1 if self.exchanges else None
        self.around = self.asking = None
        self.choosing = False


class Sessions:
    """All tabs, by the session that the browser made for each."""

    def __init__(
        self,
        own: ChatMemory,
        samples: Sequence[tuple[str, ChatMemory]] = (),
        *,
        public: bool = False,
        user: str = "",
        signs_out: bool = False,
        job: Job | None = None,
    ) -> None:
        self.public = public
        self.user, self.signs_out = user, signs_out  # the tabs' user, if users sign in
        self.chooses_models = not (public or user)
        self.own = own
        self._samples = [
            PageCorpus(f"sample{n}", title, memory) for n, (title, memory) in enumerate(samples)
        ]
        self._tabs: OrderedDict[str, Tab] = OrderedDict()
        self._resumable: OrderedDict[str, Tab] = OrderedDict()  # by the browser's key of its tab
        self._wipings: int | None = None  # the deletions for good when answers were last looked at
        self._again = False  # look at them again
        self._latest: dict[str, list[Exchange]] = {}  # conversations by the key of their corpus
        self._latest_of = OWN  # the key of the latest conversation's corpus
        self._job = self._first_job = job
        self.completing: Job | None = None  # the latest job that completed the index
        self._lock = Lock()
        self.found: ServerSearch | None = None  # the model servers of this machine, after a search
        self.seen = Event()  # set once somebody has opened the page

    def begin_work(self) -> None:
        """Start the job that the page was opened with, and wait for its end."""
        if self._first_job is not None:
            self._first_job.start().wait()

    def tab(self, session: str | None) -> Tab:
        """The tab of a session, created when first seen."""
        key = session or secrets.token_urlsafe()
        with self._lock:
            tab = self._tabs.get(key)
            if tab is None:
                tab = self._tabs[key] = self._make()
                while len(self._tabs) > MOST_TABS:
                    self._close(self._tabs.popitem(last=False)[1])
            self._tabs.move_to_end(key)
            return tab

    def resume(self, session: str | None, key: str) -> None:
        """After a reload continue with what the same tab of the browser had; ``key`` is the browser's.

        Its conversations, its filters and its waiting questions; one that was being answered is interrupted.
        """
        tab = self.tab(session)
        if self.public or not key:
            return
        with self._lock:
            before = self._resumable.pop(key, None)
            self._resumable[key] = tab
            while len(self._resumable) > MOST_RESUMED:
                self._resumable.popitem(last=False)
        if before is not None and before is not tab:
            before.hand_over(tab)
            self.remember(tab)

    def leave(self, session: str | None) -> None:
        """Close a tab: its question stops, and in public mode its messages are dropped."""
        with self._lock:
            tab = self._tabs.pop(session or "", None)
        if tab is not None:
            tab.put_back()  # a reload may continue it
            self._close(tab)

    def remember(self, tab: Tab) -> None:
        """Note that a tab's conversation changed, so that a reload continues it."""
        if not self.public:
            self._latest = {**tab.others, tab.corpus.key: list(tab.exchanges)}
            self._latest_of = tab.corpus.key

    def must_be_private(self) -> None:
        """Raise ``NotFound`` if the page is public."""
        if self.public:
            raise NotFound("A public page has nothing to read.")

    def must_choose_models(self) -> None:
        """Raise ``NotFound`` if strangers or several users share the model."""
        if not self.chooses_models:
            raise NotFound("Whoever runs this page chooses its model.")

    @property
    def in_use(self) -> bool:
        """Whether a tab is open or a job is running."""
        return bool(self._tabs) or (self._job is not None and self._job.running)

    def is_answering(self) -> bool:
        """Whether an answer is being written in any tab."""
        return any(tab.running is not None for tab in list(self._tabs.values()))

    def forget_gone(self) -> bool:
        """Remove answers that show messages or names which are gone for good; whether there were any.

        Any program or tab may have deleted them. The samples' answers stay. Does nothing while the
        messages are in use, or nothing was deleted since; the timer calls it again.
        """
        if self.public or not self.own.idle():
            return False
        wipings = self.own.wipings()
        more = self._wipings is not None and wipings != self._wipings
        if self._wipings is not None and not more and not self._again:
            return False
        self._wipings = wipings
        # An answer that is being written is looked at when it is done.
        self._again = self.is_answering()
        tabs = list(
            {id(tab): tab for tab in (*self._tabs.values(), *self._resumable.values())}.values()
        )
        told = [one for tab in tabs for one in tab.of(OWN)] + self._latest.get(OWN, [])
        outdated = self.own.outdated(message for one in told for message in one.shown)

        def left(told: list[Exchange]) -> list[Exchange]:
            """Those that stay, without the questions suggested next: these quote other messages."""
            stays = (one for one in told if outdated.isdisjoint(m.id for m in one.shown))
            return [replace(one, follow_ups=() if more else one.follow_ups) for one in stays]

        for tab in tabs:
            tab.keep(OWN, left)
        self._latest[OWN] = left(self._latest.get(OWN, []))
        return more or bool(outdated)

    def begin_completing(self) -> None:
        """Complete an incomplete index in a job that all tabs show, unless a job runs already.

        It makes the vectors which an import or a deletion left out, also one during the job.
        """
        busy = self._job is not None and self._job.running
        if not self.public and not busy and self.own.info().note:
            self.completing = task("Completing the index", self.own.index).start()
            self._show_in_all_tabs(self.completing)

    def begin(self, tab: Tab, job: Job) -> None:
        """Start a job that the tab shows, in private mode every tab; after the one that runs, if one does.

        What a public page does for all visitors is not waited for: a visitor's own messages are kept apart.
        """
        before = tab.job
        if before is not None and not (before.ours and self.public) and before.add(job):
            return
        tab.job = job.start()
        if not self.public:
            self._show_in_all_tabs(job)

    def dismiss(self, tab: Tab) -> None:
        """Stop showing a finished job."""
        tab.job = None
        if not self.public:
            self._show_in_all_tabs(None)

    def _show_in_all_tabs(self, job: Job | None) -> None:
        self._job = job
        for tab in list(self._tabs.values()):
            tab.job = job

    def own_corpus(self, tab: Tab) -> PageCorpus:
        """Where the tab's imports go; a public visitor's is created when first needed."""
        key = UPLOAD if self.public else OWN
        if key not in tab.corpora:
            memory = self.own.beside(":memory:")
            tab.corpora[key] = PageCorpus(UPLOAD, "Your upload", memory, mine=True)
        return tab.corpora[key]

    def _make(self) -> Tab:
        corpora = {corpus.key: corpus for corpus in self._samples}
        if not self.public:
            corpora = {OWN: PageCorpus(OWN, "Your messages", self.own, mine=True), **corpora}
        first = next(iter(corpora.values()))
        if not self.public and self._samples and self.own.idle() and not self.own.info().messages:
            first = self._samples[0]
        if any(self._latest.values()):
            first = corpora.get(self._latest_of, first)
        tab = Tab(corpora, first, job=self._job, sessions=self)
        tab.others = {
            key: [replace(exchange, live=False) for exchange in told]
            for key, told in self._latest.items()
        }
        tab.exchanges = tab.others.pop(first.key, [])
        tab.picked = len(tab.exchanges) - 1 if tab.exchanges else None
        return tab

    def _close(self, tab: Tab) -> None:
        tab.stop()
        if self.public and tab.job is not None and not tab.job.ours:
            tab.job.stop_all()
        upload = tab.corpora.get(UPLOAD)
        if upload is not None:
            upload.memory.close()


def say(sentence: object) -> BrowserCommand:
    """Let the browser show a sentence."""
    return {"do": "say", "text": str(sentence)}


def number(value: str) -> int:
    """An index or id that the browser sent. Raises ``NotFound`` for anything else."""
    if not _NUMBER.fullmatch(value):
        raise NotFound("That is no longer there: reload the page.")
    return int(value)


def _switched(values: tuple[_T, ...], value: _T, included: bool | None) -> tuple[_T, ...]:
    left = tuple(v for v in values if v != value)
    wanted = value not in values if included is None else included
    return (*left, value) if wanted else left
