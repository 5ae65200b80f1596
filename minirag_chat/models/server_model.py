"""Any OpenAI-compatible server: Ollama, llama-server, vLLM. How it grows past one machine."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import httpx

from minirag_chat.errors import ModelServerError
from minirag_chat.models.protocols import Choice, never
from minirag_chat.models.request import Refused, post
from minirag_chat.records import Turn

CHARACTERS_A_TOKEN = 4
SECONDS = httpx.Timeout(120.0, connect=5.0)
MOST_ALTERNATIVES = 20
CANNOT = {400, 422}
"""What servers answer that know no ``logprobs``."""


class ServerChatModel:
    """Implements ``ChatModel`` over ``/chat/completions``. Only the URL given is ever called.

    Raises ``ModelServerError`` for a key that cannot be one.
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

    def count_tokens(self, text: str) -> int:
        """An estimate, on the high side: the server's tokenizer is not here."""
        wide = sum(not character.isascii() for character in text)
        return (len(text) - wide) // CHARACTERS_A_TOKEN + wide + 1

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[str]:
        """Yield the answer as the server sends it; a stop closes the connection at once.

        Raises ``ModelServerError``, also where the answer breaks off.
        """
        ended = False
        for line in self._post(
            self._body(turns, max_tokens=max_new_tokens, stream=True), cancelled
        ):
            data = line.removeprefix("data:").strip()
            if not line.startswith("data:") or not data:
                continue
            if data == "[DONE]":
                return
            piece, finished = self._piece(data)
            ended = ended or finished
            if piece:
                yield piece
        if not ended and not cancelled():
            raise ModelServerError(
                f"The model server {self._url} broke off in the middle: look at its log, "
                "then ask again."
            )

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> Choice | None:
        """From the first token's alternatives; None where the server does not tell them."""
        body = self._body(
            turns, max_tokens=1, stream=False, logprobs=True, top_logprobs=MOST_ALTERNATIVES
        )
        try:
            answer = json.loads("\n".join(self._post(body, cancelled, may_refuse=CANNOT)))
            first = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            seen = [(str(item["token"]), float(item["logprob"])) for item in first]
        except (ValueError, KeyError, IndexError, TypeError):
            return None
        weights = [
            sum(math.exp(logprob) for token, logprob in seen if _begins(choice, token))
            for choice in choices
        ]
        total = sum(weights)
        return Choice(tuple(weight / total for weight in weights)) if total > 0 else None

    def choose_each(
        self,
        prompts: Sequence[Sequence[Turn]],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = never,
    ) -> list[Choice | None]:
        """One request after the other; after the first None no further one is made."""
        found: list[Choice | None] = []
        for turns in prompts:
            found.append(self.choose(turns, choices, cancelled=cancelled))
            if found[-1] is None:
                break
        return found + [None] * (len(prompts) - len(found))

    def close(self) -> None:
        """Nothing is held between two questions."""

    def _post(
        self,
        body: dict[str, Any],
        cancelled: Callable[[], bool],
        *,
        may_refuse: frozenset[int] | set[int] = frozenset(),
    ) -> Iterator[str]:
        try:
            yield from post(
                f"{self._url}/chat/completions",
                body,
                headers=self._headers,
                timeout=self._timeout,
                cancelled=cancelled,
            )
        except Refused as refused:
            if refused.status not in may_refuse:
                raise self._refused(refused.status) from refused
        except Exception as error:
            raise self._unreachable(error) from error

    def _body(self, turns: Sequence[Turn], **options: Any) -> dict[str, Any]:
        messages = [{"role": turn.role, "content": turn.content} for turn in turns]
        return {"model": self._model, "messages": messages, "temperature": 0, "seed": 0, **options}

    def _piece(self, data: str) -> tuple[str, bool]:
        """The text of one event, and whether it says that the answer is complete."""
        try:
            event = json.loads(data)
            if not event["choices"]:  # the closing account of some servers
                return "", False
            choice = event["choices"][0]
            return str(choice["delta"].get("content") or ""), bool(choice.get("finish_reason"))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise ModelServerError(
                f"The model server {self._url} sent something that is no chat completion: "
                "is MINIRAG_CHAT_SERVER_URL right? It ends in /v1."
            ) from error

    def _refused(self, status: int) -> ModelServerError:
        advice = {
            401: "set MINIRAG_CHAT_SERVER_KEY",
            403: "set MINIRAG_CHAT_SERVER_KEY",
            404: f"does it have the model {self._model!r}, and does its URL end in /v1?",
        }.get(status, "look at its log, then ask again")
        return ModelServerError(f"The model server {self._url} answered {status}: {advice}.")

    def _unreachable(self, error: Exception) -> ModelServerError:
        if not isinstance(error, (httpx.HTTPError, httpx.InvalidURL)):
            return ModelServerError(
                f"The model server {self._url} cannot be asked ({type(error).__name__}): is each "
                "MINIRAG_CHAT_SERVER setting right, and is the question plain text?"
            )
        slow = isinstance(error, httpx.TimeoutException)
        what = "does not answer in time" if slow else "cannot be reached"
        return ModelServerError(
            f"The model server {self._url} {what} ({type(error).__name__}): is it running?"
        )


def _begins(choice: str, token: str) -> bool:
    """Whether ``choice`` begins with the token, with or without a space before it."""
    word = token.strip().casefold()
    return bool(word) and choice.casefold().startswith(word)
