"""Work in a thread, reported to a browser as server-sent events; ends when the browser leaves."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any

from tornado.iostream import StreamClosedError

from minirag_chat.errors import MiniRagChatError
from minirag_chat_jupyter.base import Handler, status_of

HEARTBEAT = 0.4
"""Seconds of silence after which a comment is sent: it wakes the client, and shows if one has left."""

Event = tuple[str, Any]
Say = Callable[[str, Any], None]


class EventHandler(Handler):
    """A handler whose answer is a stream of events: ``event: <name>``, ``data: <JSON>``."""

    def initialize(self) -> None:
        """Start with the client connected and no events."""
        super().initialize()
        self.gone = threading.Event()
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()

    def on_connection_close(self) -> None:
        """Note that the client has left, so that the work can stop."""
        self.gone.set()
        super().on_connection_close()

    async def tell(self, work: asyncio.Task[None]) -> None:
        """Send events as they come, until the last. A slow client delays only itself."""
        self.set_header("Content-Type", "text/event-stream; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Accel-Buffering", "no")
        try:
            while True:
                try:
                    event = await asyncio.wait_for(self.events.get(), HEARTBEAT)
                except TimeoutError:
                    self.write(": waiting\n\n")
                    await self.flush()
                    continue
                if event is None:
                    break
                name, data = event
                self.write(f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n")
                await self.flush()
        except StreamClosedError:
            self.gone.set()
        finally:
            await work

    async def threaded(self, pool: Executor, work: Callable[[Say], None]) -> None:
        """Run ``work`` in a thread; what it reports is queued as an event at once."""
        loop = asyncio.get_running_loop()

        def say(name: str, data: Any) -> None:
            loop.call_soon_threadsafe(self.events.put_nowait, (name, data))

        await loop.run_in_executor(pool, work, say)

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do a piece of work; queues an error event if it fails, and then the end mark."""
        try:
            await work
        except MiniRagChatError as error:
            self._failed(error, str(error))
        except Exception as error:
            self.log.exception("MiniRAG Chat failed")
            self._failed(error, "The server failed: see its log.")
        self.events.put_nowait(None)

    def _failed(self, error: Exception, said: str) -> None:
        told = {"message": said, "type": type(error).__name__, "status": status_of(error)}
        self.events.put_nowait(("error", told))
