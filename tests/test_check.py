"""Whether the messages that an answer cites say its dates, times and numbers."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat.answer.fact_check import SupportedFacts
from minirag_chat.records import Message


def known(*texts: str, question: str = "What did they say?") -> SupportedFacts:
    """Messages of Wednesday 4 March 2026."""
    at = datetime(2026, 3, 4, 18, 0)
    return SupportedFacts(
        question, [Message(n, "Cabin", "Kim", at, text) for n, text in enumerate(texts)]
    )


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("done, its the 28th now", "28 March 2026"),
        ("on the 12th I show twelve pots", "12 April 2026"),
        ("march twelve then", "12 March 2026"),
        ("the fair in May is from the seventh to the tenth", "7 to 10 May 2026"),
        ("see you tomorrow", "5 March 2026"),
        ("see you tomorrow, not on Friday", "Thursday"),
        ("see you on the 10th, not on Friday", "Tuesday 10 March 2026"),
        ("done: Fri 29, 6pm", "Friday, 6pm"),
        ("at the weekend, not on Friday", "on Saturday or Sunday"),
        ("ab Freitag um 18 Uhr", "Friday at 6 pm"),
        ("the recital is on 9 January", "9 January 2027"),
        ("the recital is on 9 January", "9 January"),
        ("Notes of 9 January", "9 January 2026"),
        ("we moved in last Friday", "Friday 27 February 2026"),
        ("the exhibition opens next month", "April 2026"),
        ("I have been teaching for seven years", "since 2019"),
        ("we went two weeks ago", "18 February 2026"),
        ("leaving at half six", "a bag and a coat"),
        ("train is 17:40", "5:40 pm"),
        ("twenty-four euros each", "24 euros"),
        ("it was 1,250 in the end", "1250"),
        ("i just got here", "4 March 2026"),
        ("see you at 7pm", "19:00"),
        ("doors at 18.30", "18:30"),
        ("be there 1830 sharp", "6:30 pm"),
        ("leaving at half past 6", "6:30 pm"),
        ("the 4th, around 4", "4 March 2026 at 4 pm"),
        ("quarter to seven at the gate", "6:45"),
        ("it was 1.250 euros", "1.250 euros"),
        ("ten past six at the gate", "6:10"),
        ("it ends at five to eight", "7:55 pm"),
        ("twenty-five past nine", "9:25"),
        ("three hundred and fifty euros", "350 euros"),
        ("a hundred and twenty came", "120 people"),
        ("two thousand three hundred and five", "2,305"),
        ("350 euros", "three hundred and fifty euros"),
        ("a dozen eggs", "12 eggs"),
        ("half a dozen eggs", "6 eggs"),
        ("wait half an hour", "30 minutes"),
        ("it took two and a half hours", "2.5 hours"),
        ("it took an hour and a half", "90 minutes"),
        ("it cost 12k", "12,000 euros"),
        ("das kostet 12,50", "12.50 euros"),
        ("it was 1.250 euros", "1,250 euros"),
        ("we met in '98", "in 1998"),
        ("we met in '24", "in 2024"),
        ("grandma was born in '51", "in 1951"),
        ("the mortgage runs until '51", "until 2051"),
        ("come on the third of May", "3 May 2026"),
        ("on the twenty-first of May", "21 May 2026"),
        ("we are on the second floor", "2nd floor"),
        ("my number is 0170 1234567", "01701234567"),
        ("my number is 01701234567", "0170 1234567"),
        ("wir treffen uns halb acht", "7:30"),
        ("nasce em abril", "in April 2026"),
        ("nasce dia 20 de abril", "20 April 2026"),
        ("tra il 3 e il 28 aprile", "3 April 2026"),
        ("nasce em abril, dia 20", "20 April 2026"),
        ("I'm off from 3 May to 20 June", "3 May to 20 June 2026"),
        ("Sieben Monate muss ich warten", "seven months"),
        ("son quince personas", "15 people"),
        ("on sera vingt à table", "20 people"),
    ],
)
def test_what_follows_by_the_calendar_is_known(said: str, answer: str) -> None:
    assert known(said).lacks(answer) is None


@pytest.mark.parametrize(
    ("said", "answer", "lacks"),
    [
        ("start 1 april. 25 hours", "Saturday 25 April 2026", "date"),
        ("sat 21st march, 7am sharp", "15 April 2026", "date"),
        ("see you tomorrow", "12 March 2025", "date"),
        ("I show twelve pots in April", "12 April 2026", "date"),
        ("it opens in April", "3 April 2026", "date"),
        ("nasce em abril", "Mon 20 April 2026", "date"),
        ("seit Mai wohne ich hier", "20 May 2025", "date"),
        ("we have lived here since May", "20 May 2025", "date"),
        ("we went there last summer", "20 July 2025", "date"),
        ("the exhibition opens next month", "20 April 2026", "date"),
        ("right josh's 18th, what are we doing", "18 February 2026", "date"),
        ("the exhibition opens next month", "August 2026", "month"),
        ("I will visit in April", "in May", "month"),
        ("we met in 2019", "around 2020", "number"),
        ("see you tomorrow", "7 March 2026", "date"),
        ("see you tomorrow", "we are 6", "number"),
        ("done: Fri 29, 6pm", "Monday, 6pm", "weekday"),
        ("see you tomorrow, not on Friday", "on Saturday", "weekday"),
        ("train is 17:40", "18:15", "time"),
        ("twenty-four euros each", "42 euros", "number"),
        ("no idea", "around 1987", "number"),
        ("See you at 18:30", "18:45", "time"),
        ("there are 15 of us", "1:45 am", "time"),
        ("I drive on the 4th early", "4 April 2026 at 4", "time"),
        ("1250 euros in all", "25 euros", "number"),
        ("ten past six at the gate", "6:20", "time"),
        ("wir treffen uns halb acht", "8:30", "time"),
        ("three hundred and fifty euros", "340 euros", "number"),
        ("a hundred and twenty came", "20 people", "number"),
        ("it took two and a half hours", "3.5 hours", "number"),
        ("it cost 12k", "13,000 euros", "number"),
        ("Sieben Monate muss ich warten", "8 months", "number"),
        ("we met in '98", "in 1997", "number"),
        ("we met in '98", "in 2098", "number"),
        ("we met in '24", "in 1924", "number"),
        ("my number is 0170 1234567", "01701234568", "number"),
        ("it cost 1.000.000 euros", "100.000 euros", "number"),
        ("call 204 2020 please", "on 20.4.2020", "date"),
        ("a second please", "2 hours", "number"),
        ("we need 12 chairs for the party", "12 June 2031", "date"),
        ("I paid 12.50 for it", "12 euros", "number"),
        ("I paid 12.50 for it", "50 euros", "number"),
        ("there were 1,200 people", "200 people", "number"),
        ("we met in May and July", "12 June 2026", "date"),
        ("see you on Mother's Day", "20 April 2026", "date"),
        ("the recital is on 9 January", "9 January 2026", "date"),
        ("we met on 9 December", "9 December 2026", "date"),
    ],
)
def test_what_no_message_says_is_told(said: str, answer: str, lacks: str) -> None:
    assert known(said).lacks(answer) == lacks


def test_what_the_question_says_may_be_repeated() -> None:
    asked = "Did all 12 come on 9 May 2027?"
    assert known("yes", question=asked).lacks("Yes, all 12 on 9 May 2027") is None
    assert known("yes").lacks("Yes, all 12 on 9 May 2027") is not None


def test_where_only_the_month_is_named_an_answer_has_no_day() -> None:
    facts = known("doze semanas. nasce em abril")
    assert facts.to_the_month("Mon 20 April 2026") == "April 2026"
    assert facts.lacks(facts.to_the_month("on 20 April 2026")) is None
    assert facts.to_the_month("20 May 2026") == "20 May 2026"
    assert known("nasce a 20 de abril").to_the_month("20 April 2026") == "20 April 2026"
