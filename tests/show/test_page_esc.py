"""In a real browser: a question waits for the one before it, and Esc closes what lies on top first."""

from __future__ import annotations

import os
from collections.abc import Iterator
from threading import Event

import pytest
from needed import needed
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

gradio = needed("gradio")
from served import WALTER, Served, ask, assert_quiet, press, press_key, text, until, visit

from minirag_chat.show.page_commands import MOST_WAITING, Commands
from minirag_chat.show.page_tabs import BrowserCommand, Tab

pytestmark = pytest.mark.browser

COMPOSED = """
  let stops = 0;
  document.querySelector("#stop").addEventListener("click", () => { stops += 1; });
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", isComposing: true, bubbles: true}));
  return stops;
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("page"))
    yield begun
    gradio.close_all()


def picture(page: Chrome, name: str) -> None:
    folder = os.environ.get("MINIRAG_CHAT_PICTURES")
    if folder:
        page.save_screenshot(f"{folder}/{name}.png")


def test_a_question_waits_and_escape_in_the_settings_stops_nothing(
    browser: Chrome, served: Served
) -> None:
    visit(browser, served.address)
    until(browser, lambda: "Which of these is you?" in text(browser, "#chips"))
    picture(browser, "who")
    press(browser, '#chips [data-do="me"]')
    until(browser, lambda: "You are" in text(browser, "#lists"))
    assert "Which of these" not in text(browser, "#chips")
    press(browser, '#lists [data-do="whoami"]')
    until(browser, lambda: "Which of these is you?" in text(browser, "#chips"))
    press_key(browser, Keys.ESCAPE)
    until(browser, lambda: "Which of these" not in text(browser, "#chips"))
    ask(browser, "Who is slow?")
    until(browser, lambda: served.model.working)
    ask(browser, "Who is the piano tuner?")
    ask(browser, "Who is nobody?")
    until(browser, lambda: text(browser, "#chips").count("Cancel") == 2)
    picture(browser, "waiting")
    press(browser, '#chips p:nth-of-type(3) [data-do="unask"]')
    until(browser, lambda: "Who is nobody?" not in text(browser, "#chips"))
    press(browser, '[data-client="settings"]')
    until(browser, lambda: "How questions are answered" in text(browser, "#settings"))
    picture(browser, "settings")
    body = browser.find_element(By.TAG_NAME, "body")
    press_key(browser, Keys.ESCAPE)
    until(browser, lambda: "mc-settings" not in str(body.get_attribute("class")))
    assert served.model.working, "the answer is still being written"
    assert browser.execute_script(COMPOSED) == 0, "Esc ends what an input method composes"
    press_key(browser, Keys.ESCAPE)
    until(browser, lambda: WALTER in text(browser, "#log"))
    assert "piece0" in text(browser, "#log"), "what was written before the stop stays"
    picture(browser, "after")
    assert_quiet(browser, served.address)


def test_what_is_typed_while_a_question_is_sent_stays_and_a_refused_question_comes_back(
    browser: Chrome, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt, replies = Commands.prepare, Event()

    def late(commands: Commands, tab: Tab, word: str, value: str) -> BrowserCommand | None:
        assert value != "Who is first?" or replies.wait(120)  # as on a busy machine
        return prompt(commands, tab, word, value)

    monkeypatch.setattr(Commands, "prepare", late)
    visit(browser, served.address)
    ask(browser, "Who is slow?")
    until(browser, lambda: served.model.working)
    box = browser.find_element(By.CSS_SELECTOR, "#question textarea")
    box.send_keys("Who is first?", Keys.ENTER)
    until(browser, lambda: box.get_attribute("value") == "")  # before the server replies
    box.send_keys("Who is next?")
    replies.set()
    until(browser, lambda: "Who is first?" in text(browser, "#chips"))
    assert box.get_attribute("value") == "Who is next?"
    box.send_keys(Keys.ENTER)
    for count in range(2, MOST_WAITING):
        ask(browser, f"Who is number {count}?")
    until(browser, lambda: text(browser, "#chips").count("Cancel") == MOST_WAITING)
    box.send_keys("Who is one too many?", Keys.ENTER)
    until(browser, lambda: "are waiting already" in text(browser, ".mc-say"))
    until(browser, lambda: box.get_attribute("value") == "Who is one too many?")
    press(browser, "#stop")
    until(browser, lambda: text(browser, "#log").count(WALTER) >= MOST_WAITING)
    assert box.get_attribute("value") == "Who is one too many?"
