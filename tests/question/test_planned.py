"""Questions for all that is planned for a time: the messages that name its days, written before these."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from three_chats import asked, memory_of, opened

from minirag_chat import ChatMemory
from minirag_chat.times import message_times
from minirag_chat.times.in_messages import date_before

ALLOTMENT = """\
01/03/2026, 09:00 - Nell: seeds on 14 March, and the hose is broken
02/03/2026, 09:00 - Omar: ok
14/03/2026, 18:00 - Omar: lovely today, beans on 2 April
20/03/2026, 10:00 - Nell: beans moved to 9 April!
21/03/2026, 10:00 - Omar: dinner at ours on 11 April?
22/03/2026, 10:00 - Nell: yes please
"""
WORK = """\
10/03/2026, 08:00 - Pia Lund: audit is on 8 April
23/03/2026, 08:00 - Pia Lund: thanks for last week, the 20th of march was a good day
"""
SEPTEMBER = 9
APRIL = ["audit is on 8 April", "beans on 2 April", "beans moved to 9 April", "dinner at ours"]


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("planned")
    exports = {"Allotment": ALLOTMENT, "Pia Lund": WORK}
    for title, text in exports.items():
        (folder / f"WhatsApp Chat with {title}.txt").write_text(text, encoding="utf-8")
    files = [folder / f"WhatsApp Chat with {title}.txt" for title in exports]
    with memory_of(folder, "Omar", *files) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "messages"),
    [
        ("What are the plans for April?", APRIL),
        ("any plans for april", APRIL),
        ("What's coming up?", APRIL),
        ("what's happening in April", APRIL),
        ("Was haben wir im April vor?", APRIL),
        ("Was steht im April an?", APRIL),
        ("pläne für april", APRIL),
        ("What do we have planned in April in Allotment?", APRIL[1:]),
        ("What are my plans for the 8th of April?", [APRIL[0]]),
        ("What do I have in April?", APRIL),
        ("When am I free in April?", APRIL),
        ("which days am I free in april", APRIL),
        ("when do I work in April?", APRIL),
        ("What is the next event?", APRIL),
        ("what's the next thing in Allotment", APRIL[1:]),
        ("What are my upcoming appointments?", APRIL),
        ("do I have anything on 8 April?", [APRIL[0]]),
        ("what have we got on in april", APRIL),
        ("What were the plans for March?", ["seeds on 14 March"]),
        ("what was planned for 14 march", ["seeds on 14 March"]),
        ("What plans do I have with Pia?", [APRIL[0]]),
        ("what plans do i have w/ Pia", [APRIL[0]]),
        ("What's coming up with Pia?", [APRIL[0]]),
        ("plans with Pia", [APRIL[0]]),
        ("anything planned with Pia in April", [APRIL[0]]),
        ("what's going on with Pia in April?", [APRIL[0]]),
        ("What's planned for 14 March?", ["seeds on 14 March"]),
        ("What are the plans for this month?", ["seeds on 14 March"]),
    ],
)
def test_a_question_for_the_plans_of_a_time_lists_what_names_its_days(
    chats: ChatMemory, question: str, messages: list[str]
) -> None:
    answer = asked(chats, question)
    shown = [source.message.text for source in answer.sources]
    assert len(shown) == len(messages), answer.text
    assert all(start in text for text, start in zip(shown, messages, strict=True)), shown
    assert answer.model == "extractive"
    assert not answer.abstained


def test_each_line_says_for_which_day_a_message_was_written(chats: ChatMemory) -> None:
    second = asked(chats, "What are the plans for April?").text.splitlines()[1]
    assert second == (
        "- For 9 April 2026 instead of 2 April 2026: Omar, 14 March 2026, 18:00 in “Allotment”: "
        "“lovely today, beans on 2 April” [2] "
        "This may have changed: Nell, 20 March 2026, 10:00: “beans moved to 9 April!” [3]"
    )


def test_what_was_moved_stays_for_the_day_that_is_asked_about(chats: ChatMemory) -> None:
    text = asked(chats, "What is planned for 2 April?").text
    assert text.startswith("- For 2 April 2026: Omar, 14 March 2026"), text
    assert "This may have changed: Nell, 20 March 2026" in text


def test_another_time_can_be_asked_after_it(chats: ChatMemory) -> None:
    before = asked(chats, "What are the plans for April?")
    answer = chats.ask("and for March?", history=[(before.question, before.text)])
    assert [source.message.text for source in answer.sources] == [
        "seeds on 14 March, and the hose is broken"
    ]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What are the plans for October?", "I found nothing planned for October: no message seems to name a day of it."),
        ("what's on on 3 June", "I found nothing planned for 3 June 2026: no message seems to name a day of it."),
        ("anything on tomorrow?", "I found nothing planned for tomorrow, 24 March 2026: no message"),
        ("Is anything planned with Pia in October?", "I found nothing planned for October: no message with Pia Lund seems to name a day of it."),
    ],
)  # fmt: skip
def test_that_nothing_is_planned_for_a_time_to_come_is_said(
    chats: ChatMemory, question: str, text: str
) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(text), answer.text
    assert (answer.abstained, answer.reason) == (True, "no_messages")


@pytest.mark.parametrize(
    "question",
    [
        "What were the plans for February?",  # no message names a day of it, and some may be about it
        "What are Nell's plans for April?",  # of one person: others may know them too
        "What are the plans for the beans?",
        "What is the plan with the hose?",
        "When are we planting the beans?",
        "Who has plans in April?",
    ],
)
def test_what_is_not_all_that_is_planned_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert not asked(chats, question).text.startswith("- For ")


@pytest.mark.slow
def test_many_plans_are_cut_to_the_first_with_the_number_of_the_rest(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("many")
    export = folder / "WhatsApp Chat with Nell.txt"
    lines = [f"01/03/2026, 09:{n:02} - Nell: job {n} on {n} May" for n in range(1, 15)]
    export.write_text("\n".join(lines), encoding="utf-8")
    with memory_of(folder, "Nell", export) as memory:
        answer = asked(memory, "What are the plans for May?")
    assert len(answer.sources) == 10
    assert answer.text.endswith(
        "And up to 4 more, the last for 14 May 2026: ask for a shorter time."
    )


def test_a_deleted_message_plans_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("deleted")
    export = folder / "WhatsApp Chat with Allotment.txt"
    export.write_text(ALLOTMENT, encoding="utf-8")
    with memory_of(folder, "Omar", export) as memory:
        memory.delete(since=datetime(2026, 3, 20))
        answer = asked(memory, "What are the plans for April?")
    assert [source.message.text for source in answer.sources] == ["lovely today, beans on 2 April"]


MONTHS = """\
01/03/2026, 09:00 - Nell: we come back in September
02/03/2026, 09:00 - Omar: the festival is from 3 to 6 September
03/03/2026, 09:00 - Omar: it will be like the summer of '69
04/03/2026, 09:00 - Nell: see you next year then!
05/03/2026, 09:00 - Nell: bye
"""


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("months")
    export = folder / "WhatsApp Chat with Nell.txt"
    export.write_text(MONTHS, encoding="utf-8")
    with memory_of(folder, "Omar", export) as memory:
        yield memory


def test_a_month_is_named_as_one_and_what_is_long_or_far_is_not_coming_up(
    months: ChatMemory,
) -> None:
    lines = asked(months, "What is coming up?").text.splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        "From 5 March 2026 on:",
        "- For September 2026",
        "- For 3 September 2026 to 6 September 2026",
    ]


def test_a_month_is_no_plan_for_its_first_day(months: ChatMemory) -> None:
    answer = asked(months, "What are the plans for 1 September?")
    assert not answer.text.startswith("- For")


def test_that_nothing_is_coming_up_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("nothing")
    export = folder / "WhatsApp Chat with Pia Lund.txt"
    export.write_text(WORK, encoding="utf-8")
    with memory_of(folder, "Pia Lund", export) as memory:
        memory.delete(until=datetime(2026, 3, 20))
        answer = asked(memory, "What is coming up?")
        assert answer.abstained
        assert answer.reason == "no_messages"
        assert (
            answer.text
            == "I found nothing that is coming up: no message seems to name a day after the newest one."
        )
        assert "What is coming up?" not in memory.overview_questions()


def test_what_is_coming_up_is_suggested_where_there_is_something(months: ChatMemory) -> None:
    assert "What is coming up?" in months.overview_questions()


DECEMBER = """\
29/11/2026, 08:00 - Omar: hi
29/11/2026, 09:00 - Nell: away from 20 dec to 3 jan
29/11/2026, 09:10 - Nell: xmas meal: sat 12 dec, 7pm
29/11/2026, 09:20 - Nell: deadline moved from 14 december to 15 january
29/11/2026, 09:30 - Nell: IMG-20261216-WA0003.jpg (file attached)
29/11/2026, 09:40 - Nell: home for christmas
29/11/2026, 09:45 - Nell: fair 16 to 18 december
29/11/2026, 09:50 - Nell: party at new year
"""


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("what's on in december", ["xmas meal", "fair", "away", "home for christmas"]),
        ("What's on on 12 December?", ["xmas meal"]),
        ("what's planned for january", ["away", "party", "deadline moved"]),
        ("am I free on 28 December", ["away"]),
        ("what is planned for the 17th of December", ["fair"]),
        ("what are the plans for 1 December", []),
        ("what are the plans for new year", ["away", "party"]),
        ("what is planned between christmas and new year", ["away", "home for christmas", "party"]),
    ],
)
def test_a_period_is_a_plan_for_each_time_that_it_reaches_into_and_only_the_new_date_of_what_was_moved(
    tmp_path: Path, question: str, texts: list[str]
) -> None:
    export = tmp_path / "WhatsApp Chat with Nell.txt"
    export.write_text(DECEMBER, encoding="utf-8")
    with memory_of(tmp_path, "Omar", export) as memory:
        answer = asked(memory, question)
    shown = [source.message.text for source in answer.sources]
    assert len(shown) == len(texts), answer.text
    assert all(text.startswith(start) for text, start in zip(shown, texts, strict=True)), shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("xmas meal: sat 12 dec", [12]),
        ("christmas party on the 14th of december", [14]),
        ("home for christmas, back on 28 december", [25, 28]),
        ("merry christmas see you 28 december", [25, 28]),
        (f"xmas dinner{' ' * 100_000}and then we see: 12 dec", [25, 12]),
    ],
)
def test_a_holiday_in_the_name_of_an_occasion_is_no_day_of_its_own(
    text: str, days: list[int]
) -> None:
    times = message_times(text, datetime(2026, 12, 1, 9))
    assert [time.start.day for time in times] == days


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("dentist moved me to the 30th now", [30]),
        ("swap moves to the 21st, same time", [21]),
        ("postponed to the 26th", [26]),
        ("gym is the 27th now", [27]),
        ("the 25th at ours, 4pm", [25]),
        ("party is the 23rd", [23]),
        ("see you the 26th!", [26]),
        ("rent is due the 28th", [28]),
        ("its the 9th at 10:30", [9]),
        ("moved to the 10th at 11", [10]),
        ("what about the 19th?", [19]),
        ("van man can do the 30th, 180 for the day", [30]),
        ("why not on the 19th? we can do it on the 26th", [19, 26]),
        ("NOT on the 19th, its the 26th", [26]),
        ("not on the 19th", [19]),
        ("the 21st century", []),
        ("she is the 3rd, I think", []),
        ("which floor? the 9th", []),
        ("the best symphony is the 9th, obviously", []),
        ("moved up to the 14th", []),
        ("that is the 10th time, honestly", []),
        ("the 10th-largest lake is the 12th-deepest", []),
        ("we moved to the 5th floor", []),
        ("the 12th was great", []),
    ],
)
def test_the_number_of_a_day_is_a_plan_where_hardly_anything_else_is_meant(
    text: str, days: list[int]
) -> None:
    found = message_times(text, datetime(2026, 9, 8, 12))
    read = [(time.start.month, time.start.day) for time in found if not time.of_day]
    assert read == [(SEPTEMBER, day) for day in days]


def test_the_number_of_a_day_is_of_the_month_named_before_it() -> None:
    found = message_times("the fete is in october, the 10th at 2", datetime(2026, 9, 8, 12))
    assert [f"{time.start:%d %B}" for time in found if time.one_day and not time.of_day] == [
        "10 October"
    ]


@pytest.mark.parametrize(
    ("earlier", "then", "begin"),
    [
        ("What's on in April?", "and on the 9th?", "- For 9 April 2026: Nell"),
        ("What's on this week?", "and next week?", "- For 2 April 2026: Omar"),
        ("How many messages in March 2026?", "and the month before?", "There are no messages"),
        (
            "How many messages on 21 March 2026?",
            "and the day after?",
            "Nell sent 1 message, on 22 March",
        ),
        ("How many messages in February 2026?", "and the day after?", "Nell sent 1 message"),
        (
            "How many messages on 20 March 2026?",
            "and on the 14th?",
            "Omar sent 1 message, on 14 March",
        ),
    ],
)
def test_a_follow_up_may_name_a_time_beside_that_of_the_question(
    chats: ChatMemory, earlier: str, then: str, begin: str
) -> None:
    answer = chats.ask(then, history=[(earlier, "yes")])
    assert answer.text.startswith(begin), answer.text


def test_a_month_that_may_be_over_is_not_coming_up(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Nell.txt"
    export.write_text(
        "21/05/2026, 09:00 - Nell: you owe me 55 from january\n"
        "22/05/2026, 09:00 - Nell: the wedding is in december\n"
        "22/05/2026, 09:05 - Omar: and the fair in july\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Omar", export) as memory:
        shown = [source.message.text for source in asked(memory, "What's coming up?").sources]
        assert shown == ["and the fair in july", "the wedding is in december"]
        assert asked(memory, "What are the plans for January 2027?").sources


def test_a_plan_for_a_weekend_is_one_for_each_of_its_days(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Nell.txt"
    export.write_text(
        "15/11/2026, 18:00 - Nell: are you coming for the weekend of the 12th of December?\n"
        "15/11/2026, 18:05 - Omar: and in the week of 21 december i am off\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Omar", export) as memory:
        for day in ("12", "13"):
            answer = asked(memory, f"Am I free on {day} December?")
            assert answer.text.startswith("- For 12 December 2026 to 13 December 2026: Nell")
        for day in ("11", "14", "23"):
            assert asked(memory, f"Am I free on {day} December?").abstained


def test_a_message_of_several_lines_is_one_line_of_a_list(tmp_path: Path) -> None:
    text = "03/05/2024, 10:00 - Dana: party on 5 May:\n- soup\n- bread\n03/05/2024, 10:01 - Ollie: ok\n"
    with opened(tmp_path, chats={"Dana": text}, me="Ollie") as memory:
        for question in (
            "What are the plans for 5 May 2024?",
            "What did we talk about on 3 May 2024?",
        ):
            lines = asked(memory, question).text.splitlines()
            assert all(line.startswith("- ") and line.endswith("]") for line in lines), lines
            assert "party on 5 May: - soup - bread" in lines[0]


@pytest.mark.parametrize(
    "question",
    [
        "When am I next seeing Pia?",
        "when will i see pia next",
        "when do we meet Pia again?",
        "next time I see Pia",
    ],
)
def test_when_somebody_is_seen_is_what_is_planned_with_them_and_unsure(
    chats: ChatMemory, question: str
) -> None:
    answer = asked(chats, question)
    assert [source.message.text for source in answer.sources] == ["audit is on 8 April"]
    assert answer.confidence < 0.5


@pytest.mark.parametrize(
    "question", ["When did I last see Pia?", "When did I meet Pia on 3 March?"]
)
def test_when_somebody_was_seen_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert "From 2" not in asked(chats, question).text


STEAM = """\
05/08/2026, 19:00 - Bea: steam special on saturday 12 september, £89
05/08/2026, 19:01 - Ravi: cant, its my mums do
05/08/2026, 19:02 - Bea: then the 20th, they run it twice
09/08/2026, 09:00 - Ravi: the plumber comes on the 21st
"""


def test_a_number_of_a_day_is_of_the_month_that_was_just_spoken_of(tmp_path: Path) -> None:
    with opened(tmp_path, chats={"Bea": STEAM}, me="Ravi") as memory:
        there = asked(memory, "What's planned for 20 September?")
        assert [one.message.text for one in there.sources] == ["then the 20th, they run it twice"]
        assert "I found nothing planned" in asked(memory, "What's planned for 20 August?").text
        days_later = asked(memory, "What's planned for 21 August?")
        assert [one.message.text for one in days_later.sources] == ["the plumber comes on the 21st"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("then the 20th", "2026-09-20"),
        ("the 20th works", "2026-09-20"),
        ("the 31st?", "2026-08-31"),  # there is no 31 September
        ("then the 20th. " + "There is so much more to say. " * 4, "2026-08-20"),
    ],
)
def test_only_a_short_message_takes_the_month_of_what_was_said(text: str, day: str) -> None:
    at = datetime(2026, 8, 5, 19, 2)
    after = date_before([("steam special on saturday 12 september", at)], text, at)
    assert after == datetime(2026, 9, 12)
    (found,) = message_times(text, at, after=after)
    assert f"{found.start:%Y-%m-%d}" == day


NURIA = """\
08/11/2026, 18:00 - Nuria: llego el 22 de diciembre por la tarde
15/11/2026, 19:32 - Nuria: vale cambiado: llego el s\u00e1bado 19 a las 16.40 y me vuelvo el 2 de enero
17/11/2026, 18:20 - Jamie: boss wants me till the 24th so ill fly on the 27th, found one for 94 quid
19/11/2026, 19:33 - Callum: coming through for the xmas quiz, can i sleep on yours
23/11/2026, 18:20 - Tom: xmas quiz is tues 15 dec at the old chain, not the monday
24/11/2026, 19:30 - Fi: ok if i stay till the 16th bc of the xmas quiz
29/11/2026, 10:00 - Tom: hi
"""


@pytest.mark.parametrize(
    ("question", "begin", "texts"),
    [
        ("What is planned for 15 December?", "- For 15 December", ["xmas quiz is"]),
        ("any plans on the 19th of december", "- For 19 December", ["vale cambiado"]),
        ("any plans for the 16th of december", "- For 16 December", ["ok if i stay"]),
        ("any plans on the 27th of december", "Nothing is surely planned for 27 Dec", ["boss"]),
        ("what is planned for christmas", "Nothing is surely planned for christmas", ["boss"]),
        ("what is planned for boxing day", "I found nothing planned for boxing day", []),
        ("what's planned for 30 november", "I found nothing planned for 30 November", []),
        ("what's planned for 3 december", "I found nothing planned for 3 December", []),
        (
            "what's planned for december",
            "- For 15 December",
            ["xmas quiz is", "ok if i stay", "vale cambiado", "llego el 22"],
        ),
    ],
)
def test_a_day_is_denied_only_if_no_message_names_it(
    tmp_path: Path, question: str, begin: str, texts: list[str]
) -> None:
    with opened(tmp_path, chats={"Friends": NURIA}, me="Nuria") as memory:
        answer = asked(memory, question)
    assert answer.text.startswith(begin), answer.text
    shown = [source.message.text for source in answer.sources]
    assert len(shown) == len(texts), answer.text
    assert all(text.startswith(start) for text, start in zip(shown, texts, strict=True)), shown


def test_a_replaced_plan_is_listed_with_what_replaces_it(tmp_path: Path) -> None:
    with opened(tmp_path, chats={"Friends": NURIA}, me="Nuria") as memory:
        lines = asked(memory, "what's planned for december").text.splitlines()
    assert "This may have changed: Nuria, 15 November 2026" in lines[-1]


SMS = """\
08/11/2026, 16:05 - Padraig: ye are off to brazil? i can take pipoca again
08/11/2026, 16:06 - Larissa: you're an angel, 18 dec to 9 jan
08/11/2026, 16:07 - Larissa: drop her thurs 17 evening?
08/11/2026, 16:08 - Padraig: thurs works, after 7
30/11/2026, 10:00 - Larissa: hi
"""


def test_a_weekday_with_a_bare_number_is_the_next_day_with_both(tmp_path: Path) -> None:
    with opened(tmp_path, chats={"Padraig": SMS}, me="Larissa") as memory:
        answer = asked(memory, "what's on the 17th?")
        assert asked(memory, "what's planned for thurs 17?").text == answer.text
    assert [source.message.text for source in answer.sources] == [
        "drop her thurs 17 evening?",
        "thurs works, after 7",
    ]
    assert answer.text.count("For 17 December 2026") == len(answer.sources)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("thurs 17 or sat 19?", "2026-12-17"),
        ("thursday 17 morning", "2026-12-17"),
        ("meet her tues 1 at 8", "2026-12-01"),
        ("fri 20 people came", None),
        ("i sat 19 hours", None),
        ("thurs 18 evening", None),
    ],
)
def test_a_number_after_a_weekday_is_a_day_where_both_agree(text: str, day: str | None) -> None:
    times = message_times(text, datetime(2026, 11, 8, 16, 5))
    assert next((f"{one.start:%Y-%m-%d}" for one in times), None) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("thurs works, after 7", "2026-12-17"),
        ("see you thursday evening", "2026-12-17"),
        ("can you come this thursday?", "2026-11-12"),
        ("friday is better", "2026-11-13"),
        ("we met on thursday", "2026-11-05"),
    ],
)
def test_a_weekday_after_its_date_is_this_date(text: str, day: str) -> None:
    at = datetime(2026, 11, 8, 16, 5)
    after = date_before([("drop her thurs 17 evening?", at)], text, at)
    assert [f"{one.start:%Y-%m-%d}" for one in message_times(text, at, after=after)] == [day]


def test_the_chat_of_two_with_the_name_of_the_sender_is_not_repeated(tmp_path: Path) -> None:
    number = "30/11/2026, 09:00 - +353 85 111 0022: your appointment is on 2 December 2026\n"
    chats = {"+353 85 111 0022": number, "Padraig": SMS}
    with opened(tmp_path, chats=chats, me="Larissa") as memory:
        first, *others = asked(memory, "what's planned for december?").text.splitlines()
    assert first.count("+353 85 111 0022") == 1, first
    assert all("in \u201cPadraig\u201d" in line for line in others if "Larissa" in line)


def test_a_message_that_only_names_a_day_is_left_out_where_another_says_what_is_then(
    tmp_path: Path,
) -> None:
    export = tmp_path / "WhatsApp Chat with Nell.txt"
    export.write_text(
        "27/11/2026, 11:15 - Nell: the engineer needs a part. comes tues\n"
        "27/11/2026, 11:17 - Omar: tues as in tmrw week or tues 1st\n"
        "27/11/2026, 11:18 - Nell: 1 dec\n"
        "27/11/2026, 11:20 - Omar: ok tues 1st, 8pm\n"
        "28/11/2026, 15:00 - Nell: 2 dec?\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Omar", export) as memory:
        found = asked(memory, "What is coming up?").sources
    assert [one.message.text for one in found] == [
        "the engineer needs a part. comes tues",
        "ok tues 1st, 8pm",
        "2 dec?",
    ]


def test_when_somebody_works_may_be_another_plan(chats: ChatMemory) -> None:
    assert asked(chats, "When do I work in April?").confidence < 0.5
    assert asked(chats, "When am I free in April?").confidence > 0.5
