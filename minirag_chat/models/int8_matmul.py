"""Products with 8-bit weights by onnxruntime, for CPUs that torch has no fast kernels for.

Most PCs lack AVX-512. There torch multiplies a prompt in float32, and onnxruntime's integer products take
half to three quarters of the time. Weights and inputs are rounded as in ``nf4_linear``: with a scale for
each part of a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper

from minirag_chat.models.encoder_graph import MIDDLE, MOST, Graph, model_of, unsigned, without_data
from minirag_chat.models.onnx_session import Array, exact_in_eight_bits, session


class ByteProducts:
    """x · Wᵀ for several weights W (out × in), which share a session and so its threads.

    Each weight is given in parts of its columns, parts × out × width, with scales, parts × out. Each weight
    more in a session costs all of its products 20 microseconds: the session prepares for all of them.
    Raises ``ValueError`` if onnxruntime refuses the graph.
    """

    def __init__(self, weights: Sequence[tuple[Array, Array]]) -> None:
        # Signed weights are faster, but without instructions for them their sums saturate.
        signed = exact_in_eight_bits()
        graph = _ProductsGraph(signed=signed)
        values: dict[str, Array] = {}
        for number, (stored, scales) in enumerate(weights):
            graph.add(number, *stored.shape)
            for part, units in enumerate(scales):
                values[f"weight {number} {part}"] = (
                    stored[part] if signed else unsigned(stored[part])
                )
                values[f"units {number} {part}"] = units
        self._session = session(graph.model(), values, small=True)

    def multiply(self, number: int, x: Array) -> Array:
        """Multiply ``x`` (rows × in, float32) by a weight; rows × out, float32."""
        found: Array = self._session.run([f"y {number}"], {f"x {number}": x}, self._only_one)[0]
        return found

    @cached_property
    def _only_one(self) -> Any:
        """Options of a run that computes nothing but what it is asked for."""
        import onnxruntime

        options = onnxruntime.RunOptions()
        options.only_execute_path_to_fetches = True
        return options


class _ProductsGraph(Graph):
    """The graph of ``ByteProducts``: for each weight an input, which may be left out, and an output."""

    def __init__(self, *, signed: bool) -> None:
        super().__init__()
        self._kind = TensorProto.INT8 if signed else TensorProto.UINT8
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self.number("last", np.array([-1]))
        self.number("most", np.array(MOST, np.float32))
        self.number("no row", np.array(1e-30, np.float32))  # avoids a division by 0
        self.number("one", np.array(1, np.float32))
        self.number("middle", np.array(MIDDLE, np.uint8))
        self.number("zero", np.array(0 if signed else MIDDLE, np.int8 if signed else np.uint8))

    def add(self, number: int, parts: int, rows: int, width: int) -> None:
        """Add x · Wᵀ: each part of each row of x is rounded by itself, and the parts' products are added."""
        left_out = np.zeros((0, parts * width), np.float32)
        x = self.number(f"x {number}", left_out)
        row, scale = self._rounded(x, number, width)
        names = [f"{number} {part}" for part in range(parts)]
        whole = self.number(f"whole {number}", np.array([-1, parts * width]))
        by_part = self.number(f"parts {number}", np.array([-1, parts]))
        inputs = self._split(self.op("Reshape", row, whole), parts)
        scales = self._split(self.op("Reshape", scale, by_part), parts)
        products = [
            self.op("Mul", self._product(name, one, width, rows), by)
            for name, one, by in zip(names, inputs, scales, strict=True)
        ]
        self.op("Sum", *products, output=f"y {number}")
        for values, name, columns in (
            (self._inputs, x, parts * width),
            (self._outputs, f"y {number}", rows),
        ):
            values.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", columns]))

    def model(self) -> ModelProto:
        """The graph, without the values of its weights."""
        weights = [without_data(name, *weight) for name, weight in self.weights.items()]
        made = helper.make_graph(
            self.nodes, "products", self._inputs, self._outputs, weights + self.numbers
        )
        return model_of(made)

    def _rounded(self, x: str, number: int, width: int) -> tuple[str, str]:
        """Each part of each row in bytes, with ``MIDDLE`` for zero, and their scales."""
        shape = self.number(f"width {number}", np.array([-1, width]))
        rows = self.op("Reshape", x, shape)
        largest = self.op("ReduceMax", self.op("Abs", rows), "last", keepdims=0)
        scale = self.op("Div", self.op("Max", largest, "no row"), "most")
        middle = self.op("Expand", "middle", self.op("Shape", scale))
        return self.op("QuantizeLinear", rows, scale, middle, axis=0), scale

    def _split(self, rows: str, parts: int) -> list[str]:
        """The columns of ``rows`` in equal parts."""
        names = [f"{rows} {part}" for part in range(parts)]
        self.nodes.append(helper.make_node("Split", [rows], names, axis=1, num_outputs=parts))
        return names

    def _product(self, name: str, rows: str, width: int, out: int) -> str:
        by_row = self.weight(f"weight {name}", out, width, kind=self._kind)
        weight = self.op("Transpose", by_row, perm=[1, 0])  # once, when the session is made
        units = self.weight(f"units {name}", out)
        return self.fused("MatMulIntegerToFloat", rows, weight, "one", units, "middle", "zero")
