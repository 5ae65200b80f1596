"""ZeroGPU of Hugging Face Spaces: a GPU that is available only inside calls that request it.

A call waits in a queue, then runs in a process that is forked from this one. The model is loaded there,
in 4 bits, and stays as long as that process does. This process must not touch the GPU, though torch says
that there is one. The page, the database and the search stay in this process; so does a reader on the
CPU, used if no GPU is available.
"""

from __future__ import annotations

import importlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from contextvars import copy_context
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from minirag_chat.errors import ModelError
from minirag_chat.models.protocols import ChatModel, ChatReader, ChoiceProbabilities, Piece
from minirag_chat.records import Cancelled, Turns, never

SECONDS = 30
"""The maximum duration that a call declares; the shorter, the sooner it gets its turn."""
POLL_SECONDS = 0.05
"""Seconds between two calls of ``cancelled``."""
RETRY_SECONDS = 120.0
"""Seconds for which the CPU is used after a call on the GPU failed."""
Ask = Callable[..., Iterator[Any]]
_worker = False
_end = object()


def is_here() -> bool:
    """Whether this program runs on ZeroGPU."""
    said = os.environ.get("SPACES_ZERO_GPU", "").lower()
    return said in {"1", "t", "true"} and find_spec("spaces") is not None


def only_pretended() -> bool:
    """Whether torch says that there is a GPU, but this process must not use it."""
    return is_here() and not _worker


@lru_cache(maxsize=1)
def ask_for_gpu() -> Ask | None:
    """Register the function that uses the GPU, which ZeroGPU requires before the page is served.

    Returns the function to call; None if the package ``spaces`` is not installed.
    """
    if find_spec("spaces") is None:
        return None
    marked: Ask = importlib.import_module("spaces").GPU(on_gpu, duration=SECONDS)
    return marked


def on_gpu(
    folder: str, name: str, method: str, arguments: tuple[Any, ...], options: dict[str, Any]
) -> Iterator[Any]:
    """Yield the pieces, or the one result, of a method of the reader. Runs in the process with the GPU."""
    global _worker  # noqa: PLW0603 - it is true for the whole process
    _worker = True
    said = getattr(_reader_there(folder, name), method)(*arguments, **options)
    if isinstance(said, Iterator):
        yield from said
    else:
        yield said


@lru_cache(maxsize=1)
def _reader_there(folder: str, name: str) -> ChatModel:
    from minirag_chat.models.choose import reader_in

    if "torch" in sys.modules:  # more threads hang in a process forked from one with threads
        sys.modules["torch"].set_num_threads(1)
    return reader_in(Path(folder), name)


class ZeroGpuModel:
    """A ``ChatModel`` whose calls run on ZeroGPU; ``local_model``, on the CPU, is the fallback."""

    def __init__(self, local_model: ChatModel, folder: Path, name: str, ask: Ask) -> None:
        self._local_model = local_model
        self._place = (str(folder), name)
        self._ask = ask
        self._not_before = 0.0

    @property
    def name(self) -> str:
        """The catalog name, and where it runs."""
        return f"{self._place[1]} (4-bit, ZeroGPU)"

    def count_tokens(self, text: str) -> int:
        """The number of tokens of ``text`` in a prompt."""
        return self._local_model.count_tokens(text)

    def stream(
        self, turns: Turns, *, max_new_tokens: int, cancelled: Cancelled = never
    ) -> Iterator[str]:
        """Yield the greedy answer in pieces; ends early if ``cancelled``."""
        yield from self._called("stream", (turns,), cancelled, max_new_tokens=max_new_tokens)

    def choose_each(
        self, prompts: Sequence[Turns], choices: Sequence[str], *, cancelled: Cancelled = never
    ) -> list[ChoiceProbabilities | None]:
        """The probabilities of the choices for each prompt; None if ``cancelled``."""
        found = next(self._called("choose_each", (prompts, choices), cancelled), None)
        return [None] * len(prompts) if found is None else list(found)

    def close(self) -> None:
        """Free the memory of the reader of this process."""
        self._local_model.close()

    def _called(
        self, method: str, arguments: tuple[Any, ...], cancelled: Cancelled, **options: Any
    ) -> Iterator[Any]:
        """The pieces of the method's result, computed on the GPU, or here if no GPU is available."""
        begun = False
        if time.monotonic() >= self._not_before:
            try:
                call = (*self._place, method, arguments, options)
                for piece in _watched(self._ask, call, cancelled):
                    begun = True
                    yield piece
            except Exception as error:
                self._not_before = time.monotonic() + RETRY_SECONDS
                if begun:
                    raise ModelError("The GPU was taken away: ask again.") from error
            else:
                return
        said = getattr(self._local_model, method)(*arguments, cancelled=cancelled, **options)
        if isinstance(said, Iterator):
            yield from said
        else:
            yield said


class ZeroGpuReader(ZeroGpuModel):
    """A ``ChatReader`` whose calls run on ZeroGPU."""

    def silence(self, turns: Turns, *, cancelled: Cancelled = never) -> float | None:
        """The log-odds of "Not stated."; None if ``cancelled``."""
        return next(self._called("silence", (turns,), cancelled), None)

    def read(
        self,
        turns: Turns,
        *,
        max_new_tokens: int,
        several: bool = False,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """Yield the likeliest answer in pieces."""
        options = {"max_new_tokens": max_new_tokens, "several": several}
        yield from self._called("read", (turns,), cancelled, **options)


def by_zero_gpu(local_model: ChatModel, folder: Path, name: str) -> ChatModel:
    """The same model with its calls on ZeroGPU; unchanged if this program does not run there."""
    ask = ask_for_gpu() if only_pretended() else None
    if ask is None:
        return local_model
    kind = ZeroGpuReader if isinstance(local_model, ChatReader) else ZeroGpuModel
    return kind(local_model, folder, name, ask)


def _watched(ask: Ask, call: tuple[Any, ...], cancelled: Cancelled) -> Iterator[Any]:
    """The pieces of a call. A thread waits for them, so that cancelling ends it even in the queue.

    Raises what the call raises.
    """
    came: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stop = threading.Event()

    def wait() -> None:
        try:
            with closing(ask(*call)) as pieces:  # type: ignore[type-var]  # it is a generator
                for piece in pieces:
                    came.put((piece, None))
                    if stop.is_set():
                        break
            came.put((_end, None))
        except Exception as error:  # noqa: BLE001 - it is raised where the pieces are read
            came.put((_end, error))

    # ZeroGPU finds the user in the context.
    threading.Thread(target=copy_context().run, args=(wait,), daemon=True).start()
    try:
        while not cancelled():
            try:
                piece, error = came.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            if error is not None:
                raise error
            if piece is _end:
                return
            yield piece
    finally:
        stop.set()
