"""Converts a 4-bit model's weights to bf16 with the same values, for machines that cannot train in 4 bits.

``python training/plain_weights.py MODEL OUT``: OUT takes two bytes per parameter.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(source: Path, to: Path) -> None:
    """Dequantise the model in ``source`` to ``to``."""
    model: Any = AutoModelForCausalLM.from_pretrained(
        source, device_map={"": "cpu"}, local_files_only=True
    )
    model = model.dequantize()
    tied = {"lm_head.weight"} if model.config.tie_word_embeddings else set()
    weights = {
        name: tensor.to(torch.bfloat16).contiguous()
        for name, tensor in model.state_dict().items()
        if name not in tied
    }
    to.mkdir(parents=True, exist_ok=True)
    save_file(weights, to / "model.safetensors", metadata={"format": "pt"})
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.config.save_pretrained(to)
    AutoTokenizer.from_pretrained(source, local_files_only=True).save_pretrained(to)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
