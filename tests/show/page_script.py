"""What the page's script in a browser sends, without a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import httpx

LONGEST = 120.0  # seconds until an answer


class PageScript:
    """One session with a page; where it is not ``shown``, one of a program, which loads no page."""

    def __init__(self, address: str, session: str, *, shown: bool = True) -> None:
        self._client = httpx.Client(base_url=f"{address}gradio_api/queue", timeout=LONGEST)
        self._session = session
        parts = self._client.get(f"{address}config").raise_for_status().json()
        self._events = {made["api_name"]: made for made in parts["dependencies"]}
        values = {part["id"]: part["props"].get("value") for part in parts["components"]}
        self._settings = [values[part] for part in self._events["_typed"]["inputs"][1:]]
        self._options = [values[part] for part in self._events["_upload"]["inputs"][1:]]
        if shown:
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

    def answer(self, question: str) -> dict[str, Any]:
        """The named endpoint ``ask``: an answer, or an error and its type."""
        found: dict[str, Any] = json.loads(self._run("ask", [question, None, None, None]))["data"][
            0
        ]
        return found

    def press(self, word: str, value: str) -> str:
        """Press a button of the page; returns what it shows then."""
        return self._run("_press", [], {"do": word, "value": value})

    def drop(self, file: Path) -> str:
        """Drop a file on the page, which imports it; returns what it shows then."""
        sent = self._client.post("../upload", files={"files": (file.name, file.read_bytes())})
        (path,) = sent.raise_for_status().json()
        meta = {"_type": "gradio.FileData"}
        sent_file = {"path": path, "orig_name": file.name, "meta": meta}
        return self._run("_upload", [[sent_file], *self._options])

    def _run(
        self, event: str, data: Sequence[object], event_data: Mapping[str, str] | None = None
    ) -> str:
        number = self._events[event]["id"]
        sent = {
            "data": data, "fn_index": number, "session_hash": self._session, "event_data": event_data,
        }  # fmt: skip
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
