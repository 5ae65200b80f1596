"""A conversation that is longer than the window, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from needed import needed
from selenium.webdriver import Chrome

gradio = needed("gradio")
from served import Served, press, until, visit

from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import SHOWN, Exchange, Tab

pytestmark = pytest.mark.browser
SEEN = """const log = document.querySelector("#log"), shown = log.querySelectorAll(".mc-exchange");
const place = log.querySelector('[data-place="10"]');
return [shown.length, log.scrollTop, place ? place.getBoundingClientRect().top - log.getBoundingClientRect().top : -1,
        log.clientHeight < innerHeight];"""


def test_it_scrolls_and_stays_where_it_is_when_earlier_questions_are_shown(
    browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def after_many(self: Sessions) -> Tab:
        tab = real(self)
        tab.exchanges = [Exchange(f"Question {n}?", "Walter") for n in range(SHOWN + 10)]
        return tab

    real = Sessions._make
    monkeypatch.setattr(Sessions, "_make", after_many)
    visit(browser, Served(tmp_path).address)
    until(browser, lambda: browser.execute_script(SEEN)[0] == SHOWN)
    assert browser.execute_script(SEEN)[3], "the conversation is higher than the window"
    press(browser, ".mc-earlier button")
    until(browser, lambda: browser.execute_script(SEEN)[0] == SHOWN + 10)
    until(browser, lambda: abs(browser.execute_script(SEEN)[2]) < 5)  # the first one is at the top
    assert browser.execute_script(SEEN)[1] > 0
    gradio.close_all()
