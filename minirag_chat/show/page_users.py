"""A page that several users sign in to, with a memory and tabs for each. No Gradio in here.

A user's memory is opened as that database user, so that the database itself hides the chats of others
(docs/users.md). All users share the models and the samples.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

from minirag_chat.errors import BadSetting, NotFound
from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records.monitoring import MonitoringEvent
from minirag_chat.settings import Settings
from minirag_chat.show.page_policy import Refusal
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.store import Store
from minirag_chat.store.postgres.users import Users
from minirag_chat.system.key_locks import KeyLocks
from minirag_chat.system.monitoring import tell

PAUSE = 1.0  # least seconds that a refused sign-in takes
MOST_USERS = 50  # users whose memories are open at once
MOST_STREAMS = 20_000  # browser sessions whose user is remembered
# Routes open to all: the sign-in page's files, and the operator's routes. None has a user's text.
# All other routes need a signed-in user.
_OPEN = lazy(
    r"/(?:|health|metrics|login/?|logout/?|assets/.*|static/.*|theme\.css|favicon\.ico|manifest\.json|robots\.txt|pwa_icon.*"
    r"|svelte/.*)|/gradio_api/(?:startup-events|theme\.css|login_check/?)"
)
_STREAM = lazy(r"/gradio_api/(?:queue/data|(?:heartbeat|stream)/([^/]+).*)")


class PageUsers:
    """Who may use the page, and what each of them sees."""

    def __init__(self, memory: ChatMemory, samples: Sequence[tuple[str, ChatMemory]] = ()) -> None:
        self._settings = memory.settings
        self._models = memory.models
        self._samples = samples
        self._everything: ChatMemory | None = None
        self._proxies = _networks(self._settings) if self._settings.proxy_header else ()
        self._sessions: OrderedDict[str, Sessions] = OrderedDict()
        self._streams: OrderedDict[str, str] = OrderedDict()
        self._opening = KeyLocks()  # by user; of None: the database of all users
        self._lock = Lock()
        # Another one: the event loop takes it, and must not wait for a database.
        self._owning = Lock()
        # checking a password takes one core and 64 MiB for a moment
        self._checking = asyncio.Semaphore(2)

    @property
    def by_proxy(self) -> bool:
        """Whether a proxy names the user, instead of a password."""
        return bool(self._settings.proxy_header)

    # --- signing in -----------------------------------------------------------------------------------

    async def password(self, name: str, password: str) -> bool:
        """Whether the password is right. Each try is recorded; a wrong one is answered slowly."""
        async with self._checking:
            if await run_in_threadpool(self._checked, name, password):
                return True
        await asyncio.sleep(PAUSE)
        return False

    def _checked(self, name: str, password: str) -> bool:
        with Users.open(self._settings.postgres) as users:
            right = users.check(name, password)
            users.signed_in(name, refused=not right)
        tell(MonitoringEvent("sign-in", "done" if right else "refused"))
        return right

    async def proxied(self, request: Request) -> str | None:
        """The user named in the header of a trusted proxy; None otherwise."""
        name = self._by_header(request.scope)
        if name is None or not await run_in_threadpool(self._known, name):
            return None
        return name

    def _by_header(self, scope: Scope) -> str | None:
        peer = (scope.get("client") or ("",))[0]
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return None
        if not any(address in network for network in self._proxies):
            return None
        given = Headers(scope=scope).getlist(self._settings.proxy_header)
        return given[0].strip().casefold() if len(given) == 1 and given[0].strip() else None

    def _known(self, name: str) -> bool:
        """Whether the user exists; the first time this is looked up and recorded."""
        if name in self._sessions:
            return True
        with Users.open(self._settings.postgres) as users:
            known = users.knows(name)
            users.signed_in(name, refused=not known)
        tell(MonitoringEvent("sign-in", "done" if known else "refused"))
        if known:
            self.sessions(name)
        return known

    def user_of(self, scope: Scope) -> str | None:
        """The user of a request, before Gradio handles it."""
        if self.by_proxy:
            name = self._by_header(scope)
            return name if name is not None and self._known(name) else None
        app: Any = scope["app"]
        cookies = Request(scope).cookies
        token = cookies.get(f"access-token-{app.cookie_id}") or cookies.get(
            f"access-token-unsecure-{app.cookie_id}"
        )
        name = app.tokens.get(token)
        return None if name is None else str(name).casefold()

    # --- what each sees -------------------------------------------------------------------------------

    def sessions(self, name: str | None) -> Sessions:
        """The tabs of a user, on their own memory. Raises ``NotFound`` if nobody is signed in."""
        if not name:
            raise NotFound("Nobody is signed in: reload the page.")
        name = name.casefold()
        return self._opened(name) or self._open(name)

    def _opened(self, name: str) -> Sessions | None:
        with self._lock:
            if name in self._sessions:
                self._sessions.move_to_end(name)
            return self._sessions.get(name)

    def _open(self, name: str) -> Sessions:
        """Open a user's memory: only that user waits for the database."""
        with self._opening.of(name):
            if found := self._opened(name):
                return found
            store = Store.open(self._settings.postgres, user=name)
            memory = ChatMemory(store, self._settings, models=self._models)
            found = Sessions(memory, self._samples, user=name, signs_out=not self.by_proxy)
            with self._lock:
                self._sessions[name] = found
                idle = self._take_idle()
        for sessions in idle:
            sessions.own.close()
        return found

    def memory_of(self, scope: Scope) -> ChatMemory | None:
        """The memory of a request's user."""
        name = self.user_of(scope)
        return None if name is None else self.sessions(name).own

    def index_left(self) -> int:
        """How many chunks of all users have no vector yet. Raises ``StoreError``."""
        with self._opening.of(None):
            if self._everything is None:
                store = Store.open(self._settings.postgres, user=None)
                self._everything = ChatMemory(store, self._settings, models=self._models)
        return self._everything.index_left()

    def _take_idle(self) -> list[Sessions]:
        """If too many memories are open, those to close: of users without an open tab."""
        taken = []
        for name, sessions in list(self._sessions.items())[:-1]:
            if len(self._sessions) > MOST_USERS and not sessions.in_use:
                taken.append(self._sessions.pop(name))
        return taken

    # --- what is refused ------------------------------------------------------------------------------

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why a request is refused: nobody is signed in, or it listens to another user's tab."""
        path = scope["path"]
        if _OPEN.fullmatch(path):
            return None
        name = self.user_of(scope)
        if name is None:
            return 401, "Sign in first."
        stream = _STREAM.fullmatch(path)
        if stream is None:
            return None
        query = parse_qs(scope["query_string"].decode("latin-1")).get("session_hash", [""])
        return None if self._owns(name, stream[1] or query[0]) else (403, "This tab is not yours.")

    def _owns(self, name: str, session: str) -> bool:
        """Whether a browser session is this user's: it belongs to the first user who requests it."""
        with self._owning:
            owner = self._streams.setdefault(session, name)
            self._streams.move_to_end(session)
            while len(self._streams) > MOST_STREAMS:
                self._streams.popitem(last=False)
            return owner == name


def has_users(settings: Settings) -> bool:
    """Whether users sign in to the page: the database has users, and the settings name none."""
    if not settings.postgres or settings.user or settings.public:
        return False
    with Users.open(settings.postgres) as users:
        return bool(users.all())


def _networks(settings: Settings) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """The networks whose proxy header is trusted. Raises ``BadSetting``."""
    try:
        return tuple(map(ipaddress.ip_network, settings.proxy_addresses.replace(",", " ").split()))
    except ValueError as error:
        raise BadSetting(
            f"The setting 'proxy_addresses' is not valid ({error}): write addresses or networks with "
            "commas between, such as 127.0.0.1, 10.0.0.0/8."
        ) from error
