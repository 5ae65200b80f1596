"""Trains the ranker: late interaction (ColBERT) from the bundled sentence embedder.

About forty questions on one history are read together with all messages that state their answers and
the hardest distractors of our retrieval, about two hundred in all. Each question must score its own
messages highest, or the score of silence if no message states its answer (softmax over all). A stopped
run continues from its last checkpoint in ``OUT``.

``python training/train_ranker.py EMBEDDER EXAMPLES OUT``; see ``--help``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from histories import HELD_OUT
from safetensors.torch import save_file
from sklearn.metrics import roc_auc_score
from torch.nn import functional
from upper_layers import UpperLayers

from minirag_chat.models.late_interaction import LateInteraction
from minirag_chat.models.nf4_linear import compute_dtype
from minirag_chat.models.ranker import ENCODED, SCALE, apply_changes
from minirag_chat.retrieve.ranking import POOL

TOGETHER, FEWEST = 40, 8  # questions of one history in a step
HARDEST, OTHERS, DEPTH = 4, 3, 30  # distractors of a question: the first ones, and some of the next
SMALLEST = 10_000  # numbers in a matrix that is kept in 8 bits
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPE = torch.bfloat16 if DEVICE == "cuda" else compute_dtype()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its pool, best first, and which of its passages state the answer."""

    question: str
    passages: tuple[str, ...]
    states: tuple[int, ...]


def histories(folder: Path) -> dict[str, list[Asked]]:
    """The questions of each history, by its name."""
    found: dict[str, list[Asked]] = {}
    for file in sorted(folder.glob("*.pools")):
        rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        found[file.stem] = [
            Asked(row["question"], tuple(row["passages"]), tuple(row["states"])) for row in rows
        ]
    return found


def steps_of(
    data: Sequence[list[Asked]], rng: random.Random, size: int
) -> list[tuple[list[Asked], list[str]]]:
    """Each question once, in groups of one history, with the passages of each group."""
    steps = []
    for asked in data:
        mixed = rng.sample(asked, len(asked))
        for first in range(0, len(mixed), size):
            together = mixed[first : first + size]
            if len(together) >= FEWEST:
                steps.append((together, candidates(together, rng)))
    rng.shuffle(steps)
    return steps


def candidates(together: Sequence[Asked], rng: random.Random) -> list[str]:
    """The passages that state the answers, and the hardest distractors of each question."""
    found: dict[str, None] = {}
    for one in together:
        wrong = [text for text, state in zip(one.passages, one.states, strict=True) if not state]
        near = wrong[HARDEST:DEPTH]
        found |= dict.fromkeys(
            text for text, state in zip(one.passages, one.states, strict=True) if state
        )
        found |= dict.fromkeys(wrong[:HARDEST] + rng.sample(near, min(OTHERS, len(near))))
    return list(found)


def loss_of(model: Any, together: Sequence[Asked], passages: Sequence[str]) -> torch.Tensor:
    """Mean over the questions of -log P of the passages that state the answer, or of silence if none does."""
    places = {text: n for n, text in enumerate(passages)}
    truth = torch.zeros(len(together), len(passages) + 1, device=DEVICE)
    for row, one in enumerate(together):
        right = [places[t] for t, state in zip(one.passages, one.states, strict=True) if state]
        truth[row, right or [len(passages)]] = 1
    scores = model([one.question for one in together], passages, DTYPE)
    each = functional.log_softmax(scores, 1) * truth / truth.sum(1, keepdim=True)
    return -each.sum(1).mean()


def measured(model: Any, held: Sequence[Sequence[Asked]], most: int) -> dict[str, float]:
    """hit@1, recall@5 and @10 over single messages: retrieval's order, the ranker's, both together.

    ``silence`` is the area under the curve of the best score: answerable against unanswerable.
    """
    found: dict[str, list[float]] = {}
    best_scores: list[tuple[int, float]] = []
    model.eval()
    with torch.inference_mode():
        for asked in held:
            for one, scores in scored(model, asked[: most // len(held)]):
                best = float(scores[:-1].max() - scores[-1])
                best_scores.append((int(any(one.states)), best))
                if any(one.states):
                    for name, value in figures(one, scores[:-1]):
                        found.setdefault(name, []).append(value)
    model.train()
    silence = roc_auc_score([t for t, _ in best_scores], [score for _, score in best_scores])
    return {
        **{name: round(sum(values) / len(values), 3) for name, values in found.items()},
        "silence": round(float(silence), 3),
    }


def scored(model: Any, asked: Sequence[Asked]) -> Iterator[tuple[Asked, torch.Tensor]]:
    """Each question with the scores of its own pool, followed by that of silence."""
    for first in range(0, len(asked), TOGETHER):
        together = asked[first : first + TOGETHER]
        passages = list(dict.fromkeys(text for one in together for text in one.passages[:POOL]))
        places = {text: n for n, text in enumerate(passages)}
        scores = model([one.question for one in together], passages, DTYPE).cpu()
        for one, row in zip(together, scores, strict=True):
            yield one, row[[places[text] for text in one.passages[:POOL]] + [len(passages)]]


def figures(one: Asked, scores: torch.Tensor) -> Iterator[tuple[str, float]]:
    """The figures of one question in three orders; its place in the pool stands for retrieval's score."""
    states = torch.tensor(one.states[:POOL])
    before = torch.log1p(torch.arange(len(states)).float())
    both = (scores - scores.mean()) / scores.std() - before / 2
    for name, by in (("before", -before), ("ranker", scores), ("both", both)):
        order = states[by.argsort(descending=True)]
        yield f"hit@1 {name}", float(order[0] > 0)
        for depth in (5, 10):
            yield f"recall@{depth} {name}", float(order[:depth].sum()) / sum(one.states)


def trainable(model: Any, rate: float) -> list[dict[str, Any]]:
    """The encoder's layers, and the new parts, which learn ten times as fast."""
    model.encoder.embeddings.requires_grad_(requires_grad=False)
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    old = [p for name, p in named if name.startswith("encoder.")]
    new = [p for name, p in named if not name.startswith("encoder.")]
    return [{"params": old, "base": rate}, {"params": new, "base": 10 * rate}]


def train(given: argparse.Namespace) -> None:
    """Train for ``given.minutes``; writes checkpoints and the weights to ``OUT``."""
    torch.manual_seed(given.seed)
    model: Any = network(given).to(DEVICE)
    if given.begin and given.begin.suffix == ".safetensors":
        apply_changes(model, given.begin)
    elif given.begin:
        model.load_state_dict(torch.load(given.begin, weights_only=True)["model"])
    optimizer = torch.optim.AdamW(trainable(model, given.rate), lr=given.rate, weight_decay=0.01)
    data = histories(given.examples)
    held = [asked for name, asked in data.items() if name in HELD_OUT]
    kept = [asked for name, asked in data.items() if name not in HELD_OUT]
    given.out.mkdir(parents=True, exist_ok=True)
    step, spent = resumed(given.out, model, optimizer)
    say(f"{sum(map(len, kept))} questions; after {step} steps: {measured(model, held, 200)}")
    begun, rng = time.time() - spent, random.Random(given.seed + step)
    waiting: list[tuple[list[Asked], list[str]]] = []
    model.train()
    while (elapsed := (time.time() - begun) / 60 / given.minutes) < 1:
        waiting = waiting or steps_of(kept, rng, given.together)
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * min(1.0, (step + 1) / 20) * (1 - elapsed)
        loss = loss_of(model, *waiting.pop())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        if step % given.report == 0:
            spent = time.time() - begun
            keep(given.out, model, optimizer, step, spent)
            figure = measured(model, held, 200) if step % (5 * given.report) == 0 else ""
            say(f"step {step} loss {float(loss.detach()):.3f} {spent:.0f} s {figure}")
    finish(given, model, held, step, (time.time() - begun) / 60)


def network(given: argparse.Namespace) -> LateInteraction:
    """The network before training."""
    prefixes = (given.question_prefix, given.passage_prefix)
    if given.first_layer:
        return UpperLayers(given.embedder, prefixes, given.first_layer)
    return LateInteraction(given.embedder, prefixes)


def finish(
    given: argparse.Namespace,
    model: Any,
    held: Sequence[Sequence[Asked]],
    step: int,
    minutes: float,
) -> None:
    """Write the weights in 8 bits and facts about the training; measure the written weights."""
    file = given.out / "ranker.safetensors"
    fresh: Any = network(given)
    save_file(changes(model, fresh), file)
    apply_changes(fresh, file)
    figure = measured(fresh.to(DEVICE), held, 1000)
    say(f"in 8 bits: {figure}")
    facts = {
        "encoder": given.embedder.name, "data": "own, friendsqa, xquad, cmrc",
        "steps": step, "minutes": round(minutes), "seed": given.seed, "rate": given.rate, "held_out": figure,
    }  # fmt: skip
    (given.out / "ranker.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def changes(model: Any, fresh: Any) -> dict[str, torch.Tensor]:
    """What training changed: matrices as 8-bit rows with a scale each, the rest as it is.

    Of the encoder it is the difference from the weights that it began with, those of ``fresh``.
    """
    found: dict[str, torch.Tensor] = {}
    before = fresh.state_dict()
    for name, tensor in model.state_dict().items():
        if name.startswith("encoder.embeddings."):
            continue
        value = tensor.detach().float().cpu()
        if name.startswith(ENCODED):
            value = value - before[name].float()
            if not value.any():  # a layer that was not trained
                continue
        if value.ndim > 1 and value.numel() >= SMALLEST:
            scale = value.abs().amax(1).clamp(min=1e-8) / 127
            found[name] = (value / scale[:, None]).round().to(torch.int8)
            found[name + SCALE] = scale
        else:
            found[name] = value
    return found


def keep(out: Path, model: Any, optimizer: Any, step: int, spent: float) -> None:
    """Write the checkpoint from which a stopped run continues."""
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save({**state, "step": step, "spent": spent}, out / "checkpoint.tmp")
    (out / "checkpoint.tmp").replace(out / "checkpoint.pt")


def resumed(out: Path, model: Any, optimizer: Any) -> tuple[int, float]:
    """Load the checkpoint if there is one; returns the steps done and the seconds that they took."""
    if not (out / "checkpoint.pt").exists():
        return 0, 0.0
    state = torch.load(out / "checkpoint.pt", map_location=DEVICE, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"]), float(state["spent"])


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("embedder", type=Path, help="folder of the encoder to begin from")
    parser.add_argument("examples", type=Path, help="what examples.py wrote")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument(
        "--begin", type=Path, help="a checkpoint or ranker.safetensors to begin from"
    )
    parser.add_argument(
        "--first-layer", type=int, default=0, help="train the encoder only from this layer upwards"
    )
    parser.add_argument("--question-prefix", default="", help="text put before a question")
    parser.add_argument("--passage-prefix", default="", help="text put before a passage")
    parser.add_argument("--together", type=int, default=TOGETHER, help="questions in a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=20, help="steps between two lines")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
