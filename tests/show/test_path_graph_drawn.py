"""The graph and the page in a real browser: drawn, streamed, stopped, and nobody else called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import complaints, requested
from canned import HOSTILE, calm_path, hostile_path
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from minirag_chat.show.path_graph import path_html, write_path_graph

pytestmark = pytest.mark.browser
PAINTED = """const c = document.querySelector("canvas");
const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
let count = 0;
for (let i = 3; i < data.length; i += 4) { if (data[i]) { count++; } }
return count;"""
PLACE = """const at = network.canvasToDOM(network.getPositions([arguments[0]])[arguments[0]]);
const box = document.getElementById("mynetwork");
return [Math.round(at.x - box.clientWidth / 2), Math.round(at.y - box.clientHeight / 2)];"""


def until(browser: Chrome, holds: Callable[[], object], seconds: float = 120) -> None:
    WebDriverWait(browser, seconds, poll_frequency=0.05).until(lambda _: holds())


def text(browser: Chrome, selector: str) -> str:
    return str(browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText).join('\\n')",
        selector,
    ))  # fmt: skip


def assert_no_dialog(browser: Chrome) -> None:
    with pytest.raises(NoAlertPresentException):
        browser.switch_to.alert  # noqa: B018 - raises where no dialog is open


def point_at(browser: Chrome, node: int) -> ActionChains:
    box = browser.find_element(By.ID, "mynetwork")
    x, y = browser.execute_script(PLACE, node)
    return ActionChains(browser).move_to_element_with_offset(box, x, y)


# --- the graph ------------------------------------------------------------------------------------


def open_graph(browser: Chrome, file: Path) -> None:
    browser.get("about:blank")
    requested(browser), complaints(browser)
    browser.get(file.as_uri())
    until(browser, lambda: browser.execute_script("return document.documentElement.dataset.drawn"))
    until(browser, lambda: browser.execute_script(PAINTED) > 1000)


def test_the_graph_has_two_stops_of_the_tab_key(browser: Chrome, tmp_path: Path) -> None:
    open_graph(browser, write_path_graph(calm_path(), tmp_path / "graph.html"))
    here = "return document.activeElement.id || document.activeElement.tagName"
    stops = []
    for _ in range(3):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        stops.append(browser.execute_script(here))
    assert stops[:2] == ["zoom-in", "SUMMARY"]
    assert stops[2] not in {"zoom-out", "zoom-fit", "DIV"}
    browser.find_element(By.ID, "zoom-in").send_keys(Keys.ARROW_RIGHT)
    assert browser.execute_script(here) == "zoom-out"
    browser.switch_to.active_element.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert browser.execute_script(here) == "zoom-fit"


def test_a_graph_is_shown_once_it_has_its_colours(browser: Chrome, tmp_path: Path) -> None:
    shown = "return getComputedStyle(document.querySelector('#mynetwork canvas')).visibility"
    open_graph(browser, write_path_graph(calm_path(), tmp_path / "graph.html"))
    assert browser.execute_script(shown) == "visible"
    page = path_html(calm_path()).replace("darkness.matches", "false")
    bare = tmp_path / "bare.html"  # without the script that colours it: its hash is another one now
    bare.write_text(page, encoding="utf-8")
    browser.get(bare.as_uri())
    until(
        browser, lambda: browser.execute_script("return document.querySelector('canvas') !== null")
    )
    assert browser.execute_script(shown) == "hidden"


def test_a_hostile_graph_is_drawn_and_runs_nothing(browser: Chrome, tmp_path: Path) -> None:
    file = write_path_graph(hostile_path(), tmp_path / "why.html")
    open_graph(browser, file)
    assert_no_dialog(browser)
    for node in (1, 2, 3):
        point_at(browser, node).perform()
        until(browser, lambda node=node: HOSTILE[node - 1] in text(browser, ".vis-tooltip"))
    point_at(browser, 1).click().perform()
    until(browser, lambda: HOSTILE[0] in text(browser, "#picked"))
    browser.find_element(By.CSS_SELECTOR, "summary").click()
    assert HOSTILE[1] in text(browser, "#words")
    assert_no_dialog(browser)
    assert browser.execute_script("return document.images.length") == 0
    assert complaints(browser) == []
    assert requested(browser) == {file.as_uri()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_graph_follows_the_readers_colour_scheme(
    browser: Chrome, tmp_path: Path, scheme: str
) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    open_graph(browser, write_path_graph(calm_path(), tmp_path / "why.html"))
    behind = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert behind == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}[scheme]
    before = browser.execute_script("return network.getScale()")
    browser.find_element(By.ID, "zoom-in").click()
    until(browser, lambda: browser.execute_script("return network.getScale()") > before)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
