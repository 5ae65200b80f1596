"""What a BERT encoder computes, as a graph of ONNX without its weights. Needs the package ``onnx``.

Vaswani et al. 2017 (arXiv 1706.03762) and Devlin et al. 2018 (arXiv 1810.04805) in the operators of
ONNX, in the shape of all-MiniLM-L6-v2. The weights go by the names that they have in
``model.safetensors``; ``encoder.py`` puts them in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

LAYERS, HEADS, WIDTH, INNER = 6, 12, 384, 1536
EPSILON = 1e-12  # of the layer norms, as in config.json
OPSET, IR_VERSION = 20, 9  # read by onnxruntime 1.17 and later
MOST = 127  # of a weight in 8 bits
SCALE = ".scale"


class Graph:
    """A graph that is being written: operators, and the weights and numbers that they use."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.numbers: list[TensorProto] = []

    def op(self, kind: str, *inputs: str, output: str = "", **options: Any) -> str:
        """Add an operator; returns the name of what it gives."""
        output = output or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **options))
        return output

    def weight(self, name: str, *shape: int, kind: int = TensorProto.FLOAT) -> str:
        """Name a weight that is put in later."""
        self.weights[name] = kind, shape
        return name

    def number(self, name: str, value: np.ndarray) -> str:
        """Name a constant."""
        self.numbers.append(numpy_helper.from_array(value, name))
        return name

    def linear(self, x: str, name: str, inputs: int, outputs: int) -> str:
        """Write x · Wᵀ + b."""
        weight = self.weight(f"{name}.weight", outputs, inputs)
        return self.op("Gemm", x, weight, self.weight(f"{name}.bias", outputs), transB=1)

    def norm(self, x: str, name: str) -> str:
        """Write a layer norm over the width."""
        weight, bias = self.weight(f"{name}.weight", WIDTH), self.weight(f"{name}.bias", WIDTH)
        return self.op("LayerNormalization", x, weight, bias, axis=-1, epsilon=EPSILON)


class EightBitGraph(Graph):
    """A graph whose large weights are in 8 bits, as ``in_eight_bits`` gives them.

    So are the rows that they are multiplied with, each with a scale of its own: one for all of them
    (ONNX's DynamicQuantizeLinear) is quicker, and loses twice as much.
    """

    def __init__(self) -> None:
        super().__init__()
        self.number("no row", np.array(1e-9, np.float32))  # a row of zeros is divided by it
        self.number("most", np.array(MOST, np.float32))
        # Moves rows to 0 to 255, and half a step on, since a cast rounds down.
        self.number("round", np.array(128.5, np.float32))
        self.number("middle", np.array(128, np.uint8))
        self.number("zero", np.array(0, np.int8))
        self._rows: dict[str, tuple[str, str]] = {}

    def rows(self, x: str) -> tuple[str, str]:
        """Rows in 8 bits, around 128, and their scales."""
        if x not in self._rows:
            last = self.number(f"last of {x}", np.array([-1]))
            most = self.op("ReduceMax", self.op("Abs", x), last, keepdims=1)
            most = self.op("Max", most, "no row")
            moved = self.op("Add", self.op("Mul", x, self.op("Div", "most", most)), "round")
            row = self.op("Cast", moved, to=TensorProto.UINT8)
            self._rows[x] = row, self.op("Div", most, "most")
        return self._rows[x]

    def linear(self, x: str, name: str, inputs: int, outputs: int) -> str:
        """Write x · Wᵀ + b."""
        row, scale = self.rows(x)
        weight = self.weight(f"{name}.weight", inputs, outputs, kind=TensorProto.INT8)
        whole = self.op("MatMulInteger", row, weight, "middle", "zero")
        found = self.op("Mul", self.op("Cast", whole, to=TensorProto.FLOAT), scale)
        found = self.op("Mul", found, self.weight(f"{name}.weight{SCALE}", outputs))
        return self.op("Add", found, self.weight(f"{name}.bias", outputs))


def in_eight_bits(name: str, weight: np.ndarray) -> dict[str, np.ndarray]:
    """A weight as ``EightBitGraph`` takes it: transposed, with a scale for each column; a bias as it is."""
    if weight.ndim == 1:
        return {name: weight}
    scale = np.maximum(np.abs(weight).max(axis=1), 1e-9) / MOST
    return {name: np.round(weight / scale[:, None]).astype(np.int8).T, f"{name}{SCALE}": scale}


def layer(graph: Graph, x: str, name: str, shapes: tuple[str, str]) -> str:
    """Write one layer of the encoder; ``x`` has a row for each token of each text."""
    by_head, flat = shapes

    def head(part: str, order: list[int], scale: str = "") -> str:
        """Queries, keys or values, by head."""
        rows = graph.linear(x, f"{name}.attention.self.{part}", WIDTH, WIDTH)
        rows = graph.op("Mul", rows, scale) if scale else rows
        return graph.op("Transpose", graph.op("Reshape", rows, by_head), perm=order)

    queries = head("query", [0, 2, 1, 3], "scale")
    fit = graph.op("MatMul", queries, head("key", [0, 2, 3, 1]))
    share = graph.op("Softmax", graph.op("Add", fit, "mask"), axis=-1)
    read = graph.op("MatMul", share, head("value", [0, 2, 1, 3]))
    read = graph.op("Reshape", graph.op("Transpose", read, perm=[0, 2, 1, 3]), flat)
    read = graph.linear(read, f"{name}.attention.output.dense", WIDTH, WIDTH)
    x = graph.norm(graph.op("Add", read, x), f"{name}.attention.output.LayerNorm")
    inner = graph.op("Gelu", graph.linear(x, f"{name}.intermediate.dense", WIDTH, INNER))
    outer = graph.linear(inner, f"{name}.output.dense", INNER, WIDTH)
    return graph.norm(graph.op("Add", outer, x), f"{name}.output.LayerNorm")


def encoder_graph(graph: Graph) -> ModelProto:
    """The whole: embedded tokens (texts, tokens, width) and a mask → hidden states."""
    graph.number("scale", np.array((WIDTH // HEADS) ** -0.5, dtype=np.float32))
    size = graph.op("Shape", "embedded", start=0, end=2)  # texts, tokens
    heads = graph.number("heads", np.array([HEADS, WIDTH // HEADS]))
    by_head = graph.op("Concat", size, heads, axis=0)
    flat = graph.number("flat", np.array([-1, WIDTH]))
    x = graph.norm(graph.op("Reshape", "embedded", flat), "embeddings.LayerNorm")
    for number in range(LAYERS):
        x = layer(graph, x, f"encoder.layer.{number}", (by_head, flat))
    whole = graph.op("Concat", size, graph.number("width", np.array([WIDTH])), axis=0)
    graph.op("Reshape", x, whole, output="hidden")
    numbers: list[tuple[str, list[str | int | None]]] = [
        ("embedded", ["texts", "tokens", WIDTH]),
        ("mask", ["texts", 1, 1, "tokens"]),
    ]
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in numbers]
    output = helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["texts", "tokens", WIDTH])
    weights = [_without_data(name, *weight) for name, weight in graph.weights.items()]
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], weights + graph.numbers)
    return _model(made)


def product_graph(weight: np.ndarray) -> ModelProto:
    """``rows`` of bytes times a weight in 8 bits, to see whether that is exact."""
    rows = helper.make_tensor_value_info("rows", TensorProto.UINT8, ["rows", len(weight)])
    output = helper.make_tensor_value_info("sums", TensorProto.INT32, ["rows", weight.shape[1]])
    node = helper.make_node("MatMulInteger", ["rows", "weight"], ["sums"])
    made = helper.make_graph(
        [node], "product", [rows], [output], [numpy_helper.from_array(weight, "weight")]
    )
    return _model(made)


def _model(made: GraphProto) -> ModelProto:
    return helper.make_model(
        made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )


def _without_data(name: str, kind: int, shape: tuple[int, ...]) -> TensorProto:
    """A weight whose numbers are elsewhere."""
    tensor = TensorProto(name=name, data_type=kind, dims=shape)
    tensor.data_location = TensorProto.EXTERNAL
    where = tensor.external_data.add()
    where.key, where.value = "location", "model.safetensors"
    return tensor
