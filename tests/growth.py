"""Whether work costs time by its length, or by the square of it, on a machine of any speed.

Where the work is of Python and SQLite, its steps are counted: no machine makes a difference.

Where it is of patterns, which run as one step, processor time of this thread is compared, without the
collector of garbage, which costs by what the whole process holds: the least of three runs of a short text
with that of one 32 times as long. Linear work takes 32 times as long then, work by the square 1,024
times; the limit is the geometric middle, so a disturbance has to be fivefold, in each of three runs, to
be taken for it.
"""

from __future__ import annotations

import gc
import sqlite3
import sys
import time
from collections.abc import Callable
from types import FrameType

TIMES = 32
RUNS = 3
MOST_MORE = 2.25
"""Twice as many is linear; by the square it is four times as many."""


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor time of this thread for ``work``."""
    collects = gc.isenabled()
    gc.disable()
    try:
        begun = time.thread_time()
        work()
        return time.thread_time() - begun
    finally:
        if collects:
            gc.enable()


def assert_by_length(seconds: Callable[[int], float], short: int) -> None:
    """Fail if the processor time ``seconds(length)`` grows with the square of the length.

    ``short`` should be so long that most of it costs by its length: what any length costs hides how the
    rest grows.
    """
    seconds(short)  # what is made at the first use
    usual = min(seconds(short) for _ in range(RUNS))
    limit = usual * TIMES**1.5
    took: list[float] = []
    while not took or took[-1] >= limit:  # the least is below the limit as soon as one of them is
        took.append(seconds(TIMES * short))
        assert len(took) < RUNS or min(took) < limit, (
            f"{TIMES} times the length took {min(took) / usual:.0f} times the time"
        )


def steps(work: Callable[[], object], connection: sqlite3.Connection | None = None) -> int:
    """How many lines of Python ``work`` runs in this thread, and tens of instructions of SQLite."""
    count = 0

    def line(_frame: FrameType, event: str, _arg: object) -> Callable[..., object]:
        nonlocal count
        count += event == "line"
        return line

    def ten_more() -> None:
        nonlocal count
        count += 1

    before = sys.gettrace()
    if connection is not None:
        connection.set_progress_handler(ten_more, 10)
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(before)
        if connection is not None:
            connection.set_progress_handler(None, 0)
    return count


def assert_steps_by_length(counted: Callable[[int], int], short: int) -> None:
    """Fail if the steps ``counted(length)`` grow with the square of the length.

    From twice to four times the length come twice as many as from once to twice; by the square it is four
    times as many. No machine makes a difference, so a square shows that is small beside the rest.
    """
    counted(short)  # what is made at the first use
    once, twice, four = (counted(short * times) for times in (1, 2, 4))
    more = (four - twice) / (twice - once)
    assert more < MOST_MORE, (
        f"{once:,}, {twice:,} and {four:,} steps: by the length {more:.1f} would be 2"
    )
