"""One question of the widget, run in a thread of its own so that the notebook stays usable."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Event, Thread

from minirag_chat.errors import MiniRagChatError
from minirag_chat.records import Answer, Cancelled
from minirag_chat.ui_text import STOPPED

PAUSE = 0.08  # seconds between two updates of the streamed text, often enough for the eye
PATIENCE = 10.0  # seconds that an interrupted cell waits for the model to end

Stream = Callable[[Cancelled], Iterator[str | Answer]]


class WidgetRun:
    """A question being answered, once ``start`` is called.

    ``begin`` is called with a function that says whether to stop, ``show`` with the text so far, and
    ``done`` with this run when it has ended, with ``answer`` or ``error`` set.
    """

    def __init__(
        self, begin: Stream, show: Callable[[str], None], done: Callable[[WidgetRun], None]
    ) -> None:
        self.answer: Answer | None = None
        self.error: Exception | None = None
        self._begin, self._show, self._done = begin, show, done
        self._stop = Event()
        # Not the thread's own state: before Python 3.13, a `join` that is interrupted calls a
        # thread ended while it runs, and two threads then draw the widget at once.
        self._ended = Event()
        self._thread = Thread(target=self._work, name="chat-widget", daemon=True)

    @property
    def running(self) -> bool:
        """Whether the thread has begun and not ended."""
        return self._thread.ident is not None and not self._ended.is_set()

    def start(self) -> None:
        """Begin. The caller holds this run by then, and can stop it if interrupted here."""
        self._thread.start()

    def stop(self) -> None:
        """Stop it soon; the text so far is kept."""
        self._stop.set()

    def wait(self) -> Answer:
        """Wait for the answer. Interrupting the waiting cell stops the model first."""
        try:
            while self.running:
                self._ended.wait(PAUSE)
        except KeyboardInterrupt:
            self.stop()
            self._ended.wait(PATIENCE)
            raise
        if self.error is not None:
            raise self.error
        if self.answer is None:
            raise MiniRagChatError(STOPPED)
        return self.answer

    def _work(self) -> None:
        try:
            self._answered()
            self._done(self)
        finally:
            self._ended.set()

    def _answered(self) -> None:
        """Keep the answer or the error, and show the text while it comes."""
        text, shown_at = "", 0.0
        try:
            for piece in self._begin(self._stop.is_set):
                if isinstance(piece, Answer):
                    self.answer = piece
                    continue
                text += piece
                if time.monotonic() - shown_at >= PAUSE:
                    shown_at = time.monotonic()
                    self._show(text)
        except Exception as error:  # noqa: BLE001 - shown in the widget, raised again by wait()
            self.error = error
