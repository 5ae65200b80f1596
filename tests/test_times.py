"""Time expressions in questions and messages, on a fixed calendar.

Questions speak from Thursday 31 December 2026, 20:15; messages from Tuesday 12 May 2026, 9:00.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import datetime
from typing import Any

import pytest
from growth import assert_by_length, processor_seconds
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from minirag_chat.answer.fact_check import SupportedFacts
from minirag_chat.records import Message
from minirag_chat.times import (
    atoms,
    find_times,
    mentions_time,
    message_times,
    neighbours,
    question_window,
    ranges,
)
from minirag_chat.times.calendar_names import months, weekdays
from minirag_chat.times.foreign import foreign_shape
from minirag_chat.times.names_of_days import GERMAN_MONTHS, GERMAN_WEEKDAYS, MONTHS, WEEKDAYS
from minirag_chat.times.patterns import KINDS, times_in
from minirag_chat.times.phrases import read_phrase
from minirag_chat.times.spans import Span

NEWEST = datetime(2026, 12, 31, 20, 15)
SENT = datetime(2026, 5, 12, 9, 0)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


# text of a question | the phrase found | start | end
IN_QUESTIONS = """
discussion on 20260403?            | 20260403               | 2026-04-03       | 2026-04-04
on 2026-04-03                      | 2026-04-03             | 2026-04-03       | 2026-04-04
on 20260901_13:00                  | 20260901_13:00         | 2026-09-01 13:00 | 2026-09-01 13:01
on 2026-04-28 at 5 PM              | 2026-04-28 at 5 PM     | 2026-04-28 17:00 | 2026-04-28 17:01
on 3 April 2026                    | 3 April 2026           | 2026-04-03       | 2026-04-04
April 3rd, 2026                    | April 3rd, 2026        | 2026-04-03       | 2026-04-04
the 5th of May                     | 5th of May             | 2026-05-05       | 2026-05-06
the tenth of December              | tenth of December      | 2026-12-10       | 2026-12-11
on the twenty first of May 2025    | twenty first of May 2025 | 2025-05-21     | 2025-05-22
Tuesday the second of June         | Tuesday the second of June | 2026-06-02   | 2026-06-03
from the tenth to the twelfth of May | tenth to the twelfth of May | 2026-05-10 | 2026-05-13
December thirty-first              | December thirty-first  | 2026-12-31       | 2027-01-01
in December first we ski           | December               | 2026-12-01       | 2027-01-01
a third of December                | December               | 2026-12-01       | 2027-01-01
the first week of May              | first week of May      | 2026-05-01       | 2026-05-08
4/4/2026                           | 4/4/2026               | 2026-04-04       | 2026-04-05
4/13/2026                          | 4/13/2026              | 2026-04-13       | 2026-04-14
25/12/25                           | 25/12/25               | 2025-12-25       | 2025-12-26
13.5.2026                          | 13.5.2026              | 2026-05-13       | 2026-05-14
on 29 February                     | 29 February            | 2024-02-29       | 2024-03-01
Saturday, 9 May                    | Saturday, 9 May        | 2026-05-09       | 2026-05-10
in March                           | March                  | 2026-03-01       | 2026-04-01
in the month of May                | May                    | 2026-05-01       | 2026-06-01
last March                         | last March             | 2026-03-01       | 2026-04-01
March 2025                         | March 2025             | 2025-03-01       | 2025-04-01
on Tuesday last week               | Tuesday last week      | 2026-12-22       | 2026-12-23
last week on Tuesday               | last week on Tuesday   | 2026-12-22       | 2026-12-23
in May '25                         | May '25                | 2025-05-01       | 2025-06-01
in Sept \u201924                   | Sept \u201924          | 2024-09-01       | 2024-10-01
on 6 May '25                       | 6 May '25              | 2025-05-06       | 2025-05-07
on May 6, '98                      | May 6, '98             | 1998-05-06       | 1998-05-07
between May and July '25           | between May and July '25 | 2025-05-01     | 2025-08-01
at Christmas '24                   | Christmas '24          | 2024-12-25       | 2024-12-26
in summer '25                      | summer '25             | 2025-06-01       | 2025-09-01
in mid-March                       | mid-March              | 2026-03-11       | 2026-03-21
late May 2025                      | late May 2025          | 2025-05-21       | 2025-06-01
in the first week of May           | first week of May      | 2026-05-01       | 2026-05-08
the second week of May             | second week of May     | 2026-05-08       | 2026-05-15
the last week of May               | last week of May       | 2026-05-25       | 2026-06-01
the last weekend of May            | last weekend of May    | 2026-05-30       | 2026-06-01
the weekend of 9 May               | the weekend of 9 May   | 2026-05-09       | 2026-05-11
in spring                          | spring                 | 2026-03-01       | 2026-06-01
the summer of 2025                 | summer of 2025         | 2025-06-01       | 2025-09-01
last winter                        | last winter            | 2025-12-01       | 2026-03-01
Q2 2026                            | Q2 2026                | 2026-04-01       | 2026-07-01
the third quarter of 2025          | third quarter of 2025  | 2025-07-01       | 2025-10-01
Easter                             | Easter                 | 2026-04-05       | 2026-04-06
Good Friday 2025                   | Good Friday 2025       | 2025-04-18       | 2025-04-19
Christmas                          | Christmas              | 2026-12-25       | 2026-12-26
New Year's Eve 2025                | New Year's Eve 2025    | 2025-12-31       | 2026-01-01
New Year's Day                     | New Year's Day         | 2026-01-01       | 2026-01-02
the Chinese New Year               | Chinese New Year       | 2026-02-17       | 2026-02-18
Thanksgiving                       | Thanksgiving           | 2026-11-26       | 2026-11-27
Diwali                             | Diwali                 | 2026-11-08       | 2026-11-09
yesterday                          | yesterday              | 2026-12-30       | 2026-12-31
last night                         | last night             | 2026-12-30 18:00 | 2026-12-31 06:00
last Sunday                        | last Sunday            | 2026-12-27       | 2026-12-28
on Saturday                        | Saturday               | 2026-12-26       | 2026-12-27
three days ago                     | three days ago         | 2026-12-28       | 2026-12-29
last week                          | last week              | 2026-12-21       | 2026-12-28
last month                         | last month             | 2026-11-01       | 2026-12-01
last year                          | last year              | 2025-01-01       | 2026-01-01
over the weekend                   | the weekend            | 2026-12-26       | 2026-12-28
in the last two weeks              | last two weeks         | 2026-12-17       | 2027-01-01
in 2025                            | 2025                   | 2025-01-01       | 2026-01-01
between Easter and June            | between Easter and June| 2026-04-05       | 2026-07-01
from 3 May to 5 June               | from 3 May to 5 June   | 2026-05-03       | 2026-06-06
from 3 to 5 May                    | 3 to 5 May             | 2026-05-03       | 2026-05-06
from November to February          | from November to February | 2025-11-01    | 2026-03-01
since May                          | since May              | 2026-05-01       | 2027-01-01
before June                        | before June            | always           | 2026-06-01
until 5 June                       | until 5 June           | always           | 2026-06-06
after April 3                      | after April 3          | 2026-04-04       | always
two days after Easter              | two days after Easter  | 2026-04-07       | 2026-04-08
the week before Easter             | the week before Easter | 2026-03-29       | 2026-04-05
the week after Easter              | the week after Easter  | 2026-04-06       | 2026-04-13
the week after May                 | the week after May     | 2026-06-01       | 2026-06-08
the month after summer             | the month after summer | 2026-09-01       | 2026-10-01
the Friday before Easter           | Friday before Easter   | 2026-04-03       | 2026-04-04
the weekend after Easter           | the weekend after Easter | 2026-04-11     | 2026-04-13
from the 10th to the 20th of July  | 10th to the 20th of July | 2026-07-10     | 2026-07-21
between the 10th and the 20th of July | between the 10th and the 20th of July | 2026-07-10 | 2026-07-21
between 3 and 12 July 2024         | between 3 and 12 July 2024 | 2024-07-03   | 2024-07-13
from July the 10th to the 20th     | July the 10th to the 20th | 2026-07-10    | 2026-07-21
from the 10th to the 20th          | from the 10th to the 20th | 2026-12-10    | 2026-12-21
between the 28th and the 5th       | between the 28th and the 5th | 2026-12-28 | 2027-01-06
from the 28th of June to the 5th   | from the 28th of June to the 5th | 2026-06-28 | 2026-07-06
a year ago today                   | a year ago today       | 2025-12-31       | 2026-01-01
two weeks ago yesterday            | two weeks ago yesterday | 2026-12-16      | 2026-12-17
two weeks ago on Thursday          | two weeks ago on Thursday | 2026-12-17    | 2026-12-18
two years ago in May               | two years ago in May   | 2024-05-01       | 2024-06-01
at Christmas two years ago         | Christmas two years ago | 2024-12-25      | 2024-12-26
the weekend before last            | the weekend before last | 2026-12-19      | 2026-12-21
the Tuesday before last            | the Tuesday before last | 2026-12-22      | 2026-12-23
in the summer before last          | the summer before last | 2025-06-01       | 2025-09-01
the week before last               | the week before last   | 2026-12-14       | 2026-12-21
the Christmas before last          | the Christmas before last | 2025-12-25    | 2025-12-26
the 5th of last month              | 5th of last month      | 2026-11-05       | 2026-11-06
on the first of last month         | first of last month    | 2026-11-01       | 2026-11-02
in the first week of last month    | first week of last month | 2026-11-01     | 2026-11-08
last year's summer                 | last year's summer     | 2025-06-01       | 2025-09-01
last year's March                  | last year's March      | 2025-03-01       | 2025-04-01
between Christmas 2025 and New Year | between Christmas 2025 and New Year | 2025-12-25 | 2026-01-02
at New Year                        | New Year               | 2026-01-01       | 2026-01-02
between May and now                | between May and now    | 2026-05-01       | 2027-01-01
from May until now                 | from May until now     | 2026-05-01       | 2027-01-01
between Easter and summer          | between Easter and summer | 2026-04-05    | 2026-09-01
a fortnight ago                    | a fortnight ago        | 2026-12-14       | 2026-12-21
in the last fortnight              | last fortnight         | 2026-12-17       | 2027-01-01
over the last two years            | last two years         | 2024-12-31       | 2027-01-01
on Valentine's last year           | Valentine's last year  | 2025-02-14       | 2025-02-15
on bonfire night                   | bonfire night          | 2026-11-05       | 2026-11-06
on Mothering Sunday                | Mothering Sunday       | 2026-03-15       | 2026-03-16
in 07/2026                         | 07/2026                | 2026-07-01       | 2026-08-01
in '25                             | '25                    | 2025-01-01       | 2026-01-01
last Friday on 23 January, 2022    | 23 January, 2022       | 2022-01-23       | 2022-01-24
night of June 9, 2026              | night of June 9, 2026  | 2026-06-09 18:00 | 2026-06-10 06:00
half a year ago                    | half a year ago        | 2026-06-01       | 2026-07-01
a half year ago                    | a half year ago        | 2026-06-01       | 2026-07-01
half a month ago                   | half a month ago       | 2026-12-16       | 2026-12-17
half an hour ago                   | half an hour ago       | 2026-12-31 19:45 | 2026-12-31 19:46
a year and a half ago              | a year and a half ago  | 2025-06-01       | 2025-07-01
two and a half years ago           | two and a half years ago | 2024-06-01     | 2024-07-01
in the last half year              | last half year         | 2026-06-30       | 2027-01-01
in the last year                   | last year              | 2025-12-31       | 2027-01-01
over the past month                | past month             | 2026-11-30       | 2027-01-01
during the past week               | past week              | 2026-12-24       | 2027-01-01
the past year                      | past year              | 2025-12-31       | 2027-01-01
in the last week of May 2025       | last week of May 2025  | 2025-05-25       | 2025-06-01
in May or June                     | May or June            | 2026-05-01       | 2026-07-01
in March or April 2025             | March or April 2025    | 2025-03-01       | 2025-05-01
in May, June and July              | May, June and July     | 2026-05-01       | 2026-08-01
in May/June                        | May/June               | 2026-05-01       | 2026-07-01
in Feb or Mar                      | Feb or Mar             | 2026-02-01       | 2026-04-01
in December and January            | December and January   | 2025-12-01       | 2026-02-01
in May and March                   | May and March          | 2026-03-01       | 2026-06-01
between November and February      | between November and February | 2025-11-01 | 2026-03-01
in march 2025                      | march 2025             | 2025-03-01       | 2025-04-01
Aug 2024                           | Aug 2024               | 2024-08-01       | 2024-09-01
Sept. 2024                         | Sept. 2024             | 2024-09-01       | 2024-10-01
in Jan 2025                        | Jan 2025               | 2025-01-01       | 2025-02-01
in Oct                             | Oct                    | 2026-10-01       | 2026-11-01
in Jun                             | Jun                    | 2026-06-01       | 2026-07-01
since Sept                         | since Sept             | 2026-09-01       | 2027-01-01
between Oct and Dec                | between Oct and Dec    | 2026-10-01       | 2027-01-01
second half of 2024                | second half of 2024    | 2024-07-01       | 2025-01-01
the first half of last year        | first half of last year | 2025-01-01      | 2025-07-01
the first half of the year         | first half of the year | 2026-01-01       | 2026-07-01
the last quarter of last year      | last quarter of last year | 2025-10-01    | 2026-01-01
early 2024                         | early 2024             | 2024-01-01       | 2024-05-01
in mid-2024                        | mid-2024               | 2024-05-01       | 2024-09-01
late 2024                          | late 2024              | 2024-09-01       | 2025-01-01
the end of last year               | end of last year       | 2025-10-01       | 2026-01-01
the beginning of this year         | beginning of this year | 2026-01-01       | 2026-04-01
at the end of last month           | end of last month      | 2026-11-21       | 2026-12-01
from 2023 to 2025                  | from 2023 to 2025      | 2023-01-01       | 2026-01-01
in 2023 or 2024                    | 2023 or 2024           | 2023-01-01       | 2025-01-01
7月我们做了什么                     | 7月                    | 2026-07-01       | 2026-08-01
十二月去了哪里                      | 十二月                 | 2026-12-01       | 2027-01-01
2025年5月                          | 2025年5月              | 2025-05-01       | 2025-06-01
五月二十一号                        | 五月二十一号           | 2026-05-21       | 2026-05-22
今年3月初                           | 今年3月初              | 2026-03-01       | 2026-03-11
去年                               | 去年                   | 2025-01-01       | 2026-01-01
2024年聊了什么                      | 2024年                 | 2024-01-01       | 2025-01-01
今年夏天                           | 今年夏天               | 2026-06-01       | 2026-09-01
上半年                             | 上半年                 | 2026-01-01       | 2026-07-01
去年底                             | 去年底                 | 2025-10-01       | 2026-01-01
5月到7月                           | 5月到7月               | 2026-05-01       | 2026-08-01
Was war im Mai?                    | Mai                    | 2026-05-01       | 2026-06-01
mayo de 2025                       | mayo de 2025           | 2025-05-01       | 2025-06-01
letztes Jahr                       | letztes Jahr           | 2025-01-01       | 2026-01-01
letzten Monat                      | letzten Monat          | 2026-11-01       | 2026-12-01
am 14.11.                          | 14.11.                 | 2026-11-14       | 2026-11-15
am 14.11. letzten Jahres           | 14.11. letzten Jahres  | 2025-11-14       | 2025-11-15
vom 14. bis 16.11.                 | 14. bis 16.11.         | 2026-11-14       | 2026-11-17
30.10. bis 2.11.                   | 30.10. bis 2.11.       | 2026-10-30       | 2026-11-03
an Weihnachten                     | Weihnachten            | 2026-12-25       | 2026-12-26
nach Ostern                        | nach Ostern            | 2026-04-06       | always
seit Mai                           | seit Mai               | 2026-05-01       | 2027-01-01
Anfang Oktober                     | Anfang Oktober         | 2026-10-01       | 2026-10-11
Ende Mai 2025                      | Ende Mai 2025          | 2025-05-21       | 2025-06-01
"""
IN_MESSAGES = """
see you tomorrow                   | tomorrow               | 2026-05-13       | 2026-05-14
tomorrow at 10 AM                  | tomorrow at 10 AM      | 2026-05-13 10:00 | 2026-05-13 10:01
10 AM tomorrow                     | 10 AM tomorrow         | 2026-05-13 10:00 | 2026-05-13 10:01
tomorrow morning                   | tomorrow morning       | 2026-05-13 06:00 | 2026-05-13 12:00
the day after tomorrow             | the day after tomorrow | 2026-05-14       | 2026-05-15
today                              | today                  | 2026-05-12       | 2026-05-13
tonight                            | tonight                | 2026-05-12 18:00 | 2026-05-13 06:00
this afternoon                     | this afternoon         | 2026-05-12 12:00 | 2026-05-12 18:00
this Friday                        | this Friday            | 2026-05-15       | 2026-05-16
next Thursday                      | next Thursday          | 2026-05-14       | 2026-05-15
coming Saturday                    | coming Saturday        | 2026-05-16       | 2026-05-17
on Tuesday                         | Tuesday                | 2026-05-19       | 2026-05-20
on Fri 6pm                         | Fri 6pm                | 2026-05-15 18:00 | 2026-05-15 18:01
see you on Tues                    | Tues                   | 2026-05-19       | 2026-05-20
next Thurs                         | next Thurs             | 2026-05-14       | 2026-05-15
Saturday evening                   | Saturday evening       | 2026-05-16 18:00 | 2026-05-17
in two weeks                       | in two weeks           | 2026-05-25       | 2026-06-01
in 20 days                         | in 20 days             | 2026-06-01       | 2026-06-02
in half an hour                    | in half an hour        | 2026-05-12 09:30 | 2026-05-12 09:31
next week                          | next week              | 2026-05-18       | 2026-05-25
this weekend                       | this weekend           | 2026-05-16       | 2026-05-18
3 April                            | 3 April                | 2026-04-03       | 2026-04-04
1 February                         | 1 February             | 2027-02-01       | 2027-02-02
in May                             | May                    | 2026-05-01       | 2026-06-01
next March                         | next March             | 2027-03-01       | 2027-04-01
see you on the 8th!                | 8th                    | 2026-06-08       | 2026-06-09
I'm free at 6 PM                   | 6 PM                   | 2026-05-12 18:00 | 2026-05-12 18:01
let's say 18:30                    | 18:30                  | 2026-05-12 18:30 | 2026-05-12 18:31
around 3.30pm                      | 3.30pm                 | 2026-05-12 15:30 | 2026-05-12 15:31
after 5 PM today                   | after 5 PM today       | 2026-05-12 17:00 | 2026-05-13
before 6 p.m.                      | before 6 p.m.          | 2026-05-12       | 2026-05-12 18:00
3-5 PM                             | 3-5 PM                 | 2026-05-12 15:00 | 2026-05-12 17:00
Sunday from 10 AM to 2 PM | Sunday from 10 AM to 2 PM | 2026-05-17 10:00 | 2026-05-17 14:00
from tomorrow until Sunday         | from tomorrow until Sunday | 2026-05-13   | 2026-05-18
until Sunday                       | until Sunday           | 2026-05-12       | 2026-05-18
since Monday                       | since Monday           | 2026-05-11       | 2026-05-13
am 3. Mai                          | 3. Mai                 | 2026-05-03       | 2026-05-04
el 3 de abril de 2026              | 3 de abril de 2026     | 2026-04-03       | 2026-04-04
le 3 avril                         | 3 avril                | 2026-04-03       | 2026-04-04
我们4月3日见                        | 4月3日                 | 2026-04-03       | 2026-04-04
gestern                            | gestern                | 2026-05-11       | 2026-05-12
from Friday the 24th to Sunday the 26th of January | from Friday the 24th to Sunday the 26th of January | 2027-01-24 | 2027-01-27
from the 28th to 3 June            | 28th to 3 June         | 2026-05-28       | 2026-06-04
the 29th until the 4th of January  | 29th until the 4th of January | 2026-12-29 | 2027-01-05
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def check(row: list[str], now: datetime, prefer: str) -> None:
    text, phrase, start, end = row
    assert mentions_time(text)
    found = find_times(text, now, prefer=prefer)
    assert [time_.phrase for time_ in found] == [phrase]
    assert found[0].start == (datetime.min if start == "always" else moment(start))
    assert found[0].end == (datetime.max if end == "always" else moment(end))


@pytest.mark.parametrize("row", rows(IN_QUESTIONS), ids=lambda row: row[0])
def test_a_question_looks_back_from_the_newest_message(row: list[str]) -> None:
    check(row, NEWEST, "past")


@pytest.mark.parametrize("ended", ["22 November.", "22 November!", "November 22."])
def test_a_date_that_ends_a_sentence_is_not_of_the_year_that_the_next_one_names(ended: str) -> None:
    found = find_times(f"The race is on {ended} Last year we were last.", SENT, prefer="future")
    assert [time_.start for time_ in found] == [moment("2026-11-22"), moment("2025-01-01")]
    (short,) = find_times("The race was on 22 Nov. last year", SENT, prefer="past")
    assert short.start == moment("2025-11-22")


@pytest.mark.parametrize("row", rows(IN_MESSAGES), ids=lambda row: row[0])
def test_a_message_looks_ahead_from_when_it_was_sent(row: list[str]) -> None:
    check(row, SENT, "future")


@pytest.mark.parametrize(
    ("now", "phrase", "past", "future"),
    [
        ("2026-01-14", "this Monday", "2026-01-12", "2026-01-19"),
        ("2026-01-14", "this Wednesday", "2026-01-14", "2026-01-14"),
        ("2026-01-14", "this Friday", "2026-01-09", "2026-01-16"),
        ("2026-01-18", "this Monday", "2026-01-12", "2026-01-19"),  # said on a Sunday
        ("2026-01-18", "this Sunday", "2026-01-18", "2026-01-18"),
        ("2026-01-14", "this weekend", "2026-01-10", "2026-01-17"),
        ("2026-01-18", "this weekend", "2026-01-17", "2026-01-17"),
        ("2026-01-15", "this winter", "2025-12-01", "2025-12-01"),
        ("2026-04-15", "this winter", "2025-12-01", "2026-12-01"),
        ("2026-12-15", "this winter", "2026-12-01", "2026-12-01"),
        ("2026-01-15", "this summer", "2025-06-01", "2026-06-01"),
        ("2026-10-15", "this summer", "2026-06-01", "2026-06-01"),
        ("2026-01-15", "this Christmas", "2025-12-25", "2026-12-25"),
    ],
)
def test_this_day_or_season_has_begun_where_it_is_past(
    now: str, phrase: str, past: str, future: str
) -> None:
    read = {
        prefer: find_times(phrase, moment(f"{now} 09:00"), prefer=prefer)[0].start
        for prefer in ("past", "future")
    }
    assert read == {"past": moment(past), "future": moment(future)}


@pytest.mark.parametrize(
    "text",
    [
        "on 2026101", "on 20261341", "31 April", "31/31/2026", "3/4/2026", "12/11/25", "every Tuesday", "on Tuesdays",
        "Sunday nights are epic", "more than a week", "the 80s", "first time",
        "A Space Odyssey 2001", "May I go? I may march.", "may 10 people come?", "a score of 2:1",
        "in 16:9", "Spring Garden",
        "What did Jan say?", "a letter from Jan", "Who is Dec?", "in Oct's case", "early 2020s",
        "the last week of our trip", "五月天的演唱会", "三个月", "如今年轻人",
        "ask June and April", "version 1.2.3", "call 555-2026-1234", "I am 25", "good morning!",
    ],
)  # fmt: skip
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert find_times(text, NEWEST) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a week ago last Friday",  # the Friday of that week, or a week before last Friday?
        "two weeks ago Thursday",
        "two days ago on Friday",
        "between now and Christmas",
        "the weekend of last month",
        "on the bank holiday",
        "at the New Year's party",
        "Valentine's car",
        "moved to the 5th floor",
    ],
)
def test_times_that_do_not_fit_together_are_not_read(text: str) -> None:
    assert not find_times(text, NEWEST)


@pytest.mark.parametrize(
    ("sent", "text", "start"),
    [
        ("2026-07-20", "got seats for the play, its on 9 may", "2027-05-09"),
        ("2026-07-20", "The christening will be on 2 June, hold the day!", "2027-06-02"),
        ("2026-09-01", "my theory exam is 3 july, nothing was free before", "2027-07-03"),
        ("2026-07-20", "we're going to Oslo in may", "2027-05-01"),
        ("2026-07-20", "we sold the boat in march", "2026-03-01"),
        ("2026-07-20", "She moved to Leeds in October", "2025-10-01"),
        ("2026-07-20", "We met on 2 December", "2025-12-02"),
        ("2026-07-20", "The photos from 9 May are online", "2026-05-09"),
        ("2026-07-20", "I'll send you the photos of 9 may", "2026-05-09"),
        ("2026-07-20", "We won't be here on 9 may", "2027-05-09"),
        ("2026-07-20", "Our old dog died in december", "2025-12-01"),
        ("2026-07-20", "Table booked for 9 March", "2027-03-09"),
        ("2026-12-20", "see you on 5 January", "2027-01-05"),
        ("2025-05-20", "The market is on Sunday 12 April", "2026-04-12"),
        ("2026-04-09", "The market is on Saturday 12 April, isn't it?", "2026-04-12"),
        ("2026-07-20", "Was machst du im August?", "2026-08-01"),
        ("2026-07-20", "Sie will am 3. August kommen", "2026-08-03"),
    ],
)
def test_the_verb_tells_the_year_of_a_date_without_one(sent: str, text: str, start: str) -> None:
    named = [f"{time.start:%Y-%m-%d}" for time in message_times(text, moment(sent))]
    assert named == [start]


@pytest.mark.parametrize(
    "text",
    [
        "the fair is on 9 july",  # over for days, or a year ahead
        "I heard it was 2 August",
        "I was born on 9 may",
        "they promised in february to paint it",
    ],
)
def test_a_date_whose_year_is_not_certain_is_none(text: str) -> None:
    assert not list(message_times(text, moment("2026-07-20")))


def test_mothers_day_is_either_of_two_days_and_in_a_message_the_near_one() -> None:
    [atom] = ranges.find_atoms("on Mother's Day", NEWEST, "past")
    assert [(part.start, part.phrase) for part in atom.parts] == [
        (datetime(2026, 3, 15), "15 March"),
        (datetime(2026, 5, 10), "10 May"),
    ]
    for sent, day in ((datetime(2026, 3, 16), 15), (datetime(2026, 5, 2), 10)):
        assert [span.start.day for span in find_times("Mother's Day", sent, prefer="future")] == [
            day
        ]


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("What happened from the 10th to the 20th of July?", "2026-07-10", "2026-07-21"),
        ("What happened between May and now?", "2026-05-01", "2027-01-01"),
        ("What did we do the weekend before last?", "2026-12-19", "2026-12-21"),
        ("What did we do a week ago last Friday?", None, None),
    ],
)
def test_neighbouring_times_filter_as_one_or_not_at_all(
    text: str, since: str | None, until: str | None
) -> None:
    found = question_window(text, NEWEST)[:2]
    assert found == (moment(since) if since else None, moment(until) if until else None)


def test_a_clock_time_belongs_to_the_day_the_text_names() -> None:
    found = find_times("Dinner on Saturday? 6 PM works.", SENT, prefer="future")
    assert [span.start for span in found] == [moment("2026-05-16"), moment("2026-05-16 18:00")]


def test_times_come_in_reading_order() -> None:
    found = find_times("Yesterday I said 3 April, not in May 2025, at 6 PM.", NEWEST)
    assert [span.phrase for span in found] == ["Yesterday", "3 April", "May 2025", "6 PM"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "word", ["year", "half a", "in the last", "is the", "May,", "5月", "planned"]
)
@pytest.mark.timeout(60)  # of each pattern that is tried at each place of a gap: hours
def test_hostile_text_takes_no_time(word: str) -> None:
    for gap in (" ", " " * 40, " " * 3900):  # a question has at most 4,000 characters
        question_window(f"in May {word}{gap}" * (4000 // (len(word) + len(gap) + 7)) + "x", SENT)

    def seconds(length: int) -> float:
        texts = (
            f"{word} " * (length // len(f"{word} ")),
            f"{word}{' ' * 40}" * (length // 40),
            f"{word}{' ' * length}" * 2,
        )
        return processor_seconds(lambda: [find_times(f"{text}x", SENT) for text in texts])

    assert_by_length(seconds, 1_000)


PIECES = st.sampled_from(
    [row[0] for row in rows(IN_QUESTIONS + IN_MESSAGES)]
    + [
        "and",
        "to",
        "until",
        "-",
        "before",
        "since the",
        "after",
        "from",
        "between",
        "May",
        "12",
        "99",
        "0",
    ]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES | st.text(max_size=5), max_size=8).map(" ".join)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(
    text=TEXTS,
    now=st.datetimes(moment("1990-01-01"), moment("2090-01-01")),
    prefer=st.sampled_from(["past", "future"]),
)
def test_any_text_gives_ordered_spans_of_itself(text: str, now: datetime, prefer: str) -> None:
    found = find_times(text, now, prefer=prefer)
    place = 0
    for span in found:
        assert span.start < span.end
        assert span.phrase
        place = text.index(span.phrase, place) + len(span.phrase)
    assert mentions_time(text) or not found
    since, until, _ = question_window(text, now)
    assert since is None or until is None or since < until


def test_the_import_is_light() -> None:
    code = "import sys, minirag_chat.times; print({'dateparser', 'holidays'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("said", [row[0] for row in rows(IN_MESSAGES)])
def test_words_after_a_time_change_nothing(said: str) -> None:
    longer = f"{said} {'so it goes and goes ' * 5}"
    assert find_times(longer, SENT, prefer="future") == find_times(said, SENT, prefer="future")


def test_a_day_costs_the_same_in_a_message_of_any_length() -> None:
    said = f"it was on 3 April 2026 {'so it goes and goes ' * 5}"
    assert_by_length(lambda many: processor_seconds(lambda: find_times(said * many, SENT)), 20)


@pytest.mark.slow
@pytest.mark.parametrize(("day", "more"), [("Monday", " "), ("Saturday", " 6 pm 7 pm 8 pm ")])
def test_a_message_of_nothing_but_times_costs_no_more_than_a_full_diary(
    day: str, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0

    def counted(*given: Any) -> Span | None:
        nonlocal read
        read += 1
        return read_phrase(*given)

    for module in (atoms, neighbours):
        monkeypatch.setattr(module, "read_phrase", counted)
    assert len(list(message_times("On 3 May, we said. " * 60, SENT))) == 60
    read = 0
    text = f"{day}{more}" * (100_000 // len(day + more))
    assert list(message_times(text, SENT))
    message = Message(1, "c", "Ann", SENT, text, chat_id=1, session_id=1)
    assert SupportedFacts("When do we meet?", [message]).lacks(f"On {day}.") is None
    assert read < 1000


@pytest.mark.parametrize("now", [datetime.min, datetime.max])
@pytest.mark.parametrize("text", ["I am here since Christmas", "last night", "next week"])
def test_times_at_the_ends_of_the_calendar_are_no_error(text: str, now: datetime) -> None:
    question_window(text, now)
    find_times(text, now, prefer="future")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("letter", "like"), [("s", "\u017f"), ("i", "\u0131"), ("i", "\u0130"), ("k", "\u212a")]
)
def test_letters_that_only_look_alike_end_nothing(letter: str, like: str) -> None:
    """Where case does not count, "fr\u0131day" has the shape of a day, and is none."""
    said = [
        "in spring 2024", "last friday", "friday at noon", "the day before yesterday", "in six weeks",
        "since christmas", "the first week of april", "at six pm", "this morning", "a week ago",
    ]  # fmt: skip
    tried = 0
    for text in [*said, *IN_QUESTIONS.splitlines()]:
        for place, one in enumerate(text):
            if one == letter:
                find_times(text[:place] + like + text[place + 1 :], datetime(2024, 2, 5))
                tried += 1
    assert tried > 5


@pytest.mark.slow
def test_no_time_begins_where_none_is_looked_for() -> None:
    """Most places of a text are passed over, and other languages where no word is of one."""
    every = {**KINDS, "foreign": foreign_shape()}
    shapes = "|".join(f"(?P<{kind}>{shape})" for kind, shape in every.items())
    whole = re.compile(shapes, re.IGNORECASE)
    said = [*IN_QUESTIONS.splitlines(), "am 3. Mai und morgen", "le 5 mars, hier", "我明天去"]
    for path in (ROOT / "corpora").rglob("*.txt"):
        said += path.read_text("utf-8").splitlines()
    found = [[(m.span(), m.lastgroup) for m in whole.finditer(text)] for text in said]
    assert found == [[(m.span(), m.lastgroup) for m in times_in(text)] for text in said]
    assert sum(map(len, found)) > 500


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("leaves on 1/20/26", 2026),
        ("due 15/02/27", 2027),
        ("since 20/1/25", 2025),
        ("born 25/6/98", 1998),
    ],
)
def test_a_year_of_two_digits_is_one_near_now(text: str, year: int) -> None:
    for prefer in ("past", "future"):
        (time,) = find_times(text, datetime(2026, 1, 10, 9), prefer=prefer)
        assert time.start.year == year


def test_names_of_days_and_months_are_those_of_unicode() -> None:
    assert (weekdays("en"), months("en")) == (WEEKDAYS, MONTHS)
    assert (weekdays("de"), months("de")) == (GERMAN_WEEKDAYS, GERMAN_MONTHS)
