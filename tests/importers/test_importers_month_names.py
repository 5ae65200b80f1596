"""Dates with month names: one of each layout is parsed, and the others are worked out without a difference."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from babel import Locale
from babel.dates import format_date, format_time

from minirag_chat.importers import month_names
from minirag_chat.importers.cldr_months import LANGUAGES
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


def test_a_long_chat_has_few_of_its_dates_parsed_by_the_slow_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[str] = []
    english = month_names._english
    monkeypatch.setattr(
        month_names, "_english", lambda cell, **how: parsed.append(cell) or english(cell, **how)
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("length", ["full", "long", "medium"])
def test_dates_are_read_as_any_language_writes_them(language: str, length: str) -> None:
    if "MMM" not in str(Locale.parse(language).date_formats[length]):
        return  # its months are numbers, which are read elsewhere
    names = MonthNames("dmy")
    for month in range(1, 13):
        for day, hour in ((3, 9), (28, 17)):
            when = datetime(2023, month, day, hour, 5 + month)
            clock = format_time(when, "medium", locale=language)
            cell = f"{format_date(when, length, locale=language)} {clock}"
            assert names.read(cell) == when, cell
            assert names.read(f"{cell} UTC") == when.replace(tzinfo=UTC), cell


@pytest.mark.parametrize(
    "written",
    [
        "viernes, 7 de octubre de 2022, 15:06:32 UTC",
        "viernes, 7 de octubre de 2022 a las 3:06:32 p. m. UTC",
        "2022年10月7日星期五 UTC 下午3:06:32",
        "2022年10月7日金曜日 15時06分32秒 UTC",
        "2022년 10월 7일 금요일 오후 3시 6분 32초 UTC",
        "fredag den 7. oktober 2022 kl. 15.06.32 UTC",
        "วันศุกร์ที่ 7 ตุลาคม พ.ศ. 2565 เวลา 15:06:32 UTC",
        "15:06:32 Thứ Sáu, 7 tháng 10, 2022 UTC",
        "วันศุกร์ที่ 7 ตุลาคม พ.ศ. 2565 เวลา 15 นาฬิกา 06 นาที 32 วินาที UTC",
        "ວັນສຸກ ທີ 7 ຕຸລາ ຄ.ສ. 2022, 15 ໂມງ 6 ນາທີ 32 ວິນາທີ UTC",
        "शुक्रवार, 7 अक्टूबर 2022 को 3:06:32 pm UTC बजे",
        "الجمعة، ٧ أكتوبر ٢٠٢٢ في ٠٣:٠٦:٣٢ م UTC",
        "الجمعة، ٧ أكتوبر ٢٠٢٢ في ٣:٠٦:٣٢ مساءً UTC",
        "יום שישי, 7 באוקטובר 2022 בשעה 15:06:32 UTC",
    ],
)
def test_dates_are_read_with_the_words_around_their_clock_time(written: str) -> None:
    assert MonthNames("dmy").read(written) == datetime(2022, 10, 7, 15, 6, 32, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "3 mars 2021 9:06 foo",  # it could be a half of the day
        "lundi 1 mars 1 mai 3 juin 2021",
        "3 mars 4 2021 9:06",
        "31 février 2021 9:06",
        "3 of nothing 2021 9:06",
        "mars",
    ],
)
def test_what_is_not_certain_is_no_date(written: str) -> None:
    assert MonthNames("dmy").read(written) is None


def test_a_month_of_two_languages_is_that_of_the_dates_before() -> None:
    names = MonthNames("dmy")
    assert names.read("3. siječnja 2021. 10:00") == datetime(2021, 1, 3, 10)
    assert names.read("3. listopada 2021. 10:00") == datetime(2021, 10, 3, 10)  # in Polish November
    column = ["3. listopada 2021. 10:00", "3. siječnja 2021. 10:00"]
    assert MonthNames("dmy", column).read(column[0]) == datetime(2021, 10, 3, 10)


@pytest.mark.parametrize(
    ("clock", "hour"), [("上午12:07", 0), ("上午9:07", 9), ("下午12:07", 12), ("下午6:07", 18)]
)
def test_a_half_of_the_day_before_the_clock_time_counts_in_each_date(clock: str, hour: int) -> None:
    names = MonthNames("dmy")
    for day in (3, 14, 25):
        found = names.read(f"2022年1月{day}日星期四 UTC {clock}:32")
        assert found == datetime(2022, 1, day, hour, 7, 32, tzinfo=UTC)
