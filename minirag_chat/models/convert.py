"""Converts weights of any kind to 4-bit NF4 weights on disk, once.

A GGUF file is first dequantised to bf16; hub weights already are bf16. Then bitsandbytes quantises
(NF4, double quantisation, bf16 compute) and the result is saved with tokenizer and chat template.
Runs as a separate process (``python -m minirag_chat.models.convert SOURCE DEST ORIGIN WORK``), so that the
memory it takes, some 5.6 GB for 1.5 billion parameters, is freed, and it can be killed.
"""

from __future__ import annotations

import errno
import json
import shutil
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

from minirag_chat.errors import ModelCorrupt, ModelError, first_line
from minirag_chat.models.offline import offline
from minirag_chat.system.private_folders import make_folder

MARKER = "minirag-chat.json"
FORMAT = 1
UNREADABLE = (ValueError, LookupError, RuntimeError, EOFError, struct.error)
SAME_EMBEDDING = 0.15
"""Below this relative difference, input and output embeddings are one matrix, quantised twice."""


def convert(source: Path, dest: Path, *, origin: str, within: Path | None = None) -> Path:
    """Write the NF4 model of ``source``, a GGUF file or a folder of weights, to ``dest``.

    ``origin`` (a SHA-256, or a hub repository) is written to the marker file beside the weights. ``dest``
    is created complete or not at all, from what is made ``within`` a folder of the same disk, by default
    the one of ``dest``. Raises ``ModelCorrupt`` if the weights cannot be read and
    ``ModelError`` if the disk is full.
    """
    from safetensors import SafetensorError

    make_folder(dest.parent)
    work = Path(tempfile.mkdtemp(prefix=f".{dest.name}-", dir=within or dest.parent))
    try:
        with offline():
            weights = _dequantise(source, work / "bf16") if source.is_file() else source
            _quantise(weights, work / "nf4")
        marker = {"format": FORMAT, "origin": origin}
        (work / "nf4" / MARKER).write_text(json.dumps(marker), encoding="utf-8")
        put(work / "nf4", dest)
    except OSError as error:
        raise _readable(error, source) from error
    except (*UNREADABLE, SafetensorError) as error:
        raise ModelCorrupt(
            f"The weights in {source} cannot be read ({first_line(error)}); "
            "delete them and get the model again."
        ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return dest


def origin_of(folder: Path) -> str | None:
    """Return what the model in ``folder`` was made from; None if it is not complete."""
    try:
        marker = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(marker, dict) or marker.get("format") != FORMAT:
        return None
    return str(marker.get("origin", ""))


def _dequantise(gguf: Path, dest: Path) -> Path:
    """Write the GGUF file's weights as bf16 safetensors to ``dest``."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place: dict[str, Any] = {"gguf_file": gguf.name, "local_files_only": True}
    model = AutoModelForCausalLM.from_pretrained(gguf.parent, dtype=torch.bfloat16, **place)
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, **place)
    _remove_quantizer_attributes(model)
    _tie_embeddings(model)
    model.save_pretrained(dest)
    tokenizer.save_pretrained(dest)
    return dest


def _remove_quantizer_attributes(model: Any) -> None:
    """Make a model that was loaded from GGUF savable: its weights are plain bf16 now."""
    for name in ("hf_quantizer", "quantization_method", "is_quantized"):
        if name in vars(model):
            delattr(model, name)
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config


def _tie_embeddings(model: Any) -> None:
    """Tie the input and output embeddings, which GGUF stores twice, at two precisions.

    The output matrix is more precise and is kept. Saves 467 MB of 1.6 GB for 1.5 billion parameters.
    """
    inputs, outputs = model.get_input_embeddings().weight, model.get_output_embeddings().weight
    if inputs is outputs or inputs.shape != outputs.shape:
        return
    sample = slice(None, None, 16)
    difference = (inputs[sample].float() - outputs[sample].float()).norm()
    if difference > SAME_EMBEDDING * outputs[sample].float().norm():
        return
    model.get_input_embeddings().weight = outputs
    model.config.tie_word_embeddings = True
    model.tie_weights()


def _quantise(weights: Path, dest: Path) -> None:
    """Quantise the bf16 weights in the folder ``weights`` to NF4, tensor by tensor."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig

    config = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    model = AutoModelForCausalLM.from_pretrained(
        weights,
        quantization_config=config,
        dtype=torch.bfloat16,
        device_map={"": "cpu"},
        local_files_only=True,
    )
    tokenizer = AutoTokenizer.from_pretrained(weights, local_files_only=True)
    model.save_pretrained(dest)
    tokenizer.save_pretrained(dest)


def put(made: Path, dest: Path) -> None:
    """Move ``made`` to ``dest``; an older model there is moved away first."""
    old = made.parent / "old"
    shutil.rmtree(old, ignore_errors=True)  # of a program that was killed
    if dest.exists():
        dest.replace(old)
    made.replace(dest)


def _readable(error: OSError, source: Path) -> ModelError:
    if error.errno == errno.ENOSPC:
        return ModelError(
            "The disk is full while converting the model; free some space, try again."
        )
    return ModelCorrupt(
        f"The weights in {source} cannot be read ({first_line(error)}); "
        "delete them and get the model again."
    )


def main(arguments: list[str]) -> int:
    """Convert ``SOURCE DEST ORIGIN WORK``; the last line of stderr says what failed."""
    source, dest, origin, work = arguments
    try:
        convert(Path(source), Path(dest), origin=origin, within=Path(work))
    except ModelError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
