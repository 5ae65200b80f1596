"""The data and the tools that train a reader."""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import histories
import pytest
from examples import Found, found_in, packs_of, reason_first
from needed import needed
from places import SHARED

from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import NOT_STATED
from minirag_chat.settings import Settings

train_reader, train_preferences = needed("train_reader"), needed("train_preferences")
own_answers = needed("own_answers")

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


def tiny_model() -> Any:
    """An untrained model of two small layers, with the words of the real ones."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(1)
    shape = Qwen2Config(
        vocab_size=152_000, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2,
    )  # fmt: skip
    return Qwen2ForCausalLM(shape).eval()


@pytest.fixture(scope="module")
def tokenizer(small_model_folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(small_model_folder, local_files_only=True)


@pytest.mark.model
def test_questions_behind_one_copy_of_the_messages_are_read_as_if_alone(
    packs: list[dict[str, Any]], tokenizer: Any
) -> None:
    import torch

    model = tiny_model()
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
    packs: list[dict[str, Any]], tokenizer: Any, tmp_path: Path
) -> None:
    import torch
    from safetensors import safe_open

    model, examples, out = tmp_path / "model", tmp_path / "examples", tmp_path / "out"
    tiny_model().to(torch.bfloat16).save_pretrained(model)
    tokenizer.save_pretrained(model)
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


@pytest.mark.model
def test_a_question_is_answered_beside_others_as_if_alone(
    packs: list[dict[str, Any]], tokenizer: Any
) -> None:
    model = tiny_model()
    pack = next(p for p in packs if len(p["questions"]) > 2)
    together = own_answers.answered(pack, model, tokenizer)["questions"]
    assert len(together) == len(pack["questions"])
    for question, beside in zip(pack["questions"], together, strict=True):
        row = own_answers.answered({**pack, "questions": [question]}, model, tokenizer)
        assert beside["reply"].startswith(row["questions"][0]["reply"][:40])
        assert beside["logp_target"] == pytest.approx(row["questions"][0]["logp_target"], abs=0.01)


@pytest.mark.model
def test_a_forced_reply_is_an_answer_and_silence_keeps_its_likelihood(
    packs: list[dict[str, Any]], tokenizer: Any
) -> None:
    import torch

    silent, yes = (
        tokenizer(word, add_special_tokens=False)["input_ids"][0] for word in (NOT_STATED, "Yes")
    )

    class Always(torch.nn.Module):
        """An output layer for which "Not" is the likeliest word everywhere, then "Yes"."""

        def forward(self, hidden: torch.Tensor) -> torch.Tensor:
            logits = torch.zeros(*hidden.shape[:-1], 152_000)
            logits[..., silent], logits[..., yes] = 20.0, 19.0
            return logits

    model = tiny_model()
    model.lm_head = Always()
    row = {**packs[0], "questions": packs[0]["questions"][:1]}
    plain, forced = (
        own_answers.answered(row, model, tokenizer, forced=force)["questions"][0]
        for force in (False, True)
    )
    assert plain["reply"].startswith("Not")
    assert forced["reply"].startswith("Yes")
    assert plain["silence"] == forced["silence"] == pytest.approx(-0.3133, abs=0.01)


@pytest.mark.parametrize(
    ("target", "reply", "verdict"),
    [
        ("[1] 15 euros", "[3][4] 15 euros a month", "right"),
        ("[1] 15 euros", "[1] 51 euros", "wrong"),
        ("[1] 15 euros", "Not stated.", "irrelevant"),
        ("Not stated.", "Not stated.", "right"),
        ("Not stated.", "[2] 15 euros", "wrong"),
        ("[2] he sold it in April => No", "[2] he sold it => No", "right"),
        ("[2] he sold it in April => No", "[2] in April => Yes", "wrong"),
    ],
)
def test_replies_are_judged_as_the_page_would_show_them(
    target: str, reply: str, verdict: str
) -> None:
    question = {"question": "Does he have it?" if "=>" in target else "How much?", "target": target}
    assert own_answers.verdict(question, reply) == verdict


@pytest.mark.parametrize(
    ("target", "reply", "verdict", "mistake"),
    [
        ("[4] Monday 5 January 2026", "[4] Monday 12 January 2026", "wrong", True),
        ("[4][7] Monday 5 January 2026, at nine", "[4] Monday 5 January", "wrong", False),
        ("Not stated.", "[4] Monday 5 January 2026", "wrong", True),
        ("[4] Monday 5 January 2026", "Not stated.", "irrelevant", True),
        ("[4] Monday 5 January 2026", "[7] Monday 5 January 2026", "right", False),
    ],
)
def test_a_reply_that_is_only_too_short_is_no_mistake_to_learn_from(
    target: str, reply: str, verdict: str, mistake: bool
) -> None:
    question = {"target": target, "reply": reply, "verdict": verdict}
    scored = {**question, "ended": True, "logp_target": -4.0, "logp_reply": -2.0}
    assert train_preferences.is_mistake(scored) == mistake
    assert not train_preferences.is_mistake({**scored, "logp_target": -60.0})


@pytest.mark.model
def test_a_run_on_mistakes_prefers_the_wanted_replies_and_goes_on_where_it_was(
    packs: list[dict[str, Any]], tokenizer: Any, tmp_path: Path
) -> None:
    import torch

    plain, begun = tmp_path / "plain", tmp_path / "begun"
    tiny_model().to(torch.bfloat16).save_pretrained(plain)
    tokenizer.save_pretrained(plain)
    shape = ["--rank", "2"]
    examples = tmp_path / "examples"
    examples.mkdir()
    (examples / "flat-messy.jsonl").write_text(
        "".join(f"{json.dumps(pack)}\n" for pack in packs), encoding="utf-8"
    )
    train_reader.main([str(plain), str(examples), str(begun), "--most", "1", *shape])
    wrong = [
        {**question, "reply": "[2] a purple hippo", "verdict": "wrong", "ended": True}
        | {"logp_target": -3.0, "logp_reply": -3.0}
        for question in packs[0]["questions"]
    ]
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({**packs[0], "questions": wrong}) + "\n", encoding="utf-8")
    margins = []
    for out, rate in (("still", "0"), ("trained", "3e-2")):
        given = [str(plain), str(tmp_path / out), *[str(answers)] * 8, *shape, "--report", "1"]
        given += ["--begin", str(begun / "adapter.safetensors"), "--rate", rate]
        train_preferences.main(given)
        file = tmp_path / out / "adapter.safetensors"
        margins.append(margin(plain, file, json.loads(answers.read_text("utf-8")), tokenizer))
    assert margins[1] > margins[0] + 1
    facts = tmp_path / "trained" / "adapter.json"
    assert json.loads(facts.read_text("utf-8"))["mistakes"] == 8 * len(wrong)
    train_preferences.main(given)
    assert json.loads(facts.read_text("utf-8"))["mistakes"] == 8 * len(wrong), "it was at its end"


def margin(plain: Path, adapter: Path, row: dict[str, Any], tokenizer: Any) -> float:
    """How much likelier, over all pairs, the wanted replies are than the others (log-odds)."""
    import torch

    shape = argparse.Namespace(
        model=plain, rank=2, alpha=16, first_layer=0, dropout=0.0, float32=False
    )
    model = train_reader.adapted(shape)
    train_reader.load_adapter(model, adapter, shape)
    pack = train_preferences.packed(row, tokenizer)
    replies = [reply for pair in pack.pairs for reply in (pair.wanted, pair.own) if reply]
    with torch.inference_mode():
        scores = train_preferences.scores_of(model.get_base_model(), pack, replies)
    return sum(float(score.sum()) * (-1) ** n for n, score in enumerate(scores))
