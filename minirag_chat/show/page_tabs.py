"""The state of one browser tab: its questions, answers, filters and messages. No Gradio in here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, RLock
from typing import TYPE_CHECKING, Any, TypeVar

from minirag_chat.errors import NotFound
from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.memory.identity import Suggestion
from minirag_chat.models.local_servers import LocalServer, ServedModel
from minirag_chat.records import Answer, Message
from minirag_chat.show.page_job import Job
from minirag_chat.ui_text import of_others

if TYPE_CHECKING:
    from minirag_chat.show.page_past import PastConversations
    from minirag_chat.show.page_sessions import Sessions

_T = TypeVar("_T")
BrowserCommand = dict[str, object]  # what the browser must do: {"do": …, …}
SHOWN = 20  # exchanges of a conversation shown at first; each press shows as many more
OWN, UPLOAD = "own", "upload"
PRESS_SECONDS = 2.0  # a press waits so long for another program that writes
PATIENCE = 0.1  # seconds; an import holds the messages for longer: the page does not wait for it
_NUMBER = lazy(r"[0-9]{1,15}")  # an id has fewer digits


@dataclass(frozen=True, slots=True)
class TabFilters:
    """The filters of the questions: ids of people and chats, and days as YYYY-MM-DD."""

    people: tuple[int, ...] = ()
    chats: tuple[int, ...] = ()
    since: str = ""
    until: str = ""

    @property
    def reversed(self) -> bool:
        """Whether the time ends before it begins."""
        return bool(self.since and self.until) and self.until < self.since

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
    """A question and its result. Without an answer and a problem it was interrupted.

    ``limits`` are in words what its ``filters`` limited it to.
    """

    question: str
    text: str = ""
    answer: Answer | None = None
    problem: str = ""
    liked: bool | None = None
    follow_ups: tuple[str, ...] = ()
    rate: float = 0.0  # tokens a second
    live: bool = False
    context_messages: tuple[Message, ...] = ()  # the messages that are being read
    seconds: int = 0  # since the question was asked
    filters: TabFilters = TabFilters()
    limits: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Message, ...]:
        """The messages that it shows, or that its text may be from."""
        answer = self.answer
        sources = () if answer is None else (*answer.sources, *answer.closest)
        return (*(source.message for source in sources), *self.context_messages)


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
    past: PastConversations  # all tabs of a person share them
    exchanges: list[Exchange] = field(default_factory=list)
    others: dict[str, list[Exchange]] = field(default_factory=dict)  # of the other corpora, by key
    earlier: int = 0  # exchanges shown in addition to the last ones
    more: int = 0  # how often more chats and people were asked for
    picked: int | None = None  # the exchange whose evidence is shown
    around: tuple[int, int] | None = None  # the open message, and how many around it
    filters: TabFilters = TabFilters()
    tuning: dict[str, object] = field(default_factory=dict)
    pending: str | None = None  # a question about to be asked
    waiting: list[str] = field(default_factory=list)  # asked while an answer is written, in order
    running: Event | None = None
    job: Job | None = None
    sessions: Sessions | None = None  # the sessions it belongs to
    sent: int = 0  # bytes that a visitor has uploaded, unpacked
    seen: str = ""  # what the timer last showed
    listed: str = ""  # what the lists of chats and people last showed
    lists_of: str = ""  # the key of the corpus whose lists are shown
    lists_outdated: bool = False  # an import held the lock, so chats and people could not be shown
    shown_path: object = None  # the path whose graph the browser has
    choosing: bool = False  # the user wants to say again who they are
    asking: Any = None  # a deletion that waits for confirmation: see page_delete
    wiping: bool = False  # whether the wiping of the trash waits for confirmation
    person: int = 0  # the id of the person whose box is open: see page_people
    same_as: int = 0  # the id of whom that person may be joined with
    alike: tuple[Suggestion, ...] | None = (
        None  # names that may be one person, while they are shown
    )
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

    def tuned_memory(self) -> ChatMemory:
        """The messages that this tab asks, under its own settings; made anew at each call."""
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

    def keep(self, corpus: str, some: Callable[[list[Exchange]], list[Exchange]]) -> None:
        """Keep those that ``some`` chooses of a conversation, unless an answer is being written in it."""
        with self.lock:
            exchanges = self.of(corpus)
            if self.corpus.key != corpus:
                self.others[corpus] = some(exchanges)
            elif self.running is None:
                self.exchanges = some(exchanges)
                if len(self.exchanges) < len(exchanges):
                    self.picked = last_answered(self.exchanges)
                    self.around = None

    def begin(self, exchanges: list[Exchange]) -> None:
        """Continue with other exchanges, or none; those before become an earlier conversation."""
        with self.lock:
            self.stop()
            self.past.keep(self.corpus.key, self.exchanges)
            self.exchanges, self.waiting, self.earlier = exchanges, [], 0
        self.picked, self.around = last_answered(exchanges), None

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
        picked = self.picked
        answered = picked is not None and any(e.answer for e in self.exchanges[picked : picked + 1])
        after.picked = picked if answered else last_answered(after.exchanges)

    def stop(self) -> None:
        """Stop the running question, if there is one; one that waits for its turn is dropped."""
        if self.running is not None:
            self.running.set()
        if self.pending is not None:
            self.pending = self.running = None
        if self.exchanges and self.running is None:
            self.exchanges[-1] = replace(self.exchanges[-1], live=False)

    def noted(self, exchange: Exchange) -> Exchange:
        """The exchange with a note that names only what can be done with these messages."""
        answer = exchange.answer
        if answer is None or self.corpus.mine:
            return exchange
        return replace(exchange, answer=replace(answer, note=of_others(answer.note)))

    def show(self, corpus: PageCorpus) -> None:
        """Switch to other messages, with their own conversation and no filters."""
        if corpus is not self.corpus:
            with self.lock:
                self._show(corpus)

    def _show(self, corpus: PageCorpus) -> None:
        self.stop()
        self.others[self.corpus.key] = [
            replace(exchange, live=False) for exchange in self.exchanges
        ]
        self.corpus, self.filters = corpus, TabFilters()
        self.exchanges, self.waiting, self.earlier = self.others.pop(corpus.key, []), [], 0
        self.picked = last_answered(self.exchanges)
        self.around = self.asking = self.alike = None
        self.choosing = self.wiping = False
        self.person = 0


def last_answered(exchanges: Sequence[Exchange]) -> int | None:
    """The index of the last exchange that has an answer; else of the last one; None if there is none."""
    places = [place for place, exchange in enumerate(exchanges) if exchange.answer]
    return next(reversed(places or range(len(exchanges))), None)


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
