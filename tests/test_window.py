"""Which times of a question say when its messages were sent."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat.times import question_window

NEWEST = datetime(2026, 12, 31, 20, 15)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("What did the band decide on 20260410?", "2026-04-10", "2026-04-11"),
        ("What was the theme on 20260901_13:00?", "2026-09-01", "2026-09-02"),
        ("What did they discuss on 2026-04-28 at 5 PM?", "2026-04-28", "2026-04-29"),
        ("What did Ann write in March?", "2026-03-01", "2026-04-01"),
        ("What happened between Easter and June?", "2026-04-05", "2026-07-01"),
        ("What happened between 3 and 9 March 2024?", "2024-03-03", "2024-03-10"),
        ("Who wrote in the first week of May?", "2026-05-01", "2026-05-08"),
        ("What did Ann write on the 3rd of May?", "2026-05-03", "2026-05-04"),
        ("Who wrote after midnight on 1 May?", "2026-05-01", "2026-05-02"),
        ("Who wrote after midnight on New Year's Day?", "2026-01-01", "2026-01-02"),
        ("Who wrote before midnight on 1 May?", "2026-05-01", "2026-05-02"),
        ("Who wrote until midnight on 1 May?", "2026-05-01", "2026-05-02"),
        ("Who wrote around midnight on 1 May?", "2026-05-01", "2026-05-03"),
        ("Who wrote between midnight and 2 am on 1 May?", "2026-05-01", "2026-05-02"),
        ("Who wrote from 10 pm to midnight on 1 May?", "2026-05-01", "2026-05-02"),
        ("Who wrote around noon on 1 May?", "2026-05-01", "2026-05-02"),
        ("Who called yesterday?", "2026-12-30", "2026-12-31"),
        ("What did Ann say last week?", "2026-12-21", "2026-12-28"),
        ("What did Ann say last Friday?", "2026-12-25", "2026-12-26"),
        ("What has Ann said since May?", "2026-05-01", None),
        ("What did Ann say before June?", None, "2026-06-01"),
        ("What did Ann say since May and before July?", "2026-05-01", "2026-07-01"),
        ("Did he ask on 3 May before she answered on 9 May?", "2026-05-03", "2026-05-10"),
        ("What did Ann do from 3 March to 9 March 2024?", "2024-03-03", "2024-03-10"),
        ("Who wrote between March 3 and March 9, 2024?", "2024-03-03", "2024-03-10"),
        ("Who wrote between 20 December and 5 January 2024?", "2023-12-20", "2024-01-06"),
        ("What did Ann do in June and in July 2025?", "2025-06-01", "2025-08-01"),
        ("Who wrote on 3 May, 5 May and 7 May 2024?", "2024-05-03", "2024-05-08"),
        ("What did Ann do from 3 May to 5 June?", "2026-05-03", "2026-06-06"),
        ("What did Ann do in May last year?", "2025-05-01", "2025-06-01"),
        ("Where did Ann move from 4 years ago?", "2022-01-01", "2023-01-01"),
        ("What did Ann do last year in May?", "2025-05-01", "2025-06-01"),
        ("What did Ann do on 3 May last year?", "2025-05-03", "2025-05-04"),
        ("Where were we in the summer of last year?", "2025-06-01", "2025-09-01"),
        ("Who wrote between May and July last year?", "2025-05-01", "2025-08-01"),
        ("What has Ann said since May last year?", "2025-05-01", None),
        ("What did Ann say in May this year?", "2026-05-01", "2026-06-01"),
        ("Was tat Ann vom 3. bis 5. Mai 2026?", "2026-05-03", "2026-05-06"),
        ("Was tat Ann vom 3.-5. Mai 2026?", "2026-05-03", "2026-05-06"),
        ("Was tat Ann zwischen dem 3. und dem 5. Mai?", "2026-05-03", "2026-05-06"),
        ("Was tat Ann zwischen M\u00e4rz und Mai 2026?", "2026-03-01", "2026-06-01"),
        ("Was tat Ann von November bis Februar 2026?", "2025-11-01", "2026-03-01"),
        ("Was tat Ann im Mai und im Juni 2025?", "2025-05-01", "2025-07-01"),
        ("Was tat Ann im Mai letzten Jahres?", "2025-05-01", "2025-06-01"),
        ("Was tat Ann am 3. Mai des letzten Jahres?", "2025-05-03", "2025-05-04"),
        ("Was tat Ann letztes Jahr im Mai?", "2025-05-01", "2025-06-01"),
        ("Was tat Ann am 3. Mai und gestern?", "2026-05-03", "2026-12-31"),
        ("What did Ann do in the last few days?", "2026-12-24", "2027-01-01"),
        ("Who wrote in the past several weeks?", "2026-11-12", "2027-01-01"),
        ("What did Ann do in the last two weeks?", "2026-12-17", "2027-01-01"),
    ],
)
def test_a_question_about_a_date_filters(
    question: str, since: str | None, until: str | None
) -> None:
    expected = tuple(moment(day) if day else None for day in (since, until))
    assert question_window(question, NEWEST)[:2] == expected


@pytest.mark.parametrize(
    "question",
    [
        "Who comes at 6 PM?", "Is dinner at 18:00?", "Do they train every Tuesday?",
        "Is the meeting on Friday?", "What is planned for tomorrow's session?",
        "What is next month's plan?", "Was it more than a week?",
        "Where did they meet the first time?", "Who likes the 80s?",
        "Who was Ann's guest on \"A Day in May 2026\"?", "The match in 2022?",
        "What did he bake for Mother's Day?", "How much is the rent for April?",
        "Who wished her a happy Lunar New Year?", "What was said on 2026101?",
        "What did the band do this week?", "Who got May's offer?",
        "What was said before the May meeting?", "Who paid for the March newsletter?",
        "Was the party before or after Christmas 2025?", "Was it before May 2025 or after?",
        "Did Ann move before May 2025 or after June 2025?", "What did Ann say of May next year?",
        "Who talked about May last year's budget?",
        "Was tat Ann vom 3. Mai bis 5. Juni 2025?", "Was tat Ann vom 3. bis 31. April 2026?",
        "Wer las \u201eIm Mai 2026\u201c?", "Who read \u300cMay 2026\u300d?",
        "What did Ann do in the last two weeks of May?",
        "Why was the trip moved from 10 May to 12 May?",
        "Who postponed the dinner from the 3rd to the 5th of May?",
        "Warum wurde das Essen vom 3.5. auf den 5.5. verschoben?",
        "Wer hat das Essen vom 3. Mai auf den 5. Mai verlegt?",
    ],
)  # fmt: skip
def test_times_that_messages_speak_of_do_not_filter(question: str) -> None:
    assert question_window(question, NEWEST)[:2] == (None, None)


APRIL = datetime(2025, 4, 30, 12)


def june_of(question: str) -> tuple[datetime | None, datetime]:
    since, _, times = question_window(question, APRIL)
    return since, times[0].start


@pytest.mark.parametrize(
    "question",
    [
        "Where is Nora going in June?", "What is planned in June?", "What's planned for June?",
        "Do we have anything on 3 June?", "When are we meeting in June?", "Can we meet in June?",
        "What will happen on 14 June?", "Will Ann come in June?", "Anything coming up in June?",
        "What do we have planned in June?", "Is Fred coming in June?", "upcoming trips in June",
        "Is the office closed on 3 June?", "Where is the party held in June?", "6月我们要去哪里?",
        "What happens on 14 June?", "How will Ahmed travel in June?", "What do we do in Jun 2025?",
    ],
)  # fmt: skip
def test_a_question_that_looks_ahead_means_the_next_june_and_filters_nothing(question: str) -> None:
    since, start = june_of(question)
    assert since is None
    assert (start.year, start.month) == (2025, 6)


@pytest.mark.parametrize(
    "question",
    [
        "What did we do in June?", "dentist in June?", "Who planned the trip in June?",
        "What was planned in June?", "What's happened in June?", "What did Will do in June?",
        "Who is the doctor we spoke to in June?", "What does Ann say in June?",
        "Are there messages about the dentist in June?", "Can you list the trips in June?",
        "Where is the place Ann told us about in June?", "Who sat next to Ann in June?",
        "Our room next to the lift in June?", "我们6月去了哪里?",
    ],
)  # fmt: skip
def test_a_question_that_looks_back_means_the_last_june(question: str) -> None:
    since, start = june_of(question)
    assert since == start
    assert start == moment("2024-06-01")


def test_a_question_that_looks_ahead_filters_by_what_is_over() -> None:
    assert question_window("Who is here since March?", APRIL)[0] == moment("2025-03-01")
    assert question_window("What is Ann doing in March?", APRIL)[1] == moment("2025-04-01")


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What happened at christmas?", "2024-12-24", "2024-12-27"),
        ("What did we eat on Christmas 2023?", "2023-12-24", "2023-12-27"),
        ("Who came at Christmas last year?", "2024-12-24", "2024-12-27"),
        ("Who came on Christmas Eve?", "2024-12-24", "2024-12-25"),
        ("Who came on Christmas Day?", "2024-12-25", "2024-12-26"),
        ("Who came on Boxing Day?", "2024-12-26", "2024-12-27"),
        ("Who came over Easter?", "2025-04-18", "2025-04-22"),
        ("Who came on Easter Sunday?", "2025-04-20", "2025-04-21"),
    ],
)
def test_a_feast_is_asked_for_with_its_holidays(question: str, start: str, end: str) -> None:
    (time_,) = question_window(question, APRIL)[2]
    assert (time_.start, time_.end) == (moment(start), moment(end))


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("How often did Ann write in 2024?", "2024-01-01", "2025-01-01"),
        ("How many messages since 2023?", "2023-01-01", None),
        ("How many photos between 2022 and 2023?", "2022-01-01", "2024-01-01"),
        ("2024年有多少消息?", "2024-01-01", "2025-01-01"),
        ("Who won in the 2022 match?", None, None),
    ],
)
def test_a_bare_year_filters_where_it_is_asked_to(
    question: str, since: str | None, until: str | None
) -> None:
    expected = tuple(moment(day) if day else None for day in (since, until))
    assert question_window(question, APRIL, years=True)[:2] == expected
    assert question_window(question, APRIL)[:2] == (None, None)


def test_a_window_lists_all_times_outside_quotes() -> None:
    *_, times = question_window('Did "Friday the 13th of May" run on 3 May at noon?', NEWEST)
    assert [span.phrase for span in times] == ["3 May at noon"]
