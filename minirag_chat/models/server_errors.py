"""Errors of model servers, each as one sentence that says what to do.

A server's own text is searched for the reason but never shown: it is not trusted.
"""

from __future__ import annotations

import re

import httpx

from minirag_chat.errors import ModelServerError
from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.request import Refused, TooLong

_TOO_LONG = lazy(
    r"context[_ ](?:size|length|window)|exceed_context|maximum context|too many tokens",
    re.IGNORECASE,
)
_UNKNOWN = lazy(
    r"model\b.{0,250}\b(?:not found|does not exist|not exist|no such)", re.IGNORECASE | re.DOTALL
)
_LOADING = lazy(r"loading model|model is loading|still loading", re.IGNORECASE)
_CUT = lazy(r"logprobs|logits_all", re.IGNORECASE)
_KEY = {401, 403}
_BUSY = {429, 503}


def knows_no_logprobs(refused: Refused) -> bool:
    """Whether a server refused a request because it does not support ``logprobs``."""
    if _TOO_LONG.search(refused.body) or _UNKNOWN.search(refused.body):
        return False
    return refused.status in {400, 422} or bool(_CUT.search(refused.body))


def refusal(url: str, model: str, refused: Refused) -> ModelServerError:
    """The error for a status other than 200, or for an error in the middle of an answer (status 0)."""
    status, body = refused.status, refused.body
    beginning = (
        f"The model server {url} answered {status}" if status else f"The model server {url} failed"
    )
    if status in _KEY:
        return ModelServerError(f"{beginning}: set MINIRAG_CHAT_SERVER_KEY.")
    if _TOO_LONG.search(body):
        return ModelServerError(
            f"The messages that are read are longer than the context of {model!r} on the model server "
            f"{url}: start it with a context of 4,096 tokens or more, or lower "
            "MINIRAG_CHAT_EVIDENCE_TOKENS."
        )
    if status == httpx.codes.NOT_FOUND or _UNKNOWN.search(body):
        return ModelServerError(
            f"{beginning}: does it have the model {model!r} (`minirag-chat models` lists what a server of "
            "this machine has), and does its URL end in /v1?"
        )
    if _LOADING.search(body):
        return ModelServerError(
            f"{beginning}: it is still loading the model; ask again in a moment."
        )
    if status in _BUSY:
        return ModelServerError(f"{beginning}: it is busy; ask again in a moment.")
    return ModelServerError(f"{beginning}: look at its log, then ask again.")


def trouble(url: str, error: Exception) -> ModelServerError:
    """The error for an exception while a request was made or its answer was read."""
    if isinstance(error, TooLong):
        return ModelServerError(
            f"The model server {url} sent far more than an answer: is it a model server?"
        )
    if isinstance(error, (httpx.ReadError, httpx.RemoteProtocolError)):
        return broke_off(url)
    if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
        return ModelServerError(
            f"The model server {url} does not answer in time ({type(error).__name__}): is it busy, or "
            "its model too large for its machine?"
        )
    if isinstance(error, (httpx.HTTPError, httpx.InvalidURL)):
        return ModelServerError(
            f"The model server {url} cannot be reached ({type(error).__name__}): is it running?"
        )
    return ModelServerError(
        f"The model server {url} cannot be asked ({type(error).__name__}): is each "
        "MINIRAG_CHAT_SERVER setting right, and is the question plain text?"
    )


def broke_off(url: str) -> ModelServerError:
    """The error for an answer that ends too early."""
    return ModelServerError(
        f"The model server {url} broke off in the middle: look at its log, then ask again."
    )


def no_completion(url: str) -> ModelServerError:
    """The error for an answer that is not a chat completion."""
    return ModelServerError(
        f"The model server {url} sent something that is no chat completion: is its address right? It "
        "ends in /v1."
    )


def only_thinks(url: str, model: str) -> ModelServerError:
    """The error for an answer that has only the model's thoughts."""
    return ModelServerError(
        f"The model {model!r} on the model server {url} thinks for too long before it answers: choose "
        "one that does not think."
    )
