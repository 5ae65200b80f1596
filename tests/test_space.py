"""The Hugging Face Space: its README head, its requirements, its entry."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

from places import ROOT


def head() -> dict[str, str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    return dict(line.split(": ", 1) for line in text.strip().splitlines())


def test_requirements_are_those_of_the_package() -> None:
    made = runpy.run_path(str(ROOT / ".ci" / "requirements.py"))["requirements"]()
    assert (ROOT / "requirements.txt").read_text(encoding="utf-8") == made, (
        "run: python .ci/requirements.py"
    )


def test_the_readme_tells_the_space_what_to_start() -> None:
    told = head()
    assert told["sdk"] == "gradio"
    assert (ROOT / told["app_file"]).is_file()
    assert told["license"] == "mit"
    assert len(told["short_description"]) <= 60
    wanted = tuple(int(part) for part in told["sdk_version"].split(".")[:2])
    assert wanted >= (6, 21)


SPACES = """from pathlib import Path
import sys
def GPU(function=None, **_):
    loaded = sorted({"torch", "transformers"} & set(sys.modules))
    Path(%r).write_text(f"{function.__module__} {loaded}")
    return function
"""


def test_zero_gpu_finds_a_function_that_asks_for_it_before_torch_is_there(tmp_path: Path) -> None:
    asked = tmp_path / "asked.txt"
    (tmp_path / "spaces.py").write_text(SPACES % str(asked), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]),
        "MINIRAG_CHAT_MODEL": "no-such-model",  # it goes no further than that
        "MINIRAG_CHAT_DB": str(tmp_path / "x.db"),
    }
    ended = subprocess.run(
        [sys.executable, "app.py"], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert ended.returncode == 1
    assert asked.read_text(encoding="utf-8") == "minirag_chat.show.page_start []"


def test_the_entry_is_short_and_a_failure_is_one_sentence(tmp_path: Path) -> None:
    assert (ROOT / "app.py").read_text(encoding="utf-8").count("\n") <= 20
    environment = {
        **os.environ,
        "MINIRAG_CHAT_MODEL": "no-such-model",
        "MINIRAG_CHAT_DB": str(tmp_path / "x.db"),
    }
    ended = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "There is no model called 'no-such-model'" in ended.stderr
    assert "Traceback" not in ended.stderr
