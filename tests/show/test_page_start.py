"""The page is there at once: before the models, and before the sample corpus is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

gradio = pytest.importorskip("gradio", reason="gradio is not installed")
from browsing import free_port  # noqa: E402
from measure_page import Start, start  # noqa: E402
from places import ROOT  # noqa: E402

SECONDS = 3.0
SHARED = 1.5  # a core that several processes share does less in a second of its time
TRIES = 4


def in_time(took: Start) -> bool:
    """By the clock; by the server's processor time where others keep this machine busy."""
    busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    return took.usable <= SECONDS or (busy and took.processor <= SECONDS * SHARED)


@pytest.mark.browser
def test_the_page_can_be_used_within_three_seconds_of_its_start(
    browser: Chrome, tmp_path: Path
) -> None:
    tried = []
    for _ in range(TRIES):
        tried.append(start(browser, tmp_path, free_port()))
        if in_time(tried[-1]):
            break
    else:
        pytest.fail(f"not within {SECONDS} s: {tried}")
    last = tried[-1]
    assert last.filled < 2 * last.usable + SECONDS  # not only once the models are loaded


def test_the_page_needs_no_model_library_to_start() -> None:
    code = (
        "import sys; import minirag_chat.show.page_start; "
        "print({'torch', 'transformers', 'sentence_transformers', 'mcp'} & set(sys.modules))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "set()"


def test_importing_gradio_leaves_python_as_it_was() -> None:
    code = (
        "import gc, inspect; before = inspect.getfile; import minirag_chat.show.page_gradio; "
        "assert inspect.getfile is before and gc.isenabled()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
