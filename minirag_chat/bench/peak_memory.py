"""The peak memory of a process, if the system reports it."""

from __future__ import annotations

import sys

import psutil


def peak_bytes(*, children: bool = False) -> int | None:
    """The peak of this process, or of its largest ended child; None if the system has no figure."""
    try:
        import resource
    except ImportError:  # Windows has no such module
        return None if children else getattr(psutil.Process().memory_info(), "peak_wset", None)
    whose = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    unit = 1 if sys.platform == "darwin" else 1024
    return int(resource.getrusage(whose).ru_maxrss) * unit


def peak_mib(*, children: bool = False) -> float:
    """The same in MiB; 0 if the system has no figure."""
    return (peak_bytes(children=children) or 0) / 2**20
