"""Which questions ask for an overview, and of what."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from three_chats import asked as answered
from three_chats import opened

from minirag_chat import ChatMemory
from minirag_chat.question import PlanContext, about, map_question
from minirag_chat.question.overview import LONGEST, as_overview, read_at
from minirag_chat.records import Filters, Question

OVERVIEWS = (
    "What is going on with Priya?",
    "What's up with Kwame?",
    "How is Priya doing these days?",
    "How has Kwame been?",
    "What did we talk about?",
    "What did we talk about this spring?",
    "What have we been talking about in March 2026?",
    "What are the main themes with Priya?",
    "What are the main topics?",
    "Summarize our chats",
    "Give me an overview of everything",
    "What did Priya and Kwame talk about last month?",
    "What did Priya and I talk about in May?",
    "Give me a summary of our conversations in April",
    "\u6211\u4eec\u804a\u4e86\u4ec0\u4e48\uff1f",
    "\u6211\u4eec\u4eca\u5929\u804a\u4e86\u4ec0\u4e48\uff1f",
    "What did we talk about on 3 May at 5 PM?",
    "What happened?",
    "What happened in May?",
    "What has happened since Easter?",
    "What happened between Priya and me in May?",
    "Can you tell me what happened in March?",
    "What was going on in June?",
    "What was happening in May?",
    "What is going on?",
    "What's new?",
    "What\u2019s new with everyone lately?",
    "Any news?",
    "What did I miss?",
    "What did we do last summer?",
    "What have we been up to this month?",
    "Tell me about March",
    "Tell me about our chats in March",
    "What did the family talk about in June 2025?",
    "What did the others write in May?",
    "Summarize what Priya wrote in March",
    "What did Priya say to Kwame in March?",
    "What did we talk about in May? What happened?",
    "What did we talk about in May? And with Priya?",
    "\u53d1\u751f\u4e86\u4ec0\u4e48",
    "\u4e0a\u4e2a\u6708\u53d1\u751f\u4e86\u4ec0\u4e48\u4e8b",
    "\u5927\u5bb6\u6700\u8fd1\u804a\u4e86\u4ec0\u4e48\uff1f",
    "What's new with Priya?",
    "Any news from Priya?",
    "What has Priya been up to lately?",
    "What is going on this week?",
    "Was haben wir im Mai besprochen?",
    "Wor\u00fcber haben Priya und Kwame im letzten Monat geredet?",
    "Was hat Priya am 14. Mai gesagt?",
    "Was gibt's Neues von Priya?",
    "Was war gestern los?",
    "Was ist im Mai passiert?",
    "Fass unsere Gespr\u00e4che im Mai zusammen",
    "summary of march pls",
    "What happened around Easter?",
    "What did we talk about around 10 May?",
    "Did anything happen in March?",
    "Has anything interesting happened since Easter?",
    "What did Priya say recently?",
    "Worum ging es im M\u00e4rz?",
    "Was ist im letzten Sommer passiert?",
    "Was ist im Sommer passiert?",
    "Was war im ersten Halbjahr 2026?",
    "Was war im M\u00e4rz?",
    "Zusammenfassung bitte",
    "Gib mir eine Zusammenfassung vom Oktober",
)


OTHERS = (
    "What did we talk about the ferry timetable?",
    "What did Priya say about the buns?",
    "What is the main ingredient of the buns?",
    "Who wrote the summary of the meeting?",
    "What happened to the van?",
    "What is new in the bakery window?",
    "When did we talk about Ottoline's recipe?",
    "Did Ann sum up the contract before Ben moved?",
    "What topic did Ivy choose for her thesis?",
    "How much is the ticket?",
    "What did we talk about the ferry timetable today?",
    "What happened to the van yesterday?",
    "What did we talk about in fall 0000?",
    "What did we talk about winter 9999?",
    "What happened to Priya in February?",
    "What happened in February with Priya?",
    "What happened with Kwame?",
    "What has happened to Priya and me?",
    "What happened to me in May?",
    "What happened to the family?",
    "What happened at Priya's?",
    "What is going on with the van?",
    "How is the van doing?",
    "What did we talk about Priya?",
    "Any news about Priya?",
    "What is Priya up to on Saturday?",
    "What did Priya say about Kwame in March?",
    "What did Priya write about me in March?",
    "What did Priya say?",
    "What did we do?",
    "What did Priya do in March?",
    "What did we do with Kwame in March?",
    "Tell me about Priya",
    "Tell me about the van in March",
    "What is happening in June?",
    "What is going on next week?",
    "What is planned for June?",
    "What's coming up next week?",
    "What's up next week?",
    "Who parked the van? What happened?",
    "Was hat Priya \u00fcber die Br\u00f6tchen geschrieben?",
    "Was hat Priya gekocht?",
    "\u00bfQu\u00e9 pas\u00f3 en mayo?",
    "What happened around the house?",
    "Did anything happen to Priya in March?",
    "Did anything happen with the van in March?",
    "What did Priya say about the van recently?",
    "Worum ging es?",
    "Worum geht es in dem Film?",
    "Was war im M\u00e4rz mit dem Van?",
    "Was war in der Kiste?",
    "Wo ist die Zusammenfassung?",
)


NOW = datetime(2026, 6, 10)


def asked(sample_words: ChatMemory, text: str) -> Question | None:
    return as_overview(map_question(text, sample_words._store, NOW, Filters()), PlanContext(NOW))


@pytest.mark.parametrize("text", OVERVIEWS)
def test_an_overview_question_is_recognised(sample_words: ChatMemory, text: str) -> None:
    assert asked(sample_words, text) is not None


@pytest.mark.parametrize("text", OTHERS)
def test_a_question_for_one_thing_is_not(sample_words: ChatMemory, text: str) -> None:
    assert asked(sample_words, text) is None


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("What happened around 10 May?", "2026-05-07", "2026-05-14"),
        ("What happened around Easter?", "2026-03-31", "2026-04-10"),
        ("What happened around the end of May?", "2026-05-21", "2026-06-01"),
        ("What happened around last March?", "2026-03-01", "2026-04-01"),
        ("What happened on 10 May?", "2026-05-10", "2026-05-11"),
        ("Was ist im letzten Sommer passiert?", "2025-06-01", "2025-09-01"),
        ("Was war im zweiten Halbjahr 2025?", "2025-07-01", "2026-01-01"),
    ],
)
def test_around_a_day_there_are_days_more(
    sample_words: ChatMemory, text: str, since: str, until: str
) -> None:
    found = asked(sample_words, text)
    assert found is not None
    assert [(f"{t.start:%Y-%m-%d}", f"{t.end:%Y-%m-%d}") for t in found.times] == [(since, until)]
    assert read_at(found, NOW).times == found.times


@pytest.mark.parametrize(
    ("text", "overview"),
    [
        ("What did I do last week?", True),
        ("What did I miss?", True),
        ("What did I do with Kwame last week?", False),
        ("What happened to me?", False),
        ("Summarize my chats", True),
    ],
)
def test_who_asks_is_no_other_person_once_known(
    sample_words: ChatMemory, text: str, overview: bool
) -> None:
    me = map_question("Priya", sample_words._store, NOW, Filters()).people[0]
    mapped = map_question(about(text, me.name), sample_words._store, NOW, Filters())
    assert (as_overview(mapped, PlanContext(NOW, me=me.id)) is not None) is overview
    assert (asked(sample_words, text) is not None) is overview


@pytest.mark.parametrize(
    "asks", ["What did I write in March?", "What did I do in March?", "What was I up to in May?"]
)
def test_what_i_wrote_or_did_is_looked_for_in_my_messages(
    sample_words: ChatMemory, asks: str
) -> None:
    me = map_question("Priya", sample_words._store, NOW, Filters()).people[0]
    text = about(asks, me.name)
    found = as_overview(
        map_question(text, sample_words._store, NOW, Filters()), PlanContext(NOW, me=me.id)
    )
    assert found is not None
    assert found.quoted_speakers == (me,)


@pytest.mark.parametrize(
    ("text", "listens"),
    [
        ("What's new with Priya?", ()),
        ("What has Priya been up to this spring?", ()),
        ("Was hat Priya im Mai geschrieben?", ()),
        ("Was hat Priya im Mai zu Kwame gesagt?", ("Kwame",)),
    ],
)
def test_what_somebody_writes_is_looked_for_in_their_messages(
    sample_words: ChatMemory, text: str, listens: tuple[str, ...]
) -> None:
    found = asked(sample_words, text)
    assert found is not None
    assert [person.name[:5] for person in found.quoted_speakers] == ["Priya"]
    assert tuple(person.name[:5] for person in found.people) == listens


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did we talk about this spring?", datetime(2026, 3, 1), datetime(2026, 6, 1)),
        ("What did we talk about last winter?", datetime(2025, 12, 1), datetime(2026, 3, 1)),
        ("Summarize our chats in 2025", datetime(2025, 1, 1), datetime(2026, 1, 1)),
        ("Summarize our 2025 chats", datetime(2025, 1, 1), datetime(2026, 1, 1)),
        ("What did we talk about today?", datetime(2026, 6, 10), datetime(2026, 6, 11)),
        ("What did we talk about this week?", datetime(2026, 6, 8), datetime(2026, 6, 15)),
        ("What did we talk about this month?", datetime(2026, 6, 1), datetime(2026, 7, 1)),
        ("What did we talk about on Monday?", datetime(2026, 6, 8), datetime(2026, 6, 9)),
        ("What did we talk about over the weekend?", datetime(2026, 6, 6), datetime(2026, 6, 8)),
        ("What did we talk about since Monday?", datetime(2026, 6, 8), datetime(2026, 6, 11)),
        (
            "What did we talk about since March and before May?",
            datetime(2026, 3, 1),
            datetime(2026, 5, 1),
        ),
        ("What is happening in April 2025?", datetime(2025, 4, 1), datetime(2025, 5, 1)),
        ("What's new?", datetime(2026, 5, 11), datetime(2026, 6, 11)),
    ],
)
def test_a_time_that_is_named_is_the_period(
    sample_words: ChatMemory, text: str, start: datetime, end: datetime
) -> None:
    found = asked(sample_words, text)
    assert found is not None
    assert [(span.start, span.end) for span in found.times] == [(start, end)]


def test_two_times_are_two_periods(sample_words: ChatMemory) -> None:
    found = asked(sample_words, "What did we talk about yesterday and today?")
    assert found is not None
    assert [(span.start.day, span.end.day) for span in found.times] == [(9, 10), (10, 11)]


@pytest.mark.parametrize(
    ("when", "days"), [("at Easter 2025", (18, 22)), ("on Good Friday 2025", (18, 19))]
)
def test_a_feast_has_all_its_days(
    sample_words: ChatMemory, when: str, days: tuple[int, int]
) -> None:
    found = asked(sample_words, f"What happened {when}?")
    assert found is not None
    (span,) = found.times
    assert (span.start.day, span.end.day) == days


def test_a_feast_that_was_talked_about_is_a_topic(sample_words: ChatMemory) -> None:
    assert asked(sample_words, "What did we discuss about Christmas?") is None
    assert asked(sample_words, "What did we discuss at Christmas?") is not None


def test_a_chat_is_named_by_its_title_and_a_group_by_what_it_is(sample_words: ChatMemory) -> None:
    chats = {1: "Family \U0001f3e1", 2: "Book Club", 3: "Priya", 4: "We", 5: "March 2026"}

    def inside(text: str) -> frozenset[int] | None:
        mapped = map_question(text, sample_words._store, NOW, Filters())
        found = as_overview(mapped, PlanContext(NOW, chats))
        return None if found is None else found.filters.chats

    assert inside("What did the family talk about in June 2025?") == {1}
    assert inside("What's going on with the family?") == {1}
    assert inside("Summarize the book club chat") == {2}
    assert inside("What did Book Club talk about?") == {2}
    assert inside("What did we talk about with Priya in March 2026?") == frozenset()
    assert inside("What did the group talk about?") == frozenset()
    assert inside("What did we write about Book Club?") is None
    assert inside("What happened to Book Club?") is None


def test_a_chat_that_is_filtered_out_is_no_overview(sample_words: ChatMemory) -> None:
    mapped = map_question(
        "Summarize Book Club", sample_words._store, NOW, Filters(chats=frozenset({7}))
    )
    assert as_overview(mapped, PlanContext(NOW, {2: "Book Club"})) is None


@pytest.mark.parametrize(
    "text",
    [
        "what did we talk about " * 200,
        "they and " * 500,
        "in May " * 600,
        "Priya, " * 600,
        " ".join(f"{day}/{month}/2019" for month in range(1, 13) for day in range(1, 28)),
    ],
)
@pytest.mark.timeout(60)  # it takes a tenth of a second
def test_a_long_question_does_not_keep_the_patterns_busy(
    sample_words: ChatMemory, text: str
) -> None:
    people = map_question("Priya and Kwame", sample_words._store, NOW, Filters()).people
    chats = {n: f"Club {n} what did we May Priya" for n in range(2000)}
    as_overview(Question(text[:LONGEST], people=people), PlanContext(NOW, chats))
    assert as_overview(Question((text * 9)[:4000], people=people), PlanContext(NOW, chats)) is None


def test_a_name_may_lack_its_accents(tmp_path: Path) -> None:
    text = "03/05/2024, 10:00 - Inès Brun: bonjour\n03/05/2024, 10:01 - Tom Reed: hello\n"
    with opened(tmp_path, chats={"Inès Brun": text}) as memory:
        for question in ("What has ines been up to?", "what did ines write in May 2024"):
            assert answered(memory, question).text.startswith("- Inès Brun, 3 May 2024"), question


@pytest.mark.parametrize(
    "question", ["catch me up on the cabin crew", "fill me in on the cabin", "catch us up on Dana"]
)
def test_to_be_caught_up_is_an_overview_of_the_chat_or_person(
    tmp_path: Path, question: str
) -> None:
    with opened(tmp_path) as memory:
        assert "we have the cabin from friday" in answered(memory, question).text
        assert len(answered(memory, question).sources) > 1


@pytest.mark.parametrize(
    ("question", "planned"),
    [
        ("What's on this week?", True),
        ("What's happening this week?", True),
        ("What is up this week?", False),
        ("What did we talk about this week?", False),
    ],
)
def test_what_is_on_in_a_week_that_has_begun_is_what_is_planned(
    tmp_path: Path, question: str, planned: bool
) -> None:
    text = "08/05/2024, 10:00 - Dana Fox: party on 11 May\n08/05/2024, 10:01 - Tom Reed: great\n"
    with opened(tmp_path, chats={"Dana Fox": text}) as memory:
        assert answered(memory, question).text.startswith("- For 11 May 2024") is planned
