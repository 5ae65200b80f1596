"""What the page's script in a browser sends, without a browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Self

import httpx

LONGEST = 120.0  # seconds until an answer


class PageScript:
    """One session with a page, which has been loaded."""

    def __init__(self, address: str, session: str) -> None:
        self._client = httpx.Client(base_url=f"{address}gradio_api/queue", timeout=LONGEST)
        self._session = session
        parts = self._client.get(f"{address}config").raise_for_status().json()
        self._events = {made["api_name"]: made for made in parts["dependencies"]}
        values = {part["id"]: part["props"].get("value") for part in parts["components"]}
        self._settings = [values[part] for part in self._events["_typed"]["inputs"][1:]]
        self._run("_loaded", [])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def ask(self, question: str) -> str:
        """Ask, and wait for the answer; returns what the page is to show then, as JSON."""
        self._run("_typed", [question, *self._settings])
        shown = self._run("_answer_1", [])
        self._run("_forget_copies_1", [])
        return shown

    def _run(self, event: str, data: Sequence[object]) -> str:
        number = self._events[event]["id"]
        sent = {"data": data, "fn_index": number, "session_hash": self._session, "event_data": None}
        waits = self._client.post("/join", json=sent).raise_for_status().json()["event_id"]
        with self._client.stream("GET", "/data", params={"session_hash": self._session}) as stream:
            heard = b""
            for piece in stream.iter_bytes():
                *messages, heard = (heard + piece).split(b"\n\n")
                for message in messages:
                    said = json.loads(message.removeprefix(b"data: "))
                    if said.get("event_id") == waits and said["msg"] == "process_completed":
                        return json.dumps(said["output"])
        raise AssertionError(f"the page has not answered {event}")
