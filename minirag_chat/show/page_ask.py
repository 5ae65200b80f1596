"""One question on the page: from the memory's pieces to an exchange that grows. No Gradio in here.

Gradio takes each piece of an answer in whatever thread is free, which locks and models do not like: a
question therefore runs in one thread of its own. An event carries a press of the stop button, or the
loss of the browser, into it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread

from minirag_chat.errors import MiniRagChatError
from minirag_chat.records import Answer
from minirag_chat.show.page_tabs import Exchange

_LOOK = 0.25  # seconds between two looks at whether a stop was pressed
_GRACE = 3.0  # seconds that a stopped question has to end, e.g. with a server that does not answer
_PAUSE = 0.08  # seconds between two updates of the streamed text: enough for the eye


Stream = Callable[..., Iterator[str | Answer]]  # ``ChatMemory.stream``


def growing(
    stream: Stream,
    question: str,
    earlier: Sequence[Exchange],
    stop: Event,
    options: Mapping[str, object] | None = None,
) -> Iterator[Exchange]:
    """Ask, and yield the exchange as it grows; the last one is complete."""
    history = [(done.question, done.text) for done in earlier if done.text and done.answer]
    yield Exchange(question, live=True)
    text, pieces, begun, shown_at = "", 0, 0.0, 0.0
    try:
        for piece in _in_own_thread(
            lambda: stream(question, history=history, cancelled=stop.is_set, **(options or {})),
            stop,
        ):
            if isinstance(piece, Answer):
                passed = time.monotonic() - begun if begun else 0.0
                rate = (pieces - 1) / passed if pieces > 2 and passed > 0 else 0.0  # noqa: PLR2004 - fewer measure nothing
                yield Exchange(question, piece.text, piece, rate=rate)
                return
            begun = begun or time.monotonic()
            pieces += 1
            text += piece
            if time.monotonic() - shown_at >= _PAUSE:
                shown_at = time.monotonic()
                yield Exchange(question, text, live=True)
        yield Exchange(question, text)  # stopped, and whoever works on it does not end
    except MiniRagChatError as error:
        yield Exchange(question, problem=str(error))


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
    asked_to_stop = 0.0
    try:
        while True:
            try:
                piece = pieces.get(timeout=_LOOK)
            except Empty:
                asked_to_stop += _LOOK if stop.is_set() else 0.0
                if asked_to_stop >= _GRACE:
                    return
                continue
            if piece is None:
                return
            if isinstance(piece, Exception):
                raise piece
            yield piece
    finally:
        stop.set()
