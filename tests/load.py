"""Eight browsers on one page and ten notebooks on one Jupyter server, all asking, for minutes.

    python tests/load.py --minutes 15 --seed 1

The page and the server are real processes over one database with the sample corpus, asked without a model.
Each browser is a headless Chromium, each notebook a ``RemoteMemory`` that speaks HTTP as
one in a kernel does. Now and then a page is reloaded in the middle of a question, and a notebook leaves the
answer that it asked for or takes it slowly: others must not wait for either. Questions are about words that
messages have, a new one each time. Prints for each face how often it was asked, by the most and the least
served, with the median, the 95th percentile and the longest wait, and the memory of both processes after 100
and 1,000 questions and at the end; exits 1 where anything failed. Not a test: run it on a quiet machine.

    python tests/load.py --minutes 10 --light

asks the page as its script in a browser does, without the browsers, which take most of two cores: thousands
of questions, to see whether memory grows.

    python tests/load.py --minutes 10 --pages 2 --users 32 [--most-waiting 24] [--proxy http://127.0.0.1:8080/]

lets programs ask two pages on one PostgreSQL through their endpoint ``ask``, half of them each page, or all of
them a proxy; ``--ports`` are those that the proxy knows. A refusal with the sentence to come back is counted, and is
no failure.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

sys.path.append(str(Path(__file__).parent / "show"))

import psutil
from browsing import complaints, start_chromium
from jupyter_process import TOKEN, jupyter
from page_process import page_process
from page_script import PageScript
from postgres_server import PostgresServer
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from served import text, until

from minirag_chat import ChatMemory, MiniRagChatError
from minirag_chat.corpora import samples_folder
from minirag_chat.memory.remote import connect
from minirag_chat.records import Answer

BROWSERS, NOTEBOOKS = 8, 10
MARKS = (100, 1000)  # questions after which memory is measured
LEAVES = 0.03  # share of questions whose asker goes away
THINKS = (0.5, 3.0)  # seconds between an answer and the next question
LONGEST = 120.0  # seconds that anybody waits
FORMS = (
    "What did {who} say about {word}?", "Where is the {word}?", "When was {word} mentioned?",
    "Who talked about {word} and {other}?", "Why did {who} mention {word}?",
)  # fmt: skip


@dataclass
class Load:
    """What is asked, and what came of it; shared by all who ask."""

    drawn: random.Random
    words: Sequence[str]
    people: Sequence[str]
    waits: dict[str, list[float]] = field(default_factory=lambda: {"browser": [], "notebook": []})
    served: Counter[str] = field(default_factory=Counter)
    left: int = 0
    refusals: int = 0
    retrieving: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    memory: dict[str, dict[str, int]] = field(default_factory=dict)
    processes: dict[str, psutil.Process] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def question(self) -> str:
        """A new one."""
        with self.lock:
            form, who = self.drawn.choice(FORMS), self.drawn.choice(self.people)
            word, other = self.drawn.sample(self.words, 2)
        return form.format(who=who, word=word, other=other)

    def leaves(self) -> bool:
        """Whether an asker goes away this time."""
        with self.lock:
            return self.drawn.random() < LEAVES

    def pause(self) -> float:
        """Seconds until the same asker asks again."""
        with self.lock:
            return self.drawn.uniform(*THINKS)

    def answered(self, face: str, name: str, seconds: float) -> None:
        """Note an answer."""
        with self.lock:
            self.waits[face].append(seconds)
            self.served[name] += 1
            if len(self.waits[face]) in MARKS:
                self.measure(face, f"after {len(self.waits[face])}")

    def measure(self, face: str, when: str) -> None:
        """Note the memory of the process that serves a face, in MB."""
        used = self.processes[face].memory_info().rss >> 20
        self.memory.setdefault(face, {})[when] = used

    def failed(self, what: str) -> None:
        """Note a failure, and say it at once."""
        self.failures.append(what)
        sys.stdout.write(f"{what}\n")
        sys.stdout.flush()


# --- notebooks ---------------------------------------------------------------------------------------


def notebook(load: Load, name: str, url: str, end: float) -> None:
    """Ask again and again, as a cell of a notebook does."""
    with connect(url=url, token=TOKEN) as memory:
        while time.monotonic() < end:
            question, begun, leaves = load.question(), time.monotonic(), load.leaves()
            try:
                for piece in memory.stream(question, history=()):
                    if leaves:
                        time.sleep(5)  # takes it slowly, then is gone
                        load.left += 1
                        break
                    if isinstance(piece, Answer):
                        load.answered("notebook", name, time.monotonic() - begun)
            except MiniRagChatError as error:
                load.failed(f"{name}: {error}")
            time.sleep(load.pause())


# --- browsers ----------------------------------------------------------------------------------------

DONE = """const all = document.querySelectorAll('.mc-exchange'), last = all[all.length - 1];
return [last ? Number(last.dataset.place) + 1 : 0, Boolean(last && last.querySelector('.mc-flagline')), last ? last.innerText : ''];"""


@dataclass
class Window:
    """A browser, and the question that it waits for."""

    chrome: Chrome
    name: str
    asked_at: float = 0.0
    exchanges: int = 0
    next_at: float = 0.0
    leaves: bool = False


def visit(chrome: Chrome, address: str) -> None:
    """Open the page and wait until it can be asked."""
    chrome.get(address)
    until(chrome, lambda: "messages" in text(chrome, "#loaded"), LONGEST)


def browsers(load: Load, windows: Sequence[Window], address: str, end: float) -> None:
    """Go from one to the next: each asks, waits for its answer, reads it and asks again."""
    while time.monotonic() < end:
        for window in windows:
            turn(load, window, address)
        time.sleep(0.05)
    for said in (said for window in windows for said in complaints(window.chrome)):
        load.failed(f"the browser's console: {said[:300]}")


def turn(load: Load, window: Window, address: str) -> None:
    """Look at a window once, and do what is due."""
    now, chrome = time.monotonic(), window.chrome
    if not window.asked_at:
        if now >= window.next_at:
            begin(load, window)
        return
    count, done, said = chrome.execute_script(DONE)
    if window.leaves and now - window.asked_at > 0.2:
        load.left += 1
        visit(chrome, address)
        complaints(chrome)  # of the answer that it broke off
        window.asked_at, window.exchanges = 0.0, chrome.execute_script(DONE)[0]
    elif count > window.exchanges and done:
        if "!" in said.splitlines()[-1][:1]:
            load.failed(f"{window.name}: {said[-300:]}")
        load.answered("browser", window.name, now - window.asked_at)
        window.asked_at, window.exchanges, window.next_at = 0.0, count, now + load.pause()
    elif now - window.asked_at > LONGEST:
        load.failed(f"{window.name}: no answer in {LONGEST:.0f} s: {text(chrome, 'body')[-300:]}")
        visit(chrome, address)
        window.asked_at, window.exchanges = 0.0, chrome.execute_script(DONE)[0]


def begin(load: Load, window: Window) -> None:
    """Type a question and send it."""
    box = window.chrome.find_element(By.CSS_SELECTOR, "#question textarea")
    if box.is_enabled():
        box.send_keys(load.question(), Keys.ENTER)
        window.asked_at, window.leaves = time.monotonic(), load.leaves()


def warm(chrome: Chrome) -> None:
    """Ask once: the first question loads the embedder, which takes seconds."""
    chrome.find_element(By.CSS_SELECTOR, "#question textarea").send_keys("Hello?", Keys.ENTER)
    until(chrome, lambda: chrome.execute_script(DONE)[1], LONGEST)


# --- the page without a browser ------------------------------------------------------------------------


def script(load: Load, name: str, address: str, end: float) -> None:
    """Ask as the page's script does, again and again."""
    with PageScript(address, name) as page:
        while time.monotonic() < end:
            question, begun = load.question(), time.monotonic()
            if "mc-flagline" not in (shown := page.ask(question)):
                load.failed(f"{name}: no answer: {shown[:300]}")
            load.answered("browser", name, time.monotonic() - begun)


# --- several pages on one PostgreSQL --------------------------------------------------------------------


def program(load: Load, name: str, address: str, end: float) -> None:
    """Ask the endpoint for programs again and again; come back later where it says so."""
    with PageScript(address, name, shown=False) as page:
        while time.monotonic() < end:
            begun = time.monotonic()
            try:
                found = page.answer(load.question())
            except Exception as error:  # noqa: BLE001 - whatever it is, it is counted
                load.failed(f"{name}: {error!r}")
                found = {}
            if found.get("type") == "TooManyWaiting":
                load.refusals += 1
                time.sleep(10 * load.pause())
            elif "text" in found:
                load.answered("browser", name, time.monotonic() - begun)
                load.retrieving.append(found["timings"].get("retrieve", 0.0))
            elif found:
                load.failed(f"{name}: {found}")
            time.sleep(load.pause())


def run_pages(folder: Path, asked: argparse.Namespace) -> Load:
    """Start PostgreSQL and the pages, and let programs ask them."""
    with PostgresServer.running() as server, ExitStack() as stack:
        os.environ |= {
            "MINIRAG_CHAT_POSTGRES": server.address(), "MINIRAG_CHAT_DB": str(folder / "none.db"),
            "MINIRAG_CHAT_MODEL": "extractive", "MINIRAG_CHAT_MOST_WAITING": str(asked.most_waiting),
        }  # fmt: skip
        with ChatMemory.open() as memory:
            memory.add(samples_folder() / "osselmere")
            load = made_load(memory, asked.seed)
        with ChatMemory.open(folder / "sample.db") as sample:  # so that the pages import none
            sample.add(samples_folder() / "osselmere" / "log")
        ports = [int(port) for port in asked.ports.split(",") if port] or [None] * asked.pages
        pages = [
            stack.enter_context(page_process(folder / f"page {n}.log", port=port))
            for n, port in enumerate(ports, start=1)
        ]
        addresses = [asked.proxy] if asked.proxy else [page.address for page in pages]
        load.processes = {"browser": psutil.Process(pages[0].process.pid)}
        for page in pages:  # the first question loads the embedder
            with PageScript(page.address, "first", shown=False) as first:
                first.answer("Hello?")
        end = time.monotonic() + 60 * asked.minutes
        threads = [
            threading.Thread(
                target=program,
                args=(load, f"browser {n + 1}", addresses[n % len(addresses)], end),
            )
            for n in range(asked.users)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        load.measure("browser", "at the end")
        for page in pages:
            if "Traceback" in (said := page.log.read_text("utf-8")):
                load.failed(f"{page.log.name}: {said[-300:]}")
    return load


# --- all of it ---------------------------------------------------------------------------------------


def told(load: Load, face: str) -> str:
    """A line of what a face was given."""
    waits = load.waits[face]
    if len(waits) < len(MARKS):
        return f"{face}: {len(waits)} answers"
    counts = [n for name, n in load.served.items() if name.startswith(face)]
    memory = ", ".join(f"{when} {used} MB" for when, used in load.memory.get(face, {}).items())
    return (
        f"{face}: {len(waits)} answers (most {max(counts)}, least {min(counts)} of {len(counts)}), median "
        f"{median(waits):.2f} s, 95% {quantiles(waits, n=20)[-1]:.2f} s, longest {max(waits):.2f} s; {memory}"
    )


def made_load(memory: ChatMemory, seed: int) -> Load:
    """Questions about the words and people of a memory."""
    words = sorted({w for m in memory.messages() for w in m.text.split() if w.isalpha()})
    people = [person.name for person in memory.people()]
    return Load(random.Random(seed), [w for w in words if len(w) > 3], people)  # noqa: S311 - no secret


def run(folder: Path, minutes: float, seed: int, *, light: bool) -> Load:
    """Start everything, and let all of them ask."""
    db = folder / "chats.db"
    os.environ |= {"MINIRAG_CHAT_DB": str(db), "MINIRAG_CHAT_MODEL": "extractive"}
    with ChatMemory.open() as memory:
        memory.add(samples_folder() / "osselmere")
        load = made_load(memory, seed)
    with ExitStack() as stack:
        page = stack.enter_context(page_process(folder / "page.log"))
        address = page.address
        windows = []
        for number in range(0 if light else BROWSERS):
            chrome = start_chromium(folder / f"profile {number}")
            stack.callback(chrome.quit)
            visit(chrome, address)
            windows.append(Window(chrome, f"browser {number + 1}"))
        (root := folder / "notebooks").mkdir()
        settings = {"MINIRAG_CHAT_DB": str(db)}
        server = stack.enter_context(jupyter("server", folder / "home", root, settings))
        load.processes = {
            "browser": psutil.Process(page.process.pid), "notebook": psutil.Process(server.pid),
        }  # fmt: skip
        for window in windows[:1]:
            warm(window.chrome)
            window.exchanges = 1
        with connect(url=server.url, token=TOKEN) as memory:
            memory.ask("Hello?", history=())
        end = time.monotonic() + 60 * minutes
        threads = [
            threading.Thread(target=notebook, args=(load, f"notebook {n + 1}", server.url, end))
            for n in range(NOTEBOOKS)
        ] + [
            threading.Thread(target=script, args=(load, f"browser {n + 1}", address, end))
            for n in range(BROWSERS if light else 0)
        ]
        for thread in threads:
            thread.start()
        browsers(load, windows, address, end)
        for thread in threads:
            thread.join()
        for face in load.processes:
            load.measure(face, "at the end")
    for line in (folder / "page.log").read_text("utf-8").splitlines():
        if "Traceback" in line or "Error" in line:
            load.failed(f"the page's log: {line[:300]}")
    return load


def main() -> int:
    """Run it; returns 1 where anything failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--light", action="store_true", help="no browsers: ask as the page's script does"
    )
    parser.add_argument("--pages", type=int, default=0, help="that many pages on one PostgreSQL")
    parser.add_argument("--users", type=int, default=32, help="who ask them, each a program")
    parser.add_argument("--most-waiting", type=int, default=24)
    parser.add_argument("--proxy", default="", help="ask this address in place of the pages'")
    parser.add_argument("--ports", default="", help="of the pages, separated by commas")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.pages:
            load = run_pages(Path(folder), asked)
        else:
            load = run(Path(folder), asked.minutes, asked.seed, light=asked.light)
    for face in load.waits:
        sys.stdout.write(f"{told(load, face)}\n")
    if load.retrieving:
        p50, p95 = median(load.retrieving), quantiles(load.retrieving, n=20)[-1]
        sys.stdout.write(
            f"retrieval: median {p50:.2f} s, 95% {p95:.2f} s; {load.refusals} refusals\n"
        )
    sys.stdout.write(f"{load.left} left before their answer; {len(load.failures)} failures\n")
    return bool(load.failures)


if __name__ == "__main__":
    sys.exit(main())
