"""The chat that a question names is looked into, and no other."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from fakes import WordEmbedder
from three_chats import is_overview

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadQuestion
from minirag_chat.question import in_named_chat
from minirag_chat.question.chats import members_of
from minirag_chat.records import Filters

CHATS = {
    "Kita Sonnenblume Eltern": ("Ann: The Kita closes at noon on Friday.", "Ben: Thank you, Ann."),
    "Cabin Crew": ("Ben: The lockbox code is 4711.", "Ann: The cabin stove needs more wood."),
    "Book Club": ("Cleo: We read Middlemarch next.", "Ann: The lockbox of the library has a new code."),
    "Joel": ("Joel: The rugby match was cold.", "Ann: Bring a scarf to the rugby match then."),
}  # fmt: skip
TITLES = {1: "Kita Sonnenblume Eltern", 2: "Cabin Crew", 3: "Book Club", 4: "Book Swap", 5: "We"}
EVERYWHERE = Filters()


@pytest.fixture
def memory(tmp_path: Path) -> ChatMemory:
    rows = ["sent_at,sender,text,chat"]
    for day, (chat, lines) in enumerate(CHATS.items(), start=1):
        for minute, line in enumerate(lines):
            sender, text = line.split(": ", 1)
            rows.append(f'2026-03-{day:02} 10:{minute:02}:00,{sender},"{text}",{chat}')
    table = tmp_path / "chats.csv"
    table.write_text("\n".join(rows), encoding="utf-8")
    settings = Settings.make(db=tmp_path / "chats.db", model="extractive", abstain_below=0.0)
    opened = ChatMemory.open(settings.db, settings, embedder=WordEmbedder())
    opened.add(table)
    return opened


def cited(memory: ChatMemory, question: str) -> set[str]:
    return {source.message.chat for source in memory.ask(question, history=()).sources}


@pytest.mark.parametrize(
    ("question", "chat"),
    [
        ("Summarize the Kita chat", "Kita Sonnenblume Eltern"),
        ("Tell me about the Kita chat", "Kita Sonnenblume Eltern"),
        ("Recap of the cabin chat", "Cabin Crew"),
        ("Give me a summary of the cabin crew group chat", "Cabin Crew"),
        ("Recap of our cabin chat in March", "Cabin Crew"),
        ("What did we talk about in the Kita group?", "Kita Sonnenblume Eltern"),
    ],
)
def test_an_overview_of_a_chat_is_of_the_chat_with_this_word_in_its_title(
    memory: ChatMemory, question: str, chat: str
) -> None:
    answer = memory.ask(question, history=())
    assert {source.message.chat for source in answer.sources} == {chat}
    assert is_overview(answer)


@pytest.mark.parametrize(
    "question",
    ["Summarize our chats", "Summarize the whole chat", "Recap of all these chats",
     "Give me an overview of my recent chats"],
)  # fmt: skip
def test_an_overview_that_names_no_chat_is_of_all(memory: ChatMemory, question: str) -> None:
    assert cited(memory, question) == {*CHATS}


def test_an_overview_of_a_chat_that_is_not_there_says_so(memory: ChatMemory) -> None:
    with pytest.raises(BadQuestion, match=r"There is no chat 'badminton'"):
        memory.ask("Summarize the badminton chat", history=())
    with pytest.raises(BadQuestion, match=r"There is no chat 'Kitra': did you mean 'Kita"):
        memory.ask("Recap of the Kitra chat", history=())
    with pytest.raises(BadQuestion, match=r"There is no chat 'lub': there are"):  # not of the club
        memory.ask("Recap of the lub chat", history=())


def test_what_messages_speak_of_is_a_topic_and_not_a_chat_that_is_missing(
    memory: ChatMemory,
) -> None:
    answer = memory.ask("Summarize the rugby chat", history=())
    assert {source.message.chat for source in answer.sources} == {"Joel"}
    assert not is_overview(answer)


def test_naming_the_chat_finds_what_is_found_without_and_only_there(memory: ChatMemory) -> None:
    answer = memory.ask("What's the lockbox code in the Cabin Crew chat?", history=())
    assert [source.message.text for source in answer.sources] == ["The lockbox code is 4711."]
    assert answer.question == "What's the lockbox code in the Cabin Crew chat?"
    assert cited(memory, "What's the lockbox code in the Book Club chat?") == {"Book Club"}


def test_a_question_explained_shows_the_chat_as_its_filter(memory: ChatMemory) -> None:
    named = memory.explain("What's the lockbox code in the Cabin Crew chat?", read=False).question
    (chat,) = (chat.id for chat in memory.chats() if chat.title == "Cabin Crew")
    assert (named.text, named.filters.chats) == ("What's the lockbox code?", {chat})


def test_the_group_is_the_only_group(tmp_path: Path) -> None:
    one, two = (tmp_path / f"WhatsApp Chat with {title}.txt" for title in ("Crew", "Hikers"))
    one.write_text("".join(f"01/03/2026, 10:0{n} - {who}: boat\n" for n, who in enumerate("ABC")))
    two.write_text("".join(f"02/03/2026, 10:0{n} - {who}: hill\n" for n, who in enumerate("ABC")))
    settings = Settings.make(db=tmp_path / "one.db", model="extractive")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as chats:
        chats.add(one)
        for question in (
            "Who wrote the last message in the group?",
            "last message in our group chat",
        ):
            assert "in “Crew” is from C" in chats.ask(question, history=()).text
        trip = chats.ask("What happened on the group trip?", history=()).question
        assert trip == "What happened on the group trip?"
        assert chats.ask("Who saw a boat on the group trip?", history=()).model != "none"
        chats.add(two)
        for question in ("last message in the group", "What did we talk about in the group?"):
            with pytest.raises(BadQuestion, match="more than one group, 'Crew' and 'Hikers'"):
                chats.ask(question, history=())
        assert chats.ask("last message in the group", history=(), chats=["Hikers"]).sources
        assert chats.ask("Who saw a boat in the group?", history=()).model != "none"


def test_a_follow_up_stays_in_the_chat(memory: ChatMemory) -> None:
    before = ("What's the lockbox code in the Book Club chat?", "It is new.")
    sources = memory.ask("And on Monday?", history=[before]).sources
    assert {source.message.chat for source in sources} == {"Book Club"}


@pytest.mark.parametrize(
    ("question", "rest", "chat"),
    [
        ("What's the code in the Cabin Crew chat?", "What's the code?", 2),
        ("In our cabin group, who has the key?", "who has the key?", 2),
        ("Who has the key from the Cabin Crew group chat?", "Who has the key?", 2),
        ("What did Ann ask on the Kita channel in May?", "What did Ann ask in May?", 1),
        ("What did Ann say in June in the book club conversation?", "What did Ann say in June?", 3),
    ],
)
def test_the_phrase_becomes_a_filter(question: str, rest: str, chat: int) -> None:
    assert in_named_chat(question, TITLES, EVERYWHERE) == (rest, Filters(chats=frozenset({chat})))


@pytest.mark.parametrize(
    "question",
    [
        "What's the code in the Cabin Crew?",
        "What's the code in the book chat?",
        "What's the code in the football chat?",
        "What's the code in the group chat?",
        "What's the code in the chat?",
        "What's the code in the cab chat?",
        "What did we say in the we chat?",
        "Who is in the Cabin Crew chat?",
        "What did Ann write about the Kita chat?",
    ],
)
def test_a_question_that_names_no_one_chat_stays_as_it_is(question: str) -> None:
    assert in_named_chat(question, TITLES, EVERYWHERE) == (question, EVERYWHERE)


def test_chats_of_one_title_are_named_together() -> None:
    titles = {**TITLES, 7: "Kelly", 8: "Kelly", 9: "Kelly, Dana"}
    both = Filters(chats=frozenset({7, 8}))
    found = in_named_chat("What's the code in the Kelly chat?", titles, EVERYWHERE)
    assert found == ("What's the code?", both)
    assert members_of("Who is in the Kelly chat?", titles, EVERYWHERE) == both.chats
    first = Filters(chats=frozenset({7}))
    assert members_of("Who is in the Kelly chat?", titles, first) == first.chats


def test_a_chat_that_is_filtered_out_is_not_let_in() -> None:
    question = "What's the code in the Cabin Crew chat?"
    elsewhere = Filters(chats=frozenset({1}), since=datetime(2026, 1, 1))
    assert in_named_chat(question, TITLES, elsewhere) == (question, elsewhere)
