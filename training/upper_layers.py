"""The ranker's network for training only its upper layers: the output of the lower ones is computed once."""

from __future__ import annotations

from pathlib import Path

import torch
from torch.nn.utils.rnn import pad_sequence

from minirag_chat.models.late_interaction import LateInteraction


class UpperLayers(LateInteraction):
    """``LateInteraction`` whose layers below ``first`` stay as they are.

    Their hidden states are kept for each text, in 16 bits: some 55 kB a message.
    """

    def __init__(self, folder: Path, prefixes: tuple[str, str], first: int) -> None:
        super().__init__(folder, prefixes)
        self._first = first
        self._kept: dict[tuple[int, ...], torch.Tensor] = {}
        for layer in self.encoder.encoder.layer[:first]:
            layer.requires_grad_(requires_grad=False)

    def train(self, mode: bool = True) -> UpperLayers:
        """Switch dropout on or off, in the upper layers only."""
        super().train(mode)
        self.encoder.embeddings.eval()
        for layer in self.encoder.encoder.layer[: self._first]:
            layer.eval()
        return self

    def hidden(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The encoder's hidden states, shape (texts, tokens, width)."""
        lengths = mask.sum(1).tolist()
        texts = [tuple(row[:length]) for row, length in zip(ids.tolist(), lengths, strict=True)]
        if any(text not in self._kept for text in texts):
            self._keep(texts, ids, mask)
        states = pad_sequence([self._kept[text] for text in texts], batch_first=True)
        return self._through(states.to(ids.device).float(), mask, self._first, None)

    @torch.no_grad()
    def _keep(self, texts: list[tuple[int, ...]], ids: torch.Tensor, mask: torch.Tensor) -> None:
        states = self._through(self.encoder.embeddings(input_ids=ids), mask, 0, self._first)
        for text, row in zip(texts, states, strict=True):
            self._kept[text] = row[: len(text)].half().cpu()

    def _through(
        self, states: torch.Tensor, mask: torch.Tensor, first: int, last: int | None
    ) -> torch.Tensor:
        """The states after the layers ``first`` to ``last``, without that one."""
        hidden_from = torch.zeros(mask.shape, device=mask.device).masked_fill(
            mask == 0, torch.finfo(torch.float32).min
        )[:, None, None]
        for layer in self.encoder.encoder.layer[first:last]:
            out = layer(states, hidden_from)
            states = out[0] if isinstance(out, tuple) else out
        return states
