"""A linear layer with an adapter. Imported when a model is loaded: needs torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn

from minirag_chat.errors import ModelCorrupt


class Switch:
    """Switches the adapters of one model on and off."""

    def __init__(self) -> None:
        self.on = False


class AdaptedLinear(nn.Module):
    """x · Wᵀ, as ``base`` computes it, plus x · Aᵀ · Bᵀ if ``switch`` is on.

    ``down`` is A (rank × in), ``up`` is B (out × rank).
    """

    def __init__(
        self, base: nn.Module, down: torch.Tensor, up: torch.Tensor, switch: Switch
    ) -> None:
        super().__init__()
        self.base, self.down, self.up, self.switch = base, down, up, switch

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Multiply ``x`` (… × in)."""
        product: torch.Tensor = self.base(x)
        if self.switch.on:
            product = product + (x @ self.down.t()) @ self.up.t()
        return product


def install(decoder: Any, file: Path) -> Switch:
    """Add the adapter in ``file`` to the linear layers of ``decoder``, switched off.

    Raises ``ModelCorrupt`` if the model does not have these layers.
    """
    switch = Switch()
    tensors = load_file(file)
    embedding = decoder.get_input_embeddings().weight
    for name in sorted(name.removesuffix(".A") for name in tensors if name.endswith(".A")):
        down = tensors[f"{name}.A"].float() * tensors[f"{name}.A.scale"][:, None]
        up = tensors[f"{name}.B"].float() * tensors[f"{name}.B.scale"][None, :]
        parent, _, last = name.rpartition(".")
        try:
            owner = decoder.get_submodule(parent)
            base = getattr(owner, last)
        except AttributeError as error:
            raise ModelCorrupt(
                f"The adapter {file.stem} was made for another model (there is no {name}): "
                f"get the model again with: minirag-chat models get {file.stem}."
            ) from error
        down, up = down.to(embedding), up.to(embedding)
        setattr(owner, last, AdaptedLinear(base, down, up, switch))
    return switch
