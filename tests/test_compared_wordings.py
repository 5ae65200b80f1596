"""Wordings that compare how much people write, or ask how long ago, how often a word and who wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import write_table
from three_chats import asked, memory_of

from minirag_chat import ChatMemory

ROWS = (
    ("2025-03-03 08:15", "Ivy", "the hens are out, sorry", "Ivy"),
    ("2025-03-03 08:20", "Tom", "oh dear", "Ivy"),
    ("2025-03-03 08:25", "Ivy", "all back", "Ivy"),
    ("2025-05-05 20:10", "Ivy", "new fence? a biscuit for you", "Ivy"),
    ("2025-05-05 20:30", "Tom", "yes please", "Ivy"),
    ("2025-05-06 09:00", "Ivy", "hello both", "Garden"),
    ("2025-05-06 09:10", "Moe", "morning, sorry", "Garden"),
    ("2025-05-06 19:00", "Tom", "seeds are here", "Garden"),
    ("2025-05-07 08:00", "Moe", "fetch them today", "Garden"),
    ("2025-05-07 08:40", "Tom", "ok", "Garden"),
    ("2025-05-07 08:50", "Tom", "done", "Garden"),
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder: Path = tmp_path_factory.mktemp("garden")
    with memory_of(folder, "Tom", write_table(folder / "chats.csv", *ROWS)) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("Who wrote more messages in our chat, me or ivy?", "Ivy [1] wrote the most in \u201cIvy\u201d: 3 of 5"),
        ("who sent more messages, me or ivy in our chat", "Ivy [1] wrote the most in \u201cIvy\u201d: 3 of 5"),
        ("how many messages did ivy send in our chat", "Ivy sent 3 messages in \u201cIvy\u201d"),
        ("did tom write more than moe", "Yes: Tom [1] wrote the most in “Garden”: 3 of 5 messages. Then Moe (2)"),
        ("Has Moe written fewer messages than Ivy?", "Yes: Moe [1] wrote the fewest"),
        ("did ivy write more messages in may than moe", "No: Ivy [1] and Moe [2] wrote equally much from 1 May 2025"),
        ("did ivy or i write more in May 2025?", "Tom [1] wrote the most in “Ivy” and “Garden” from 1 May 2025"),
        ("is ivy more active than moe in the garden group", "No: Moe [1] wrote the most in \u201cGarden\u201d: 2 of 3"),
        ("Did we write more in March or May?", "11 messages in March 2025 and in May 2025: "),
        ("Did we talk more in March or in May?", "11 messages in March 2025 and in May 2025: "),
        ("did ivy and i talk more in March or in April", "3 messages in \u201cIvy\u201d in March 2025 and in April 2025"),
        ("did moe and tom write more in March or in May?", "7 messages in March 2025 and in May 2025"),
        ("Ivy or me, who texts more?", "Tom [1] wrote the most in “Ivy” and “Garden”: 5 of 9"),
        ("did we write less in March or May?", "11 messages in March 2025 and in May 2025: "),
        ("did ivy text more in March or in April", "Ivy sent 2 messages in March 2025 and in April 2025"),
        ("in which month did ivy write more, March or April?", "March 2025 [1] had the most messages from Ivy"),
        ("did we message more in 2024 or 2025?", "11 messages in 2024 and in 2025: "),
        ("who wrote the most among ivy and moe", "Ivy [1] wrote the most: 4 of 6"),
        ("who has more messages ivy or moe", "Ivy [1] wrote the most: 4 of 6"),
        ("who wrote more ivy or moe", "Ivy [1] wrote the most: 4 of 6"),
        ("which of ivy and moe wrote more?", "Ivy [1] wrote the most: 4 of 6"),
        ("do i text ivy more than moe", "Most messages from Tom, in chats of two, are to: Ivy (2)"),
        ("Did I write to Ivy or Moe more often?", "Most messages from Tom, in chats of two, are to: Ivy (2)"),
        ("compare how many messages ivy and moe sent", "Ivy [1] wrote the most: 4 of 6"),
        ("ivy vs moe, who texts more?", "Ivy [1] wrote the most: 4 of 6"),
        ("Ivy or Moe: who messages me more?", "Ivy [1] wrote the most apart from Tom: 4 of 6"),
        ("what's my quietest chat", "\u201cIvy\u201d [1] has the fewest messages"),
        ("which of my groups is the busiest", "\u201cGarden\u201d [1] has the most messages"),
        ("read me the last 2 messages from ivy", "The last 2 messages from Ivy"),
        ("show me what moe wrote", "2 messages from Moe"),
        ("compare ivy and moe", "Ivy [1] wrote the most: 4 of 6"),
        ("top 3 writers", "Tom [1] wrote the most: 5 of 11"),
        ("who are the most active people?", "Tom [1] wrote the most: 5 of 11"),
        ("how many messages with ivy?", "5 messages in \u201cIvy\u201d"),
        ("how many messages with sorry", "\u201csorry\u201d was written 2 times"),
        ("how often do ivy and i talk", "5 messages from Ivy and Tom in \u201cIvy\u201d: March 2025 (3)"),
        ("who said sorry first?", "The first message with the word \u201csorry\u201d is from Ivy"),
        ("when did moe say sorry for the first time", "Moe first wrote \u201csorry\u201d on 6 May 2025"),
        ("when was the last time sorry was mentioned", "The last message with the word \u201csorry\u201d is from Moe"),
        ("search for biscuit", "1 message with \u201cbiscuit\u201d"),
        ("search messages for the fence", "1 message with \u201cfence\u201d"),
        ("what was ivys last message", "The last message is from Ivy"),
        ("in which chats does moe write", "1 chat: \u201cGarden\u201d"),
        ("how many people do i write to", "2 other people have written"),
        ("how often was sorry mentioned by moe", "Moe wrote \u201csorry\u201d 1 time"),
        ("who wrote the most apart from me", "Ivy [1] wrote the most apart from Tom: 4 of 6"),
        ("Who sent the fewest messages besides Moe?", "Ivy [1] wrote the fewest apart from Moe: 4 of 9"),
        ("has ivy sent more photos than me", "I cannot count or show the photos"),
        ("who is more active, ivy or moe", "Ivy [1] wrote the most: 4 of 6 messages."),
        ("which of us is less active, me or moe", "Moe [1] wrote the fewest"),
        ("wer hat mehr geschrieben, ivy oder moe", "Ivy [1] wrote the most: 4 of 6 messages."),
        ("Wer schreibt weniger, Ivy oder Moe?", "Moe [1] wrote the fewest"),
        ("how long since ivy and i last talked", "The last message in \u201cIvy\u201d is from Tom, Monday, 5 May"),
        ("How long has it been since I last heard from Moe?", "The last message is from Moe, Wednesday, 7 May"),
        ("how many days since ivy last wrote", "The last message is from Ivy, Tuesday, 6 May 2025"),
        ("how often did ivy say biscuit", "Ivy wrote \u201cbiscuit\u201d 1 time"),
        ("how many times has moe said sorry in May?", "Moe wrote \u201csorry\u201d 1 time from 1 May 2025"),
        ("wie oft hat ivy biscuit erw\u00e4hnt", "Ivy wrote \u201cbiscuit\u201d 1 time"),
        ("Wie oft hat Ivy im M\u00e4rz \u201esorry\u201c gesagt?", "Ivy wrote \u201csorry\u201d 1 time from 1 March 2025"),
        ("hat moe im mai etwas geschrieben", "Moe sent 2 messages"),
        ("wieviele Nachrichten hat Moe geschrieben?", "Moe sent 2 messages"),
    ],
)  # fmt: skip
def test_what_is_compared_or_counted_is_computed(
    garden: ChatMemory, question: str, begin: str
) -> None:
    answer = asked(garden, question)
    assert answer.text.startswith(begin), answer.text
    assert answer.model == "none"


@pytest.mark.parametrize(
    "question",
    [
        "did ivy write more about hens than moe",
        "is ivy taller than moe",
        "is ivy more active than moe at the gym",
        "how long since ivy last fed the hens",
        "how often did ivy say the hens are out",
        "how often did ivy say things",
        "how often did ivy say it",
        "wie oft hat ivy das gesagt",
        "hat moe etwas gekauft",
        "hat moe etwas geschickt",
        "hat moe etwas \u00fcber die Hennen geschrieben",
        "who said sorry in our garden",
    ],
)
def test_what_else_is_asked_is_looked_up(garden: ChatMemory, question: str) -> None:
    assert asked(garden, question).model != "none"


@pytest.mark.parametrize(
    "question",
    [
        "how many days since ivy last wrote",
        "how long since ivy last wrote",
        "How long ago did Ivy last write?",
    ],
)
def test_how_long_ago_the_last_message_was_is_told(garden: ChatMemory, question: str) -> None:
    assert re.search(r", Tuesday, 6 May 2025, 09:00 \(.* ago\)", asked(garden, question).text)
