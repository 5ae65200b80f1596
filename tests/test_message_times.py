"""Questions about when messages were written: days of the week, hours, the busiest month, silences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import WordEmbedder
from three_chats import asked, opened

from minirag_chat import ChatMemory, Settings


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        (
            "Who writes most on Sundays?",
            "Ollie [1] and Tom Reed [2] wrote equally much on Sundays: 1 of 2 messages each.",
        ),
        (
            "Who wrote most on Saturdays in 2024?",
            "Dana Fox [1] wrote the most on Saturdays from 1 January",
        ),
        (
            "How many messages did Dana send on weekends?",
            "Dana Fox sent 2 messages at weekends, the first",
        ),
        (
            "How many messages on Friday mornings?",
            "3 messages on Fridays between 06:00 and 12:00: ",
        ),
        (
            "How many messages did Tom send on a Saturday?",
            "Tom Reed sent 1 message on Saturdays, on 13 July",
        ),
        (
            "How many messages did Dana send at night?",
            "Dana Fox sent no messages between 22:00 and 06:00.",
        ),
        ("How many messages were sent after 10 am?", "11 messages after 10:00: Dana Fox (4)"),
        ("How many messages after 2 pm?", "2 messages after 14:00: "),
        (
            "Who wrote most before noon?",
            "Tom Reed [1] wrote the most between 00:00 and 12:00: 4 of 9 messages.",
        ),
        (
            "How many messages between 10 and 11 am in 2025?",
            "Tom Reed sent 1 message between 10:00 and 11:00",
        ),
        (
            "What did Ollie last write in the morning?",
            "The last message between 06:00 and 12:00 is from Ollie",
        ),
        (
            "Wie viele Nachrichten hat Dana abends geschrieben?",
            "Dana Fox sent no messages after 18:00.",
        ),
        (
            "How many messages on 15 June 2025 after 2 pm?",
            "Ollie sent 1 message, on 15 June 2025 [1].",
        ),
        (
            "How many messages did Dana send after midnight?",
            "Dana Fox sent no messages between 00:00 and 06:00.",
        ),
        ("Wer schreibt samstags am meisten?", "Dana Fox [1] wrote the most on Saturdays"),
        ("Did Dana write on Sundays?", "No: Dana Fox sent no messages on Sundays."),
    ],
)
def test_a_day_of_the_week_and_an_hour_are_those_of_the_messages(
    chats: ChatMemory, question: str, begin: str
) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(begin), answer.text


def test_a_friday_night_ends_on_saturday(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        nights = (
            "05/07/2024, 23:00",
            "06/07/2024, 01:00",
            "06/07/2024, 23:00",
            "07/07/2024, 13:00",
        )
        export = tmp_path / "WhatsApp Chat with Zoe.txt"
        export.write_text("".join(f"{at} - Zoe: late {at}\n" for at in nights), encoding="utf-8")
        memory.add(export)
        counted = asked(memory, "How many messages did Zoe send on Friday nights?")
        assert counted.text.startswith("Zoe sent 2 messages on Fridays between 22:00 and 06:00")
        assert [source.sent_at.day for source in counted.sources] == [5, 6]
        talk = asked(memory, "What did Zoe and I talk about after 10 pm?")
        assert "13:00" not in talk.text
        assert "01:00" in talk.text
        assert talk.note.startswith("Only from messages between 22:00 and 06:00")


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        (
            "Which month had the most messages?",
            "May 2024 [1] had the most messages: 4 of 11 messages. Then",
        ),
        (
            "In which month did Ollie write most?",
            "February 2024 [1], May 2024 [2] and June 2025 [3] had",
        ),
        (
            "What was the busiest month in 2025?",
            "June 2025 [1] had the most messages from 1 January 2025",
        ),
        (
            "Which day of the week is busiest?",
            "Friday [1] and Saturday [2] had the most messages: 3 of 11",
        ),
        (
            "Which weekday is the quietest?",
            "Wednesday and Thursday had the fewest messages: 0 of 11",
        ),
        (
            "Which day had the most messages?",
            "Friday, 3 May 2024 [1] had the most messages: 3 of 11 messages.",
        ),
        ("In which year did we write most?", "2024 [1] had the most messages: 8 of 11 messages."),
        (
            "At what time of day do we write most?",
            "10:00 to 11:00 [1] had the most messages: 9 of 11",
        ),
        (
            "When do we write most?",
            "Friday [1] and Saturday [2] had the most messages: 3 of 11 messages each.",
        ),
        ("Which month had the fewest messages?", "March 2024, April 2024, June 2024, August 2024"),
        (
            "In welchem Monat haben wir am meisten geschrieben?",
            "May 2024 [1] had the most messages: 4 of 11",
        ),
        ("Welcher Monat hatte die meisten Nachrichten?", "May 2024 [1] had the most messages"),
        ("In welchem Jahr gab es die meisten Nachrichten?", "2024 [1] had the most messages"),
    ],
)
def test_the_busiest_time_is_counted(chats: ChatMemory, question: str, begin: str) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(begin), answer.text
    for source in answer.sources:
        assert f"[{source.number}]" in answer.text


@pytest.mark.parametrize(
    ("question", "end"),
    [
        (
            "How many messages did Dana send in May and in July 2024?",
            "That is 2 in May 2024 and 1 in July 2024.",
        ),
        ("How many messages were sent in 2023 and 2025?", "That is 0 in 2023 and 3 in 2025."),
        (
            "How many messages were sent on 3 and 5 May 2024?",
            "That is 3 on 3 May 2024 and 0 on 5 May 2024.",
        ),
    ],
)
def test_several_periods_are_counted_without_what_is_between(
    chats: ChatMemory, question: str, end: str
) -> None:
    answer = asked(chats, question)
    assert answer.text.endswith(end), answer.text


@pytest.mark.parametrize(
    ("when", "number"),
    [("this Monday", "1 message, on 12 January 2026"), ("this winter", "3 messages")],
)
def test_this_monday_and_this_winter_have_begun(tmp_path: Path, when: str, number: str) -> None:
    export = tmp_path / "WhatsApp Chat with Zoe.txt"
    days = ("28/11/2025", "28/12/2025", "12/01/2026", "14/01/2026")
    export.write_text("".join(f"{day}, 09:00 - Zoe: hello\n" for day in days), encoding="utf-8")
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(export)
        counted = asked(memory, f"How many messages did Zoe send {when}?").text
        assert counted.startswith(f"Zoe sent {number}"), counted
        talk = asked(memory, f"What did we talk about {when}?")
        assert not talk.abstained, talk.text


@pytest.mark.parametrize(
    ("asked_for", "number"),
    [
        ("at Christmas", "3 messages"),
        ("at Christmas last year", "3 messages"),
        ("over xmas", "3 messages"),
        ("on Christmas Day", "1 message"),
        ("on Christmas Eve and at Christmas", "2 messages"),
        ("at Easter", "2 messages"),
        ("on Easter Sunday", "1 message"),
    ],
)
def test_the_days_of_a_feast_are_counted(tmp_path: Path, asked_for: str, number: str) -> None:
    export = tmp_path / "WhatsApp Chat with Zoe.txt"
    days = (
        "20/12/2025", "24/12/2025", "25/12/2025", "26/12/2025", "02/04/2026", "03/04/2026", "05/04/2026",
        "07/04/2026",
    )  # fmt: skip
    export.write_text("".join(f"{day}, 09:00 - Zoe: hello\n" for day in days), encoding="utf-8")
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(export)
        counted = asked(memory, f"How many messages did Zoe send {asked_for}?").text
    assert counted.startswith(f"Zoe sent {number}"), counted


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Who never wrote in Cabin Crew on Sundays?",
            "Dana Fox and Tom Reed wrote nothing in “Cabin Crew” on Sundays; 1 of 3 people did.",
        ),
        (
            "Who didn't write in July 2024?",
            "Ollie wrote nothing from 1 July 2024 to 31 July 2024; 2 of 3 people did.",
        ),
        (
            "Who has not written anything in 2024?",
            "Nobody: all 3 people wrote from 1 January 2024 to 31 December 2024.",
        ),
        (
            "On how many days did Dana write?",
            "Dana Fox wrote on 4 days, the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "How many messages per year?",
            "11 messages: 2024 (8) and 2025 (3); on average 7.8 a year, from the first [1] to the last day [2].",
        ),
        (
            "How many messages does Ollie send a month on average in 2025?",
            "1 message from Ollie from 1 January 2025 to 31 December 2025: June 2025 (1).",
        ),
        (
            "Which chat has the fewest messages?",
            "\u201cOllie\u201d [1] has the fewest messages: 2 of 11 messages. Then \u201cDana Fox\u201d (3) [2] and \u201cCabin Crew\u201d (6) [3].",
        ),
        (
            "In which chat do I write least?",
            "\u201cCabin Crew\u201d [1] and \u201cOllie\u201d [2] have the fewest messages from Tom Reed: 1 of 4 messages each. Then \u201cDana Fox\u201d (2) [3].",
        ),
        (
            "Which chat has the most messages?",
            "“Cabin Crew” [1] has the most messages: 6 of 11 messages. Then “Dana Fox” (3) [2] and “Ollie” (2) [3].",
        ),
        (
            "What was the longest silence in Cabin Crew?",
            "The longest silence in “Cabin Crew” lasted 407 days and 4 hours: from 4 May 2024, 10:03 [1] to 15 June 2025, 14:03 [2].",
        ),
        (
            "How long was the longest time without messages in May 2024?",
            "The longest silence from 1 May 2024 to 31 May 2024 lasted 1 day: from 3 May 2024, 10:03 [1] to 4 May 2024, 10:03 [2].",
        ),
        (
            "Wer hat im Juli 2024 nie geschrieben?",
            "Ollie wrote nothing from 1 July 2024 to 31 July 2024; 2 of 3 people did.",
        ),
    ],
)
def test_rates_and_silences_are_counted(chats: ChatMemory, question: str, text: str) -> None:
    assert asked(chats, question).text == text
