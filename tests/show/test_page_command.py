"""`minirag-chat page`, as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from minirag_chat.cli import app
from minirag_chat.cli import page as page_command
from minirag_chat.errors import BadSetting

pytestmark = pytest.mark.process

COMMAND = [sys.executable, "-m", "minirag_chat"]


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "MINIRAG_CHAT_MODEL_DIR": str(folder / "models"),
        "MINIRAG_CHAT_MODEL": "extractive",
    }


def test_it_serves_the_page_offers_the_sample_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    with socket.socket() as taken:  # so that it has to take the next one, or says so
        taken.bind(("127.0.0.1", 0))
        free = taken.getsockname()[1]
    command = [*COMMAND, "--db", str(tmp_path / "chats.db"), "page", "--no-browser", "--json"]
    with subprocess.Popen(
        [*command, "--port", str(free)], cwd=tmp_path, env=environment(tmp_path), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads yet; a background job of a shell ignores it
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            first = "".join(process.stdout.readline() for _ in range(3))
            address = json.loads(first)["address"]
            assert address == f"http://127.0.0.1:{free}/"
            shown = urlopen(address, timeout=120).read().decode()  # noqa: S310 - this machine
            second = subprocess.run(
                [*command, "--port", str(free)], cwd=tmp_path, env=environment(tmp_path),
                capture_output=True, text=True, check=False, timeout=300,
            )  # fmt: skip
            process.send_signal(signal.SIGINT)
            rest, said = process.communicate(timeout=120)
        finally:
            process.kill()  # else a failure would wait for it for ever
    assert "MiniRAG Chat" in shown
    assert rest == ""  # the address was the one document
    assert "Traceback" not in said
    assert second.returncode == 1
    assert "--port" in json.loads(second.stdout)["error"]
    assert (tmp_path / "sample.db").is_file()


def test_a_port_that_is_taken_is_said_before_anything_is_begun(tmp_path: Path) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ["--db", str(tmp_path / "x.db"), "page", "--no-browser", "--port", port]
        done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, BadSetting)
    assert f"port {port}" in str(done.exception)
    assert "--port" in str(done.exception)
    assert not (tmp_path / "x.db").exists()


def test_a_private_page_is_not_opened_to_other_machines(tmp_path: Path) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    done = CliRunner().invoke(
        app, ["--db", str(tmp_path / "x.db"), "page", "--host", "192.0.2.1", "--no-browser"]
    )
    assert done.exit_code == 1
    assert isinstance(done.exception, BadSetting)
    assert "--public" in str(done.exception)


def test_without_gradio_it_says_in_one_sentence_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_command, "find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["--db", str(tmp_path / "x.db"), "page"])
    assert isinstance(done.exception, BadSetting)
    assert "pip install gradio" in str(done.exception)
    assert str(done.exception).count(". ") == 0
    assert not (tmp_path / "x.db").exists()
