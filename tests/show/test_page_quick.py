"""Who types and presses while the page is slow: the replies take nothing back, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from needed import needed
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

gradio = needed("gradio")
from served import (
    Served,
    ask,
    assert_quiet,
    double_click,
    press,
    press_key,
    tab,
    text,
    until,
    visit,
)  # fmt: skip

from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_tabs import BrowserCommand, Tab

pytestmark = pytest.mark.browser
SLOW = {"delperson": 1.5, "new": 1.5, "cite": 1.5}  # seconds, by the press
FOCUS = "document.querySelector(arguments[0]).focus()"
ACTIVE = "return document.activeElement.matches(arguments[0])"
CHOSEN = """return [...document.querySelectorAll('#evidence [role=tab][aria-selected=true]')]
  .map(tab => tab.textContent.trim()).join()"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("quick"))
    begun.memory.set_me(None)
    yield begun
    gradio.close_all()


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The presses that a slow server has carried out."""
    real, words = Commands.do, list[str]()

    def slow(commands: Commands, tab: Tab, word: str, value: str) -> BrowserCommand | None:
        told = real(commands, tab, word, value)
        time.sleep(SLOW.get(word, 0))
        words.append(word)
        return told

    monkeypatch.setattr(Commands, "do", slow)
    return words


def test_a_day_that_is_typed_digit_by_digit_arrives_whole(
    browser: Chrome, served: Served, done: list[str]
) -> None:
    visit(browser, served.address)
    browser.execute_script(FOCUS, "[data-change=since]")
    for key in "01062026":
        browser.switch_to.active_element.send_keys(key)
        time.sleep(0.1)  # a person's pace
    until(browser, lambda: "from 2026-01-06" in text(browser, "#chips"))
    assert browser.execute_script(ACTIVE, "[data-change=since]"), "the keyboard is still there"
    assert done.count("since") == 1, "not the years 2, 20 and 202"
    press(browser, '#chips [data-do="since"]')
    until(browser, lambda: "since" not in text(browser, "#chips"))
    field = browser.find_element(By.CSS_SELECTOR, "[data-change=since]")
    until(browser, lambda: field.get_property("value") == "")


def test_what_is_written_or_chosen_meanwhile_stays_and_keeps_the_keyboard(
    browser: Chrome, served: Served, done: list[str]
) -> None:
    visit(browser, served.address)
    (tom,) = [p.id for p in served.memory.people() if p.shown_name == "Tom Hill"]
    ask(browser, "Who is the piano tuner?")
    until(browser, lambda: "confidence" in text(browser, "#log"))
    box = browser.find_element(By.CSS_SELECTOR, "#question textarea")
    box.send_keys(Keys.ARROW_UP)
    assert box.get_property("value") == "Who is the piano tuner?", "without asking the server"
    box.send_keys(" Walter?", Keys.ESCAPE)
    assert box.get_property("value") == ""
    press(browser, f'[data-do="delperson"][data-value="{tom}"]')
    box.click()
    box.send_keys("Who has")
    until(browser, lambda: "Delete" in text(browser, "#chips"))
    press(browser, "#log .mc-cite")
    tab(browser, "How")
    until(browser, lambda: "cite" in done)
    box.click()
    box.send_keys(" the key?")
    time.sleep(1.7)  # as long as the page tries to move the focus
    assert box.get_property("value") == "Who has the key?"
    assert browser.execute_script(ACTIVE, "#question textarea")
    assert browser.execute_script(CHOSEN) == "How"
    press(browser, '[data-do="delno"]')
    assert_quiet(browser, served.address)


def test_a_double_click_is_one_press(browser: Chrome, served: Served, done: list[str]) -> None:
    visit(browser, served.address)
    press(browser, '[data-do="new"]')
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#log .mc-suggest"))
    double_click(browser, "#log .mc-suggest")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#log .mc-flag"))
    double_click(browser, '.mc-head [data-client="settings"]')
    until(browser, lambda: "How questions are answered" in text(browser, "#settings"))
    press_key(browser, Keys.ESCAPE)
    double_click(browser, '#lists [data-do="chat"]')
    until(browser, lambda: "✕" in text(browser, "#chips"))
    press(browser, '#chips [data-do="clear"]')
    until(browser, lambda: "✕" not in text(browser, "#chips"))
    assert done.count("chat") == 1
    assert len(browser.find_elements(By.CSS_SELECTOR, "#log .mc-asked")) == 1
