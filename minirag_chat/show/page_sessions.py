"""All browser tabs, and what they share. No Gradio in here.

In private mode all tabs belong to one person: they share the messages, and a new tab continues the latest
conversation, a reload its own (of the last ``MOST_RESUMED`` tabs). In public mode each tab is a visitor of
its own: it sees the sample corpora and what it uploads, which is kept in memory only until the tab is closed.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Lock

from minirag_chat.errors import NotFound
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models.local_servers import ServerSearch
from minirag_chat.show.page_job import Job, task
from minirag_chat.show.page_limits import renamed
from minirag_chat.show.page_past import PastConversations
from minirag_chat.show.page_tabs import OWN, UPLOAD, Exchange, PageCorpus, Tab, last_answered
from minirag_chat.show.page_uploads import MIB

MOST_TABS = 500
FULL_TABS = 10  # the visitors of a public page may upload as much in all as this many of them
MOST_RESUMED = 20  # tabs of the browser whose state is kept for a reload


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
        self.undone: set[int] = set()  # numbers of the deletions that were undone here
        self._latest: dict[str, list[Exchange]] = {}  # conversations by the key of their corpus
        self._latest_of = OWN  # the key of the latest conversation's corpus
        self._past = PastConversations()
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
        given_up = []
        with self._lock:
            tab = self._tabs.get(key)
            if tab is None:
                while len(self._tabs) >= MOST_TABS:
                    given_up.append(self._tabs.pop(self._least_needed()))
                tab = self._tabs[key] = self._make()
            self._tabs.move_to_end(key)
        for other in given_up:  # outside: an upload that is being read is waited for
            self._close(other)
        return tab

    @contextmanager
    def visit(self) -> Iterator[Tab]:
        """A tab for one call of a program, which never says that it leaves.

        It asks the user's own messages, on a public page the first sample, whatever a browser showed last.
        """
        key = secrets.token_urlsafe()
        try:
            tab = self.tab(key)
            tab.show(next(iter(tab.corpora.values())))
            yield tab
        finally:
            self.leave(key)

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
        exchanges = [one for tab in tabs for one in tab.of(OWN)] + self._latest.get(OWN, [])
        exchanges += [one for kept in self._past.of(OWN) for one in kept.exchanges]
        outdated = self.own.outdated(message for one in exchanges for message in one.shown)

        def remaining(exchanges: list[Exchange]) -> list[Exchange]:
            """Those that stay, without the questions suggested next, which quote other messages."""
            stays = (one for one in exchanges if outdated.isdisjoint(m.id for m in one.shown))
            if not more:
                return list(stays)
            return [renamed(replace(one, follow_ups=()), self.own) for one in stays]

        self._past.filter(OWN, remaining)
        for tab in tabs:
            tab.keep(OWN, remaining)
        self._past.filter(OWN, remaining)  # what a tab has ended meanwhile
        self._latest[OWN] = remaining(self._latest.get(OWN, []))
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
        if before is not None and not (before.internal and self.public) and before.add(job):
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

    def refusal(self, tab: Tab, size: int) -> str | None:
        """Why a visitor's tab may not import ``size`` more bytes; None if it may, which is then counted."""
        most = self.own.settings.public_file_mb
        with self._lock:
            if tab.sent + size > most * MIB:
                return f"A visitor may upload {most} MiB in all, unpacked: choose fewer or smaller files."
            if sum(each.sent for each in self._tabs.values()) + size > FULL_TABS * most * MIB:
                return "The uploads of other visitors fill this page: try again in some minutes."
            tab.sent += size
        return None

    def uncount(self, tab: Tab, size: int) -> None:
        """Subtract files that were not imported from what a visitor has sent."""
        with self._lock:
            tab.sent = max(0, tab.sent - size)

    def _least_needed(self) -> str:
        """The tab that was unused for longest; one with an upload only if all have one."""
        without = (key for key, tab in self._tabs.items() if UPLOAD not in tab.corpora)
        return next(without, next(iter(self._tabs)))

    def _make(self) -> Tab:
        corpora = {corpus.key: corpus for corpus in self._samples}
        if not self.public:
            corpora = {OWN: PageCorpus(OWN, "Your messages", self.own, mine=True), **corpora}
        first = next(iter(corpora.values()))
        if not self.public and self._samples and self.own.idle() and not self.own.info().messages:
            first = self._samples[0]
        if any(self._latest.values()):
            first = corpora.get(self._latest_of, first)
        past = PastConversations() if self.public else self._past
        tab = Tab(corpora, first, past, job=self._job, sessions=self)
        tab.others = {
            key: [replace(exchange, live=False) for exchange in exchanges]
            for key, exchanges in self._latest.items()
        }
        tab.exchanges = tab.others.pop(first.key, [])
        tab.picked = last_answered(tab.exchanges)
        return tab

    def _close(self, tab: Tab) -> None:
        tab.stop()
        if self.public and tab.job is not None and not tab.job.internal:
            tab.job.stop_all()
        upload = tab.corpora.get(UPLOAD)
        if upload is not None:
            upload.memory.close()
