"""Wordings of questions about the messages that people use: short, spoken, and of the one who asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import write_table
from three_chats import asked, memory_of

from minirag_chat import ChatMemory

ROWS = (
    ("2025-03-03 08:15", "Ivy", "the hens are out", "Ivy"),
    ("2025-03-03 08:20", "Tom", "oh dear", "Ivy"),
    ("2025-03-03 08:25", "Ivy", "all back", "Ivy"),
    ("2025-05-05 20:10", "Ivy", "new fence?", "Ivy"),
    ("2025-05-05 20:30", "Tom", "yes please", "Ivy"),
    ("2025-05-06 09:00", "Ivy", "hello both", "Garden"),
    ("2025-05-06 09:10", "Moe", "morning", "Garden"),
    ("2025-05-06 19:00", "Tom", "seeds are here", "Garden"),
    ("2025-05-07 08:00", "Moe", "fetch them today", "Garden"),
    ("2025-05-07 08:40", "Tom", "ok", "Garden"),
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("garden")
    with memory_of(folder, "Tom", write_table(folder / "chats.csv", *ROWS)) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("how many messages between me and Ivy", "5 messages in \u201cIvy\u201d: Ivy (3) and Tom (2);"),
        ("How many messages between Ivy and Moe?", "3 messages in \u201cGarden\u201d: Moe (2) and Ivy (1);"),
        ("number of messages Ivy sent", "Ivy sent 4 messages, the first on 3 March 2025"),
        ("how many messages Ivy sent in May", "Ivy sent 2 messages, the first on 5 May 2025"),
        ("longest silence with Ivy", "The longest silence in \u201cIvy\u201d lasted 63 days and 11 hours"),
        ("longest gap between me and Ivy", "The longest silence in \u201cIvy\u201d lasted 63 days"),
        ("first message Ivy ever sent", "The first message is from Ivy, Monday, 3 March 2025"),
        ("What was the last thing Moe ever said?", "The last message is from Moe, Wednesday, 7 May"),
        ("which month did I talk to Ivy most",
         "March 2025 [1] had the most messages from Ivy and Tom in \u201cIvy\u201d: 3 of 5 messages."),
        ("Which day did I text Ivy most?", "Monday, 3 March 2025 [1] and Monday, 5 May 2025 [2] had the most messages from"),
        ("busiest day with Ivy", "Monday, 3 March 2025 [1] had the most messages in \u201cIvy\u201d: 3 of 5"),
        ("average length of Ivy's messages", "Ivy has not typed 5 messages, too few to say"),
        ("average length of messages from Tom", "Tom has not typed 5 messages, too few to say"),
        ("how many messages did Tom send in the last 24 hours", "Tom sent 2 messages, the first on 6 May 2025"),
        ("Who wrote in the past 12 hours?", "2 people have written from 6 May 2025, 20:40 to 7 May 2025, 08:41: "),
        ("what time does Ivy usually text", "08:00 to 09:00 [1] had the most messages from Ivy: 2 of 4 messages."),
        ("What time do Ivy and I usually chat?", "08:00 to 09:00 [1] had the most messages from Ivy and Tom in \u201cIvy\u201d"),
        ("On which day of the week does Moe usually write?", "Tuesday [1] and Wednesday [2] had the most messages from Moe"),
        ("who was the last person I texted", "The last message is from Tom, Wednesday, 7 May 2025, 08:40, in \u201cGarden\u201d"),
        ("Who did I text last?", "The last message is from Tom, Wednesday, 7 May 2025, 08:40, in \u201cGarden\u201d"),
        ("who texted me last", "The last message that others wrote is from Moe, Wednesday, 7 May 2025, 08:00"),
        ("Who was the last person to text me?", "The last message that others wrote is from Moe, Wednesday, 7 May 2025, 08:00"),
        ("who texted me on 6 May 2025", "2 other people have written on 6 May 2025: Ivy (1) [1] and Moe (1) [2]."),
        ("How many messages in the last hour?", "2 messages: Tom (1) and Moe (1); both on 7 May 2025"),
        ("who texts me the most", "Ivy [1] wrote the most apart from Tom: 4 of 6 messages. Then Moe (2) [2]."),
        ("Who sends me the most messages, Moe or Ivy?", "Ivy [1] wrote the most apart from Tom: 4 of 6 messages."),
        ("last message Ivy sent me", "The last message in \u201cIvy\u201d is from Ivy, Monday, 5 May 2025"),
        ("who wrote to me on 4 May 2025", "Nobody else wrote on 4 May 2025."),
        ("When did Ivy and I last talk in the garden group?",
         "The last message in \u201cGarden\u201d is from Tom, Wednesday, 7 May 2025, 08:40"),
        ("When did Moe and I last chat?", "The last message in \u201cGarden\u201d is from Tom, Wednesday, 7 May"),
        ("how long is Ivy's longest message", "The longest message is from Ivy,"),
        ("How many messages per month do we write?", "10 messages: March 2025 (3), April 2025 (0)"),
        ("Did Tom write more in March or in May 2025?", "Tom sent"),
        ("What is the biggest group?", "\u201cGarden\u201d [1] has the most messages: 5 of 5 messages."),
        ("Show me all messages from Moe", "2 messages from Moe:"),
        ("show Moe's messages", "2 messages from Moe:"),
        ("who mentions me most", "Nobody wrote \u201cTom\u201d."),
        ("how many messages not from me", "6 messages: Ivy (4) and Moe (2); the first on 3 March 2025"),
        ("how many messages without Ivy in May 2025", "5 messages: Tom (3) and Moe (2); the first on 5 May"),
        ("how many messages except those from Ivy and Moe", "Tom sent 4 messages, the first on"),
        ("How many messages did I not send in the garden group?", "3 messages in \u201cGarden\u201d: Moe (2) and Ivy (1);"),
        ("how many messages did others send", "6 messages: Ivy (4) and Moe (2);"),
        ("how many messages contain today", "Moe wrote \u201ctoday\u201d 1 time, on"),
        ("how many more messages did Ivy send than Moe", "Ivy sent 2 messages more than Moe: 4 [1] and 2 [2]."),
        ("shortest message", "The shortest message is from Tom, "),
        ("everything Ivy said in May 2025", "2 messages from Ivy from 1 May 2025 to 31 May 2025:"),
        ("list everything Moe wrote", "2 messages from Moe:"),
        ("all messages from Ivy in May 2025", "2 messages from Ivy from 1 May 2025 to 31 May 2025:"),
        ("messages from Moe on Tuesdays", "1 message from Moe on Tuesdays:"),
        ("which messages did I send after 8pm", "1 message from Tom between 20:00 and 06:00:"),
    ],
)  # fmt: skip
def test_they_are_counted(garden: ChatMemory, question: str, begin: str) -> None:
    answer = asked(garden, question)
    assert answer.text.startswith(begin), answer.text


@pytest.mark.parametrize(
    "question",
    [
        "how many messages between me and Ivy about the fence",
        "number of hens Ivy sent",
        "longest walk with Ivy",
        "longest gap between the fence and the wall",
        "first thing Ivy planted",
        "busiest day with the hens",
        "average length of Ivy's hens",
        "what time does Ivy usually get up",
        "who was the last person I met",
        "who texted Ivy last",
        "who texted me about the seeds",
        "how many messages on 6 May 2025 in the last 24 hours",
        "what was the longest conversation",
        "how many replies did I send",
        "how many replies has Ivy sent me",
        "who texts me the latest",
        "what's the earliest message Ivy ever sent in the day",
        "who is Ivy",
        "when did I last see Ivy",
        "everything Ivy said about the hens",
        "who have I never written to",
        "who have I forgotten",
        "who does Ivy still have to pay",
        "who replies to me the most",
        "what's the longest message I ever got",
        "were there more messages in March or April 2025",
        "do we write more on weekdays or weekends",
        "when was the last one",
    ],
)
def test_what_asks_for_more_is_looked_up(garden: ChatMemory, question: str) -> None:
    assert asked(garden, question).model != "none"


def test_a_filter_may_leave_only_the_one_who_asks(garden: ChatMemory) -> None:
    answer = garden.ask("Who texted me last?", people=["Tom"], history=())
    assert answer.text == "The filter leaves only messages from Tom, and none from anybody else."


@pytest.mark.parametrize("title", ["Reed Weekend", "reed weekend"])
def test_a_title_with_a_name_in_it_is_the_chat(tmp_path: Path, title: str) -> None:
    export = tmp_path / "WhatsApp Chat with Reed Weekend.txt"
    export.write_text(
        "03/05/2024, 10:00 - Dana Fox: hi\n03/05/2024, 10:02 - Ollie: hi\n"
        "03/05/2024, 10:03 - Tom Reed: hi\n03/05/2024, 10:04 - Dana Fox: so\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Ollie", export) as memory:
        answer = asked(memory, f"Who is the most active in {title}?")
        assert answer.text.startswith(
            "Dana Fox [1] wrote the most in \u201cReed Weekend\u201d: 2 of 4"
        )
        assert asked(memory, "How many messages did Tom Reed send?").text.startswith(
            "Tom Reed sent 1"
        )


@pytest.mark.both_stores
def test_both_stores_count_who_texts_first_and_find_plans(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Cabin.txt"
    export.write_text(
        "03/05/2024, 10:00 - Dana Fox: hi\n03/05/2024, 10:02 - Ollie: hi\n"
        "05/05/2024, 10:03 - Dana Fox: dinner with the choir, fri 7 june at seven\n06/05/2024, 18:04 - Ollie: so\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Ollie", export) as memory:
        answer = asked(memory, "Who texts first?")
        assert answer.text.startswith(
            "Dana Fox [1] began the most conversations: 2 of 3 conversations"
        )
        planned = memory.retrieve("What is planned for 7 June?")
        assert planned[0].message.text.startswith("dinner with the choir")


def test_those_who_talk_in_a_group_are_not_whoever_wrote_last(tmp_path: Path) -> None:
    rows = (*ROWS[5:], ("2025-05-08 09:00", "Moe", "rain", "Garden"))
    with memory_of(tmp_path, "Tom", write_table(tmp_path / "garden.csv", *rows)) as memory:
        answer = asked(memory, "When did Ivy and I last talk?")
        assert "from Tom, Wednesday, 7 May 2025, 08:40" in answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who left the group?", True),
        ("When did Moe join this chat?", True),
        ("did I miss any calls", True),
        ("What did Moe leave in the shed?", False),
        ("Who left the gate open?", False),
        ("who was added to our group?", True),
        ("who left the old hen house group?", True),
        ("how many people left?", True),
        ("how many eggs are left?", False),
        ("who called me a liar?", False),
        ("who made the group laugh", False),
        ("did Moe add the photo to the chat?", False),
        ("did Moe see my last message", True),
        ("Do I have unread messages?", True),
        ("did Moe see the hens", False),
    ],
)
def test_it_is_said_that_what_an_app_notes_is_not_kept(
    garden: ChatMemory, question: str, told: bool
) -> None:
    assert ("are not kept from an export" in asked(garden, question).note) is told
