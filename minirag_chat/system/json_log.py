"""One JSON line on standard error for each thing that happens, for programs that collect logs."""

from __future__ import annotations

import logging
import sys

from minirag_chat.records.monitoring import MonitoringEvent
from minirag_chat.system.installing import need
from minirag_chat.system.monitoring import listen

_LOG = logging.getLogger("minirag_chat.happened")


def write_json_lines() -> None:
    """Begin to log, once. Raises ``BadSetting`` where the library is not here."""
    need("pythonjsonlogger", "server", "A log in JSON needs")
    from pythonjsonlogger.json import JsonFormatter

    if _LOG.handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        JsonFormatter(["message", "process"], rename_fields={"message": "event"}, timestamp="time")
    )
    _LOG.addHandler(handler)
    _LOG.setLevel(logging.INFO)
    _LOG.propagate = False
    listen(_line)


def _line(happened: MonitoringEvent) -> None:
    steps = {f"{step}_seconds": round(passed, 4) for step, passed in happened.steps.items()}
    _LOG.info(
        happened.what,
        extra={
            "id": happened.id,
            "outcome": happened.outcome,
            "reason": happened.reason,
            "seconds": round(happened.seconds, 4),
            **steps,
            **happened.counts,
        },
    )
