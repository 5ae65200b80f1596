"""One HTTP request whose answer is read line by line and can be stopped at any moment.

A blocking read cannot be interrupted, so the reading happens in a thread with an event loop of its
own, and the caller looks up ten times a second. Stopping closes the connection, which is how a
model server learns that it need not go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Any

import httpx

LOOK_UP = 0.1
"""Seconds between two questions to ``cancelled``."""


class Refused(Exception):
    """The server answered with another ``status`` than 200; the caller translates it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def post(
    url: str,
    body: Mapping[str, Any],
    *,
    headers: Mapping[str, str],
    timeout: httpx.Timeout,
    cancelled: Callable[[], bool],
) -> Iterator[str]:
    """Yield the lines of the answer as they come; ends once ``cancelled``.

    Raises ``Refused``, or what kept the request from being made or answered.
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
        try:
            # trust_env: a proxy of the environment must not see messages
            async with (
                httpx.AsyncClient(timeout=self._timeout, trust_env=False) as client,
                client.stream("POST", self._url, json=self._body, headers=self._headers) as answer,
            ):
                if answer.status_code != httpx.codes.OK:
                    raise Refused(answer.status_code)  # noqa: TRY301  # one way out for all of them
                async for line in answer.aiter_lines():
                    self.lines.put(line)
        except Exception as error:  # noqa: BLE001  # whoever waits for lines must learn of it
            self.lines.put(error)
