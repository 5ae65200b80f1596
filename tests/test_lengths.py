"""Questions about the longest and the shortest messages, and about emoji."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import write_table
from three_chats import asked, memory_of

from minirag_chat import ChatMemory
from minirag_chat.answer.counting.files import emoji_in
from minirag_chat.answer.counting.lengths import words_in

ANN = (
    "one two three",
    "four",
    "five six",
    "seven eight nine ten eleven",
    "\U0001f600 \u2764\ufe0f twelve",
)
BEN = ("the boat is at the old pier by the mill", "it leaves at noon and comes back at four", "bring a warm coat",
       "and something to eat for all of us please", "k \U0001f44d\U0001f3fd")  # fmt: skip


def opened(folder: Path) -> ChatMemory:
    """Two people write five messages each, a third one writes one."""
    rows = [
        (f"2024-03-0{n} 1{person}:00", name, text, "Harbour")
        for person, (name, texts) in enumerate((("Ann", ANN), ("Ben", BEN), ("Cy", ("ok",))))
        for n, text in enumerate(texts, start=1)
    ]
    return memory_of(folder, "Ann", write_table(folder / "chats.csv", *rows))


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("harbour")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin", "cited"),
    [
        ("What is the longest message?", ("The longest message is from Ben, Friday, 1 March 2024, 11:00, in "
         "\u201cHarbour\u201d (10 words, 39 characters): \u201cthe boat"), [BEN[0]]),
        ("Who wrote the longest message in the Harbour chat?", ("The longest message in \u201cHarbour\u201d is from "
         "Ben, Friday, 1 March 2024, 11:00 (10 words"), [BEN[0]]),
        ("Which message is the longest?", "The longest message is from Ben, Friday", [BEN[0]]),
        ("which message from Ann was the longest?", "The longest message is from Ann, Monday, 4 March", [ANN[3]]),
        ("Was war die l\u00e4ngste Nachricht?", "The longest message is from Ben, Friday", [BEN[0]]),
        ("Wer schreibt die k\u00fcrzesten Nachrichten?", "Ann [1] writes the shortest messages: 2.8 words",
         [ANN[1], BEN[4]]),
        ("Wer verwendet die meisten Emojis?", "Ann [1] sent the most emojis: 2 of 3 emojis.", [ANN[4], BEN[4]]),
        ("What was my longest message?", "The longest message is from Ann, Monday, 4 March", [ANN[3]]),
        ("What is the shortest message that Ann ever sent?", "The shortest message is from Ann", ["four"]),
        ("What is the shortest message?", "The shortest message is from Cy, Friday, 1 March 2024", ["ok"]),
        ("Who writes the longest messages?", ("Ben [1] writes the longest messages: 6.8 words on average in 5 "
         "messages. Then Ann (2.8 in 5) [2]. 1 person has typed fewer than 5."), [BEN[0], ANN[3]]),
        ("Who writes shorter messages, Ann or Ben?", "Ann [1] writes the shortest messages: 2.8 words",
         [ANN[1], BEN[4]]),
        ("How long are Ben's messages?", "Ben writes 6.8 words on average in 5 messages; the longest", [BEN[0]]),
        ("Who writes the longest messages on Fridays?", "Nobody has typed 5 messages on Fridays, too few", []),
        ("Who uses the most emoji?", "Ann [1] sent the most emojis: 2 of 3 emojis. Then Ben (1) [2].",
         [ANN[4], BEN[4]]),
        ("How many words did Ben write?", "Ben wrote 34 words, the last in [1].", [BEN[4]]),
        ("who wrote the most words", "Ben [1] wrote the most words: 34 of 49 words. Then Ann (14) [2] and Cy (1) [3].",
         [BEN[4], ANN[4], "ok"]),
        ("How many emojis did Ben use?", "Ben sent 1 emoji, on 5 March 2024 [1].", [BEN[4]]),
    ],
)  # fmt: skip
def test_lengths_and_emoji_are_counted(
    harbour: ChatMemory, question: str, begin: str, cited: list[str]
) -> None:
    answer = asked(harbour, question)
    assert answer.text.startswith(begin), answer.text
    assert [source.message.text for source in answer.sources] == cited


@pytest.mark.parametrize(
    "question",
    [
        "What is the longest message about the boat?",
        "What is the longest walk?",
        "How long is the message?",
    ],
)
def test_what_asks_for_more_is_looked_up(harbour: ChatMemory, question: str) -> None:
    assert asked(harbour, question).model != "none"


def test_the_other_end_is_asked_for_after_it(harbour: ChatMemory) -> None:
    answer = harbour.ask("And the shortest?", history=[("What is the longest message?", "Ben")])
    assert answer.text.startswith("The shortest message is from Cy")


def test_a_file_or_a_deleted_message_is_no_short_message(
    memory: ChatMemory, tmp_path: Path
) -> None:
    export = tmp_path / "WhatsApp Chat with Zoe.txt"
    export.write_text(
        "01/03/2024, 10:00 - Zoe: This message was deleted\n"
        "01/03/2024, 10:01 - Zoe: <Media omitted>\n"
        "01/03/2024, 10:02 - Zoe: the two of us are already at the harbour\n",
        encoding="utf-8",
    )
    memory.add(export)
    answer = asked(memory, "What is the shortest message?")
    assert answer.sources[0].message.text == "the two of us are already at the harbour"
    assert "as short" not in answer.text


def test_others_of_the_same_length_are_said(memory: ChatMemory, tmp_path: Path) -> None:
    rows = [
        (f"2024-03-0{n} 10:00", "Zoe", text, "Zoe")
        for n, text in enumerate("ok no hi there".split(), 1)
    ]
    memory.add(write_table(tmp_path / "chat.csv", *rows))
    assert asked(memory, "What is the shortest message?").text.endswith("[1]. 2 more are as short.")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("a b-c  d", 3),
        ("https://a.example/b?c=d e", 2),
        ("\u6211\u5011 at 5", 4),
        ("", 0),
        ("na\u00efve t\u00eate", 2),
    ],
)
def test_words_are_between_blanks_or_single_characters(text: str, number: int) -> None:
    assert words_in(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("\U0001f600\U0001f600", 2),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", 1),  # a family
        ("\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1ea", 2),  # two flags
        ("\U0001f44d\U0001f3fd", 1),  # a thumb with a skin
        ("\u2764\ufe0f\u200d\U0001f525", 1),  # a heart on fire
        ("call 3 # * \u00a9 \u2122", 0),
    ],
)
def test_an_emoji_of_several_characters_is_one(text: str, number: int) -> None:
    found = emoji_in([(1, 1, text)], "emoji")
    assert sum(len(kinds) for _message, _person, kinds in found) == number


@pytest.mark.both_stores
def test_both_stores_measure_lengths_alike(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        assert asked(memory, "Who writes the longest messages?").text.startswith("Ben [1] writes")
