"""How tests call the extension."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tornado.httpclient import HTTPClientError, HTTPResponse

Fetch = Callable[..., Awaitable[HTTPResponse]]


def events(body: bytes) -> list[tuple[str, Any]]:
    """The events of a stream; comments are left out."""
    found = []
    for block in body.decode().split("\n\n"):
        lines = dict(
            line.split(": ", 1) for line in block.split("\n") if not line.startswith(":") and line
        )
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
    with pytest.raises(HTTPClientError) as refused:
        await call
    assert refused.value.response is not None
    return refused.value.code, json.loads(refused.value.response.body)["message"]
