"""Finds a language model's retrieval heads: those that look at the message that answers.

Each answerable question of some corpora is asked as usual, up to the point where the model's
attention is looked at. A head is scored by the z-score, among the messages read, of the attention
that it gives the message with most words of the gold answer: query-focused scoring (Zhang et al.
2025, "Query-Focused Retrieval Heads"). The mean over the questions ranks the heads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minirag_chat.answer.words import stems
from minirag_chat.bench.dataset import BenchQuestion
from minirag_chat.bench.runner import Plan, indexed
from minirag_chat.engine import ChatMemory
from minirag_chat.errors import NotFound
from minirag_chat.ingest import Report, silent
from minirag_chat.models.attention import Attention, Heads, by_heads, z_scores
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.protocols import Embedder, never
from minirag_chat.models.transformers_model import TransformersChatModel
from minirag_chat.records import Progress, Turn

BEST = 8
ENOUGH = 0.5  # of the gold answer's words: the message that has them counts as the answer
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Looked:
    """One question: what each head looked at, shape (layers, heads, messages), and the answers."""

    question: str
    attention: Attention
    answers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The heads, best first, and how often the message they point at answers.

    ``cross_validated`` points with heads that were found on other questions.
    """

    heads: Heads
    questions: int
    cross_validated: float


class _Watched:
    """Answers nothing, and keeps where the model would look. Enters as a ``ChatModel``."""

    def __init__(self, model: TransformersChatModel) -> None:
        self._model = model
        self.seen: tuple[tuple[str, ...], Attention] | None = None

    @property
    def name(self) -> str:
        return self._model.name

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)

    def attend(
        self,
        turns: Sequence[Turn],
        passages: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> None:
        attention = self._model.attention(turns, passages, cancelled=cancelled)
        self.seen = None if attention is None else (tuple(passages), attention)

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        del turns, max_new_tokens, cancelled
        return iter(())

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> None:
        del turns, choices, cancelled

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[tuple[float, ...] | None]:
        del choices, cancelled
        return [None] * len(prompts)

    def close(self) -> None:
        """Leave the model to its owner."""


def find_heads(
    plans: Sequence[Plan],
    model: TransformersChatModel,
    embedder: Embedder,
    *,
    progress: Report = silent,
) -> Found:
    """Look at all answerable questions of the plans' corpora. Raises ``NotFound`` for too few."""
    looked = [one for plan in plans for one in look(plan, model, embedder, progress)]
    if len(looked) < FOLDS:
        raise NotFound(
            f"Only {len(looked)} questions have a message that answers them: name corpora with more."
        )
    return Found(best_heads(looked), len(looked), cross_validated(looked))


def look(
    plan: Plan, model: TransformersChatModel, embedder: Embedder, progress: Report = silent
) -> list[Looked]:
    """What each head looks at, for each question whose answer is among the messages read."""
    database = indexed(plan, embedder, progress)
    watched = _Watched(model)
    settings = plan.settings.model_copy(update={"abstain_below": 0.0})
    questions = [question for question in plan.corpus.questions if question.answerable]
    found: list[Looked] = []
    with ChatMemory.open(
        database, settings, models=LoadedModels(settings, embedder, watched)
    ) as memory:
        for number, question in enumerate(questions):
            progress(Progress(f"attention, {plan.corpus.name}", number, len(questions)))
            watched.seen = None
            memory.ask(question.text, history=())
            if watched.seen is None:
                continue
            passages, attention = watched.seen
            if answers := _answers(question, passages):
                found.append(Looked(question.text, attention, answers))
    return found


def best_heads(looked: Sequence[Looked], count: int = BEST) -> Heads:
    """The heads that give the answering message most, best first."""
    scores = np.mean([_scores(one) for one in looked], axis=0)
    order = np.argsort(-scores, axis=None)[:count]
    return tuple(
        (int(i), int(j)) for i, j in zip(*np.unravel_index(order, scores.shape), strict=True)
    )


def pointed_right(looked: Sequence[Looked], heads: Heads) -> list[bool]:
    """For each question, whether the message that the heads look at most answers it."""
    return [int(np.argmax(by_heads(one.attention, heads))) in one.answers for one in looked]


def cross_validated(looked: Sequence[Looked], folds: int = FOLDS) -> float:
    """The share pointed at right, each by heads that were found without the question."""
    right: list[bool] = []
    for fold in range(folds):
        held = looked[fold::folds]
        others = [one for place, one in enumerate(looked) if place % folds != fold]
        right += pointed_right(held, best_heads(others))
    return float(np.mean(right))


def _scores(one: Looked) -> NDArray[np.float64]:
    best: NDArray[np.float64] = z_scores(one.attention)[:, :, list(one.answers)].max(axis=2)
    return best


def _answers(question: BenchQuestion, passages: Sequence[str]) -> tuple[int, ...]:
    """The messages with most of the gold answer's words that the question does not have itself."""
    gold = set(stems(question.gold))
    wanted = gold - set(stems(question.text)) or gold
    shares = [len(wanted & set(stems(passage))) / max(len(wanted), 1) for passage in passages]
    best = max(shares, default=0.0)
    return tuple(i for i, share in enumerate(shares) if share == best) if best >= ENOUGH else ()
