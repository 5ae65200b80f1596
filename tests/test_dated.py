"""The days that messages name, written out for the reader."""

from datetime import datetime

import pytest
from growth import assert_by_length, processor_seconds

from minirag_chat.answer.relative_dates import with_dates

DASH = "\u2013"
THURSDAY = datetime(2026, 3, 12, 18, 30)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("See you tomorrow at 10 AM!", "See you tomorrow at 10 AM (Friday 13 March)!"),
        ("How about Thursday?", "How about Thursday (19 March)?"),
        (
            "This weekend, or next Monday",
            f"This weekend (14{DASH}15 March), or next Monday (16 March)",
        ),
        ("Yesterday was fun", "Yesterday (Wednesday 11 March) was fun"),
        ("I was there 3 days ago", "I was there 3 days ago (Monday 9 March)"),
        ("Let's say in 3 weeks", "Let's say in 3 weeks (around 2 April)"),
        ("I hurt my knee last month", "I hurt my knee last month (February 2026)"),
        ("The conference is next month", "The conference is next month (April 2026)"),
        ("The play is on the ninth of January", "The play is on the ninth of January (2027)"),
        ("We moved last year, again", "We moved last year (2025), again"),
        ("It closed two years ago", "It closed two years ago (2024)"),
        ("The play is on 9 January", "The play is on 9 January (2027)"),
        ("I won't be there on Monday", "I won't be there on Monday (16 March)"),
        ("The bill is dated 9 January", "The bill is dated 9 January"),
        ("We met in November, remember?", "We met in November (2025), remember?"),
        ("Letzten Monat war ich krank", "Letzten Monat (February 2026) war ich krank"),
        ("We moved in May last year", "We moved in May last year (2025)"),
        ("On 3 May last year we met", "On 3 May last year (2025) we met"),
        ("I'll ask for Sunday the 22nd", "I'll ask for Sunday the 22nd (22 March)"),
        ("friday 27, 6pm then", "friday 27, 6pm (27 March) then"),
        ("Thursday 16th suits me", "Thursday 16th (16 April) suits me"),
        ("We met on Friday 6th", "We met on Friday 6th (6 March)"),
        ("Friday after work?", "Friday (13 March) after work?"),
        ("cant thurs, weds?", "cant thurs (Thursday 19 March), weds (Wednesday 18 March)?"),
        ("party sat 14th, bring chairs", "party sat 14th (Saturday 14 March), bring chairs"),
        ("he saw us 3 wks ago", "he saw us 3 wks ago (around 19 February)"),
        ("the same as last yr", "the same as last yr (2025)"),
        ("il do it tomoz promise", "il do it tomoz (Friday 13 March) promise"),
        ("We camped two weekends ago", f"We camped two weekends ago (28 February{DASH}1 March)"),
        ("It was moved to Tuesday 24th", "It was moved to Tuesday 24th (24 March)"),
        ("It was moved to Sunday the 12th", "It was moved to Sunday the 12th (12 April)"),
        (
            "I'm in Rome from 13 to 17 June. My talk is on the 14th.",
            "I'm in Rome from 13 to 17 June. My talk is on the 14th (Sunday 14 June).",
        ),
        (
            "The fair is on 12 June. Tell me by the 28th!",
            "The fair is on 12 June. Tell me by the 28th (Saturday 28 March)!",
        ),
        (
            "School is back on 23 March. We were there on the 9th",
            "School is back on 23 March. We were there on the 9th (Monday 9 March)",
        ),
        ("A week tomorrow", "A week tomorrow (Friday 20 March)"),
        ("Let's meet Friday week", "Let's meet Friday week (20 March)"),
        ("Friday next week?", "Friday next week (20 March)?"),
        ("See you next week on Friday at 6 pm", "See you next week on Friday at 6 pm (20 March)"),
        ("We met on Tuesday last week", "We met on Tuesday last week (3 March)"),
        ("It is open on Monday this week", "It is open on Monday this week (9 March)"),
        ("last week Tuesday was fine", "last week Tuesday (3 March) was fine"),
        ("See you next Friday 20th", "See you next Friday 20th (20 March)"),
        ("It was last Friday 6th", "It was last Friday 6th (6 March)"),
        ("Is it Friday? Thursday is fine", "Is it Friday (13 March)? Thursday (19 March) is fine"),
        ("ma\u00f1ana nos vemos", "ma\u00f1ana (Friday 13 March) nos vemos"),
        ("Vor zwei Wochen war ich da", "Vor zwei Wochen (around 26 February) war ich da"),
        ("Ich komme morgen um 10", "Ich komme morgen (Friday 13 March) um 10"),
        ("Morgen um 8 los", "Morgen (Friday 13 March) um 8 los"),
        (
            "sie bringt es morgen. ik kom morgen",
            "sie bringt es morgen (Friday 13 March). ik kom morgen (Friday 13 March)",
        ),
        (
            "Guten Morgen! guten morgen, morgen zusammen",
            "Guten Morgen! guten morgen, morgen zusammen",
        ),
        ("Samstag morgen ist gut", "Samstag morgen ist gut"),
        ("I met Mr Morgen and Ann Morgen", "I met Mr Morgen and Ann Morgen"),
    ],
)
def test_a_relative_day_gets_its_date(said: str, read: str) -> None:
    assert with_dates(said, THURSDAY) == read


@pytest.mark.parametrize(
    "said",
    [
        "See you on Tuesday 17 March",
        "Thursday 18 works for me",
        "Sunday 30th it is not",
        "Friday 20 people came",
        "I mean the Friday before",
        "It is the Saturday after the wedding",
        "We come the weekend before",
        "See you two weeks from tomorrow",
        "Happy Thursday!",
        "It's Thursday, at last",
        "I work nights every fri",
        "open thurs-sat",
        "I swim on Monday and Thursday evenings",
        "thurs Mar 19, at noon",
        "Tues 17th March is fine",
        "The first time in six years that I slept",
        "jeg har fri",
        "a las 9 de la ma\u00f1ana",
        "el s\u00e1bado por la ma\u00f1ana",
        "quedamos pasado ma\u00f1ana",
        "depois de amanh\u00e3",
        "antes de ayer",
        "It was on 3/4/2026",
        "20260403 suits me",
        "May 5th, then",
        "From 2-3 pm",
        "Tonight at 8",
        "Happy Lunar New Year! Any plans for Christmas?",
        "Some day in May, or this year",
        "We train every other Friday",
        "I was born on a Monday",
        "The deadline is a week from Friday",
        "It is cheaper on Black Friday",
        "This sun is killing me",
        "We meet in the next few days",
        "Put on sun cream",
        "See you in May this year",
        "For the last two months",
        "Since last winter",
        "Last month's bill",
        "May I sit down? The sun is out",
        "Did you see Tuesday's forecast?",
        "Thanks for the lift on Tuesday",
        "Sorry about Tuesday",
        "Great seeing you at the weekend",
        "I kept Tuesday free for you",
        "Turn left at the mill on Tuesday",
    ],
)
def test_what_is_plain_already_stays_as_it_is(said: str) -> None:
    assert with_dates(said, THURSDAY) == said


def test_a_long_message_costs_little() -> None:
    def seconds(length: int) -> float:
        said = "we met on Friday and then " * length
        return processor_seconds(lambda: with_dates(said, THURSDAY))

    assert_by_length(seconds, 30)


def test_a_day_named_twice_is_dated_twice() -> None:
    read = with_dates("tomorrow, yes, tomorrow", THURSDAY)
    assert read == "tomorrow (Friday 13 March), yes, tomorrow (Friday 13 March)"


MONDAY = datetime(2026, 3, 16, 9, 0)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("How was the weekend?", f"How was the weekend (14{DASH}15 March)?"),
        ("We went there on Friday", "We went there on Friday (13 March)"),
        ("On Friday we went there", "On Friday (13 March) we went there"),
        ("Her birthday was on the 3rd", "Her birthday was on the 3rd (Tuesday 3 March)"),
        ("The old bakery closed on Friday", "The old bakery closed on Friday (13 March)"),
        ("mum called friday", "mum called friday (13 March)"),
        ("missed you on friday", "missed you on friday (13 March)"),
        ("it has been closed since Friday", f"it has been closed since Friday (13{DASH}16 March)"),
        ("I finished it on Friday evening", "I finished it on Friday evening (13 March)"),
        (
            "We waited from Friday until Sunday",
            f"We waited from Friday until Sunday (13{DASH}15 March)",
        ),
    ],
)
def test_a_day_that_a_message_looks_back_on_is_past(said: str, read: str) -> None:
    assert with_dates(said, MONDAY) == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("We had fun, see you Friday!", "We had fun, see you Friday (20 March)!"),
        ("The party was great. Friday then?", "The party was great. Friday (20 March) then?"),
        ("The shop is closed on Friday", "The shop is closed on Friday (20 March)"),
        (
            "Bridge closed this Saturday, take the bus",
            "Bridge closed this Saturday (21 March), take the bus",
        ),
        ("I'm excited for the weekend", f"I'm excited for the weekend (21{DASH}22 March)"),
        ("The limited edition comes on Friday", "The limited edition comes on Friday (20 March)"),
        (
            "Yesterday was fun, tomorrow will be too",
            "Yesterday (Sunday 15 March) was fun, tomorrow (Tuesday 17 March) will be too",
        ),
        (
            "Last Friday was fun, we talked of next Friday",
            "Last Friday (13 March) was fun, we talked of next Friday (20 March)",
        ),
    ],
)
def test_a_day_ahead_stays_ahead_beside_a_past_form(said: str, read: str) -> None:
    assert with_dates(said, MONDAY) == read


@pytest.mark.parametrize(
    "said",
    [
        "We decided to meet on Friday",
        "I booked a table for Friday",
        "The meeting was moved to Friday",
        "I was thinking of Friday",
        "Did you want to come on Friday?",
        "We went to the park and the zoo on Friday",
        "Ahmed comes on Friday",
        "I got a dentist's appointment on Friday",
        "I said I could do Friday",
        "Bridge closed friday",
        "lifts suspended on wednesday, no buses either",
        "Paper collected thursday",
        "open mon to sat, closed Sunday",
        "The bins are emptied Thursday now",
        "We usually swim on Friday",
    ],
)
def test_a_day_that_may_be_past_or_ahead_gets_no_date(said: str) -> None:
    assert with_dates(said, MONDAY) == said


@pytest.mark.parametrize(
    ("day", "said", "read"),
    [
        (14, "We met this Monday", "We met this Monday (12 January)"),
        (14, "We met this Friday", "We met this Friday (9 January)"),
        (14, "See you this Monday", "See you this Monday (19 January)"),
        (14, "See you this Friday at 6 pm", "See you this Friday at 6 pm (16 January)"),
        (14, "We decided to meet this Friday", "We decided to meet this Friday (16 January)"),
        (14, "We decided to meet this Monday", "We decided to meet this Monday"),
        (14, "We hiked this weekend", f"We hiked this weekend (10{DASH}11 January)"),
        (14, "I booked a room for this weekend", f"I booked a room for this weekend (17{DASH}18 January)"),
        (18, "We hiked this weekend", f"We hiked this weekend (17{DASH}18 January)"),
        (18, "We met this Monday", "We met this Monday (12 January)"),
        (18, "I booked a table for this Monday", "I booked a table for this Monday (19 January)"),
        (18, "We met this coming Monday's host", "We met this coming Monday's host"),
        (14, "We agreed on this coming Monday", "We agreed on this coming Monday (19 January)"),
    ],
)  # fmt: skip
def test_this_day_is_of_this_week_unless_it_looks_back(day: int, said: str, read: str) -> None:
    assert with_dates(said, datetime(2026, 1, day, 9)) == read


def test_a_number_of_a_day_is_of_a_month_that_was_just_named() -> None:
    after = datetime(2026, 5, 14)
    assert with_dates("his birthday is on the 17th", THURSDAY, after) == (
        "his birthday is on the 17th (Sunday 17 May)"
    )
    assert with_dates("his birthday is on the 17th", THURSDAY) == (
        "his birthday is on the 17th (Tuesday 17 March)"
    )


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (8, "same length so last night is sat 19 dec"),
        (8, "We move on the last Saturday of the month"),
        (12, "I come home from my last night at half past seven"),
        (12, "10k easy 58 min, last thursday long-ish one. two weeks!!"),
    ],
)
def test_the_final_day_of_some_is_not_that_of_the_week_before(day: int, said: str) -> None:
    assert "(" not in with_dates(said, datetime(2026, 3, day, 18, 30))


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("last night was lovely", "last night (Wednesday 11 March) was lovely"),
        ("Last night's show was full", "Last night's show was full"),
        ("I told her last night", "I told her last night (Wednesday 11 March)"),
        ("Last Thursday I ran 10k", "Last Thursday (5 March) I ran 10k"),
    ],
)
def test_last_is_mostly_the_one_before(said: str, read: str) -> None:
    assert with_dates(said, THURSDAY) == read
