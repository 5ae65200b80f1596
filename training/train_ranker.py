"""Trains the ranker: a cross-encoder that scores how well a message answers a question.

It begins from the bundled sentence embedder. A group is one question with messages that state the
answer and messages that our own retrieval puts near them. Two losses are added: a softmax over the
group's passages (listwise), and the log loss of each passage, so that a score is the log-odds that
this message states the answer. A stopped run goes on from its last checkpoint in ``OUT``.

``python training/train_ranker.py EMBEDDER EXAMPLES OUT``; see ``--help``.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from examples import HELD_OUT
from torch.nn import functional
from transformers import AutoModelForSequenceClassification, AutoTokenizer

LONGEST = 128  # tokens of question and passage together
TOGETHER = 48  # pairs in one pass
MEASURED = 160  # questions of the held-out histories that are measured
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
Group = tuple[str, list[str], list[int]]


def groups(
    folder: Path, held_out: Sequence[str], sources: Sequence[str]
) -> tuple[list[Group], list[Group]]:
    """To train on and held out: question, passages and which of them state the answer."""
    kept: list[Group] = []
    held: list[Group] = []
    for file in sorted(folder.glob("*.pools")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            group = row["question"], row["passages"], row["states"]
            if file.stem in held_out:
                held.append(group)
            elif not sources or row["source"] in sources:
                kept.append(group)
    return kept, held


def drawn(group: Group, size: int, rng: random.Random) -> Group:
    """All that state the answer, and distractors: half of them the hardest, half from anywhere."""
    question, passages, states = group
    right = [i for i, state in enumerate(states) if state]
    wrong = [i for i, state in enumerate(states) if not state]
    hardest = wrong[: size // 2]
    rest = wrong[size // 2 :]
    chosen = (
        right + hardest + rng.sample(rest, min(len(rest), max(0, size - len(hardest) - len(right))))
    )
    return question, [passages[i] for i in chosen], [states[i] for i in chosen]


def scores(model: Any, tokenizer: Any, batch: Sequence[Group]) -> list[torch.Tensor]:
    """The scores of each group's passages. Pairs of like length are read together."""
    pairs = [(question, passage) for question, passages, _ in batch for passage in passages]
    read = tokenizer(
        [a for a, _ in pairs], [b for _, b in pairs],
        truncation="longest_first", max_length=LONGEST,
    )["input_ids"]  # fmt: skip
    order = sorted(range(len(pairs)), key=lambda i: len(read[i]))
    found: list[torch.Tensor] = [torch.zeros(())] * len(pairs)
    for first in range(0, len(order), TOGETHER):
        places = order[first : first + TOGETHER]
        ids = tokenizer(
            [pairs[i][0] for i in places], [pairs[i][1] for i in places],
            truncation="longest_first", max_length=LONGEST, padding=True, return_tensors="pt",
        ).to(DEVICE)  # fmt: skip
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            logits = model(**ids).logits.float().squeeze(-1)
        for place, logit in zip(places, logits.unbind(), strict=True):
            found[place] = logit
    return list(torch.stack(found).split([len(passages) for _, passages, _ in batch]))


def loss_of(found: Sequence[torch.Tensor], batch: Sequence[Group]) -> torch.Tensor:
    """Listwise loss where something states the answer, and log loss of every passage."""
    total = torch.zeros((), device=DEVICE)
    for logits, (_, _, states) in zip(found, batch, strict=True):
        truth = torch.tensor(states, dtype=torch.float32, device=DEVICE)
        if truth.any():
            total = total - (functional.log_softmax(logits, 0) * truth).sum() / truth.sum()
        total = total + functional.binary_cross_entropy_with_logits(logits, truth) * 2
    return total / len(batch)


def measured(model: Any, tokenizer: Any, held: Sequence[Group]) -> dict[str, float]:
    """hit@1, recall@5 and recall@10 over single messages, of retrieval's order and of the ranker's."""
    found: dict[str, list[float]] = {}
    model.eval()
    with torch.inference_mode():
        for group in held:
            states = group[2]
            if not any(states):
                continue
            order = scores(model, tokenizer, [group])[0].argsort(descending=True).tolist()
            for name, places in (("before", range(len(states))), ("after", order)):
                ranked = [states[i] for i in places]
                found.setdefault(f"hit@1 {name}", []).append(ranked[0])
                for depth in (5, 10):
                    found.setdefault(f"recall@{depth} {name}", []).append(
                        sum(ranked[:depth]) / sum(states)
                    )
    model.train()
    return {name: round(sum(values) / len(values), 3) for name, values in found.items()}


def keep(out: Path, model: Any, optimizer: Any, step: int, spent: float) -> None:
    """Write the checkpoint that a stopped run goes on from."""
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save({**state, "step": step, "spent": spent}, out / "checkpoint.tmp")
    (out / "checkpoint.tmp").replace(out / "checkpoint.pt")


def resumed(out: Path, model: Any, optimizer: Any) -> tuple[int, float]:
    """Go on from a checkpoint where there is one; the steps done and the seconds they took."""
    if not (out / "checkpoint.pt").exists():
        return 0, 0.0
    state = torch.load(out / "checkpoint.pt", map_location=DEVICE, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"]), float(state["spent"])


def train(given: argparse.Namespace) -> None:
    """Train; writes the model to ``OUT``."""
    torch.manual_seed(given.seed)
    tokenizer = AutoTokenizer.from_pretrained(given.embedder, local_files_only=True)
    model = AutoModelForSequenceClassification.from_pretrained(
        given.embedder, num_labels=1, local_files_only=True, hidden_dropout_prob=0.1
    ).to(DEVICE)
    if given.layers:
        model.bert.encoder.layer = model.bert.encoder.layer[: given.layers]
        model.config.num_hidden_layers = given.layers
    model.bert.embeddings.requires_grad_(requires_grad=False)
    data, held = groups(given.examples, given.held_out, given.sources)
    held = random.Random(given.seed).sample(held, min(MEASURED, len(held)))
    optimizer = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad], lr=given.rate, weight_decay=0.01
    )
    steps = given.epochs * math.ceil(len(data) / given.batch)
    sys.stdout.write(f"{len(data)} groups, {len(held)} held out, {steps} steps\n")
    given.out.mkdir(parents=True, exist_ok=True)
    done, spent = resumed(given.out, model, optimizer)
    begun, step = time.time() - spent, 0
    model.train()
    for epoch in range(given.epochs):
        rng = random.Random(given.seed + epoch)
        order = rng.sample(data, len(data))
        for first in range(0, len(order), given.batch):
            batch = [drawn(group, given.size, rng) for group in order[first : first + given.batch]]
            step += 1
            if step <= done:
                continue
            rate = min(1.0, step / (0.06 * steps)) * max(0.02, 1 - step / steps)
            for group in optimizer.param_groups:
                group["lr"] = given.rate * rate
            loss = loss_of(scores(model, tokenizer, batch), batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if step % given.report == 0 or step == steps:
                spent = time.time() - begun
                found = measured(model, tokenizer, held) if step % (4 * given.report) == 0 else ""
                sys.stdout.write(f"step {step} loss {float(loss):.3f} {spent:.0f} s {found}\n")
                sys.stdout.flush()
                keep(given.out, model, optimizer, step, time.time() - begun)
    model.half().save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    (given.out / "facts.json").write_text(
        json.dumps(
            {
                "minutes": round((time.time() - begun) / 60, 1),
                "groups": len(data),
                **{k: str(v) for k, v in vars(given).items()},
            },
            indent=1,
        )
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("embedder", type=Path)
    parser.add_argument("examples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=0, help="keep so many layers (0: all)")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=16, help="questions in a step")
    parser.add_argument("--size", type=int, default=24, help="passages of a question in a step")
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument("--held-out", nargs="*", default=HELD_OUT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=50)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
