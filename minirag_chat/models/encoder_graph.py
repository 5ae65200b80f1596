"""A BERT encoder as an ONNX graph without its weights. Needs the package ``onnx``.

Vaswani et al. 2017 (arXiv 1706.03762) and Devlin et al. 2018 (arXiv 1810.04805) in ONNX operators, with
the dimensions of all-MiniLM-L6-v2 and of multilingual-e5-small, which has more layers. The weights have
the names that they have in ``model.safetensors``; ``encoder.py`` adds them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

HEADS, WIDTH, INNER = 12, 384, 1536
EPSILON = 1e-12  # of the layer norms, as in config.json
OPSET, IR_VERSION = 20, 9  # read by onnxruntime 1.17 and later
FUSED = "com.microsoft"  # the domain of onnxruntime's own operators
MOST = 127  # the largest value of a weight in 8 bits
MIDDLE = 128  # stands for zero in unsigned bytes
SCALE = ".scale"


class Graph:
    """Builds a graph: operators, and the weights and constants that they use."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.numbers: list[TensorProto] = []

    def op(self, kind: str, *inputs: str, output: str = "", **options: Any) -> str:
        """Add an ONNX operator; returns the name of its output."""
        output = output or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **options))
        return output

    def fused(self, kind: str, *inputs: str, **options: Any) -> str:
        """Add an operator of onnxruntime's own, which fuses several ONNX operators."""
        return self.op(kind, *inputs, domain=FUSED, **options)

    def weight(self, name: str, *shape: int, kind: int = TensorProto.FLOAT) -> str:
        """Declare a weight whose values are added later; returns its name."""
        self.weights[name] = kind, shape
        return name

    def number(self, name: str, value: np.ndarray) -> str:
        """Add a constant; returns its name."""
        self.numbers.append(numpy_helper.from_array(value, name))
        return name

    def product(self, x: str, name: str, inputs: int, outputs: int) -> str:
        """Add x · Wᵀ, without the bias."""
        return self.op("Gemm", x, self.weight(f"{name}.weight", outputs, inputs), transB=1)

    def norm_of_sum(self, x: str, bias: str, beside: str, name: str) -> str:
        """Add a layer norm over the width of x + bias + beside."""
        whole = self.op("Add", self.op("Add", x, self.weight(bias, WIDTH)), beside)
        return self.norm(whole, name)

    def norm(self, x: str, name: str) -> str:
        """Add a layer norm over the width."""
        weight, bias = self.weight(f"{name}.weight", WIDTH), self.weight(f"{name}.bias", WIDTH)
        return self.op("LayerNormalization", x, weight, bias, axis=-1, epsilon=EPSILON)


class EightBitGraph(Graph):
    """A graph whose large weights are quantised to 8 bits, as by ``in_eight_bits``.

    The rows that they are multiplied with are quantised too, each with its own scale: a single scale for
    all rows (ONNX's DynamicQuantizeLinear) is faster, but its error is twice as large. The products are the
    same whether the weights are ``signed`` or not.
    """

    def __init__(self, *, signed: bool) -> None:
        super().__init__()
        self._kind = TensorProto.INT8 if signed else TensorProto.UINT8
        self._zeros = () if signed else ("middle",)
        self.number("no row", np.array(1e-9, np.float32))  # avoids a division by 0
        self.number("most", np.array(MOST, np.float32))
        self.number("middle", np.array(MIDDLE, np.uint8))
        self.number("one", np.array(1, np.float32))
        self.number("last", np.array([-1]))
        self._rows: dict[str, tuple[str, str]] = {}

    def rows(self, x: str) -> tuple[str, str]:
        """Rows in 8 bits, with zero point 128, and their scales."""
        if x not in self._rows:
            highest = self.op("ReduceMax", x, "last", keepdims=0)
            lowest = self.op("ReduceMin", x, "last", keepdims=0)
            most = self.op("Max", highest, self.op("Neg", lowest), "no row")
            scale = self.op("Div", most, "most")
            middle = self.op("Expand", "middle", self.op("Shape", scale))
            row = self.op("QuantizeLinear", x, scale, middle, axis=0)
            self._rows[x] = row, self.op("Unsqueeze", scale, "last")
        return self._rows[x]

    def product(self, x: str, name: str, inputs: int, outputs: int) -> str:
        """Add x · Wᵀ, without the bias."""
        row, scale = self.rows(x)
        weight = self.weight(f"{name}.weight", inputs, outputs, kind=self._kind)
        by_column = self.weight(f"{name}.weight{SCALE}", outputs)
        factors = row, weight, "one", by_column, "middle"
        return self.op("Mul", self.fused("MatMulIntegerToFloat", *factors, *self._zeros), scale)


def in_eight_bits(name: str, weight: np.ndarray, *, signed: bool) -> dict[str, np.ndarray]:
    """A weight for ``EightBitGraph``: transposed, with a scale for each column; a bias is unchanged."""
    if weight.ndim == 1:
        return {name: weight}
    scale = np.maximum(np.abs(weight).max(axis=1), 1e-9) / MOST
    small = np.round(weight / scale[:, None]).astype(np.int8).T
    return {name: small if signed else unsigned(small), f"{name}{SCALE}": scale}


def unsigned(small: np.ndarray) -> np.ndarray:
    """Signed bytes as unsigned ones, with ``MIDDLE`` for zero."""
    return np.ascontiguousarray(small).view(np.uint8) ^ MIDDLE


def layer(graph: Graph, x: str, name: str, flat: str, by_text: str) -> str:
    """Add one layer of the encoder; ``x`` has a row for each token of each text."""

    def part(of: str) -> str:
        """Queries, keys or values, shape (texts, tokens, width)."""
        rows = graph.product(x, f"{name}.attention.self.{of}", WIDTH, WIDTH)
        return graph.op("Reshape", rows, by_text)

    parts = ("query", "key", "value")
    biases = [graph.weight(f"{name}.attention.self.{of}.bias", WIDTH) for of in parts]
    read = graph.fused(
        "MultiHeadAttention",
        *(part(of) for of in parts),
        graph.op("Concat", *biases, axis=0),
        "there",
        num_heads=HEADS,
    )
    own, norm = f"{name}.attention.output.dense", f"{name}.attention.output.LayerNorm"
    read = graph.product(graph.op("Reshape", read, flat), own, WIDTH, WIDTH)
    x = graph.norm_of_sum(read, f"{own}.bias", x, norm)
    inner = graph.product(x, f"{name}.intermediate.dense", WIDTH, INNER)
    inner = graph.fused("BiasGelu", inner, graph.weight(f"{name}.intermediate.dense.bias", INNER))
    outer = graph.product(inner, f"{name}.output.dense", INNER, WIDTH)
    return graph.norm_of_sum(outer, f"{name}.output.dense.bias", x, f"{name}.output.LayerNorm")


def encoder_graph(graph: Graph, layers: int) -> ModelProto:
    """The whole network: embedded tokens (texts, tokens, width) and the mask ``there`` → hidden states."""
    size = graph.op("Shape", "embedded")
    flat = graph.number("flat", np.array([-1, WIDTH]))
    x = graph.norm(graph.op("Reshape", "embedded", flat), "embeddings.LayerNorm")
    for number in range(layers):
        x = layer(graph, x, f"encoder.layer.{number}", flat, size)
    graph.op("Reshape", x, size, output="hidden")
    inputs = [
        helper.make_tensor_value_info("embedded", TensorProto.FLOAT, ["texts", "tokens", WIDTH]),
        helper.make_tensor_value_info("there", TensorProto.INT32, ["texts", "tokens"]),
    ]
    output = helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["texts", "tokens", WIDTH])
    weights = [without_data(name, *weight) for name, weight in graph.weights.items()]
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], weights + graph.numbers)
    return model_of(made)


def product_graph(weight: np.ndarray) -> ModelProto:
    """``rows`` of bytes times a weight in 8 bits, to test whether that is exact."""
    rows = helper.make_tensor_value_info("rows", TensorProto.UINT8, ["rows", len(weight)])
    output = helper.make_tensor_value_info("sums", TensorProto.INT32, ["rows", weight.shape[1]])
    node = helper.make_node("MatMulInteger", ["rows", "weight"], ["sums"])
    made = helper.make_graph(
        [node], "product", [rows], [output], [numpy_helper.from_array(weight, "weight")]
    )
    return model_of(made)


def model_of(made: GraphProto) -> ModelProto:
    """A model of one graph, with the versions of the operators."""
    return helper.make_model(
        made,
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)],
        ir_version=IR_VERSION,
    )


def without_data(name: str, kind: int, shape: tuple[int, ...]) -> TensorProto:
    """A weight whose values are stored outside the graph."""
    tensor = TensorProto(name=name, data_type=kind, dims=shape)
    tensor.data_location = TensorProto.EXTERNAL
    where = tensor.external_data.add()
    where.key, where.value = "location", "model.safetensors"
    return tensor
