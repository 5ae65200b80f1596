"""What every route shares: authorisation, the limit on bodies, error responses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, ClassVar, TypeVar

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado.web import HTTPError, authenticated, stream_request_body

from minirag_chat.errors import (
    BadDeletion,
    BadQuestion,
    BadSetting,
    BadTime,
    DatabaseLocked,
    EmptyMemory,
    ImportFailed,
    IndexMissing,
    MiniRagChatError,
    ModelError,
    NotFound,
    StoreError,
    TooManyWaiting,
)
from minirag_chat_jupyter.databases import Database, Databases, OutsideRoot
from minirag_chat_jupyter.request_bodies import BadRequest, Body, parsed
from minirag_chat_jupyter.thread_pools import ThreadPools

MOST_BYTES = 1024 * 1024
"""The longest body: questions and paths are short; exports are files, not bodies."""
_DIGITS = 15  # of a number
# Arguments that Jupyter reads, and one that browsers add against their cache.
_JUPYTERS = ("token", "_xsrf", "_")
_STATUS: tuple[tuple[type[MiniRagChatError], int], ...] = (
    (OutsideRoot, 403),
    (BadTime, 400),
    (NotFound, 404),
    (EmptyMemory, 409),
    (IndexMissing, 409),
    (DatabaseLocked, 423),
    (ModelError, 503),
    (TooManyWaiting, 503),
    (ImportFailed, 422),
    (StoreError, 409),
    (BadQuestion, 400),
    (BadDeletion, 400),
    (BadRequest, 400),
    (BadSetting, 400),
)

Result = TypeVar("Result")


def status_of(error: Exception) -> int:
    """The HTTP status that fits an error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


@stream_request_body
class Handler(APIHandler):
    """Authentication, authorisation, XSRF and origin are Jupyter's own, for every verb of every route."""

    auth_resource = "minirag_chat"
    queries: ClassVar[Mapping[str, str]] = {}
    """The query arguments besides ``db``, and the JSON type of each."""

    def __init_subclass__(cls) -> None:
        """Require Jupyter's authentication and authorisation for every verb of a route."""
        super().__init_subclass__()
        for verb in {method.lower() for method in cls.SUPPORTED_METHODS} & vars(cls).keys():
            setattr(cls, verb, authenticated(authorized(getattr(cls, verb))))

    def initialize(self) -> None:
        """Begin with an empty body."""
        self._received = bytearray()

    @property
    def databases(self) -> Databases:
        """The open databases, which all requests share."""
        found: Databases = self.settings["minirag_chat_databases"]
        return found

    @property
    def threads(self) -> ThreadPools:
        """The threads, which all requests share."""
        found: ThreadPools = self.settings["minirag_chat_thread_pools"]
        return found

    async def prepare(self) -> None:  # type: ignore[override]  # as APIHandler does
        """Refuse strangers first, then too long bodies before they are read."""
        # Only HTTP/1 connections, as all are here, have this limit; their base class does not.
        self.request.connection.set_max_body_size(MOST_BYTES)  # type: ignore[union-attr]  # it is there while a request is read
        await super().prepare()
        length = self.request.headers.get("Content-Length", "")
        if length.isdigit() and int(length) > MOST_BYTES:
            raise HTTPError(413, f"The body is longer than {MOST_BYTES:,} bytes.")
        known = ("db", *self.queries)
        for name in self.request.query_arguments:
            if name not in (*known, *_JUPYTERS):
                raise BadRequest(
                    f"There is no argument {name!r} here: the arguments are {', '.join(known)}."
                )

    def data_received(self, chunk: bytes) -> None:
        """Store the part of the body that has arrived."""
        self._received += chunk

    def body(self, kind: type[Body]) -> Body:
        """The request's body."""
        return parsed(kind, bytes(self._received))

    async def database(self, *, name: str | None = None, create: bool = False) -> Database:
        """The database that the call names by ``db``, in the body or as an argument."""
        db = self.named(name)
        if (known := self.databases.opened(db)) is not None:
            return known
        return await self.in_thread(
            lambda: self.databases.open(db, create=create), self.threads.opening
        )

    def named(self, name: str | None) -> str:
        """What the call names its database, in the body or as an argument."""
        asked = self.get_query_argument("db", "")
        if name and asked and name != asked:
            raise BadRequest(
                f"The body names the database {name!r}, and the argument 'db' {asked!r}: name one."
            )
        return name or asked

    async def in_thread(self, work: Callable[[], Result], pool: Executor | None = None) -> Result:
        """Run blocking work in a thread, outside the event loop; by default in one that reads."""
        pool = pool or self.threads.reading
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    async def change(self, database: Database, work: Callable[[], Result]) -> Result:
        """Run work that changes a database, after other changes. Questions wait for it outside the queue."""
        async with database.changing:
            return await self.in_thread(work, self.threads.changing)

    def needed(self, name: str, what: str) -> str:
        """A query argument that must be there; ``what`` it is, for who left it out."""
        found = self.get_query_argument(name, None)
        if found is None:
            raise BadRequest(f"The argument {name!r} is missing: give {what}.")
        return found

    def number(self, name: str, default: int, most: int) -> int:
        """A query argument in [0, most]."""
        text = self.get_query_argument(name, str(default))
        digits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
        if not digits or int(text) > most:
            raise BadRequest(f"{name} is {text!r}: give a number from 0 to {most}.")
        return int(text)

    def reply(self, document: Any) -> None:
        """Answer with JSON."""
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(document, ensure_ascii=False))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Write our own errors as one sentence with the remedy; others as Jupyter writes them."""
        error = (kwargs.get("exc_info") or (None, None))[1]
        if not isinstance(error, MiniRagChatError):
            super().write_error(status_code, **kwargs)
            return
        self.set_status(status_of(error))
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"message": str(error), "type": type(error).__name__}))

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """Log a caller's mistake as information: it is no error of the server."""
        if isinstance(value, MiniRagChatError):
            self.log.info("MiniRAG Chat refused: %s", type(value).__name__)  # no message text
            return
        super().log_exception(typ, value, tb)
