"""Loads a model and its tokenizer from a folder that ``convert`` made, and frees memory."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import clear_frames
from typing import Any

from minirag_chat.errors import ModelCorrupt, ModelError, ModelMissing, ModelTooLarge, first_line
from minirag_chat.models.memory_use import Place, available_gb, needed_gb, out_of_memory
from minirag_chat.models.offline import offline
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
    """Return model and tokenizer, without a network.

    Raises ``ModelTooLarge`` if memory runs out, ``ModelCorrupt`` for files that cannot be read, and
    ``ModelError`` if a library cannot be used.
    """
    from safetensors import SafetensorError

    try:
        return _loaded(folder, place)
    except ImportError as error:
        library = f"the library {error.name.partition('.')[0]}" if error.name else "a library"
        raise ModelError(
            f"The model {name} cannot be loaded, because {library} is missing or does not fit "
            f"({first_line(error)}); install minirag-chat again."
        ) from error
    except (OSError, ValueError, KeyError, RuntimeError, MemoryError, SafetensorError) as error:
        if (ran_out := out_of_memory(name, error)) is not None:
            _let_go(error)
            release(place)
            raise ran_out from error
        raise ModelCorrupt(
            f"The model {name} in {folder} cannot be loaded ({first_line(error)}); "
            f"delete that folder and run: minirag-chat models get {name}."
        ) from error


def _loaded(folder: Path, place: Place) -> tuple[Any, Any]:
    with offline():
        from transformers import AutoModelForCausalLM, AutoTokenizer

        model = AutoModelForCausalLM.from_pretrained(
            folder, device_map={"": place}, local_files_only=True
        ).eval()
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        _prepare(model, place)
    return model, tokenizer


def _let_go(error: BaseException | None) -> None:
    """Drop what was loaded before an error: its traceback holds that, while a smaller model is tried."""
    while error is not None:
        clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _prepare(model: Any, place: Place) -> None:
    if place == "cpu":
        from minirag_chat.models.nf4_linear import replace_linear_layers

        replace_linear_layers(model)
        if by_onnxruntime(model):
            from minirag_chat.models.output_layer import in_eight_bits

            in_eight_bits(model)
        return
    import torch
    from bitsandbytes.nn import Linear4bit

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
