"""A 4-bit linear layer for the CPU that reads prompts faster than bitsandbytes' own.

bitsandbytes 0.50 sends every input, long or short, through one fused kernel. That kernel is right
for one token; for a block of a prompt it is cheaper to dequantise the layer (0.09 s for all of
1.5 billion parameters) and let oneDNN multiply: 4.7 s instead of 6.5 s for 704 tokens on two
cores. So each layer keeps both layouts of its weights. The plain one stays a view of the weights
file, so it costs memory that the system may take back, not memory of ours.

Imported by ``transformers_model`` only, when a model is loaded: needs torch and bitsandbytes.
"""

from __future__ import annotations

from typing import Any, cast

import bitsandbytes.functional as bnb
import torch
from bitsandbytes.nn import Linear4bit
from torch import nn

FEW_ROWS = 48
"""Inputs with fewer rows (tokens) go through the fused kernel, where the processor has it."""
BLOCK = 64
"""Weights that share a scale: what ``convert`` writes."""
PACK = 32
"""Rows that the fused kernel reads together."""
ROWS = 32
"""Longer inputs are filled up to a multiple of it: oneDNN keeps megabytes for each height it meets."""
CLOSE = 0.02
CHUNK_BYTES = 4 << 20
"""Weights are dequantised by chunks that stay in the cache and in the allocator's hands: a whole
layer at once costs 5,000 page faults and half as much time again for 128 tokens."""


def fused_kernel() -> bool:
    """Whether this processor has the instructions (AVX-512 BF16) of the fused kernel."""
    return bool(bnb.has_avx512bf16())


def compute_dtype() -> torch.dtype:
    """bf16 where the processor multiplies it, float32 elsewhere: emulated bf16 is slower."""
    return torch.bfloat16 if fused_kernel() else torch.float32


class Nf4Linear(nn.Module):
    """What ``Linear4bit`` computes: x · Wᵀ + b with W (out × in) stored as NF4."""

    def __init__(self, layer: Any, *, fused: bool) -> None:
        super().__init__()
        state = layer.weight.quant_state
        self.plain = layer.weight.data.reshape(-1).view(torch.uint8)
        self.rows, self.columns = (int(size) for size in state.shape)
        self.absmax = _absmax(state)
        self.bias = layer.bias
        self.code = state.code
        self.packed: tuple[torch.Tensor, torch.Tensor] | None = None
        if fused and self.rows % PACK == 0:
            scales = self.absmax.view(self.rows, -1).T.to(torch.bfloat16).contiguous()
            self.packed = _pack(self.plain.view(self.rows, -1)), scales

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Multiply ``x`` (… × in) in its own dtype."""
        if self.packed is not None and x.numel() < FEW_ROWS * self.columns:
            product = self._fused(x, *self.packed)
        else:
            product = self._by_chunks(x.reshape(-1, self.columns)).view(*x.shape[:-1], self.rows)
        return product if self.bias is None else product.add_(self.bias)

    def fused_is_right(self) -> bool:
        """Whether the fused kernel gives what the plain weights give, on made-up input."""
        if self.packed is None:
            return True
        wave = torch.arange(2 * self.columns, dtype=torch.float32).sin().view(2, -1)
        x = wave.to(torch.bfloat16)
        expected, got = self._by_chunks(x).float(), self._fused(x, *self.packed).float()
        return bool((got - expected).norm() < CLOSE * expected.norm())

    def _fused(self, x: torch.Tensor, packed: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
        shape = (self.rows, self.columns)
        product = torch.ops.bitsandbytes.gemv_4bit(x, packed, shape, scales, self.code, BLOCK)
        return cast("torch.Tensor", product)

    def _by_chunks(self, x: torch.Tensor) -> torch.Tensor:
        count = x.shape[0]
        if count > ROWS:
            x = nn.functional.pad(x, (0, 0, 0, -count % ROWS))
        product = x.new_empty(x.shape[0], self.rows)
        step = max(32, CHUNK_BYTES // (self.columns * x.element_size()) // 32 * 32)
        for first in range(0, self.rows, step):
            last = min(first + step, self.rows)
            torch.mm(x, self._weight(first, last, x.dtype).t(), out=product[:, first:last])
        return product[:count]

    def _weight(self, first: int, last: int, dtype: torch.dtype) -> torch.Tensor:
        """Dequantise the rows from ``first`` up to ``last``."""
        values, blocks = self.columns // 2, self.columns // BLOCK
        weight = torch.ops.bitsandbytes.dequantize_4bit(
            self.plain[first * values : last * values],
            self.absmax[first * blocks : last * blocks],
            BLOCK,
            "nf4",
            (last - first, self.columns),
            dtype,
        )
        return cast("torch.Tensor", weight)


def _pack(plain: torch.Tensor) -> torch.Tensor:
    """Reorder NF4 bytes (out × in/2) as the fused kernel reads them.

    Of 32 rows, a byte holds row r below row r + 16; the pairs of columns stay together. It is what
    bitsandbytes does itself at a layer's first use, five times as fast.
    """
    rows, width = plain.shape
    halves = plain.view(rows // PACK, 2, PACK // 2, width).transpose(2, 3)
    lower, upper = halves[:, 0], halves[:, 1]
    packed = plain.new_empty(rows // PACK, width, PACK // 2, 2)
    torch.bitwise_or(lower >> 4, upper & 0xF0, out=packed[..., 0])
    torch.bitwise_or(lower & 0x0F, upper << 4, out=packed[..., 1])
    return packed.view(rows, width)


def _absmax(state: Any) -> torch.Tensor:
    """Return the scales of the blocks, float32, the second quantisation undone."""
    if not state.nested:
        return cast("torch.Tensor", state.absmax.float())
    scales = bnb.dequantize_blockwise(state.absmax, state.state2) + state.offset
    return cast("torch.Tensor", scales.float())


def replace_linear_layers(model: nn.Module) -> int:
    """Put an ``Nf4Linear`` in the place of each ``Linear4bit``; returns how many there were.

    What stays as it was (embeddings, norms, biases) is brought to ``compute_dtype``.
    """
    layers = [
        (parent, name, child)
        for parent in model.modules()
        for name, child in parent.named_children()
        if isinstance(child, Linear4bit) and child.in_features % BLOCK == 0
    ]
    fused = fused_kernel() and all(
        Nf4Linear(child, fused=True).fused_is_right() for _, _, child in layers[:1]
    )
    for parent, name, child in layers:
        setattr(parent, name, Nf4Linear(child, fused=fused))
    dtype = compute_dtype()
    for tensor in (*model.parameters(), *model.buffers()):
        if tensor.dtype in (torch.bfloat16, torch.float16):
            tensor.data = tensor.data.to(dtype)
    return len(layers)
