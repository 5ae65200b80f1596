"""What a model holds inside after most of its layers, for probes to read."""

from __future__ import annotations

from typing import Any

import numpy as np

from minirag_chat.models.protocols import State

STATE_DEPTH = 0.65
"""The share of the layers after which the state is taken: what a model knows is plainest past the
middle; the last layers turn to the word that comes next."""


class HiddenState:
    """Keeps the hidden state of the last token that a decoder has read."""

    def __init__(self, layers: Any) -> None:
        self._last: Any = None
        layers[int(STATE_DEPTH * len(layers))].register_forward_hook(self._keep)

    def last(self) -> State:
        """Shape (hidden size,), float32."""
        return np.asarray(self._last.float().cpu().numpy(), dtype=np.float32)

    def _keep(self, _layer: Any, _given: Any, output: Any) -> None:
        hidden = output[0] if isinstance(output, tuple) else output
        self._last = hidden[0, -1].clone()  # a view would keep the whole block's
