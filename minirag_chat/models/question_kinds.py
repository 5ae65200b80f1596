"""Which question about the messages themselves a text is, whatever its words: a trained classifier.

Logistic regression over the vector of all-MiniLM-L6-v2. ``training/train_question_kinds.py`` makes its
weights; each class is described in ``training/paraphrases/``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.catalog import BUNDLED, find_card
from minirag_chat.models.embedder import embedder_folder
from minirag_chat.models.encoder import Encoder, mapped, shared_encoder
from minirag_chat.models.onnx_session import is_installed
from minirag_chat.models.protocols import Vectors

OTHER = "other"
"""The class of a question that is looked up in what the messages say."""
LONGEST = 48  # tokens of a question that are read
LONG = 6  # letters of a word that may have a wrong one
ONE_WORD = 3  # tokens
_WORD = lazy(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NOT = lazy(r"\b(have|has|had|do|does|did|is|are|was|were)nt\b")
_I = lazy(r"\bi(m|ve)\b")
FOLDER = Path(str(files("minirag_chat.models").joinpath("adapters")))
NAME = "question-kinds"


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """The likeliest class of a question, and its probability."""

    kind: str
    probability: float


@lru_cache(maxsize=4096)
def kind_of(text: str) -> QuestionKind | None:
    """The class of a question in which "Ann", "Ben" and "I" stand for people; None if it cannot be told.

    It cannot where the question has a word that no known one has ("the plumber"), or where the bundled
    embedder or onnxruntime is missing.
    """
    if not all(map(_is_known, words_of(text))):
        return None
    here = encoder()
    if here is None:
        return None
    kinds, weights, biases = _classifier()
    logits = (vectors(here, [text]) @ weights.T + biases)[0]
    shares = np.exp(logits - logits.max())
    best = int(shares.argmax())
    return QuestionKind(kinds[best], float(shares[best] / shares.sum()))


def vectors(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """Unit vectors of questions, shape (len(texts), width): the mean over the tokens."""
    found = np.zeros((len(texts), encoder.width), dtype=np.float32)
    ids = encoder.tokens.of([plain(text) for text in texts], LONGEST)
    for place, hidden in encoder.hidden(ids):
        found[place] = hidden.mean(axis=0)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def plain(text: str) -> str:
    """A question in lower case, without the signs at its end, and with apostrophes that were left out."""
    text = " ".join(text.replace("\u2019", "'").lower().rstrip("?!. \u2026").split())
    return _I.sub(r"i'\1", _NOT.sub(r"\1n't", text))


def words_of(text: str) -> list[str]:
    """The words of a question, in lower case."""
    return _WORD.findall(plain(text))


@lru_cache(maxsize=4096)
def _is_known(word: str) -> bool:
    """Whether a question of the training has this word, or has it with another letter in its middle.

    A word that the tokenizer has whole is not misspelt: "planted" is not "planned".
    """
    known = _words()
    if word in known or len(word) < LONG or _is_whole(word):
        return word in known
    alike = [one for one in known if (one[0], one[-1]) == (word[0], word[-1]) and len(one) >= LONG]
    return extractOne(word, alike, scorer=OSA.distance, score_cutoff=1) is not None


def _is_whole(word: str) -> bool:
    """Whether the word is one token between the two that enclose a text."""
    here = encoder()
    return here is not None and len(here.tokens.of([word], LONGEST)[0]) == ONE_WORD


@cache
def encoder() -> Encoder | None:
    """The bundled embedder's network; None where it or onnxruntime is missing."""
    folder = embedder_folder(find_card(BUNDLED, "embedder"), FOLDER)
    return shared_encoder(folder) if folder is not None and is_installed() else None


@cache
def _classifier() -> tuple[list[str], Vectors, Vectors]:
    """The names of the classes, their weights, shape (classes, width), and biases."""
    kinds = _description()["kinds"]
    found = mapped(FOLDER / f"{NAME}.safetensors")
    return kinds, found["weights"].astype(np.float32), found["biases"].astype(np.float32)


@cache
def _words() -> frozenset[str]:
    return STOP_WORDS.union(_description()["words"])


@cache
def _description() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads((FOLDER / f"{NAME}.json").read_text(encoding="utf-8"))
    return found
