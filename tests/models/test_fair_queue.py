"""The queue for the model: in rounds over users, bounded, and with a sentence for who does not get in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from minirag_chat.errors import TooManyWaiting
from minirag_chat.models.fair_queue import FairQueue


class Asking:
    """Users who ask, each question held until ``go`` is set, and in which order they were answered."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.order: list[str] = []
        self.refused: list[str] = []
        self.at_once = 0
        self.go = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, *questions: str, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Ask; a question is its user and a number, such as ``ann 1``."""
        for question in questions:
            self.tasks.append(asyncio.create_task(self._answered(question, cancelled)))
            await asyncio.sleep(0)  # it has its place now

    async def _answered(self, question: str, cancelled: Callable[[], bool]) -> None:
        try:
            async with self.queue.turn(question.partition(" ")[0], cancelled) as ours:
                if ours:
                    self.order.append(question)
                    self.at_once = max(self.at_once, self.queue.answering)
                    await self.go.wait()
                    await asyncio.sleep(0)
        except TooManyWaiting:
            self.refused.append(question)

    async def end(self) -> None:
        self.go.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert (len(self.queue), self.queue.answering) == (0, 0), "it is empty again"


def test_ten_questions_of_one_user_do_not_hold_up_the_one_of_another() -> None:
    async def run() -> list[str]:
        asking = Asking(FairQueue(24))
        await asking.ask(*(f"ann {n}" for n in range(10)), "ben 0", "cem 0", "ben 1")
        await asking.end()
        return asking.order

    order = asyncio.run(run())
    assert order[:6] == ["ann 0", "ann 1", "ben 0", "cem 0", "ann 2", "ben 1"]
    assert len(order) == 13


def test_as_many_are_answered_at_once_as_it_is_told() -> None:
    async def run() -> tuple[int, int]:
        asking = Asking(FairQueue(24, at_once=3))
        await asking.ask(*(f"user{n} 0" for n in range(8)))
        await asking.end()
        return asking.at_once, len(asking.order)

    assert asyncio.run(run()) == (3, 8)


def test_where_too_many_wait_the_last_of_whoever_has_the_most_is_refused() -> None:
    async def run() -> Asking:
        asking = Asking(FairQueue(4))
        await asking.ask(*(f"ann {n}" for n in range(6)))  # one is answered, four wait
        assert asking.refused == ["ann 5"]
        await asking.ask("ben 0")
        await asking.ask("cem 0")
        await asyncio.sleep(0.01)
        assert asking.refused == ["ann 5", "ann 4", "ann 3"]
        await asking.ask("ben 1")
        assert asking.refused[-1] == "ben 1", "none has more than ben would have"
        await asking.end()
        return asking

    assert asyncio.run(run()).order == ["ann 0", "ann 1", "ben 0", "cem 0", "ann 2"]


@pytest.mark.slow
def test_who_goes_away_is_not_waited_for() -> None:
    async def run() -> list[str]:
        asking = Asking(FairQueue(24))
        gone = False
        await asking.ask("ann 0")
        await asking.ask("ben 0", cancelled=lambda: gone)
        await asking.ask("cem 0", "dan 0")
        gone = True
        asking.tasks[2].cancel()  # the task of a lost connection
        asking.tasks[0].cancel()  # also of who is being answered
        await asyncio.sleep(0.6)
        await asking.end()
        return asking.order

    assert asyncio.run(run()) == ["ann 0", "dan 0"]


@pytest.mark.parametrize("waiting", [1, 2])
def test_the_bound_counts_those_who_wait_and_not_those_who_are_answered(waiting: int) -> None:
    async def run() -> int:
        asking = Asking(FairQueue(waiting))
        await asking.ask(*(f"user{n} 0" for n in range(5)))
        refused = len(asking.refused)
        await asking.end()
        return refused

    assert asyncio.run(run()) == 5 - 1 - waiting
