"""Loading without a network and without noise.

Every load runs inside ``offline()``: the hub's client refuses to connect, progress bars and the
libraries' advice to developers stay off the terminal.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")

_one_at_a_time = threading.RLock()


def _new_lock() -> None:
    """A process that is forked while another thread loads would wait for that thread for ever."""
    global _one_at_a_time  # noqa: PLW0603 - it is of all of the process
    _one_at_a_time = threading.RLock()


if hasattr(os, "register_at_fork"):  # Windows has no such processes
    os.register_at_fork(after_in_child=_new_lock)


@contextmanager
def offline() -> Iterator[None]:
    """Keep the libraries from the network and from the terminal; everything is put back after.

    Loads queue up here: what is switched off is the process's, not the thread's. Must surround
    the first import of bitsandbytes too: where the package ``kernels`` is installed, that import
    would ask the hub for one.
    """
    with _one_at_a_time, _hub_offline(), _quiet():
        yield


@contextmanager
def _hub_offline() -> Iterator[None]:
    """The variable decides before huggingface_hub's first import, its constant after."""
    first_import = "huggingface_hub.constants" not in sys.modules
    before = os.environ.get("HF_HUB_OFFLINE")
    from_environment = any(
        os.environ.get(name, "").upper() in {"1", "ON", "YES", "TRUE"} for name in VARIABLES
    )
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        from huggingface_hub import constants

        put_back = from_environment if first_import else constants.HF_HUB_OFFLINE
        constants.HF_HUB_OFFLINE = True
        try:
            yield
        finally:
            constants.HF_HUB_OFFLINE = put_back
    finally:
        if before is None:
            del os.environ["HF_HUB_OFFLINE"]
        else:
            os.environ["HF_HUB_OFFLINE"] = before


@contextmanager
def _quiet() -> Iterator[None]:
    from transformers.utils import logging as transformers_logging

    verbosity = transformers_logging.get_verbosity()
    bars = transformers_logging.is_progress_bar_enabled()
    library = logging.getLogger("bitsandbytes")
    level = library.level
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    library.setLevel(logging.ERROR)
    try:
        yield
    finally:
        library.setLevel(level)
        transformers_logging.set_verbosity(verbosity)
        if bars:
            transformers_logging.enable_progress_bar()


WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "10000"}
"""How threads wait: the first for every OpenMP library, the second, which wins, for GNU's."""


def patient_threads() -> None:
    """Let the libraries' threads spin only briefly while they wait for one another, then sleep.

    With several other programs on the same cores, spinning as long as libraries do costs up to a
    factor of ten. Not spinning at all makes a prompt of 448 tokens take 7 s instead of 3.5 on a
    virtual machine that wakes slowly; half a millisecond of it, 3.8. Decided at torch's first
    import; a user's own choice stays.
    """
    if "torch" in sys.modules or any(name in os.environ for name in WAITING):
        return
    os.environ.update(WAITING)
    try:
        import torch  # noqa: F401  # its OpenMP library reads the variables when it is loaded
    finally:
        for name in WAITING:
            del os.environ[name]
