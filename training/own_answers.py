"""Lets an adapter answer the questions of ``examples.py``, and judges its answers by the benchmark's rules.

The answers of an adapter to the histories that it was trained on are what ``train_preferences.py`` learns
from; those to the held-out histories measure it. Replies are the most likely tokens, for all questions of a
prompt at once. ``python training/own_answers.py MODEL EXAMPLES ADAPTER OUT``; see ``--help``.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import torch
from histories import HELD_OUT
from train_reader import DEVICE, END, LONGEST, adapted, add_shape, head_and_tail, load_adapter
from transformers import AutoTokenizer, DynamicCache

from minirag_chat.bench.judge import MARKS, judge
from minirag_chat.models.prefix_cache import given_to
from minirag_chat.models.protocols import NOT_STATED, VERDICT

LONGEST_REPLY = 40  # tokens
USUAL, FEW = 24, 1  # from so many tokens on, so few replies are not waited for
NOW = datetime(2026, 1, 1)  # completes dates without a year, on both sides
QUESTION, OWN, WANTED = 0, 1, 2  # what a token belongs to, beside its question


def visible(blocks: Sequence[int], parts: Sequence[int], first: int = 0) -> torch.Tensor:
    """Which tokens each one from ``first`` on sees: the messages (block 0), its question, its own reply.

    Booleans of shape (1, 1, tokens from ``first`` on, all tokens).
    """
    block, part = (torch.tensor(of, device=DEVICE) for of in (blocks, parts))
    order = torch.arange(len(blocks), device=DEVICE)
    same = (part == QUESTION) | (part == part[first:, None])
    seen = (block == 0) | ((block == block[first:, None]) & same)
    return (seen & (order <= order[first:, None]))[None, None]


@dataclass(slots=True)
class Reading:
    """One prompt in the model's cache: its messages and, behind them, its questions with their replies."""

    model: Any
    cache: DynamicCache = field(default_factory=DynamicCache)
    blocks: list[int] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)

    def read(
        self, ids: list[int], blocks: list[int], parts: list[int], positions: list[int]
    ) -> torch.Tensor:
        """Hidden states of new tokens, each of which sees the messages, its question and its own reply."""
        known = len(self.blocks)
        self.blocks += blocks
        self.parts += parts
        out = self.model.model(
            input_ids=torch.tensor([ids], device=DEVICE),
            position_ids=torch.tensor([positions], device=DEVICE),
            attention_mask=visible(self.blocks, self.parts, known),
            **given_to(self.model.model, self.cache),
            use_cache=True,
        )
        hidden: torch.Tensor = out.last_hidden_state[0]
        return hidden

    def scores(self, hidden: torch.Tensor) -> torch.Tensor:
        """Log-probabilities of the tokens that follow, shape (places, vocabulary)."""
        logits: torch.Tensor = self.model.lm_head(hidden)
        return logits.float().log_softmax(-1)


@dataclass(slots=True)
class Reply:
    """What the adapter says to one question, and the log-probabilities of that and of the wanted reply."""

    block: int
    place: int
    first: torch.Tensor
    silence: float
    ids: list[int] = field(default_factory=list)
    own: float = 0.0
    wanted: float = 0.0


def asked(row: dict[str, Any], model: Any, tokenizer: Any) -> tuple[Reading, list[Reply]]:
    """Read the messages and all questions of a row; the replies have no tokens yet."""
    before, tail = head_and_tail(row, tokenizer)
    head = tokenizer(before, add_special_tokens=False)["input_ids"]
    reading = Reading(model)
    begin = len(head)
    reading.read(head, [0] * begin, [QUESTION] * begin, list(range(begin)))
    ids: list[int] = []
    blocks: list[int] = []
    positions: list[int] = []
    ends: list[int] = []
    for number, question in enumerate(row["questions"], start=1):
        text = tokenizer(f" {question['question']}{tail}", add_special_tokens=False)["input_ids"]
        if begin + len(ids) + len(text) > LONGEST:
            break
        ids += text
        blocks += [number] * len(text)
        positions += range(begin, begin + len(text))
        ends.append(len(ids) - 1)
    hidden = reading.read(ids, blocks, [QUESTION] * len(ids), positions)
    first = reading.scores(hidden[ends])
    silent = tokenizer(NOT_STATED, add_special_tokens=False)["input_ids"][0]
    return reading, [
        Reply(number, positions[end] + 1, first[number - 1], float(first[number - 1][silent]))
        for number, end in enumerate(ends, start=1)
    ]


def force(replies: list[Reply], tokenizer: Any) -> None:
    """Make all replies answers, however likely "Not stated." is."""
    silent = tokenizer(NOT_STATED, add_special_tokens=False)["input_ids"][0]
    for reply in replies:
        reply.first[silent] = -math.inf


def answer(reading: Reading, replies: list[Reply], end: int) -> None:
    """Add the most likely tokens to all replies, one by one, until each ends."""
    following = [(reply, reply.first) for reply in replies]
    for length in range(1, LONGEST_REPLY + 1):
        going = []
        for reply, scores in following:
            token = int(scores.argmax())
            reply.ids.append(token)
            reply.own += float(scores[token])
            if token != end:
                going.append(reply)
        if len(going) <= (FEW if length >= USUAL else 0):
            return
        hidden = reading.read(
            [reply.ids[-1] for reply in going],
            [reply.block for reply in going],
            [OWN] * len(going),
            [reply.place + len(reply.ids) - 1 for reply in going],
        )
        following = list(zip(going, reading.scores(hidden), strict=True))


def weigh(reading: Reading, replies: list[Reply], wanted: list[list[int]]) -> None:
    """Set the log-probability of each wanted reply."""
    ids: list[int] = []
    blocks: list[int] = []
    positions: list[int] = []
    for reply, target in zip(replies, wanted, strict=True):
        ids += target
        blocks += [reply.block] * len(target)
        positions += range(reply.place, reply.place + len(target))
    scores = reading.scores(reading.read(ids, blocks, [WANTED] * len(ids), positions))
    begin = 0
    for reply, target in zip(replies, wanted, strict=True):
        reply.wanted = float(reply.first[target[0]])
        reply.wanted += sum(float(scores[begin + n, t]) for n, t in enumerate(target[1:]))
        begin += len(target)


def answered(
    row: dict[str, Any], model: Any, tokenizer: Any, *, forced: bool = False
) -> dict[str, Any]:
    """The row with ``reply``, ``verdict`` and log-probabilities for each question that fits.

    ``silence`` is the log-probability of the first token of "Not stated.".
    """
    end = tokenizer.convert_tokens_to_ids(END)
    with torch.inference_mode():
        reading, replies = asked(row, model, tokenizer)
        questions = row["questions"][: len(replies)]
        wanted = [
            tokenizer(f"{one['target']}{END}", add_special_tokens=False)["input_ids"]
            for one in questions
        ]
        weigh(reading, replies, wanted)
        if forced:
            force(replies, tokenizer)
        answer(reading, replies, end)
    found = []
    for question, reply in zip(questions, replies, strict=True):
        text = tokenizer.decode(reply.ids, skip_special_tokens=True).strip()
        found.append(
            {
                **question,
                "reply": text,
                "verdict": verdict(question, text),
                "logp_reply": round(reply.own, 3),
                "logp_target": round(reply.wanted, 3),
                "silence": round(reply.silence, 3),
                "ended": reply.ids[-1] == end,
            }
        )
    return {**row, "questions": found}


def verdict(question: dict[str, Any], reply: str) -> str:
    """Right, wrong or irrelevant (silence where there is an answer), by the benchmark's rules."""
    wanted, said = (said_of(text) for text in (question["target"], reply))
    return judge(question["question"], wanted, said, abstained=not said, now=NOW).verdict


def said_of(reply: str) -> str:
    """A reply as the product shows it: without citations, the verdict first; empty if nothing is stated."""
    if reply.startswith(NOT_STATED.rstrip(".")):
        return ""
    reason, parted, yes_or_no = MARKS.sub("", reply).strip().rpartition(VERDICT)
    return f"{yes_or_no}, {reason}" if parted else yes_or_no


def main() -> None:
    """Read the command line; print the counts of verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="folder of the model, 4-bit or bf16")
    parser.add_argument("examples", type=Path, help="folder that training/examples.py wrote")
    parser.add_argument("adapter", type=Path, help="checkpoint.pt or adapter.safetensors")
    parser.add_argument("out", type=Path, help="file to write, in the form of the examples")
    add_shape(parser)
    parser.add_argument("--held-out", action="store_true", help="ask the held-out histories")
    parser.add_argument("--forced", action="store_true", help="no reply may be silence")
    parser.add_argument("--minutes", type=float, default=0, help="end after so long (0: never)")
    parser.add_argument("--most", type=int, default=0, help="end after so many prompts (0: never)")
    parser.add_argument("--fewest", type=int, default=1, help="questions of a prompt")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = [
        json.loads(line)
        for file in sorted(given.examples.glob("*.jsonl"))
        if (file.stem in HELD_OUT) == given.held_out
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    rows = [row for row in rows if len(row["questions"]) >= max(1, given.fewest)]
    random.Random(given.seed).shuffle(rows)
    tokenizer = AutoTokenizer.from_pretrained(given.model, local_files_only=True)
    adapter = adapted(given)
    load_adapter(adapter, given.adapter, given)
    model = adapter.merge_and_unload().eval()  # faster than beside the weights
    counts: Counter[str] = Counter()
    begun = time.time()
    with given.out.open("a", encoding="utf-8") as opened:
        for row in rows[: given.most or None]:
            if given.minutes and time.time() - begun > 60 * given.minutes:
                break
            found = answered(row, model, tokenizer, forced=given.forced)
            for one in found["questions"]:
                kind = "unanswerable" if one["target"] == NOT_STATED else "answerable"
                counts[f"{kind} {one['verdict']}"] += 1
            opened.write(json.dumps(found, ensure_ascii=False) + "\n")
            opened.flush()
            if sum(counts.values()) % 10 == 0:
                sys.stdout.write(f"{time.time() - begun:.0f} s {dict(counts)}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{time.time() - begun:.0f} s {json.dumps(dict(counts))}\n")


if __name__ == "__main__":
    main()
