"""The output layer in 8 bits: what is chosen, and how likely it is, stays as in float32."""

from __future__ import annotations

from typing import Any

import pytest
from needed import needed

torch, output_layer = needed("torch"), needed("minirag_chat.models.output_layer")


class Model:
    """A model as far as its output layer goes, with transformers' names."""

    def __init__(self, layer: torch.nn.Module) -> None:
        self.layer = layer

    def get_output_embeddings(self) -> torch.nn.Module:
        return self.layer

    def set_output_embeddings(self, layer: torch.nn.Module) -> None:
        self.layer = layer


@pytest.fixture
def linear() -> torch.nn.Linear:
    torch.manual_seed(3)
    return torch.nn.Linear(1536, 2000, bias=False)


@pytest.mark.parametrize("rows", [1, 5])
def test_the_likeliest_tokens_have_their_exact_logits(linear: torch.nn.Linear, rows: int) -> None:
    x = torch.randn(1, rows, 1536)
    x[..., 7] *= 30  # an outlier, as language models have them
    with torch.inference_mode():
        expected, got = linear(x), output_layer.OutputLayer(linear)(x)
    assert got.shape == expected.shape
    best = expected.topk(output_layer.EXACT // 2).indices
    assert torch.allclose(got.gather(-1, best), expected.gather(-1, best), atol=1e-4)
    assert (got.topk(output_layer.EXACT // 2).indices == best).all()
    assert (got - expected).abs().mean() < 0.03 * expected.std(), "and the others nearly so"
    assert not torch.equal(got, expected), "it does compute in 8 bits"


def test_a_vocabulary_of_few_tokens_is_exact() -> None:
    few = torch.nn.Linear(128, 10, bias=False)
    x = torch.randn(1, 1, 128)
    with torch.inference_mode():
        assert torch.allclose(output_layer.OutputLayer(few)(x), few(x), atol=1e-5)


def refused(*_: Any) -> None:
    raise ValueError("no such operator")


def test_it_is_replaced_only_where_the_result_is_right(
    linear: torch.nn.Linear, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model(linear)
    with monkeypatch.context() as changed:
        changed.setattr(output_layer, "ByteProducts", refused)
        assert not output_layer.in_eight_bits(model)
        changed.undo()
        changed.setattr(output_layer.OutputLayer, "is_right", lambda self: False)
        assert not output_layer.in_eight_bits(model)
    assert model.layer is linear
    assert output_layer.in_eight_bits(model)
    assert isinstance(model.layer, output_layer.OutputLayer)
    biased = Model(torch.nn.Linear(128, 10))
    assert not output_layer.in_eight_bits(biased), "it has no bias"
