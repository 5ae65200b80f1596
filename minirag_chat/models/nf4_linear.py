"""A 4-bit linear layer for the CPU that reads prompts faster than that of bitsandbytes.

bitsandbytes 0.50 uses one fused kernel for every input, long or short. That kernel is best for one
token; for a block of a prompt it is faster to dequantise the layer (0.09 s for all of 1.5 billion
parameters) and let oneDNN multiply. So each layer keeps both layouts of its weights. The plain one
stays a view of the memory-mapped weights file, so the system can reclaim its memory.

If the CPU multiplies 8-bit integers, blocks are multiplied as integers: both sides are rounded, with a
scale for each row and part of it (as LLM.int8 does, arXiv 2208.07339, 2.1), which changes the model's
probabilities less than a tenth as much as the 4 bits did. Rounding the weights takes a third of the time
of 512 tokens; if there is memory to spare, the integers are kept after their first use, one byte per
parameter.

Most PCs do not have the fused kernel. There, if there is memory to spare, onnxruntime multiplies prompts
and single tokens by such integers (``byte_products``): to dequantise all layers for each token of an answer
takes seconds.

Imported by ``transformers_model`` only, when a model is loaded: needs torch and bitsandbytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import bitsandbytes.functional as bnb
import torch
from bitsandbytes.nn import Linear4bit
from torch import nn

from minirag_chat.models.memory_use import GB, available_gb
from minirag_chat.models.onnx_session import Array, is_installed

if TYPE_CHECKING:
    from minirag_chat.models.int8_matmul import ByteProducts

_Rounded = tuple[torch.Tensor, torch.Tensor]

FEW_ROWS = 48
"""Inputs with fewer rows (tokens) use the fused kernel, if the CPU has it."""
TOGETHER = 4
"""Layers that share a session of onnxruntime, and its threads."""
BLOCK = 64
"""Weights that share a scale, as ``convert`` writes them."""
PACK = 32
"""Rows that the fused kernel reads together."""
ROWS = 32
"""Longer inputs are padded to a multiple of it: oneDNN keeps megabytes for each number of rows."""
CLOSE = 0.02
MOST_COLUMNS = 768
"""At most so many columns share a scale when rounded to integers, so that an outlier affects only these."""
LARGEST, TINY = 127, 1e-30
MEMORY_SHARE = 0.4
"""Weights are also kept as integers if that takes at most this share of the free memory."""
CHUNK_BYTES = 4 << 20
"""Weights are dequantised in chunks that fit in the CPU cache and that the allocator reuses: a whole
layer at once costs 5,000 page faults and 50 % more time for 128 tokens."""


def fused_kernel() -> bool:
    """Whether this CPU has the instructions (AVX-512 BF16) for the fused kernel."""
    return bool(bnb.has_avx512bf16())


def compute_dtype() -> torch.dtype:
    """bf16 if the CPU multiplies it, else float32: emulated bf16 is slower."""
    return torch.bfloat16 if fused_kernel() else torch.float32


def fast_integers() -> bool:
    """Whether this CPU has instructions for dot products of 8-bit integers."""
    known = torch.cpu.get_capabilities()
    return any(known.get(name, False) for name in ("avx512_vnni", "avx_vnni", "amx_int8"))


class Nf4Linear(nn.Module):
    """What ``Linear4bit`` computes: x · Wᵀ + b with W (out × in) stored as NF4.

    ``fused``: few rows use the fused kernel. ``integers``: more rows are multiplied as integers; the weights
    are kept so if ``keep``. With ``products``, which :func:`with_products` sets, these multiply everything.
    """

    def __init__(
        self, layer: Any, *, fused: bool, integers: bool = False, keep: bool = False
    ) -> None:
        super().__init__()
        self.integers, self.keep = integers, keep
        self.products: tuple[ByteProducts, int] | None = None
        self.kept: list[_Rounded] = []
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
        few = x.numel() < FEW_ROWS * self.columns
        if few and self.packed is not None:
            product = self._fused(x, *self.packed)
        else:
            multiply = self._in_integers if self.integers and not few else self._in_floats
            if self.products is not None:
                multiply = self._by_products
            product = multiply(x.reshape(-1, self.columns)).view(*x.shape[:-1], self.rows)
        return product if self.bias is None else product.add_(self.bias)

    def fused_is_right(self) -> bool:
        """Whether the fused kernel gives nearly the same result as the plain weights, on made-up input."""
        packed = self.packed
        return packed is None or self._agrees(lambda x: self._fused(x, *packed))

    def integers_are_right(self) -> bool:
        """Whether integer products give nearly the same result as the plain weights, on made-up input."""
        return self._agrees(self._in_integers)

    def products_are_right(self) -> bool:
        """Whether the products of onnxruntime are nearly the same as the plain weights', on made-up input."""
        return self._agrees(self._by_products)

    def _agrees(self, multiply: Callable[[torch.Tensor], torch.Tensor]) -> bool:
        wave = torch.arange(2 * self.columns, dtype=torch.float32).sin().view(2, -1)
        x = wave.to(torch.bfloat16)
        expected, got = self._in_floats(x).float(), multiply(x).float()
        return bool((got - expected).norm() < CLOSE * expected.norm())

    def _fused(self, x: torch.Tensor, packed: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
        shape = (self.rows, self.columns)
        product = torch.ops.bitsandbytes.gemv_4bit(x, packed, shape, scales, self.code, BLOCK)
        return cast("torch.Tensor", product)

    def _in_floats(self, x: torch.Tensor) -> torch.Tensor:
        x, count = _padded(x), x.shape[0]
        product = x.new_empty(x.shape[0], self.rows)
        for first, last in self._chunks(x.element_size()):
            weight = self._weight(first, last, x.dtype, self._scales(first, last))
            torch.mm(x, weight.t(), out=product[:, first:last])
        return product[:count]

    def _in_integers(self, x: torch.Tensor) -> torch.Tensor:
        """``_in_floats`` with both sides rounded to 8 bits, summed over parts in float32."""
        padded, count = _padded(x), x.shape[0]
        width = part_width(self.columns)
        inputs = [rounded(part) for part in padded.float().split(width, dim=1)]
        product = torch.zeros(padded.shape[0], self.rows)
        first = 0
        for weights, units in self._as_integers(width):
            last = first + units.shape[1]
            for (values, scale), weight, unit in zip(inputs, weights, units, strict=True):
                # torch's 8-bit integer product is private; it is tested when a model is loaded
                sums = torch._int_mm(values, weight.t())  # noqa: SLF001 - torch has no public one
                product[:, first:last].addcmul_(sums * scale, unit)
            first = last
        return product[:count].to(x.dtype)

    def _by_products(self, x: torch.Tensor) -> torch.Tensor:
        """``_in_floats`` with both sides rounded to 8 bits, by onnxruntime."""
        products, number = cast("tuple[ByteProducts, int]", self.products)
        return torch.from_numpy(products.multiply(number, x.float().numpy())).to(x.dtype)

    def in_bytes(self) -> tuple[Array, Array]:
        """The weights rounded to 8 bits, parts × out × width, and scales, parts × out."""
        weights, units = zip(*self._as_integers(part_width(self.columns)), strict=True)
        return torch.cat(weights, dim=1).numpy(), torch.cat(units, dim=1).numpy()

    def _as_integers(self, width: int) -> Iterator[_Rounded]:
        """Chunks of rows of the weights as integers, parts × rows × ``width``, and scales, parts × rows."""
        if self.kept:
            yield from self.kept
            return
        kept = []
        for first, last in self._chunks(torch.bfloat16.itemsize):
            scales = self._scales(first, last).view(last - first, self.columns // width, -1)
            largest = scales.amax(dim=2).clamp_min(TINY)
            unit = scales / largest.unsqueeze(2) * LARGEST
            weight = self._weight(first, last, torch.bfloat16, unit.flatten()).round_()
            parts = weight.view(last - first, -1, width).transpose(0, 1)
            whole = parts.to(torch.int8, memory_format=torch.contiguous_format)
            rounded = whole, largest.t().contiguous() / LARGEST
            yield rounded
            if self.keep:
                kept.append(rounded)
        self.kept = kept

    def _chunks(self, item: int) -> Iterator[tuple[int, int]]:
        """First and last rows of chunks of the weights, with ``item`` bytes per value."""
        step = max(32, CHUNK_BYTES // (self.columns * item) // 32 * 32)
        for first in range(0, self.rows, step):
            yield first, min(first + step, self.rows)

    def _scales(self, first: int, last: int) -> torch.Tensor:
        blocks = self.columns // BLOCK
        return self.absmax[first * blocks : last * blocks]

    def _weight(
        self, first: int, last: int, dtype: torch.dtype, scales: torch.Tensor
    ) -> torch.Tensor:
        """Dequantise the rows from ``first`` up to ``last`` with ``scales`` for their blocks."""
        values, shape = self.columns // 2, (last - first, self.columns)
        plain = self.plain[first * values : last * values]
        weight = torch.ops.bitsandbytes.dequantize_4bit(plain, scales, BLOCK, "nf4", shape, dtype)
        return cast("torch.Tensor", weight)


def _padded(x: torch.Tensor) -> torch.Tensor:
    """``x`` padded with zero rows to a multiple of ``ROWS``, if it has more rows than that."""
    return x if x.shape[0] <= ROWS else nn.functional.pad(x, (0, 0, 0, -x.shape[0] % ROWS))


def part_width(columns: int) -> int:
    """The largest width of equal parts of whole blocks that is at most ``MOST_COLUMNS``."""
    blocks = columns // BLOCK
    return max(n for n in range(1, MOST_COLUMNS // BLOCK + 1) if blocks % n == 0) * BLOCK


def rounded(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Each row of ``x`` as 8-bit integers, and the scales (rows × 1) to multiply them by."""
    scale = x.abs().amax(dim=1, keepdim=True).clamp_min(TINY) / LARGEST
    return (x / scale).round_().to(torch.int8), scale


def _pack(plain: torch.Tensor) -> torch.Tensor:
    """Reorder NF4 bytes (out × in/2) as the fused kernel reads them.

    Of 32 rows, a byte holds row r below row r + 16; the pairs of columns stay together. It does what
    bitsandbytes does at a layer's first use, five times as fast.
    """
    rows, width = plain.shape
    halves = plain.view(rows // PACK, 2, PACK // 2, width).transpose(2, 3)
    lower, upper = halves[:, 0], halves[:, 1]
    packed = plain.new_empty(rows // PACK, width, PACK // 2, 2)
    torch.bitwise_or(lower >> 4, upper & 0xF0, out=packed[..., 0])
    torch.bitwise_or(lower & 0x0F, upper << 4, out=packed[..., 1])
    return packed.view(rows, width)


def _absmax(state: Any) -> torch.Tensor:
    """Return the scales of the blocks, float32, dequantised (double quantisation)."""
    if not state.nested:
        return cast("torch.Tensor", state.absmax.float())
    scales = bnb.dequantize_blockwise(state.absmax, state.state2) + state.offset
    return cast("torch.Tensor", scales.float())


def replace_linear_layers(model: nn.Module) -> int:
    """Replace each ``Linear4bit`` by an ``Nf4Linear``; returns how many there were.

    All other tensors (embeddings, norms, biases) are converted to ``compute_dtype``.
    """
    layers = [
        (parent, name, child)
        for parent in model.modules()
        for name, child in parent.named_children()
        if isinstance(child, Linear4bit) and child.in_features % BLOCK == 0
    ]
    shapes = {child.in_features: child for _, _, child in layers}
    trials = [Nf4Linear(child, fused=fused_kernel()) for child in shapes.values()]
    fused = fused_kernel() and all(trial.fused_is_right() for trial in trials)
    integers = fast_integers() and all(trial.integers_are_right() for trial in trials)
    spare = sum(child.in_features * child.out_features for _, _, child in layers) / GB
    keep = spare <= MEMORY_SHARE * available_gb("cpu")
    products = keep and not fused and with_products(trials)
    ours = [
        Nf4Linear(child, fused=fused, integers=integers, keep=keep and integers and not products)
        for _, _, child in layers
    ]
    for (parent, name, _), layer in zip(layers, ours, strict=True):
        setattr(parent, name, layer)
    if products:
        with_products(ours)
    dtype = compute_dtype()
    for tensor in (*model.parameters(), *model.buffers()):
        if tensor.dtype in (torch.bfloat16, torch.float16):
            tensor.data = tensor.data.to(dtype)
    return len(layers)


def with_products(layers: Sequence[Nf4Linear]) -> bool:
    """Let onnxruntime multiply for these layers; whether it can, and the results are right."""
    if not is_installed():
        return False
    from minirag_chat.models.int8_matmul import ByteProducts

    for first in range(0, len(layers), TOGETHER):
        group = layers[first : first + TOGETHER]
        try:
            products = ByteProducts([layer.in_bytes() for layer in group])
        except (ValueError, RuntimeError):  # it refuses the graph, or there are no more threads
            return False
        for number, layer in enumerate(group):
            layer.products = products, number
    return all(layer.products_are_right() for layer in layers[:TOGETHER])
