"""Trains an adapter further on its own mistakes: direct preference optimization (arXiv 2305.18290).

``own_answers.py`` wrote what the adapter replies to the questions of the histories. Where that is wrong, the
wanted reply is made likelier than the adapter's own, compared with the adapter that the run begins from;
where it is right, the wanted reply is learned as before. A stopped run continues from its last checkpoint.
``python training/train_preferences.py MODEL OUT ANSWERS… --begin ADAPTER``; see ``--help``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from own_answers import OWN, QUESTION, WANTED, visible
from torch.nn import functional
from train_reader import (
    DEVICE,
    END,
    LONGEST,
    MULTIPLE,
    adapted,
    add_shape,
    head_and_tail,
    load_adapter,
    machine,
    rate,
    resume,
    save,
    save_checkpoint,
)
from transformers import AutoTokenizer

from minirag_chat.bench.overlap import words

UNLIKELY = -30.0  # log-probability of a wanted reply that is another's way to say it, or a mistake
ALIKE = (
    0.7  # share of a reply's words that are in the wanted one: it is rather too short than wrong
)
_NUMBER = re.compile(r"\d")
MISTAKES = 4  # of a usual pack; one with more of them takes a longer step


@dataclass(frozen=True, slots=True)
class Reply:
    """The tokens of a reply, and the places of the pack that they follow."""

    ids: list[int]
    places: list[int]


@dataclass(frozen=True, slots=True)
class Pair:
    """The wanted reply to a question and the adapter's own, which is none where it was right.

    ``before`` is how much likelier (log-odds) the wanted one was for the adapter that wrote the other.
    """

    wanted: Reply
    own: Reply | None
    before: float


@dataclass(slots=True)
class Pack:
    """Messages followed by questions, each with one or two replies, as tokens.

    A token sees the messages (block 0), its question, and the reply that it belongs to (``parts``).
    """

    ids: list[int] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)

    def add(self, ids: list[int], block: int, part: int, begin: int) -> None:
        """Append tokens whose first has the position ``begin``."""
        self.ids += ids
        self.blocks += [block] * len(ids)
        self.parts += [part] * len(ids)
        self.positions += range(begin, begin + len(ids))

    @property
    def mistakes(self) -> int:
        """How many questions have two replies."""
        return sum(pair.own is not None for pair in self.pairs)


def is_mistake(question: dict[str, Any]) -> bool:
    """Whether the reply is wrong enough to learn from."""
    return bool(
        question["verdict"] != "right"
        and question["ended"]
        and question["logp_target"] > UNLIKELY
        and not _is_part(question["reply"], question["target"])
    )


def _is_part(reply: str, target: str) -> bool:
    """Whether a reply says a part of the wanted one, with no other number."""
    said, wanted = set(words(reply)), set(words(target))
    fresh = said - wanted
    return len(fresh) <= (1 - ALIKE) * len(said) and not any(map(_NUMBER.search, fresh))


def packed(row: dict[str, Any], tokenizer: Any) -> Pack:
    """The tokens of a row that ``own_answers.py`` wrote, of its mistakes and its right replies."""

    def tokens(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    before, tail = head_and_tail(row, tokenizer)
    head = tokens(before)
    pack = Pack()
    pack.add(head, 0, QUESTION, 0)
    for number, question in enumerate(row["questions"], start=1):
        wrong = is_mistake(question)
        if not wrong and question["verdict"] != "right":
            continue
        asked = tokens(f" {question['question']}{tail}")
        texts = [question["target"], *([question["reply"]] if wrong else [])]
        replies = [tokens(f"{text}{END}") for text in texts]
        if len(pack.ids) + len(asked) + sum(map(len, replies)) > LONGEST:
            break
        pack.add(asked, number, QUESTION, len(head))
        last, found = len(pack.ids) - 1, []
        for part, reply in zip((WANTED, OWN), replies, strict=False):
            places = [last, *range(len(pack.ids), len(pack.ids) + len(reply) - 1)]
            found.append(Reply(reply, places))
            pack.add(reply, number, part, len(head) + len(asked))
        change = question["logp_target"] - question["logp_reply"] if wrong else 0.0
        pack.pairs.append(Pair(found[0], found[1] if wrong else None, change))
    short = -len(pack.ids) % MULTIPLE
    pack.add(pack.ids[-1:] * short, len(row["questions"]) + 1, QUESTION, 0)
    return pack


def scores_of(model: Any, pack: Pack, replies: Sequence[Reply]) -> list[torch.Tensor]:
    """Log-probabilities of the tokens of each reply."""
    hidden = model.model(
        input_ids=torch.tensor([pack.ids], device=DEVICE),
        position_ids=torch.tensor([pack.positions], device=DEVICE),
        attention_mask=visible(pack.blocks, pack.parts),
        use_cache=False,
    ).last_hidden_state[0]
    places = torch.tensor([place for reply in replies for place in reply.places], device=DEVICE)
    ids = torch.tensor([one for reply in replies for one in reply.ids], device=DEVICE)
    scores = model.lm_head(hidden[places]).float().log_softmax(-1).gather(1, ids[:, None])[:, 0]
    return list(scores.split([len(reply.ids) for reply in replies]))


def loss_of(model: Any, pack: Pack, given: argparse.Namespace) -> tuple[torch.Tensor, float]:
    """The loss, and the share of the pairs whose wanted reply gained on the other.

    Of the pairs equation 7 of the paper, with a share ``doubt`` of them taken to be labelled the wrong way
    round; of all wanted replies the mean cross entropy of a token, times ``likelihood``.
    """
    wanted = [pair.wanted for pair in pack.pairs]
    pairs = [pair for pair in pack.pairs if pair.own]
    scores = scores_of(model, pack, [*wanted, *(pair.own for pair in pairs if pair.own)])
    loss = -given.likelihood * torch.cat(scores[: len(wanted)]).mean()
    if not pairs:
        return loss, 1.0
    sums = {id(pair): scores[n].sum() for n, pair in enumerate(pack.pairs)}
    gains = torch.stack(
        [
            sums[id(pair)] - own.sum() - pair.before
            for pair, own in zip(pairs, scores[len(wanted) :], strict=True)
        ]
    )
    gains = given.beta * gains
    preferred = functional.logsigmoid(gains) * (1 - given.doubt)
    preferred = preferred + functional.logsigmoid(-gains) * given.doubt
    return loss - preferred.sum() / MISTAKES, float((gains > 0).float().mean())


def train(given: argparse.Namespace) -> None:
    """Train, and write ``OUT/adapter.safetensors`` with ``OUT/adapter.json`` beside it."""
    torch.manual_seed(given.seed)
    tokenizer = AutoTokenizer.from_pretrained(given.model, local_files_only=True)
    rows = [
        json.loads(line)
        for file in given.answers
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    random.Random(given.seed).shuffle(rows)
    packs = [pack for row in rows if (pack := packed(row, tokenizer)).mistakes >= given.fewest]
    model = adapted(given)
    load_adapter(model, given.begin, given)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=given.rate, weight_decay=0.0)
    given.out.mkdir(parents=True, exist_ok=True)
    kept = resume(given.out / "checkpoint.pt", model, optimizer)
    model.train()
    begun, step, seen = time.time() - kept["seconds"], kept["step"], kept["seen"]
    recent: list[tuple[float, float]] = []
    while step < len(packs):
        minutes = (time.time() - begun) / 60
        done = max(step / len(packs), minutes / given.minutes if given.minutes else 0.0)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate(done, given.rate)
        recent.append(_learn(model, optimizer, packs[step], given))
        seen += packs[step].mistakes
        step += 1
        if step % given.report == 0:
            losses, gained = zip(*recent[-given.report :], strict=True)
            sys.stdout.write(
                f"{minutes:.1f} min, step {step} of {len(packs)}, {seen} mistakes, "
                f"loss {sum(losses) / given.report:.3f}, gained {sum(gained) / given.report:.2f}\n"
            )
            sys.stdout.flush()
            state = {"step": step, "seen": seen, "seconds": time.time() - begun}
            save_checkpoint(given.out / "checkpoint.pt", model, optimizer, state)
            save(given.out, model, _facts(given, seen, begun))
    save(given.out, model, _facts(given, seen, begun))


def _learn(
    model: Any, optimizer: torch.optim.Optimizer, pack: Pack, given: argparse.Namespace
) -> tuple[float, float]:
    """Take one step of the optimizer; returns the loss before it, and the share of pairs that gained."""
    loss, gained = loss_of(model.get_base_model(), pack, given)
    torch.autograd.backward(loss)
    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return float(loss.detach()), gained


def _facts(given: argparse.Namespace, seen: int, begun: float) -> dict[str, Any]:
    names = "rank alpha first_layer rate beta doubt likelihood fewest seed".split()
    return {
        **{name: getattr(given, name) for name in names},
        "mistakes": seen,
        "begun_from": given.begin.parent.name,
        "minutes": round((time.time() - begun) / 60, 1),
        "machine": machine(),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path, help="folder of the model, 4-bit or bf16")
    parser.add_argument("out", type=Path)
    parser.add_argument("answers", type=Path, nargs="+", help="files that own_answers.py wrote")
    add_shape(parser)
    parser.add_argument("--begin", type=Path, required=True, help="the adapter that gave them")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--beta", type=float, default=0.1, help="how far it may move from it")
    parser.add_argument("--doubt", type=float, default=0.1, help="share of wrong labels")
    parser.add_argument("--likelihood", type=float, default=0.25, help="weight of wanted replies")
    parser.add_argument("--minutes", type=float, default=0, help="end after so long (0: never)")
    parser.add_argument("--fewest", type=int, default=1, help="mistakes of a pack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=5, help="steps between two reports")
    train(parser.parse_args(arguments))


if __name__ == "__main__":
    main()
