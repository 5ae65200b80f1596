"""Hand-written fakes that enter through the real protocols. None of them is used to test meaning."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from minirag_chat.models.protocols import ChoiceProbabilities, Piece, Vectors
from minirag_chat.records import Turn, never


class WordEmbedder:
    """A bag of hashed words: texts with the same words are near. For tests of storage and flow."""

    name = "words"
    dimension = 64

    def __init__(self) -> None:
        self.embedded = 0
        self.fail_after: int | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.fail_after is not None and self.embedded + len(texts) > self.fail_after:
            raise KeyboardInterrupt
        self.embedded += len(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, hashlib.md5(word.encode()).digest()[0] % self.dimension] += 1  # noqa: S324 - no secret
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(norms > 0, norms, 1)

    def embed_question(self, question: str) -> Vectors:
        vector: Vectors = self.embed([question])[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class PreferringRanker:
    """A ranker that wants the passages with some words, and keeps what it was given.

    ``log_odds`` is its score of these passages; others have 0.
    """

    def __init__(self, words: str, log_odds: float = 50.0) -> None:
        self._words = words
        self._log_odds = log_odds
        self.questions: list[str] = []
        self.passages: list[str] = []

    def scores(self, question: str, passages: Sequence[str]) -> Vectors:
        self.questions.append(question)
        self.passages += passages
        return np.array(
            [self._log_odds * (self._words in text) for text in passages], dtype=np.float32
        )


class ScriptedModel:
    """A chat model that says what it is told, and keeps what it was asked.

    ``pause`` are the seconds before each word; none comes while ``goes_on`` is not set.
    """

    name = "scripted"

    def __init__(self, text: str = "In the basement.", *, stated: float | None = 0.9) -> None:
        self.text = text
        self.stated = stated
        self.says_yes_to: str | None = None
        self.asked: list[tuple[Turn, ...]] = []
        self.pieces = 0
        self.pause = 0.0
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.closed = False

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def reply(self, turns: Sequence[Turn]) -> str:
        return self.text

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        self.asked.append(tuple(turns))
        for word in self.reply(turns).split(" ")[:max_new_tokens]:
            if cancelled():
                return
            self.goes_on.wait(120)
            self.pieces += 1
            time.sleep(self.pause)
            yield word + " "

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> ChoiceProbabilities | None:
        if self.stated is None:
            return None
        stated = self.stated
        if self.says_yes_to is not None:
            stated = 0.9 if self.says_yes_to in turns[-1].content.split("Question:")[0] else 0.05
        return (stated, 1 - stated)

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[ChoiceProbabilities | None]:
        return [self.choose(turns, choices, cancelled=cancelled) for turns in prompts]

    def close(self) -> None:
        self.closed = True


class ScriptedReader(ScriptedModel):
    """A scripted model that was trained to read: it names messages, or leans to silence.

    ``says`` are its replies, the last one for good; ``leans`` is the log-odds of silence, ``sure`` the
    log-probability of each word.
    """

    def __init__(self, *says: str, leans: float = -4.0, sure: float = -0.1) -> None:
        super().__init__("An untrained sentence.", stated=0.9)
        self.says = list(says) or ["[1] Walter Quint"]
        self.leans: float | None = leans
        self.sure = sure
        self.several: list[bool] = []

    def silence(
        self, turns: Sequence[Turn], *, cancelled: Callable[[], bool] = never
    ) -> float | None:
        self.asked.append(tuple(turns))
        return self.leans

    def read(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        several: bool = False,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[Piece]:
        self.asked.append(tuple(turns))
        self.several.append(several)
        said = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        for word in said.split(" ")[:max_new_tokens]:
            if cancelled():
                return
            self.pieces += 1
            yield Piece(f"{word} ", self.sure)
