"""Measures how well an adapter reads the held-out histories, without generating text.

Figures: the loss of the replies, the share of replies that greedy decoding would give exactly, and how well
the first token separates questions without an answer from the others (area under the curve).

``python training/held_out.py MODEL EXAMPLES CHECKPOINT…``, with the checkpoints of ``train_reader.py``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from histories import HELD_OUT
from peft import set_peft_model_state_dict
from sklearn.metrics import roc_auc_score
from torch.nn import functional
from train_reader import DEVICE, Pack, adapted, add_shape, logits_of, packed
from transformers import AutoTokenizer

from minirag_chat.models.protocols import NOT_STATED


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question.

    ``loss`` is the mean over the reply's tokens, ``exact`` whether each is the most likely one, and
    ``silence`` the log-probability of the first token of "Not stated.".
    """

    answerable: bool
    loss: float
    exact: bool
    silence: float


def outcomes(model: Any, pack: Pack, row: dict[str, Any], silent: int) -> Iterator[Outcome]:
    """The outcome of each question of a pack; ``silent`` is the first token of "Not stated."."""
    with torch.inference_mode():
        logits = logits_of(model, [pack]).float()
    wanted = torch.tensor([pack.ids[place + 1] for place in pack.replies], device=DEVICE)
    losses = functional.cross_entropy(logits, wanted, reduction="none")
    right = logits.argmax(-1) == wanted
    owner = torch.tensor([pack.blocks[place + 1] for place in pack.replies], device=DEVICE)
    for number, question in enumerate(row["questions"][: pack.questions], start=1):
        mine = owner == number
        first = logits[mine][0].log_softmax(-1)
        yield Outcome(
            question["target"] != NOT_STATED,
            float(losses[mine].mean()),
            bool(right[mine].all()),
            float(first[silent]),
        )


def summary(found: Sequence[Outcome]) -> dict[str, float]:
    """Figures over all outcomes; the loss is a mean over questions."""
    answerable = [one for one in found if one.answerable]
    return {
        "questions": len(found),
        "loss": sum(one.loss for one in found) / len(found),
        "exact_answers": sum(one.exact for one in answerable) / len(answerable),
        "silence_auroc": float(
            roc_auc_score([not one.answerable for one in found], [one.silence for one in found])
        ),
    }


def main() -> None:
    """Read the command line and print one line for each checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("examples", type=Path)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1, help="take every so many packs")
    add_shape(parser)
    given = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(given.model, local_files_only=True)
    silent = tokenizer(NOT_STATED, add_special_tokens=False)["input_ids"][0]
    rows = [
        json.loads(line)
        for name in HELD_OUT
        for line in (given.examples / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ][:: given.every]
    packs = [(packed(row, tokenizer), row) for row in rows]
    model = adapted(given)
    model.eval()
    for file in given.checkpoints:
        state = torch.load(file, map_location=DEVICE, weights_only=True)
        set_peft_model_state_dict(model, state["adapter"])
        base = model.get_base_model()
        found = [one for pack, row in packs for one in outcomes(base, pack, row, silent)]
        line = {"checkpoint": file.stem, "trained_on": state["seen"], **summary(found)}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
