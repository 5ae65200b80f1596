"""Questions about how often a word or phrase was written, and by whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import write_table
from three_chats import asked, memory_of

from minirag_chat import ChatMemory

SAID = (
    ("2024-03-01 09:00", "Ann", "Sorry, sorry, I am late", "Friends"),
    ("2024-03-01 09:05", "Ben", "no need to be sorry", "Friends"),
    ("2024-03-02 10:00", "Ben", "the sorrys are over", "Friends"),
    ("2024-03-02 10:10", "Tom", "it\u2019s fine (really). Kim says hi", "Friends"),
    ("2024-04-05 10:00", "Ann", "so sorry again, Kim", "Ann"),
    ("2024-04-05 10:10", "Tom", "May I bring the drum kit? The drum is loud", "Ann"),
    ("2024-04-06 10:10", "Ann", "\u6211\u5f88\u5f00\u5fc3\uff0c\u771f\u7684\u5f88\u5f00\u5fc3", "Ann"),
    ("2024-04-07 10:10", "Ann", "it's  fine (really", "Ann"),
    ("2024-05-01 10:00", "Ann", "gordons mum rang", "Ann"),
    ("2024-05-02 10:00", "Tom", "so gordon is home", "Ann"),
    ("2024-05-03 10:00", "Tom", "I love you so", "Ann"),
    ("2024-05-04 10:00", "Ann", "Thank you Tom", "Ann"),
    ("2024-05-04 11:00", "Ann", "thank you and I love you", "Ann"),
)  # fmt: skip


def opened(folder: Path) -> ChatMemory:
    return memory_of(folder, "Tom", write_table(folder / "chats.csv", *SAID))


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("words")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How often did Ann say \u201csorry\u201d?",
         "Ann wrote \u201csorry\u201d 3 times in 2 messages, the first on 1 March 2024 [1], the last on 5 April 2024 [2]."),
        ('how many times have we written "sorry"',
         ("\u201csorry\u201d was written 4 times in 3 messages: Ann (3) and Ben (1); the first on 1 March 2024 [1], "
          "the last on 5 April 2024 [2].")),
        ("How many messages contain the word sorry?", "\u201csorry\u201d was written 4 times in 3 messages: Ann (3)"),
        ("Did anyone mention drums?", "Tom wrote \u201cdrums\u201d or \u201cdrum\u201d 2 times in 1 message"),
        ("Did anyone mention kits?", "Tom wrote \u201ckits\u201d or \u201ckit\u201d 1 time"),
        ("Did anyone mention news?", "Nobody wrote \u201cnews\u201d"),
        ("How many messages mention the drum?", "Tom wrote \u201cdrum\u201d 2 times in 1 message, on 5 April 2024 [1]."),
        ("Who says sorry the most?", "Ann [1] wrote \u201csorry\u201d most often: 3 of 4 times. Then Ben (1) [2]."),
        ("Who has used the word 'sorry' least often?", "Ben [1] wrote \u201csorry\u201d least often"),
        ("When did we first mention the drum?", "The first message with the word \u201cdrum\u201d is from Tom, on 5 April 2024 [1]."),
        ("When was Kim last mentioned?", "The last message with the word \u201cKim\u201d is from Ann, on 5 April 2024 [1]."),
        ('Who said "sorry" first?', "The first message with the word \u201csorry\u201d is from Ann, on 1 March 2024 [1]."),
        ("When did Ann last say \u201csorry\u201d?", "Ann last wrote \u201csorry\u201d on 5 April 2024 [1]."),
        ("When was \u201cpangolin\u201d first mentioned?", "Nobody wrote \u201cpangolin\u201d."),
        ("How often have I typed kim?", "Tom wrote \u201ckim\u201d 1 time, on 2 March 2024 [1]."),
        ("messages with pickles", "Nobody wrote \u201cpickles\u201d."),
        ("How often was Kim mentioned?", "\u201cKim\u201d was written 2 times: "),
        ("How often did Ann mention Kim in April 2024?", "Ann wrote \u201cKim\u201d 1 time from 1 April 2024"),
        ("How often did I say \u201cmay\u201d?", "Tom wrote \u201cmay\u201d 1 time, on 5 April 2024 [1]."),
        ("How often did we say \u201cit's fine\u201d?", "\u201cit's fine\u201d was written 2 times: Tom (1) and Ann (1)"),
        ('How often did we say "(really"?', "\u201c(really\u201d was written 2 times"),
        ("How often did Ann write \u201c\u5f00\u5fc3\u201d?", "Ann wrote \u201c\u5f00\u5fc3\u201d 2 times in 1 message"),
        ("How often did we say \u201cpangolin\u201d?", "Nobody wrote \u201cpangolin\u201d."),
        ("when did we first talk about Kim?", "The first message with the word \u201cKim\u201d is from Tom, on 2 March"),
        ("When did we last talk about the drum?", "The last message with the word \u201cdrum\u201d is from Tom"),
        ("When was the last time we talked about Kim?", "The last message with the word \u201cKim\u201d is from Ann"),
        ("When was Kim first discussed in the Ann chat?",
         "The first message with the word \u201cKim\u201d in \u201cAnn\u201d is from Ann, on 5 April 2024 [1]."),
        ("Wann haben wir zuerst \u00fcber Kim geredet?", "The first message with the word \u201cKim\u201d is from Tom"),
        ("Wann haben wir zum letzten Mal \u00fcber Kim gesprochen?", "The last message with the word \u201cKim\u201d is from Ann"),
        ("Wann wurde Kim zuerst erw\u00e4hnt?", "The first message with the word \u201cKim\u201d is from Tom"),
        ('When did we first say "it\'s fine"?', "The first message with \u201cit's fine\u201d is from Tom, on 2 March"),
        ("How many times did I say I love you?", "Tom wrote \u201cI love you\u201d 1 time, on 3 May 2024 [1]."),
        ("who said i love you first", "The first message with \u201ci love you\u201d is from Tom, on 3 May 2024 [1]."),
        ("did Ben ever say I miss you", "No: Ben did not write \u201cI miss you\u201d."),
        ("who says thank you most", "Only Ann wrote \u201cthank you\u201d: 2 times [1]."),
        ("In which chats is Kim mentioned?",
         "\u201cKim\u201d is in messages of 2 chats: \u201cFriends\u201d (1) [1] and \u201cAnn\u201d (1) [2]."),
        ("Which of my chats mention sorry?", "\u201csorry\u201d or \u201csorrys\u201d is in messages of 2 chats: \u201cFriends\u201d (3) [1]"),
        ("Which of my friends mention Kim?", "\u201cKim\u201d was written 2 times: "),
        ("Is the drum mentioned in any chat?", "Yes: \u201cdrum\u201d is in 1 message of \u201cAnn\u201d [1]."),
        ("Do any of my chats mention pangolins?", "No: Nobody wrote \u201cpangolins\u201d."),
        ("How often is drum mentioned in my chats?", "Tom wrote \u201cdrum\u201d 2 times in 1 message"),
        ("did anyone say 'sorry'?", "Yes: \u201csorry\u201d was written 4 times in 3 messages: Ann (3) and Ben (1)"),
        ("Did Ben ever say \u201cagain\u201d?", "No: Ben did not write \u201cagain\u201d."),
        ("Did Ann write the word sorry in April 2024?", "Yes: Ann wrote \u201csorry\u201d 1 time from 1 April 2024"),
        ("Did anybody say \u201cpangolin\u201d?", "No: Nobody wrote \u201cpangolin\u201d."),
        ('Hat jemand "sorry" gesagt?', "\u201csorry\u201d was written 4 times in 3 messages: Ann (3) and Ben (1)"),
        ("How often did Ben say \u201cpangolin\u201d in the Friends chat?",
         "Ben did not write \u201cpangolin\u201d in \u201cFriends\u201d."),
        ("When was Gordon first mentioned?",
         "The first message with the word \u201cGordon\u201d or \u201cGordons\u201d is from Ann, on 1 May 2024 [1]."),
        ("how many messages mention gordon",
         "\u201cgordon\u201d or \u201cgordons\u201d was written 2 times: Ann (1) and Tom (1)"),
        ("How often did we say \u201cgordon\u201d?", "Tom wrote \u201cgordon\u201d 1 time, on 2 May 2024 [1]."),
        ("Who mentioned the drum?", "Tom wrote \u201cdrum\u201d 2 times in 1 message"),
        ('How often did we say "sorr"?', "Nobody wrote \u201csorr\u201d."),
    ],
)  # fmt: skip
def test_a_word_is_counted_as_it_stands(chats: ChatMemory, question: str, text: str) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(text), answer.text
    assert answer.model == "none"


@pytest.mark.parametrize(
    "question",
    [
        "How often did we mention the drum lesson?",
        "How often did Ann mention that she is sorry?",
        "Did Tom mention the drum?",
        "Who first talked about moving out?",
        "When did we first talk about moving?",
        "When did we first talk about the drum kit?",
        "Did Ann say that she is sorry?",
        "When did Ann first mention the drum lesson?",
        "When did Ann first use the drum kit?",
        'Why did Ann say "sorry"?',
        'Who is "Gordon"?',
        'What does "sorry" mean?',
        "How many messages contain a phone number?",
        "How many messages contain an address?",
        "How many messages mention a drum number?",
        "How many messages mention a price?",
        "How many messages mention it?",
        "How many times did Ann say 'so' in four minutes?",
        "How many times did Ann say 'so' when she recorded herself?",
    ],
)
def test_what_asks_for_more_than_a_word_is_not_counted(chats: ChatMemory, question: str) -> None:
    assert asked(chats, question).model != "none"


def test_quotation_marks_around_a_title_mean_nothing(chats: ChatMemory) -> None:
    answer = asked(chats, 'How many messages did Ann send in the "Ann" chat?')
    assert answer.text.startswith("Ann sent 6 messages")


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("show me messages about Gordon", "2 messages with “Gordon” or “Gordons”:"),
        ("list everything about the drum", "1 message with “drum”:"),
        ("messages about Kim", "2 messages with “Kim”:"),
        ("show me messages from Ann about Kim", "1 message with “Kim” from Ann:"),
    ],
)
def test_messages_about_a_thing_are_listed(chats: ChatMemory, question: str, begin: str) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(begin), answer.text
    assert not answer.note


@pytest.mark.parametrize("word", ["beer", "Nora", "noodles", "Anya", "someday"])
def test_a_word_may_begin_like_a_little_one(chats: ChatMemory, word: str) -> None:
    answer = asked(chats, f"How often did we mention {word}?")
    assert answer.text == f"Nobody wrote \u201c{word}\u201d."


def test_the_answer_shows_the_first_and_the_last_message(chats: ChatMemory) -> None:
    answer = asked(chats, "How often did Ann say \u201csorry\u201d?")
    assert [source.message.text for source in answer.sources] == [SAID[0][2], SAID[4][2]]
    assert answer.path.nodes


def test_a_follow_up_asks_for_another_person(chats: ChatMemory) -> None:
    first = "How often did Ann say \u201csorry\u201d?"
    answer = chats.ask("And Ben?", history=[(first, "3 times")])
    assert answer.text.startswith("Ben wrote \u201csorry\u201d 1 time")


def test_the_messages_with_a_word_are_listed(chats: ChatMemory) -> None:
    answer = chats.ask("show me them", history=[("did anyone say 'sorry'?", "Yes")])
    assert answer.text.startswith(
        "3 messages with \u201csorry\u201d:\n\nAnn, 1 March 2024, 09:00 in"
    )
    assert [source.message.text for source in answer.sources] == [SAID[n][2] for n in (0, 1, 4)]


@pytest.mark.both_stores
def test_both_stores_count_words_alike(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        assert asked(memory, "Who says sorry most?").text.startswith(
            "Ann [1] wrote \u201csorry\u201d"
        )
