"""A background job of the page: an import or a download, with progress, stop and result."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class JobState:
    """The state of a job. ``share`` of the step is done; ``left`` is in seconds, 0 if unknown.

    ``problems`` are sentences: one for each file that could not be imported, and why the job ended early.
    """

    title: str
    outcome: Outcome
    step: str
    share: float
    left: float = 0.0
    problems: tuple[str, ...] = ()
    reports: tuple[ImportReport, ...] = ()


class Job:
    """Runs ``work(progress, cancelled)`` in a thread of its own. Other threads may read its state.

    ``ours``: the page's own work, which a visitor can watch but not stop. ``imports``: it imports
    messages and does not download a model.
    """

    def __init__(self, title: str, work: Work, *, ours: bool = False, imports: bool = True) -> None:
        self.title = title
        self.imports = imports
        self.ours = ours
        self._work = work
        self._stop = Event()
        self._lock = Lock()
        self._outcome: Outcome = "running"
        self._problems: list[str] = []
        self._reports: list[ImportReport] = []
        self._progress = Progress("starting", 0)
        self._begun = time.monotonic(), 0.0  # of the step: its start time, and the share done then
        self._thread = Thread(target=self._run, name=title, daemon=True)

    def start(self) -> Job:
        """Start; returns itself."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ask the job to end soon."""
        self._stop.set()

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
            progress, (since, before) = self._progress, self._begun
            share = _share(progress)
            passed = time.monotonic() - since
            known = self.running and passed > 1 and share > before
            return JobState(
                title=self.title,
                outcome=self._outcome,
                step=progress.step,
                share=1.0 if self._outcome == "done" else share,
                left=passed * (1 - share) / (share - before) if known else 0.0,
                problems=tuple(self._problems),
                reports=tuple(self._reports),
            )

    def _report(self, progress: Progress) -> None:
        with self._lock:
            anew = _share(progress) < _share(self._progress)  # the same step for the next file
            if progress.step != self._progress.step or anew:
                self._begun = time.monotonic(), _share(progress)
            self._progress = progress

    def _run(self) -> None:
        outcome: Outcome = "done"
        problem = ""
        try:
            for result in self._work(self._report, self._stop.is_set):
                self._keep(result)
            outcome = "failed" if self._problems and not self._reports else "done"
        except ImportStopped as error:
            outcome, problem = "stopped", str(error)
        except MiniRagChatError as error:
            outcome, problem = ("stopped" if self._stop.is_set() else "failed"), str(error)
        except Exception as error:  # noqa: BLE001 - the page must show that the job ended, whatever the error
            outcome, problem = "failed", unexpected(error)
        with self._lock:
            self._problems += [problem] if problem else []
            self._outcome = outcome

    def _keep(self, result: ImportReport | ImportFailed) -> None:
        with self._lock:
            if isinstance(result, ImportFailed):
                self._problems.append(str(result))
            else:
                self._reports.append(result)


def unexpected(error: Exception) -> str:
    """A sentence for an error of the program itself: its kind and place. Its text may be private."""
    *_, last = traceback.extract_tb(error.__traceback__)
    where = f"{Path(last.filename).name}, line {last.lineno}"
    return f"That failed unexpectedly ({type(error).__name__} in {where})."


def _share(progress: Progress) -> float:
    """How much of the step is done; at most 1: a download may be larger than announced."""
    return min(1.0, progress.done / progress.total) if progress.total else 0.0
