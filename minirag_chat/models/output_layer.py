"""The output layer of a language model (hidden states → logits), in 8 bits by onnxruntime.

Its weights are the embeddings, which stay in float32: for each token of an answer they are read whole, a
gigabyte for the 1.5B. So all logits are computed in 8 bits, and those of the likeliest tokens once more
in float32: the token that is chosen, and its probability, are as before.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from minirag_chat.models.int8_matmul import ByteProducts
from minirag_chat.models.nf4_linear import part_width, rounded

EXACT = 64
"""So many of the highest logits are computed in float32."""
CLOSE = 0.05
"""The largest error of a logit in 8 bits, as a part of the standard deviation of all of them."""


class OutputLayer(nn.Module):
    """What ``layer`` computes, a linear layer without a bias. Raises ``ValueError`` as ``ByteProducts``."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.weight = layer.weight
        tokens, width = self.weight.shape
        parts = self.weight.data.view(tokens, -1, part_width(width)).transpose(0, 1)
        whole, units = zip(*map(rounded, parts), strict=True)
        stored = torch.stack(whole).numpy(), torch.stack(units)[..., 0].numpy()
        self._products = ByteProducts([stored])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Multiply ``x`` (… × in) in its own dtype."""
        rows = x.reshape(-1, x.shape[-1])
        logits = torch.from_numpy(self._products.multiply(0, rows.float().numpy())).to(x.dtype)
        for row, found in zip(rows, logits, strict=True):
            likeliest = found.topk(min(EXACT, len(found))).indices
            found[likeliest] = self.weight[likeliest] @ row
        return logits.view(*x.shape[:-1], -1)

    def is_right(self) -> bool:
        """Whether logits in 8 bits are nearly the same as in float32, for made-up input."""
        wave = torch.arange(self.weight.shape[1], dtype=torch.float32).sin()
        expected = self.weight.float() @ wave
        got = torch.from_numpy(self._products.multiply(0, wave[None].numpy()))[0]
        return bool((got - expected).abs().mean() < CLOSE * expected.std())


def in_eight_bits(model: Any) -> bool:
    """Replace the output layer of a transformers model; whether it could be, and its results are right."""
    layer = model.get_output_embeddings()
    if type(layer) is not nn.Linear or layer.bias is not None:
        return False
    try:
        ours = OutputLayer(layer)
    except (ValueError, RuntimeError):  # it refuses the graph, or there are no more threads
        return False
    if not ours.is_right():
        return False
    model.set_output_embeddings(ours)
    return True
