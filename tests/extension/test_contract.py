"""What a memory does, here and in a Jupyter server: the same tests for both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_process import Jupyter
from slow_server import SlowServer

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadDeletion, BadQuestion, ImportFailed, NotFound
from minirag_chat.memory.protocol import Memory
from minirag_chat.records import Answer, Message

pytestmark = pytest.mark.process

QUESTION = "Who tunes the piano?"
LONG = " ".join(f"word{i}" for i in range(200))


@pytest.fixture(params=["here", "in a server"])
def memory(
    request: pytest.FixtureRequest, server: Jupyter, speaker: SlowServer, tmp_path: Path
) -> Iterator[Memory]:
    """Nine messages that the same model server reads, wherever the memory lives."""
    if request.param == "in a server":
        yield request.getfixturevalue("remote")
        return
    speaker.says("Walter Quint tunes the piano.")
    url, name = (speaker.environment[f"MINIRAG_CHAT_SERVER_{key}"] for key in ("URL", "MODEL"))
    settings = Settings(db=tmp_path / "here.db", model="server", server_url=url, server_model=name)
    with ChatMemory.open(settings.db, settings) as opened:
        opened.add(server.root / "log")
        yield opened


def said(memory: Memory, words: str) -> list[Message]:
    return [found.message for found in memory.search(words)]


def test_it_knows_what_is_in_it(memory: Memory) -> None:
    assert memory.info().messages == 9
    assert {person.name for person in memory.people()} == {"AnnaBerg", "TomHill", "SamOrtiz"}
    assert sum(chat.messages for chat in memory.chats()) == 9
    assert "title" in memory.chats().frame().columns
    assert said(memory, "drums")[0].sender == "TomHill"
    found = memory.retrieve(QUESTION, method="bm25", k=1)[0].message
    assert found.text == "The piano tuner is called Walter Quint."
    assert found in memory.conversation(found.id, around=1)


def test_a_search_is_narrowed_as_a_question_is(memory: Memory) -> None:
    (drums,) = said(memory, "drums")
    day = drums.sent_at.date()
    for inside in ({"people": ["Tom"]}, {"chats": [drums.chat]}, {"since": day, "until": day}):
        assert [found.message for found in memory.search("drums", **inside)] == [drums], inside
    for outside in ({"people": ["SamOrtiz"]}, {"since": "2027-01-01"}, {"until": "2020-01-01"}):
        assert memory.search("drums", **outside) == [], outside
    tom = next(person.id for person in memory.people() if person.name == "TomHill")
    assert memory.search("drums", k=500, people=[tom])[0].message == drums
    assert {m.message.sender for m in memory.retrieve("drums", k=500, people=[tom])} == {"TomHill"}
    assert memory.ask("Who has the drums?", people=[tom]).sources
    for nobody in ("Zacharias", 9_999):
        with pytest.raises(NotFound):
            memory.search("drums", people=[nobody])


def test_it_answers_in_pieces_with_sources_and_a_path(memory: Memory) -> None:
    read: list[Message] = []
    pieces = list(memory.stream(QUESTION, reads=read.extend))
    answer = pieces[-1]
    assert isinstance(answer, Answer)
    assert "".join(map(str, pieces[:-1])).strip() == "Walter Quint tunes the piano."
    assert answer.sources[0].message.text == "The piano tuner is called Walter Quint."
    assert answer.sources[0].message in read
    assert (answer.stopped, answer.question) == (False, QUESTION)
    assert answer.path.nodes


def test_it_leans_on_the_question_before_until_that_is_forgotten(
    memory: Memory, speaker: SlowServer
) -> None:
    memory.ask(QUESTION)
    memory.ask("And the drums?")
    assert "drums" in speaker.asked[-1]
    memory.forget_conversation()
    assert memory.ask("Is he expensive?").question == "Is he expensive?"
    assert "Earlier question" not in speaker.asked[-1]


def test_a_stop_keeps_what_was_said_so_far(memory: Memory, speaker: SlowServer) -> None:
    speaker.says(LONG, pause=0.3)
    answer = memory.ask(QUESTION, cancelled=lambda: speaker.said > 4)
    assert answer.stopped
    assert answer.text.startswith("word0 word1")
    assert speaker.left_early(), "the model speaks to nobody"


def test_it_is_told_once_who_asks(memory: Memory) -> None:
    assert "TomHill" in {person.name for person in memory.likely_me()}
    assert memory.me is None
    chosen = memory.set_me("TomHill")
    assert chosen is not None
    assert memory.me == chosen
    assert memory.likely_me() == []


def test_a_chat_is_deleted_and_added_again(memory: Memory, server: Jupyter) -> None:
    chat = memory.chats()[0]
    assert memory.delete_chat(chat.id) == chat
    assert memory.info().messages < 9
    steps: list[object] = []
    assert memory.add(server.root / "log", progress=steps.append).messages_added == chat.messages
    assert steps


def test_messages_are_deleted_restored_and_wiped(memory: Memory) -> None:
    (found,) = said(memory, "drums")
    shown = memory.preview_delete(messages=[found.id])
    assert (shown.messages, shown.first) == (1, found.sent_at)
    gone = memory.delete(messages=[found.id])
    assert said(memory, "drums") == []
    assert memory.deletions() == [gone]
    assert memory.restore().what == gone.what
    assert [message.id for message in said(memory, "drums")] == [found.id]
    memory.delete(messages=[found.id], now=True)
    assert memory.deletions() == []
    with pytest.raises(NotFound):
        memory.restore()
    with pytest.raises(BadDeletion):
        memory.delete()
    assert memory.empty_trash().wiped == 0
    assert memory.empty_trash(prove=True).proof is not None


def test_one_person_or_chat_is_deleted_by_its_name_alone(memory: Memory) -> None:
    (drums,) = said(memory, "drums")
    shown = memory.preview_delete(people="TomHill")
    assert shown == memory.preview_delete(people=["TomHill"])
    assert memory.preview_delete(chats=drums.chat).messages
    assert memory.delete(people="TomHill").messages == shown.messages
    assert said(memory, "drums") == []


def test_a_name_is_replaced_and_comes_back(memory: Memory) -> None:
    changed = memory.replace_name("SamOrtiz", "Person 7")
    assert changed.messages == memory.preview_name("Person 7", "SamOrtiz").messages
    assert "Person 7" in {person.name for person in memory.people()}
    memory.restore(changed.number)
    assert {person.name for person in memory.people()} == {"AnnaBerg", "TomHill", "SamOrtiz"}


def test_what_is_wrong_is_said_by_the_same_errors(memory: Memory, server: Jupyter) -> None:
    with pytest.raises(NotFound, match="Zacharias"):
        memory.ask("Who?", people=["Zacharias"])
    with pytest.raises(NotFound, match="April"):
        memory.retrieve(QUESTION, since="3/4/2026")
    with pytest.raises(BadQuestion, match="is empty"):
        memory.ask(" ")
    with pytest.raises(NotFound, match="4711"):
        memory.conversation(4711)
    (server.root / "strange.bin").write_bytes(bytes(100))
    with pytest.raises(ImportFailed):
        memory.add(server.root / "strange.bin")
    assert memory.ask(QUESTION).text.startswith("Walter")
