"""A page to browse: a small memory with a hand-written model behind a real server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from browsing import complaints, free_port, launch, requested
from canned import HOSTILE
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log
from selenium.common.exceptions import (
    NoAlertPresentException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from minirag_chat import ChatMemory, Settings
from minirag_chat.models.protocols import ChoiceProbabilities
from minirag_chat.records import Turn

WALTER = "Walter Quint tunes the piano."


ASKED = {
    "20260110_1000": (
        "TomHill: Where is the spare key of the barn?", "AnnaBerg: Under the blue flower pot.",
        "SamOrtiz: How much did the new drums cost?", "TomHill: 300 euros, from the market.",
        "AnnaBerg: What is the name of the new singer?", "SamOrtiz: Petra Lind.",
    ),
}  # fmt: skip


class PageModel(ScriptedModel):
    """Answers by a word: "slow" never ends, "unknown" is not stated, of "perhaps" it is unsure."""

    def __init__(self) -> None:
        super().__init__(f"{WALTER} [1]")
        self.pause = 0.02
        self.heard_stop = False
        self.working = False

    def choose(
        self,
        turns: Sequence[Turn],
        choices: Sequence[str],
        *,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ChoiceProbabilities:
        yes = 0.01 if _asks(turns, "unknown") else 0.55 if _asks(turns, "perhaps") else 0.99
        return (yes, 1 - yes)

    def stream(
        self,
        turns: Sequence[Turn],
        *,
        max_new_tokens: int,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[str]:
        if not _asks(turns, "slow"):
            yield from super().stream(turns, max_new_tokens=max_new_tokens, cancelled=cancelled)
            return
        self.working = True
        try:
            for count in range(40):
                yield f"piece{count} "
                time.sleep(0.05)
                if cancelled():
                    break
            self.heard_stop = _waited(cancelled)
        finally:
            self.working = False


def _waited(cancelled: Callable[[], bool], seconds: float = 600) -> bool:
    """Whether somebody stopped it within that time."""
    ends = time.monotonic() + seconds
    while not cancelled() and time.monotonic() < ends:
        time.sleep(0.05)
    return cancelled()


def _asks(turns: Sequence[Turn], word: str) -> bool:
    return any(word in turn.content for turn in turns)


class Served:
    """A running page, its memory and its model."""

    def __init__(self, folder: Path, *, public: bool = False) -> None:
        settings = Settings(
            db=folder / "chats.db", model_dir=folder, model="extractive", public=public,
            public_file_mb=1,
        )  # fmt: skip
        self.folder = folder
        self.model = PageModel()
        self.memory = ChatMemory.open(
            settings.db, settings, embedder=WordEmbedder(), chat_model=self.model
        )
        samples = []
        log = write_log(folder / "log", {**SMALL, **ASKED})
        if public:
            sample = self.memory.beside(folder / "sample.db")
            sample.add(log)
            samples = [("Sample", sample)]
        else:
            self.memory.add(log)
            self.memory.add(hostile_log(folder / "hostile"))
        self.address = launch(self.memory, samples, port=free_port(), block=False)


def hostile_log(folder: Path) -> Path:
    """Messages that attack whoever shows them; one is very long."""
    lines = [f"EvilEve: {text}" for text in HOSTILE if "\n" not in text and "\ud800" not in text]
    lines += [
        "EvilEve: مرحبا بالعالم، المفتاح تحت الحجر",
        "\u200b: an unseen hostile name",
        f"EvilEve: long {'x' * 50_000}",
    ]
    return write_log(folder, {"20260401_1000": tuple(lines)})


# --- what a person does and sees ------------------------------------------------------------------


def until(browser: Chrome, holds: Callable[[], object], seconds: float = 120) -> None:
    ignored = (StaleElementReferenceException,)
    wait = WebDriverWait(browser, seconds, poll_frequency=0.05, ignored_exceptions=ignored)
    try:
        wait.until(lambda _: holds())
    except TimeoutException as error:
        seen = text(browser, "body")
        raise AssertionError(f"not within {seconds} s; the page shows: {seen[-900:]}") from error


def text(browser: Chrome, selector: str) -> str:
    return str(browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText).join('\\n')",
        selector,
    ))  # fmt: skip


def visit(browser: Chrome, address: str) -> None:
    browser.get("about:blank")
    requested(browser), complaints(browser)
    browser.get(address)
    until(browser, lambda: "messages" in text(browser, "#loaded"))
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#question textarea"))


def press(browser: Chrome, selector: str) -> None:
    """Click what a selector names, also where it must be scrolled to."""

    def clicked() -> bool:
        found = [e for e in browser.find_elements(By.CSS_SELECTOR, selector) if e.is_displayed()]
        if not found:
            return False
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found[-1])
        found[-1].click()
        return True

    until(browser, clicked)


def double_click(browser: Chrome, selector: str) -> None:
    """Double-click the first element that a selector names, found again if it was drawn anew."""

    def clicked() -> bool:
        first = browser.find_element(By.CSS_SELECTOR, selector)
        ActionChains(browser).double_click(first).perform()
        return True

    until(browser, clicked)


def press_key(browser: Chrome, key: str) -> None:
    """Press a key where the keyboard is: what has the focus may be drawn anew meanwhile."""
    ActionChains(browser).send_keys(key).perform()


def give_file(browser: Chrome, file: Path) -> None:
    """Choose a file to import."""

    def given() -> bool:
        browser.find_element(By.CSS_SELECTOR, "#drop input[type=file]").send_keys(str(file))
        return True

    until(browser, given)


def ask(browser: Chrome, question: str) -> None:
    box = browser.find_element(By.CSS_SELECTOR, "#question textarea")
    until(browser, box.is_enabled)

    def typed() -> bool:
        if (
            box.get_property("value") != question
        ):  # Chrome may drop it in a tab that it brings to the front
            browser.execute_script("arguments[0].focus(); arguments[0].select()", box)
            browser.execute_cdp_cmd(
                "Input.insertText", {"text": question}
            )  # at once, as pasting does
        return bool(box.get_property("value") == question)

    until(browser, typed)
    box.send_keys(Keys.ENTER)


def tab(browser: Chrome, name: str) -> None:
    def chosen() -> bool:
        for button in browser.find_elements(By.CSS_SELECTOR, "#evidence [role=tab]"):
            if button.text.strip() == name and button.is_displayed():
                button.click()
                return True
        return False

    until(browser, chosen)


def no_dialog(browser: Chrome) -> bool:
    try:
        browser.switch_to.alert  # noqa: B018 - raises where no dialog is open
    except NoAlertPresentException:
        return True
    return False


def assert_quiet(browser: Chrome, address: str) -> None:
    """No dialog, no complaint, and no host but the page's own."""
    time.sleep(0.2)
    assert no_dialog(browser)
    # A page of Jupyter that another test left goes on asking its server for a moment.
    said = [m for m in complaints(browser) if not m.startswith("http://127.0.0.1:") or address in m]
    assert said == [], said
    asked = requested(browser)
    assert asked, "the performance log is empty"
    assert {url for url in asked if not url.startswith(address)} == set()
