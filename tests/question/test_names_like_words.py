"""People called Will, April or Rose, in questions typed in lower case: names where only a name can stand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_table

from minirag_chat import ChatMemory, Settings
from minirag_chat.question.named_entities import people_in


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    """Will Hart, April Stone and Rose write 2, 3 and 4 messages in November, Ana one in April."""
    folder = tmp_path_factory.mktemp("named")
    writers = ["Will Hart"] * 2 + ["April Stone"] * 3 + ["Rose"] * 4
    rows = [
        (f"2025-11-{n + 1:02} 10:00", who, f"message {n} haha", "Flat")
        for n, who in enumerate(writers)
    ]
    rows.append(("2025-04-02 09:00", "Ana Ruiz", "the first one", "Flat"))
    settings = Settings.make(db=folder / "chats.db")
    models = {"embedder": WordEmbedder(), "chat_model": ScriptedModel()}
    with ChatMemory.open(settings.db, settings, **models) as memory:
        memory.add(write_table(folder / "flat.csv", *rows))
        yield memory


def names(memory: ChatMemory, question: str) -> list[str]:
    with memory._store.reading():
        return [question[start:end] for start, end, _people in people_in(question, memory._store)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many messages did will send", ["will"]),
        ("will's last message", ["will"]),
        ("whats the last message will sent", ["will"]),
        ("how many messages from will", ["will"]),
        ("and will?", ["will"]),
        ("what did april write in november", ["april"]),
        ("last message from april", ["april"]),
        ("how long does april take to reply to rose", ["april", "rose"]),
        ("who wrote more, will or ana ruiz", ["will", "ana ruiz"]),
        ("what did april and i talk about", ["april"]),
        ("did rose write today", ["rose"]),
        ("what did april and Ana Ruiz talk about in april", ["april", "Ana Ruiz"]),
        # the words themselves
        ("will ana ruiz write", ["ana ruiz"]),
        ("what will you bring", []),
        ("when will the roses come", []),
        ("how many messages in april", []),
        ("how many messages were there in april", []),
        ("messages from april to june", []),
        ("did april have more messages than may", []),
        ("is april over", []),
        ("was april busy", []),
        ("how many messages from april", []),
        ("compare november with april", []),
        ('how many messages say "did will write"', []),
        ("who sent the rose", []),
        ("and april", []),
        ("prices rose in november", []),
    ],
)
def test_a_word_is_a_name_where_only_a_name_can_stand(
    named: ChatMemory, question: str, expected: list[str]
) -> None:
    assert names(named, question) == expected


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many messages did will send", "Will Hart sent 2 messages"),
        ("how many messages did april send", "April Stone sent 3 messages"),
        ("when did april last write", "The last message is from April Stone"),
        ("how many times did rose say haha", "Rose wrote \u201chaha\u201d 4 times"),
        ("how many messages were there in april", "Ana Ruiz sent 1 message, on 2 April 2025"),
    ],
)
def test_what_is_counted_is_that_persons_and_not_that_months(
    named: ChatMemory, question: str, said: str
) -> None:
    assert named.ask(question, history=()).text.startswith(said)


def test_the_follow_up_of_a_count_may_be_such_a_name(named: ChatMemory) -> None:
    first = named.ask("how many messages did ana ruiz send", history=())
    answer = named.ask("and will", history=[("how many messages did ana ruiz send", first.text)])
    assert answer.text.startswith("Will Hart sent 2 messages")


def test_nobody_is_found_in_a_word_that_nobody_is_called(named: ChatMemory) -> None:
    assert names(named, "did mark write to bill") == []
