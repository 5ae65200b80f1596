"""Public question sets in their published formats, on tiny files of our own."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from fakes import WordEmbedder

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.dataset import Dataset, load_dataset
from minirag_chat.bench.datasets import LOADERS, convert, passages
from minirag_chat.bench.run_output import Retrieved, read_lines
from minirag_chat.bench.runner import Plan, run
from minirag_chat.errors import ImportFailed, NotFound

FERRY = "The ferry to Skerry Point leaves at nine. It is painted green."
MILL = "Orla Finch bought the old mill in 1987. She sold it to a baker."


def write(file: Path, value: object) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else json.dumps(value)
    file.write_text(text, encoding="utf-8")
    return file


def multihop(folder: Path) -> Path:
    write(folder / "corpus.json", [
        {"title": "The ferry", "author": "A", "source": "Harbour News", "published_at": "2023-11-02T08:00:00+00:00",
         "category": "local", "url": "https://example.org/ferry", "body": FERRY},
        {"title": "The mill", "author": None, "source": "Daily Lamp", "published_at": "2023-12-01T10:00:00+00:00",
         "category": "local", "url": "https://example.org/mill", "body": MILL},
    ])  # fmt: skip
    write(folder / "MultiHopRAG.json", [
        {"query": "Who bought the old mill that the Daily Lamp wrote about?", "answer": "Orla Finch",
         "question_type": "inference_query",
         "evidence_list": [{"title": "The mill", "author": None, "url": "https://example.org/mill", "source": "Daily Lamp",
                            "category": "local", "published_at": "2023-12-01T10:00:00+00:00", "fact": MILL}]},
        {"query": "Who painted the lighthouse?", "answer": "Insufficient information.", "question_type": "null_query",
         "evidence_list": []},
    ])  # fmt: skip
    return folder


def two_wiki(folder: Path) -> Path:
    return write(folder / "dev.json", [
        {"_id": "abc1", "type": "compositional", "question": "Who bought the old mill?", "answer": "Orla Finch",
         "context": [["The ferry", FERRY.split(". ")], ["Old Mill", MILL.split(". ")]],
         "supporting_facts": [["Old Mill", 0]], "evidences": [["Old Mill", "owner", "Orla Finch"]]},
    ]).parent  # fmt: skip


def natural(folder: Path) -> Path:
    text = "<H1> Old Mill </H1> <P> Orla Finch bought it in 1987 . </P>"
    row = {"example_id": 77, "question_text": "who bought the old mill", "document_text": text,
           "document_url": "https://en.example.org//w/index.php?title=Old_Mill&amp;oldid=1",
           "long_answer_candidates": [],
           "annotations": [{"annotation_id": 1, "long_answer": {"start_token": 4, "end_token": 12, "candidate_index": 0},
                            "short_answers": [{"start_token": 5, "end_token": 7}], "yes_no_answer": "NONE"}]}  # fmt: skip
    none = {**row, "example_id": 78, "question_text": "who painted it", "annotations": [
        {"annotation_id": 2, "long_answer": {}, "short_answers": [], "yes_no_answer": "NONE"}]}  # fmt: skip
    return write(folder / "dev.jsonl", f"{json.dumps(row)}\n{json.dumps(none)}\n").parent


def trivia(folder: Path) -> Path:
    write(folder / "evidence" / "wikipedia" / "Old_Mill.txt", MILL)
    write(folder / "evidence" / "web" / "1" / "1_2.txt", FERRY)
    write(folder / "outside.txt", "secret")
    write(folder / "qa" / "dev.json", {"Domain": "unfiltered-web", "Split": "dev", "Version": 1.0, "Data": [
        {"Question": "Who bought the old mill?", "QuestionId": "tc_1", "QuestionSource": "none",
         "Answer": {"Value": "Orla Finch", "Aliases": ["O. Finch", "Orla Finch"], "NormalizedAliases": ["orla finch"],
                    "NormalizedValue": "orla finch", "Type": "WikipediaEntity"},
         "EntityPages": [{"DocSource": "TagMe", "Filename": "Old_Mill.txt", "Title": "Old Mill"},
                         {"DocSource": "TagMe", "Filename": "../../outside.txt", "Title": "Outside"}],
         "SearchResults": [{"Description": "", "DisplayUrl": "x", "Filename": "1/1_2.txt", "Rank": 0, "Title": "Ferry",
                            "Url": "https://example.org"}]}]})  # fmt: skip
    return folder


MAKERS = {"multihop-rag": multihop, "2wiki": two_wiki, "nq": natural, "triviaqa": trivia}


@pytest.mark.parametrize("name", LOADERS)
def test_a_published_set_becomes_a_corpus_whose_evidence_is_found(
    name: str, tmp_path: Path, settings: Settings
) -> None:
    count = convert(name, MAKERS[name](tmp_path / "source"), tmp_path / "corpus")
    corpus = load_dataset(tmp_path / "corpus")
    assert len(corpus.questions) == count
    first = corpus.questions[0]
    assert "mill" in first.text
    assert first.gold == "Orla Finch"
    assert len(first.evidence) == 1
    run(_plan(corpus, settings, tmp_path), embedder=WordEmbedder())
    (found,) = [
        r for r in read_lines(tmp_path / "out" / "retrieval.jsonl", Retrieved) if r.id == first.id
    ]
    assert found.ranks[0] >= 1


def _plan(corpus: Dataset, settings: Settings, tmp_path: Path) -> Plan:
    parts = frozenset({"retrieval"})
    return Plan(corpus, settings, tmp_path / "out", tmp_path / "cache", parts, ("bm25",))


@pytest.mark.parametrize("name", ["multihop-rag", "nq"])
def test_what_nobody_can_know_stays_unanswerable(name: str, tmp_path: Path) -> None:
    convert(name, MAKERS[name](tmp_path / "source"), tmp_path / "corpus")
    assert [q.answerable for q in load_dataset(tmp_path / "corpus").questions] == [True, False]


def test_a_document_keeps_its_date_and_its_name(tmp_path: Path, settings: Settings) -> None:
    convert("multihop-rag", multihop(tmp_path / "source"), tmp_path / "corpus")
    with ChatMemory.open(":memory:", settings, embedder=WordEmbedder()) as memory:
        memory.add(tmp_path / "corpus" / "log")
        (found, *_rest) = memory.search("mill 2023-12-01")
        assert found.message.sender == "The mill"
        assert "Daily Lamp" in found.message.text


def test_a_page_outside_the_evidence_folder_is_not_read(tmp_path: Path) -> None:
    convert("triviaqa", trivia(tmp_path / "source"), tmp_path / "corpus")
    assert "secret" not in (tmp_path / "corpus" / "log" / "documents.jsonl").read_text()


def test_a_draw_takes_some_questions(tmp_path: Path) -> None:
    assert convert("multihop-rag", multihop(tmp_path / "source"), tmp_path / "corpus", count=1) == 1
    with (tmp_path / "corpus" / "questions.csv").open(encoding="utf-8") as opened:
        assert len(list(csv.reader(opened))) == 2


def test_files_that_are_something_else_are_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(ImportFailed, match=r"corpus\.json"):
        convert("multihop-rag", tmp_path, tmp_path / "out")
    with pytest.raises(ImportFailed, match="as it is published"):
        convert("2wiki", write(tmp_path / "x" / "dev.json", [{"question": "?"}]), tmp_path / "out")
    with pytest.raises(NotFound, match="multihop-rag"):
        convert("squad", tmp_path, tmp_path / "out")


def test_passages_are_whole_sentences() -> None:
    text = "One sentence here. " * 60
    found = passages(text)
    assert all(p.endswith(".") and len(p) <= 520 for p in found)
    assert " ".join(found) == text.strip()
