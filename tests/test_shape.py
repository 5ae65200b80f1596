"""The shape of a question: which ones are taken apart, and into what."""

from __future__ import annotations

from datetime import timedelta

import pytest
from growth import assert_by_length, processor_seconds

from minirag_chat.question.shape import find_shape
from minirag_chat.records import Relation, Shape

NAMES = ("Ann", "Ben", "Li Hua")


def shape(text: str) -> Shape | None:
    spans = [
        (start, start + len(name))
        for name in NAMES
        for start in range(len(text))
        if text.startswith(name, start)
    ]
    return find_shape(text, spans)


@pytest.mark.parametrize(
    ("text", "relation", "events"),
    [
        (
            "Did Ann book the hall before Ben ordered the cake?",
            "before",
            ("Ann book the hall", "Ben ordered the cake"),
        ),
        (
            "Has Ben moved out after he lost the keys?",
            "after",
            ("Ben moved out", "he lost the keys"),
        ),
        ("Did the flood happen earlier than the fire?", "before", ("the flood", "the fire")),
        (
            "Did Ann stretch after the run before she warned Ben about common mistakes to avoid after a race?",
            "before",
            (
                "Ann stretch after the run",
                "she warned Ben about common mistakes to avoid after a race",
            ),
        ),
        (
            "Did Ann pay on 3 May before Ben moved in last spring?",
            "before",
            ("Ann pay on 3 May", "Ben moved in last spring"),
        ),
        ("Did Ann sleep before cooking on Friday?", "before", ("Ann sleep", "cooking on Friday")),
        (
            "Was the hall painted before or after it rained?",
            None,
            ("the hall painted", "it rained"),
        ),
        (
            "Did Ben call the plumber before Ann did?",
            "before",
            ("Ben call the plumber", "Ann call the plumber"),
        ),
        ("Has she moved out after Li Hua has?", "after", ("she moved out", "Li Hua moved out")),
    ],
)
def test_two_events_in_an_order(text: str, relation: str | None, events: tuple[str, ...]) -> None:
    found = shape(text)
    assert found is not None
    assert (found.kind, found.relation, found.events) == ("order", relation, events)


@pytest.mark.parametrize(
    "text",
    [
        "Did Ann call before six?",
        "What did Ben eat after the match?",
        "Who lives above the first floor?",
        "When was Ben's first day at work?",
        "Did Ann leave before Monday?",
        "How many people came after Ann left?",
        "What happened last week?",
        "What happened last week or last month?",
        "Did Ann move out before spring 2026?",
        "Did Ben call before evening prayers?",
        "Did Ann call before Thanksgiving dinner?",
        "Did the fire happen before March 5?",
        "Where did we eat last Friday?",
        "Where did we eat last spring?",
        "Where did we eat last Christmas?",
        "Where did we eat last few days?",
        "Is the interval more than 9999999999 days between Ann moving in and Ben moving out?",
        "Did Ann look after her niece?",
        "Did my mum call the plumber before Ann did?",
        "Did Ann and Ben call the plumber before Li Hua did?",
        "Did Ben's dog bark before Ann did?",
        "Did Ben name his boat after his grandmother?",
        "Which came first, the regatta, the dance or the storm?",
        "How often does Ann bake?",
        "How many times a week does Ann bake?",
        "How many times bigger is the barn?",
        "When did Ann give her last name?",
        "The last time?",
        "Most recently?",
        "How often did?",
        f"Is the interval more than {'9' * 400} days between Ann moving in and Ben moving out?",
    ],
)
def test_other_questions_are_left_whole(text: str) -> None:
    assert shape(text) is None


def test_an_interval_with_an_amount() -> None:
    found = shape(
        "Is the time interval more than 3 days between Ann asking Ben to buy paint and Ben coming back?"
    )
    assert found == Shape(
        "interval", ("Ann asking Ben to buy paint", "Ben coming back"), "more", timedelta(days=3)
    )
    found = shape("Did it take less than two weeks from Ann paying the deposit to Ben moving in?")
    assert found == Shape(
        "interval", ("Ann paying the deposit", "Ben moving in"), "less", timedelta(days=14),
        in_order=True,
    )  # fmt: skip
    found = shape("Was it more than a week between Ann paying and Ben moving in?")
    assert found == Shape("interval", ("Ann paying", "Ben moving in"), "more", timedelta(days=7))


@pytest.mark.parametrize(
    ("text", "events", "relation", "days"),
    [
        ("Did Ann move less than a week after she quit her job?",
         ("she quit her job", "Ann move"), "less", 7),
        ("Did Ann pay the rent at least 3 days before Ben left?",
         ("Ann pay the rent", "Ben left"), "at least", 3),
        ("Did Ann call within two weeks after Ben left?", ("Ben left", "Ann call"), "at most", 14),
        ("Did Ann call within eleven days after Ben left?", ("Ben left", "Ann call"), "at most", 11),
        ("Did Ann call more than a day later than Ben left?", ("Ben left", "Ann call"), "more", 1),
        ("Did the flood happen more than a day before the fire?", ("the flood", "the fire"), "more", 1),
        ("Did Ben call more than a day before Ann did?", ("Ben call", "Ann call"), "more", 1),
        ("Did Ann call two days after Ben left?", ("Ben left", "Ann call"), None, None),
        ("Did Ann call a few weeks before Ben left?", ("Ann call", "Ben left"), None, None),
    ],
)  # fmt: skip
def test_an_amount_before_after_asks_how_far_apart(
    text: str, events: tuple[str, str], relation: Relation | None, days: int | None
) -> None:
    amount = None if days is None else timedelta(days=days)
    assert shape(text) == Shape("interval", events, relation, amount, in_order=True)


def test_a_name_that_is_a_month_is_a_person_in_a_shape() -> None:
    text = "Did Ann call before May left?"
    assert find_shape(text, [(4, 7), (20, 23)]) == Shape(
        "order", ("Ann call", "May left"), "before"
    )


def test_how_long_between() -> None:
    expected = Shape("interval", ("Ann paying the deposit", "Ben moving in"))
    assert (
        shape("How many days were there between Ann paying the deposit and Ben moving in?")
        == expected
    )


@pytest.mark.parametrize(
    ("doing", "events"),
    [
        ("Ann failing and passing her test", ("Ann failing her test", "Ann passing her test")),
        ("Ann buying the van and selling it", ("Ann buying the van", "Ann selling it")),
        ("Ann starting the course and finishing", ("Ann starting the course", "Ann finishing the course")),
    ],
)  # fmt: skip
def test_two_things_that_one_person_does_share_subject_and_object(
    doing: str, events: tuple[str, str]
) -> None:
    found = shape(f"How many days were there between {doing}?")
    assert found == Shape("interval", events, in_order=True)


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("How long after Ann paid did Ben move in?", ("Ann paid", "Ben move in")),
        ("How long after Christmas did Ben move in?", ("Christmas", "Ben move in")),
        ("How many days before the regatta was the dance?", ("the dance", "the regatta")),
        ("How long after Ann was told did Ben call?", ("Ann was told", "Ben call")),
        ("How many days after Ann met Will did they part?", ("Ann met Will", "they part")),
        ("Tell me how long after the storm was over did Ben call", ("the storm was over", "Ben call")),
    ],
)  # fmt: skip
def test_how_long_after_puts_the_earlier_event_first(text: str, events: tuple[str, str]) -> None:
    assert shape(text) == Shape("interval", events, in_order=True)


def test_what_leads_to_a_question_is_no_part_of_it() -> None:
    expected = Shape("count", ("Ann cancelled",))
    assert shape("Could you tell me how many times Ann cancelled?") == expected
    assert shape("In total, how many times Ann (my aunt) cancelled?") == expected
    assert shape("Sophie swam in the lake for the first time when?") == Shape(
        "first", ("Sophie swam in the lake when",)
    )


def test_a_long_remark_in_brackets_costs_nothing() -> None:
    def seconds(length: int) -> float:
        first, second = (
            f"How long after ({'x' * length}) Ann?",
            f"Which came first, a ({'x' * length}) b?",
        )
        return processor_seconds(lambda: (shape(first), shape(second)))

    assert_by_length(seconds, 4_000)


def test_which_came_first() -> None:
    found = shape("Which came first, the wedding or the regatta, and how many days lay between?")
    assert found == Shape("which", ("the wedding", "the regatta"), "before")
    found = shape("What happened later: the fire or the flood?")
    assert found == Shape("which", ("the fire", "the flood"), "after")


def test_first_last_and_counts() -> None:
    assert shape("When did Ben first come to the cellar?") == Shape(
        "first", ("When did Ben come to the cellar",)
    )
    assert shape("Where was the last time Ann met Ben?") == Shape(
        "last", ("Where was Ann met Ben",)
    )
    assert shape("When did Ann last bake last spring?") == Shape(
        "last", ("When did Ann bake last spring",)
    )
    assert shape("How many times did Ann cancel the dinner?") == Shape(
        "count", ("Ann cancel the dinner",)
    )


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("When did Ann break something last?", Shape("last", ("When did Ann break something",))),
        ("when did Ann break something first", Shape("first", ("when did Ann break something",))),
        ("Where did my sister see Ben last?", Shape("last", ("Where did my sister see Ben",))),
        ("When was the boat painted last?", Shape("last", ("When was the boat painted",))),
        ("When does the party last?", None),
        ("When did it last?", None),
        ("When did Ann arrive at last?", None),
        ("When did Ann find the key at first?", None),
        ("When did Ben read her first?", None),
        ("What did Ann break last?", None),
    ],
)
def test_an_end_that_is_asked_for_may_stand_behind_the_event(
    question: str, found: Shape | None
) -> None:
    assert shape(question) == found


@pytest.mark.parametrize(
    "question",
    [
        "Did Ann pass her driving test the first time?",
        "Was that the first time Ann sailed?",
        "Who suggested a picnic by the lake?",
        "Who did Ann invite to the picnic?",
        "Who was invited to the picnic?",
        "Who is recommended by Ben to bake the cake?",
        "Who will bring the ropes?",
        "Who wrote the book about rivets?",
        "Who offered to cook, and what did he cook?",
        "Who says hello?",
    ],
)
def test_questions_for_a_person_or_about_a_first_try_are_read(question: str) -> None:
    assert shape(question) is None
