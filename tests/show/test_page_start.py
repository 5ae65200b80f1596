"""The page is there at once: before the models, and before the sample corpus is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from needed import needed
from selenium.webdriver import Chrome

gradio = needed("gradio")
from browsing import free_port
from measure_page import start
from places import ROOT

pytestmark = pytest.mark.process


@pytest.mark.browser
def test_the_page_can_be_used_before_models_and_imports_are_done(
    browser: Chrome, tmp_path: Path
) -> None:
    took = start(browser, tmp_path, free_port())
    assert took.usable <= took.filled


def test_the_page_needs_no_model_library_to_start() -> None:
    code = (
        "import sys; import minirag_chat.show.page_start; "
        "print({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "set()"
