"""What the page looks like: no serious accessibility violation, and the README's pictures.

The pictures are made with the sample corpus and the real model where one is installed, and written
only where MINIRAG_CHAT_PICTURES names a folder (docs/images for the README's).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from needed import needed
from places import SAMPLE, SMALL, write_log
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

gradio = needed("gradio")
from browsing import free_port, launch
from served import Served, ask, press, tab, text, until, visit

from minirag_chat import ChatMemory, Settings

pytestmark = pytest.mark.browser
SERIOUS = {"serious", "critical"}
ANSWERED = "How much does the swan cost?"
SMALL_MODEL = "qwen2.5-coder-0.5b-instruct"
UNKNOWN = "What is Hanneke's phone number?"
AXE = """const [part, done] = arguments;
axe.run(part || document, {resultTypes: ["violations"], iframes: false}).then(r => done(r.violations.map(
  v => ({id: v.id, impact: v.impact, nodes: v.nodes.map(n => n.html.slice(0, 160))}))));"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    begun = Served(tmp_path_factory.mktemp("look"))
    yield begun
    gradio.close_all()


CITED = """return [...document.querySelectorAll("#log .mc-cite")].map(e => {
  const box = e.getBoundingClientRect(); return [box.width, box.height]; })"""


def violations(page: Chrome, part: str = "") -> list[dict[str, object]]:
    """What is wrong in the page, or in the part of it that has changed since it was looked at."""
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    script = files(axe).joinpath("axe.min.js").read_text(encoding="utf-8")
    page.execute_script(script)
    page.set_script_timeout(120)
    found = page.execute_async_script(AXE, part)
    return [v for v in found if v["impact"] in SERIOUS]


@pytest.mark.parametrize("dark", [False, True])
def test_no_serious_accessibility_violation(browser: Chrome, served: Served, dark: bool) -> None:
    visit(browser, served.address)
    paper = "return getComputedStyle(document.querySelector('#middle')).backgroundColor"
    if (browser.execute_script(paper) != "rgb(255, 255, 255)") != dark:
        press(browser, '[data-client="theme"]')
        time.sleep(0.5)
    assert violations(browser) == [], "before a question"
    ask(browser, "Who is the piano tuner?")
    until(browser, lambda: "confidence" in text(browser, "#log"))
    ask(browser, "What is unknown about the van?")
    until(browser, lambda: "No answer found" in text(browser, "#log"))
    for name, changed in (("Sources", ""), ("How", "#right"), ("Why", "#right")):
        tab(browser, name)
        time.sleep(0.4)
        assert violations(browser, changed) == [], name
    press(browser, '[data-client="settings"]')
    time.sleep(0.4)
    assert violations(browser, "#settings") == [], "settings"
    press(browser, '[data-client="settings"]')
    for opens in ("someone", "alike"):
        press(browser, f'#lists [data-do="{opens}"]')
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, '[data-do="closeperson"]'))
        assert violations(browser, "#chips") == [], opens
        press(browser, '[data-do="closeperson"]')
        until(
            browser, lambda: not browser.find_elements(By.CSS_SELECTOR, '[data-do="closeperson"]')
        )
    _size(browser, 390, 844)
    try:
        time.sleep(0.4)
        assert violations(browser) == [], "phone"
        sizes = browser.execute_script(CITED)
        assert sizes, "an answer cites messages"
        assert min(map(min, sizes)) >= 24, "a finger hits a citation"
        for side in ("left", "right"):
            press(browser, f'[data-client="{side}"]')
            time.sleep(0.4)
            assert violations(browser, f"#{side}") == [], f"phone, {side}"
            press(browser, f'[data-client="{side}"]')
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    if dark:
        press(browser, '[data-client="theme"]')


def test_a_screen_reader_hears_each_answer_once_when_it_is_finished(
    browser: Chrome, served: Served
) -> None:
    visit(browser, served.address)
    browser.execute_script(
        "window.heard = []; const told = document.querySelector('#told');"
        "new MutationObserver(() => { if (told.textContent) window.heard.push(told.textContent); })"
        ".observe(told, {childList: true, characterData: true, subtree: true});"
    )
    for question in ("Who is the piano tuner?", "What is unknown about the van?"):
        ask(browser, question)
        until(browser, lambda: browser.execute_script("return window.heard.length"))
        (heard,) = browser.execute_script("return window.heard.splice(0)")
        answers = browser.find_elements(By.CSS_SELECTOR, "#log .mc-answer")
        assert heard.split()[:3] == answers[-1].text.split()[:3]
    log, told = (browser.find_element(By.ID, each) for each in ("log", "told"))
    assert log.get_attribute("aria-live") == "off", "it is drawn again with each word"
    assert told.get_attribute("role") == "status"


def test_every_control_has_a_name_and_can_be_reached(browser: Chrome, served: Served) -> None:
    visit(browser, served.address)
    ask(browser, "Who is the piano tuner?")
    until(browser, lambda: "confidence" in text(browser, "#log"))
    nameless = browser.execute_script("""return [...document.querySelectorAll("button, input, textarea")]
      .filter(e => e.offsetParent && e.tabIndex >= 0)
      .filter(e => !(e.getAttribute("aria-label") || e.innerText.trim() || e.placeholder || (e.labels && e.labels.length)))
      .map(e => e.outerHTML.slice(0, 200))""")
    assert nameless == []


# --- a real model ----------------------------------------------------------------------------------


@pytest.mark.model
def test_a_real_model_loads_beside_the_page_and_answers_in_it(
    browser: Chrome, tmp_path: Path
) -> None:
    model_dir = Path(os.environ.get("MINIRAG_CHAT_MODEL_DIR") or Settings().model_dir)
    if not (model_dir / f"{SMALL_MODEL}-nf4").is_dir():
        pytest.skip(f"{SMALL_MODEL} is not in {model_dir}: minirag-chat models get {SMALL_MODEL}")
    settings = Settings(db=tmp_path / "chats.db", model_dir=model_dir, model=SMALL_MODEL)
    with ChatMemory.open(settings.db, settings) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        visit(browser, launch(memory, port=free_port(), block=False))  # there before the model is
        ask(browser, "What is the piano tuner called?")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#log .mc-flag"), 300)
        assert "Walter Quint" in text(browser, "#log")
        assert SMALL_MODEL in text(browser, "#model")
        press(browser, "#log .mc-cite")
        until(browser, lambda: "Walter Quint" in text(browser, "#sources .mc-source"))
        press(browser, "#sources .mc-source:first-child .mc-link")
        until(browser, lambda: "Walter Quint" in text(browser, "#sources .mc-here"))
        tab(browser, "Why")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#why iframe"))
        gradio.close_all()


# --- the README's pictures --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = os.environ.get("MINIRAG_CHAT_PICTURES")
    if not folder:
        pytest.skip("pictures are made where MINIRAG_CHAT_PICTURES names a folder")
    place = tmp_path_factory.mktemp("pictures")
    settings = Settings(db=place / "chats.db")
    memory = ChatMemory.open(settings.db, settings)
    sample = memory.beside(place / "sample.db")
    sample.add(SAMPLE / "log")
    yield launch(memory, [("Sample", sample)], port=free_port(), block=False)
    gradio.close_all()


def test_the_pictures_show_a_real_answer(browser: Chrome, real: str) -> None:
    folder = Path(os.environ["MINIRAG_CHAT_PICTURES"])
    _size(browser, 1440, 900)
    visit(browser, real)
    for number, question in enumerate((ANSWERED, UNKNOWN), 1):
        ask(browser, question)
        until(
            browser,
            lambda n=number: len(browser.find_elements(By.CSS_SELECTOR, "#log .mc-flag")) >= n,
            400,
        )
    press(browser, "#log .mc-exchange:first-child [data-do=pick]")
    time.sleep(4)
    assert "euros" in text(browser, "#log")
    _shoot(browser, folder / "page_light.png")
    press(browser, '[data-client="theme"]')
    press(browser, "#log .mc-exchange:first-child .mc-cite")
    time.sleep(1)
    press(browser, "#sources .mc-source .mc-link")
    time.sleep(3)
    _shoot(browser, folder / "page_dark.png")
    press(browser, '[data-client="theme"]')
    _size(browser, 390, 844)
    time.sleep(1)
    browser.execute_script("document.querySelector('#log').scrollTop = 0")
    _shoot(browser, folder / "page_phone.png")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def _size(browser: Chrome, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def _shoot(browser: Chrome, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    assert browser.save_screenshot(str(file))
