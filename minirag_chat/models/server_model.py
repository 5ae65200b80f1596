"""A model on any OpenAI-compatible server: Ollama, llama-server, vLLM, also on another machine."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import httpx

from minirag_chat.errors import ModelServerError
from minirag_chat.models.protocols import ChoiceProbabilities
from minirag_chat.models.request import LONGEST_REFUSAL, Refused, post
from minirag_chat.models.server_errors import (
    broke_off,
    knows_no_logprobs,
    no_completion,
    only_thinks,
    refusal,
    trouble,
)
from minirag_chat.models.thoughts import BEGIN, FIELDS, ThinksError, spoken
from minirag_chat.records import Cancelled, Turns, never

CHARACTERS_A_TOKEN = 4
SECONDS = httpx.Timeout(120.0, connect=5.0)
MOST_ALTERNATIVES = 20
NO_THINKING: Mapping[str, Any] = {
    "reasoning_effort": "none",
    "chat_template_kwargs": {"enable_thinking": False},
}
"""Request fields that switch off a model's thinking: for Ollama, and for other servers."""
THOUGHT_TOKENS = 1024
"""Additional tokens for a model that thinks nevertheless."""
MORE_PIECES = 2
"""A server may send so many times the requested number of tokens; the rest is not read."""


class ServerChatModel:
    """Implements ``ChatModel`` over ``/chat/completions``. Only the URL given is ever called.

    Raises ``ModelServerError`` for a key with characters that no key has.
    """

    def __init__(
        self, url: str, model: str, key: str = "", *, timeout: httpx.Timeout = SECONDS
    ) -> None:
        if not (key.isascii() and key.isprintable()):
            raise ModelServerError(
                "MINIRAG_CHAT_SERVER_KEY holds a character that no key has, perhaps a curly quote "
                "or a line break: copy the key anew."
            )
        self.name = f"{model} on {url}"
        self._url = url.rstrip("/")
        self._model = model
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._timeout = timeout
        self._stop_thinking = False  # the model thinks: requests ask it not to
        self._no_probabilities = False  # the server gives no probabilities

    def count_tokens(self, text: str) -> int:
        """An estimate, rather too high: the server's tokenizer is not available."""
        wide = sum(not character.isascii() for character in text)
        return (len(text) - wide) // CHARACTERS_A_TOKEN + wide + 1

    def stream(
        self, turns: Turns, *, max_new_tokens: int, cancelled: Cancelled = never
    ) -> Iterator[str]:
        """Yield the answer as the server sends it; a stop closes the connection at once.

        Raises ``ModelServerError``, also if the answer breaks off.
        """
        if not self._stop_thinking:
            try:
                yield from spoken(self._reply(turns, max_new_tokens, cancelled), at_once=True)
            except ThinksError:
                self._stop_thinking = True
            else:
                return
        said = False
        pieces = self._reply(turns, max_new_tokens + THOUGHT_TOKENS, cancelled)
        for piece in islice(spoken(pieces, at_once=False), MORE_PIECES * max_new_tokens):
            said = True
            yield piece
        if not said and not cancelled():
            raise only_thinks(self._url, self._model)

    def _choose(
        self, turns: Turns, choices: Sequence[str], cancelled: Cancelled
    ) -> ChoiceProbabilities | None:
        """Computed from the first token's alternatives; None if the server does not give them.

        Such a server is not asked for them again.
        """
        if self._no_probabilities:
            return None
        found = self._first_tokens(turns, cancelled)
        if found is None and not cancelled():
            self._no_probabilities = True
        weights = [
            sum(math.exp(logprob) for token, logprob in found or () if _begins(choice, token))
            for choice in choices
        ]
        total = sum(weights)
        return tuple(weight / total for weight in weights) if total > 0 else None

    def choose_each(
        self, prompts: Sequence[Turns], choices: Sequence[str], *, cancelled: Cancelled = never
    ) -> list[ChoiceProbabilities | None]:
        """One request after the other; after the first None no further one is made."""
        found: list[ChoiceProbabilities | None] = []
        for turns in prompts:
            found.append(self._choose(turns, choices, cancelled))
            if found[-1] is None:
                break
        return found + [None] * (len(prompts) - len(found))

    def close(self) -> None:
        """Do nothing: no connection is kept between requests."""

    def _reply(self, turns: Turns, tokens: int, cancelled: Cancelled) -> Iterator[tuple[str, bool]]:
        """The pieces of a reply, each with whether it is a thought."""
        ended, pieces = False, 0
        for line in self._post(self._body(turns, max_tokens=tokens, stream=True), cancelled):
            data = line.removeprefix("data:").strip()
            if not line.startswith("data:") or not data:
                continue
            if data == "[DONE]":
                return
            piece, thought, finished = self._piece(data)
            ended = ended or finished
            pieces += bool(piece or thought)
            if piece or thought:
                yield piece, thought
            if pieces >= MORE_PIECES * tokens:
                return
        if not ended and not cancelled():
            raise broke_off(self._url)

    def _first_tokens(self, turns: Turns, cancelled: Cancelled) -> list[tuple[str, float]] | None:
        """The likeliest first tokens and their log-probabilities; None if the server does not give them."""
        body = self._body(
            turns, max_tokens=1, stream=False, logprobs=True, top_logprobs=MOST_ALTERNATIVES
        )
        try:
            answer = json.loads("\n".join(self._post(body, cancelled, optional=True)))["choices"][0]
            first = answer["logprobs"]["content"][0]["top_logprobs"]
            seen = [(str(item["token"]), float(item["logprob"])) for item in first]
            message = answer.get("message") or {}
            thinks = any(message.get(field) for field in FIELDS)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return None
        best = max(seen, key=lambda item: item[1], default=("", 0.0))[0].strip()
        if (thinks or (best and BEGIN.startswith(best))) and not self._stop_thinking:
            self._stop_thinking = True
            return self._first_tokens(turns, cancelled)
        return seen

    def _post(
        self, body: dict[str, Any], cancelled: Cancelled, *, optional: bool = False
    ) -> Iterator[str]:
        """The lines of the answer; with ``optional``, none if the server refuses because of ``logprobs``."""
        try:
            yield from post(
                f"{self._url}/chat/completions",
                body,
                headers=self._headers,
                timeout=self._timeout,
                cancelled=cancelled,
            )
        except Refused as refused:
            if not (optional and knows_no_logprobs(refused)):
                raise refusal(self._url, self._model, refused) from refused
        except Exception as error:
            raise trouble(self._url, error) from error

    def _body(self, turns: Turns, **options: Any) -> dict[str, Any]:
        messages = [{"role": turn.role, "content": turn.content} for turn in turns]
        extra = NO_THINKING if self._stop_thinking else {}
        return {
            "model": self._model, "messages": messages, "temperature": 0, "seed": 0, **extra, **options,
        }  # fmt: skip

    def _piece(self, data: str) -> tuple[str, bool, bool]:
        """The text of one event, whether it is a thought, and whether the reply is complete."""
        try:
            event = json.loads(data)
            if "error" in event:
                raise refusal(
                    self._url, self._model, Refused(0, json.dumps(event)[:LONGEST_REFUSAL])
                )
            if not event["choices"]:  # the usage statistics that some servers send last
                return "", False, False
            choice = event["choices"][0]
            delta = choice["delta"]
            text = str(delta.get("content") or "")
            thinks = not text and any(delta.get(field) for field in FIELDS)
            return text, thinks, bool(choice.get("finish_reason"))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise no_completion(self._url) from error


def _begins(choice: str, token: str) -> bool:
    """Whether ``choice`` begins with the token, with or without a space before it."""
    word = token.strip().casefold()
    return bool(word) and choice.casefold().startswith(word)
