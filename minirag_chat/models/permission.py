"""The permission to send messages to a model server of this machine: given, kept, withdrawn.

It is a small file beside the database, so it holds for whoever asks these messages: commands, the page
and notebooks. It names one model at one address; nothing is sent anywhere else because of it.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from datetime import date
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from minirag_chat.errors import BadSetting
from minirag_chat.settings import Settings
from minirag_chat.system.private import make_folder

FILE = "model-server.json"
LONGEST_FILE = 4096  # bytes
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Permission:
    """Messages may be sent to ``model`` at ``url``, a loopback address, since the day ``given``."""

    url: str
    model: str
    given: str = ""


def permission_file(settings: Settings) -> Path:
    """Where the permission is kept."""
    return settings.db.parent / FILE


def permitted(settings: Settings) -> Permission | None:
    """The permission that holds; None where there is none, or what is there cannot be trusted."""
    try:
        with permission_file(settings).open(encoding="utf-8") as file:
            kept = json.loads(file.read(LONGEST_FILE))
        url, model, given = (kept[name] for name in ("url", "model", "given"))
        if not (can_be_shown(model) and can_be_shown(given) and loopback_url(url) == url):
            return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BadSetting):
        return None
    return Permission(url, model, given)


def permit(settings: Settings, url: str, model: str) -> Permission:
    """Keep that messages may be sent to ``model`` at ``url``, in place of an earlier permission.

    Raises ``BadSetting`` where ``url`` is not this machine's, or it cannot be kept.
    """
    if not can_be_shown(model):
        raise BadSetting("A model's name is one line of visible characters: see `models`.")
    permission = Permission(loopback_url(url), model, date.today().isoformat())
    file = permission_file(settings)
    try:
        make_folder(file.parent)
        handle, beside = tempfile.mkstemp(dir=file.parent, prefix=FILE)  # for its owner alone
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(asdict(permission), out, ensure_ascii=False)
        Path(beside).replace(file)
    except OSError as error:
        raise BadSetting(f"The permission cannot be kept in {file} ({error}).") from error
    return permission


def withdraw(settings: Settings) -> bool:
    """Take the permission back; returns whether there was one. Raises ``BadSetting``."""
    file = permission_file(settings)
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BadSetting(f"The permission in {file} cannot be removed ({error}).") from error
    return True


def promise(name: str, url: str) -> str:
    """The sentence that a person agrees to. ``name`` is the server's, one of our own words."""
    return (
        f"Each question, and the messages that are read for it, will be sent to {name} at {url} on "
        "this machine."
    )


def loopback_url(url: str) -> str:
    """``url`` with its host as a loopback address, without a slash at its end.

    Raises ``BadSetting`` for another machine's, and for what is no http address.
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port or 80
    except ValueError:
        host, port, parts = "", 0, urlsplit("")
    host = "127.0.0.1" if host == "localhost" else host
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    if parts.scheme != "http" or not is_loopback(host) or not plain:
        raise BadSetting(
            "A local model server has an address like http://127.0.0.1:11434/v1: for one on another "
            "machine set MINIRAG_CHAT_SERVER_URL and MINIRAG_CHAT_SERVER_MODEL."
        )
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{parts.path.rstrip('/')}"


def is_loopback(host: str) -> bool:
    """Whether ``host`` is an address of this machine's own; a name is none, whatever it leads to."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def can_be_shown(name: object) -> bool:
    """Whether a model's name is text that a person sees as it is: what is sent is what was agreed to."""
    return (
        isinstance(name, str)
        and 0 < len(name) <= LONGEST_NAME
        and name.isprintable()
        and name == name.strip()
        and "  " not in name
    )
