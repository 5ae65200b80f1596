"""A folder that ``convert`` made → a model and its tokenizer in memory, and out of it again."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minirag_chat.errors import ModelCorrupt, ModelMissing, ModelTooLarge, first_line
from minirag_chat.models.offline import offline
from minirag_chat.models.room import Place, available_gb, needed_gb
from minirag_chat.models.zero_gpu import only_pretended


def device() -> Place:
    """Where to compute: ``cuda`` or ``cpu``."""
    import torch

    return "cuda" if torch.cuda.is_available() and not only_pretended() else "cpu"


def check_fits(folder: Path, name: str, place: Place) -> None:
    """Refuse a model before it makes the machine swap.

    Raises ``ModelMissing`` where there are no weights, ``ModelTooLarge`` where they have no room.
    """
    needs, free = needed_gb(folder, place), available_gb(place)
    if not needs:
        raise ModelMissing(
            f"The model {name} is not on this machine; get it with: minirag-chat models get {name}."
        )
    if needs > free:
        raise ModelTooLarge(
            f"{name} needs about {needs:.1f} GB of memory and {free:.1f} GB are free; close other "
            "programs, or use a smaller model: MINIRAG_CHAT_MODEL=auto takes one that has room."
        )


def load(folder: Path, name: str, place: Place) -> tuple[Any, Any]:
    """Return model and tokenizer, without network; raises ``ModelCorrupt``."""
    from safetensors import SafetensorError

    try:
        with offline():
            from transformers import AutoModelForCausalLM, AutoTokenizer

            model = AutoModelForCausalLM.from_pretrained(
                folder, device_map={"": place}, local_files_only=True
            ).eval()
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            _prepare(model, place)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
        raise ModelCorrupt(
            f"The model {name} in {folder} cannot be loaded ({first_line(error)}); "
            f"delete that folder and run: minirag-chat models get {name}."
        ) from error
    return model, tokenizer


def _prepare(model: Any, place: Place) -> None:
    if place == "cpu":
        from minirag_chat.models.nf4_linear import replace_linear_layers

        replace_linear_layers(model)
        return
    import torch
    from bitsandbytes.nn import Linear4bit

    if not torch.cuda.is_bf16_supported(including_emulation=False):
        for layer in model.modules():
            if isinstance(layer, Linear4bit):
                layer.compute_dtype = torch.float16


def release(place: Place) -> None:
    """Give the memory of a model that nothing refers to any more back to the system."""
    gc.collect()
    if place == "cuda":
        import torch

        torch.cuda.empty_cache()
    trim_memory()


@contextmanager
def trimmed() -> Iterator[None]:
    """Give back what the block freed: an answer over a long history leaves a hundred MB."""
    try:
        yield
    finally:
        trim_memory()


def trim_memory() -> None:
    """Give back to the system what was freed, where the C library keeps it."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc keeps freed memory else
        if trim is not None:
            trim(0)
