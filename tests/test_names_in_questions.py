"""Names with an accent, an emoji, a dot or a number, in questions as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest
from growth import assert_by_length, processor_seconds
from places import write_table

from minirag_chat import ChatMemory
from minirag_chat.names import PersonIndex
from minirag_chat.question.named_entities import people_in

WRITERS = ("José", "Mom❤️", "Ann B.", "+49 170 1234567", "+33 6 12 34 56 78", "Tom", "Tom 🌸", "Ivy")


@pytest.fixture
def contacts(memory: ChatMemory, tmp_path: Path) -> ChatMemory:
    """One chat in which the n-th writer sends n messages."""
    rows = [
        (f"2026-01-05 10:{size:02}:{n:02}", who, f"message {n} of this", "Club")
        for size, who in enumerate(WRITERS, 1)
        for n in range(size)
    ]
    memory.add(write_table(tmp_path / "club.csv", *rows))
    return memory


def counted(memory: ChatMemory, question: str) -> str:
    return memory.ask(question, history=()).text.split(",")[0]


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("Jose", "José"),
        ("jose", "José"),
        ("José", "José"),
        ("Mom", "Mom❤️"),
        ("mom", "Mom❤️"),
        ("Mom❤️", "Mom❤️"),
        ("Ann B.", "Ann B."),
        ("Ann B", "Ann B."),
        ("+49 170 1234567", "+49 170 1234567"),
        ("+33 6 12 34 56 78", "+33 6 12 34 56 78"),
        ("Tom", "Tom"),
        ("Tom 🌸", "Tom 🌸"),
    ],
)
def test_a_name_is_found_as_it_is_typed(contacts: ChatMemory, named: str, shown: str) -> None:
    number = WRITERS.index(shown) + 1
    assert counted(contacts, f"How many messages did {named} send?") == (
        f"{shown} sent {number} message{'s' if number > 1 else ''}"
    )


@pytest.mark.parametrize("me", ["Tom 🌸", "Ann B.", "+49 170 1234567", "Mom❤️"])
def test_such_a_person_can_ask_in_the_first_person(contacts: ChatMemory, me: str) -> None:
    contacts.set_me(me)
    assert counted(contacts, "How many messages did I send?") == (
        f"{me} sent {WRITERS.index(me) + 1} messages"
    )
    assert f"is from {me}," in contacts.ask("What did I write last?", history=()).text


def test_the_genitive_of_a_first_name_is_no_initial() -> None:
    index = PersonIndex({1: ["Ann"], 2: ["Ann S."]})
    assert index.find("Where is Ann's bike?") == [(9, 12, (1,))]


@pytest.mark.parametrize(
    ("typed", "person"),
    [
        ("Juergen", 1), ("jurgen", 1), ("Juergen Moeller", 1), ("Jürgen", 1),
        ("Soeren", 2), ("Soren", 2), ("lukasz", 3), ("Zoe", 4), ("José", 5), ("Jose", 6),
    ],
)  # fmt: skip
def test_letters_that_a_keyboard_lacks_may_be_typed_otherwise(typed: str, person: int) -> None:
    """ "Jose" is another person's own name, so it is not that of José."""
    names = ["Jürgen Möller", "Søren", "Łukasz Nowak", "Zoë", "José", "Jose Luis"]
    index = PersonIndex({number: [name] for number, name in enumerate(names, 1)})
    assert index.find(f"what did {typed} say?") == [(9, 9 + len(typed), (person,))]


def test_what_stands_between_two_names_belongs_to_one_of_them() -> None:
    index = PersonIndex({1: ["Tom *"], 2: ["* Ann"]})
    assert index.find("Tom * Ann") == [(0, 5, (1,)), (6, 9, (2,))]


@pytest.mark.slow
def test_names_with_much_beside_them_are_found_in_time_by_the_length_of_the_text() -> None:
    index = PersonIndex({person: [f"Tom {'!' * person}"] for person in range(1, 40)})
    assert_by_length(lambda size: processor_seconds(lambda: index.find("Tom !!! " * size)), 200)


NAMESAKES = ("Jonas", "Jonas Brandt", "Jonas Özil", "Ivy Lee", "Ivy Lamb", "Landlord")


@pytest.fixture
def namesakes(memory: ChatMemory, tmp_path: Path) -> ChatMemory:
    rows = [
        (f"2026-01-05 10:{size:02}:{n:02}", who, f"message {n} of this", "Club")
        for size, who in enumerate(NAMESAKES, 1)
        for n in range(size)
    ]
    memory.add(write_table(tmp_path / "club.csv", *rows))
    return memory


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("how many messages did jonas send", ["Jonas"]),
        ("how many messages did jonas b send", ["Jonas Brandt"]),
        ("What did Jonas B. say?", ["Jonas Brandt"]),
        ("wann zieht jonas b. ein?", ["Jonas Brandt"]),
        ("where is jonas b's bike", ["Jonas Brandt"]),
        ("what did jonas o. say", ["Jonas Özil"]),
        ("Did Jonas Brandt call?", ["Jonas Brandt"]),
        ("what did jonas k say", ["Jonas"]),  # nobody has that letter
        ("did jonas a favour", ["Jonas"]),
        ("what did Ivy L. say", ["Ivy Lee", "Ivy Lamb"]),  # two have it
    ],
)
def test_a_first_name_with_a_letter_is_the_one_person_with_such_a_last_name(
    namesakes: ChatMemory, question: str, shown: list[str]
) -> None:
    store = namesakes._store
    with store.reading():
        found = [
            store.people.shown_by_id(who)
            for place in people_in(question, store)
            for who in place[2]
        ]
    assert found == shown


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("is it true that rolf plays the guitar", True),
        ("did ann say that rolf plays", True),
        ("who told me that rolf plays", True),
        ("who is that rolf", False),
        ("do you know that rolf", False),
    ],
)
def test_a_name_in_lower_case_follows_that_where_a_clause_begins(text: str, named: bool) -> None:
    found = PersonIndex({1: ["Rolf"]}).find(text)
    assert bool(found) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("the date is fixed, 8th May", []),
        ("on 8 May or the 9th of June", []),
        ("see you on 3 May with May", ["May"]),
        ("at 7 Will comes", ["Will"]),
        ("June said yes", ["June"]),
    ],
)
def test_a_month_with_its_day_is_nobody(text: str, named: list[str]) -> None:
    index = PersonIndex({1: ["May O'Neill"], 2: ["Will Hartley"], 3: ["June Marsh"]})
    assert [text[start:end] for start, end, _people in index.find(text)] == named
