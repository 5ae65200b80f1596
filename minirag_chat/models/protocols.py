"""The protocols of language models, rankers and embedders; the classes in this folder implement them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Cancelled, Turns, never

Vectors = NDArray[np.float32]
ChoiceProbabilities = tuple[float, ...]
"""The probability of each of a few words as the first one; they sum to 1."""
NOT_STATED = "Not stated."
"""What a ``ChatReader`` replies if the messages do not state the answer."""
VERDICT = " => "
"""In its reply, the separator between a reason and the yes or no that follows from it."""
VERDICTS = lazy(
    r"(?:(?:most )?likely |(?:sehr )?wahrscheinlich |eher |probablement |probablemente )?"
    r"(?:yes|no|ja|nein|oui|non|s\u00ed|si)|(?:\u5f88\u53ef\u80fd|\u5e94\u8be5)?(?:\u662f|\u4f1a|\u4e0d\u662f|\u4e0d\u4f1a|\u6ca1\u6709|\u6709)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply, and the sum of its tokens' log-probabilities."""

    text: str
    log_probability: float


class ChatModel(Protocol):
    """A language model that answers a conversation.

    Raises ``ModelError`` and its subclasses, never a library's own exception.
    """

    @property
    def name(self) -> str:
        """The name shown to people, e.g. ``qwen2.5-coder-1.5b-instruct (4-bit, CPU)``."""

    def count_tokens(self, text: str) -> int:
        """The number of tokens of ``text`` in a prompt."""

    def stream(
        self, turns: Turns, *, max_new_tokens: int, cancelled: Cancelled = never
    ) -> Iterator[str]:
        """Yield the answer in pieces, greedily decoded.

        ``cancelled`` is called at least twice a second, also while the prompt is read; once it returns
        True, the iterator ends and the model stops computing.
        """

    def choose_each(
        self, prompts: Sequence[Turns], choices: Sequence[str], *, cancelled: Cancelled = never
    ) -> list[ChoiceProbabilities | None]:
        """For each prompt, the probability of each of ``choices`` as the first word; in batches if it can.

        None where the model gives no probabilities, or once ``cancelled``.
        """

    def close(self) -> None:
        """Free its memory. Using it afterwards is an error."""


@runtime_checkable
class GrammarModel(Protocol):
    """A ``ChatModel`` with constrained decoding: what it writes always matches a grammar."""

    def write(
        self, turns: Turns, grammar: str, *, max_new_tokens: int, cancelled: Cancelled = never
    ) -> Iterator[str]:
        """Yield text that ``grammar`` allows, in pieces, greedily decoded.

        ``grammar`` is in llguidance's Lark dialect. This is background work: between any two tokens,
        callers who want an answer go first.
        """


@runtime_checkable
class ChatReader(ChatModel, Protocol):
    """A ``ChatModel`` that was trained to read chats.

    Asked with the turns of ``prompts/read.txt`` it replies with the numbers of the messages that state
    the answer, then the answer in their words ("[4] goulash"), or with ``NOT_STATED``.
    """

    def silence(self, turns: Turns, *, cancelled: Cancelled = never) -> float | None:
        """The log-odds of ``NOT_STATED`` against any answer; None once ``cancelled``."""

    def read(
        self,
        turns: Turns,
        *,
        max_new_tokens: int,
        several: bool = False,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """Yield the likeliest answer in pieces, even if ``NOT_STATED`` is likelier.

        ``several`` things are asked for: more messages are named.
        """


class Ranker(Protocol):
    """Scores messages by whether they state the answer to a question."""

    def scores(self, question: str, passages: Sequence[str]) -> Vectors:
        """The score of each passage, shape (len(passages),): the higher, the likelier it states the answer.

        It is the log-odds of this passage stating the answer against none stating it.
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

    def embed_question(self, question: str) -> Vectors:
        """The unit vector to compare with those of texts, shape (dimension,), float32."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, without special tokens."""
