"""One question on the page: from the memory's pieces to what each part of the page shows.

No Gradio in here, so that tests need no server. Gradio takes each piece of an answer in whatever
thread is free, which locks and models do not like: a question therefore runs in one thread of its
own. ``Stops`` carries a press of the stop button, or the loss of the browser, into it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Lock, Thread

from minirag_chat.errors import MiniRagChatError
from minirag_chat.records import Answer
from minirag_chat.show import page_parts as parts
from minirag_chat.show.memory_like import MemoryLike
from minirag_chat.show.safe_text import in_markdown

_PAUSE = 0.05  # seconds between two updates of the streamed text: enough for the eye


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer as the chat shows them; ``flag`` is HTML. Empty while waiting."""

    question: str
    text: str = ""
    flag: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What changed on the page. None leaves a part as it is."""

    exchange: Exchange
    sources: str | None = None
    why: str | None = None
    how: str | None = None


class Stops:
    """Who asked for their running question to stop, by session."""

    def __init__(self) -> None:
        self._running: dict[str, Event] = {}
        self._lock = Lock()

    def begin(self, session: str) -> Event:
        """Register a question; it should end soon after the event is set."""
        event = Event()
        with self._lock:
            self._running[session] = event
        return event

    def end(self, session: str, event: Event) -> None:
        """Forget a question."""
        event.set()
        with self._lock:
            if self._running.get(session) is event:
                del self._running[session]

    def stop(self, session: str) -> None:
        """Stop the session's question, if one runs."""
        with self._lock:
            event = self._running.get(session)
        if event:
            event.set()


def views(
    memory: MemoryLike, question: str, earlier: list[Exchange], stop: Event
) -> Iterator[View]:
    """Ask, and yield what the page shows, until the answer is complete."""
    waiting = parts.quiet("Reading your messages …")
    yield View(Exchange(question), sources=waiting, why=waiting, how=waiting)
    history = [(done.question, done.text) for done in earlier if done.text]
    text, shown_at = "", 0.0
    try:
        for piece in _in_own_thread(
            lambda: memory.stream(question, history=history, cancelled=stop.is_set), stop
        ):
            if isinstance(piece, Answer):
                yield answered(piece, question)
                return
            text += piece
            if time.monotonic() - shown_at >= _PAUSE:
                shown_at = time.monotonic()
                yield View(Exchange(question, text))
    except MiniRagChatError as error:
        nothing = parts.quiet("No answer, so nothing to show.")
        failed = Exchange(question, flag=parts.problem(str(error)))
        yield View(failed, sources=nothing, why=nothing, how=nothing)


def _in_own_thread(
    begin: Callable[[], Iterator[str | Answer]], stop: Event
) -> Iterator[str | Answer]:
    """Run a whole stream in one thread; ``stop`` is set when nobody takes its pieces any more."""
    pieces: SimpleQueue[str | Answer | Exception | None] = SimpleQueue()

    def work() -> None:
        try:
            for piece in begin():
                pieces.put(piece)
        except Exception as error:  # noqa: BLE001 - raised again in the asker's thread
            pieces.put(error)
        pieces.put(None)

    Thread(target=work, name="question", daemon=True).start()
    try:
        while (piece := pieces.get()) is not None:
            if isinstance(piece, Exception):
                raise piece
            yield piece
    finally:
        stop.set()


def answered(answer: Answer, question: str) -> View:
    """Everything about a complete answer."""
    return View(
        Exchange(question, answer.text, parts.flag(answer)),
        sources=parts.sources(answer),
        why=parts.why(answer.path),
        how=parts.how(answer),
    )


def chat_messages(exchanges: list[Exchange]) -> list[dict[str, str]]:
    """The exchanges as the chat component's role and content pairs, safe to render."""
    messages = []
    for exchange in exchanges:
        text = in_markdown(exchange.text)
        if exchange.flag and exchange.text.rstrip(". ") == parts.NOT_SAID:
            text = ""  # the flag says it
        body = "<br>".join(part for part in (text, exchange.flag) if part) or "…"
        messages.append({"role": "user", "content": in_markdown(exchange.question)})
        messages.append({"role": "assistant", "content": body})
    return messages
