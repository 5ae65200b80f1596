"""A model on a server judges, and a person in the terminal; both are kept and resumed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from small_corpus import run_small
from typer.testing import CliRunner

from minirag_chat.bench.llm_judge import judge_by_model, read_judged
from minirag_chat.bench.report import judgements, read_run, write_report
from minirag_chat.bench.runner import Plan
from minirag_chat.cli import app
from minirag_chat.errors import ModelServerError
from minirag_chat.models.server_model import ServerChatModel

pytestmark = pytest.mark.process


class JudgingServer:
    """A real local server that says ``right`` where the answer has the reference's words."""

    def __init__(self) -> None:
        self.cases: list[str] = []
        self.fail_after: int | None = None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body: dict[str, Any] = json.loads(
                    self.rfile.read(int(self.headers["Content-Length"]))
                )
                if outer.fail_after is not None and len(outer.cases) >= outer.fail_after:
                    self.send_response(500)
                    self.end_headers()
                    return
                case = body["messages"][1]["content"]
                outer.cases.append(case)
                _, gold, answer = case.split("\n")
                word = "right" if gold.split(": ")[1].split()[0] in answer else "Wrong."
                delta = {"choices": [{"delta": {"content": f" {word}"}, "finish_reason": "stop"}]}
                self.send_response(200)
                self.end_headers()
                self.wfile.write(f"data: {json.dumps(delta)}\n\ndata: [DONE]\n\n".encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


@pytest.fixture
def server() -> Iterator[JudgingServer]:
    made = JudgingServer()
    threading.Thread(target=made.http.serve_forever, args=(0.02,), daemon=True).start()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture
def out(plan: Callable[..., Plan]) -> Path:
    done = plan("answers")
    run_small(done)
    return done.out


def test_a_server_judges_each_answer_once(server: JudgingServer, out: Path) -> None:
    model = ServerChatModel(server.url, "big")
    measured = read_run(out)
    found = judge_by_model(out, measured.answers, model)
    assert found["1"] == "right"
    assert found["2"] == "wrong"
    asked = len(server.cases)
    assert asked == sum(not a.abstained for a in measured.answers)
    assert judge_by_model(out, measured.answers, model) == found
    assert len(server.cases) == asked
    text = write_report(read_run(out)).read_text(encoding="utf-8")
    assert f"Judged by big on {server.url}" in text
    assert set(judgements(read_run(out))) == {"rules", model.name}


def test_a_server_that_fails_midway_keeps_what_it_said(server: JudgingServer, out: Path) -> None:
    server.fail_after = 2
    model = ServerChatModel(server.url, "big")
    with pytest.raises(ModelServerError, match="500"):
        judge_by_model(out, read_run(out).answers, model)
    assert len(read_judged(out, model.name)) == 2


def test_the_command_line_asks_the_server(server: JudgingServer, out: Path) -> None:
    done = CliRunner().invoke(
        app,
        ["bench", "judge", str(out), "--judge-url", server.url, "--judge-model", "big", "--json"],
    )
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["answers"]) == 2


def review(out: Path, keys: str) -> Any:
    return CliRunner().invoke(app, ["bench", "judge", str(out)], input="\n".join(keys) + "\n")


def test_a_person_says_what_is_right_and_stops_and_goes_on(out: Path) -> None:
    given = [a for a in read_run(out).answers if not a.abstained]
    assert len(given) >= 3
    first = review(out, "rxq")  # x is no key: it asks again
    assert first.exit_code == 0, first.output
    assert "Walter Quint" in first.stderr
    rest = "w" * (len(given) - 1)
    assert review(out, rest).exit_code == 0
    rows = [
        json.loads(line)
        for line in (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [row["verdict"] for row in rows] == ["right"] + ["wrong"] * (len(given) - 1)
    assert "Every answer has a verdict" in review(out, "q").stderr
    assert set(rows[0]) == {"id", "hash", "verdict", "answer"}  # nothing of the question


def test_what_a_person_reads_is_no_part_of_the_json(out: Path) -> None:
    command = [sys.executable, "-m", "minirag_chat", "bench", "judge", str(out), "--json"]
    done = subprocess.run(command, input="r\nq\n", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answers"]["people"]["n"] == 1
    assert "Walter Quint" in done.stderr


def test_a_person_takes_a_verdict_back(out: Path) -> None:
    review(out, "wuriq")
    rows = [
        json.loads(line)
        for line in (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [row["verdict"] for row in rows] == ["right", "irrelevant"]
