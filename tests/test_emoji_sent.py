"""Questions about how often an emoji or another sign was sent, and by whom; what loses one is not counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from places import write_table
from three_chats import asked, memory_of

from minirag_chat import ChatMemory
from minirag_chat.question.chats import members_of
from minirag_chat.records import Filters

SENT = (
    ("2024-03-01 09:00", "Ann", "\U0001f602\U0001f602 the goat ate my hat", "Farm \U0001f410"),
    ("2024-03-01 09:05", "Ben", "\u2764 poor hat \U0001f44d\U0001f3fd", "Farm \U0001f410"),
    ("2024-03-02 10:00", "Tom", "\u2764\ufe0f\u200d\U0001f525 \U0001f1e6\U0001f1e9\U0001f1ea\U0001f1f8", "Farm \U0001f410"),
    ("2024-04-05 10:00", "Ann", "that is \u20ac20 :-) \U0001f602", "Ann"),
    ("2024-04-05 10:10", "Tom", "ok \U0001f44d, see https://farm.example/goat/hat", "Ann"),
    ("2024-05-05 10:10", "Lou \U0001f33b", "no \U0001f602", "Lou"),
    ("2024-05-05 10:11", "Tom", "ok \U0001f33b", "Lou"),
)  # fmt: skip


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("farm")
    with memory_of(folder, "Tom", write_table(folder / "chats.csv", *SENT)) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Did Ann ever send \u2764\ufe0f?", "No: Ann did not write \u201c\u2764\ufe0f\u201d."),
        ("did ben send a \u2764\ufe0f", "Yes: Ben wrote \u201c\u2764\ufe0f\u201d 1 time, on 1 March 2024 [1]."),
        ("Did Ann and Ben send \U0001f602?",
         "No: Ben did not write \u201c\U0001f602\u201d. Ann wrote \u201c\U0001f602\u201d 3 times in 2 messages"),
        ("Did everyone send \U0001f44d?", "No: Ann and Lou \U0001f33b did not write \u201c\U0001f44d\u201d. "),
        ("Did Ben and Tom both send \U0001f44d?", "Yes: \u201c\U0001f44d\u201d was written 2 times: Ben (1) and"),
        ("Did Ann or Ben send \U0001f602?", "Yes: Ann wrote \u201c\U0001f602\u201d 3 times"),
        ("Did anybody send \U0001f44d?", "Yes: \u201c\U0001f44d\u201d was written 2 times"),
        ("Did Ann send me \u2764\ufe0f?", "No: Ann did not write \u201c\u2764\ufe0f\u201d in \u201cAnn\u201d."),
        ("who sent most \U0001f602", "Ann [1] wrote \u201c\U0001f602\u201d most often: 3 of 4 times."),
        ("Who uses the \U0001f602 emoji the most?", "Ann [1] wrote \u201c\U0001f602\u201d most often: 3 of 4"),
        ("who sent the first \U0001f602", "\u201c\U0001f602\u201d was first written by Ann on 1 March 2024 [1]."),
        ("who sent the last \U0001f44d in the Farm \U0001f410 chat?",
         "\u201c\U0001f44d\u201d was last written in \u201cFarm \U0001f410\u201d by Ben on 1 March"),
        ("when did I last send \U0001f44d", "Tom last wrote \u201c\U0001f44d\u201d on 5 April 2024 [1]."),
        ("When was the last time I sent \U0001f44d?", "Tom last wrote \u201c\U0001f44d\u201d on 5 April 2024 [1]."),
        ("when did I last send \U0001f602", "Tom did not write \u201c\U0001f602\u201d."),
        ("how many times did Ann say thank you", "Ann did not write \u201cthank you\u201d."),
        ('how many times did Ann send "\U0001f602"', "Ann wrote \u201c\U0001f602\u201d 3 times in 2 messages"),
        ("How many \U0001f602 did Ann send in April 2024?", "Ann wrote \u201c\U0001f602\u201d 1 time from 1 April"),
        ("how often did we write \U0001f44d", "\u201c\U0001f44d\u201d was written 2 times: Ben (1) and Tom (1)"),
        ("how often did we write \U0001f44d\U0001f3fd", "Ben wrote \u201c\U0001f44d\U0001f3fd\u201d 1 time"),
        ("Did Lou \U0001f33b send \U0001f602?", "Yes: Lou \U0001f33b wrote \u201c\U0001f602\u201d 1 time, on 5 May"),
        ("How many messages did Lou \U0001f33b send?", "Lou \U0001f33b sent 1 message, on 5 May 2024"),
        ("Who is in the Farm \U0001f410 chat?", "3 people have written in \u201cFarm \U0001f410\u201d"),
        ("who sent most \U0001f33b", "Only Tom wrote \u201c\U0001f33b\u201d: 1 time [1]."),
        ("How many messages contain \U0001f1e9\U0001f1ea?", "Nobody wrote \u201c\U0001f1e9\U0001f1ea\u201d."),
        ("How many messages contain \U0001f1ea\U0001f1f8?", "Tom wrote \u201c\U0001f1ea\U0001f1f8\u201d 1 time"),
        ("how many messages mention \u20bf", "Nobody wrote \u201c\u20bf\u201d."),
        ("how often did I mention \u20ac", "Tom did not write \u201c\u20ac\u201d."),
        ('who sent the most "!!!"', "Nobody wrote \u201c!!!\u201d."),
        ("who sent most :-)", "Only Ann wrote \u201c:-)\u201d: 1 time [1]."),
        ("Who sent the most messages in the Farm \U0001f410 chat?", "Ann [1], Ben [2] and Tom [3] wrote equally much in"),
        ("How often did I mention goat?", "Tom did not write \u201cgoat\u201d."),
        ('How often did I write "farm.example"?', "Tom wrote \u201cfarm.example\u201d 1 time"),
    ],
)  # fmt: skip
def test_a_sign_is_counted_like_a_word(farm: ChatMemory, question: str, text: str) -> None:
    answer = asked(farm, question)
    assert answer.text.startswith(text), answer.text
    assert answer.model == "none"


@pytest.mark.parametrize(
    "question",
    [
        "How many messages did I send \U0001f602",
        "who sent most \U0001f602 or \u2764\ufe0f",
        "Did Ann ever send messages \u2764\ufe0f?",
        "When did Ann write \u20bf?",
        "who wrote most in the \U0001f410 chat",
        "How many messages did Ann send \u20bf last year?",
        "how often did I mention goat\U0001f410",
        "What is the longest message \U0001f602?",
    ],
)
def test_no_sign_of_a_question_is_lost(farm: ChatMemory, question: str) -> None:
    assert asked(farm, question).model != "none"


def test_a_title_in_a_question_may_have_its_emoji_or_not() -> None:
    titles = {1: "Blue Barn \U0001f410", 2: "Red Barn"}
    for text in (
        "Who is in Blue Barn \U0001f410?",
        "who is in blue barn",
        "Who is in the Blue Barn chat?!",
    ):
        assert members_of(text, titles, Filters()) == {1}


def test_with_a_filter_nobody_is_only_those_of_the_filter(farm: ChatMemory) -> None:
    answer = farm.ask("How often did we write \u201chat\u201d?", people=["Tom"], history=())
    assert answer.text == "Tom did not write \u201chat\u201d."


def test_who_has_written_an_emoji_is_not_who_is_in_the_chat(farm: ChatMemory) -> None:
    answer = farm.ask("Who has written \U0001f602?", chats=["Ann"], history=())
    assert answer.model != "none"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which emoji does Ann use most?", "\U0001f602 [1] was used most by Ann: 3 of 3 emojis."),
        ("what emoji do I use the most", "\u2764\ufe0f\u200d\U0001f525 [1], \U0001f1e6\U0001f1e9 [2], "),
        ("What is Ann's favourite emoji?", "\U0001f602 [1] was used most by Ann: 3 of 3 emojis."),
        ("what's our most used emoji?", "\U0001f602 [1] was used most: 4 of 11 emojis. Then \U0001f44d\U0001f3fd (2) [2],"),
        ("Which emoji is used second most?", "\U0001f44d\U0001f3fd [1] was used second most: 2 of 11 emojis. Then"),
        ("Which emoji did Ann use most in April 2024?", "\U0001f602 [1] was used most by Ann from 1 April"),
        ("Which emoji is used most in the Farm \U0001f410 chat?", "\U0001f602 [1] was used most in \u201cFarm"),
        ("Which emoji did Ann use most in 2019?", "Ann sent no messages from 1 January 2019"),
        ("Welches Emoji benutzt Ann am meisten?", "\U0001f602 [1] was used most by Ann: 3 of 3 emojis."),
        ("Welche Emojis verwenden wir am h\u00e4ufigsten?", "\U0001f602 [1] was used most: 4 of"),
    ],
)  # fmt: skip
def test_the_emoji_that_are_used_most_are_counted(
    farm: ChatMemory, question: str, text: str
) -> None:
    answer = asked(farm, question)
    assert answer.text.startswith(text), answer.text
    assert answer.model == "none"
