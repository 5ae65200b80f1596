"""Against bitsandbytes' own layer, on real NF4 weights."""

from __future__ import annotations

import copy
from typing import Any

import bitsandbytes as bnb
import pytest
import torch
from bitsandbytes import functional

from minirag_chat.models import nf4_linear
from minirag_chat.models.nf4_linear import Nf4Linear, fused_kernel, replace_linear_layers

needs_fused = pytest.mark.skipif(not fused_kernel(), reason="needs a CPU with AVX-512 BF16")


@pytest.fixture
def layer() -> Any:
    generator = torch.Generator().manual_seed(7)
    made = bnb.nn.Linear4bit(
        256, 320, bias=True, compute_dtype=torch.bfloat16, quant_type="nf4"
    ).eval()
    weights = torch.randn(320, 256, generator=generator).to(torch.bfloat16) * 0.02
    made.weight = bnb.nn.Params4bit(
        weights, requires_grad=False, quant_type="nf4", compress_statistics=True, module=made
    ).to("cpu")
    made.bias.data = made.bias.data.to(torch.bfloat16)
    return made


def dequantised(layer: Any) -> torch.Tensor:
    return functional.dequantize_4bit(layer.weight.data, layer.weight.quant_state).float()


@pytest.mark.parametrize("fused", [pytest.param(True, marks=needs_fused), False])
@pytest.mark.parametrize("rows", [1, 5, 47, 48, 200])
def test_it_multiplies_by_the_dequantised_weights(layer: Any, rows: int, fused: bool) -> None:
    x = torch.randn(2, rows, 256, generator=torch.Generator().manual_seed(1)).to(torch.bfloat16)
    expected = x.float() @ dequantised(layer).T + layer.bias.float()
    with torch.inference_mode():
        got = Nf4Linear(layer, fused=fused)(x)
    assert got.shape == expected.shape
    assert (got.float() - expected).norm() < 0.01 * expected.norm()


def test_prompts_of_all_lengths_are_multiplied_in_few_shapes(
    layer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    heights, multiply = set(), torch.mm

    def noting(x: torch.Tensor, *rest: Any, **more: Any) -> torch.Tensor:
        heights.add(x.shape[0])
        return multiply(x, *rest, **more)

    monkeypatch.setattr(torch, "mm", noting)
    plain = Nf4Linear(layer, fused=False)
    with torch.inference_mode():
        for rows in (1, *range(33, 512, 7)):
            assert plain(torch.zeros(1, rows, 256, dtype=torch.bfloat16)).shape == (1, rows, 320)
    assert 1 in heights, "a single token is not filled up"
    assert len(heights) <= 1 + 512 / nf4_linear.ROWS, "each costs memory that is never freed"


@needs_fused
def test_the_packed_weights_are_those_that_bitsandbytes_makes(layer: Any) -> None:
    ours = Nf4Linear(layer, fused=True)
    theirs, state = functional._convert_weight_packed_for_cpu(
        layer.weight.data, copy.copy(layer.weight.quant_state)
    )
    assert ours.packed is not None
    assert torch.equal(ours.packed[0], theirs)
    assert torch.equal(ours.packed[1], state.absmax)


@needs_fused
def test_a_kernel_that_reads_another_layout_is_noticed_and_not_used(
    layer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Nf4Linear(layer, fused=True).fused_is_right()
    packs = nf4_linear._pack
    monkeypatch.setattr(nf4_linear, "_pack", lambda plain: packs(plain).flip(0))
    assert not Nf4Linear(layer, fused=True).fused_is_right()
    model = torch.nn.Sequential(layer)
    assert replace_linear_layers(model) == 1
    assert model[0].packed is None


def test_without_the_kernel_the_rest_of_the_model_computes_in_float32(
    layer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nf4_linear, "fused_kernel", lambda: False)
    model = torch.nn.Sequential(torch.nn.LayerNorm(256, dtype=torch.bfloat16), layer)
    replace_linear_layers(model)
    x = torch.randn(3, 256)
    expected = model[0](x) @ dequantised(layer).T + layer.bias.float()
    with torch.inference_mode():
        got = model(x)
    assert got.dtype == torch.float32
    assert (got - expected).norm() < 0.01 * expected.norm()
