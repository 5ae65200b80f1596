"""Chromium for the tests of what a reader sees, and the sessions of a page that needs none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from browsing import start_chromium
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log
from selenium.webdriver import Chrome

from minirag_chat import ChatMemory, Settings
from minirag_chat.show.page_sessions import Sessions


@pytest.fixture
def piano(tmp_path: Path) -> Iterator[ChatMemory]:
    """Three small sessions, and a model that says who tunes the piano."""
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path, model="extractive")
    model = ScriptedModel("Walter Quint tunes the piano. [1]")
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        yield memory


@pytest.fixture
def page_of_piano(piano: ChatMemory) -> Iterator[Any]:
    """The page of ``piano``, as Gradio's blocks: not launched yet."""
    pytest.importorskip("gradio", reason="gradio is not installed")
    from minirag_chat.show.page_blocks import Page

    made = Page(Sessions(piano)).blocks
    made.queue()
    yield made
    made.close()


@pytest.fixture
def sessions(small: ChatMemory) -> Sessions:
    return Sessions(small)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    chrome = start_chromium(tmp_path_factory.mktemp("chromium"))
    yield chrome
    chrome.quit()


@pytest.fixture(scope="module")
def browser(chromium: Chrome) -> Iterator[Chrome]:
    """The browser of all files; what one file opened costs the next ones nothing."""
    yield chromium
    first, *others = chromium.window_handles
    for other in others:
        chromium.switch_to.window(other)
        chromium.close()
    chromium.switch_to.window(first)
    chromium.get("about:blank")


@pytest.fixture
def fresh_browser(tmp_path: Path) -> Iterator[Chrome]:
    """A browser that opened no page before: the last requests of another test are not in its log."""
    chrome = start_chromium(tmp_path / "chromium")
    yield chrome
    chrome.quit()
