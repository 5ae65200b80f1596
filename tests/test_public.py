"""The promises that others build on: public names, start-up time, layering, docs that agree."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from commands import run_command
from places import ROOT

import minirag_chat

CODE = "import sys; import minirag_chat; print(*sys.modules)"


def test_the_public_names_are_pinned() -> None:
    assert minirag_chat.__all__ == [
        "Answer", "Chat", "ChatMemory", "Evidence", "ImportReport", "Message", "MiniRagChatError",
        "Person", "ReasoningPath", "Settings", "Source",
    ]  # fmt: skip
    for name in minirag_chat.__all__:
        assert getattr(minirag_chat, name).__name__ == name
    with pytest.raises(AttributeError):
        _ = minirag_chat.nothing


def test_importing_costs_little_and_loads_no_heavy_library() -> None:
    output = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True
    ).stdout
    assert not {"torch", "transformers", "gradio", "numpy", "pydantic"} & set(output.split())


@pytest.mark.slow
def test_the_engine_starts_without_torch() -> None:
    code = "import sys; from minirag_chat import ChatMemory; print(*sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert not {"torch", "transformers", "gradio"} & set(output.split())


def help_of(*command: str) -> str:
    environment = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    return run_command(*command, "--help", environment=environment).stdout


@pytest.mark.process
def test_the_readme_names_every_command_and_no_other() -> None:
    listed = set(re.findall(r"^  ([a-z]+)  ", help_of().partition("Commands")[2], re.MULTILINE))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `minirag-chat ([a-z]+)", readme, re.MULTILINE))
    assert listed, "the help page could not be read"
    assert told == listed


@pytest.mark.process
def test_the_readme_tells_every_option_of_ask() -> None:
    options = set(re.findall(r"(--[a-z]+)", help_of("ask"))) - {"--help"}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {o for o in options if o not in readme} == set()


def test_every_setting_is_in_the_docs() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([a-z_]+)`", text, re.MULTILINE))
    assert told == set(minirag_chat.Settings.model_fields)


def test_the_docs_link_to_files_that_exist() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_the_layers_of_the_docs_are_those_that_import_linter_checks() -> None:
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = [set(re.findall(r"\w+", line)) for line in checked["contracts"][0]["layers"]]
    assert checked["contracts"][0]["exhaustive"], "a module without a layer is an error"
    docs = (ROOT / "docs" / "how-a-question-travels.md").read_text("utf-8")
    drawn = docs.split("```text\n")[1].split("```")[0].splitlines()
    assert [set(re.split(r"\s{3,}", line)[0].split()) for line in drawn] == layers


def test_at_most_ten_modules_are_at_the_root() -> None:
    assert len(list((ROOT / "minirag_chat").glob("*.py"))) <= 10


def test_no_two_classes_for_others_share_a_name() -> None:
    found: dict[str, list[str]] = {}
    for package in ("minirag_chat", "extension"):
        for file in (ROOT / package).rglob("*.py"):
            for name in re.findall(r"^class ([A-Za-z]\w*)", file.read_text("utf-8"), re.MULTILINE):
                found.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def test_nothing_of_lihuaworld_is_in_the_repository() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    for name in tracked.splitlines():
        path = ROOT / name
        if path.suffix in {".txt", ".csv", ".json", ".md"} and path.is_file():
            text = path.read_text(encoding="utf-8", errors="ignore")
            assert "WolfgangSchulz:" not in text, name


def test_settings_refuse_what_they_do_not_know(tmp_path: Path) -> None:
    with pytest.raises(minirag_chat.MiniRagChatError, match="abstain_below"):
        minirag_chat.Settings.make(abstain_under=0.5)
    with pytest.raises(minirag_chat.MiniRagChatError, match="method"):
        minirag_chat.Settings.make(method="magic", db=tmp_path / "x.db")
