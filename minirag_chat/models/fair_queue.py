"""A fair queue of bounded length for the questions of all users of one process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from minirag_chat.errors import TooManyWaiting
from minirag_chat.records import Cancelled, never
from minirag_chat.records.monitoring import MonitoringEvent
from minirag_chat.system.monitoring import tell

POLL_SECONDS = 0.25
"""Seconds between two calls of ``cancelled``."""

Ticket = asyncio.Future[None]


class FairQueue:
    """Lets ``at_once`` questions be answered at a time, in round-robin order over the users.

    At most ``most_waiting`` wait. If one more comes, the user with the most waiting questions loses the
    last one; that may be the new one. A queue belongs to one event loop; ``len`` is safe in any thread.
    """

    def __init__(self, most_waiting: int, at_once: int = 1) -> None:
        self._most = most_waiting
        self._at_once = self._free = at_once
        self._waiting: dict[Hashable, deque[Ticket]] = {}  # users, in the order of their turns

    def __len__(self) -> int:
        return sum(len(tickets) for tickets in list(self._waiting.values()))

    @property
    def answering(self) -> int:
        """How many questions are being answered."""
        return self._at_once - self._free

    @property
    def ahead(self) -> int:
        """How many questions are waiting or being answered."""
        return len(self) + self.answering

    @asynccontextmanager
    async def turn(self, user: Hashable, cancelled: Cancelled = never) -> AsyncIterator[bool]:
        """Wait for this user's turn, which ends with the block; yields False if ``cancelled`` before.

        Raises ``TooManyWaiting``, immediately or while it waits.
        """
        ticket = self._join(user)
        try:
            while not ticket.done() and not cancelled():
                await asyncio.wait([ticket], timeout=POLL_SECONDS)
            if ticket.done():
                ticket.result()
            yield ticket.done() and not cancelled()
        finally:
            self._leave(user, ticket)

    def _join(self, user: Hashable) -> Ticket:
        if len(self) >= self._most:
            self._make_room(user)
        ticket: Ticket = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(user, deque()).append(ticket)
        self._serve()
        return ticket

    def _make_room(self, user: Hashable) -> None:
        """Drop the last question of the user with the most; or refuse the new one: ``TooManyWaiting``."""
        refusal = TooManyWaiting(
            f"Many people are asking at the moment, and {self._most} questions wait already: "
            "try again in a minute."
        )
        tell(MonitoringEvent("question", "refused"))
        most = max(self._waiting, key=lambda one: len(self._waiting[one]))
        if len(self._waiting[most]) <= len(self._waiting.get(user, ())) + 1:
            raise refusal
        self._waiting[most].pop().set_exception(refusal)

    def _serve(self) -> None:
        """Give out the free turns; a user who got one goes to the end of the queue."""
        while self._free and self._waiting:
            user = next(iter(self._waiting))
            tickets = self._waiting.pop(user)
            tickets.popleft().set_result(None)
            if tickets:
                self._waiting[user] = tickets
            self._free -= 1

    def _leave(self, user: Hashable, ticket: Ticket) -> None:
        if ticket.done():
            self._free += ticket.exception() is None
        else:
            self._waiting[user].remove(ticket)
            if not self._waiting[user]:
                del self._waiting[user]
        self._serve()
