"""The data and the tools that train a reader."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import histories
import pytest
import train_reader
from examples import Found, found_in, packs_of, reason_first
from places import SHARED

from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import NOT_STATED
from minirag_chat.settings import Settings

pytestmark = pytest.mark.slow

EVERY = [*histories.names(), *histories.names(histories.TEST_CHATS)]
LONG = 40  # characters from which a line in two places is no chance


@pytest.mark.parametrize("name", EVERY)
def test_every_history_is_whole(name: str) -> None:
    assert list(histories.faults(histories.load(name))) == []


def test_what_is_held_out_is_there() -> None:
    assert set(histories.HELD_OUT) <= set(histories.names())


def benchmark_lines() -> set[str]:
    found = []
    for file in (SHARED / "lihuaworld" / "data").rglob("*.txt"):
        found += file.read_text(encoding="utf-8").splitlines()
    for file in (SHARED / "locomo").glob("*.json"):
        found += re.findall(r'"text": "((?:[^"\\]|\\.)*)"', file.read_text(encoding="utf-8"))
    return {plain(line.partition(": ")[2] or line) for line in found}


def plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def test_nothing_of_the_benchmarks_is_trained_on() -> None:
    known = benchmark_lines()
    if not known:
        pytest.skip("the benchmarks are not beside this checkout (../shared)")
    ours = {plain(line.text) for name in EVERY for line in histories.load(name).messages}
    assert not {line for line in ours & known if len(line) > LONG}


@pytest.fixture(scope="module")
def found() -> Sequence[Found]:
    """The first questions of a history, retrieved as the product does."""
    settings = Settings.make()
    history = histories.load("flat-messy")
    some = replace(history, questions=history.questions[:24])
    return list(found_in(some, LoadedModels(settings), settings))


@pytest.fixture(scope="module")
def packs(found: Sequence[Found]) -> list[dict[str, Any]]:
    return list(packs_of(found, lambda text: len(text) // 4, random.Random(1), 1))  # noqa: S311 - no secret


def line(pack: dict[str, Any], number: str) -> str:
    return next(row for row in pack["user"].splitlines() if row.startswith(f"[{number}] "))


def test_an_example_names_the_message_that_states_the_answer(
    found: Sequence[Found], packs: list[dict[str, Any]]
) -> None:
    evidence = {one.asked.question: one for one in found}
    named = 0
    for pack in packs:
        for question in pack["questions"]:
            if question["target"] == NOT_STATED:
                continue
            numbers, answer = re.match(r"((?:\[\d+\])+) (.+)", question["target"]).groups()
            one = evidence[question["question"]]
            assert answer == reason_first(one.asked)
            texts = [line(pack, number) for number in re.findall(r"\d+", numbers)]
            assert all(
                any(m.text.split()[0] in text for text in texts)
                for m in one.evidence
                if len(texts) == len(one.evidence)
            )
            named += 1
    assert named > len(found) / 3


def test_every_question_without_an_answer_is_one_to_keep_silent_on(
    found: Sequence[Found], packs: list[dict[str, Any]]
) -> None:
    unanswerable = {one.asked.question for one in found if not one.asked.answer}
    asked = [q for pack in packs for q in pack["questions"] if q["question"] in unanswerable]
    assert asked
    assert {question["target"] for question in asked} == {NOT_STATED}


@pytest.mark.model
def test_questions_behind_one_copy_of_the_messages_are_read_as_if_alone(
    packs: list[dict[str, Any]], small_model_folder: Path
) -> None:
    import torch
    from transformers import AutoTokenizer, Qwen2Config, Qwen2ForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(small_model_folder, local_files_only=True)
    torch.manual_seed(1)
    shape = Qwen2Config(
        vocab_size=152_000, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2,
    )  # fmt: skip
    model = Qwen2ForCausalLM(shape).eval()
    pack = next(p for p in packs if len(p["questions"]) > 2)
    with torch.inference_mode():
        together = train_reader.logits_of(model, [train_reader.packed(pack, tokenizer)])
        single = [
            train_reader.packed({**pack, "questions": [question]}, tokenizer)
            for question in pack["questions"]
        ]
        alone = [train_reader.logits_of(model, [one]) for one in single]
        shorter = train_reader.packed({**pack, "user": pack["user"][-200:]}, tokenizer)
        batch = train_reader.logits_of(model, [shorter, *single])
    assert torch.allclose(together, torch.cat(alone), atol=1e-4)
    assert torch.allclose(together, batch[len(shorter.replies) :], atol=1e-4)


def test_a_step_reads_packs_of_like_length_within_its_tokens() -> None:
    lengths = [random.Random(n).randrange(64, 1800) for n in range(600)]  # noqa: S311 - no secret
    packs = [train_reader.Pack([0] * length, [], [], [], 1) for length in lengths]
    steps = train_reader.batches_of(packs, 6000, random.Random(1))  # noqa: S311 - no secret
    assert sorted(place for batch in steps for place in batch) == list(range(600))
    assert all(len(batch) * max(lengths[n] for n in batch) <= 6000 for batch in steps)
    assert len(steps) < sum(lengths) / 6000 * 1.4
    assert all(len(one) == 1 for one in train_reader.batches_of(packs, 0, random.Random(1)))  # noqa: S311 - no secret


@pytest.mark.model
def test_a_run_trains_is_stopped_and_goes_on(
    packs: list[dict[str, Any]], small_model_folder: Path, tmp_path: Path
) -> None:
    import torch
    from safetensors import safe_open
    from transformers import AutoTokenizer, Qwen2Config, Qwen2ForCausalLM

    shape = Qwen2Config(
        vocab_size=152_000, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2,
    )  # fmt: skip
    model, examples, out = tmp_path / "model", tmp_path / "examples", tmp_path / "out"
    Qwen2ForCausalLM(shape).to(torch.bfloat16).save_pretrained(model)
    AutoTokenizer.from_pretrained(small_model_folder).save_pretrained(model)
    examples.mkdir()
    rows = [json.dumps({"source": "own", **pack}) for pack in packs]
    (examples / "flat-messy.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (examples / f"{histories.HELD_OUT[0]}.jsonl").write_text(
        "no JSON: it must not be read", encoding="utf-8"
    )
    first = [str(p) for p in (model, examples, out)] + ["--checkpoint", "1", "--rank", "2"]
    train_reader.main([*first, "--most", "1"])
    seen = json.loads((out / "adapter.json").read_text(encoding="utf-8"))["questions"]
    train_reader.main([*first, "--tokens", "1"])
    assert json.loads((out / "adapter.json").read_text(encoding="utf-8"))["questions"] > seen > 0
    with safe_open(out / "adapter.safetensors", "pt") as tensors:
        up = tensors.get_tensor("layers.1.mlp.down_proj.B").float()
        assert up.shape == (32, 2)
        assert up.abs().sum() > 0, "something was learned"
