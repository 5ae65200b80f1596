"""Our own corpora: they are what their README says, and their questions fit their messages."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest
from fakes import WordEmbedder
from places import ROOT, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.dataset import Dataset, load_dataset
from minirag_chat.bench.judge import judge
from minirag_chat.bench.stored import sessions_at
from minirag_chat.corpora import get_lihuaworld
from minirag_chat.store import Store

CORPORA = ("osselmere", "plum-rain", "leeds-lot")
NOW = datetime(2026, 6, 30)


@pytest.fixture(scope="module", params=CORPORA)
def corpus(request: pytest.FixtureRequest) -> Dataset:
    return load_dataset(ROOT / "corpora" / request.param)


@pytest.fixture(scope="module")
def database(corpus: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("corpora") / "chats.db"
    chosen = Settings(db=file, model="extractive")
    with ChatMemory.open(file, chosen, embedder=WordEmbedder()) as memory:
        report = memory.add(corpus.messages)
        assert report.skipped == ()
    return file


def readme(corpus: Dataset) -> str:
    return (corpus.folder / "README.md").read_text(encoding="utf-8")


def counted(corpus: Dataset, what: str) -> list[int]:
    (cells,) = re.findall(rf"^\| {what}[^|]*\| (.+?) \|$", readme(corpus), re.MULTILINE)
    numbers = re.findall(r"\d[\d,]*", cells)
    return [int(n.replace(",", "")) for n in numbers]


@pytest.mark.slow
def test_the_readme_counts_what_is_there(corpus: Dataset, database: Path) -> None:
    with ChatMemory.open(
        database, Settings(db=database, model="extractive"), embedder=WordEmbedder()
    ) as memory:
        info = memory.info()
    assert counted(corpus, "Sessions")[0] == info.sessions
    assert counted(corpus, "Messages")[0] == info.messages
    assert counted(corpus, "People who write")[0] == info.people
    assert counted(corpus, "Questions")[0] == len(corpus.questions)
    (kinds,) = re.findall(r"^\| of these ([^|]+?) \|", readme(corpus), re.MULTILINE)
    types = Counter(q.type for q in corpus.questions)
    assert counted(corpus, "of these") == [types[kind.strip()] for kind in kinds.split("/")]


def test_the_checksum_is_that_of_the_messages(corpus: Dataset) -> None:
    files = [p for p in corpus.messages.rglob("*.txt") if p.is_file()]
    ordered = sorted(files, key=lambda p: str(p.relative_to(corpus.folder)).encode())
    digest = hashlib.sha256(b"".join(p.read_bytes() for p in ordered)).hexdigest()
    assert f"`{digest}`" in readme(corpus)


@pytest.mark.slow
def test_every_piece_of_evidence_is_one_session(corpus: Dataset, database: Path) -> None:
    with Store.open(database) as store:
        for question in corpus.questions:
            assert bool(question.evidence) == question.answerable, question.id
            for moment in question.evidence:
                assert len(sessions_at(store, moment)) == 1, (question.id, moment)


@pytest.mark.slow
def test_the_evidence_says_what_a_question_about_one_session_asks(
    corpus: Dataset, database: Path
) -> None:
    with Store.open(database) as store:
        missed = []
        single = [q for q in corpus.questions if q.type == "Single"]
        for question in single:
            sessions = [s for moment in question.evidence for s in sessions_at(store, moment)]
            said = "\n".join(
                f"{m.sender}: {m.text}"
                for s in sessions
                for m in store.messages.of_sessions([s])[s]
            )
            if judge(question.text, question.gold, said, now=NOW).verdict != "right":
                missed.append(question.id)
    assert len(missed) <= 0.1 * len(single), missed  # a few are told in other words, or languages


def test_the_second_corpus_is_of_another_kind() -> None:
    folder = ROOT / "corpora" / "plum-rain"
    lines = [
        line.partition(" - ")[2].partition(": ")[2]
        for file in folder.glob("chats/*.txt")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    chinese = sum(bool(re.search(r"[\u4e00-\u9fff]", line)) for line in lines)
    assert 0.2 < chinese / len(lines) < 0.6
    with (folder / "questions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["Type"] == "Null" for row in rows) >= 20
    assert sum(bool(re.search(r"[\u4e00-\u9fff]", row["Question"])) for row in rows) >= 10


def test_lihuaworld_lies_where_bench_looks_for_it(tmp_path: Path) -> None:
    logs = write_log(tmp_path / "copy", {"20260105_1000": ("Ann: Hello.", "Ben: Hi.")})
    messages = get_lihuaworld(tmp_path / "corpora", logs)
    (messages.parent / "questions.csv").write_text(
        "question,answer,evidence\nWho said hello?,Ann,20260105_10:00\n", encoding="utf-8"
    )
    corpus = load_dataset(tmp_path / "corpora" / "lihuaworld")
    assert (corpus.messages, len(corpus.questions)) == (messages, 1)
