"""``minirag-chat ask`` without a question: a conversation in the terminal, or the lines of a pipe."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from three_chats import opened
from typer.testing import CliRunner, Result

from minirag_chat.cli import app
from minirag_chat.errors import BadSetting

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a memory of three chats."""
    folder = tmp_path_factory.mktemp("chats")
    with opened(folder):
        pass
    return folder / "chats.db"


def said(db: Path, *lines: str, options: tuple[str, ...] = ()) -> Result:
    """What is printed for these lines of standard input."""
    words = ["--db", str(db), "ask", "--model", "extractive", *options]
    return CliRunner().invoke(
        app, words, input="".join(f"{line}\n" for line in lines), env={"COLUMNS": "200"}
    )


def test_each_line_is_answered_and_goes_on_from_the_one_before(db: Path) -> None:
    done = said(
        db, "How many messages did Ollie write in 2024?", "", "And in 2025?", "who said that?"
    )
    assert done.exit_code == 0
    first, second, third = done.stdout.split("\n> ")[1:]
    assert "Ollie sent 2 messages" in first
    assert "Ollie sent 1 message" in second
    assert "Ollie wrote in \u201cCabin Crew\u201d on Sunday 15 June 2025 at 14:03" in third


def test_what_came_closest_is_printed_once_and_on_lines_of_its_own(db: Path) -> None:
    done = said(db, "What is the secret of gold?", "who said that?")
    last = done.stdout.split("\n> ")[-1]
    closest = "I gave no answer. These messages came closest:"
    assert last.splitlines().count(closest) == last.count(closest) == 1
    quoted = [line for line in last.splitlines() if " wrote in " in line]
    assert quoted
    assert len(quoted) == len(set(quoted))
    assert all(line.endswith("]") for line in quoted), "nothing is glued to them"


def test_a_message_of_the_last_answer_is_shown_in_its_conversation(db: Path) -> None:
    done = said(
        db, "What was the first message of Dana Fox?", "/show 1", "/show [1]", "/show 7", "/show"
    )
    assert "> " in done.stdout
    assert done.stdout.count("great") == 2, "the message after it, twice"
    assert done.stderr.count("takes the number of a message of the last answer; it has 1.") == 2


def test_a_new_conversation_refers_to_no_earlier_question(db: Path) -> None:
    done = said(
        db,
        "How many messages did Ollie write in 2024?",
        "/new",
        "And in 2025?",
        "/quit",
        "How many chats?",
    )
    assert "Ollie sent 1 message" not in done.stdout
    assert "How many chats?" not in done.stdout


def test_what_it_does_not_know_is_said_and_it_goes_on(db: Path) -> None:
    done = said(db, "/nothing", "x" * 5000, "How many messages did Ollie write in 2024?")
    assert "/new " in done.stderr
    assert "5,000" in done.stderr, "a question may not be so long"
    assert "Ollie sent 2 messages" in done.stdout


def test_filters_hold_for_each_question(db: Path) -> None:
    done = said(
        db, "How many messages are there?", "Who wrote most?", options=("--people", "Ollie")
    )
    assert "3 messages" in done.stdout
    assert "Dana" not in done.stdout


def test_without_a_line_it_says_where_a_question_goes(db: Path) -> None:
    done = said(db)
    assert isinstance(done.exception, BadSetting)
    assert "write it behind `ask`" in str(done.exception)
    for option in ("--json", "--graph=why.html"):
        assert isinstance(said(db, "hi", options=(option,)).exception, BadSetting)


HEEDING_CTRL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from minirag_chat.cli import main
main()
"""
"""A shell that starts the tests in the background lets them, and what they start, ignore Ctrl-C."""


@pytest.mark.process
def test_in_a_terminal_ctrl_c_ends_nothing_and_ctrl_d_ends_it(db: Path) -> None:
    ours, theirs = pty.openpty()
    words = [sys.executable, "-c", HEEDING_CTRL_C, "--db", str(db), "ask", "--model", "extractive"]
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "200"}
    with subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            assert "/help" in _until(ours, "\n> ")
            os.write(ours, b"How many messages")
            _until(ours, "How many messages")
            time.sleep(0.5)  # until it waits for a key: else it sees the signal with the next one
            process.send_signal(signal.SIGINT)
            assert "Ctrl-D ends." in _until(ours, "\n> ")
            os.write(ours, b"How many messages did Ollie write in 2024?\n")
            assert "Ollie sent 2 messages" in _until(ours, "\n> ")
            os.write(ours, b"\x04")
            assert process.wait(60) == 0
        finally:
            process.kill()
    os.close(ours)


def _until(terminal: int, end: str) -> str:
    """What is printed up to ``end``."""
    printed = ""
    while end not in printed.replace("\r", ""):
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, f"nothing more was printed after {printed!r}"
        printed += os.read(terminal, 4096).decode(errors="replace")
    return printed.replace("\r", "")
