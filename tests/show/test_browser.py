"""The graph and the page in a real browser: drawn, streamed, stopped, and nobody else called."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from browsing import complaints, requested
from canned import HOSTILE, FakeMemory, calm_path, hostile_path
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

gradio = pytest.importorskip("gradio", reason="gradio is not installed")
from minirag_chat.show.page import launch  # noqa: E402
from minirag_chat.show.path_graph import write_path_graph  # noqa: E402

pytestmark = pytest.mark.browser
PAINTED = """const c = document.querySelector("canvas");
const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
let count = 0;
for (let i = 3; i < data.length; i += 4) { if (data[i]) { count++; } }
return count;"""
PLACE = """const at = network.canvasToDOM(network.getPositions([arguments[0]])[arguments[0]]);
const box = document.getElementById("mynetwork");
return [Math.round(at.x - box.clientWidth / 2), Math.round(at.y - box.clientHeight / 2)];"""


def until(browser: Chrome, holds: Callable[[], object], seconds: float = 10) -> None:
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


# --- the page -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, FakeMemory]]:
    memory = FakeMemory()
    address = launch(
        memory, suggested=["What is unknown?", HOSTILE[0]], port=free_port(), block=False
    )
    yield address, memory
    gradio.close_all()


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def page(browser: Chrome, served: tuple[str, FakeMemory]) -> Chrome:
    browser.get("about:blank")
    requested(browser), complaints(browser)
    browser.get(served[0])
    until(browser, lambda: "messages" in text(browser, "#loaded"), 20)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#question textarea"))
    return browser


def ask(page: Chrome, question: str) -> None:
    box = page.find_element(By.CSS_SELECTOR, "#question textarea")
    until(page, box.is_enabled)
    box.send_keys(question, Keys.ENTER)


def tab(page: Chrome, name: str) -> None:
    for button in page.find_elements(By.CSS_SELECTOR, "#evidence [role=tab]"):
        if button.text.strip() == name:
            button.click()


def test_a_question_is_answered_with_sources_and_path(
    page: Chrome, served: tuple[str, FakeMemory]
) -> None:
    assert "qwen2.5-coder-1.5b-instruct (4-bit, CPU)" in text(page, "#model")
    ask(page, "When did Wolfgang first come to the basement?")
    until(page, lambda: "answered · confidence 0.82" in text(page, "#chat"))
    assert "Saturday 21 February 2026 [1]" in text(page, "#chat")
    assert "Wolfgang Schulz · Basement · Sat 21 Feb 2026, 14:11" in text(page, "#sources")
    tab(page, "How")
    until(page, lambda: "3.265 s" in text(page, "#how"))
    tab(page, "Why")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#why iframe"))
    frame = page.find_element(By.CSS_SELECTOR, "#why iframe")
    assert frame.get_attribute("sandbox") == "allow-scripts"
    page.switch_to.frame(frame)
    until(page, lambda: page.execute_script("return document.documentElement.dataset.drawn"))
    until(page, lambda: page.execute_script(PAINTED) > 1000)
    point_at(page, 9).click().perform()  # the second message
    page.switch_to.default_content()
    until(
        page, lambda: page.execute_script("return document.activeElement.dataset.messageId") == "12"
    )
    assert_quiet(page, served[0])


def test_text_streams_and_stop_ends_the_work(page: Chrome, served: tuple[str, FakeMemory]) -> None:
    served[1].heard_stop = False
    ask(page, "a slow one")
    until(page, lambda: "piece3" in text(page, "#chat"))
    assert "piece500" not in text(page, "#chat")
    page.find_element(By.ID, "stop").click()
    until(page, lambda: served[1].heard_stop, 3)
    until(page, lambda: "stopped" in text(page, "#chat"))
    until(page, lambda: page.find_elements(By.ID, "send"))
    assert_quiet(page, served[0])


def test_leaving_the_page_ends_the_work(page: Chrome, served: tuple[str, FakeMemory]) -> None:
    ask(page, "a slow one")
    until(page, lambda: "piece3" in text(page, "#chat"))
    assert served[1].working
    page.get("about:blank")
    until(page, lambda: not served[1].working)


def test_an_abstention_is_flagged_and_shows_the_closest(page: Chrome) -> None:
    page.find_element(By.XPATH, "//button[contains(., 'What is unknown?')]").click()
    until(page, lambda: "Your messages do not say: the closest ones" in text(page, "#chat"))
    assert "Closest messages" in text(page, "#sources")
    tab(page, "Why")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#why iframe"))
    page.switch_to.frame(page.find_element(By.CSS_SELECTOR, "#why iframe"))
    until(page, lambda: "No path to show" in text(page, "body"))
    page.switch_to.default_content()
    page.find_element(By.CSS_SELECTOR, '#chat button[aria-label="Clear"]').click()
    until(page, lambda: "Ask a question" in text(page, "#evidence"))


def test_hostile_text_is_shown_as_text(page: Chrome, served: tuple[str, FakeMemory]) -> None:
    ask(page, f"hostile {HOSTILE[1]} {HOSTILE[8]}")
    until(page, lambda: "confidence 0.50" in text(page, "#chat"))
    for said in (
        *HOSTILE[:3],
        HOSTILE[4],
        HOSTILE[5],
        HOSTILE[7],
        HOSTILE[8],
        HOSTILE[9],
        HOSTILE[10],
    ):
        assert said in text(page, "#chat")
        assert said in text(page, "#sources")
    tab(page, "Why")
    until(page, lambda: page.find_elements(By.CSS_SELECTOR, "#why iframe"))
    page.switch_to.frame(page.find_element(By.CSS_SELECTOR, "#why iframe"))
    until(page, lambda: page.execute_script(PAINTED) > 1000)
    page.switch_to.default_content()
    assert_no_dialog(page)
    made = (
        "return document.querySelectorAll('#chat img, #evidence img, #chat a, #chat script').length"
    )
    assert page.execute_script(made) == 0
    assert_quiet(page, served[0])


def test_an_empty_memory_says_how_to_import(browser: Chrome) -> None:
    address = launch(FakeMemory(0), port=free_port(), block=False)
    browser.get(address)
    until(browser, lambda: "minirag-chat add" in text(browser, "body"), 20)
    assert not [b for b in browser.find_elements(By.ID, "send") if b.is_displayed()]


def test_the_server_answers_to_its_own_name_only(served: tuple[str, FakeMemory]) -> None:
    with urlopen(served[0], timeout=5) as answer:  # noqa: S310 - our own server
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    rebound = Request(served[0], headers={"Host": "evil.example"})  # noqa: S310
    with pytest.raises(HTTPError, match="400"):
        urlopen(rebound, timeout=5)  # noqa: S310


def assert_quiet(page: Chrome, address: str) -> None:
    """No dialog, no complaint, and no host but the page's own."""
    time.sleep(0.2)
    assert_no_dialog(page)
    assert complaints(page) == []
    asked = requested(page)
    assert asked, "the performance log is empty"
    assert {url for url in asked if not url.startswith(address)} == set()
