"""The ranker's network: late interaction between a question and each message. Needs torch.

ColBERT (Khattab and Zaharia 2020, arXiv 2004.12832): one encoder reads question and message
separately, every token becomes a unit vector, and a message's score is the sum over the question's tokens
of the best cosine with any token of the message (MaxSim, their equation 3). Here the sum is weighted: the
network also gives a weight to each token of the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from minirag_chat.models.ranker import LONGEST_PASSAGE, LONGEST_QUESTION

DIMENSION = 128
TOGETHER = 48  # batch size
_NOWHERE = -2.0  # below any cosine

Read = tuple[torch.Tensor, torch.Tensor]
"""A text's unit vectors, shape (tokens, ``DIMENSION``), and the weight of each token, shape (tokens,)."""


class LateInteraction(nn.Module):
    """Scores passages for questions; ``folder`` holds the encoder that it is initialised from.

    ``null`` is the cosine of "no passage states the answer", which counts as one more passage.
    ``prefixes`` are what the encoder was trained to see before a question, and before a passage.
    """

    def __init__(self, folder: Path, prefixes: tuple[str, str] = ("", "")) -> None:
        super().__init__()
        from transformers import AutoModel, AutoTokenizer

        self._question, self._passage = prefixes
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.encoder: Any = AutoModel.from_pretrained(
            folder, local_files_only=True, add_pooling_layer=False
        )
        width = self.encoder.config.hidden_size
        self.project = nn.Linear(width, DIMENSION, bias=False)
        self.weigh = nn.Linear(width, 1)
        self.sharpness = nn.Parameter(torch.tensor(3.3))  # log of the factor of the cosines
        self.null = nn.Parameter(torch.tensor(0.5))  # as a cosine

    def read(self, texts: Sequence[str], longest: int, dtype: torch.dtype) -> list[Read]:
        """Read each text, truncated to ``longest`` tokens, in batches of similar length."""
        ids = self.tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        found: dict[int, Read] = {}
        for first in range(0, len(order), TOGETHER):
            places = order[first : first + TOGETHER]
            found.update(zip(places, self._batch([ids[i] for i in places], dtype), strict=True))
        return [found[i] for i in range(len(ids))]

    def _batch(self, ids: Sequence[list[int]], dtype: torch.dtype) -> Iterator[Read]:
        device = self.null.device
        padded = self.tokenizer.pad({"input_ids": list(ids)}, return_tensors="pt").to(device)
        with torch.autocast(device.type, dtype=dtype, enabled=dtype != torch.float32):
            hidden = self.hidden(padded["input_ids"], padded["attention_mask"])
        hidden = hidden.float()
        vectors = functional.normalize(self.project(hidden), dim=-1)
        weights = functional.softplus(self.weigh(hidden)).squeeze(-1)
        for row, tokens in enumerate(ids):
            yield vectors[row, : len(tokens)], weights[row, : len(tokens)]

    def hidden(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The encoder's hidden states, shape (texts, tokens, width); ``mask`` is 0 for what is padded."""
        states: torch.Tensor = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return states

    def forward(
        self, questions: Sequence[str], passages: Sequence[str], dtype: torch.dtype
    ) -> torch.Tensor:
        """Scores, shape (questions, passages + 1); the last column is ``null``'s."""
        return self.compare(
            self.read([self._question + each for each in questions], LONGEST_QUESTION, dtype),
            self.read([self._passage + each for each in passages], LONGEST_PASSAGE, dtype),
        )

    def compare(self, questions: Sequence[Read], passages: Sequence[Read]) -> torch.Tensor:
        """Scores as in ``forward``, for questions and passages that were already read."""
        tokens = pad_sequence([vectors for vectors, _ in passages], batch_first=True)
        lengths = torch.tensor([len(vectors) for vectors, _ in passages], device=tokens.device)
        beyond = torch.arange(tokens.shape[1], device=tokens.device) >= lengths[:, None]
        rows = []
        for vectors, weights in questions:
            likeness = (tokens @ vectors.T).masked_fill(beyond[:, :, None], _NOWHERE)
            share = weights / weights.sum()
            rows.append(torch.cat([likeness.amax(1) @ share, self.null[None]]))
        return torch.stack(rows) * self.sharpness.exp()
