"""One JSON line on standard error for each thing that happens, for programs that collect logs."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec

from minirag_chat.errors import BadSetting
from minirag_chat.records.happened import Happened
from minirag_chat.system.installing import how_to_add
from minirag_chat.system.monitoring import listen, unlisten

_LOG = logging.getLogger("minirag_chat.happened")


def write_json_lines() -> None:
    """Begin to log, once. Raises ``BadSetting`` where the library is not here."""
    if find_spec("pythonjsonlogger") is None:
        raise BadSetting(
            f"A log in JSON needs a library that is not installed: run `{how_to_add('server')}`."
        )
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


def stop_json_lines() -> None:
    """Stop logging."""
    _LOG.handlers.clear()
    unlisten(_line)


def _line(happened: Happened) -> None:
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
