"""What the engine needs of a language model and of an embedder. Adapters implement these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from minirag_chat.records import Turn

Vectors = NDArray[np.float32]
ChoiceProbabilities = tuple[float, ...]
"""How likely each of a few words is as the first one; they sum to 1."""
NOT_STATED = "Not stated."
"""What a ``ChatReader`` replies where the messages do not say."""
VERDICT = " => "
"""What parts, in its reply, a reason from the yes or no that follows from it."""


def never() -> bool:
    """The ``cancelled`` of a caller that does not cancel."""
    return False


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply, and the log-probability of its tokens together."""

    text: str
    log_probability: float


class ChatModel(Protocol):
    """A language model that answers a conversation.

    Raises ``ModelError`` and its children, never a library's own exception.
    """

    @property
    def name(self) -> str:
        """What to call it before a person, e.g. ``qwen2.5-coder-1.5b-instruct (4-bit, CPU)``."""

    def count_tokens(self, text: str) -> int:
        """The number of tokens that ``text`` costs in a prompt."""

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        """Yield the answer in pieces, greedily decoded.

        ``cancelled`` is asked at least twice a second, also while the prompt is read; once it is
        true the iterator ends and the model computes nothing more.
        """

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> ChoiceProbabilities | None:
        """How likely each of ``choices`` is as the first word.

        None where the adapter cannot see probabilities, or once ``cancelled``.
        """

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[ChoiceProbabilities | None]:
        """:meth:`choose` for several prompts, in their order; at once where the adapter can."""

    def close(self) -> None:
        """Free the memory it holds. Using it afterwards is an error."""


@runtime_checkable
class GrammarModel(Protocol):
    """A ``ChatModel`` that can be held to a grammar, so that what it writes can always be read."""

    def write(
        self,
        turns: Sequence[Turn],
        grammar: str,
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        """Yield text in pieces, greedily decoded, each of which ``grammar`` allows.

        ``grammar`` is in llguidance's Lark dialect. It is work in the background: between any two
        tokens those who want an answer go first.
        """


@runtime_checkable
class ChatReader(ChatModel, Protocol):
    """A ``ChatModel`` that was trained to read chats.

    Asked with the turns of ``prompts/read.txt`` it replies with the numbers of the messages that state
    the answer, then the answer in their words ("[4] goulash"), or with ``NOT_STATED``.
    """

    def silence(
        self, turns: Sequence[Turn], *, cancelled: Callable[[], bool] = never
    ) -> float | None:
        """The log-odds of ``NOT_STATED`` against any answer; None once ``cancelled``."""

    def read(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[Piece]:
        """Yield the likeliest answer in pieces, even where ``NOT_STATED`` is likelier."""


class Ranker(Protocol):
    """Judges which of the messages that were found state the answer to a question."""

    def scores(self, question: str, passages: Sequence[str]) -> Vectors:
        """One number for each passage, shape (len(passages),): the higher, the likelier it does.

        It is the logarithm of how much likelier that is than that none of them does.
        """


class Embedder(Protocol):
    """A sentence embedder."""

    @property
    def name(self) -> str:
        """The catalog name; the store remembers which embedder made its vectors."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), float32."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, without special tokens."""
