"""One question on the page: turns the streamed pieces into a growing exchange. No Gradio in here.

Gradio fetches each piece of an answer in whatever thread is free, but locks and models need one thread:
so each question runs in a thread of its own. An event tells it that the stop button was pressed or the
browser has left.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread

from minirag_chat.errors import MiniRagChatError
from minirag_chat.records import Answer, Message, OnContext
from minirag_chat.show.page_job import unexpected
from minirag_chat.show.page_tabs import Exchange

_LOOK = 0.25  # seconds between two checks whether stop was pressed
_GRACE = 3.0  # seconds that a stopped question may take to end, e.g. if a server does not answer
_PAUSE = 0.08  # seconds between two updates of the streamed text, often enough for the eye
_SECOND = 1.0  # between two updates that show only the clock


Stream = Callable[..., Iterator[str | Answer]]  # ``ChatMemory.stream``


@dataclass(slots=True)
class _Growing:
    """The state of a question that is being answered."""

    question: str
    started_at: float
    context_messages: tuple[Message, ...] = ()
    text: str = ""
    pieces: int = 0
    first_piece: float = 0.0
    shown_at: float = 0.0
    news: bool = False

    def take(self, piece: str | tuple[Message, ...]) -> None:
        """Add words of the answer, or the messages that are being read."""
        self.news = True
        if isinstance(piece, tuple):
            self.context_messages = piece
            return
        if not self.first_piece:
            self.first_piece, self.shown_at = time.monotonic(), 0.0
        self.pieces += 1
        self.text += piece

    def now(self) -> Exchange:
        """The exchange to show now."""
        self.shown_at, self.news = time.monotonic(), False
        seconds = int(self.shown_at - self.started_at)
        return Exchange(
            self.question,
            self.text,
            live=True,
            context_messages=self.context_messages,
            seconds=seconds,
        )

    def due(self) -> bool:
        """Whether to update: soon if there is news, else each second until the first words."""
        passed = time.monotonic() - self.shown_at
        return passed >= _PAUSE if self.news else not self.text and passed >= _SECOND

    def done(self, answer: Answer) -> Exchange:
        """The complete exchange."""
        passed = time.monotonic() - self.first_piece if self.first_piece else 0.0
        if "first_words" not in answer.timings:  # no reader wrote it: an overview comes in lines
            passed = 0.0
        rate = (self.pieces - 1) / passed if self.pieces > 2 and passed > 0 else 0.0  # noqa: PLR2004 - fewer measure nothing
        return Exchange(self.question, answer.text, answer, rate=rate)


def growing(
    stream: Stream,
    question: str,
    earlier: Sequence[Exchange],
    stop: Event,
    options: Mapping[str, object] | None = None,
) -> Iterator[Exchange]:
    """Ask, and yield the exchange as it grows; the last one is complete."""
    history = [(done.question, done.text) for done in earlier if done.text and done.answer]
    exchange = _Growing(question, time.monotonic())
    yield exchange.now()

    def start_stream(on_context: OnContext) -> Iterator[str | Answer]:
        return stream(
            question,
            history=history,
            cancelled=stop.is_set,
            reads=on_context,
            **(options or {}),
        )

    try:
        for piece in _in_own_thread(start_stream, stop):
            if isinstance(piece, Answer):
                yield exchange.done(piece)
                return
            if piece is not None:
                exchange.take(piece)
            if exchange.due():
                yield exchange.now()
        # Stopped, and its thread did not end in time.
        yield Exchange(question, exchange.text, context_messages=exchange.context_messages)
    except MiniRagChatError as error:
        yield Exchange(question, problem=str(error))
    except Exception as error:  # noqa: BLE001 - the page must show that the question ended, whatever the error
        yield Exchange(question, problem=unexpected(error))


Piece = str | tuple[Message, ...] | Answer


def _in_own_thread(
    start_stream: Callable[[OnContext], Iterator[str | Answer]], stop: Event
) -> Iterator[Piece | None]:
    """Run a whole stream in one thread; yields its pieces, and None while none comes.

    ``stop`` is set when nobody takes the pieces any more.
    """
    pieces: SimpleQueue[Piece | Exception | None] = SimpleQueue()

    def work() -> None:
        try:
            for piece in start_stream(lambda messages: pieces.put(tuple(messages))):
                pieces.put(piece)
        except Exception as error:  # noqa: BLE001 - raised again in the asker's thread
            pieces.put(error)
        pieces.put(None)

    Thread(target=work, name="question", daemon=True).start()
    asked_to_stop = 0.0
    try:
        while True:
            try:
                piece = pieces.get(timeout=_LOOK)
            except Empty:
                asked_to_stop += _LOOK if stop.is_set() else 0.0
                if asked_to_stop >= _GRACE:
                    return
                yield None
                continue
            if piece is None:
                return
            if isinstance(piece, Exception):
                raise piece
            yield piece
    finally:
        stop.set()
