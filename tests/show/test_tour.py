"""The tour runs from top to bottom as a newcomer runs it, and can be read without a kernel."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import environment
from places import ROOT

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
import nbformat
from browsing import requested
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

NBCONVERTS_OWN = (
    "require_js_url", "mathjax_url", "mermaid_js_url", "mermaid_layout_elk_js_url", "jquery_url",
    "jupyter_widgets_base_url",
)  # fmt: skip
"""Where nbconvert's template looks for scripts of its own; nothing of ours needs them."""
NODES = "return document.documentElement.dataset.drawn ? network.body.nodeIndices.length : 0"
TOUR = ROOT / "docs" / "tour.ipynb"
LARGEST = 100_000  # bytes of output that may lie in the repository


@pytest.fixture(scope="session")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, run with the extractive reader and the real embedder in a kernel of its own."""
    home = tmp_path_factory.mktemp("tour")
    (home / "docs").mkdir()
    file = shutil.copy(TOUR, home / "docs")
    notebook = nbformat.read(file, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(home / "docs")}}
    )
    client.execute(env=environment(home, {}))
    nbformat.write(notebook, file)
    return Path(file)


def outputs(file: Path) -> list[tuple[str, dict[str, Any]]]:
    cells = nbformat.read(file, as_version=4).cells
    return [(c.source, out) for c in cells if c.cell_type == "code" for out in c.outputs]


@pytest.mark.slow
def test_every_cell_runs(executed: Path) -> None:
    told = outputs(executed)
    assert not [out for _, out in told if out["output_type"] == "error"]
    assert not [out["text"] for _, out in told if out.get("name") == "stderr"]


@pytest.mark.slow
def test_it_shows_what_its_text_promises(executed: Path) -> None:
    pages = {s: out["data"].get("text/html", "") for s, out in outputs(executed) if "data" in out}
    head = next(page for source, page in pages.items() if "swan's head" in source)
    assert "Kevin" in head
    assert "confidence" in head
    silent = next(page for source, page in pages.items() if "submarine" in source)
    assert re.search("do not say|No answer found|Not sure enough", silent)
    hearts = next(page for source, page in pages.items() if "octopus" in source)
    assert "Kwame Oduya" in hearts
    asked = next(page for source, page in pages.items() if source.startswith("%%ask"))
    assert "Who has the key to the barn?" in asked
    widget = next(out for s, out in outputs(executed) if s.endswith("\nwidget"))
    assert "application/vnd.jupyter.widget-view+json" in widget["data"]


@pytest.mark.slow
@pytest.mark.browser
def test_the_tour_as_html_shows_answers_and_graphs_without_kernel_and_network(
    executed: Path, fresh_browser: Chrome
) -> None:
    file = executed.with_suffix(".html")
    page, _ = nbconvert.HTMLExporter(**dict.fromkeys(NBCONVERTS_OWN, "data:,")).from_filename(
        str(executed)
    )
    file.write_text(page, encoding="utf-8")
    browser = fresh_browser
    browser.get(file.as_uri())
    said = browser.find_element(By.TAG_NAME, "body").text
    assert "the head is called Kevin" in said
    assert "confidence" in said
    assert re.search("do not say|No answer found|Not sure enough", said)
    frames = browser.find_elements(By.CSS_SELECTOR, "iframe[title='Reasoning path']")
    assert len(frames) >= 5
    for frame in frames:
        browser.execute_script("arguments[0].scrollIntoView()", frame)
        browser.switch_to.frame(frame)
        WebDriverWait(browser, 60).until(lambda it: it.execute_script(NODES) >= 2)
        assert browser.execute_script("return document.querySelectorAll('canvas').length") == 1
        browser.switch_to.default_content()
    assert {url for url in requested(browser) if not url.startswith("file:")} == set()


def test_the_committed_tour_is_clean_and_small() -> None:
    notebook = json.loads(TOUR.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert len(json.dumps(cell.get("outputs", []))) < LARGEST
        assert cell.get("execution_count") is None
