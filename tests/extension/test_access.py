"""Who may call: Jupyter's own authentication, XSRF and origin checks hold on every verb."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from calling import get, post
from tornado.httpclient import HTTPClientError

from minirag_chat_jupyter.handlers import ROUTES

pytestmark = pytest.mark.process

CALLS = [
    (re.sub(r"\(.*\)", "1", route), verb.upper())
    for route, handler in ROUTES
    for verb in ("get", "post", "delete")
    if verb in vars(handler)
]


BODY = {"db": "chats.db", "question": "Who?", "path": "log"}


async def status(verb: str, url: str, headers: dict[str, str] | None = None) -> int:
    async with httpx.AsyncClient(trust_env=False) as client:
        body = BODY if verb == "POST" else None
        return (await client.request(verb, url, headers=headers, json=body)).status_code


async def visitor(address: str, token: str) -> dict[str, str]:
    """What a browser that is logged in sends with every request, also those of another site's page."""
    async with httpx.AsyncClient(trust_env=False) as client:
        login = f"{address.removesuffix('minirag-chat/')}login"
        await client.get(login)
        await client.get(f"{login}?token={token}")
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}


@pytest.mark.parametrize(("route", "verb"), CALLS)
async def test_a_stranger_gets_nothing(route: str, verb: str, address: str) -> None:
    assert await status(verb, address + route) == 403
    assert await status(verb, address + route, {"Authorization": "token guessed"}) == 403


@pytest.mark.parametrize(("route", "verb"), CALLS)
async def test_another_site_gets_nothing_with_the_cookies_of_a_visitor(
    route: str, verb: str, address: str, token: str, databases: Any
) -> None:
    cookies = await visitor(address, token)
    evil = {**cookies, "Origin": "http://evil.example"}
    assert await status(verb, address + route, evil) in (403, 404)
    if verb != "GET":  # a form of another site sends no X-XSRFToken, whatever its Origin
        assert await status(verb, address + route, cookies) == 403
    assert databases.open("chats.db").memory.info().messages == 9


async def test_the_page_itself_is_let_in(address: str, token: str) -> None:
    cookies = await visitor(address, token)
    assert await status("GET", address + "people?db=chats.db", cookies) == 200
    xsrf = re.search(r"_xsrf=([^;]+)", cookies["Cookie"])
    assert xsrf
    asked = {"question": "Who?", "db": "chats.db"}
    async with httpx.AsyncClient(trust_env=False) as client:
        headers = {**cookies, "X-XSRFToken": xsrf[1]}
        assert (await client.post(address + "ask", headers=headers, json=asked)).status_code == 200


async def test_an_authorizer_is_asked_for_every_verb(
    jp_serverapp: Any, jp_fetch: Any, databases: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def refuse(handler: Any, user: Any, action: str, resource: str) -> bool:
        asked.append((action, resource))
        return action == "read"

    monkeypatch.setattr(jp_serverapp.authorizer, "is_authorized", refuse)
    await get(jp_fetch, "people")
    with pytest.raises(HTTPClientError, match="403"):
        await post(jp_fetch, "ask", question="Who?")
    with pytest.raises(HTTPClientError, match="403"):
        await jp_fetch("minirag-chat", "chats", "1", method="DELETE", params={"db": "chats.db"})
    assert asked == [("read", "minirag_chat"), ("write", "minirag_chat"), ("write", "minirag_chat")]
