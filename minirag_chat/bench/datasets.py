"""Public question sets over short documents → a corpus as ``bench`` reads it.

MultiHop-RAG, 2WikiMultihopQA, Natural Questions and TriviaQA, from local files in their published
formats. Each document becomes a conversation: its title is the sender, each passage a message. So
everything that works on chats works on it. Its time is made up (a few hours after the previous document's)
and identifies it as evidence; a real date stays in its text.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from minirag_chat.bench.dataset import UNKNOWN, BenchQuestion, write_questions
from minirag_chat.errors import ImportFailed, NotFound
from minirag_chat.lazy_patterns import lazy
from minirag_chat.system.private_folders import make_folder

FIRST, APART = datetime(2000, 1, 1), timedelta(hours=4)
LONGEST_PASSAGE = 500  # characters, approximately; whole sentences
MOST_PASSAGES = 120  # one minute each, so that documents do not overlap
_SENTENCE = lazy(r"(?<=[.!?])\s+")
_TAG = lazy(r"<[^>]*>")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Document:
    """A short document. ``key`` is the name that questions refer to."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question; ``evidence`` are keys of documents that hold the answer."""

    id: str
    text: str
    gold: str
    type: str
    evidence: tuple[str, ...]
    documents: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions with all documents that any of them may need."""

    documents: tuple[Document, ...]
    questions: tuple[DocumentQuestion, ...]


Loader = Callable[[Path], QuestionSet]


def convert(name: str, source: Path, to: Path, count: int | None = None) -> int:
    """Write a question set as a corpus in ``to``; returns how many questions it has.

    ``count`` questions are drawn at random. If the set has one collection of documents, those that only
    other questions need stay as distractors. Raises ``NotFound`` or ``ImportFailed``.
    """
    if name not in LOADERS:
        raise NotFound(f"There is no question set {name!r}: use one of {', '.join(LOADERS)}.")
    try:
        found = LOADERS[name](source)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ImportFailed(
            f"{source} is not {name} as it is published ({type(error).__name__}: {error}): "
            "see docs/paper.md for the files."
        ) from error
    questions = list(found.questions)
    if count is not None and count < len(questions):
        drawn = random.Random(1).sample(range(len(questions)), count)  # noqa: S311 - no secret
        questions = [questions[i] for i in sorted(drawn)]
    own = [document for question in questions for document in question.documents]
    documents = {document.key: document for document in (*found.documents, *own)}
    if not documents:
        raise ImportFailed(f"{source} has questions but no documents to find the answers in.")
    _write(to, list(documents.values()), questions)
    return len(questions)


# --- the published formats ---------------------------------------------------------------------------


def multihop_rag(source: Path) -> QuestionSet:
    """``corpus.json`` and ``MultiHopRAG.json`` in one folder."""
    documents = tuple(
        Document(row["url"] or row["title"], row["title"], _dated(row))
        for row in _json(source / "corpus.json")
    )
    questions = tuple(
        DocumentQuestion(
            str(number), row["query"], _known(row["answer"]), row["question_type"],
            tuple(dict.fromkeys(e["url"] or e["title"] for e in row["evidence_list"])),
        )
        for number, row in enumerate(_json(source / "MultiHopRAG.json"), start=1)
    )  # fmt: skip
    return QuestionSet(documents, questions)


def two_wiki(source: Path) -> QuestionSet:
    """``dev.json`` (or any file like it): a list with ``context`` and ``supporting_facts``."""
    return QuestionSet((), tuple(_two_wiki(row) for row in _json(_file(source, "dev.json"))))


def natural_questions(source: Path) -> QuestionSet:
    """JSON lines of the simplified format: ``document_text`` with token offsets of the answers."""
    rows = _lines(_file(source, "*.jsonl"))
    return QuestionSet((), tuple(_natural(row) for row in rows))


def trivia_qa(source: Path) -> QuestionSet:
    """``qa/*.json`` beside ``evidence/wikipedia`` and ``evidence/web``."""
    file = _file(source, "qa/*.json")
    folder = next((p for p in (source, *file.parents) if (p / "evidence").is_dir()), file.parent)
    return QuestionSet((), tuple(_trivia(row, folder / "evidence") for row in _json(file)["Data"]))


LOADERS: dict[str, Loader] = {
    "multihop-rag": multihop_rag,
    "2wiki": two_wiki,
    "nq": natural_questions,
    "triviaqa": trivia_qa,
}


def _dated(row: Row) -> str:
    source = ", ".join(filter(None, (row.get("source"), str(row.get("published_at") or "")[:10])))
    return f"{source}. {row['body']}" if source else str(row["body"])


def _known(gold: str) -> str:
    return UNKNOWN if gold.strip().rstrip(".").casefold() == UNKNOWN.casefold() else gold


def _two_wiki(row: Row) -> DocumentQuestion:
    documents = tuple(Document(title, title, " ".join(text)) for title, text in row["context"])
    evidence = tuple(dict.fromkeys(title for title, _sentence in row["supporting_facts"]))
    return DocumentQuestion(
        row["_id"], row["question"], row["answer"], row["type"], evidence, documents
    )


def _natural(row: Row) -> DocumentQuestion:
    words = row["document_text"].split(" ")
    answers = [a for note in row["annotations"] for a in note["short_answers"]]
    spoken = [n["yes_no_answer"] for n in row["annotations"] if n["yes_no_answer"] != "NONE"]
    texts = dict.fromkeys(_plain(words[a["start_token"] : a["end_token"]]) for a in answers)
    gold = spoken[0].capitalize() if spoken else " / ".join(texts) or UNKNOWN
    title = row["document_url"].rpartition("title=")[2].partition("&")[0].replace("_", " ")
    key = str(row["example_id"])
    document = Document(key, title or key, _plain(words))
    evidence = () if gold == UNKNOWN else (key,)
    kind = "yes-no" if spoken else "null" if gold == UNKNOWN else "short"
    return DocumentQuestion(key, row["question_text"], gold, kind, evidence, (document,))


def _plain(words: Sequence[str]) -> str:
    return " ".join(_TAG.sub(" ", " ".join(words)).split())


def _trivia(row: Row, evidence: Path) -> DocumentQuestion:
    pages = [("wikipedia", page) for page in row.get("EntityPages", ())]
    pages += [("web", page) for page in row.get("SearchResults", ())]
    documents = []
    for folder, page in pages:
        file = (evidence / folder / page["Filename"]).resolve()
        if file.is_relative_to(evidence.resolve()) and file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace")
            documents.append(Document(f"{folder}/{page['Filename']}", page["Title"], text))
    answer = row["Answer"]
    names = {answer["Value"], *answer.get("Aliases", ())}
    holding = tuple(
        d.key for d in documents if any(n.casefold() in d.text.casefold() for n in names if n)
    )
    return DocumentQuestion(
        row["QuestionId"], row["Question"], answer["Value"], "trivia", holding, tuple(documents)
    )


# --- reading and writing -----------------------------------------------------------------------------


def _file(source: Path, pattern: str) -> Path:
    found = source if source.is_file() else next(iter(sorted(source.glob(pattern))), None)
    if found is None:
        raise ImportFailed(f"{source} has no {pattern}: name the file itself, or its folder.")
    return found


def _json(file: Path) -> Any:
    if not file.is_file():
        raise ImportFailed(f"{file.parent} has no {file.name}: put it there.")
    return json.loads(file.read_text(encoding="utf-8-sig"))


def _lines(file: Path) -> Iterator[Any]:
    with file.open(encoding="utf-8-sig") as opened:
        yield from (json.loads(line) for line in opened if line.strip())


def _write(to: Path, documents: Sequence[Document], questions: Sequence[DocumentQuestion]) -> None:
    make_folder(to / "log")
    times: dict[str, datetime] = {}
    with (to / "log" / "documents.jsonl").open("w", encoding="utf-8") as log:
        for number, document in enumerate(documents):
            times[document.key] = begun = FIRST + number * APART
            for minute, passage in enumerate(passages(document.text)):
                when = (begun + timedelta(minutes=minute)).isoformat()
                row = {"sent_at": when, "sender": document.title, "text": passage}
                log.write(json.dumps(row | {"chat": "Documents"}, ensure_ascii=False) + "\n")
    evidence = (tuple(times[key] for key in q.evidence if key in times) for q in questions)
    asked = zip(questions, evidence, strict=True)
    write_questions(to, (BenchQuestion(q.id, q.text, q.gold, q.type, e) for q, e in asked))


def passages(text: str) -> list[str]:
    """Split a text into passages of whole sentences, each small enough to embed."""
    found: list[str] = []
    for paragraph in filter(None, (" ".join(part.split()) for part in text.split("\n"))):
        current = ""
        for sentence in _SENTENCE.split(paragraph):
            if current and len(current) + len(sentence) > LONGEST_PASSAGE:
                found.append(current)
                current = ""
            current = f"{current} {sentence}".strip()
        found.append(current)
    return found[:MOST_PASSAGES]
