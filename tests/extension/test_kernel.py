"""In a real kernel: the magics, their completion, and what interrupting a cell does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_process import environment
from places import SMALL, write_log
from slow_server import SlowServer

jupyter_client = pytest.importorskip("jupyter_client", reason="jupyter-client is not installed")
from jupyter_client.manager import KernelManager
from kernels import Notebook

pytestmark = pytest.mark.process

LONG = " ".join(f"word{i}" for i in range(200))
SETUP = """
from minirag_chat import ChatMemory
from fakes import WordEmbedder
memory = ChatMemory.open("chats.db", embedder=WordEmbedder())
memory.add("log")
%load_ext minirag_chat_jupyter
"""


@pytest.fixture(scope="module")
def notebook(speaker: SlowServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    home = tmp_path_factory.mktemp("kernel")
    write_log(home / "log", SMALL)
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env=environment(home, speaker.environment), cwd=str(home))
    opened = Notebook(manager)
    assert not any("error" in item for item in opened.run(SETUP))
    yield opened
    opened.client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture(autouse=True)
def brief(speaker: SlowServer) -> None:
    speaker.says("Walter Quint tunes the piano.")


def interrupted(notebook: Notebook, speaker: SlowServer, code: str) -> list[dict[str, Any]]:
    """Run a cell that takes a minute, and interrupt it once the model speaks."""
    speaker.says(LONG, pause=0.3)
    cell = notebook.begin(code)
    assert speaker.speaking.wait(120)
    notebook.manager.interrupt_kernel()
    assert speaker.left_early(), "the model goes on"
    sent = notebook.end(cell)
    speaker.says("Walter Quint tunes the piano.")
    return sent


def test_interrupting_a_cell_stops_the_model_and_the_next_question_works(
    notebook: Notebook, speaker: SlowServer
) -> None:
    sent = interrupted(notebook, speaker, "memory.ask('Who tunes the piano?')")
    assert sent[-1]["error"].startswith("KeyboardInterrupt")
    (shown,) = notebook.run("memory.ask('Who tunes the piano?')")
    assert "Walter Quint" in shown["text/html"]


def test_interrupting_a_waiting_widget_stops_the_model_and_keeps_what_was_said(
    notebook: Notebook, speaker: SlowServer
) -> None:
    notebook.run("from minirag_chat.show.widget import ChatWidget\nwidget = ChatWidget(memory)")
    sent = interrupted(notebook, speaker, "widget.ask('Who tunes the piano?')")
    assert sent[-1]["error"].startswith("KeyboardInterrupt")
    (state,) = notebook.run(
        "widget.running, widget.answers[-1].stopped, widget.answers[-1].text[:5]"
    )
    assert state["text/plain"] == "(False, True, 'word0')"
    (shown,) = notebook.run("widget.ask('Who tunes the piano?').text")
    assert "Walter Quint" in shown["text/plain"]


def test_interrupting_the_magic_stops_the_model(notebook: Notebook, speaker: SlowServer) -> None:
    notebook.run("%chat_open chats.db")
    sent = interrupted(notebook, speaker, "%%ask\nWho tunes the piano?")
    assert sent[-1]["error"].startswith("KeyboardInterrupt")


def test_the_cell_magic_streams_and_its_result_is_the_answer(
    notebook: Notebook, speaker: SlowServer
) -> None:
    (opened,) = notebook.run("%chat_open chats.db")
    assert "messages" in opened["text/plain"]
    speaker.says("Walter Quint tunes the piano.", pause=0.1)
    sent = notebook.run(
        '%%ask --people "Anna Berg" --since 2026-01-01 --method bm25\nWho tunes\nthe piano?'
    )
    streamed = [item["text/markdown"] for item in sent if item["kind"] == "update_display_data"]
    assert any(text.strip() == "Walter" for text in streamed)
    assert "Walter Quint" in sent[-1]["text/html"]
    assert sent[-1]["kind"] == "execute_result"
    (kept,) = notebook.run("type(_).__name__, _.question")
    assert kept["text/plain"] == "('Answer', 'Who tunes the piano?')"


def test_loading_the_magics_again_keeps_what_is_open(notebook: Notebook) -> None:
    notebook.run("%chat_open chats.db")
    for again in ("%reload_ext minirag_chat_jupyter", "%load_ext minirag_chat_jupyter"):
        notebook.run(again)
        sent = notebook.run("%%ask\nWho tunes the piano?")
        assert "Walter Quint" in sent[-1]["text/html"], again
    assert notebook.completions("%%ask --people A").count("Anna\\ Berg") == 1


def test_what_is_wrong_is_one_sentence(notebook: Notebook) -> None:
    for code, told in (
        ("%%ask --people Zacharias\nWho?", "Zacharias"),
        ("%%ask --method magic\nWho?", "magic"),
        ("%%ask --people 'Anna\nWho?", "quote"),
        ("%%ask\n \n", "empty"),
        ("%chat_open --nothing", "nothing"),
    ):
        (error,) = [
            item for item in notebook.run(code) if "error" in item or item["kind"] == "stderr"
        ]
        said = error.get("error") or error["text/plain"]
        assert "UsageError" in said
        assert told in said
        assert "Traceback" not in said


def test_an_error_is_a_sentence_without_a_traceback(notebook: Notebook) -> None:
    for code in ("memory.ask('Who?', people=['Zacharias'])", "memory.add('nosuch.txt')"):
        shown = notebook.run(code)[-1]["shown"]
        assert len(shown) == 1, shown
        assert "\n" not in shown[0]
        assert "Zacharias" in shown[0] or "nosuch.txt" in shown[0]


def test_a_misspelt_database_is_not_made_and_the_open_one_stays(notebook: Notebook) -> None:
    notebook.run("%chat_open chats.db")
    (told,) = notebook.run("%chat_open chat.db")
    assert "There is no database" in told["text/plain"]
    (there,) = notebook.run("import os; os.path.exists('chat.db')")
    assert there["text/plain"] == "False"
    assert "text/html" in notebook.run("%%ask\nWho tunes the piano?")[-1]


def test_a_name_without_quotes_is_said_to_need_them(notebook: Notebook) -> None:
    (told,) = notebook.run("%%ask --people Anna Berg\nWho?")
    assert "'Berg'" in told["text/plain"]
    assert "quotes" in told["text/plain"]


def test_the_programs_own_name_loads_the_magics_too(notebook: Notebook) -> None:
    assert notebook.run("%load_ext minirag_chat") == []


def test_people_and_options_are_completed(notebook: Notebook) -> None:
    notebook.run("%chat_open chats.db")
    assert set(notebook.completions("%%ask --people ")) >= {r"Anna\ Berg", r"Tom\ Hill"}
    assert notebook.completions("%%ask --people 'To") == ["Tom Hill"]
    assert notebook.completions("%%ask --since 2026-01-01 --people To") == [r"Tom\ Hill"]
    (shown,) = notebook.run("%%ask --people Tom\\ Hill\nWho parked the van?")[-1:]
    assert "Walter Quint" in shown["text/html"]
    assert "--since" in notebook.completions("%%ask --s")
    assert "minirag" in notebook.completions("%%ask --method m")
