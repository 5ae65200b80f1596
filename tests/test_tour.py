"""The tour runs from top to bottom as a newcomer runs it, and can be read without a kernel."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import environment
from places import ROOT, SAMPLE

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
import nbformat  # noqa: E402 - it comes with nbclient

TOUR = ROOT / "docs" / "tour.ipynb"
LARGEST = 100_000  # bytes of output that may lie in the repository


@pytest.fixture(scope="session")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, run with the extractive reader and the real embedder in a kernel of its own."""
    home = tmp_path_factory.mktemp("tour")
    shutil.copytree(SAMPLE, home / "corpora" / "osselmere")
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
    assert re.search("do not say|Not sure enough", silent)
    hearts = next(page for source, page in pages.items() if "octopus" in source)
    assert "Kwame Oduya" in hearts
    asked = next(page for source, page in pages.items() if source.startswith("%%ask"))
    assert "Who has the key to the barn?" in asked
    widget = next(out for s, out in outputs(executed) if s.endswith("\nwidget"))
    assert "application/vnd.jupyter.widget-view+json" in widget["data"]


@pytest.mark.slow
def test_a_saved_tour_shows_answers_and_graphs_without_a_kernel(executed: Path) -> None:
    page, _ = nbconvert.HTMLExporter().from_filename(str(executed))
    assert page.count('title="Reasoning path"') >= 5
    assert "the head is called Kevin" in page
    executed.with_suffix(".html").write_text(page, encoding="utf-8")


def test_the_committed_tour_is_clean_and_small() -> None:
    notebook = json.loads(TOUR.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert len(json.dumps(cell.get("outputs", []))) < LARGEST
        assert cell.get("execution_count") is None
