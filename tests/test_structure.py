"""What a message names, found without a model: amounts, links, names, years."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat.extract.structure import mentions
from minirag_chat.names import PersonIndex
from minirag_chat.records import Attachment, Message


def named(text: str) -> list[tuple[str, str]]:
    message = Message(1, "Tea", "Ann", datetime(2024, 5, 6, 10), text)
    found = mentions(message, PersonIndex({}), frozenset(), {})
    return sorted((mention.type, mention.name) for mention in found)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$5", "$5"),
        ("it was € 12.50", "€ 12.50"),
        ("about £5k", "£5k"),
        ("20 kr", "20 kr"),
        ("1.250 km", "1.250 km"),
        ("12,50 zł!", "12,50 zł"),
        ("80%", "80%"),
        ("7, euros", "7, euros"),
        ("5 k $", "5 k $"),
        ("3\u00a0people", "3\u00a0people"),
        ("12€50", "12€"),
        ("sleeps 6, £540 in all", "£540"),
        ("seats 6,$40", "$40"),
    ],
)
def test_an_amount_is_found_however_it_is_written(text: str, amount: str) -> None:
    assert named(text) == [("amount", amount)]


@pytest.mark.parametrize("text", ["ok 12", "12", "5.5.", "a $ sign", "12 or 13", "3 . km"])
def test_a_number_alone_is_no_amount(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    "link", ["https://example.org/a", "HTTP://EXAMPLE.ORG", "www.example.org", "WWW.example.org/x"]
)
def test_a_link_is_found_in_any_case(link: str) -> None:
    assert ("link", link) in named(f"see {link}")


@pytest.mark.parametrize(
    "text",
    ["free from March, then", "we fly in April or so", "see you at Sunday 28"],
)
def test_a_month_or_weekday_is_no_place(text: str) -> None:
    assert {kind for kind, _name in named(text)} <= {"time"}


def test_a_month_may_be_somebodys_name() -> None:
    assert ("topic", "June") in named("I saw June there")


@pytest.mark.parametrize("name", ["Lake Inle", "Éire Hall", "Ζωή Παππά"])
def test_a_name_with_capitals_is_found_in_any_script(name: str) -> None:
    assert name in [found for _, found in named(f"we met at {name}")]


@pytest.mark.parametrize(
    "text",
    [
        "to buy\nMilk\nBread",
        "POLL:\npizza or curry?\n\u200eOPTION: pizza (2 votes)\n\u200eOPTION: curry (0 votes)",
        "the flat dinner\n DESCRIPTION: bring wine",
    ],
)
def test_a_word_that_begins_a_line_is_no_name_for_its_capital(text: str) -> None:
    assert [found for kind, found in named(text) if kind == "topic"] == []


def test_a_name_ends_with_its_line() -> None:
    found = named("we go to Lake Inle\nBlue Tent is packed\nSee you")
    assert {name for _, name in found} == {"Lake Inle", "Blue Tent"}


@pytest.mark.parametrize(
    ("text", "day"),
    [("back in 2019", "2019-01-01"), ("on 20190714", "2019-07-14"), ("in 2019年", "2019-01-01")],
)
def test_a_year_is_a_time(text: str, day: str) -> None:
    assert ("time", day) in named(text)


def test_the_placeholder_of_a_file_without_a_name_names_nothing() -> None:
    def of(text: str, file: str) -> list[str]:
        sent = Message(
            1,
            "Tea",
            "Ann",
            datetime(2024, 5, 6),
            text,
            kind="media",
            attachments=(Attachment(file, "file"),),
        )
        return [one.name for one in mentions(sent, PersonIndex({}), frozenset(), {})]

    assert of("<Media omitted>", "") == of("see Bild Weggelassen", "") == []
    assert of("the Lease Beech Road.pdf (file attached)", "Lease Beech Road.pdf") == [
        "Lease Beech Road"
    ]


def test_digits_of_a_longer_number_are_no_year() -> None:
    assert named("in 12019") == named("from 20195") == []
