"""A real JupyterLab in a real browser: the tour is run, the widget asked, an answer stopped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from browsing import requested
from jupyter_process import TOKEN, Jupyter, jupyter
from places import ROOT, SAMPLE
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from slow_server import SlowServer

from minirag_chat import ChatMemory

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
pytestmark = [pytest.mark.browser, pytest.mark.slow]
SAID = "The head is called Kevin."
LONG = " ".join(f"word{i}" for i in range(200))
READY = """const panel = window.jupyterapp?.shell.currentWidget;
  return !!panel?.context?.isReady && panel.sessionContext.isReady
    && panel.sessionContext.session?.kernel?.status === 'idle';"""
RUN_ALL = "window.jupyterapp.commands.execute('notebook:run-all-cells')"
PROMPTS = """return [...document.querySelectorAll('.jp-CodeCell')].map(
  e => e.querySelector('.jp-InputPrompt').textContent)"""
RUN_CELL = """const panel = window.jupyterapp.shell.currentWidget;
  panel.content.activeCellIndex = panel.content.widgets.findIndex(
    cell => cell.model.sharedModel.getSource().startsWith(arguments[0]));
  window.jupyterapp.commands.execute('notebook:run-cell');"""
OPEN_WIDGET = """from minirag_chat import ChatMemory
from minirag_chat.show.widget import ChatWidget
widget = ChatWidget(ChatMemory.open("tour.db"))
widget"""
ERRORS = """return [...document.querySelectorAll(
  '[data-mime-type*="stderr"], [data-mime-type="application/vnd.jupyter.error"]')].map(e => e.innerText)"""
MARK_WIDGET = "document.querySelector('.mc-question').dataset.old = 'yes'"
NEW_WIDGET = "return !!document.querySelector('.mc-question:not([data-old]) input')"
CANVASES = "return document.querySelectorAll('canvas').length"


@pytest.fixture(scope="module")
def speaker() -> Iterator[SlowServer]:
    with SlowServer(SAID) as made:
        yield made


@pytest.fixture(scope="module")
def lab(
    speaker: SlowServer, sample: ChatMemory, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Jupyter]:
    home = tmp_path_factory.mktemp("lab")
    root = home / "root"
    shutil.copytree(SAMPLE, root / "corpora" / "osselmere")
    (root / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "tour.ipynb", root / "docs")
    shutil.copy(sample.info().database, root / "docs" / "tour.db")  # the import is tried elsewhere
    settings(home / "settings", "notebook-extension/tracker", windowingMode="none")
    settings(home / "settings", "apputils-extension/notification", fetchNews="false")
    extra = {**speaker.environment, "JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    with jupyter("lab", home, root, extra) as running:
        yield running


def settings(folder: Path, plugin: str, **values: Any) -> None:
    file = folder / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(values), encoding="utf-8")


def until(browser: Chrome, holds: Callable[[], Any], seconds: float = 120) -> Any:
    return WebDriverWait(
        browser, seconds, poll_frequency=0.1, ignored_exceptions=[WebDriverException]
    ).until(lambda _: holds())


def text(browser: Chrome, selector: str) -> str:
    return str(browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText).join('\\n')", selector
    ))  # fmt: skip


def found(browser: Chrome, selector: str) -> Any:
    return until(browser, lambda: browser.find_element(By.CSS_SELECTOR, selector))


def press(browser: Chrome, selector: str) -> None:
    """Click a button, found anew where the widget was drawn again in between."""

    def pressed() -> bool:
        button = browser.find_element(By.CSS_SELECTOR, selector)
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        return True

    until(browser, pressed)


def canvas_in(browser: Chrome, frame: Any) -> bool:
    """Whether the graph in a frame has been drawn."""
    browser.execute_script("arguments[0].scrollIntoView()", frame)
    browser.switch_to.frame(frame)
    try:
        return bool(until(browser, lambda: browser.execute_script(CANVASES) == 1))
    finally:
        browser.switch_to.default_content()


@pytest.fixture(scope="module")
def tour(lab: Jupyter, browser: Chrome) -> Chrome:
    """The tour, open and run to its end."""
    requested(browser)
    browser.get(f"{lab.url}lab/tree/docs/tour.ipynb?token={TOKEN}")
    until(browser, lambda: browser.execute_script(READY), 400)
    browser.execute_script(RUN_ALL)
    until(
        browser,
        lambda: all(any(c.isdigit() for c in p) for p in browser.execute_script(PROMPTS)),
        900,
    )
    return browser


def test_every_cell_of_the_tour_runs_and_its_graphs_are_drawn(tour: Chrome) -> None:
    assert tour.execute_script(ERRORS) == []
    assert SAID[:-1] in text(tour, ".jp-OutputArea-output .mc-rich .mc-text")
    frames = tour.find_elements(By.CSS_SELECTOR, ".jp-RenderedHTML iframe[title='Reasoning path']")
    assert len(frames) >= 4
    assert all(canvas_in(tour, frame) for frame in frames)


def test_a_question_typed_into_the_widget_is_streamed_and_shown_whole(
    tour: Chrome, speaker: SlowServer
) -> None:
    speaker.says(SAID, pause=0.4)
    ask(tour, "What is the name of the swan's head?")
    until(tour, lambda: 0 < len(text(tour, ".mc-answer .mc-text").split()) < len(SAID.split()))
    until(tour, lambda: "confidence" in text(tour, ".mc-answer .mc-flag"))
    until(tour, lambda: "Kevin" in text(tour, ".mc-answer .mc-sources"))
    assert canvas_in(tour, found(tour, ".mc-why iframe"))


def test_a_source_opens_its_conversation(tour: Chrome) -> None:
    def opened() -> bool:
        press(
            tour, ".mc-opens button"
        )  # on a slow machine those of the answer before may still be there
        return "Kevin" in text(tour, ".mc-conversation mark")

    until(tour, opened)
    assert len(tour.find_elements(By.CSS_SELECTOR, ".mc-conversation li")) >= 6


def test_stop_ends_the_model(tour: Chrome, speaker: SlowServer) -> None:
    speaker.says(LONG, pause=0.3)
    ask(tour, "Who has the key to the barn?")
    until(tour, lambda: "word3" in text(tour, ".mc-answer"))
    press(tour, "button.mc-stop")
    assert speaker.left_early(), "the model goes on"
    until(tour, lambda: "stopped" in text(tour, ".mc-answer .mc-flag"))


def test_interrupting_a_cell_stops_the_model_and_the_next_question_works(
    tour: Chrome, speaker: SlowServer
) -> None:
    speaker.says(LONG, pause=0.3)
    tour.execute_script("""
      const panel = window.jupyterapp.shell.currentWidget;
      panel.content.model.sharedModel.addCell(
        {cell_type: 'code', source: "memory.ask('Who has the key to the barn?')"});
      panel.content.activeCellIndex = panel.content.widgets.length - 1;
      window.jupyterapp.commands.execute('notebook:run-cell');""")
    assert speaker.speaking.wait(60)
    tour.execute_script("window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    assert speaker.left_early(), "the model goes on"
    speaker.says(SAID)
    ask(tour, "And what is the head called?")
    until(tour, lambda: "And what is the head called?" in text(tour, ".mc-answer .mc-asked"))
    until(tour, lambda: "Kevin" in text(tour, ".mc-answer .mc-text"))


def test_after_a_restart_of_the_kernel_running_its_cell_brings_the_widget_back(
    tour: Chrome, speaker: SlowServer
) -> None:
    speaker.says(SAID)
    before = tour.execute_script(ERRORS)  # an earlier test interrupted a cell
    tour.execute_script("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    until(tour, lambda: tour.execute_script(READY))
    press(tour, "button.mc-ask")  # an empty shell: nothing happens, nothing breaks
    tour.execute_script(MARK_WIDGET)
    for opening in ("from minirag_chat import ChatMemory", "from minirag_chat.show.widget"):
        tour.execute_script(RUN_CELL, opening)
    until(tour, lambda: tour.execute_script(NEW_WIDGET) and tour.execute_script(READY))
    ask(tour, "What is the name of the swan's head?")
    until(tour, lambda: "confidence" in text(tour, ".mc-answer .mc-flag"))
    assert tour.execute_script(ERRORS) == before


def test_the_lab_asked_no_other_machine(tour: Chrome, lab: Jupyter) -> None:
    host = lab.url.split("/")[2]
    others = {url for url in requested(tour) if f"//{host}/" not in url}
    assert others == set()


def test_notebook_7_shows_the_widget_and_asks(
    lab: Jupyter, browser: Chrome, speaker: SlowServer
) -> None:
    pytest.importorskip("notebook", reason="Notebook 7 is not installed")
    speaker.says(SAID, pause=0.2)
    cell = nbformat.v4.new_code_cell(OPEN_WIDGET)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    seven = nbformat.v4.new_notebook(cells=[cell], metadata=kernel)
    nbformat.write(seven, lab.root / "docs" / "seven.ipynb")
    browser.switch_to.new_window("tab")
    requested(browser)
    browser.get(f"{lab.url}notebooks/docs/seven.ipynb?token={TOKEN}")

    def click() -> bool:
        """Click into the cell, which is drawn anew while the notebook opens."""
        found(browser, ".jp-CodeCell .cm-content").click()
        return True

    until(browser, click)

    def run() -> bool:
        """Press until the cell has been taken: the keys work once the kernel is there."""
        if text(browser, ".jp-CodeCell:first-of-type .jp-InputPrompt").strip() in ("[ ]:", ""):
            browser.find_element(By.CSS_SELECTOR, ".jp-CodeCell .cm-content").send_keys(
                Keys.CONTROL, Keys.ENTER
            )
        return bool(browser.find_elements(By.CSS_SELECTOR, ".mc-question input"))

    until(browser, run, 300)
    ask(browser, "What is the name of the swan's head?")
    until(browser, lambda: "confidence" in text(browser, ".mc-answer .mc-flag"))
    assert "Kevin" in text(browser, ".mc-answer .mc-text")
    assert canvas_in(browser, found(browser, ".mc-why iframe"))
    press(browser, ".mc-opens button")
    until(browser, lambda: "Kevin" in text(browser, ".mc-conversation mark"))
    host = lab.url.split("/")[2]
    assert {url for url in requested(browser) if f"//{host}/" not in url} == set()


def ask(browser: Chrome, question: str) -> None:
    box = browser.find_element(By.CSS_SELECTOR, ".mc-question input")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(question, Keys.ENTER)
