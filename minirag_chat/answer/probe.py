"""A linear probe: whether the messages state the answer, read off a model's hidden state.

A small model knows more of that than it says: a hyperplane in the states of its middle layers tells
answerable from unanswerable questions better than its own Yes or No (Slobodkin et al. 2023, Azaria
and Mitchell 2023). A probe belongs to one model's weights. ``minirag-chat bench fit`` makes them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from minirag_chat.models.protocols import State


@dataclass(frozen=True, slots=True)
class Probe:
    """A hyperplane: ``weights`` has shape (hidden size,)."""

    weights: NDArray[np.float64]
    bias: float

    def log_odds(self, state: State) -> float:
        """Of P(the messages state the answer), from the state of the last token asked."""
        return float(self.weights @ state + self.bias)


@cache
def probe_of(weights: str) -> Probe | None:
    """The probe for a model by the catalog name of its weights; None where there is none."""
    file = files(__package__).joinpath(probe_file(weights))
    if not file.is_file():
        return None
    kept = json.loads(file.read_text(encoding="utf-8"))
    return Probe(np.array(kept["weights"]), float(kept["bias"]))


def probe_file(weights: str) -> str:
    """The name of a model's probe file."""
    return f"probe-{weights}.json"
