"""Training of the upper layers alone computes what the whole network does."""

from __future__ import annotations

from pathlib import Path

import pytest
from needed import needed

from minirag_chat.models.catalog import BUNDLED, find_card
from minirag_chat.models.embedder import embedder_folder

torch, upper_layers = needed("torch"), needed("upper_layers")
late_interaction = needed("minirag_chat.models.late_interaction")

QUESTIONS = ("Who has the key?", "When does the tuner come?")
PASSAGES = ("Tom: Anna Berg, you have the key!", "Ann: he comes on Thursday at nine", "Sam: ok")
PREFIXES = ("query: ", "passage: ")
FIRST = 4


@pytest.mark.model
def test_scores_are_those_of_the_whole_network_and_only_upper_layers_learn() -> None:
    folder = embedder_folder(find_card(BUNDLED), Path("nowhere"))
    assert folder is not None
    whole = late_interaction.LateInteraction(folder, PREFIXES).eval()
    upper = upper_layers.UpperLayers(folder, PREFIXES, FIRST).eval()
    upper.load_state_dict(whole.state_dict())
    wanted = whole(QUESTIONS, PASSAGES, torch.float32)
    for _ in range(2):  # the second time from what was kept
        assert torch.allclose(upper(QUESTIONS, PASSAGES, torch.float32), wanted, atol=0.02)
    upper.train()
    upper(QUESTIONS, PASSAGES, torch.float32).sum().backward()
    learns = [
        any(p.grad is not None and p.grad.any() for p in layer.parameters())
        for layer in upper.encoder.encoder.layer
    ]
    assert learns == [False] * FIRST + [True] * (len(learns) - FIRST)
