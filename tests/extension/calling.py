"""How tests call the extension."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from tornado.httpclient import HTTPClientError, HTTPResponse

Fetch = Callable[..., Awaitable[HTTPResponse]]


def events(body: bytes) -> list[tuple[str, Any]]:
    """The events of a stream; comments are left out."""
    found = []
    for block in body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":") and line)
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


async def get(fetch: Fetch, /, *path: str, **params: Any) -> Any:
    answer = await fetch("minirag-chat", *path, params={"db": "chats.db", **params})
    return json.loads(answer.body)


async def post(fetch: Fetch, path: str, /, **body: Any) -> HTTPResponse:
    return await fetch(
        "minirag-chat", path, method="POST", body=json.dumps({"db": "chats.db", **body})
    )


async def refusal(call: Awaitable[HTTPResponse]) -> tuple[int, str]:
    """The status and sentence of a call that must fail."""
    try:
        answer = await call
    except HTTPClientError as error:
        assert error.response is not None
        told = json.loads(error.response.body)
        return error.code, told["message"]
    raise AssertionError(f"it was answered: {answer.body[:200]!r}")
