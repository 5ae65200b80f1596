"""The wheel works by itself: what it holds, and what it needs.

It is built here where hatchling is installed, which the extra `dev` has; or name one that is built
already in MINIRAG_CHAT_WHEEL.
"""

from __future__ import annotations

import os
import subprocess
import sys
from email import message_from_string
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest
from places import ROOT, SAMPLE

READ = """
from minirag_chat.corpora import samples_folder
from minirag_chat.show.page_assets import asset
from minirag_chat.models.adapter import adapter_of
from minirag_chat.models.catalog import BUNDLED, find_card
from minirag_chat.models.ranker import weights_file
print(samples_folder())
print(len(asset("page.js")), weights_file(find_card(BUNDLED)).is_file(), adapter_of("qwen2.5-coder-1.5b-instruct").path)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    built = os.environ.get("MINIRAG_CHAT_WHEEL")
    if built:
        return ZipFile(built)
    if find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed: pip install hatchling, or set MINIRAG_CHAT_WHEEL")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    (file,) = folder.glob("*.whl")
    return ZipFile(file)


@pytest.mark.slow
def test_everything_of_the_package_is_in_it(wheel: ZipFile) -> None:
    """Page assets, prompts, adapters, the layouts of the database: every file of the package."""
    names = set(wheel.namelist())
    package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "minirag_chat").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert package - names == set()
    for part in ("show/page.js", "prompts/read.txt", "models/adapters/ranker.safetensors",
                 "models/adapters/qwen2.5-coder-1.5b-instruct.safetensors"):  # fmt: skip
        assert wheel.getinfo(f"minirag_chat/{part}").file_size > 0


@pytest.mark.slow
def test_the_sample_corpus_is_in_it(wheel: ZipFile) -> None:
    place = "minirag_chat/samples/osselmere/log/"
    packed = {n.removeprefix(place) for n in wheel.namelist() if n.startswith(place)}
    logs = {p.relative_to(SAMPLE / "log").as_posix() for p in (SAMPLE / "log").rglob("*.txt")}
    assert packed == logs


def test_what_only_some_need_is_an_extra(wheel: ZipFile) -> None:
    (name,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    told = message_from_string(wheel.read(name).decode())
    assert {"bench", "mcp", "notebook"} <= set(told.get_all("Provides-Extra", []))
    always = [r for r in told.get_all("Requires-Dist", []) if "extra ==" not in r]
    assert always
    heavy = ("matplotlib", "mcp", "jupyter", "pandas", "hatchling", "pytest")
    assert [r for r in always if r.startswith(heavy)] == []
    assert any(
        r.startswith("matplotlib") and "extra == 'bench'" in r.replace('"', "'")
        for r in told.get_all("Requires-Dist", [])
    )


@pytest.mark.slow
def test_unpacked_elsewhere_it_finds_what_it_carries(wheel: ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-c", READ], cwd=tmp_path, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
    )  # fmt: skip
    folder, rest = done.stdout.splitlines()
    assert Path(folder) == tmp_path / "site" / "minirag_chat" / "samples"
    size, ranker, adapter = rest.split()
    assert int(size) > 0
    assert ranker == "True"
    assert adapter.startswith(str(tmp_path / "site"))
