"""One adapter from several: what it adds is the mean of what they add."""

from __future__ import annotations

from pathlib import Path

import average
import pytest
import torch
from safetensors.torch import load_file, save_file
from train_reader import eight_bits

OUT, RANK, INTO = 12, 2, 16
NAME = "layers.8.mlp.up_proj"


def adapter(to: Path, down: torch.Tensor, up: torch.Tensor) -> Path:
    save_file(dict([*eight_bits(f"{NAME}.A", down), *eight_bits(f"{NAME}.B", up)]), to)
    return to


def added(file: Path) -> torch.Tensor:
    """What an adapter adds to the projection: B · A."""
    tensors = load_file(file)
    up = tensors[f"{NAME}.B"].float() * tensors[f"{NAME}.B.scale"][None, :]
    return up @ (tensors[f"{NAME}.A"].float() * tensors[f"{NAME}.A.scale"][:, None])


def test_it_adds_the_mean_at_the_same_rank(tmp_path: Path) -> None:
    torch.manual_seed(1)
    down, up = torch.randn(RANK, INTO), torch.randn(OUT, RANK)
    turned, _ = torch.linalg.qr(torch.randn(RANK, RANK))  # the same product, by other matrices
    first = adapter(tmp_path / "first.safetensors", down, up)
    second = adapter(tmp_path / "second.safetensors", turned.T @ down, 3 * up @ turned)
    average.main([str(tmp_path / "out"), str(first), str(second)])
    made = tmp_path / "out" / "adapter.safetensors"
    assert load_file(made)[f"{NAME}.A"].shape == (RANK, INTO)
    wanted = 2 * up @ down
    assert float((added(made) - wanted).norm() / wanted.norm()) == pytest.approx(0, abs=0.02)
