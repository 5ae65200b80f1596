"""One HTTP request whose answer is read line by line and can be stopped at any moment.

A blocking read cannot be interrupted, so a thread with its own event loop reads, and the caller checks
``cancelled`` ten times a second. Stopping closes the connection, which tells a model server to stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Any

import httpx

from minirag_chat.records import Cancelled

POLL_SECONDS = 0.1
"""Seconds between two calls of ``cancelled``."""
LONGEST_ANSWER = 8 << 20
"""An answer with more bytes is abandoned: a server may send without end."""
LONGEST_REFUSAL = 4096
"""At most so many bytes of an error response are read to find its reason."""


class Refused(Exception):
    """The server answered with a ``status`` other than 200; the caller makes a message of it.

    ``body`` is the beginning of the error response: the server's own text, which must not be shown.
    """

    def __init__(self, status: int, body: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.body = body


class TooLong(Exception):
    """The server sent more than ``LONGEST_ANSWER`` bytes."""


def post(
    url: str,
    body: Mapping[str, Any],
    *,
    headers: Mapping[str, str],
    timeout: httpx.Timeout,
    cancelled: Cancelled,
) -> Iterator[str]:
    """Yield the lines of the answer as they come; ends once ``cancelled``.

    Raises ``Refused``, ``TooLong``, or any exception of the request itself.
    """
    request = _Request(url, body, headers, timeout)
    try:
        request.start()  # an interrupt may come while the main thread waits for the new one
        while not cancelled():
            try:
                item = request.lines.get(timeout=POLL_SECONDS)
            except Empty:
                continue
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        request.stop()


class _Request(threading.Thread):
    """Puts the lines into ``lines``, then the exception if there was one, and always None at the end."""

    def __init__(
        self, url: str, body: Mapping[str, Any], headers: Mapping[str, str], timeout: httpx.Timeout
    ) -> None:
        super().__init__(name="model-server", daemon=True)
        self.lines: SimpleQueue[str | Exception | None] = SimpleQueue()
        self._url, self._body = url, body
        self._headers, self._timeout = headers, timeout
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._read())

    def run(self) -> None:
        """Read until the end, an error or ``stop``."""
        try:
            with contextlib.suppress(asyncio.CancelledError):
                self._loop.run_until_complete(self._task)
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
        finally:
            self.lines.put(None)

    def stop(self) -> None:
        """Close the connection and wait for the thread, a second at most."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the request has ended
            self._loop.call_soon_threadsafe(self._task.cancel)
        with contextlib.suppress(RuntimeError):  # interrupted before it began, it ends at once
            self.join(1.0)

    async def _read(self) -> None:
        headers = {"Accept-Encoding": "identity", **self._headers}  # no compression
        try:
            # trust_env=False: a proxy in the environment must not see messages
            async with (
                httpx.AsyncClient(timeout=self._timeout, trust_env=False) as client,
                client.stream("POST", self._url, json=self._body, headers=headers) as answer,
            ):
                if answer.status_code != httpx.codes.OK:
                    said = await _beginning(answer)
                    raise Refused(answer.status_code, said)  # noqa: TRY301  # all errors are handled below
                async for line in _lines(answer):
                    self.lines.put(line)
        except Exception as error:  # noqa: BLE001  # the waiting thread raises it
            self.lines.put(error)


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    """The lines of an answer. Raises ``TooLong``, also in the middle of a line."""
    waiting, length = b"", 0
    async for part in answer.aiter_raw():
        length += len(part)
        if length > LONGEST_ANSWER:
            raise TooLong
        *whole, waiting = (waiting + part).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace").rstrip("\r")
    if waiting:
        yield waiting.decode(errors="replace")


async def _beginning(answer: httpx.Response) -> str:
    """The first ``LONGEST_REFUSAL`` bytes of an error response."""
    said = b""
    async for part in answer.aiter_raw():
        said += part
        if len(said) >= LONGEST_REFUSAL:
            break
    return said[:LONGEST_REFUSAL].decode(errors="replace")
