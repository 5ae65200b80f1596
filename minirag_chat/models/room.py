"""Whether a model has room: one rule for choosing a model and for loading it. GB are 2³⁰ bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import psutil

from minirag_chat.system.passphrase import environment_without_passphrases

Place = Literal["cpu", "cuda"]
GB = 1024**3
MEMORY_PER_WEIGHT_BYTE = {"cpu": 1.6, "cuda": 1.1}
"""Bytes of memory a byte of weights on disk takes: the CPU keeps a second layout of them."""
OVERHEAD_GB = {"cpu": 0.6, "cuda": 0.5}
"""What is needed beside the weights: libraries, and a prompt of some 2,000 tokens."""
LOOK_AGAIN = 10.0
"""Seconds for which the driver's word on the GPU's memory is taken: asking it may take one."""
TOOL = "nvidia-smi"
HIDDEN = frozenset({"", "-1", "NoDevFiles"})  # what a user sets to keep CUDA from all GPUs


@dataclass(frozen=True, slots=True)
class Gpu:
    """The first CUDA GPU; memory in GB."""

    name: str
    memory_gb: float
    free_gb: float


def needed_gb(folder: Path, place: Place) -> float:
    """The memory that the weights in ``folder`` need at ``place``; 0.0 where there are none."""
    weights = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    return MEMORY_PER_WEIGHT_BYTE[place] * weights / GB + OVERHEAD_GB[place] if weights else 0.0


def available_gb(place: Place) -> float:
    """The memory that is free at ``place`` now."""
    if place == "cpu":
        return psutil.virtual_memory().available / GB
    found = gpu()
    return found.free_gb if found else _free_by_torch()


def gpu() -> Gpu | None:
    """The first CUDA GPU by the driver's own library, so that looking does not load torch.

    Where torch is at work on it already, it tells what is free, which is exact and quicker.
    """
    found = _by_driver(int(time.monotonic() // LOOK_AGAIN))
    torch = sys.modules.get("torch")
    if found is None or torch is None or not torch.cuda.is_initialized():
        return found
    return replace(found, free_gb=_free_by_torch())


def _free_by_torch() -> float:
    import torch

    unused = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()  # kept to be used again
    return (torch.cuda.mem_get_info()[0] + unused) / GB


@lru_cache(maxsize=1)
def _by_driver(_moment: int) -> Gpu | None:
    if shutil.which(TOOL) is None or why_no_gpu() is not None:
        return None
    return ask_driver()


def why_no_gpu() -> str | None:
    """Why a GPU could not be used here, whether there is one or not; None where nothing forbids it."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") in HIDDEN:
        return "CUDA_VISIBLE_DEVICES hides it"
    try:
        build = version("torch")
    except PackageNotFoundError:
        return "torch is not installed"
    return "this build of torch is for CPUs alone" if build.endswith("+cpu") else None


def ask_driver() -> Gpu | None:
    """The first NVIDIA GPU that the driver knows, whether it can be used or not."""
    tool = shutil.which(TOOL)
    if tool is None:
        return None
    command = [tool, "--query-gpu=name,memory.total,memory.free", "--format=csv,noheader,nounits"]
    try:
        output = subprocess.run(  # noqa: S603 - a fixed command
            command,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
            env=environment_without_passphrases(),
        )
        name, memory, free = output.stdout.splitlines()[0].rsplit(",", 2)
        return Gpu(name.strip(), float(memory) / 1024, float(free) / 1024)
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None
