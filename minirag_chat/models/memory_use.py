"""Whether a model fits in memory: one rule for choosing and for loading, and what is said if it ran out.

GB are 2³⁰ bytes.
"""

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

from minirag_chat.errors import ModelTooLarge
from minirag_chat.system.passphrase import environment_without_passphrases

Place = Literal["cpu", "cuda"]
GB = 1024**3
MEMORY_PER_WEIGHT_BYTE = {"cpu": 1.6, "cuda": 1.1}
"""Bytes of memory per byte of weights on disk: the CPU keeps a second layout of them."""
OVERHEAD_GB = {"cpu": 0.6, "cuda": 0.5}
"""Memory needed beside the weights: for libraries, and a prompt of some 2,000 tokens."""
CACHE_SECONDS = 10.0
"""Seconds for which the driver's answer about the GPU is cached: asking it may take a second."""
RAN_OUT = (
    "out of memory", "can't allocate memory", "cannot allocate memory", "not enough memory",
    "bad_alloc", "paging file is too small",
)  # fmt: skip
"""What torch, safetensors and the systems say when there is no more memory."""
TOOL = "nvidia-smi"
HIDDEN = frozenset({"", "-1", "NoDevFiles"})  # values of CUDA_VISIBLE_DEVICES that hide all GPUs


@dataclass(frozen=True, slots=True)
class Gpu:
    """The first CUDA GPU; memory in GB."""

    name: str
    memory_gb: float
    free_gb: float


def needed_gb(folder: Path, place: Place) -> float:
    """The memory that the weights in ``folder`` need at ``place``; 0.0 if there are none."""
    weights = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    return MEMORY_PER_WEIGHT_BYTE[place] * weights / GB + OVERHEAD_GB[place] if weights else 0.0


def out_of_memory(name: str, error: BaseException) -> ModelTooLarge | None:
    """The error to raise if ``error`` says that a model ran out of memory, else None."""
    text = str(error).lower()
    if not isinstance(error, MemoryError) and not any(words in text for words in RAN_OUT):
        return None
    return ModelTooLarge(f"{name} ran out of memory; close other programs or use a smaller model.")


def available_gb(place: Place) -> float:
    """The memory that is free at ``place`` now."""
    if place == "cpu":
        return psutil.virtual_memory().available / GB
    found = gpu()
    return found.free_gb if found else _free_by_torch()


def gpu() -> Gpu | None:
    """The first CUDA GPU according to the driver's tool, so that torch need not be loaded for this.

    If torch already uses the GPU, the free memory comes from torch, which is exact and faster.
    """
    found = _by_driver(int(time.monotonic() // CACHE_SECONDS))
    torch = sys.modules.get("torch")
    if found is None or torch is None or not torch.cuda.is_initialized():
        return found
    return replace(found, free_gb=_free_by_torch())


def _free_by_torch() -> float:
    import torch

    unused = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()  # kept by torch for reuse
    return (torch.cuda.mem_get_info()[0] + unused) / GB


@lru_cache(maxsize=1)
def _by_driver(_moment: int) -> Gpu | None:
    if shutil.which(TOOL) is None or why_no_gpu() is not None:
        return None
    return ask_driver()


def why_no_gpu() -> str | None:
    """Why a GPU could not be used here, even if there were one; None if nothing prevents it."""
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
