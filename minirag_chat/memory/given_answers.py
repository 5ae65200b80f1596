"""Which messages the latest answers rest on, for questions about these answers."""

from __future__ import annotations

from threading import Lock

from minirag_chat.answer.about_answer import GivenAnswer
from minirag_chat.records import Answer

MOST = 256  # answers; of several conversations, so that each has its last ones


class GivenAnswers:
    """Remembers the latest answers by question and text; it keeps neither, only a hash of both.

    Many threads may use it.
    """

    def __init__(self) -> None:
        self._given: dict[int, GivenAnswer] = {}
        self._lock = Lock()

    def add(self, question: str, answer: Answer) -> None:
        """Remember an answer to a question."""
        ids = tuple(source.message.id for source in answer.shown)
        key = _key(question, answer.text)
        with self._lock:
            self._given.pop(key, None)
            self._given[key] = GivenAnswer(ids, answer.reason, answer.confidence)
            if len(self._given) > MOST:
                del self._given[next(iter(self._given))]

    def find(self, question: str, text: str) -> GivenAnswer | None:
        """The answer with this text to this question, if it is among the latest."""
        with self._lock:
            return self._given.get(_key(question, text))


def _key(question: str, text: str) -> int:
    return hash((" ".join(question.split()), text))
