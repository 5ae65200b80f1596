"""Questions that name a chat by a part of its title."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes import WordEmbedder
from three_chats import asked

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadQuestion

TITLED = ("Crag climbing club", "WG Sonnenallee", "Book club")


@pytest.fixture(scope="module")
def titled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("titled")
    settings = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        for n, title in enumerate(TITLED, start=1):
            lines = [
                f"0{day}/0{n}/2024, 1{n}:00 - Ann: {title} number {day}\n" for day in range(1, 4)
            ]
            export = folder / f"WhatsApp Chat with {title}.txt"
            export.write_text("".join(lines), encoding="utf-8")
            memory.add(export)
        yield memory


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Fasse die WG zusammen", "WG Sonnenallee"),
        ("Fasse den Chat WG Sonnenallee zusammen", "WG Sonnenallee"),
        ("Was gibt's Neues in der WG?", "WG Sonnenallee"),
        ("Wor\u00fcber haben wir in der WG geredet?", "WG Sonnenallee"),
        ("Wie viele Nachrichten gibt es in der WG?", "WG Sonnenallee"),
        ("Wer hat in der WG am meisten geschrieben?", "WG Sonnenallee"),
        ("Summarise the climbing group", "Crag climbing club"),
        ("Summarise the climbing club", "Crag climbing club"),
        ("What happened in the climbing club?", "Crag climbing club"),
        ("What happened in crag climbing in January 2024?", "Crag climbing club"),
        ("Who wrote the most in Crag Climbing?", "Crag climbing club"),
        ("Who wrote the most in crag climbing in January 2024?", "Crag climbing club"),
        ("Who is in Crag Climbing?", "Crag climbing club"),
        ("How many messages were sent in Sonnenallee?", "WG Sonnenallee"),
    ],
)
def test_a_part_of_one_title_is_that_chat(titled: ChatMemory, question: str, title: str) -> None:
    answer = asked(titled, question)
    assert {source.chat for source in answer.sources} == {title}, answer.text


def test_a_part_of_several_titles_is_asked_about(titled: ChatMemory) -> None:
    for question in ("Summarise the club", "What's new in the club?"):
        with pytest.raises(BadQuestion, match="'Crag climbing club' and 'Book club'"):
            asked(titled, question)
    for question in ("Fasse das Boot zusammen", "Fasse den Januar zusammen", "Where is the club?"):
        assert {source.chat for source in asked(titled, question).sources} != {"Book club"}


def test_one_word_of_a_title_may_be_a_place_where_anything_but_messages_is_asked_for(
    titled: ChatMemory,
) -> None:
    for question in ("What happened in Sonnenallee?", "Who is in Sonnenallee?"):
        assert "in “WG Sonnenallee”" not in asked(titled, question).text


def test_follow_ups_change_and_keep_the_chat_of_a_part_of_a_title(titled: ChatMemory) -> None:
    first = "How many messages were sent in crag climbing?"
    for then in ("and who wrote the most?", "who wrote the most?"):
        answer = titled.ask(then, history=[(first, asked(titled, first).text)])
        assert answer.text == "Ann [1] wrote the most in “Crag climbing club”: 3 of 3 messages."
    other = titled.ask("and in Book club?", history=[(first, "3 messages")])
    assert "in “Book club”" in other.text
    again = titled.ask(
        "and in crag climbing?", history=[("How many messages were sent in Book club?", "3")]
    )
    assert "in “Crag climbing club”" in again.text
