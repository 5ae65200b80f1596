"""Trains an adapter (LoRA, arXiv 2106.09685) that makes a language model the reader of chats.

Only the adapter is trained; the model's own weights, in 4 bits or in bf16, stay unchanged. Only the
reply of an example is learned. All questions on the same messages follow one copy of them: each attends
only to the messages and to itself, which takes a fifth of the time. A stopped run continues from its last
checkpoint in ``OUT``. Examples that a run had no time for are in its ``left.jsonl``; copy it to the
examples of the next run to train on them.

``python training/train_reader.py MODEL EXAMPLES OUT``, on a GPU or on a CPU; see ``--help``.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from histories import HELD_OUT
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file, save_file
from torch.nn import functional
from transformers import AutoModelForCausalLM, AutoTokenizer

PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
WARM_UP = 0.04
LONGEST = 1800  # tokens of messages and questions together
WINDOW = 256  # packs that are sorted by length, so that a step has little padding
PADDING = -1  # the question number of what fills a shorter pack of a step
MULTIPLE = 64  # tokens; on a CPU, oneDNN keeps memory for each different length
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
END = "<|im_end|>"
MARK = "\u241f"  # stands for the question while a prompt is put together


@dataclass(frozen=True, slots=True)
class Pack:
    """Messages followed by questions, as tokens.

    ``replies`` are the indices whose next token is learned, ``blocks`` the number of the question that each
    token belongs to (0: the messages), ``positions`` its position if its question were the only one.
    """

    ids: list[int]
    blocks: list[int]
    positions: list[int]
    replies: list[int]
    questions: int


def head_and_tail(row: dict[str, Any], tokenizer: Any) -> tuple[str, str]:
    """The prompt of a row that ``examples.py`` wrote, before and behind its question."""
    turns = [
        {"role": "system", "content": row["system"]},
        {"role": "user", "content": f"{row['user']}Question: {MARK}"},
    ]
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    head, tail = text.split(f" {MARK}")
    return head, tail


def packed(row: dict[str, Any], tokenizer: Any) -> Pack:
    """The tokens of a row that ``examples.py`` wrote."""
    head, tail = head_and_tail(row, tokenizer)

    def tokens(piece: str) -> list[int]:
        return list(tokenizer(piece, add_special_tokens=False)["input_ids"])

    ids = tokens(head)
    blocks, positions = [0] * len(ids), list(range(len(ids)))
    begin, questions = len(ids), 0
    replies: list[int] = []
    for question in row["questions"]:
        asked = tokens(f" {question['question']}{tail}")
        reply = tokens(f"{question['target']}{END}")
        if len(ids) + len(asked) + len(reply) > LONGEST:
            break
        questions += 1
        first = len(ids) + len(asked) - 1
        replies += range(first, first + len(reply))
        ids += asked + reply
        blocks += [questions] * (len(asked) + len(reply))
        positions += range(begin, begin + len(asked) + len(reply))
    short = -len(ids) % MULTIPLE
    ids += ids[-1:] * short
    blocks += [questions + 1] * short
    positions += [begin] * short
    return Pack(ids, blocks, positions, replies, questions)


def logits_of(model: Any, packs: Sequence[Pack]) -> torch.Tensor:
    """Logits of the token after each place of the packs' ``replies``, shape (replies, vocabulary)."""
    longest = max(len(pack.ids) for pack in packs)

    def filled(rows: Sequence[Sequence[int]], value: int) -> torch.Tensor:
        padded = [[*row, *[value] * (longest - len(row))] for row in rows]
        return torch.tensor(padded, device=DEVICE)

    blocks = filled([pack.blocks for pack in packs], PADDING)
    order = torch.arange(longest, device=DEVICE)
    same = (blocks[:, None, :] == 0) | (blocks[:, None, :] == blocks[:, :, None])
    hidden = model.model(
        input_ids=filled([pack.ids for pack in packs], 0),
        position_ids=filled([pack.positions for pack in packs], 0),
        attention_mask=(same & (order[None, :] <= order[:, None]))[:, None],
        use_cache=False,
    ).last_hidden_state
    rows = [row for row, pack in enumerate(packs) for _ in pack.replies]
    places = [place for pack in packs for place in pack.replies]
    at = torch.tensor(rows, device=DEVICE), torch.tensor(places, device=DEVICE)
    logits: torch.Tensor = model.lm_head(hidden[at])
    return logits


def loss_of(model: Any, packs: Sequence[Pack]) -> torch.Tensor:
    """Mean cross entropy of the replies' tokens."""
    wanted = [pack.ids[place + 1] for pack in packs for place in pack.replies]
    return functional.cross_entropy(
        logits_of(model, packs).float(), torch.tensor(wanted, device=DEVICE)
    )


def batches_of(packs: Sequence[Pack], tokens: int, rng: random.Random) -> list[list[int]]:
    """The packs of each step: similar lengths together, at most ``tokens`` with padding, or one pack."""
    batches: list[list[int]] = []
    for first in range(0, len(packs), WINDOW):
        window = range(first, min(first + WINDOW, len(packs)))
        found: list[list[int]] = []
        for place in sorted(window, key=lambda n: len(packs[n].ids)):
            if found and (len(found[-1]) + 1) * len(packs[place].ids) <= tokens:
                found[-1].append(place)
            else:
                found.append([place])
        batches += rng.sample(found, len(found))
    return batches


def adapted(given: argparse.Namespace) -> Any:
    """The model with a fresh adapter."""
    model = AutoModelForCausalLM.from_pretrained(
        given.model,
        dtype=torch.float32 if given.float32 else torch.bfloat16,
        device_map={"": DEVICE},
        local_files_only=True,
    )
    count = model.config.num_hidden_layers
    config = LoraConfig(
        r=given.rank,
        lora_alpha=given.alpha,
        lora_dropout=given.dropout,
        target_modules=PROJECTIONS,
        layers_to_transform=list(range(given.first_layer, count)),
        task_type="CAUSAL_LM",
    )
    return get_peft_model(model, config)


def rate(done: float, highest: float) -> float:
    """Learning rate after a share ``done`` of the run: linear warm-up, then a cosine to a twentieth."""
    if done < WARM_UP:
        return highest * (done + 1e-3) / WARM_UP
    return highest * (0.05 + 0.475 * (1 + math.cos(math.pi * min(1.0, done))))


def wanted_rows(given: argparse.Namespace) -> list[dict[str, Any]]:
    """The examples of the wanted sources in random order, without those of held-out histories."""
    rows = [
        json.loads(line)
        for file in sorted(given.examples.glob("*.jsonl"))
        if file.stem not in given.held_out
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    rows = [row for row in rows if not given.sources or row["source"] in given.sources]
    rows = [row for row in rows if len(row["questions"]) >= given.fewest]
    random.Random(given.seed).shuffle(rows)
    return rows


def train(given: argparse.Namespace) -> None:
    """Train, and write ``OUT/adapter.safetensors`` with ``OUT/adapter.json`` beside it."""
    torch.manual_seed(given.seed)
    torch.set_float32_matmul_precision("high")  # the adapter's own products, on a GPU
    tokenizer = AutoTokenizer.from_pretrained(given.model, local_files_only=True)
    rows = wanted_rows(given) * given.epochs
    packs = [packed(row, tokenizer) for row in rows]
    rows = [row for row, pack in zip(rows, packs, strict=True) if pack.replies]
    packs = [pack for pack in packs if pack.replies]
    steps = batches_of(packs, given.tokens, random.Random(given.seed))
    model = adapted(given)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=given.rate, weight_decay=0.0)
    given.out.mkdir(parents=True, exist_ok=True)
    if given.begin:
        load_adapter(model, given.begin, given)
    kept = resume(given.out / "checkpoint.pt", model, optimizer)
    model.train()
    begun = time.time() - kept["seconds"]
    step, seen, recent = kept["step"], kept["seen"], []
    while step < len(steps):
        minutes = (time.time() - begun) / 60
        limits = ((step, len(steps)), (minutes, given.minutes), (seen, given.most))
        done = max(count / limit for count, limit in limits if limit)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate(done, given.rate)
        batch = [packs[place] for place in steps[step]]
        recent.append(_learn(model, optimizer, batch))
        seen += sum(pack.questions for pack in batch)
        step += 1
        if step % given.report == 0:
            sys.stdout.write(
                f"{minutes:.1f} min, step {step} of {len(steps)}, {seen} questions, "
                f"loss {sum(recent[-given.report :]) / given.report:.3f}\n"
            )
            sys.stdout.flush()
        if step % given.checkpoint == 0:
            state = {"step": step, "seen": seen, "seconds": time.time() - begun}
            save_checkpoint(given.out / "checkpoint.pt", model, optimizer, state)
            if given.keep and step % given.keep == 0:
                kept_as = given.out / f"after-{seen:05}.pt"
                torch.save({"adapter": get_peft_model_state_dict(model), "seen": seen}, kept_as)
            save(given.out, model, _facts(given, seen, begun))
    save(given.out, model, _facts(given, seen, begun))
    unread = [rows[place] for batch in steps[step:] for place in batch]
    left = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in unread)
    (given.out / "left.jsonl").write_text(left, encoding="utf-8")


def _learn(model: Any, optimizer: torch.optim.Optimizer, batch: Sequence[Pack]) -> float:
    """Take one step of the optimizer; returns the loss before it."""
    loss = loss_of(model.get_base_model(), batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return float(loss.detach())


def _facts(given: argparse.Namespace, seen: int, begun: float) -> dict[str, Any]:
    return {
        "rank": given.rank,
        "alpha": given.alpha,
        "first_layer": given.first_layer,
        "rate": given.rate,
        "questions": seen,
        "fewest": given.fewest,
        "tokens": given.tokens,
        "begun_from": str(given.begin.parent.name) if given.begin else None,
        "sources": given.sources or "all",
        "seed": given.seed,
        "minutes": round((time.time() - begun) / 60, 1),
        "machine": machine(),
    }


def machine() -> str:
    """What a run is trained on."""
    on_gpu = DEVICE == "cuda"
    return torch.cuda.get_device_name() if on_gpu else f"CPU, {torch.get_num_threads()} threads"


def resume(file: Path, model: Any, optimizer: Any) -> dict[str, Any]:
    """Take a checkpoint's matrices and state; where there is none, how far a run is at its beginning."""
    if not file.is_file():
        return {"step": 0, "seen": 0, "seconds": 0.0}
    kept: dict[str, Any] = torch.load(file, map_location=DEVICE, weights_only=True)
    set_peft_model_state_dict(model, kept["adapter"])
    optimizer.load_state_dict(kept["optimizer"])
    return kept


def save_checkpoint(file: Path, model: Any, optimizer: Any, state: dict[str, Any]) -> None:
    """Write what a run continues from, whole or not at all."""
    adapter = get_peft_model_state_dict(model)
    part = file.with_suffix(".part")
    torch.save({"adapter": adapter, "optimizer": optimizer.state_dict(), **state}, part)
    part.replace(file)


def save(out: Path, model: Any, facts: dict[str, Any]) -> None:
    """The matrices A and B of each projection, ``layers.N.part.projection.{A,B}``, as 8-bit integers.

    Each of the ``rank`` directions has a scale; that of B includes alpha / rank.
    """
    tensors = dict(_tensors(get_peft_model_state_dict(model), facts["alpha"] / facts["rank"]))
    save_file(tensors, out / "adapter.safetensors")
    (out / "adapter.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def load_adapter(model: Any, file: Path, given: argparse.Namespace) -> None:
    """Take the matrices of an earlier run's checkpoint, or of the 8-bit adapter that it wrote."""
    if file.suffix == ".pt":
        kept: dict[str, Any] = torch.load(file, map_location=DEVICE, weights_only=True)
        set_peft_model_state_dict(model, kept["adapter"])
        return
    written = load_file(file)
    found = {}
    for name, tensor in get_peft_model_state_dict(model).items():
        short = _short(name)
        down = short.endswith(".A")
        scale = written[f"{short}.scale"]
        values = written[short].float() * (scale[:, None] if down else scale[None, :])
        found[name] = (values if down else values * given.rank / given.alpha).to(tensor)
    set_peft_model_state_dict(model, found)


def _short(name: str) -> str:
    return name.rsplit("model.", maxsplit=1)[-1].replace(".lora_", ".").removesuffix(".weight")


def _tensors(state: dict[str, torch.Tensor], factor: float) -> Iterator[tuple[str, torch.Tensor]]:
    for name, tensor in state.items():
        short = _short(name)
        down = short.endswith(".A")
        values = tensor.detach().float() * (1.0 if down else factor)
        scale = values.abs().amax(dim=1 if down else 0).clamp_min(1e-12) / 127
        spread = scale[:, None] if down else scale[None, :]
        yield short, (values / spread).round().to(torch.int8).contiguous().cpu()
        yield f"{short}.scale", scale.contiguous().cpu()


def add_shape(parser: argparse.ArgumentParser) -> None:
    """The options that say which matrices an adapter has."""
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--alpha", type=int, default=16)
    parser.add_argument("--first-layer", type=int, default=0, help="layers below stay as they are")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument(
        "--float32", action="store_true", help="faster on a CPU without AVX-512 BF16"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path, help="folder of the model, 4-bit or bf16")
    parser.add_argument("examples", type=Path, help="folder that training/examples.py wrote")
    parser.add_argument("out", type=Path)
    add_shape(parser)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="end after so long (0: never)")
    parser.add_argument(
        "--most", type=int, default=0, help="end after so many questions (0: never)"
    )
    parser.add_argument(
        "--fewest", type=int, default=1, help="questions of a pack: fewer cost more"
    )
    parser.add_argument(
        "--tokens", type=int, default=0, help="of one step, at most (0: one pack); for a GPU"
    )
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument(
        "--begin", type=Path, help="an earlier run's checkpoint.pt or adapter.safetensors"
    )
    parser.add_argument("--held-out", nargs="*", default=HELD_OUT, help="histories not trained on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=10, help="steps between two reports")
    parser.add_argument("--checkpoint", type=int, default=40, help="steps between two checkpoints")
    parser.add_argument("--keep", type=int, default=0, help="steps between two that are kept")
    train(parser.parse_args(arguments))


if __name__ == "__main__":
    main()
