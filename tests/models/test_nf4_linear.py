"""Against bitsandbytes' own layer, on real NF4 weights."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from needed import needed

from minirag_chat.models.onnx_session import exact_in_eight_bits

torch, bnb = needed("torch"), needed("bitsandbytes")
nf4_linear = needed("minirag_chat.models.nf4_linear")
int8_matmul = needed("minirag_chat.models.int8_matmul")


@pytest.fixture
def with_fused_kernel() -> None:
    if not nf4_linear.fused_kernel():
        pytest.skip("needs a CPU with AVX-512 BF16")


def made(columns: int, rows: int, size: float = 0.02) -> Any:
    generator = torch.Generator().manual_seed(7)
    layer = bnb.nn.Linear4bit(
        columns, rows, bias=True, compute_dtype=torch.bfloat16, quant_type="nf4"
    ).eval()
    weights = torch.randn(rows, columns, generator=generator).to(torch.bfloat16) * size
    layer.weight = bnb.nn.Params4bit(
        weights, requires_grad=False, quant_type="nf4", compress_statistics=True, module=layer
    ).to("cpu")
    layer.bias.data = layer.bias.data.to(torch.bfloat16)
    return layer


@pytest.fixture
def layer() -> Any:
    return made(256, 320)


def dequantised(layer: Any) -> torch.Tensor:
    return bnb.functional.dequantize_4bit(layer.weight.data, layer.weight.quant_state).float()


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("rows", [1, 5, 47, 48, 200])
def test_it_multiplies_by_the_dequantised_weights(
    layer: Any, rows: int, fused: bool, request: pytest.FixtureRequest
) -> None:
    if fused:
        request.getfixturevalue("with_fused_kernel")
    x = torch.randn(2, rows, 256, generator=torch.Generator().manual_seed(1)).to(torch.bfloat16)
    expected = x.float() @ dequantised(layer).T + layer.bias.float()
    with torch.inference_mode():
        got = nf4_linear.Nf4Linear(layer, fused=fused)(x)
    assert got.shape == expected.shape
    assert (got.float() - expected).norm() < 0.01 * expected.norm()


@pytest.mark.parametrize("columns", [256, 1536])
def test_in_integers_a_block_of_a_prompt_comes_out_nearly_the_same(columns: int) -> None:
    layer = made(columns, 96)
    x = torch.randn(2, 100, columns, generator=torch.Generator().manual_seed(1)).to(torch.bfloat16)
    x[0, 3] = 0
    x[:, :, 5] *= 10  # an outlier, as language models have them
    expected = x.float() @ dequantised(layer).T + layer.bias.float()
    with torch.inference_mode():
        got = nf4_linear.Nf4Linear(layer, fused=False, integers=True)(x)
    assert got.dtype == torch.bfloat16
    assert (got.float() - expected).norm() < 0.03 * expected.norm()


def test_an_outlier_makes_only_its_own_part_of_the_columns_coarser() -> None:
    layer = made(1536, 96)
    x = torch.randn(64, 1536, generator=torch.Generator().manual_seed(1))
    x[:, 768:] = 0
    x[:, 800] = 300
    rest = x.clone()
    rest[:, 800] = 0
    both = nf4_linear.Nf4Linear(layer, fused=False, integers=True)
    with torch.inference_mode():
        far = x[:, 800:801] @ dequantised(layer)[:, 800:801].T
        got = both(x) - far - layer.bias.float()
    expected = rest @ dequantised(layer).T
    assert (got - expected).norm() < 0.03 * far.norm()
    assert (got - expected).norm() < 0.3 * expected.norm()


def test_weights_that_are_all_zero_give_zero() -> None:
    layer = made(256, 64, size=0.0)
    with torch.inference_mode():
        got = nf4_linear.Nf4Linear(layer, fused=False, integers=True)(torch.ones(60, 256))
    assert torch.allclose(got, layer.bias.float().expand(60, 64))


def test_integers_are_used_where_the_processor_has_them_and_they_come_out_right(
    layer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nf4_linear, "fast_integers", lambda: True)
    model = torch.nn.Sequential(copy.deepcopy(layer))
    nf4_linear.replace_linear_layers(model)
    assert model[0].integers
    monkeypatch.setattr(
        nf4_linear.Nf4Linear, "_in_integers", lambda self, x: self._in_floats(x) * 1.1
    )
    broken = torch.nn.Sequential(layer)
    nf4_linear.replace_linear_layers(broken)
    assert not broken[0].integers
    assert isinstance(nf4_linear.fast_integers(), bool)


def test_weights_kept_as_integers_give_the_very_same(layer: Any) -> None:
    anew, kept = (
        nf4_linear.Nf4Linear(layer, fused=False, integers=True, keep=k) for k in (False, True)
    )
    x = torch.randn(60, layer.in_features)
    with torch.inference_mode():
        expected = anew(x)
        assert torch.equal(kept(x), expected)
        kept.plain.zero_()
        assert torch.equal(kept(x), expected), "and are not read again"
    assert not anew.kept


@pytest.mark.parametrize(("free_mb", "keep"), [(1, True), (0.01, False)])
def test_weights_are_kept_as_integers_where_memory_is_to_spare(
    layer: Any, monkeypatch: pytest.MonkeyPatch, free_mb: float, *, keep: bool
) -> None:
    monkeypatch.setattr(nf4_linear, "fast_integers", lambda: True)
    monkeypatch.setattr(nf4_linear, "is_installed", lambda: False)
    monkeypatch.setattr(nf4_linear, "available_gb", lambda place: free_mb / 1024)
    model = torch.nn.Sequential(layer)
    nf4_linear.replace_linear_layers(model)
    assert model[0].keep is keep


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("columns", [256, 1536])
@pytest.mark.parametrize("rows", [1, 15, 100])
def test_onnxruntime_multiplies_prompts_and_single_tokens(
    monkeypatch: pytest.MonkeyPatch, columns: int, rows: int, signed: bool
) -> None:
    if signed and not exact_in_eight_bits():
        pytest.skip("this processor cuts off sums of signed 8-bit products")
    monkeypatch.setattr(int8_matmul, "exact_in_eight_bits", lambda: signed)
    layers = [made(columns, 96), made(256, 320)]
    x = torch.randn(1, rows, columns, generator=torch.Generator().manual_seed(1))
    x[:, :, 5] *= 10  # an outlier, as language models have them
    x[0, 0] = 0
    expected = x @ dequantised(layers[0]).T + layers[0].bias.float()
    ours = [nf4_linear.Nf4Linear(layer, fused=False) for layer in layers]
    assert nf4_linear.with_products(ours)
    with torch.inference_mode():
        got = ours[0](x)
        assert got.dtype == x.dtype
        assert (got - expected).norm() < 0.03 * expected.norm()
        ours[0].plain.zero_()
        assert torch.equal(ours[0](x), got), "the 4 bits are not read again"
        assert ours[1](torch.randn(1, 1, 256)).shape == (1, 1, 320), "they share a session"


def test_onnxruntime_rounds_as_torch_does() -> None:
    layer = made(1536, 96)
    x = torch.randn(64, 1536, generator=torch.Generator().manual_seed(1))
    x[:, 800] *= 300
    theirs, ours = (nf4_linear.Nf4Linear(layer, fused=False, integers=True) for _ in range(2))
    assert nf4_linear.with_products([ours])
    with torch.inference_mode():
        expected, got = theirs(x), ours(x)
    assert (got - expected).norm() < 1e-5 * expected.norm()


@pytest.mark.parametrize(("free_mb", "used"), [(1, True), (0.01, False)])
def test_without_the_fused_kernel_onnxruntime_is_used_where_memory_is_to_spare(
    layer: Any, monkeypatch: pytest.MonkeyPatch, free_mb: float, *, used: bool
) -> None:
    monkeypatch.setattr(nf4_linear, "fused_kernel", lambda: False)
    monkeypatch.setattr(nf4_linear, "available_gb", lambda place: free_mb / 1024)
    model = torch.nn.Sequential(copy.deepcopy(layer))
    nf4_linear.replace_linear_layers(model)
    assert (model[0].products is not None) is used


def refused(*_: object, **__: object) -> None:
    raise ValueError("no such operator")


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("nf4_linear.Nf4Linear._by_products", lambda self, x: self._in_floats(x) * 1.1),
        ("int8_matmul.session", refused),
        ("nf4_linear.is_installed", lambda: False),
    ],
)
def test_without_a_right_result_of_onnxruntime_torch_multiplies(
    layer: Any, monkeypatch: pytest.MonkeyPatch, name: str, broken: Any
) -> None:
    monkeypatch.setattr(nf4_linear, "fused_kernel", lambda: False)
    monkeypatch.setattr(f"minirag_chat.models.{name}", broken)
    model = torch.nn.Sequential(layer)
    nf4_linear.replace_linear_layers(model)
    x = torch.randn(2, 256)
    expected = x @ dequantised(layer).T + layer.bias.float()
    with torch.inference_mode():
        assert model[0].products is None
        assert (model(x) - expected).norm() < 0.03 * expected.norm()


@pytest.mark.parametrize(("product", "integers"), [("mm", False), ("_int_mm", True)])
def test_prompts_of_all_lengths_are_multiplied_in_few_shapes(
    layer: Any, monkeypatch: pytest.MonkeyPatch, product: str, integers: bool
) -> None:
    heights, multiply = set(), getattr(torch, product)

    def noting(x: torch.Tensor, *rest: Any, **more: Any) -> torch.Tensor:
        heights.add(x.shape[0])
        return multiply(x, *rest, **more)

    monkeypatch.setattr(torch, product, noting)
    plain = nf4_linear.Nf4Linear(layer, fused=False, integers=integers)
    with torch.inference_mode():
        for rows in (1, *range(33, 512, 7)):
            assert plain(torch.zeros(1, rows, 256, dtype=torch.bfloat16)).shape == (1, rows, 320)
    assert integers or 1 in heights, "a single token is not filled up"
    assert len(heights) <= 1 + 512 / nf4_linear.ROWS, "each costs memory that is never freed"


@pytest.mark.usefixtures("with_fused_kernel")
def test_the_packed_weights_are_those_that_bitsandbytes_makes(layer: Any) -> None:
    ours = nf4_linear.Nf4Linear(layer, fused=True)
    theirs, state = bnb.functional._convert_weight_packed_for_cpu(
        layer.weight.data, copy.copy(layer.weight.quant_state)
    )
    assert ours.packed is not None
    assert torch.equal(ours.packed[0], theirs)
    assert torch.equal(ours.packed[1], state.absmax)


@pytest.mark.usefixtures("with_fused_kernel")
def test_a_kernel_that_reads_another_layout_is_noticed_and_not_used(
    layer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert nf4_linear.Nf4Linear(layer, fused=True).fused_is_right()
    packs = nf4_linear._pack
    monkeypatch.setattr(nf4_linear, "_pack", lambda plain: packs(plain).flip(0))
    assert not nf4_linear.Nf4Linear(layer, fused=True).fused_is_right()
    model = torch.nn.Sequential(layer)
    assert nf4_linear.replace_linear_layers(model) == 1
    assert model[0].packed is None


def test_without_the_kernel_the_rest_of_the_model_computes_in_float32(
    layer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nf4_linear, "fused_kernel", lambda: False)
    model = torch.nn.Sequential(torch.nn.LayerNorm(256, dtype=torch.bfloat16), layer)
    nf4_linear.replace_linear_layers(model)
    x = torch.randn(3, 256)
    expected = model[0](x) @ dequantised(layer).T + layer.bias.float()
    with torch.inference_mode():
        got = model(x)
    assert got.dtype == torch.float32
    assert (got - expected).norm() < 0.015 * expected.norm()
