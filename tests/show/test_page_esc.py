"""In a real browser: a question waits for the one before it, and Esc closes what lies on top first."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

gradio = pytest.importorskip("gradio", reason="gradio is not installed")
from served import WALTER, Served, ask, assert_quiet, press, text, until, visit

pytestmark = pytest.mark.browser


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
    ask(browser, "Who is slow?")
    until(browser, lambda: served.model.working)
    ask(browser, "Who is the piano tuner?")
    ask(browser, "Who is nobody?")
    until(browser, lambda: text(browser, "#chips").count("Cancel") == 2)
    picture(browser, "waiting")
    press(browser, '#chips [data-do="unask"][data-value="1"]')
    until(browser, lambda: "Who is nobody?" not in text(browser, "#chips"))
    press(browser, '[data-client="settings"]')
    until(browser, lambda: "How questions are answered" in text(browser, "#settings"))
    picture(browser, "settings")
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.ESCAPE)
    until(browser, lambda: "mc-settings" not in str(body.get_attribute("class")))
    assert served.model.working, "the answer is still being written"
    body.send_keys(Keys.ESCAPE)
    until(browser, lambda: WALTER in text(browser, "#log"))
    assert "piece0" in text(browser, "#log"), "what was written before the stop stays"
    picture(browser, "after")
    assert_quiet(browser, served.address)
