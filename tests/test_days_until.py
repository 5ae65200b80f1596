"""How long it is until a day: the calendar's, or that of a message which says when something is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from three_chats import asked, memory_of

from minirag_chat import ChatMemory
from minirag_chat.answer.elapsed import with_time_left
from minirag_chat.question import event_until, when_it_is
from minirag_chat.records import Message, Source
from minirag_chat.ui_text import MAY_HAVE_CHANGED

NOW = datetime(2026, 11, 29, 21)


@pytest.fixture
def trip(tmp_path: Path) -> Iterator[ChatMemory]:
    """A chat of last week about a ski trip in forty days."""
    said, then = datetime.now() - timedelta(days=3), datetime.now() + timedelta(days=40)
    export = tmp_path / "WhatsApp Chat with Nell.txt"
    export.write_text(
        f"{said:%d/%m/%Y}, 09:00 - Nell: the ski trip is on {then:%d %B %Y}, bring gloves\n"
        f"{said:%d/%m/%Y}, 09:05 - Omar: great\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Omar", export) as memory:
        yield memory


def test_a_day_of_the_calendar_needs_no_message(trip: ChatMemory) -> None:
    soon = datetime.now() + timedelta(days=9)
    answer = asked(trip, f"How many days until {soon:%-d %B}?")
    assert answer.text.endswith("is in 9 days.")
    assert answer.confidence == 1.0


def test_the_time_left_is_added_to_the_day_of_an_event(trip: ChatMemory) -> None:
    extractive = trip.tuned(model="extractive")
    assert "(in 40 days)" in extractive.ask("How long until the ski trip?", history=()).text
    assert "in 40 days" not in extractive.ask("When is the ski trip?", history=()).text


@pytest.mark.parametrize(
    ("question", "event"),
    [
        ("How long until the ski trip?", "the ski trip"),
        ("how many more days till Christmas", "Christmas"),
        ("and how long is it until my birthday?", "my birthday"),
        ("Wie lange noch bis Weihnachten?", "Weihnachten"),
        ("How long until I have to pay?", "I have to pay"),
        ("Wie lange noch bis wir einziehen?", ""),
        ("How long did we wait until the train came?", ""),
        ("How many days until" + " x" * 50_000, ""),
    ],
)
def test_what_it_is_until(question: str, event: str) -> None:
    assert event_until(question) == event


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Saturday 12 December 2026 [1]", "Saturday 12 December 2026 [1] (in 13 days)"),
        ("8 May 2027", "8 May 2027 (in 160 days)"),
        ("16 to 23 January", "16 to 23 January (in 48 days)"),
        ("3 December or 10 December", "3 December or 10 December"),
        ("1 March 2026", "1 March 2026"),
        ("in 2 weeks, on 12 December", "in 2 weeks, on 12 December"),
    ],
)
def test_the_time_left_needs_one_day_to_come(answer: str, said: str) -> None:
    assert with_time_left(answer, (), NOW) == said


@pytest.mark.parametrize(
    ("then", "counted"),
    [
        ("How long is that from now?", True),
        ("and how many days is that?", True),
        ("how many weeks until then?", True),
        ("how long is it?", False),  # which may be its length
    ],
)
def test_how_long_until_then_is_asked_of_the_event_before(
    trip: ChatMemory, then: str, *, counted: bool
) -> None:
    first = asked(trip, "When is the ski trip?")
    answer = trip.ask(then, history=[(first.question, first.text)])
    assert ("(in 40 days)" in answer.text) == counted, answer.text
    assert answer.question == then


@pytest.mark.parametrize(
    "then", ["what day of the week is that", "Which day is it?", "and what day was that?"]
)
def test_which_day_that_is_asks_for_the_day_of_the_event_before(
    trip: ChatMemory, then: str
) -> None:
    first = asked(trip, "When is the ski trip?")
    history = [(first.question, first.text)]
    answer = trip.ask(then, history=history)
    assert answer.text == first.text
    assert answer.question == then
    again = trip.ask("How long is that from now?", history=[*history, (then, answer.text)])
    assert "(in 40 days)" in again.text


@pytest.mark.parametrize(
    ("quotes", "said"),
    [
        (["we get keys on 16 Jan not 9"], "“we get keys on 16 Jan not 9” (in 48 days)"),
        (["appointment is Wednesday 8.40 not Thursday"], "“appointment is Wednesday 8.40 not Thursday” (in 3 days)"),
        (["its on saturday, not on the 4th", "ok"], "“its on saturday, not on the 4th” (in 6 days)\n\n“ok”"),
        (["opening night is full", "weds 16th: 9 sold"], "“opening night is full”\n\n“weds 16th: 9 sold”"),
        (["it is on friday or saturday"], "“it is on friday or saturday”"),
    ],
)  # fmt: skip
def test_the_time_left_is_that_of_the_first_quote(quotes: list[str], said: str) -> None:
    sent = datetime(2026, 11, 29, 10)
    sources = [
        Source(n, Message(id=n, chat="Chat", sender="Ann", sent_at=sent, text=one), one)
        for n, one in enumerate(quotes, 1)
    ]
    answer = "\n\n".join(f"\u201c{one}\u201d" for one in quotes)
    assert with_time_left(answer, sources, NOW) == said


def test_a_day_that_may_have_been_moved_is_not_counted_to() -> None:
    answer = f"Saturday 12 December 2026 [1]\n\n{MAY_HAVE_CHANGED}: “off” [2]"
    assert with_time_left(answer, (), NOW) == answer


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How long until the trip?", "When is the trip?"),
        ("How long until we get the keys?", "When do we get the keys?"),
        ("How many days until she comes back", "When does she come back?"),
        ("How many weeks till he watches the play", "When does he watch the play?"),
        ("how long until I can move in?", "When can I move in?"),
        ("How long until we leaving?", "When will we be leaving?"),
        ("When is the trip?", "When is the trip?"),
    ],
)
def test_it_is_looked_up_when_that_is(question: str, asked: str) -> None:
    assert when_it_is(question) == asked
