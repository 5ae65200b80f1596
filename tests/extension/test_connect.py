"""``ChatMemory.connect()``: notebooks that share the engine of a real Jupyter server process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_process import TOKEN, Jupyter, jupyter
from places import SMALL, write_log
from slow_server import SlowServer

from minirag_chat import ChatMemory
from minirag_chat.errors import BadDeletion, BadQuestion, ImportFailed, NotFound
from minirag_chat.memory.remote import RemoteMemory, ServerGone
from minirag_chat.records import Answer

LONG = " ".join(f"word{i}" for i in range(200))
QUESTION = "Who tunes the piano?"


@pytest.fixture(scope="module")
def speaker() -> Iterator[SlowServer]:
    with SlowServer() as made:
        yield made


@pytest.fixture(scope="module")
def server(speaker: SlowServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jupyter]:
    home = tmp_path_factory.mktemp("jupyter")
    root = home / "root"
    write_log(root / "log", SMALL)
    with jupyter("server", home, root, speaker.environment) as running:
        yield running


@pytest.fixture
def remote(
    server: Jupyter, speaker: SlowServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RemoteMemory]:
    speaker.says("Walter Quint tunes the piano.")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", server.environment["JUPYTER_RUNTIME_DIR"])
    monkeypatch.setenv("JPY_PARENT_PID", str(server.pid))
    with ChatMemory.connect(server.root / "chats.db") as connected:
        connected.add(server.root / "log")
        yield connected


def test_it_does_what_a_memory_of_ones_own_does(remote: RemoteMemory) -> None:
    assert remote.info().messages == 9
    assert {p.name for p in remote.people()} == {"AnnaBerg", "TomHill", "SamOrtiz"}
    assert "title" in remote.chats().frame().columns
    found = remote.retrieve(QUESTION, method="bm25", k=1)[0].message
    assert found.text == "The piano tuner is called Walter Quint."
    assert found in remote.conversation(found.id, around=1)
    assert remote.search("drums")[0].message.sender == "TomHill"
    pieces = list(remote.stream(QUESTION))
    answer = pieces[-1]
    assert isinstance(answer, Answer)
    assert "".join(map(str, pieces[:-1])).strip() == "Walter Quint tunes the piano."
    assert (answer.sources[0].message, answer.stopped) == (found, False)
    assert answer.path.nodes
    assert "Walter Quint" in answer._repr_mimebundle_()["text/html"]
    assert "9" in remote._repr_mimebundle_()["text/plain"]


def test_a_chat_is_deleted_and_added_again(remote: RemoteMemory, server: Jupyter) -> None:
    chat = remote.chats()[0]
    assert remote.delete_chat(chat.id) == chat
    assert remote.info().messages < 9
    steps = []
    assert remote.add("log", progress=steps.append).messages_added == chat.messages
    assert steps


def test_messages_are_deleted_and_restored_as_at_home(remote: RemoteMemory) -> None:
    found = remote.search("drums")[0].message
    shown = remote.preview_delete(messages=[found.id])
    assert (shown.messages, shown.first) == (1, found.sent_at)
    gone = remote.delete(messages=[found.id])
    assert remote.search("drums") == []
    assert remote.deletions() == [gone]
    assert remote.restore().what == gone.what
    assert remote.search("drums")[0].message.text == found.text
    changed = remote.replace_name("SamOrtiz", "Person 7")
    assert changed.messages == remote.preview_name("Person 7", "SamOrtiz").messages
    remote.restore(changed.number)
    assert {p.name for p in remote.people()} == {"AnnaBerg", "TomHill", "SamOrtiz"}
    with pytest.raises(BadDeletion):
        remote.delete()
    assert remote.empty_trash() == 0


def test_errors_are_the_same_classes_as_at_home(
    remote: RemoteMemory, server: Jupyter, tmp_path: Path
) -> None:
    with pytest.raises(NotFound, match="Zacharias"):
        remote.ask("Who?", people=["Zacharias"])
    with pytest.raises(BadQuestion, match="empty"):
        remote.ask(" ")
    with pytest.raises(NotFound, match="4711"):
        remote.conversation(4711)
    (server.root / "strange.bin").write_bytes(bytes(100))
    with pytest.raises(ImportFailed):
        remote.add("strange.bin")
    with pytest.raises(Exception, match="folder"):
        remote.add(tmp_path)
    assert remote.ask(QUESTION).text.startswith("Walter")


def test_who_has_no_token_is_told_so(remote: RemoteMemory, server: Jupyter) -> None:
    for token in ("", "guessed"):
        with pytest.raises(ServerGone, match="token"):
            ChatMemory.connect(url=server.url, token=token)
    assert ChatMemory.connect("chats.db", url=server.url, token=TOKEN).info().messages == 9
    with pytest.raises(ServerGone, match="jupyter lab"):
        ChatMemory.connect(url="http://127.0.0.1:9/", token=TOKEN)


def test_without_a_server_the_remedy_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "jpserver-1.json").write_text(
        '{"url": "http://127.0.0.1:9/", "pid": 4194304, "token": ""}'
    )
    (tmp_path / "jpserver-2.json").write_text("{")
    with pytest.raises(ServerGone, match="jupyter lab"):
        ChatMemory.connect()


def test_a_stop_reaches_the_model_behind_the_server(
    remote: RemoteMemory, speaker: SlowServer
) -> None:
    speaker.says(LONG, pause=0.05)
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    begun = time.monotonic()
    answer = remote.ask(QUESTION, cancelled=stop.is_set)
    assert answer.stopped
    assert answer.text.startswith("word0 word1")
    assert time.monotonic() - begun < 2
    assert speaker.hung_up.wait(1), "the model speaks to nobody"
    speaker.says("Walter Quint.")
    assert remote.ask(QUESTION).text.startswith("Walter Quint.")


def test_ten_notebooks_at_once_are_all_answered(server: Jupyter, remote: RemoteMemory) -> None:
    answers: list[Answer] = []

    def notebook(number: int) -> None:
        with ChatMemory.connect("chats.db") as own:
            answers.append(own.ask(f"Who tunes piano number {number}?"))

    threads = [threading.Thread(target=notebook, args=(i,)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len({answer.question for answer in answers}) == 10
