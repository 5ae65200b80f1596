"""Trains the classifier that recognises questions about the messages themselves in other words.

``paraphrases/about_messages.txt`` has such questions by class, ``paraphrases/about_content.txt`` others that
look like them, and the questions of all histories are others too. The weights of a logistic regression over
the bundled embedder's vectors are written into the package, with the figures of a five-fold cross-validation.
Somebody who had not seen the others wrote ``paraphrases/held_out.txt``, which is only measured.

``python training/train_question_kinds.py [OUT]``
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import histories
import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from minirag_chat.models import question_kinds
from minirag_chat.models.question_kinds import FOLDER, NAME, OTHER, vectors, words_of
from minirag_chat.question.about_messages.paraphrase import SURE

PARAPHRASES = Path(__file__).parent / "paraphrases"
STANDING_IN = ("Ann", "Ben", "Carl", "Dan")
WEIGHT = 0.15
"""Of a history's question: there are thirty times as many as of the others."""
C, SEED, FOLDS = 30, 0, 5
LIMITS = (0.5, 0.6, 0.7, 0.8)


def by_class() -> Iterator[tuple[str, str]]:
    """The class and text of each question about messages, and of those that only look like one."""
    yield from _classes("about_messages.txt")
    for line in (PARAPHRASES / "about_content.txt").read_text(encoding="utf-8").splitlines():
        yield OTHER, line


def _classes(name: str) -> Iterator[tuple[str, str]]:
    """The class and text of each question of a file, in which a line with the class is above them."""
    kind = ""
    for line in (PARAPHRASES / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            kind = line[2:]
        elif line:
            yield kind, line


def held_out() -> dict[str, str]:
    """Of each class of ``held_out.txt``, on which nothing is trained, how many are read rightly."""
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    names = {written for name in STANDING_IN for written in (name, name.lower())}
    for kind, text in _classes("held_out.txt"):
        found = question_kinds.kind_of(next(_with_stand_ins([text], names)))
        sure = found is not None and found.probability >= SURE
        asked[kind] += 1
        right[kind] += kind == (found.kind if found is not None and sure else OTHER)
    return {kind: f"{right[kind]} of {count}" for kind, count in asked.items()}


def of_histories() -> list[str]:
    """The questions of all histories, with the names that stand in for people."""
    return [
        text
        for folder in (histories.CHATS, histories.TEST_CHATS)
        for name in histories.names(folder)
        for text in _anonymous(histories.load(name))
    ]


def _anonymous(history: histories.History) -> Iterator[str]:
    names = {word for line in history.messages for word in line.sender.split()}
    return _with_stand_ins([asked.question for asked in history.questions], names)


def _with_stand_ins(questions: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The questions with "Ann" for the first of these names in each, "Ben" for the second."""
    for question in questions:
        known: dict[str, str] = {}

        def stand_in(found: re.Match[str], known: dict[str, str] = known) -> str:
            word = found[0]
            if word not in names:
                return word
            return known.setdefault(
                word.casefold(), STANDING_IN[min(len(known), len(STANDING_IN) - 1)]
            )

        yield re.sub(r"\b[^\W\d_][\w-]*\b", stand_in, question)


def fitted(
    given: NDArray[np.float32], classes: NDArray[np.int64], weights: NDArray[np.float64]
) -> LogisticRegression:
    """The classifier of these vectors, shape (questions, width)."""
    return LogisticRegression(C=C, max_iter=500).fit(given, classes, sample_weight=weights)


def cross_validated(
    given: NDArray[np.float32], classes: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probabilities of each question by a classifier that has not seen it."""
    found = np.zeros((len(given), classes.max() + 1))
    for seen, unseen in StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(
        given, classes
    ):
        model = fitted(given[seen], classes[seen], weights[seen])
        found[unseen] = model.predict_proba(given[unseen])
    return found


def figures(
    shares: NDArray[np.float64], classes: NDArray[np.int64], own: int
) -> dict[str, dict[str, float]]:
    """By limit of the probability: the share read rightly and wrongly, and how many others are taken.

    The first ``own`` questions are those of ``paraphrases/``.
    """
    best, known = shares.argmax(axis=1), np.flatnonzero(classes > 0)
    other, history = np.flatnonzero(classes[:own] == 0), np.arange(own, len(classes))
    found = {}
    for limit in LIMITS:
        taken = (best > 0) & (shares.max(axis=1) >= limit)
        right = taken & (best == classes)
        found[f"{limit}"] = {
            "right": round(float(right[known].mean()), 3),
            "as another": round(float((taken & ~right)[known].mean()), 3),
            f"of {len(other)} that look like them": int(taken[other].sum()),
            f"of {len(history)} of histories": int(taken[history].sum()),
        }
    return found


def main(out: Path) -> None:
    """Train it, and write weights and figures into ``out``."""
    own, others = list(by_class()), of_histories()
    kinds = [OTHER, *sorted({kind for kind, _ in own} - {OTHER})]
    encoder = question_kinds.encoder()
    if encoder is None:
        sys.exit(
            "The bundled embedder or onnxruntime is missing: install the package as its README says."
        )
    given = vectors(encoder, [text for _, text in own] + others)
    classes = np.array([kinds.index(kind) for kind, _ in own] + [0] * len(others))
    weights = np.array([1.0] * len(own) + [WEIGHT] * len(others))
    found = figures(cross_validated(given, classes, weights), classes, len(own))
    model = fitted(given, classes, weights)
    save_file(
        {
            # safetensors writes the bytes as they lie in memory.
            "weights": np.ascontiguousarray(model.coef_, dtype=np.float16),
            "biases": model.intercept_.astype(np.float16),
        },
        out / f"{NAME}.safetensors",
    )
    said = {
        "kinds": kinds,
        "words": sorted({word for kind, text in own if kind != OTHER for word in words_of(text)}),
        "command": "training/train_question_kinds.py",
        "data": f"training/paraphrases: {len(own)} questions; {len(others):,} of the histories",
        "seed": SEED,
        "cross-validated, by limit": found,
    }
    (out / f"{NAME}.json").write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    shown = {**found, "held out": held_out()} if out == FOLDER else found
    sys.stdout.write(json.dumps(shown, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
