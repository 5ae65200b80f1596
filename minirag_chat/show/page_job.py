"""A background job of the page: imports and downloads, one after another, with progress, stop and result."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Literal, NamedTuple

from minirag_chat.errors import ImportFailed, ImportStopped, MiniRagChatError
from minirag_chat.records import Cancelled, ImportReport, Progress, Report


class FileReport(NamedTuple):
    """What the import of one of several files did."""

    file: str
    report: ImportReport


Result = ImportReport | FileReport | ImportFailed
Work = Callable[[Report, Cancelled], Iterable[Result]]
"""Yields a report or an error for each file; an error that is raised ends the job."""
Outcome = Literal["running", "done", "failed", "stopped"]
_STARTING = Progress("starting", 0)
_running: set[Job] = set()  # those of this process


@dataclass(frozen=True, slots=True)
class JobState:
    """The state of the part of a job that began last.

    ``share`` of the step is done; ``left`` is in seconds, 0 if unknown. ``count`` is how many messages
    have been read, where nobody knows how many there are, else 0.
    ``problems`` are sentences: one for each file that could not be imported, and why the part ended early.
    ``files`` are the names of the files of the reports, where they are known, else "".
    ``ended`` are the parts before it, and ``waiting`` the titles of those that have not begun.
    ``stoppable``: it ends soon when it is asked to; ``stopping``: it was asked.
    """

    title: str
    outcome: Outcome
    step: str
    share: float
    left: float = 0.0
    count: int = 0
    problems: tuple[str, ...] = ()
    reports: tuple[ImportReport, ...] = ()
    files: tuple[str, ...] = ()
    ended: tuple[JobState, ...] = ()
    waiting: tuple[str, ...] = ()
    stoppable: bool = True
    stopping: bool = False


@dataclass(slots=True)
class _Part:
    """What a job does under one title, and how far it is; ``stop`` ends this part only."""

    title: str
    work: Work
    imports: bool
    internal: bool
    stoppable: bool
    stop: Event = field(default_factory=Event)
    outcome: Outcome = "running"
    problems: list[str] = field(default_factory=list)
    reports: list[FileReport] = field(default_factory=list)
    progress: Progress = _STARTING
    step_started: tuple[float, float] = 0.0, 0.0  # when the step began, and the share done then

    def state(self, ended: Iterable[_Part] = (), waiting: Iterable[_Part] = ()) -> JobState:
        """Its current state, between the parts before and after it."""
        share, (since, before) = _share(self.progress), self.step_started
        passed = time.monotonic() - since
        known = self.outcome == "running" and passed > 1 and share > before
        return JobState(
            title=self.title,
            outcome=self.outcome,
            step=self.progress.step,
            share=1.0 if self.outcome == "done" else share,
            left=passed * (1 - share) / (share - before) if known else 0.0,
            count=0 if self.progress.total else self.progress.done,
            problems=tuple(self.problems),
            reports=tuple(done.report for done in self.reports),
            files=tuple(done.file for done in self.reports),
            ended=tuple(part.state() for part in ended),
            waiting=tuple(part.title for part in waiting),
            stoppable=self.stoppable,
            stopping=self.stop.is_set(),
        )


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
        self._lock = Lock()
        self._thread = Thread(target=self._run, name=title, daemon=True)

    @property
    def _now(self) -> _Part:
        """The part that runs, or ran last."""
        return self._parts[self._place]

    @property
    def title(self) -> str:
        """The title of the part that runs, or ran last."""
        return self._now.title

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
        self._now.stop.set()

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
        return self._now.outcome == "running"

    def shown(self) -> JobState:
        """Its current state."""
        with self._lock:
            before = self._parts[: self._place]
            if not all(part.internal for part in self._parts):
                before = [
                    p for p in before if not p.internal or p.problems
                ]  # of the samples no report
            return self._now.state(before, self._parts[self._place + 1 :])

    def _report(self, progress: Progress) -> None:
        with self._lock:
            part = self._now
            anew = _share(progress) < _share(part.progress)  # the same step for the next file
            if progress.step != part.progress.step or anew:
                part.step_started = time.monotonic(), _share(progress)
            part.progress = progress

    def _run(self) -> None:
        _running.add(self)
        try:
            while self.running:
                self._do_next()
        finally:
            _running.discard(self)

    def _do_next(self) -> None:
        part = self._now
        part.step_started = time.monotonic(), 0.0
        outcome, problem = self._do(part)
        with self._lock:
            part.problems += [problem] if problem else []
            self._place = min(self._place + 1, len(self._parts) - 1)
            part.outcome = outcome  # last: the job runs while there is another part

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
        if part.stop.is_set():
            return "stopped", ""
        return ("failed" if part.problems and not part.reports else "done"), ""

    def _keep(self, result: Result) -> None:
        with self._lock:
            if isinstance(result, ImportFailed):
                self._now.problems.append(str(result))
            else:
                named = result if isinstance(result, FileReport) else FileReport("", result)
                self._now.reports.append(named)


def stop_all_jobs(seconds: float) -> None:
    """Ask all jobs of this process to end, with the processes that they use; wait at most ``seconds``."""
    jobs, until = list(_running), time.monotonic() + seconds
    for job in jobs:
        job.stop_all()
    for job in jobs:
        job.wait(max(0.0, until - time.monotonic()))


def task(title: str, run: Callable[..., object], *, stoppable: bool = True) -> Job:
    """A job that imports nothing, not started: it calls ``run(progress=…, cancelled=…)``."""

    def work(progress: Report, cancelled: Cancelled) -> tuple[()]:
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
