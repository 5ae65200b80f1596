"""Checks of model servers: the one that messages are sent to, and those on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from shlex import quote
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from minirag_chat.doctor.check_result import CheckResult
from minirag_chat.models.permission import permitted
from minirag_chat.settings import Settings
from minirag_chat.ui_text import WANTS_KEY

if TYPE_CHECKING:
    from minirag_chat.models.local_servers import LocalServer

MOST_NAMED = 5
"""How many models of a server are listed."""


def allowed_server(settings: Settings) -> CheckResult:
    """The server that messages are sent to, if they are."""
    permission = permitted(settings)
    if not settings.server_url and permission is not None:
        text = (
            f"{permission.model} at {permission.url}, which you allowed on {permission.given}: what is "
            "read for a question is sent there. `minirag-chat models withdraw` ends that"
        )
        return CheckResult("model server", "ok", text, details=asdict(permission))
    if not settings.server_url:
        return CheckResult(
            "model server", "ok", "none is named or allowed: no message is sent anywhere"
        )
    text = (
        f"{settings.server_model or 'no model'} at {settings.server_url}; it was not asked whether "
        "it runs. What is read for a question is sent there"
    )
    if settings.server_model:
        return CheckResult("model server", "ok", text)
    remedy = "Set MINIRAG_CHAT_SERVER_MODEL, or unset MINIRAG_CHAT_SERVER_URL."
    return CheckResult("model server", "could be better", text, remedy)


def local_servers(settings: Settings) -> CheckResult:
    """The model servers of this machine that could be used."""
    from minirag_chat.models.local_servers import find_servers  # imports the HTTP library

    found = find_servers()
    each = [f"{server.name} at {server.url} ({_served(server)})" for server in found.servers]
    text = ", ".join(each) or f"none answers on this machine's ports {_ports(found.asked)}"
    if found.note:
        text += f". {found.note}"
    usable = [(server, model) for server in found.servers for model in server.usable]
    free = not settings.server_url and permitted(settings) is None
    remedy = ""
    if usable and free:
        remedy = (
            f"`minirag-chat models use {quote(usable[0][1].name)}` reads with it, once you agree."
        )
    details = {"asked": found.asked, "servers": [asdict(server) for server in found.servers]}
    return CheckResult("servers of this machine", "ok", text, remedy, details)


def _served(server: LocalServer) -> str:
    """The models of a server, in a few words."""
    if server.wants_key:
        return f"which {WANTS_KEY}"
    names = [model.name for model in server.usable]
    more = [f"and {len(names) - MOST_NAMED:,} more"] if len(names) > MOST_NAMED else []
    return ", ".join(names[:MOST_NAMED] + more) or "no model that reads on this machine"


def _ports(urls: Sequence[str]) -> str:
    return ", ".join(str(urlsplit(url).port) for url in urls)
