"""The page is there at once: before the models, and before the sample corpus is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

gradio = pytest.importorskip("gradio", reason="gradio is not installed")
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


STARTED = """
import ast, sys
read, segment = [], ast.get_source_segment
ast.get_source_segment = lambda *given, **named: read.append(1) or segment(*given, **named)
import minirag_chat.show.page_start
from gradio import component_meta
print({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules))
print(len(read), component_meta.create_or_modify_pyi.__module__)
"""


def test_the_page_needs_no_model_library_to_start_and_no_stubs_of_gradio() -> None:
    told = subprocess.run(
        [sys.executable, "-c", STARTED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    libraries, stubs = told.stdout.splitlines()
    assert libraries == "set()"
    assert stubs == "0 gradio.component_meta", (
        "made of its sources at each import; later ones are its own"
    )
