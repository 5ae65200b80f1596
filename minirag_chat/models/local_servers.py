"""Finds model servers on this machine by asking its loopback ports, and no others.

This happens only when a person asks for it: ``doctor``, ``models``, a button on the page. Each port is
asked for its list of models, all in parallel and for ``DEADLINE`` seconds at most; no part of a message is
sent. The answers are not trusted: redirects are not followed, long answers are abandoned, and names that
could deceive a reader are left out.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.permission import LONGEST_NAME, can_be_shown, is_loopback, loopback_url

USUAL = ((11434, "Ollama"), (1234, "LM Studio"), (8080, "llama.cpp"), (8000, "vLLM"))
"""The default ports of model servers, and the servers' names."""
OWNERS = {"library": "Ollama", "organization_owner": "LM Studio", "llamacpp": "llama.cpp",
          "vllm": "vLLM", "me": "llama-cpp-python"}  # fmt: skip
"""The values of ``owned_by``, and which server writes each."""
OLLAMA_PORT = 11434
DEADLINE = 2.0
LONGEST_ANSWER = 1 << 20  # bytes
MOST_MODELS = 200
NO_CHAT = lazy(r"embed|rerank|whisper|(?:^|[-_/])bge-|minilm|(?:^|[-_/])e5-", re.IGNORECASE)
_PASSED_ON = lazy(r"[-:]cloud$", re.IGNORECASE)
_ANY_ADDRESS = {"", "0.0.0.0", "::", "localhost"}  # noqa: S104 - a server listens on it, not we


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that a server offers. ``passed_on``: the server forwards requests to another machine."""

    name: str
    about: str = ""
    passed_on: bool = False


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A model server on this machine. ``url`` is its base URL, which ends in /v1.

    ``wants_key``: it requires an API key, so its models are not known.
    """

    name: str
    url: str
    models: tuple[ServedModel, ...]
    wants_key: bool = False

    @property
    def usable(self) -> tuple[ServedModel, ...]:
        """The models that run on this machine."""
        return tuple(model for model in self.models if not model.passed_on)


@dataclass(frozen=True, slots=True)
class ServerSearch:
    """The servers found, the addresses asked, and ``note``: an address that was not asked, and why."""

    servers: tuple[LocalServer, ...]
    asked: tuple[str, ...]
    note: str = ""


def find_servers(urls: Sequence[str] | None = None, *, deadline: float = DEADLINE) -> ServerSearch:
    """Find servers and their models at ``urls``; by default at the usual ports and that of OLLAMA_HOST.

    Raises ``BadSetting`` if one of ``urls`` is not a loopback address of this machine.
    """
    note = ""
    if urls is None:
        urls, note = usual_urls(os.environ)
    asked = tuple(dict.fromkeys(loopback_url(url) for url in urls))
    with ThreadPoolExecutor(1) as apart:  # the caller may have a running event loop
        found = apart.submit(asyncio.run, _ask_all(asked, deadline)).result()
    return ServerSearch(tuple(server for server in found if server is not None), asked, note)


def usual_urls(environment: Mapping[str, str]) -> tuple[list[str], str]:
    """The usual base URLs of servers here, and a note if OLLAMA_HOST is another machine."""
    urls = [f"http://127.0.0.1:{port}/v1" for port, _ in USUAL]
    given = environment.get("OLLAMA_HOST", "").strip().strip("\"'")
    if not given:
        return urls, ""
    try:
        url = _of_ollama(given)
    except ValueError:
        return urls, "OLLAMA_HOST names no server on this machine's loopback, so it is not asked."
    return [url, *urls], ""


def _of_ollama(ollama_host: str) -> str:
    """The base URL that OLLAMA_HOST gives; raises ``ValueError`` if it is not this machine's."""
    scheme, rest = ollama_host.split("://", 1) if "://" in ollama_host else ("", ollama_host)
    parts = urlsplit(f"//{rest}" if rest.count(":") < 2 or "[" in rest else f"//[{rest}]")  # noqa: PLR2004 - an IPv6 address has more
    host = (parts.hostname or "").lower()
    if host in _ANY_ADDRESS:
        host = "127.0.0.1"
    if scheme not in ("", "http") or not is_loopback(host):
        raise ValueError(ollama_host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{parts.port or (80 if scheme else OLLAMA_PORT)}/v1"


async def _ask_all(urls: Iterable[str], deadline: float) -> list[LocalServer | None]:
    # trust_env=False: a proxy in the environment is another machine
    async with httpx.AsyncClient(
        trust_env=False, follow_redirects=False, timeout=httpx.Timeout(deadline)
    ) as client:
        return await asyncio.gather(*(_ask(client, url, deadline) for url in urls))


async def _ask(client: httpx.AsyncClient, url: str, deadline: float) -> LocalServer | None:
    """The server at ``url``; None if nothing there answers in time like a model server."""
    port = urlsplit(url).port
    name = dict(USUAL).get(port or 0, "model server")
    try:
        async with asyncio.timeout(deadline):
            status, told = await _get(client, f"{url}/models")
            if status == httpx.codes.UNAUTHORIZED:
                return LocalServer(name, url, (), wants_key=True)
            listed = _listed(told) if status == httpx.codes.OK else None
            if listed is None:
                return None
            _, tags = await _get(client, f"{url.removesuffix('/v1')}/api/tags")
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError, ValueError):
        return None
    details = _ollamas(tags)
    owner = next((owner for _, owner in listed if owner in OWNERS), "")
    if owner or details is not None:  # llama.cpp has Ollama's API too
        name = OWNERS.get(owner, "Ollama")
    models = tuple(_model(given, details or {}) for given, _ in listed if not NO_CHAT.search(given))
    return LocalServer(name, url, models)


async def _get(client: httpx.AsyncClient, url: str) -> tuple[int, Any]:
    """The status and the JSON of an answer; None instead of JSON if it is not valid or too long."""
    got = bytearray()
    async with client.stream("GET", url, headers={"Accept-Encoding": "identity"}) as answer:
        async for part in answer.aiter_raw():
            got += part
            if len(got) > LONGEST_ANSWER:
                return answer.status_code, None
    try:
        return answer.status_code, json.loads(got)
    except (ValueError, RecursionError):
        return answer.status_code, None


def _listed(body: Any) -> list[tuple[str, str]] | None:
    """The names and owners in the answer of /v1/models; None if it is no such list."""
    if not isinstance(body, dict) or "data" not in body or body.get("object") != "list":
        return None
    items = body["data"] if body["data"] is not None else []  # Ollama's value if it has no models
    if not isinstance(items, list):
        return None
    found = [
        (item["id"], str(item.get("owned_by", ""))[:LONGEST_NAME])
        for item in items[:MOST_MODELS]
        if isinstance(item, dict) and can_be_shown(item.get("id"))
    ]
    return list(dict.fromkeys(found))


def _ollamas(tags: Any) -> dict[str, Mapping[str, Any]] | None:
    """What Ollama's own API says about each model, by name; None if it is not Ollama."""
    items = tags.get("models") if isinstance(tags, dict) else None
    if not isinstance(items, list):
        return None
    return {str(item.get("name")): item for item in items[:MOST_MODELS] if isinstance(item, dict)}


def _model(name: str, details: Mapping[str, Mapping[str, Any]]) -> ServedModel:
    item = details.get(name, {})
    more = item.get("details")
    known = more if isinstance(more, dict) else {}
    said = (known.get("parameter_size"), known.get("quantization_level"))
    about = ", ".join(str(text) for text in said if can_be_shown(text))[:40]
    remote = any(item.get(field) for field in ("remote_host", "remote_model"))
    return ServedModel(name, about, bool(remote or _PASSED_ON.search(name)))
