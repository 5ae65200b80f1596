"""Published question sets → histories, to train on beside our own.

FriendsQA (Apache 2.0), XQuAD and CMRC 2018 (CC BY-SA 4.0), from local files outside this
repository. A dialogue or an article becomes a conversation on a made-up day; a sentence of an
article is a message.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from histories import Asked, History, Line

FIRST = datetime(2022, 1, 3, 18, 0)
ARTICLES_A_HISTORY = 12
LONGEST_SENTENCE = 450
LONGEST_SPAN, LONGEST_ANSWER = 14, 80  # words, and characters
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\u00c0-\u00dc\"])|(?<=[\u3002\uff01\uff1f])")
_TITLES = ("Coffee house", "The building", "Sofa group", "Old friends", "Weekend", "Corner table")


def friends_qa(folder: Path) -> Iterator[History]:
    """249 scenes with 2,361 questions, 25 scenes a history."""
    scenes = [
        scene
        for part in ("dev", "tst")
        for scene in json.loads((folder / f"friendsqa_{part}.json").read_text("utf-8"))["data"]
    ]
    random.Random(1).shuffle(scenes)
    for first in range(0, len(scenes), 25):
        yield _scenes(f"friendsqa-{first // 25:02}", scenes[first : first + 25])


def _scenes(name: str, scenes: list[Any]) -> History:
    lines: list[Line] = []
    questions: list[Asked] = []
    for day, scene in enumerate(scenes):
        paragraph = scene["paragraphs"][0]
        begun = FIRST + timedelta(days=3 * day, minutes=37 * day % 200)
        numbers: dict[int, int] = {}
        for said in paragraph["utterances:"]:
            number = len(lines) + 1
            numbers[said["uid"]] = number
            sender = " and ".join(said["speakers"]) or "Narrator"
            sender = "Narrator" if sender.startswith("#") else sender
            at = begun + timedelta(minutes=len(numbers))
            title = _TITLES[day % len(_TITLES)]
            lines.append(Line(number, at, title, sender, plain(said["utterance"])))
        questions += [_span(qa, numbers, lines) for qa in paragraph["qas"]]
    return History(name, tuple(line for line in lines if line.text), tuple(questions))


def _span(qa: Any, numbers: dict[int, int], lines: list[Line]) -> Asked:
    best = qa["answers"][0]
    also = {numbers[a["utterance_id"]] for a in qa["answers"]}
    number = numbers[best["utterance_id"]]
    answer = lines[number - 1].sender if best["is_speaker"] else plain(best["answer_text"])
    answer = answer.strip(" .,!?;:") or plain(best["answer_text"])
    kind = "who" if best["is_speaker"] else "fact"
    return Asked(kind, plain(qa["question"]), answer, (number,), tuple(also - {number}))


def plain(text: str) -> str:
    """Tokenised English with normal spacing."""
    text = text.replace("``", '"').replace("''", '"')
    text = re.sub(r"\s+([.,!?;:%)\]])", r"\1", text)
    text = re.sub(r"\s+(n't|'(?:s|re|ve|ll|d|m)\b)", r"\1", text)
    text = re.sub(r"([(\[$])\s+", r"\1", text)
    text = re.sub(r"\b(gon|wan|got) (na|ta)\b", r"\1\2", text)
    return " ".join(text.split())


def articles(
    file: Path, name: str, count: int, seed: int = 1, *, asked_in: Path | None = None
) -> Iterator[History]:
    """``count`` questions of a file in SQuAD form, each article a speaker.

    ``asked_in`` is the same file in another language, whose questions are asked instead.
    """
    data = json.loads(file.read_text("utf-8"))["data"]
    if asked_in is not None:
        _ask_as(data, json.loads(asked_in.read_text("utf-8"))["data"])
    paragraphs = [(part.get("title", ""), p) for part in data for p in part["paragraphs"]]
    random.Random(seed).shuffle(paragraphs)
    asked = 0
    for first in range(0, len(paragraphs), ARTICLES_A_HISTORY):
        if asked >= count:
            return
        history = _articles(
            f"{name}-{first // ARTICLES_A_HISTORY:02}", paragraphs[first:][:ARTICLES_A_HISTORY]
        )
        asked += len(history.questions)
        yield history


def _ask_as(data: list[Any], other: list[Any]) -> None:
    """Replace each question by the one of ``other`` with the same id."""
    questions = {qa["id"]: qa["question"] for qa in _questions(other)}
    for qa in _questions(data):
        qa["question"] = questions[qa["id"]]


def _questions(data: list[Any]) -> Iterator[Any]:
    return (qa for part in data for paragraph in part["paragraphs"] for qa in paragraph["qas"])


def _articles(name: str, paragraphs: list[tuple[str, Any]]) -> History:
    lines: list[Line] = []
    questions: list[Asked] = []
    for day, (title, paragraph) in enumerate(paragraphs):
        begun = FIRST + timedelta(days=2 * day)
        spans = list(_sentences(paragraph["context"]))
        first = len(lines) + 1
        sender = title.replace("_", " ") or f"Reader {day + 1}"
        for place, (_start, text) in enumerate(spans):
            at = begun + timedelta(minutes=place)
            lines.append(Line(first + place, at, "Articles", sender, text[:LONGEST_SENTENCE]))
        for qa in paragraph["qas"]:
            answer = qa["answers"][0]
            place = max(n for n, (start, _) in enumerate(spans) if start <= answer["answer_start"])
            found = answer["text"] in spans[place][1][:LONGEST_SENTENCE]
            if (
                found
                and len(answer["text"].split()) <= LONGEST_SPAN
                and len(answer["text"]) < LONGEST_ANSWER
            ):
                asked = Asked("fact", qa["question"], answer["text"], (first + place,), ())
                questions.append(asked)
    return History(name, tuple(lines), tuple(questions))


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for end in [*(m.end() for m in _SENTENCE.finditer(text)), len(text)]:
        if text[start:end].strip():
            yield start, " ".join(text[start:end].split())
        start = end


def selqa_pools(folder: Path) -> Iterator[dict[str, Any]]:
    """SelQA (Apache 2.0) for the ranker: which sentences of a section answer a question."""
    for part in ("dev", "test"):
        for row in json.loads((folder / f"selqa-ass-{part}.json").read_text("utf-8")):
            right = set(row["answers"])
            title = row["article"].replace("_", " ")
            yield {
                "kind": "fact",
                "question": plain(row["question"]),
                "passages": [f"{title}: {plain(text)[:400]}" for text in row["candidates"]],
                "states": [int(place in right) for place in range(len(row["candidates"]))],
            }
