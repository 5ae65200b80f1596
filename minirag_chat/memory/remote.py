"""A memory that lives in a Jupyter server: ten notebooks, one engine, one model.

``ChatMemory.connect()`` returns a :class:`RemoteMemory`, which is used like ``ChatMemory``. Stopping
closes the connection, which tells the server to stop the model.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Self

import httpx
import psutil

from minirag_chat import errors
from minirag_chat.errors import MiniRagChatError, NotFound
from minirag_chat.json_records import from_json
from minirag_chat.memory.filters import When, each_of
from minirag_chat.memory.options import only_known_options
from minirag_chat.question import MOST_HISTORY
from minirag_chat.records import (
    Answer,
    Cancelled,
    Chat,
    Deletion,
    EmptiedTrash,
    Evidence,
    ImportReport,
    Message,
    OnContext,
    Person,
    Progress,
    ReasoningPath,
    Report,
    ignore_context,
    never,
)
from minirag_chat.records.exploration import Info, Table
from minirag_chat.system.file_paths import given_path

SECONDS = httpx.Timeout(60.0, connect=5.0)
AS_LONG_AS_IT_TAKES = httpx.Timeout(None, connect=5.0)
"""For changes: a deletion from a long history rewrites the file, which may take minutes."""
START = "start one with `jupyter lab` where minirag-chat[notebook] is installed"


class ServerGone(MiniRagChatError):
    """The Jupyter server cannot be reached, or refuses access."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running Jupyter server."""

    url: str
    token: str
    root: Path | None = None
    pid: int = 0


def running_servers() -> list[Server]:
    """Jupyter servers of this user on this machine; the one that started this kernel comes first."""
    from jupyter_core.paths import jupyter_runtime_dir

    found = []
    for file in Path(jupyter_runtime_dir()).glob("jpserver-*.json"):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            description = json.loads(file.read_text(encoding="utf-8"))
            root = Path(description["root_dir"]) if description.get("root_dir") else None
            server = Server(
                str(description["url"]), str(description["token"]), root, int(description["pid"])
            )
            if psutil.pid_exists(server.pid):  # a server that was killed leaves its file
                found.append(server)
    own = os.environ.get("JPY_PARENT_PID", "")
    return sorted(found, key=lambda server: (str(server.pid) != own, -server.pid))


def connect(db: str | Path | None = None, url: str | None = None, token: str = "") -> RemoteMemory:
    """The memory ``db`` of the server at ``url``, by default the server that started this kernel.

    ``db`` is a local path, or a path relative to the server's root; None is the default database.
    Raises ``ServerGone`` or ``NotFound``.
    """
    if url is not None:
        return RemoteMemory(Server(url, token), db)
    refusal: MiniRagChatError | None = None
    for server in running_servers():
        try:
            return RemoteMemory(server, db)
        except ServerGone as error:  # a Jupyter server without the extension, for example
            refusal = refusal or error
    raise refusal or ServerGone(f"No Jupyter server of yours runs on this machine: {START}.")


class RemoteMemory:
    """A ``ChatMemory`` that runs in a Jupyter server. Thread-safe."""

    def __init__(self, server: Server, db: str | Path | None = None) -> None:
        self.server = server
        self.db = _below_root(db, server.root)
        headers = {"Authorization": f"token {server.token}"} if server.token else {}
        self._client = httpx.Client(
            base_url=f"{server.url.rstrip('/')}/minirag-chat/",
            headers=headers,
            timeout=SECONDS,
            trust_env=False,  # a proxy set in the environment must not see messages
        )
        self._conversation: list[tuple[str, str]] = []  # it may quote what is deleted
        self._deleted: str | None = None  # ``deleted_so_far`` when that was last checked
        try:
            self._get("corpora")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection; the server keeps its database open for others."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        try:
            return self.info()._repr_mimebundle_()
        except MiniRagChatError as error:  # there may be no such database yet
            return {"text/plain": str(error)}

    # --- questions ---------------------------------------------------------------------------------

    @only_known_options
    def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
        history: Sequence[tuple[str, str]] | None = None,
        cancelled: Cancelled = never,
        reads: OnContext = ignore_context,
    ) -> Generator[str | Answer, None, None]:
        """Like ``ChatMemory.stream``. Waits for its turn if others ask the same server."""
        conversation = self._conversation  # of this question, also if it is forgotten meanwhile
        past = list(conversation if history is None else history)[-MOST_HISTORY:]
        filters = _filters(people, chats, since, until)
        body = {"question": question, "method": method, "history": past, **filters}
        body["deleted"] = self._deleted if history is None else None
        text, answer = "", None
        for name, data in self._events("ask", body, cancelled):
            if name == "deleted":
                self._forget_after(from_json(str, data["so_far"]))
            elif name == "piece":
                text += data["text"]
                yield data["text"]
            elif name == "reads":
                reads(from_json(list[Message], data["messages"]))
            elif name == "answer":
                answer = from_json(Answer, data)
        if answer is None and not cancelled():
            raise ServerGone(f"The server broke off in the middle of an answer: {START}.")
        answer = answer or _stopped(question, text)
        if history is None and not answer.stopped:
            conversation.append((question, answer.text))
            del conversation[:-MOST_HISTORY]
        yield answer

    def ask(self, question: str, **options: Any) -> Answer:
        """Answer a question; takes what :meth:`stream` takes. An interrupt stops the model."""
        with contextlib.closing(self.stream(question, **options)) as pieces:
            return next(piece for piece in pieces if isinstance(piece, Answer))

    def forget_conversation(self) -> None:
        """Begin a new conversation."""
        self._conversation = []

    def _forget_after(self, deleted: str) -> None:
        """Forget the conversation if anybody has deleted something since; the server did not read it."""
        if self._deleted != deleted:
            self._conversation.clear()
        self._deleted = deleted

    def retrieve(
        self,
        question: str,
        method: str | None = None,
        k: int = 10,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
    ) -> list[Evidence]:
        """The ``k`` messages that fit the question best, best first."""
        body = {"question": question, "method": method, "k": k, "db": self.db}
        body |= _filters(people, chats, since, until)
        found = self._call("POST", "retrieve", json=body)["found"]
        return from_json(list[Evidence], found)

    # --- looking around, changing --------------------------------------------------------------------

    def info(self) -> Info:
        """What it holds and which model reads it."""
        return from_json(Info, self._get("info"))

    def chats(self) -> Table[Chat]:
        """All chats, the most recently active first."""
        return Table(Chat, from_json(list[Chat], self._get("chats")["chats"]))

    def people(self) -> Table[Person]:
        """Everyone who wrote."""
        return Table(Person, from_json(list[Person], self._get("people")["people"]))

    @property
    def me(self) -> Person | None:
        """Who asks: "I" and "my" in a question mean this person. None where that is not known."""
        return from_json(Person | None, self._get("me")["me"])  # type: ignore[arg-type]  # a union

    def set_me(self, person: str | int | None) -> Person | None:
        """Say who asks, by a name or a person's id; None says that it is nobody in these messages."""
        response = self._call("POST", "me", json={"person": person, "db": self.db})
        return from_json(Person | None, response["me"])  # type: ignore[arg-type]  # a union

    def likely_me(self) -> list[Person]:
        """Who may be the one who asks, the likeliest first; empty once :meth:`set_me` was called."""
        return from_json(list[Person], self._get("me")["likely"])

    def search(
        self,
        text: str,
        k: int = 20,
        *,
        people: Sequence[str | int] | None = None,
        chats: Sequence[str | int] | None = None,
        since: When = None,
        until: When = None,
    ) -> list[Evidence]:
        """Plain search: the messages with these words, best first."""
        filters = _filters(people, chats, since, until)
        query = {name: value for name, value in filters.items() if value is not None}
        return from_json(list[Evidence], self._get("search", q=text, k=k, **query)["found"])

    def conversation(self, message_id: int, around: int = 5) -> list[Message]:
        """A message with up to ``around`` messages before and after it in its chat."""
        found = self._get(f"messages/{int(message_id)}", around=around)
        return from_json(list[Message], found["messages"])

    def add(
        self, path: str | Path, *, progress: Report | None = None, **options: Any
    ) -> ImportReport:
        """Import files that lie below the server's root; all or nothing."""
        body = {"path": _below_root(given_path(path), self.server.root), **options}
        for name, data in self._events("import", body, never):
            if name == "progress" and progress is not None:
                progress(from_json(Progress, data))
            elif name == "report":
                return from_json(ImportReport, data)
        raise ServerGone(f"The server broke off in the middle of an import: {START}.")

    def delete_chat(self, chat: str | int) -> Chat:
        """Delete a chat, by its title or number, with everything derived from it."""
        same = [c for c in self.chats() if str(chat) in (str(c.id), c.title)]
        if len(same) != 1:
            raise NotFound(f"There is no one chat {chat!r}: `chats()` lists them.")
        self._conversation.clear()
        return from_json(Chat, self._call("DELETE", f"chats/{same[0].id}")["deleted"])

    # --- deleting ------------------------------------------------------------------------------------

    def preview_delete(self, **selection: Any) -> Deletion:
        """As ``ChatMemory.preview_delete``."""
        response = self._post("delete", preview=True, **_as_json(selection))
        return from_json(Deletion, response["would_be_deleted"])

    def delete(self, *, now: bool = False, prove: bool = False, **selection: Any) -> Deletion:
        """As ``ChatMemory.delete``; a proof searches the files of the server's machine."""
        self._conversation.clear()
        response = self._post("delete", now=now, prove=prove, **_as_json(selection))
        return from_json(Deletion, response["deleted"])

    def preview_name(self, person: str | int, by: str) -> Deletion:
        """As ``ChatMemory.preview_name``."""
        response = self._post("rename", person=person, by=by, preview=True)
        return from_json(Deletion, response["would_be_changed"])

    def replace_name(
        self, person: str | int, by: str, *, now: bool = False, prove: bool = False
    ) -> Deletion:
        """As ``ChatMemory.replace_name``."""
        self._conversation.clear()
        response = self._post("rename", person=person, by=by, now=now, prove=prove)
        return from_json(Deletion, response["changed"])

    def deletions(self) -> list[Deletion]:
        """What was deleted and can still be restored, the latest first."""
        return from_json(list[Deletion], self._call("GET", "trash")["deletions"])

    def deleted_so_far(self) -> str:
        """A token that changes whenever anybody deletes something, for good or into the trash."""
        return from_json(str, self._call("GET", "trash").get("so_far"))

    def restore(self, number: int | None = None) -> Deletion:
        """Undo a deletion by its number, or the latest one."""
        return from_json(Deletion, self._post("restore", number=number)["restored"])

    def empty_trash(self, *, prove: bool = False) -> EmptiedTrash:
        """As ``ChatMemory.empty_trash``; a proof searches the files of the server's machine."""
        self._conversation.clear()
        return from_json(EmptiedTrash, self._post("empty", prove=prove))

    # --- inside --------------------------------------------------------------------------------------

    def _get(self, path: str, **query: Any) -> Any:
        return self._call("GET", path, params=query)

    def _post(self, path: str, **body: Any) -> Any:
        return self._call("POST", path, json={**body, "db": self.db})

    def _call(self, method: str, path: str, **options: Any) -> Any:
        options["params"] = {"db": self.db, **options.get("params", {})}
        with self._as_server_gone():
            limit = SECONDS if method == "GET" else AS_LONG_AS_IT_TAKES
            answer = self._client.request(method, path, timeout=limit, **options)
            self._check(answer)
            return answer.json()

    def _events(
        self, path: str, body: Mapping[str, Any], cancelled: Cancelled
    ) -> Iterator[tuple[str, Any]]:
        """The server's events; leaving the loop in any way closes the connection."""
        name = ""
        with (
            self._as_server_gone(),
            self._client.stream("POST", path, json={**body, "db": self.db}) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                answer.read()
            self._check(answer)
            for line in answer.iter_lines():
                if cancelled():
                    return
                key, _, value = line.partition(": ")
                if key == "event":
                    name = value
                elif key == "data" and name == "error":
                    _raise(json.loads(value))
                elif key == "data":
                    yield name, json.loads(value)

    @contextlib.contextmanager
    def _as_server_gone(self) -> Iterator[None]:
        if self._client.is_closed:
            raise ServerGone("This memory is closed: connect again with ChatMemory.connect().")
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServerGone(
                f"The Jupyter server {self.server.url} cannot be reached "
                f"({type(error).__name__}): {START}."
            ) from error
        except ValueError as error:
            raise ServerGone(
                f"{self.server.url} did not answer as the extension does: is it a Jupyter server?"
            ) from error

    def _check(self, answer: httpx.Response) -> None:
        if answer.status_code == httpx.codes.OK:
            return
        body: Any = None
        with contextlib.suppress(ValueError):
            body = answer.json()
        if isinstance(body, dict) and "type" in body:
            _raise(body)
        remedy = {
            401: "pass its token",
            403: "pass its token; where it has a password instead, start it with a token",
            404: "install minirag-chat[notebook] beside it and start it again",
        }.get(answer.status_code, "look at its log")
        raise ServerGone(f"{self.server.url} answered {answer.status_code}: {remedy}.")


def _raise(error: Mapping[str, Any]) -> None:
    """Raise the server's error as the same class here, if it is one of ours."""
    kind = getattr(errors, str(error.get("type")), None)
    if not (isinstance(kind, type) and issubclass(kind, MiniRagChatError)):
        kind = MiniRagChatError
    raise kind(str(error.get("message") or "The server failed: look at its log."))


def _below_root(path: str | Path | None, root: Path | None) -> str:
    """A path relative to the server's root if it lies below it, else as given."""
    if path is None:
        return ""
    resolved = Path(path).expanduser().resolve()
    if root is not None and resolved.is_relative_to(root.resolve()):
        return resolved.relative_to(root.resolve()).as_posix()
    return str(path)


def _filters(
    people: Sequence[str | int] | None, chats: Sequence[str | int] | None, since: When, until: When
) -> dict[str, Any]:
    """What limits a question, as the server takes it."""
    return {
        "people": None if people is None else list(each_of(people)),
        "chats": None if chats is None else list(each_of(chats)),
        "since": time_text(since), "until": time_text(until),
    }  # fmt: skip


def _stopped(question: str, text: str) -> Answer:
    """The text up to the stop, as an answer: the server keeps none that nobody waits for."""
    return Answer(
        question, text, abstained=False, confidence=0.0, reason=None, sources=(), closest=(),
        path=ReasoningPath(), timings={}, model="", stopped=True,
    )  # fmt: skip


def _as_json(selection: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that choose messages, one name as a list of it, with times as text for JSON."""
    names = {key: list(each_of(selection[key])) for key in ("people", "chats") if key in selection}
    times = {key: time_text(selection[key]) for key in ("since", "until") if key in selection}
    return {**selection, **names, **times}


def time_text(moment: When) -> str | None:
    """A time as the text that the server expects."""
    return moment.isoformat() if isinstance(moment, (date, datetime)) else moment
