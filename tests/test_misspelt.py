"""A misspelt word of a question is read as the word of the messages that it is close to, and the note says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory
from minirag_chat.question.misspelt import LONGEST, respelled

CHATS = {
    "Choir": """\
03/05/2024, 10:00 - Dana Fox: the turkey cost 78 pounds, it comes on 22 december
03/05/2024, 10:02 - Joanna: the wifi password is marmalade
03/05/2024, 10:03 - Tom Reed: we moved the anniversary dinner
04/05/2024, 10:03 - Dana Fox: who takes the boat
04/05/2024, 10:04 - Joanna: the neighbour has a key
""",
}


@pytest.fixture
def memory(tmp_path: Path) -> ChatMemory:
    return opened(tmp_path, chats=CHATS)


def read_as(memory: ChatMemory, question: str) -> list[tuple[str, str]]:
    with memory._store.reading():
        return [(one.word, one.right) for one in respelled(memory._store, question)]


@pytest.mark.parametrize(
    ("question", "words"),
    [("How much was the turky?", [("turky", "turkey")]), ("whats the wifi pasword", [("pasword", "password")]),
     ("Pasword of the wifi?", [("Pasword", "password")]), ("wher is the boat", [("wher", "where")]),
     ("waht did dana say", [("waht", "what")]), ("how many mesages are there", [("mesages", "messages")]),
     ("when is the aniversary diner", [("aniversary", "anniversary")]),  # a diner is a word
     ("when is the anniversay", [("anniversay", "anniversary")])],
)  # fmt: skip
def test_a_misspelt_word_is_one_of_the_messages_or_of_a_question(
    memory: ChatMemory, question: str, words: list[tuple[str, str]]
) -> None:
    assert read_as(memory, question) == words


@pytest.mark.parametrize(
    "question",
    ["Who has the boot?", "How much is the turnkey house?", "Did she say turkeys?", "When did Joana write?",  # a name
     'who wrote "turky"?', "is it pasword@turky.com?", "couldnt she come", "it doesn't matter, who's neighbors",
     "which quinoa", "ask alexa", "the deliveroo order",
     "turky " * LONGEST],
)  # fmt: skip
def test_what_is_spelled_right_or_quoted_or_a_name_stays(memory: ChatMemory, question: str) -> None:
    assert read_as(memory, question) == []


def test_the_dictionary_is_that_of_the_messages_language(tmp_path: Path) -> None:
    german = [
        "ich habe gestern die neuen Blumen gepflanzt", "welche Blumen hast du denn genommen",
        "nur Tulpen und ein paar Narzissen aus dem Garten", "das klingt wirklich sehr schön",
        "morgen bringe ich den Kuchen mit zum Kaffee", "ich freue mich schon sehr auf morgen",
    ]  # fmt: skip
    lines = [f"03/05/2024, 10:{n:02} - Dana Fox: {text}\n" for n, text in enumerate(german * 5)]
    memory = opened(tmp_path, chats={"Garten": "".join(lines)}, me="Dana Fox")
    assert read_as(memory, "welcher Garten und wer bringt Kuchen") == []
    assert read_as(memory, "wer bringt die Narzisen") == [], "a name, or a noun of German"
    assert read_as(memory, "wer bringt die tulppen") == [("tulppen", "tulpen")]


def test_messages_of_a_language_without_a_dictionary_leave_all_as_it_is(tmp_path: Path) -> None:
    polish = [
        "jutro przyjdę do ciebie po pracy i porozmawiamy", "dobrze, zrobię dla nas kolację i kupię wino",
        "nie zapomnij zabrać ze sobą książki, którą ci pożyczyłam", "oczywiście, leży już na stole w kuchni",
    ]  # fmt: skip
    lines = [f"03/05/2024, 10:{n:02} - Dana Fox: {text}\n" for n, text in enumerate(polish * 5)]
    memory = opened(tmp_path, chats={"Praca": "".join(lines)}, me="Dana Fox")
    assert read_as(memory, "kto ma ksiazke i pracya") == []


def test_the_answer_says_how_a_word_was_read_and_is_less_sure_of_it(memory: ChatMemory) -> None:
    answer = asked(memory, "how many mesages did Dana Fox send?")
    assert answer.text.startswith("Dana Fox sent 2 messages")
    assert answer.note == "Read 'mesages' as 'messages'."
    assert answer.confidence < asked(memory, "how many messages did Dana Fox send?").confidence
    assert asked(memory, "How much was the turky?").shown[0].message.text.startswith("the turkey")
    assert memory.retrieve("pasword")[0].message.text == "the wifi password is marmalade"


def test_a_question_in_another_language_than_the_messages_is_not_read_as_misspelt(
    memory: ChatMemory,
) -> None:
    for question in ("warum ist der Schlüssel nicht da", "wer hat die turkey bestellt und woher"):
        assert read_as(memory, question) == []
