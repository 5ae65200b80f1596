"""``minirag-chat bench`` as a user runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import run_command
from places import ROOT
from small_corpus import write_corpus

from minirag_chat import Settings
from minirag_chat.errors import BadSetting
from minirag_chat.settings import STEPS

pytestmark = pytest.mark.process


def bench(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "MINIRAG_CHAT_MODEL": "extractive", "COLUMNS": "200", "MINIRAG_CHAT_MODEL_DIR": str(folder / "models"),
    }  # fmt: skip
    db = str(folder / "u.db")
    return run_command("--db", db, "bench", *words, environment=environment, folder=folder)


@pytest.mark.slow
def test_one_command_measures_a_corpus_and_again_resumes(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "small")
    done = bench(tmp_path, str(corpus), "--remove-evidence", "--out", "out")
    assert done.returncode == 0, done.stderr
    for part in ("hybrid", "minirag", "bm25", "dense", "## Answers", "## Evidence removed"):
        assert part in done.stdout
    assert "answers: 5 of 5" in done.stderr
    for name in ("report.md", "figures.json", "threshold.png"):
        assert (tmp_path / "out" / name).is_file()
    size = (tmp_path / "out" / "answers.jsonl").stat().st_size
    again = bench(tmp_path, str(corpus), "--out", "out", "--json", "--no-plots")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["answers"]["rules"]["n"] == 5
    assert (tmp_path / "out" / "answers.jsonl").stat().st_size == size
    report = bench(tmp_path, "report", "out", "--no-plots")
    assert "## Retrieval" in report.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere",), "no folder: name one with questions.csv"),
        (("lihuaworld",), "name the folder with its data and questions with --from"),
        (("small", "--only", "everything"), "use retrieval, answers, removed"),
        (("small", "--method", "magic"), "There is no method 'magic'"),
        (("small", "--without", "magic"), "there is no step 'magic' to leave out"),
        (("small", "--set", "magic"), "write --set NAME=VALUE"),
        (("small", "--set", "magic=1"), "The setting 'magic' is not valid"),
        (("small", "--types", "Riddle"), "the types are Single, Multi, YesNo, Null"),
        (("report", "nowhere"), "holds no run"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_way_out(
    tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    write_corpus(tmp_path / "small")
    done = bench(tmp_path, *words)
    assert done.returncode == 1
    assert sentence in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    environment = {**os.environ, "MINIRAG_CHAT_MODEL_DIR": str(tmp_path / "models")}
    many = [(str(n), f"What is the piano tuner of flat {n} called?", "Walter Quint", "", "Single")
            for n in range(50)]  # fmt: skip
    corpus = write_corpus(tmp_path / "small", many)
    words = ["bench", str(corpus), "--model", "extractive", "--only", "answers", "--out", "out"]
    command = [sys.executable, "-m", "minirag_chat", "--db", str(tmp_path / "u.db"), *words]
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads yet; a background job of a shell ignores it
    ) as process:  # fmt: skip
        file = tmp_path / "out" / "answers.jsonl"
        deadline = time.monotonic() + 400
        while time.monotonic() < deadline and not (file.is_file() and file.stat().st_size > 2000):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.wait(300)
    assert process.returncode == 130
    kept = file.read_text(encoding="utf-8").splitlines()
    assert 0 < len(kept) < 50
    done = bench(tmp_path, *words[1:], "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answers"]["rules"]["n"] == 50
    assert file.read_text(encoding="utf-8").splitlines()[: len(kept)] == kept


WINDOWS = """import sys, psutil
sys.modules["resource"] = None  # as where there is none
from minirag_chat.cli import bench
print(bench.peak_bytes())"""


def test_the_commands_start_where_there_is_no_module_resource() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "None"


def test_steps_to_leave_out_are_settings_that_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.make(without=["dated"]).without == {"dated"}
    monkeypatch.setenv("MINIRAG_CHAT_WITHOUT", "dated, close")
    assert Settings.make().without == {"dated", "close"}
    with pytest.raises(BadSetting, match=r"no step 'magic' to leave out; the steps: .*dated"):
        Settings.make(without=["magic"])


def test_the_docs_tell_every_option() -> None:
    helped = run_command("bench", "run", "--help", environment={"COLUMNS": "100"}).stdout
    options = set(re.findall(r"(--[a-z][a-z-]+)", helped)) - {"--help", "--plots"}
    told = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    assert {option for option in options if option not in told} == set()


def test_the_docs_tell_every_step_that_can_be_left_out() -> None:
    told = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    for name, does in STEPS.items():
        assert f"| `{name}` | {does} |" in told
