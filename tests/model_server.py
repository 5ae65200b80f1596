"""A hand-written model server: the real protocol over a real socket, or whatever else a port may say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Behave = Callable[[BaseHTTPRequestHandler], None]


def listing(*names: object, owner: str = "library") -> dict[str, Any]:
    """What /v1/models says."""
    items = [{"id": name, "object": "model", "owned_by": owner} for name in names]
    return {"object": "list", "data": items}


def gives(value: object, status: int = 200) -> Behave:
    """Answer with a JSON document, or with these bytes."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return behave


class ModelServer:
    """Answers each path by what ``paths`` has for it, and 404 otherwise; a question by ``says``.

    ``asked`` are the requests, as "GET /v1/models", ``bodies`` the questions. Without ``logprobs`` it is a
    server that knows none.
    """

    def __init__(
        self,
        *names: object,
        owner: str = "library",
        says: str = "Walter Quint.",
        logprobs: bool = False,
    ) -> None:
        self.paths: dict[str, Behave] = {"/v1/models": gives(listing(*names, owner=owner))}
        self.says = says
        self.logprobs = logprobs
        self.asked: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.closed = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(f"GET {self.path}")
                outer._do(self, outer.paths.get(self.path, gives({}, 404)))

            def do_POST(self) -> None:
                outer.asked.append(f"POST {self.path}")
                outer.bodies.append(
                    json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                )
                outer._do(self, outer._answer)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._http.server_port
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def _do(self, handler: BaseHTTPRequestHandler, behave: Behave) -> None:
        try:
            behave(handler)
        except OSError:
            self.closed.set()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        if not self.bodies[-1]["stream"]:
            tops = [{"token": "Yes", "logprob": -0.05}, {"token": "No", "logprob": -3.0}]
            told = {"content": [{"top_logprobs": tops}]} if self.logprobs else None
            gives({"choices": [{"message": {"content": "Yes"}, "logprobs": told}]})(handler)
            return
        handler.send_response(200)
        handler.end_headers()
        for word in self.says.split(" "):
            said = {"choices": [{"delta": {"content": f"{word} "}, "finish_reason": None}]}
            handler.wfile.write(f"data: {json.dumps(said)}\n\n".encode())
        handler.wfile.write(b"data: [DONE]\n\n")

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
