"""One adapter from several: the mean of what each adds to a projection (model soups, arXiv 2203.05482).

``python training/average.py OUT ADAPTER…``, with the ``adapter.safetensors`` of runs of one chain. The
mean of the products Bᵢ · Aᵢ is cut to the rank of the first; OUT gets ``adapter.safetensors``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from train_reader import eight_bits

Tensors = dict[str, torch.Tensor]


def averaged(adapters: Sequence[Tensors]) -> Iterator[tuple[str, torch.Tensor]]:
    """The matrices A and B of each projection, as 8-bit integers with their scales."""
    for name in sorted(name for name in adapters[0] if name.endswith(".A")):
        projection = name.removesuffix(".A")
        parts = [_matrices(adapter, projection) for adapter in adapters]
        down = torch.cat([part[0] for part in parts])
        up = torch.cat([part[1] for part in parts], dim=1) / len(parts)
        rank = len(parts[0][0])
        for letter, values in zip("AB", _cut(down, up, rank), strict=True):
            yield from eight_bits(f"{projection}.{letter}", values)


def _matrices(adapter: Tensors, projection: str) -> tuple[torch.Tensor, torch.Tensor]:
    """A, shape (rank, in), and B, shape (out, rank), of a projection."""
    down = adapter[f"{projection}.A"].float() * adapter[f"{projection}.A.scale"][:, None]
    up = adapter[f"{projection}.B"].float() * adapter[f"{projection}.B.scale"][None, :]
    return down, up


def _cut(down: torch.Tensor, up: torch.Tensor, rank: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The best product of that rank in the place of ``up @ down``, by its singular values."""
    out, left = torch.linalg.qr(up)
    into, right = torch.linalg.qr(down.T)
    u, values, v = torch.linalg.svd(left @ right.T)
    root = values[:rank].sqrt()
    return root[:, None] * (v[:rank] @ into.T), (out @ u[:, :rank]) * root


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write the adapter."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("adapters", type=Path, nargs="+")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    save_file(
        dict(averaged([load_file(file) for file in given.adapters])),
        given.out / "adapter.safetensors",
    )
    sys.stdout.write(f"{given.out / 'adapter.safetensors'}\n")


if __name__ == "__main__":
    main()
