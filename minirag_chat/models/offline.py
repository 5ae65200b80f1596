"""Loading models without a network and without output on the terminal.

Every load runs inside ``offline()``: the hub's client refuses to connect, and progress bars and library
warnings are not shown.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")

_load_lock = threading.RLock()


def _new_lock() -> None:
    """Replace the lock in a forked child: if another thread held it, the child would wait forever."""
    global _load_lock  # noqa: PLW0603 - one lock per process
    _load_lock = threading.RLock()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_new_lock)


@contextmanager
def offline() -> Iterator[None]:
    """Keep the libraries off the network and the terminal; restores everything afterwards.

    Only one thread at a time can load, because these settings are global to the process. Must also
    surround the first import of bitsandbytes: if the package ``kernels`` is installed, that import
    would ask the hub for a kernel.
    """
    with _load_lock, _hub_offline(), _quiet():
        yield


@contextmanager
def _hub_offline() -> Iterator[None]:
    """Before huggingface_hub's first import the environment variable counts, afterwards its constant."""
    first_import = "huggingface_hub.constants" not in sys.modules
    before = os.environ.get("HF_HUB_OFFLINE")
    from_environment = any(
        os.environ.get(name, "").upper() in {"1", "ON", "YES", "TRUE"} for name in VARIABLES
    )
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        from huggingface_hub import constants

        restored = from_environment if first_import else constants.HF_HUB_OFFLINE
        constants.HF_HUB_OFFLINE = True
        try:
            yield
        finally:
            constants.HF_HUB_OFFLINE = restored
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
"""How threads wait.

The first is for every OpenMP library, the second is for GNU's, where it takes precedence.
"""


def patient_threads() -> None:
    """Let the libraries' threads spin only briefly while they wait for one another, then sleep.

    With several other programs on the same cores, spinning as long as the libraries do by default costs
    up to a factor of ten. Without spinning, a prompt of 448 tokens takes 7 s instead of 3.5 on a virtual
    machine that wakes threads slowly; with half a millisecond of spinning, 3.8. Takes effect at torch's
    first import; variables that the user has set are kept.
    """
    if "torch" in sys.modules or any(name in os.environ for name in WAITING):
        return
    os.environ.update(WAITING)
    try:
        import torch  # noqa: F401  # its OpenMP library reads the variables when it is loaded
    finally:
        for name in WAITING:
            del os.environ[name]
