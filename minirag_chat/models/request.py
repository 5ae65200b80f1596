"""One HTTP request whose answer is read line by line and can be stopped at any moment.

A blocking read cannot be interrupted, so the reading happens in a thread with an event loop of its
own, and the caller looks up ten times a second. Stopping closes the connection, which is how a
model server learns that it need not go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Any

import httpx

LOOK_UP = 0.1
"""Seconds between two questions to ``cancelled``."""
LONGEST_ANSWER = 8 << 20
"""The bytes of an answer after which it is given up: a server may send without end."""
LONGEST_REFUSAL = 4096
"""The bytes of a refusal that are read for its reason."""


class Refused(Exception):
    """The server answered with another ``status`` than 200; the caller translates it.

    ``said`` is the beginning of what it gave as the reason: its words, not to be shown as they are.
    """

    def __init__(self, status: int, said: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.said = said


class TooLong(Exception):
    """The server sent more than ``LONGEST_ANSWER`` bytes."""


def post(
    url: str,
    body: Mapping[str, Any],
    *,
    headers: Mapping[str, str],
    timeout: httpx.Timeout,
    cancelled: Callable[[], bool],
) -> Iterator[str]:
    """Yield the lines of the answer as they come; ends once ``cancelled``.

    Raises ``Refused``, ``TooLong``, or what kept the request from being made or answered.
    """
    request = _Request(url, body, headers, timeout)
    request.start()
    try:
        while not cancelled():
            try:
                item = request.lines.get(timeout=LOOK_UP)
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
    """Puts the lines into ``lines``, then what went wrong if something did, and always None."""

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
        with contextlib.suppress(RuntimeError):  # the loop is closed: it has ended already
            self._loop.call_soon_threadsafe(self._task.cancel)
        self.join(1.0)

    async def _read(self) -> None:
        headers = {"Accept-Encoding": "identity", **self._headers}  # what is read is what was sent
        try:
            # trust_env: a proxy of the environment must not see messages
            async with (
                httpx.AsyncClient(timeout=self._timeout, trust_env=False) as client,
                client.stream("POST", self._url, json=self._body, headers=headers) as answer,
            ):
                if answer.status_code != httpx.codes.OK:
                    said = await _beginning(answer)
                    raise Refused(answer.status_code, said)  # noqa: TRY301  # one way out for all of them
                async for line in _lines(answer):
                    self.lines.put(line)
        except Exception as error:  # noqa: BLE001  # whoever waits for lines must learn of it
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
    """What a refusal says first."""
    said = b""
    async for part in answer.aiter_raw():
        said += part
        if len(said) >= LONGEST_REFUSAL:
            break
    return said[:LONGEST_REFUSAL].decode(errors="replace")
