"""Questions about the messages themselves in other words than those that the forms know."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory
from minirag_chat.models import question_kinds
from minirag_chat.models.question_kinds import kind_of
from minirag_chat.question import PlanContext, make_plan, map_question
from minirag_chat.question.about_messages.paraphrase import _KNOWN, _OF_ASKER, _OVERVIEWS
from minirag_chat.records import Filters, Lookup

ASKED = [
    (
        "which of us just cannot stop typing",
        "Dana Fox [1] and Tom Reed [2] wrote the most: 4 of 11",
    ),
    ("who never shuts up in here", "Dana Fox [1] and Tom Reed [2] wrote the most: 4 of 11"),
    ("which member hardly ever posts", "Ollie [1] wrote the fewest: 3 of 11"),
    ("pls give me the tally of everything that Dana posted", "Dana Fox sent 4 messages, the first"),
    ("Dana and me, how many texts went to and fro", "messages in “Dana Fox”"),
    ("since when have Ollie and I been messaging", "The first message in “Ollie” is from Ollie"),
    ("any recent sign of life from Ollie", "The last message is from Ollie, Sunday, 15 June 2025"),
    ("record day for messages", "3 May 2024"),
    ("in which month did we go crazy with texting", "May 2024 [1] had the most messages"),
    ("at what hour is Dana mostly texting", "10:00 to 11:00 [1] had the most messages from Dana"),
    ("who is usually the first to reach out", "Dana Fox [1] began the most conversations"),
    (
        "how many minutes do I wait until Dana answers me",
        "Dana Fox has fewer than 5 replies to Tom",
    ),
    ("who all takes part here", "3 people have written: Dana Fox (4)"),
    ("biggest wall of text by Dana", "The longest message is from Dana Fox, Friday, 3 May 2024"),
    ("how long was the longest radio silence", "The longest silence lasted"),
    ('pull up whatever has "bread" in it', "1 message with “bread”"),
    ("roughly how many texts do we write daily", "11 messages: on average"),
    ("commonest words overall", "“bring” [1] was used most: 2 of 15 words"),
    ("top 5 words in here", "“bring” [1] was used most: 2 of 15 words"),
    ("emoji stats for Dana please", "Dana Fox sent no emojis"),
    ("max days in a row i sent something", "The longest streak of days on which Tom Reed wrote"),
    ("best streak with Dana", "The longest streak of days on which somebody wrote in “Dana Fox”"),
    ("total word count for Dana", "Dana Fox wrote 16 words"),
    ("whats my part of the conversation in %", "Tom Reed wrote 36% of the messages"),
    ("do i owe anyone an answer", "No chats of two end with a message from the other"),
    ("whose answer am i still waiting for", "2 chats of two end with a message from you"),
    ("count the days on which Ollie and i exchanged something", "Ollie and Tom Reed wrote on 1"),
    ("who have i lost contact with", "Ollie has been quiet the longest"),
    ("which of my groups is the oldest", "The oldest first message is in “Cabin Crew”"),
    ("whats the youngest chat in the archive", "The newest first message is in “Dana Fox”"),
    ("number of messages for each month", "11 messages: February 2024 (2)"),
]


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats")) as memory:
        yield memory


@pytest.mark.parametrize(("question", "begins"), ASKED)
def test_other_words_are_understood_and_the_note_says_as_what(
    chats: ChatMemory, question: str, begins: str
) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(begins) or begins in answer.text, answer.text
    assert answer.note.startswith("Understood as “")
    assert 0.9 < answer.confidence < 1
    assert answer.model == "none"
    assert answer.question == question


@pytest.mark.parametrize(
    "question",
    [
        "who wrote the letter to the landlord",
        "when did Dana and Ollie first go skiing",
        "how long did we wait for the bus",
        "how many people does the cabin sleep",
        "who talked to the plumber about the leak",
        "which day is the busiest in the shop",
        'why did Ollie say "never again"',
        "does Dana still play the violin",
        "what did we talk about at the cabin",
        "when did the plumber last write",
        "who owes me the most",
        "who is slow?",
        "how many words must the essay have",
        "how much do i owe Ollie",
        "how many days did Dana stay in Rome",
        "who has not paid me back",
        "what is Dana's favourite word game",
    ],
)
def test_what_only_looks_like_it_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert "Understood" not in asked(chats, question).note


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "what was everyone on about on 3 May 2024",
            ["we have the cabin", "great", "I bring the soup"],
        ),
        ("tldr of July 2024 please", ["did you find the key", "yes"]),
        ("catch me up on Cabin Crew since June 2025", ["see you there", "bye"]),
        ("give me the gist of what Dana and I wrote in July 2024", ["did you find the key", "yes"]),
    ],
)
def test_an_overview_may_be_asked_for_in_other_words(
    chats: ChatMemory, question: str, texts: list[str]
) -> None:
    answer = asked(chats, question)
    assert not answer.abstained
    said = [source.message.text for source in answer.sources]
    assert len(said) == len(texts)
    assert all(text in message for text, message in zip(texts, said, strict=True))


@pytest.mark.parametrize(
    "question",
    [
        "what happened to the cabin?",
        "any news about the key?",
        "did I miss the bus?",
        "summarise the recipe for the soup",
    ],
)
def test_what_asks_about_one_thing_is_no_overview(chats: ChatMemory, question: str) -> None:
    store = chats._store
    now = datetime(2025, 7, 13, 10, 2)
    context = PlanContext(now, store.messages.titles())
    plan = make_plan(map_question(question, store, now, Filters()), context)
    assert isinstance(plan, Lookup)


def test_times_chats_and_follow_ups_stay(chats: ChatMemory) -> None:
    first = asked(chats, "who never shuts up in Cabin Crew in May 2024")
    assert first.text.startswith("Dana Fox [1] wrote the most in “Cabin Crew” from 1 May 2024")
    then = chats.ask("and in June 2025?", history=[(first.question, first.text)])
    assert "in “Cabin Crew” from 1 June 2025" in then.text


def test_a_time_to_come_is_none_of_the_messages(chats: ChatMemory) -> None:
    """ "In one day" is how long, not when."""
    answer = asked(chats, "record for the most texts in one day, when was that")
    assert "3 May 2024" in answer.text


@pytest.mark.parametrize("kind", _KNOWN)
def test_each_known_question_has_one_of_the_forms(chats: ChatMemory, kind: str) -> None:
    for known in filter(None, _KNOWN[kind]):
        a, b = ("Tom Reed", "Dana Fox") if kind in _OF_ASKER else ("Dana Fox", "Tom Reed")
        question = known.format(a=a, b=b).replace("\ue00e", "“bread”")
        answer = asked(chats, question)
        assert answer.model == "none", question
        assert "Understood" not in answer.note, question


def test_the_classifier_knows_all_kinds_that_have_known_words() -> None:
    kinds, weights, biases = question_kinds._classifier()
    of_two = {"replies_of_two", "lost_touch_with_me"}  # of one class with others
    assert {*kinds} == {*_KNOWN, *_OVERVIEWS, question_kinds.OTHER} - of_two
    assert weights.shape == (len(kinds), 384)
    assert biases.shape == (len(kinds),)


def test_without_the_bundled_embedder_the_forms_alone_decide(
    chats: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_kinds, "encoder", lambda: None)
    kind_of.cache_clear()
    try:
        assert kind_of("who never shuts up") is None
        assert "Understood" not in asked(chats, "who never ever shuts up").note
        assert asked(chats, "Who wrote the most?").text.startswith("Dana Fox [1] and Tom Reed")
    finally:
        kind_of.cache_clear()
