"""LoCoMo's file → questions each asked of its own conversation; words shared with the gold answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes import WordEmbedder
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.dataset import load_dataset
from minirag_chat.bench.locomo import write_locomo
from minirag_chat.bench.overlap import bleu1, f1
from minirag_chat.cli import app
from minirag_chat.errors import ImportFailed


def conversation(first: str, second: str, pet: str) -> dict[str, object]:
    return {
        "conversation": {
            "speaker_a": first,
            "speaker_b": second,
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": first, "dia_id": "D1:1", "text": "Did you see my garden?"},
                {
                    "speaker": second, "dia_id": "D1:2", "text": f"My pet {pet} dug it up yesterday!",
                    "blip_caption": "a hole in a flower bed",
                },
            ],
            "session_10_date_time": "9:02 am on 1 June, 2023",
            "session_10": [{"speaker": first, "dia_id": "D10:1", "text": "I moved to Oslo."}],
        },
        "qa": [
            {"question": "What is the pet called?", "answer": pet, "evidence": ["D1:2"], "category": 4},
            {"question": f"What is {first}'s pet called?", "adversarial_answer": pet, "evidence": ["D1:2"], "category": 5},
            {"question": "Where and when?", "answer": 2023, "evidence": ["D1:2; D10:1"], "category": 1},
        ],
    }  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    two = [conversation("Uma", "Ravi", "Biscuit"), conversation("Olga", "Sven", "Thunder")]
    (tmp_path / "mine.json").write_text(json.dumps(two), encoding="utf-8")
    return tmp_path / "mine.json"


def test_its_questions_keep_their_categories_evidence_and_chat(file: Path, tmp_path: Path) -> None:
    corpus = load_dataset(write_locomo(file, tmp_path / "corpus"))
    single, adversarial, multi = corpus.questions[:3]
    assert (single.type, single.gold, single.chat) == ("single-hop", "Biscuit", "Uma and Ravi (1)")
    assert [f"{at:%d %B %H:%M}" for at in single.evidence] == ["08 May 13:57"]
    assert not adversarial.answerable
    assert len(multi.evidence) == 2
    assert multi.gold == "2023"


def test_a_question_is_asked_of_its_own_conversation(file: Path, tmp_path: Path) -> None:
    corpus = load_dataset(write_locomo(file, tmp_path / "corpus"))
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        assert memory.add(corpus.messages).messages_added == 6
        for question in (corpus.questions[0], corpus.questions[3]):
            found = memory.retrieve(question.text, chats=[question.chat])
            assert any(question.gold in item.message.text for item in found)
            assert {item.message.chat for item in found} == {question.chat}
        assert any("[photo: a hole" in item.message.text for item in found)


def test_another_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"data": 1}', encoding="utf-8")
    with pytest.raises(ImportFailed, match="not LoCoMo"):
        write_locomo(tmp_path / "other.json", tmp_path / "corpus")


@pytest.mark.slow
def test_the_command_asks_for_a_copy_and_reports_f1_by_category(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIRAG_CHAT_MODEL_DIR", str(tmp_path / "models"))
    asked = CliRunner().invoke(app, ["bench", "locomo"])
    assert asked.exit_code != 0
    out = tmp_path / "out"
    options = ["--from", str(file), "--model", "extractive", "--only", "answers", "--out", str(out)]
    done = CliRunner().invoke(app, ["bench", "locomo", *options, "--no-plots"])
    assert done.exit_code == 0, done.output
    figures = json.loads((out / "figures.json").read_text(encoding="utf-8"))
    assert figures["overlap"]["single-hop"]["n"] == 2
    assert "BLEU-1" in (out / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "gold", "expected_f1", "expected_bleu"),
    [
        ("A brown dog. [1]", "a brown dog", 1.0, 1.0),
        ("dog", "a brown dog", 0.5, 0.135),
        ("a cat", "two birds", 0.0, 0.0),
        ("the dog dog", "the dog", 1.0, 0.667),
    ],
)
def test_words_are_compared_as_the_papers_do(
    said: str, gold: str, expected_f1: float, expected_bleu: float
) -> None:
    assert f1(said, gold) == pytest.approx(expected_f1, abs=0.001)
    assert bleu1(said, gold) == pytest.approx(expected_bleu, abs=0.001)
