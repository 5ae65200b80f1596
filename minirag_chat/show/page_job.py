"""A background job of the page: imports and downloads, one after another, with progress, stop and result."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Literal

from minirag_chat.errors import ImportFailed, ImportStopped, MiniRagChatError
from minirag_chat.records import ImportReport, Progress

Work = Callable[
    [Callable[[Progress], None], Callable[[], bool]], Iterable[ImportReport | ImportFailed]
]
"""Yields a report or an error for each file; an error that is raised ends the job."""
Outcome = Literal["running", "done", "failed", "stopped"]
_running: set[Job] = set()  # those of this process


@dataclass(frozen=True, slots=True)
class JobState:
    """The state of the part of a job that began last.

    ``share`` of the step is done; ``left`` is in seconds, 0 if unknown. ``count`` is how many messages
    have been read, where nobody knows how many there are, else 0.
    ``problems`` are sentences: one for each file that could not be imported, and why the part ended early.
    ``ended`` are the parts before it, and ``waiting`` the titles of those that have not begun.
    ``stoppable``: it ends soon when it is asked to.
    """

    title: str
    outcome: Outcome
    step: str
    share: float
    left: float = 0.0
    count: int = 0
    problems: tuple[str, ...] = ()
    reports: tuple[ImportReport, ...] = ()
    ended: tuple[JobState, ...] = ()
    waiting: tuple[str, ...] = ()
    stoppable: bool = True


@dataclass(frozen=True, slots=True)
class _Part:
    """What a job does under one title; ``stop`` ends this part only."""

    title: str
    work: Work
    imports: bool
    internal: bool
    stoppable: bool
    stop: Event = field(default_factory=Event)


class Job:
    """Runs ``work(progress, cancelled)`` in a thread of its own. Other threads may read its state.

    What is added while it runs is done after that. ``internal``: the page's own work, which a visitor can
    watch but not stop. ``imports``: it imports messages and does not download a model. ``stoppable``: it
    ends soon when it is asked to.
    """

    def __init__(
        self,
        title: str,
        work: Work,
        *,
        internal: bool = False,
        imports: bool = True,
        stoppable: bool = True,
    ) -> None:
        self.internal = internal
        self._parts = [_Part(title, work, imports, internal, stoppable)]
        self._place = 0  # of the part that runs, or ran last
        self._ended: list[JobState] = []
        self._lock = Lock()
        self._outcome: Outcome = "running"
        self._problems: list[str] = []
        self._reports: list[ImportReport] = []
        self._progress = Progress("starting", 0)
        # Of the step: when it began, and the share that was done then.
        self._step_started = time.monotonic(), 0.0
        self._thread = Thread(target=self._run, name=title, daemon=True)

    @property
    def title(self) -> str:
        """The title of the part that runs, or ran last."""
        return self._parts[self._place].title

    @property
    def imports(self) -> bool:
        """Whether what runs, or waits, imports messages."""
        return any(part.imports for part in self._parts[self._place :])

    def imports_into(self, *, own: bool) -> bool:
        """Whether what runs, or waits, imports the user's own messages, or those of the samples."""
        return any(part.imports and part.internal != own for part in self._parts[self._place :])

    def start(self) -> Job:
        """Start; returns itself."""
        self._thread.start()
        return self

    def add(self, job: Job) -> bool:
        """Do what ``job`` was to do, which has not been started, after the rest; False if this has ended.

        What is not an import is done once, however often it is added.
        """
        with self._lock:
            left = {part.title for part in self._parts[self._place :]}
            if self.running and (job.imports or job.title not in left):
                self._parts += job._parts
            return self.running

    def stop(self) -> None:
        """Ask the part that runs to end soon; what waits goes on."""
        self._parts[self._place].stop.set()

    def stop_all(self) -> None:
        """Ask the whole job to end soon."""
        with self._lock:
            for part in self._parts:
                part.stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most ``seconds`` for its end; returns whether it has ended."""
        self._thread.join(seconds)
        return not self.running

    @property
    def running(self) -> bool:
        """Whether it is still running."""
        return self._outcome == "running"

    def shown(self) -> JobState:
        """Its current state."""
        with self._lock:
            progress, (since, before) = self._progress, self._step_started
            share = _share(progress)
            passed = time.monotonic() - since
            known = self.running and passed > 1 and share > before
            return JobState(
                title=self.title,
                outcome=self._outcome,
                step=progress.step,
                share=1.0 if self._outcome == "done" else share,
                left=passed * (1 - share) / (share - before) if known else 0.0,
                count=0 if progress.total else progress.done,
                problems=tuple(self._problems),
                reports=tuple(self._reports),
                ended=tuple(self._ended),
                waiting=tuple(part.title for part in self._parts[self._place + 1 :]),
                stoppable=self._parts[self._place].stoppable,
            )

    def _report(self, progress: Progress) -> None:
        with self._lock:
            anew = _share(progress) < _share(self._progress)  # the same step for the next file
            if progress.step != self._progress.step or anew:
                self._step_started = time.monotonic(), _share(progress)
            self._progress = progress

    def _run(self) -> None:
        _running.add(self)
        try:
            self._do_all()
        finally:
            _running.discard(self)

    def _do_all(self) -> None:
        while True:
            outcome, problem = self._do(self._parts[self._place])
            with self._lock:
                self._problems += [problem] if problem else []
                if self._place + 1 == len(self._parts):
                    self._outcome = outcome
                    return
                self._next(outcome)

    def _next(self, outcome: Outcome) -> None:
        """Keep how a part ended, and make ready for the one after it."""
        ended = JobState(
            self.title,
            outcome,
            "",
            1.0,
            problems=tuple(self._problems),
            reports=tuple(self._reports),
        )
        self._ended.append(ended)
        self._place += 1
        self._problems, self._reports = [], []
        self._progress = Progress("starting", 0)
        self._step_started = time.monotonic(), 0.0

    def _do(self, part: _Part) -> tuple[Outcome, str]:
        """Do one part; returns how it ended, and why if that is an error."""
        try:
            for result in part.work(self._report, part.stop.is_set):
                self._keep(result)
        except ImportStopped as error:
            return "stopped", str(error)
        except MiniRagChatError as error:
            return ("stopped" if part.stop.is_set() else "failed"), str(error)
        except Exception as error:  # noqa: BLE001 - the page must show that the job ended, whatever the error
            return "failed", unexpected(error)
        return ("failed" if self._problems and not self._reports else "done"), ""

    def _keep(self, result: ImportReport | ImportFailed) -> None:
        with self._lock:
            if isinstance(result, ImportFailed):
                self._problems.append(str(result))
            else:
                self._reports.append(result)


def stop_all_jobs(seconds: float) -> None:
    """Ask all jobs of this process to end, with the processes that they use; wait at most ``seconds``."""
    jobs, until = list(_running), time.monotonic() + seconds
    for job in jobs:
        job.stop_all()
    for job in jobs:
        job.wait(max(0.0, until - time.monotonic()))


def task(title: str, run: Callable[..., object], *, stoppable: bool = True) -> Job:
    """A job that imports nothing, not started: it calls ``run(progress=…, cancelled=…)``."""

    def work(progress: Callable[[Progress], None], cancelled: Callable[[], bool]) -> tuple[()]:
        run(progress=progress, cancelled=cancelled)
        return ()

    return Job(title, work, imports=False, stoppable=stoppable)


def unexpected(error: Exception) -> str:
    """A sentence for an error of the program itself: its kind and place. Its text may be private."""
    *_, last = traceback.extract_tb(error.__traceback__)
    where = f"{Path(last.filename).name}, line {last.lineno}"
    return f"That failed unexpectedly ({type(error).__name__} in {where})."


def _share(progress: Progress) -> float:
    """How much of the step is done; at most 1: a download may be larger than announced."""
    return min(1.0, progress.done / progress.total) if progress.total else 0.0
