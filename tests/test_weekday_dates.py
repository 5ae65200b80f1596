"""A weekday with its date in digits, and weekdays beside a date: in messages of Wednesday 18 November 2026."""

from __future__ import annotations

from datetime import datetime

import pytest
from growth import assert_by_length, processor_seconds

from minirag_chat.answer.fact_check import SupportedFacts
from minirag_chat.answer.relative_dates import with_dates
from minirag_chat.records import Message
from minirag_chat.times import find_times, mentions_time, message_times
from minirag_chat.times.in_messages import date_before

SENT = datetime(2026, 11, 18, 12, 0)


def named(text: str, sent: datetime = SENT) -> list[str]:
    """The days that a text names, each with its phrase."""
    found = find_times(text, sent, prefer="future")
    assert mentions_time(text) or not found
    return [f"{time.phrase} = {time.start:%Y-%m-%d}" for time in found]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("results meeting friday (27.11) btw", "friday (27.11) = 2026-11-27"),
        ("dinner is monday 30.11", "monday 30.11 = 2026-11-30"),
        ("dinner is monday 30.11.", "monday 30.11. = 2026-11-30"),
        ("wedding is saturday, 5.12.26", "saturday, 5.12.26 = 2026-12-05"),
        ("dinner saturday 5.12", "saturday 5.12 = 2026-12-05"),
        ("on friday 27.11.2026", "friday 27.11.2026 = 2026-11-27"),
        ("friday (27.11.2026)", "friday (27.11.2026) = 2026-11-27"),
        ("fri 27/11?", "fri 27/11 = 2026-11-27"),
        ("friday 11/27", "friday 11/27 = 2026-11-27"),
        ("saturday 5/12/26", "saturday 5/12/26 = 2026-12-05"),
        ("sunday 29-11", "sunday 29-11 = 2026-11-29"),
        ("next friday 27.11 works", "next friday 27.11 = 2026-11-27"),
        ("it was friday 13.11.", "friday 13.11. = 2026-11-13"),
        ("27.11 (friday)", "27.11 (friday) = 2026-11-27"),
        ("Fr. 27.11.", "Fr. 27.11. = 2026-11-27"),
        ("am freitag, den 27.11. um 18 uhr", "freitag, den 27.11. = 2026-11-27"),
        ("so 14.3. bei uns", "so 14.3. = 2027-03-14"),
        ("vrijdag 27.11", "vrijdag 27.11 = 2026-11-27"),
        ("venerd\u00ec 27.11", "venerd\u00ec 27.11 = 2026-11-27"),
        ("mar 1/12 alle 20", "mar 1/12 = 2026-12-01"),
        ("lundi 30.11", "lundi 30.11 = 2026-11-30"),
        ("sexta-feira 27/11", "sexta-feira 27/11 = 2026-11-27"),
        ("dec 1st, tuesday", "dec 1st, tuesday = 2026-12-01"),
        ("6 december, a sunday", "6 december, a sunday = 2026-12-06"),
        ("am 3. Dez um 8", "3. Dez = 2026-12-03"),
        ("1.-3. Dez", "1.-3. Dez = 2026-12-01"),
        ("le 3 d\u00e9c", "3 d\u00e9c = 2026-12-03"),
        ("3 dic", "3 dic = 2026-12-03"),
        ("thursday week 7pm", "thursday week 7pm = 2026-11-26"),
        ("friday (27 November)", "friday (27 November) = 2026-11-27"),
        ("friday (27th)", "friday (27th) = 2026-11-27"),
        ("friday: 27 Nov", "friday: 27 Nov = 2026-11-27"),
        ("friday - 27 November", "friday - 27 November = 2026-11-27"),
    ],
)
def test_a_weekday_and_its_date_are_one_day(text: str, read: str) -> None:
    assert named(text) == [read]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("fri 27.11-29.11", 30),
        ("fri 27.11 - sun 29.11", 30),
        ("friday to sunday 27.11-29.11", 30),
        ("friday to sunday 29.11", 30),
        ("fr-so 27.-29.11.", 30),
        ("freitag 27.11. bis samstag 28.11.", 29),
        ("friday 27.11 to sunday", 30),
    ],
)
def test_days_from_a_weekday_to_another_are_a_range(text: str, end: int) -> None:
    (time,) = find_times(text, SENT, prefer="future")
    assert (time.start, time.end) == (datetime(2026, 11, 27), datetime(2026, 11, end))


@pytest.mark.parametrize(
    "text",
    [
        "friday 28.11",
        "friday 28.11.26",
        "dinner friday 5.12",
        "friday to sunday 28.11",
        "saturday 7.2.",  # was one, but far back; of next year it is a Sunday
        "vrijdag 28.11",
        "we do 3.12",
        "Do 3.12 km",
        "sat 30 people down",
        "3 out of 5",
        "2 set menus",
        "it is 1 ago",
    ],
)
def test_a_weekday_that_is_not_on_its_date_names_no_day(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "monday 7.30 at ours",
        "monday 3.15",
        "monday 7.10",  # 7 October is over
        "monday 9-11",
        "monday, 24/7",
        "monday \u00a33.12",
        "monday 3.2 km",
        "24/7 monday",
    ],
)
def test_what_is_no_date_leaves_the_weekday(text: str) -> None:
    assert named(text) == ["monday = 2026-11-23"]


def test_a_date_with_its_year_stays_behind_another_weekday() -> None:
    assert named("on friday 28.11.2026") == ["28.11.2026 = 2026-11-28"]
    assert named("on friday 28/11/26") == ["28/11/26 = 2026-11-28"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("friday 27.11 or saturday", [27, 28]),
        ("friday or saturday 28.11", [27, 28]),
        ("thurs, fri or sat 28th", [26, 27, 28]),
        ("friday and saturday 28 November", [27, 28]),
        ("saturday 28.11 and monday", [28, 30]),
        ("saturday 28.11 or monday", [28]),  # of that week, or of the next
        ("monday or tuesday", [23, 24]),
        ("monday or friday 20th", [23, 20]),  # Monday 16 is over
    ],
)
def test_a_weekday_beside_a_date_is_of_its_week(text: str, days: list[int]) -> None:
    assert [time.start.day for time in find_times(text, SENT, prefer="future")] == days


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("exam friday (27.11) btw", "exam friday (27.11) (27 November) btw"),
        ("dinner is fri 27.11 at 7", "dinner is fri 27.11 (Friday 27 November) at 7"),
        ("so 14.3. bei uns", "so 14.3. (Sunday 14 March 2027) bei uns"),
        ("see you friday (27 November)!", "see you friday (27 November)!"),
        ("Friday 28 then", "Friday 28 then"),  # 28 August was one, 28 November is a Saturday
        ("friday 28.11 then", "friday 28.11 then"),
        (
            "party friday 27th, cleaning on sunday. See you sunday",
            "party friday 27th (27 November), cleaning on sunday. See you sunday (22 November)",
        ),
        (
            "can't do sat 28th but friday works",
            "can't do sat 28th (Saturday 28 November) but friday works",
        ),
        ("wed 18th is out, friday works", "wed 18th is out, friday (20 November) works"),
    ],
)
def test_the_reader_gets_the_date_of_the_digits(said: str, read: str) -> None:
    assert with_dates(said, SENT) == read


def test_the_date_that_a_weekday_and_digits_name_is_supported() -> None:
    message = Message(1, "Cabin", "Kim", SENT, "dinner is monday 30.11 at 7")
    known = SupportedFacts("When is dinner?", [message])
    assert known.lacks("Monday 30 November 2026 at 7") is None
    assert known.lacks("Monday 23 November 2026 at 7") == "date"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("see you 2mrw", "2026-11-19"),
        ("2nite at 8", "2026-11-18"),
        ("yest we went", "2026-11-17"),
        ("last nite was fun", "2026-11-17"),
        ("party 2 weeks tmrw", "2026-12-03"),
        ("a week tomorrow suits me", "2026-11-26"),
        ("see you sat week", "2026-11-28"),
        ("dinner Friday week, ok?", "2026-11-27"),
        ("back tomorrow week", "2026-11-26"),
        ("back by the 10th promise", "2026-12-10"),
        ("its on the 4th right?", "2026-12-04"),
        ("see u mon", "2026-11-23"),
        ("see you sun x", "2026-11-22"),
        ("see ya sat at 8", "2026-11-21"),
        ("by wed pls", "2026-11-25"),
        ("back on tue", "2026-11-24"),
        ("mon mtg: bring passports", "2026-11-23"),
        ("mon morning then", "2026-11-23"),
        ("sat 7pm at mine", "2026-11-21"),
        ("sun 10am brunch", "2026-11-22"),
        ("fri nite", "2026-11-20"),
        ("sat nite", "2026-11-21"),
        ("sat 21, at ours", "2026-11-21"),
        ("festival is sat 19", "2026-12-19"),
        ("wed 25 at 7", "2026-11-25"),
    ],
)
def test_a_day_is_read_as_people_type_it(said: str, day: str) -> None:
    (time, *_) = message_times(said, SENT)
    assert f"{time.start:%Y-%m-%d}" == day
    assert mentions_time(said)


@pytest.mark.parametrize(
    "said",
    [
        "on the 10th floor",
        "on the 4th time",
        "by the 3rd person",
        "on the 4th right turn",
        "we sat week after week",
        "been ill 2 weeks tmrw",
        "its two weeks tomorrow since he left",
        "we met Friday week",
        "last sat week",
        "festival is sat 20",  # neither November's nor December's is one
        "sat 16 of us down",
        "we sat 21, they stood",
        "sun 19 degrees",
        "the sun is out",
        "mon ami",
        "c'est mon tour",
        "the cat sat.",
        "see you sat there",
        "they were wed by priest",
        "revise for SAT.",
        "dried by sun",
    ],
)
def test_words_that_only_look_like_days_are_none(said: str) -> None:
    days = [time for time in message_times(said, SENT) if time.kinds != ("relative",)]
    assert days == []


def test_a_day_called_sat_is_no_past_form() -> None:
    said = "fri or sat 7pm, either works"
    assert with_dates(said, SENT).startswith("fri (Friday 20 November) or sat 7pm (Saturday 21")


@pytest.mark.parametrize(
    ("said", "answer", "lacks"),
    [
        ("fair on 27/11", "27 November 2026", None),
        ("am 27.11. um 18 uhr", "27 November", None),
        ("wir sind vom 27.-29.11 weg", "27 to 29 November 2026", None),
        ("fair on 11/27", "27 November", None),
        ("friday 28.11", "28 November", None),  # what the digits say, without the weekday
        ("fair on 27/11", "28 December 2026", "date"),
        ("fair on 27/11", "27 November 2020", "date"),
        ("it was 127.11 euros", "27 November", "date"),
    ],
)
def test_a_date_in_digits_supports_its_day(said: str, answer: str, lacks: str | None) -> None:
    known = SupportedFacts("When is it?", [Message(1, "Cabin", "Kim", SENT, said)])
    assert known.lacks(answer) == lacks


def days_in(text: str, sent_at: str = "2026-11-10") -> list[str]:
    """The first days of the times of a message, as MM-DD."""
    at = datetime.fromisoformat(f"{sent_at}T12:00")
    return [f"{time.start:%m-%d}" for time in message_times(text, at)]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("placement finishes the 18th so yes", ["11-18"]),
        ("only free the 17th", ["11-17"]),
        ("So the 20th, realistically", ["11-20"]),
        ("The 16th is fine", ["11-16"]),
        ("the room for the 11th and 12th is £148", ["11-11", "11-12"]),
        ("will she be civil on the 12th do you think", ["11-12"]),
        ("cant collect til the 26th now", ["11-26"]),
        ("come for the weekend 19 December?", ["12-19"]),
        ("first clearing weekend 5 dec ok?", ["12-05"]),
        ("my 21st birthday is the 18th century one", []),
        ("he lives on the 16th floor", []),
        ("for the 20th time, no", []),
    ],
)
def test_the_number_of_a_day_is_read_wherever_no_thing_follows(text: str, days: list[str]) -> None:
    assert days_in(text) == days


def test_a_day_is_not_of_a_month_that_is_over() -> None:
    assert days_in("Bad since October. On the 23rd I see the doctor") == ["10-01", "11-23"]
    assert days_in("I signed up for the December one. It's on the 3rd.") == ["12-01", "12-03"]


@pytest.mark.parametrize(
    "text",
    [
        "buying xmas jumpers",
        "my christmas shopping",
        "the school xmas do",
        "easter eggs already",
        "attic, left, behind xmas box",
    ],
)
def test_a_thing_of_a_holiday_names_no_day(text: str) -> None:
    assert days_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "xmas dinner at ours",
        "at christmas",
        "Christmas Eve drinks",
        "what do you do at xmas do you cook",
    ],
)
def test_a_holiday_is_a_day_with_other_words(text: str) -> None:
    assert days_in(text)[0] in {"12-25", "12-24"}


@pytest.mark.parametrize(
    "text",
    [
        "Louis the 14th and his wives",
        "chapter the 14th is long",
        "he's the 15th at the moment",
        "he was the 14th when he finished",
        "that's the 15th you have lost",
    ],
)
def test_a_rank_is_no_day(text: str) -> None:
    assert days_in(text) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("We go in April, the 18th to the 25th", ["04-01", "04-18"]),
        ("We met in September. On the 3rd we kissed", ["09-01", "09-03"]),
        ("home for the Christmas holidays", ["12-25"]),
        ("halloween party at ours", ["10-31"]),
        ("christmas party at ours", []),
    ],
)
def test_months_and_holidays_keep_their_days(text: str, days: list[str]) -> None:
    assert days_in(text, "2026-10-20" if "halloween" in text else "2026-11-25") == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("llego el s\u00e1bado 21 a las 16.40 y me vuelvo el 2 de enero", ["11-21", "01-02"]),
        ("cena el viernes 4", ["12-04"]),
        ("on se voit samedi 21 ?", ["11-21"]),
        ("le samedi 5 \u00e0 20h", ["12-05"]),
        ("Samstag 21. geht nicht", ["11-21"]),
        ("Samstag 21. um acht", ["11-21"]),
        ("Samstag, den 5. um acht", ["12-05"]),
        ("zaterdag 21 om 8", ["11-21"]),
        ("sabato 21 alle 8", ["11-21"]),
        ("s\u00e1bado 21 \u00e0s 9", ["11-21"]),
        ("s\u00e1bado 21 de noviembre", ["11-21"]),
        ("el lunes 21 vamos", []),  # is no Monday
        ("Samstag 21. bis Samstag 28. Februar 2027", ["02-28"]),
        ("lunes 23 personas", []),
        ("martes 9 y media", []),
    ],
)
def test_a_weekday_of_another_language_with_a_number_is_the_nearest_such_day(
    text: str, days: list[str]
) -> None:
    assert days_in(text) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("dentist 15/12 at 9", ["12-15"]),
        ("closed on 25/12", ["12-25"]),
        ("need it by 12/25", ["12-25"]),
        ("got 18/20 and 12/13", []),
        ("13/10 would do again", []),
        ("open 24/7", []),
        ("on 14/9 occasions", []),
    ],
)
def test_a_date_with_a_slash_is_read_where_it_can_be_nothing_else(
    text: str, days: list[str]
) -> None:
    assert days_in(text) == days


def test_a_date_whose_weekday_has_two_readings_is_the_near_one() -> None:
    assert days_in("Thu 03/12/2026 10:00") == ["12-03"]
    assert days_in("Thu 03/12/2026", "2026-08-01") == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("ok if i stay till the 16th bc of the quiz", ["11-16"]),
        ("I can keep it until Friday for you", ["11-13"]),
        ("we are away until 3 January", ["01-03"]),
        ("free if you fetch it before the 30th", ["11-30"]),
        ("they cancelled. 24th now", ["11-24"]),
        ("we came 24th now and then", []),
        ("away 30th to 2nd", ["11-30"]),
        ("its from the 13th to the 15th now, moved AGAIN", ["11-13"]),
        ("ill fly on the 27th, found one for 94 quid", ["11-27"]),
        ("the week after next im off", ["11-23"]),
        ("a week on saturday works", ["11-21"]),
        ("we've been here a week on saturday", []),
        ("done by the end of the month", ["11-21"]),
        ("I can do either end of the month", []),
        ("we start on Friday the fifth", []),
    ],
)
def test_a_day_is_read_at_the_end_of_a_time_and_in_a_range(text: str, days: list[str]) -> None:
    assert days_in(text) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("coming through for the xmas quiz", []),
        ("a Christmas surprise: we won", []),
        ("christmas jumper day at work", []),
        ("what did Father Christmas bring", []),
        ("christmas is at ours", ["12-25"]),
        ("xmas day", ["12-25"]),
        ("xmas at mums", ["12-25"]),
        ("Christmas dinner at ours", ["12-25"]),
        ("merry xmas love", ["12-25"]),
        ("at Christmas Ulric cooks", ["12-25"]),
        ("spending christmas skiing", ["12-25"]),
        ("an Weihnachten bin ich da", ["12-25"]),
        ("Weihnachten bin ich da", ["12-25"]),
        ("quiz is tues 15 dec at the old chain, not the monday", ["12-15"]),
        ("not on friday", ["11-13"]),
    ],
)
def test_a_holiday_before_a_noun_is_a_thing_and_a_day_that_is_not_meant_is_none(
    text: str, days: list[str]
) -> None:
    assert days_in(text) == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("august. term starts the 18th for teachers i think", ["08-01", "08-18"]),
        ("may!!", ["05-01"]),
        ("May I come?", []),
        ("its sunday, week starts monday", ["06-29"]),
    ],
)
def test_a_month_may_be_a_sentence_and_its_sunday_is_today(text: str, days: list[str]) -> None:
    assert days_in(text, "2026-06-28") == days


def test_what_is_paid_each_month_is_not_of_the_month_that_was_spoken_of() -> None:
    sent, spoken_of = datetime(2026, 11, 10, 12), datetime(2026, 12, 20)
    for text, month in (("payday is the 25th", 11), ("the 25th works", 12)):
        (time,) = message_times(text, sent, after=spoken_of)
        assert (time.start.month, time.start.day) == (month, 25)


def test_a_time_until_a_day_takes_the_month_that_was_spoken_of_and_gives_none() -> None:
    sent = datetime(2026, 11, 14, 12)
    (time,) = message_times("till the 16th", sent, after=datetime(2026, 12, 12))
    assert (time.start, time.end) == (datetime(2026, 12, 16), datetime(2026, 12, 17))
    said = [("my parents are here till 2 january", sent)]
    assert date_before(said, "just the 25th", sent) is None


def test_a_range_of_numbers_takes_the_month_that_was_spoken_of() -> None:
    sent = datetime(2026, 11, 18, 12)
    for earlier, days in (
        ("is he there on xmas day", ["2026-12-23", "2027-01-03"]),
        ("dad says i can come for new year", ["2026-12-23", "2027-01-03"]),
        ("July 11 to 14?", ["2027-07-23", "2027-08-03"]),
    ):
        spoken_of = date_before([(earlier, sent)], "23rd to 2nd", sent)
        (time,) = message_times("23rd to 2nd", sent, after=spoken_of)
        assert [f"{time.start:%Y-%m-%d}", f"{time.end:%Y-%m-%d}"] == days


def test_the_date_of_a_day_after_a_message_that_cancels_is_told() -> None:
    told = with_dates("they cancelled. 24th now", datetime(2026, 9, 1, 16, 40))
    assert told == "they cancelled. 24th (Thursday 24 September) now"


@pytest.mark.slow
@pytest.mark.parametrize(
    "run", ["lunes ", "lunes 19 ", "xmas  ", "24th now ..", "on 25/12 ,", "30th to 2nd ", "ill "]
)
def test_times_are_read_in_time_by_the_length_of_a_message(run: str) -> None:
    def read(length: int) -> float:
        text = run * (length // len(run))
        return processor_seconds(lambda: [*message_times(text, SENT)])

    assert_by_length(read, 8_000)
