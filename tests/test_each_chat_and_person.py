"""Questions about each chat, each person and each weekday, about chats of two, and about days without messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import write_table
from three_chats import asked, memory_of, opened

from minirag_chat import ChatMemory


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("each")) as memory:
        yield memory


IN_EACH = (
    "Who wrote the most messages, by chat: \u201cCabin Crew\u201d: Dana Fox, 3 of 6 [1]; "
    "\u201cDana Fox\u201d: Tom Reed, 2 of 3 [2]; \u201cOllie\u201d: Ollie and Tom Reed, 1 of 2 each [3]."
)
BY_CHAT = (
    "\u201cCabin Crew\u201d [1] has the most messages: 6 of 11 messages. "
    "Then \u201cDana Fox\u201d (3) [2] and \u201cOllie\u201d (2) [3]."
)
BY_PERSON = "11 messages: Dana Fox (4), Tom Reed (4) and Ollie (3)"
BY_WEEKDAY = "11 messages: Monday (1), Tuesday (2), Wednesday (0), Thursday (0), Friday (3), Saturday (3) and Sunday (2)."


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("Who writes most in each chat?", IN_EACH),
        ("who sent the most messages per chat", IN_EACH),
        ("who is the most active in each group", "Who wrote the most messages, by chat: \u201cCabin Crew\u201d:"),
        ("who writes least in every chat", "Who wrote the fewest messages, by chat: \u201cCabin Crew\u201d: Tom"),
        ("How many messages per chat?", BY_CHAT),
        ("how many messages are there in each chat", BY_CHAT),
        ("messages in each group", "\u201cCabin Crew\u201d [1] has the most messages: 6 of 6 messages."),
        ("How many messages did each person send?", BY_PERSON),
        ("messages per person", BY_PERSON),
        ("messages per day of the week", BY_WEEKDAY),
        ("how many more messages did I send than Ollie", "Ollie sent 1 message more than Tom Reed in "),
        ("how many more messages did Dana send than I", "Dana Fox sent 1 message more than Tom Reed in "),
        ("how many more messages did Dana send than Ollie", "Dana Fox sent 1 message more than Ollie: 4 [1] and 3"),
        ("how many more messages did Dana send than Dana", "Dana Fox [1] wrote the most: 4 of 4 messages."),
        ("how many days did Dana not write in the Cabin Crew chat", "Dana Fox wrote nothing on 407 of 410 days"),
        ("how many messages did Dana and Ollie send together", "7 messages: Dana Fox (4) and Ollie (3)"),
        ("how many chats are groups", "1 group: \u201cCabin Crew\u201d (6) [1]."),
        ("how many one on one chats do I have", "2 direct chats: "),
        ("how many of my chats are private", "2 direct chats: "),
        ("how many people are in the archive", "3 people have written: "),
        ("how many contacts do I have", "3 people have written: "),
        ("On how many days did nobody write in May 2024?", "Nobody wrote on 29 of 31 days from 1 May 2024"),
        ("how many days did Dana not write anything in May 2024", "Dana Fox wrote nothing on 29 of 31 days"),
    ],
)  # fmt: skip
def test_each_is_counted(chats: ChatMemory, question: str, begin: str) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(begin)
    assert answer.confidence == 1


def test_what_a_time_is_that_only_an_event_tells_is_not_left_out(chats: ChatMemory) -> None:
    answer = asked(chats, "how many messages since the move")
    assert "11 messages" not in answer.text


def test_files_of_one_day_have_their_hours(tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Dana.txt"
    chat.write_text(
        "12/05/2024, 10:00 - Dana: <Media omitted>\n12/05/2024, 10:36 - Dana: IMG-20240512-WA0001.jpg (file attached)\n"
        "12/05/2024, 10:40 - Dana: IMG-20240512-WA0002.jpg (file attached)\n13/05/2024, 10:40 - Tom: nice\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Tom", chat) as memory:
        answer = asked(memory, "How many photos did Dana send on 12 May 2024?")
        assert answer.text.startswith(
            "Dana sent 2 photos on 12 May 2024, at 10:36 [1] and at 10:40 [2]."
        )


def test_a_title_before_a_last_name_is_part_of_the_name(tmp_path: Path) -> None:
    rows = [
        ("2026-01-02 10:00", "Mr Petrie Landlord", "The plumber comes on Thursday.", "Flat"),
        ("2026-01-02 10:05", "Tom", "Thank you", "Flat"),
        ("2026-01-03 10:05", "Ann Moss", "hello", "Ann"),
    ]
    with memory_of(tmp_path, "Tom", write_table(tmp_path / "chats.csv", *rows)) as memory:
        assert asked(memory, "how many messages did mr petrie send").text.startswith(
            "Mr Petrie Landlord sent 1"
        )
        assert "plumber" in asked(memory, "what did Mr. Petrie write last?").text
        assert "hello" not in asked(memory, "what did mr moss write last?").text


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("how many messages did the plumber send", "Dai Moss Plumber sent 2 messages"),
        ("what did the plumber write last?", "The last message is from Dai Moss Plumber"),
        ("when did I last write to my plumber", "The last message in \u201cDai\u201d is from Tom"),
    ],
)
def test_the_plumber_is_the_contact_with_this_word_in_the_name(
    tmp_path: Path, question: str, begin: str
) -> None:
    rows = [
        ("2026-01-02 10:00", "Dai Moss Plumber", "I can come on Thursday", "Dai"),
        ("2026-01-02 10:05", "Tom", "Thank you", "Dai"),
        ("2026-01-04 10:05", "Dai Moss Plumber", "The tap is fixed", "Dai"),
        ("2026-01-03 10:05", "Ann", "the plumber was late", "Ann"),
    ]
    with memory_of(tmp_path, "Tom", write_table(tmp_path / "chats.csv", *rows)) as memory:
        answer = asked(memory, question)
        assert answer.text.startswith(begin)
        assert "read as 'Dai Moss Plumber'" in answer.note
        late = asked(memory, "Was the plumber late?")
        assert "read as" not in late.note


def test_those_of_one_median_are_told_apart_by_the_mean(tmp_path: Path) -> None:
    rows = []
    for name, minutes in (("Ann", (1, 1, 1, 1, 90)), ("Ben", (1, 1, 1, 1, 1))):
        for day, later in enumerate(minutes, start=1):
            rows += [
                (f"2026-01-{day:02} 10:00", "Tom", f"{name}, are you there? {day}", name),
                (f"2026-01-{day:02} {10 + later // 60}:{later % 60:02}", name, f"yes {day}", name),
            ]
    with memory_of(tmp_path, "Tom", write_table(tmp_path / "chats.csv", *rows)) as memory:
        assert asked(memory, "Who replies fastest to me?").text.startswith(
            "Ben (5 replies, on average 1 minute) [1] and Ann (5 replies, on average 18 minutes) [2] reply fastest"
        )
