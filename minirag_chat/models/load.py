"""Loads a model and its tokenizer from a folder that ``convert`` made, and frees memory."""

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
    """The device to run on: ``cuda`` or ``cpu``."""
    import torch

    return "cuda" if torch.cuda.is_available() and not only_pretended() else "cpu"


def check_fits(folder: Path, name: str, place: Place) -> None:
    """Refuse a model that would make the machine swap.

    Raises ``ModelMissing`` if there are no weights, ``ModelTooLarge`` if they do not fit in free memory.
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
    """Return model and tokenizer, without a network. Raises ``ModelCorrupt``."""
    from safetensors import SafetensorError

    try:
        with offline():
            from transformers import AutoModelForCausalLM, AutoTokenizer

            import minirag_chat.models.plain_bitsandbytes  # noqa: F401  # before transformers' own import of it

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
        if by_onnxruntime(model):
            from minirag_chat.models.output_layer import in_eight_bits

            in_eight_bits(model)
        return
    import torch

    from minirag_chat.models.plain_bitsandbytes import Linear4bit

    if not torch.cuda.is_bf16_supported(including_emulation=False):
        for layer in model.modules():
            if isinstance(layer, Linear4bit):
                layer.compute_dtype = torch.float16


def by_onnxruntime(model: Any) -> bool:
    """Whether onnxruntime multiplies for the model: see ``nf4_linear``."""
    return any(getattr(layer, "products", None) is not None for layer in model.modules())


def release(place: Place) -> None:
    """Return the memory of a model that is no longer referenced to the system."""
    gc.collect()
    if place == "cuda":
        import torch

        torch.cuda.empty_cache()
    trim_memory()


@contextmanager
def trimmed() -> Iterator[None]:
    """Trim memory after the block: an answer over a long history leaves a hundred MB unused."""
    try:
        yield
    finally:
        trim_memory()


def trim_memory() -> None:
    """Return freed memory to the system, if the C library keeps it."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc keeps freed memory
        if trim is not None:
            trim(0)
