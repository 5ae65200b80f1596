"""A model server on this machine that speaks slowly, and notices when nobody listens any more."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

EARLY = 90
"""Words. A client leaves by itself after twice as many pieces as an answer has tokens, which is 192."""
YES = {
    "choices": [{"logprobs": {"content": [{"top_logprobs": [{"token": "Yes", "logprob": -0.1}]}]}}]
}


class SlowServer:
    """Streams ``text`` a word at a time, ``pause`` seconds apart."""

    def __init__(self, text: str = "Walter Quint tunes the piano.", pause: float = 0.0) -> None:
        self.text, self.pause = text, pause
        self.said = 0
        self.asked: list[str] = []
        self.hung_up = threading.Event()
        self.speaking = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()
                if not body["stream"]:
                    self.wfile.write(json.dumps(YES).encode())
                    return
                outer.asked.append(body["messages"][-1]["content"])
                try:
                    outer._speak(self)
                except OSError:
                    outer.hung_up.set()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """What makes MiniRAG Chat ask this server."""
        return {
            "MINIRAG_CHAT_MODEL": "server",
            "MINIRAG_CHAT_SERVER_URL": self.url,
            "MINIRAG_CHAT_SERVER_MODEL": "slow",
        }

    def says(self, text: str, pause: float = 0.0) -> None:
        """What it says from now on, and that it has not been left yet."""
        self.text, self.pause, self.said = text, pause, 0
        self.hung_up.clear()
        self.speaking.clear()

    def left_early(self) -> bool:
        """Wait until nobody listens any more; whether that was long before the end of an answer."""
        return self.hung_up.wait(120) and self.said < EARLY

    def _speak(self, handler: BaseHTTPRequestHandler) -> None:
        self.said = 0
        for word in self.text.split():
            self._send(handler, {"delta": {"content": f"{word} "}, "finish_reason": None})
            self.said += 1
            self.speaking.set()
            time.sleep(self.pause)
        self._send(handler, {"delta": {}, "finish_reason": "stop"})
        handler.wfile.write(b"data: [DONE]\n\n")

    def _send(self, handler: BaseHTTPRequestHandler, choice: dict[str, Any]) -> None:
        handler.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
        handler.wfile.flush()

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
