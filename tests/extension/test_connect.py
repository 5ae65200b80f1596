"""``ChatMemory.connect()``: notebooks that share the engine of a real Jupyter server process."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from jupyter_process import TOKEN, Jupyter
from slow_server import SlowServer

from minirag_chat import ChatMemory
from minirag_chat.errors import MiniRagChatError
from minirag_chat.json_records import from_json
from minirag_chat.memory.remote import RemoteMemory, ServerGone, _raise
from minirag_chat.records import Answer, Person

pytestmark = pytest.mark.process

LONG = " ".join(f"word{i}" for i in range(200))
QUESTION = "Who tunes the piano?"


def test_only_what_lies_below_the_servers_root_is_imported(
    remote: RemoteMemory, tmp_path: Path
) -> None:
    with pytest.raises(Exception, match="folder"):
        remote.add(tmp_path)


def test_who_has_no_token_is_told_so(remote: RemoteMemory, server: Jupyter) -> None:
    for token in ("", "guessed"):
        with pytest.raises(ServerGone, match="token"):
            ChatMemory.connect(url=server.url, token=token)
    assert ChatMemory.connect(remote.db, url=server.url, token=TOKEN).info().messages == 9
    with pytest.raises(ServerGone, match="jupyter lab"):
        ChatMemory.connect(url="http://127.0.0.1:9/", token=TOKEN)


def test_a_closed_connection_says_so(remote: RemoteMemory) -> None:
    other = ChatMemory.connect(remote.db)
    other.close()
    with pytest.raises(ServerGone, match="is closed"):
        other.people()


def test_a_change_that_takes_long_is_waited_for(
    remote: RemoteMemory, server: Jupyter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minirag_chat.memory.remote.SECONDS", httpx.Timeout(0.5))
    with closing(sqlite3.connect(server.root / remote.db, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(2.0, other.rollback).start()
        gone = remote.delete(people=["SamOrtiz"])
    assert gone.messages
    assert remote.restore().messages == gone.messages


def test_a_database_that_is_not_there_yet_is_shown_as_a_sentence(
    remote: RemoteMemory, server: Jupyter
) -> None:
    assert (
        "nosuch.db"
        in ChatMemory.connect("nosuch.db", url=server.url, token=TOKEN)._repr_mimebundle_()[
            "text/plain"
        ]
    )


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
    speaker.says(LONG, pause=0.3)
    stop, said, answer = threading.Event(), "", None
    for piece in remote.stream(QUESTION, cancelled=stop.is_set):
        if isinstance(piece, Answer):
            answer = piece
        else:
            said += piece
        if "word1" in said:
            stop.set()
    assert answer is not None
    assert answer.stopped
    assert answer.text.startswith("word0 word1")
    assert speaker.left_early(), "the model speaks to nobody"
    speaker.says("Walter Quint.")
    assert remote.ask(QUESTION).text.startswith("Walter Quint.")


def test_a_long_conversation_goes_on(remote: RemoteMemory, speaker: SlowServer) -> None:
    remote.ask(QUESTION)
    remote._conversation[:0] = [("Who has the van?", "Tom.")] * 150
    assert remote.ask("And what does he cost?").text
    assert f"Earlier question: {QUESTION}" in speaker.asked[-1]


def test_ten_notebooks_at_once_are_all_answered(server: Jupyter, remote: RemoteMemory) -> None:
    answers: list[Answer] = []

    def notebook(number: int) -> None:
        with ChatMemory.connect(remote.db) as own:
            answers.append(own.ask(f"Who tunes piano number {number}?"))

    threads = [threading.Thread(target=notebook, args=(i,)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert len({answer.question for answer in answers}) == 10


@pytest.mark.parametrize("way", ["another notebook", "the whole chat"])
def test_what_was_deleted_is_no_longer_sent_as_the_conversation(
    remote: RemoteMemory, speaker: SlowServer, way: str
) -> None:
    found = remote.search("tuner")[0].message
    remote.ask(QUESTION)
    remote.ask("And what does he cost?")
    assert "Earlier question" in speaker.asked[-1]
    if way == "the whole chat":
        remote.delete_chat(found.chat_id)
    else:
        with ChatMemory.connect(remote.db) as other:
            other.delete(messages=[found.id], now=True)
    remote.ask("And what does he cost?")
    assert "Earlier question" not in speaker.asked[-1]
    assert "Quint" not in speaker.asked[-1]


@pytest.mark.parametrize("kind", ["first_line", "Sequence", "Any", "", None, 7])
def test_an_error_of_an_unknown_kind_is_said_as_its_sentence(kind: object) -> None:
    with pytest.raises(MiniRagChatError, match="The disk is full"):
        _raise({"type": kind, "message": "The disk is full: free some."})


def test_an_answer_of_another_version_says_to_update() -> None:
    with pytest.raises(MiniRagChatError, match="update minirag-chat on both sides"):
        from_json(Person | None, {"nick": "Ann"})
