"""A page, commands and a notebook on one database: imports, deletions, merges and questions at random.

    python tests/crowd.py --minutes 10 --seed 1

Each of the three is a real process: a page that is asked over HTTP, ``minirag-chat`` commands, and an
IPython kernel. What they import are chats of four messages around an invented word, so that it is known
when a word must be found, when it must be gone, and that all four messages are there or none. A failure
is an error of any kind, half an import, or an answer from a state that is more than two seconds old.
Prints each failure and, at the end, how often each process did what, with its median and longest time.
Not a test: ``test_shared_file.py`` runs it for seconds.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Protocol, Self

sys.path.append(str(Path(__file__).parent / "show"))

from browsing import free_port
from gradio_client import Client
from jupyter_client.manager import KernelManager

OLD = 2.0  # seconds after which nobody may see what was before
PARTS = 4  # messages of an import
PLACES = ("cellar", "attic", "garage", "office", "barn", "kitchen")
LISTED = 3  # facts that are there from the beginning, and stay


@dataclass
class Fact:
    """A chat around an invented word, and when it came and went: seconds of the driver's clock."""

    word: str
    begun: float = 0.0
    there: float = float("inf")
    leaving: float = float("inf")
    gone: float = float("inf")

    @property
    def chat(self) -> str:
        """The chat's title."""
        return f"Talk {self.word}"

    @property
    def people(self) -> tuple[str, str]:
        """Who writes in it."""
        return f"Ann {self.word.title()}", f"Bob {self.word.title()}"

    def written(self, folder: Path) -> Path:
        """An export with its messages."""
        ann, bob = self.people
        path = folder / f"{self.word}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("sent_at", "sender", "text", "chat"))
            for number in range(PARTS):
                text = f"The {self.word} is kept in the {PLACES[number]} since week {number}."
                when = f"2026-03-0{number + 1} 10:00"
                writer.writerow((when, (ann, bob)[number % 2], text, self.chat))
        return path

    def wrong(self, found: int, asked: tuple[float, float], *, whole: bool) -> str:
        """What is wrong with seeing ``found`` of its messages between two moments; empty: nothing."""
        first, last = asked
        if whole and found not in (0, PARTS):
            return f"{found} of {PARTS} messages"
        if found and first > self.gone + OLD:
            return f"found {first - self.gone:.1f} s after it was deleted"
        if not found and first > self.there + OLD and last < self.leaving:
            return f"not found {first - self.there:.1f} s after it was imported"
        return ""


class Face(Protocol):
    """One of the processes."""

    name: str

    def add(self, path: Path) -> None:
        """Import."""

    def delete(self, chat: str) -> None:
        """Delete a chat for good."""

    def merge(self, spelling: str, into: str) -> None:
        """Say that a spelling is another person."""

    def search(self, word: str) -> list[str]:
        """Messages with a word."""

    def ask(self, question: str) -> list[str]:
        """The messages that an answer shows."""


class Commands:
    """Each command is a process."""

    name = "commands"

    def add(self, path: Path) -> None:
        self._run("add", str(path))

    def delete(self, chat: str) -> None:
        self._run("delete", chat, "--now", "--yes")

    def merge(self, spelling: str, into: str) -> None:
        self._run("people", "merge", spelling, into)

    def search(self, word: str) -> list[str]:
        return [found["message"]["text"] for found in self._run("search", word)]

    def ask(self, question: str) -> list[str]:
        return shown(self._run("ask", question))

    def _run(self, *words: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "minirag_chat.cli", *words, "--json"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise AssertionError(f"{words[0]}: {done.stderr.strip()[-400:]}")
        return json.loads(done.stdout)


class Spoken:
    """A process with ``memory`` that evaluates an expression and gives its value."""

    name = ""

    def value(self, expression: str) -> Any:
        raise NotImplementedError

    def add(self, path: Path) -> None:
        self.value(f"memory.add({str(path)!r}).messages_added")

    def delete(self, chat: str) -> None:
        self.value(f"memory.delete_chat({chat!r}).title")

    def merge(self, spelling: str, into: str) -> None:
        self.value(f"memory.merge_people({spelling!r}, {into!r})")

    def search(self, word: str) -> list[str]:
        found: list[str] = self.value(f"[e.message.text for e in memory.search({word!r})]")
        return found

    def ask(self, question: str) -> list[str]:
        return shown(self.value(f"to_json(memory.ask({question!r}, history=()))"))


OPENING = """
from minirag_chat import ChatMemory, Settings
from minirag_chat.json_records import to_json
memory = ChatMemory.open()
"""


class Notebook(Spoken):
    """An IPython kernel."""

    name = "notebook"

    def __init__(self) -> None:
        self.manager = KernelManager()
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=300)
        self._cell(OPENING)

    def value(self, expression: str) -> Any:
        return json.loads(self._cell(f"import json; print(json.dumps({expression}))"))

    def _cell(self, code: str) -> str:
        said: list[str] = []

        def heard(message: dict[str, Any]) -> None:
            content = message["content"]
            if message["msg_type"] == "stream" and content["name"] == "stdout":
                said.append(content["text"])
            if message["msg_type"] == "error":
                raise AssertionError("\n".join(content["traceback"])[-400:])

        self.client.execute_interactive(code, timeout=600, output_hook=heard)
        return "".join(said)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


SERVING = """
import json, sys
from minirag_chat.show.page import launch
print(launch(memory, port=int(sys.argv[1]), block=False), flush=True)
for line in sys.stdin:
    try:
        print(json.dumps([True, eval(line)]), flush=True)
    except Exception as error:
        print(json.dumps([False, f"{type(error).__name__}: {error}"]), flush=True)
"""


class Page(Spoken):
    """A page: asked as a program asks it, over HTTP; it changes things as its own buttons do."""

    name = "page"

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OPENING + SERVING, str(free_port())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.client = Client(self.process.stdout.readline().strip(), verbose=False)

    def value(self, expression: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{expression}\n")
        self.process.stdin.flush()
        good, value = json.loads(self.process.stdout.readline())
        if not good:
            raise AssertionError(value)
        return value

    def ask(self, question: str) -> list[str]:
        answer = self.client.predict(question, None, None, None, api_name="/ask")
        if "error" in answer:
            raise AssertionError(answer["error"])
        return shown(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def shown(answer: dict[str, Any]) -> list[str]:
    """The texts of the messages that an answer shows."""
    return [source["text"] for source in (*answer["sources"], *answer["closest"])]


@dataclass
class Crowd:
    """What is known of the database, shared by those who work on it."""

    folder: Path
    drawn: random.Random
    facts: list[Fact] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)
    times: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, faces: list[Face], seconds: float) -> None:
        """Let all faces work at the same time."""
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=self._work, args=(face, end)) for face in faces]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self, face: Face, end: float) -> None:
        deeds: tuple[tuple[str, Callable[[Face], str]], ...] = (
            ("import", self.bring), ("delete", self._delete), ("merge", self._merge),
            *(("search", self._search),) * 3, *(("question", self._question),) * 5,
        )  # fmt: skip
        while time.monotonic() < end:
            with self.lock:
                name, deed = self.drawn.choice(deeds)
            begun = time.monotonic()
            try:
                wrong = deed(face)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure
                wrong = f"{type(error).__name__}: {error}"
            self.times[face.name, name].append(time.monotonic() - begun)
            if wrong:
                self.failures.append(f"{face.name}, {name}: {wrong}")
                sys.stdout.write(f"{self.failures[-1]}\n")
                sys.stdout.flush()

    def bring(self, face: Face) -> str:
        """Import a new fact."""
        with self.lock:
            word = "".join(
                self.drawn.choice("bdfgklmnprtv") + self.drawn.choice("aiou") for _ in range(5)
            )
            fact = Fact(word, begun=time.monotonic())
            self.facts.append(fact)
            self.held.add(word)
        face.add(fact.written(self.folder))
        fact.there = time.monotonic()
        self.held.discard(word)
        return ""

    def _taken(self) -> Fact | None:
        """A fact that is there, for one who changes it alone."""
        with self.lock:
            free = [f for f in self.facts if f.word not in self.held and f.gone == float("inf")]
            if len(free) <= LISTED:
                return None
            fact = self.drawn.choice(free)
            self.held.add(fact.word)
            return fact

    def _delete(self, face: Face) -> str:
        if (fact := self._taken()) is None:
            return ""
        fact.leaving = time.monotonic()
        face.delete(fact.chat)
        fact.gone = time.monotonic()
        return ""

    def _merge(self, face: Face) -> str:
        if (fact := self._taken()) is None:
            return ""
        face.merge(fact.people[1], fact.people[0])
        self.held.discard(fact.word)
        return ""

    def _any(self) -> Fact | None:
        with self.lock:
            return self.drawn.choice(self.facts) if self.facts else None

    def _search(self, face: Face) -> str:
        return self._seen(face.search, "{}", whole=True)

    def _question(self, face: Face) -> str:
        return self._seen(face.ask, "Where is the {} kept?", whole=False)

    def _seen(self, look: Callable[[str], list[str]], asked: str, *, whole: bool) -> str:
        if (fact := self._any()) is None:
            return ""
        begun = time.monotonic()
        texts = look(asked.format(fact.word))
        found = sum(fact.word in text for text in texts)
        return fact.wrong(found, (begun, time.monotonic()), whole=whole)

    def settled(self, db: Path) -> list[str]:
        """What is wrong with the file when all is done."""
        there = [f for f in self.facts if f.there < float("inf") and f.gone == float("inf")]
        with closing(sqlite3.connect(db)) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
            count = connection.execute("SELECT count(*) FROM messages").fetchone()[0]
        wrong = [] if whole == "ok" else [f"integrity: {whole}"]
        if not self.failures and count != PARTS * len(there):
            wrong.append(f"{count} messages, {PARTS * len(there)} were left")
        return wrong


def main() -> int:
    """Run it; returns 1 where anything failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        db = Path(folder) / "chats.db"
        os.environ |= {"MINIRAG_CHAT_DB": str(db), "MINIRAG_CHAT_MODEL": "extractive"}
        crowd = Crowd(Path(folder), random.Random(asked.seed))  # noqa: S311 - no secret
        faces: list[Face] = [
            Commands(), stack.enter_context(Page()), stack.enter_context(Notebook()),
        ]  # fmt: skip
        for _ in range(LISTED):
            crowd.bring(faces[-1])
        crowd.run(faces, asked.minutes * 60)
        wrong = crowd.settled(db)
    for (name, what), times in sorted(crowd.times.items()):
        told = f"{name:10} {what:10} {len(times):5}   median {median(times):.2f} s   longest {max(times):.2f} s\n"
        sys.stdout.write(told)
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    sys.stdout.write(f"{len(crowd.failures) + len(wrong)} failures\n")
    return bool(crowd.failures or wrong)


if __name__ == "__main__":
    sys.exit(main())
