"""Dates with month names: one of each layout is parsed, and the others are worked out without a difference."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from minirag_chat.importers import month_names
from minirag_chat.importers.month_names import MonthNames

GERMAN = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
)
FRENCH = "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.".split()
SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
POLISH = "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split()
RUSSIAN = (
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()
)

WRITTEN: dict[str, Callable[[datetime], str]] = {
    "Discord": lambda t: f"{t:%A, %B} {t.day}, {t.year} {t.hour % 12 or 12}:{t:%M %p}",
    "Discord, two-digit year": lambda t: f"{t:%d-%b-%y %I:%M %p}",
    "mail": lambda t: f"{t:%a, %d %b %Y %H:%M:%S} +0200",
    "German": lambda t: f"Freitag, {t.day}. {GERMAN[t.month - 1]} {t.year} {t:%H:%M}",
    "French": lambda t: f"{t.day} {FRENCH[t.month - 1]} {t.year}, {t:%H:%M:%S}",
    "Spanish": lambda t: f"{t.day} de {SPANISH[t.month - 1]} de {t.year} {t.hour}:{t:%M}",
    "Polish": lambda t: f"{t.day} {POLISH[t.month - 1]} {t.year} {t:%H:%M}",
    "Russian": lambda t: f"{t.day} {RUSSIAN[t.month - 1]} {t.year} г., {t:%H:%M}",
    "Greek half days": lambda t: (
        f"{t.day} Μαΐου {t.year} {t.hour % 12 or 12}:{t:%M} {'π.μ.' if t.hour < 12 else 'μ.μ.'}"
    ),
    "no clock time": lambda t: f"{t:%B} {t.day}, {t.year}",
}  # fmt: skip


def days() -> Iterator[datetime]:
    """Days of several years, each at another time, with the first and last of months and a 29 February."""
    for number in range(150):
        yield datetime(2019, 12, 27, 0, 7, 9) + timedelta(days=11 * number, minutes=67 * number)
    yield datetime(2024, 2, 29, 12, 30, 1)
    yield datetime(2023, 1, 31, 23, 59, 59)
    yield datetime(2024, 12, 31, 12, 0, 0)


@pytest.mark.parametrize("dialect", WRITTEN)
def test_each_date_of_a_file_is_the_written_one(dialect: str) -> None:
    names, write = MonthNames("dmy"), WRITTEN[dialect]
    for when in days():
        if "Greek" in dialect:
            when = when.replace(month=5)  # noqa: PLW2901 - one month's name suffices
        cell = write(when)
        found = names.read(cell)
        assert found is not None, cell
        assert found.date() == when.date(), cell
        if dialect != "no clock time":
            assert (found.hour, found.minute) == (when.hour, when.minute), cell
            assert found.second in (when.second, 0), cell
        assert str(found)[19:] == ("+02:00" if dialect == "mail" else ""), cell


def test_a_long_chat_has_few_of_its_dates_parsed_by_the_slow_libraries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[str] = []
    english, searched = month_names._english, month_names._searched
    monkeypatch.setattr(
        month_names, "_english", lambda cell, **how: parsed.append(cell) or english(cell, **how)
    )
    monkeypatch.setattr(
        month_names, "_searched", lambda how, cell: parsed.append(cell) or searched(how, cell)
    )
    names = MonthNames("dmy")
    for number in range(3000):
        when = datetime(2015, 1, 1) + timedelta(hours=9 * number)
        assert names.read(WRITTEN["Spanish"](when)) == when
    assert len(parsed) < 150, "a day of each month and number of digits, not each hour of each day"


def test_a_day_that_its_month_has_not_changes_no_other_date() -> None:
    names = MonthNames("dmy")
    assert names.read("3 grudnia 2021 10:00") == datetime(2021, 12, 3, 10)  # Polish, not Croatian
    names.read("31 listopada 2021 10:00")  # in Croatian listopad is October, in Polish November
    for day in (14, 22, 30):
        assert names.read(f"{day} listopada 2021 10:00") == datetime(2021, 11, day, 10)
    names = MonthNames("dmy")
    assert names.read("31 Foo 2021 10:00") is None
    assert names.read("28 février 2021 10:00") == datetime(2021, 2, 28, 10)
    assert names.read("29 février 2021 10:00") is None
    assert names.read("29 février 2024 10:00") == datetime(2024, 2, 29, 10)


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("7 May 2021 0:10", "7 May 2021 25:10", None),
        ("7 May 2021 1:10 PM", "7 May 2021 13:10", datetime(2021, 5, 7, 13, 10)),
        ("20-Dec-20 10:00", "21-Dec-20 10:00", datetime(2020, 12, 21, 10)),
        ("Dec 12, 2020", "Dec 12, 20", datetime(2020, 12, 12)),
        ("12 Dec 2020 11:00 +0100", "13 Dec 2020 11:00", datetime(2020, 12, 13, 11)),
    ],
)
def test_what_a_date_does_not_share_with_the_one_before_is_not_taken_from_it(
    first: str, then: str, expected: datetime | None
) -> None:
    names = MonthNames("dmy")
    assert names.read(first) is not None
    assert names.read(then) == expected == MonthNames("dmy").read(then)
