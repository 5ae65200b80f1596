"""People and chats that a counting question names and that are not there, and words that are no names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import WordEmbedder
from places import write_table
from three_chats import asked, opened

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadQuestion


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats")) as memory:
        yield memory


def test_a_word_behind_an_article_is_nobodys_name(chats: ChatMemory) -> None:
    assert "Nobody" not in asked(chats, "What did we talk about in the evening?").note
    assert "Nobody" not in asked(chats, "Who wrote most between Tuesday and the cabin?").note
    assert "Nobody is called 'Xaver'" in asked(chats, "What did Xaver write last?").note


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("did Dana send flowers?", ""),
        ("who sent most hearts?", ""),
        ("did Tom send kisses", ""),
        ("Memes sent by Tom?", ""),
        ("who did my flatmates write to last?", ""),
        ("what did somebody write on Friday?", ""),
        ("did nobody write on Friday?", ""),
        ("how many messages did danaa send?", "danaa"),
        ("how many photos did ollieg send?", "ollieg"),
        ("who did danna text last?", "danna"),
        ("when did harold last write?", "harold"),
        ("who wrote more, Tom or harold?", "harold"),
        ("what was harold's last message?", "harold"),
        ("Was hat xaver zuletzt geschrieben?", "xaver"),
        ("Harold's last message?", "Harold"),
        ("Did Dana send Flowers?", "Flowers"),
        ("how many messages did soup send?", "soup"),  # which messages mention
    ],
)
def test_a_plain_word_is_no_name_unless_it_stands_for_one_or_is_spelled_like_one(
    chats: ChatMemory, question: str, name: str
) -> None:
    note = asked(chats, question).note
    assert note.startswith(f"Nobody is called {name!r}") if name else "Nobody" not in note


def test_an_emoji_is_part_of_a_name(tmp_path: Path) -> None:
    table = tmp_path / "chats.csv"
    write_table(
        table,
        ("2025-03-14 09:00", "sam 🌵", "the kayak is here", "Boats"),
        ("2025-03-15 09:00", "🌙", "hello sam", "Boats"),
        ("2025-03-15 09:01", "Sam Hill", "hello moon", "Boats"),
    )
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(table)
        for me in ("sam 🌵", "🌙"):
            memory.set_me(me)
            counted = asked(memory, "How many messages did I send?")
            assert counted.text.startswith(f"{me} sent 1 message, ")
        memory.set_me("sam 🌵")
        wrote = asked(memory, "What did I write in March?")
        assert [source.sender for source in wrote.sources] == ["sam 🌵"]


def test_a_chat_that_is_not_there_is_not_all_chats(chats: ChatMemory) -> None:
    for question in (
        "How many messages are in the family chat?",
        "Who wrote most in the family group in May?",
        "What happened in the family chat in July 2024?",
        "How many people are in the climbing chat?",
        "Who is in the climbing chat?",
    ):
        with pytest.raises(BadQuestion, match=r"There is no chat '(family|climbing)'"):
            asked(chats, question)
    note = "There is no chat 'family'"
    assert asked(chats, "When did Tom bring the soup in the family chat?").note.startswith(note)
    assert not asked(chats, "When did Tom bring the soup in the group chat?").note


def test_a_person_who_is_not_there_is_named(chats: ChatMemory) -> None:
    for question in ("How many messages did Danah send?", "What did Danah say in July 2024?"):
        answer = asked(chats, question)
        assert answer.note == "Nobody is called 'Danah': read as 'Dana Fox'."
        assert answer.confidence <= 0.8, "it may be somebody else"
        assert {source.sender for source in answer.sources} == {"Dana Fox"}
    unknown = asked(chats, "How many messages did Bartholomew send?")
    assert unknown.abstained
    assert unknown.note.startswith("Nobody is called 'Bartholomew'")
    assert not asked(chats, "What did Dana say about zeppelins?").note
