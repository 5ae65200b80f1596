"""The permission to send messages to a model server on this machine: give, store and withdraw it.

It is a small file beside the database, so it holds for everything that uses this database: commands, the
page and notebooks. It names one model at one address, and permits nothing else.
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
from minirag_chat.system.private_folders import make_folder

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
    """The file of the permission."""
    return settings.db.parent / FILE


def permitted(settings: Settings) -> Permission | None:
    """The current permission; None if there is none, or its file is not valid."""
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
    """Permit sending messages to ``model`` at ``url``; replaces an earlier permission.

    Raises ``BadSetting`` if ``url`` is not on this machine, or the file cannot be written.
    """
    if not can_be_shown(model):
        raise BadSetting("A model's name is one line of visible characters: see `models`.")
    permission = Permission(loopback_url(url), model, date.today().isoformat())
    file = permission_file(settings)
    try:
        make_folder(file.parent)
        handle, beside = tempfile.mkstemp(dir=file.parent, prefix=FILE)  # for its owner only
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(asdict(permission), out, ensure_ascii=False)
            Path(beside).replace(file)
        finally:
            Path(beside).unlink(missing_ok=True)
    except OSError as error:
        raise BadSetting(f"The permission cannot be kept in {file} ({error}).") from error
    return permission


def withdraw(settings: Settings) -> bool:
    """Withdraw the permission; returns whether there was one. Raises ``BadSetting``."""
    file = permission_file(settings)
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BadSetting(f"The permission in {file} cannot be removed ({error}).") from error
    return True


def promise(name: str, url: str) -> str:
    """The sentence that a person agrees to. ``name`` is our name of the server's software."""
    return (
        f"Each question, and the messages that are read for it, will be sent to {name} at {url} on "
        "this machine."
    )


def loopback_url(url: str) -> str:
    """``url`` normalised: a loopback address as host, no slash at the end.

    Raises ``BadSetting`` for another machine, and for what is no http URL.
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
    """Whether ``host`` is a loopback address; a host name is not, whatever it resolves to."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def can_be_shown(name: object) -> bool:
    """Whether a person sees the exact text of a model's name, so that they agree to what is really used."""
    return (
        isinstance(name, str)
        and 0 < len(name) <= LONGEST_NAME
        and name.isprintable()
        and name == name.strip()
        and "  " not in name
    )
