"""Measures how soon the chat page is there after its server was started.

    python tests/measure_page.py [times]

starts `python app.py` with an empty folder (a first start, the sample is imported beside the page),
then again with what the first has left, and prints for each: seconds until it answers 200, until a
person can write into the question's field in headless Chromium (with an empty cache), until chats or
the import's progress are shown, and the processor time of the server until then. Run it on a quiet
machine. `tests/show/test_page_start.py` uses the same.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import psutil

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ROOT = Path(__file__).parents[1]
LONGEST = 90.0
USABLE = """const box = document.querySelector("#question textarea");
return Boolean(box && !box.disabled && box.offsetParent);"""
FILLED = "return Boolean((document.querySelector('#loaded') || {innerText: ''}).innerText);"


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds after the start of the process; ``processor`` is what the server used of one core."""

    answers: float
    usable: float
    filled: float
    processor: float


def start(browser: Chrome, folder: Path, port: int, **environment: str) -> Start:
    """Start the page over a folder, wait until it can be used, and end it."""
    settings = {
        **os.environ,
        "MINIRAG_CHAT_DB": str(folder / "chats.db"),
        "GRADIO_SERVER_PORT": str(port),
        "BROWSER": "true",  # the command that opens nothing
        **environment,
    }
    address = f"http://127.0.0.1:{port}/"
    browser.get("about:blank")
    browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    begun = time.perf_counter()
    with (folder / "server.log").open("a") as log:
        server = subprocess.Popen(
            [sys.executable, "app.py"], cwd=ROOT, env=settings, stdout=log, stderr=log
        )
    try:
        while not _answers(address):
            _wait(begun, server)
        answers = time.perf_counter() - begun
        browser.get(address)
        while not browser.execute_script(USABLE):
            _wait(begun, server)
        usable = time.perf_counter() - begun
        used = psutil.Process(server.pid).cpu_times()
        while not browser.execute_script(FILLED):
            _wait(begun, server)
        filled = time.perf_counter() - begun
    finally:
        browser.get("about:blank")
        server.terminate()
        server.wait(120)
    return Start(answers, usable, filled, used.user + used.system)


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as answer:  # noqa: S310 - our own server
            return bool(answer.status == 200)
    except OSError:
        return False


def _wait(begun: float, server: subprocess.Popen[bytes]) -> None:
    if server.poll() is not None:
        raise RuntimeError(f"the server ended with {server.returncode}")
    if time.perf_counter() - begun > LONGEST:
        raise TimeoutError(f"the page was not there within {LONGEST:.0f} s")
    time.sleep(0.02)


def main() -> None:
    """Measure and print."""
    sys.path.insert(0, str(ROOT / "tests" / "show"))
    from browsing import free_port, start_chromium

    times = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as place:
        browser = start_chromium(Path(place) / "browser")
        sys.stdout.write(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
        sys.stdout.write("start    answers   usable   filled   processor (s)\n")
        for number in range(times):
            folder = Path(place) / str(number)
            folder.mkdir()
            for name in ("first", "second"):
                took = start(browser, folder, free_port())
                sys.stdout.write(
                    f"{name:8}{took.answers:8.2f}{took.usable:9.2f}{took.filled:9.2f}"
                    f"{took.processor:10.2f}\n"
                )
                sys.stdout.flush()
        browser.quit()


if __name__ == "__main__":
    main()
