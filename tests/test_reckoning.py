"""Dates compared in code: order, interval, first and last time, counts; with dates in the path."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fakes import ScriptedModel, ScriptedReader, WordEmbedder
from places import write_log

from minirag_chat import Answer, ChatMemory, Settings
from minirag_chat.answer.computed import Occurrence, compare
from minirag_chat.answer.durations import rounded
from minirag_chat.question.event_dates import is_undated, when_happened
from minirag_chat.question.shape import find_shape
from minirag_chat.records import Message, Shape

YEAR = {
    "20260105_1000": ("Ann: I have paid the deposit for the flat.", "Ben: Well done!"),
    "20260119_1800": ("Ben: I moved the sofa into the flat today.", "Ann: Great."),
    "20260302_0900": ("Ann: I have cancelled the dinner with Ben.", "Ben: Again?"),
    "20260410_0900": ("Ann: Sorry, I cancelled the dinner once more.", "Ben: Never mind."),
    "20260501_1200": ("Ben: The sourdough is in the oven.", "Ann: I smell it from here."),
}


MOVED_BEFORE = "Did Ann move into the flat before Ben left the island?"
HOW_LONG = "How long after Ann moved into the flat did Ben leave the island?"
MORE_HOURS = "Was the interval between Ann moving into the flat and Ben leaving the island more than 3 hours?"
MORE_DAYS = (
    "Was the interval between Ann moving into the flat and Ben leaving the island more than 3 days?"
)


def told(folder: Path, log: dict[str, tuple[str, ...]], *, with_model: bool = True) -> ChatMemory:
    """A memory of ``log`` that answers everything; its model sees each event, and reads "No."."""
    named = {} if with_model else {"model": "extractive", "model_dir": folder}
    memory = ChatMemory.open(
        folder / "chats.db",
        Settings.make(abstain_below=0.0, **named),
        embedder=WordEmbedder(),
        chat_model=ScriptedModel("No.") if with_model else None,
    )
    memory.add(write_log(folder / "log", log))
    return memory


@pytest.fixture
def year(tmp_path: Path) -> ChatMemory:
    return told(tmp_path, YEAR)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Did Ann pay the deposit for the flat before Ben moved the sofa?", "Yes: "),
        ("Did Ann pay the deposit for the flat after Ben moved the sofa?", "No: "),
        ("Was the deposit paid before or after Ben moved the sofa?", "Before: "),
        ("Which came first, the sourdough or the sofa?", "The sofa: "),
        (
            "Is the interval between Ann paying the deposit and Ben moving the sofa more than a week?",
            "Yes, 14 days ",
        ),
        ("How long after Ann paid the deposit did Ben move the sofa?", "14 days "),
        ("Did Ben move the sofa less than a week after Ann paid the deposit?", "No, 14 days "),
        ("Did Ann pay the deposit more than a week before Ben moved the sofa?", "Yes, 14 days "),
        ("Did Ben move the sofa two days after Ann paid the deposit?", "14 days "),
    ],
)
def test_dates_are_compared_in_code_not_by_the_model(
    year: ChatMemory, question: str, begins: str
) -> None:
    answer = year.ask(question)
    assert answer.text.startswith(begins), answer.text
    assert {str(source.sent_at.date()) for source in answer.sources} <= {
        "2026-01-05", "2026-01-19", "2026-05-01",
    }  # fmt: skip
    assert "[1]" in answer.text
    assert "[2]" in answer.text


@pytest.mark.parametrize(
    ("apart", "words"),
    [
        (timedelta(0), "no time"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(minutes=20), "20 minutes"),
        (timedelta(minutes=95), "1.5 hours"),
        (timedelta(minutes=149), "2.5 hours"),
        (timedelta(hours=2, minutes=55), "3 hours"),
        (timedelta(hours=3, minutes=40), "4 hours"),
        (timedelta(minutes=80), "80 minutes"),
        (timedelta(hours=23, minutes=40), "1 day"),
        (timedelta(days=2, hours=5), "2 days and 5 hours"),
        (-timedelta(days=13, hours=20), "14 days"),
    ],
)
def test_a_gap_is_told_in_the_unit_that_fits(apart: timedelta, words: str) -> None:
    assert rounded(apart) == words


@pytest.mark.parametrize(
    ("stamps", "begins"),
    [
        ([f"202601{day:02}_1000" for day in range(1, 21)], "At least 8 times"),
        ([f"20260105_{hour:02}00" for hour in range(2, 22, 2)], "At least once"),
    ],
)
def test_where_every_conversation_that_was_looked_at_shows_it_there_may_be_more(
    tmp_path: Path, stamps: list[str], begins: str
) -> None:
    log = dict.fromkeys(stamps, ("Ann: I have cancelled the dinner.", "Ben: Again?"))
    text = told(tmp_path, log).ask("How many times did Ann cancel the dinner?").text
    assert text.startswith(begins), text


@pytest.mark.parametrize(
    ("said", "left", "question", "begins"),
    [
        (
            "yesterday",
            "20260509_2000",
            MOVED_BEFORE,
            "On the same day, and which came first is not said: ",
        ),
        ("yesterday", "20260509_2000", HOW_LONG, "On the same day: "),
        ("yesterday", "20260509_2000", MORE_HOURS, "On the same day: "),
        ("yesterday", "20260509_2000", MORE_DAYS, "No, on the same day: "),
        ("yesterday", "20260512_2000", MOVED_BEFORE, "Yes: "),
        ("yesterday", "20260512_2000", HOW_LONG, "3 days lay between them"),
        ("yesterday evening", "20260509_2000", MOVED_BEFORE, "On the same day, and "),
        ("yesterday at 6 pm", "20260509_2000", MOVED_BEFORE, "Yes: "),
        ("yesterday at 6 pm", "20260509_2000", HOW_LONG, "2 hours lay between them"),
    ],
)
def test_where_only_the_day_is_known_no_hours_are_made_up(
    tmp_path: Path, said: str, left: str, question: str, begins: str
) -> None:
    log = {
        "20260510_0900": (f"Ann: I moved into the flat {said}.",),
        left: ("Ben: I have just left the island.",),
    }
    text = told(tmp_path, log).ask(question).text
    assert text.startswith(begins), text


@pytest.mark.parametrize(
    ("limit", "verdict"),
    [
        ("at least three days", "Yes"), ("more than three days", "No"), ("less than three days", "No"),
        ("at most three days", "Yes"), ("within three days", "Yes"), ("no more than three days", "Yes"),
        ("at least four days", "No"), ("more than two days", "Yes"), ("no less than four days", "No"),
    ],
)  # fmt: skip
def test_a_gap_that_is_just_the_limit_is_at_least_and_at_most_that(
    tmp_path: Path, limit: str, verdict: str
) -> None:
    log = {
        "20260510_0900": ("Ann: I moved into the flat yesterday.",),
        "20260512_2000": ("Ben: I have just left the island.",),
    }
    question = (
        f"Was the interval between Ann moving into the flat and Ben leaving the island {limit}?"
    )
    text = told(tmp_path, log).ask(question).text
    assert text.startswith(f"{verdict}, 3 days lay between them"), text


@pytest.mark.parametrize(
    ("limit", "left", "begins"),
    [
        ("at most three hours", "20260510_1210", "No, 3 hours and 10 minutes lay"),
        ("more than three hours", "20260510_1210", "Yes, 3 hours and 10 minutes lay"),
        ("at least eight days", "20260518_0800", "No, 7 days and 23 hours lay"),
        ("at most three hours", "20260510_1200", "Yes, 3 hours lay"),
        ("at most two hours", "20260510_1210", "No, 3 hours lay"),
    ],
)
def test_a_gap_near_the_limit_is_given_to_the_minute(
    tmp_path: Path, limit: str, left: str, begins: str
) -> None:
    log = {
        "20260510_0900": ("Ann: I have just moved into the flat.",),
        left: ("Ben: I have just left the island.",),
    }
    question = (
        f"Was the interval between Ann moving into the flat and Ben leaving the island {limit}?"
    )
    text = told(tmp_path, log).ask(question).text
    assert text.startswith(begins), text


COOKED = {
    "20260501_0900": ("Ben: I cooked dinner yesterday.", "Ann: Nice."),
    "20260510_1900": ("Ben: I cooked dinner today.", "Ann: Nice."),
    "20260601_0900": ("Ben: I cooked dinner yesterday.", "Ann: Nice."),
    "20260603_0900": ("Ben: I cooked dinner yesterday.", "Ann: Nice."),
}


def test_a_period_is_that_of_the_event_not_of_its_message(tmp_path: Path) -> None:
    text = told(tmp_path, COOKED).ask("How many times did Ben cook dinner in May?").text
    assert text.startswith("Twice"), text
    assert "10 May 2026 [1] and 31 May 2026 [2]" in text


@pytest.mark.parametrize(("which", "day"), [("first", "10 May"), ("last", "1 June")])
def test_the_first_time_in_a_period_is_of_that_period(tmp_path: Path, which: str, day: str) -> None:
    memory = told(tmp_path, COOKED)
    model = memory.models.loaded
    assert isinstance(model, ScriptedModel)
    memory.ask(f"When did Ben {which} cook dinner in May?")
    read = [line for line in model.asked[-1][-1].content.splitlines() if "2026" in line]
    assert [day in line for line in read] == [True], read


def test_the_path_shows_the_dated_events(year: ChatMemory) -> None:
    path = year.ask("Did Ann pay the deposit for the flat before Ben moved the sofa?").path
    dates = {node.name for node in path.nodes if node.type == "time"}
    assert {"5 January 2026", "19 January 2026"} <= dates
    cited = {node.id for node in path.nodes if node.type == "message"}
    assert {edge.target for edge in path.edges if edge.label.startswith("dated ")} == cited


@pytest.mark.parametrize(
    ("when", "shown"),
    [
        ("in March 2026", "2026-03-01 \u2013 2026-03-31"),
        ("on 2 March 2026", "2026-03-02"),
        ("since 2 March 2026", "since 2026-03-02"),
        ("before 10 April 2026", "until 2026-04-09"),
    ],
)
def test_the_path_shows_the_days_that_a_time_has(year: ChatMemory, when: str, shown: str) -> None:
    path = year.ask(f"What did Ann cancel {when}?").path
    assert [node.detail for node in path.nodes if node.id.startswith("time:")] == [shown]


def test_how_often_counts_the_conversations_that_show_it(year: ChatMemory) -> None:
    model = year.models.loaded
    assert isinstance(model, ScriptedModel)
    model.says_yes_to = "cancelled the dinner"
    answer = year.ask("How many times did Ann cancel the dinner?")
    assert answer.text.startswith("Twice")
    assert "2 March 2026 [1] and 10 April 2026 [2]" in answer.text


def at(day: int, text: str, sure: float, score: float) -> Occurrence:
    sent = datetime(2026, 1, day)
    message = Message(id=day, chat="Chat", sender="Ann", sent_at=sent, text=text, session_id=day)
    signals = {"coverage": sure, "cosine": 0.8}
    return Occurrence(text, message, sent, text, sure, score, signals)


@pytest.mark.parametrize(("sure", "begins"), [(0.4, "No: "), (0.6, "Yes: ")])
def test_only_messages_that_show_both_events_prove_the_supposed_order(
    sure: float, begins: str
) -> None:
    shape = Shape("order", ("Ann buy the boat", "Ben move the sofa"), "before")
    bought = [at(20, "I bought the boat.", 1.0, 3.0), at(1, "I bought a key.", sure, 2.5)]
    answer = compare(shape, [bought, [at(10, "The sofa is in.", 1.0, 3.0)]])
    assert answer is not None
    assert answer.text.startswith(begins)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("dec cafe is the 12th, xmas special. ideas?", 20),
        ("the cafe is on Christmas Eve", 24),
    ],
)
def test_a_holiday_is_the_day_of_an_event_only_after_a_word_for_when(text: str, day: int) -> None:
    message = Message(id=1, chat="Chat", sender="Ann", sent_at=datetime(2026, 12, 20), text=text)
    start, _end = when_happened("the cafe", message)
    assert start.day == day


VISITS = {
    "20260105_1000": ("Ann: I visited Grandpa today.", "Ben: How is he?"),
    "20260209_1000": ("Ben: Visited Grandpa today.", "Ann: Good."),
    "20260302_1000": ("Cem: Ann visited Grandpa on her way.", "Dora: Nice."),
    "20260410_1000": ("Ann: Visited Grandpa again.", "Ben: Good."),
}


@pytest.fixture
def visits(tmp_path: Path) -> ChatMemory:
    return told(tmp_path, VISITS)


@pytest.mark.parametrize(
    ("question", "begins", "days"),
    [
        ("How many times did Ann visit Grandpa?", "3 times", {"01-05", "03-02", "04-10"}),
        ("How many times did Ben visit Grandpa?", "Once", {"02-09"}),
        ("How many times did Ann visit Grandpa in April?", "Once", {"04-10"}),
    ],
)
def test_a_count_is_of_who_acts_and_in_the_time_that_is_named(
    visits: ChatMemory, question: str, begins: str, days: set[str]
) -> None:
    answer = visits.ask(question)
    assert answer.text.startswith(begins), answer.text
    assert {f"{source.sent_at:%m-%d}" for source in answer.sources} == days


THANKS = {
    "20260105_1000": ("Ann: thanks for the lift Ben!", "Ben: no worries"),
    "20260209_1000": ("Ben: you thanked me for the lift already", "Ann: did I"),
}


def test_what_somebody_said_is_counted_in_their_own_messages(tmp_path: Path) -> None:
    answer = told(tmp_path, THANKS).ask("How often did Ann thank Ben for the lift?")
    assert [source.message.sender for source in answer.sources] == ["Ann"], answer.text


@pytest.mark.parametrize(
    "question",
    ["how often water the soup", "How many times will Ben cook?", "How often must I stir?"],
)
def test_a_habit_and_what_is_to_come_are_not_counted(question: str) -> None:
    assert find_shape(question, ()) is None


COOKS = {
    "20260105_1000": ("Ivy: The museum was great.", "Ben: Fine.", "Ben: Good."),
    "20260205_1000": ("Ivy: The boat is nice.", "Ben: Indeed.", "Ben: Sure."),
    "20260305_1000": ("Ivy: I swam in the lake.", "Ben: Good.", "Ben: Cold?"),
    "20260115_1000": ("Ben: I cooked soup.", "Cem: Nice."),
    "20260215_1000": ("Ben: I cooked rice.", "Cem: Nice."),
    "20260315_1000": ("Ben: I cooked lentils.", "Cem: Nice."),
    "20260325_1000": ("Ben: I cooked a stew.", "Cem: Nice."),
}


@pytest.mark.parametrize("abstain_below", [None, 0.0])
def test_without_a_model_a_count_is_of_what_was_said_not_of_who_said_it_or_when(
    tmp_path: Path, abstain_below: float | None
) -> None:
    more = {} if abstain_below is None else {"abstain_below": abstain_below}
    settings = Settings.make(model="extractive", model_dir=tmp_path, **more)
    with ChatMemory.open(tmp_path / "chats.db", settings, embedder=WordEmbedder()) as memory:
        memory.add(write_log(tmp_path / "log", COOKS))
        memory.set_me("Ivy")
        asked = "How many times did {} cook{}?".format
        assert "times" not in memory.ask(asked("I", ""), history=()).text
        for when in ("", " this year", " in 2026", " since January"):
            answer = memory.ask(asked("Ben", when), history=())
            assert answer.text.startswith("Perhaps 4 times, judging by the words"), (
                when,
                answer.text,
            )
            assert answer.confidence < 0.5, "unsure, as the text says"


def test_an_event_was_on_the_past_day_that_its_message_names(tmp_path: Path) -> None:
    log = {
        "20260107_1000": ("Ann: I paid the deposit for the flat on Monday.", "Ben: Well done!"),
        "20260119_1800": ("Ben: I moved the sofa into the flat yesterday.", "Ann: Great."),
    }
    answer = told(tmp_path, log).ask("How long after Ann paid the deposit did Ben move the sofa?")
    assert answer.text.startswith("13 days"), answer.text
    assert "on 7 January 2026 about 5 January 2026 [1]" in answer.text
    assert "on 19 January 2026 about 18 January 2026 [2]" in answer.text
    assert {n.name for n in answer.path.nodes if n.id.startswith("event:")} == {
        "5 January 2026", "18 January 2026",
    }  # fmt: skip


def test_a_place_whose_name_sounds_like_a_verb_of_speech_is_not_said(tmp_path: Path) -> None:
    log = {
        "20260107_1000": ("Ann: I paid the deposit for the flat.", "Ben: Well done!"),
        "20260119_1800": ("Ben: I drove to the station yesterday.", "Ann: Great."),
    }
    asked = "How long after Ann paid the deposit did Ben drive to the station?"
    assert told(tmp_path, log).ask(asked).text.startswith("11 days")


def test_what_only_others_did_is_not_counted(visits: ChatMemory) -> None:
    answer = visits.ask("How many times did Dora visit Grandpa?")
    assert answer.text.startswith("No."), "the model reads, and nothing is counted"


def test_a_gap_that_would_run_against_the_question_is_not_reckoned(year: ChatMemory) -> None:
    answer = year.ask("How long after Ben moved the sofa did Ann pay the deposit for the flat?")
    assert "lay between them" not in answer.text


@pytest.mark.parametrize(
    "question", ["When did Ann last cancel the dinner?", "When did Ann cancel the dinner last?"]
)
def test_the_last_time_is_read_from_the_latest_conversation(
    year: ChatMemory, question: str
) -> None:
    model = year.models.loaded
    assert isinstance(model, ScriptedModel)
    model.says_yes_to = "cancelled the dinner"
    year.ask(question)
    prompt = model.asked[-1][-1].content
    assert "10 April 2026" in prompt
    assert "2 March 2026" not in prompt
    assert question in prompt, "the question as it was asked"


def test_around_a_first_time_only_what_passes_the_filters_is_read(tmp_path: Path) -> None:
    memory = told(tmp_path, COOKED)
    model = memory.models.loaded
    assert isinstance(model, ScriptedModel)
    memory.ask("When did Ben first cook dinner?", history=[])
    assert "Ann: Nice." in model.asked[-1][-1].content
    asked = len(model.asked)
    memory.ask("When did Ben first cook dinner?", history=[], people=["Ben"])
    read = [turns[-1].content for turns in model.asked[asked:]]
    assert any("Ben: I cooked dinner" in content for content in read)
    assert not any("Ann: Nice." in content for content in read)


def test_events_that_are_not_there_are_not_compared(year: ChatMemory) -> None:
    model = year.models.loaded
    assert isinstance(model, ScriptedModel)
    model.says_yes_to = "no message has this"
    careful = year.tuned(abstain_below=0.4)
    *pieces, answer = careful.stream("Did Zoe sell the boat before Ben climbed the tower?")
    assert isinstance(answer, Answer)
    assert answer.abstained
    assert not pieces, "nothing is shown that is taken back"
    assert answer.closest


COMPARED = "Did Ann pay the deposit for the flat before Ben moved the sofa?"


@pytest.mark.parametrize(("leans", "silent"), [(-4.0, False), (4.0, True)])
def test_a_trained_reader_decides_on_silence_about_events_too(
    year: ChatMemory, tmp_path: Path, leans: float, *, silent: bool
) -> None:
    model = ScriptedReader("Not stated.", leans=leans)
    model.stated = 0.2
    with ChatMemory.open(
        tmp_path / "chats.db",
        Settings.make(abstain_below=0.6),
        embedder=WordEmbedder(),
        chat_model=model,
    ) as careful:
        answer = careful.ask(COMPARED)
        assert answer.abstained is silent
        assert answer.text.startswith("Yes: ") is not silent
        assert ("events" in answer.timings) is not silent, "what will not be said is not weighed"
        assert careful.tuned(without=["trained"]).ask(COMPARED).abstained, "the events are not sure"


def test_a_comparison_that_is_hardly_likely_to_be_right_is_not_shown(
    year: ChatMemory, tmp_path: Path
) -> None:
    model = ScriptedReader("Not stated.", leans=-4.0)
    model.stated = 0.05
    with ChatMemory.open(
        tmp_path / "chats.db",
        Settings.make(abstain_below=0.6),
        embedder=WordEmbedder(),
        chat_model=model,
    ) as careful:
        answer = careful.ask(COMPARED)
        assert (answer.abstained, answer.reason) == (True, "unsure"), answer.signals
        assert answer.withheld
        assert answer.confidence < 0.22 * 0.6, "it is of what was worked out, and decided"
        assert answer.closest
        assert careful.tuned(abstain_below=0).ask(COMPARED).text.startswith("Yes: ")


def test_an_announced_event_is_on_the_day_that_was_named_last(tmp_path: Path) -> None:
    log = {
        "20260711_1900": ("Ben: My birthday barbecue is 25 July at my place.", "Ann: Yum."),
        "20260722_1810": ("Ben: forecast awful, barbecue is now sunday 26th", "Ann: Fine. See you Friday!"),
        "20260908_1000": ("Ann: The van failed its test.", "Ben: Oh no."),
    }  # fmt: skip
    answer = told(tmp_path, log).ask("How long after Ben's birthday barbecue did the van fail?")
    assert answer.text.startswith("44 days"), answer.text


@pytest.mark.parametrize(
    ("between", "days"),
    [
        ("Ann failing and passing her driving test", 98),
        ("Ben selling the van and Ann failing her driving test", 52),
    ],
)
def test_of_two_events_the_earlier_is_told_first(tmp_path: Path, between: str, days: int) -> None:
    log = {
        "20250522_1800": ("Ann: my driving test is soon", "Ben: Good luck."),
        "20250703_1800": ("Ann: FAILED my driving test", "Ben: Next time."),
        "20250824_1800": ("Ben: I am selling the van", "Ann: Oh."),
        "20251009_1800": ("Ann: I passed my driving test", "Ben: Well done!"),
        "20260705_1800": ("Ann: the van failed her mot", "Ben: Again?"),
    }
    answer = told(tmp_path, log, with_model=False).ask(f"How long between {between}?")
    assert answer.text.startswith(f"{days} days"), answer.text
    first, second = answer.sources
    assert first.sent_at < second.sent_at


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("When did Ann first mention Whitby?", "2 August 2025"),
        ("When did Ann last mention Whitby?", "22 August 2026"),
    ],
)
def test_without_a_model_a_first_time_is_of_messages_that_have_the_event(
    tmp_path: Path, question: str, day: str
) -> None:
    log = {
        "20250802_1000": ("Ann: Whitby is lovely", "Ben: Is it?"),
        "20250923_1000": ("Ann: I paid for the tickets", "Ben: Thanks."),
        "20260822_1000": ("Ann: Whitby again in the summer, with the dog", "Ben: Yes."),
    }
    memory = told(tmp_path, log, with_model=False)
    assert day in memory.ask(question).text


@pytest.mark.parametrize(
    ("event", "text", "day"),
    [
        ("the operation", "letter from the clinic: operation's moved to wed 18 nov, same time", 18),
        ("the paint party", "paint party: sat 14 nov from 11, whos in", 14),
        ("moving in", "the flat is ours! moving in on the 21st of november", 21),
        ("the party", "the party is now on Sunday 15th, not the 14th", 15),
        ("Ann sign the contract", "I signed the contract, we start on 18 November", 2),
    ],
)
def test_a_message_that_announces_a_day_dates_its_event_by_that_day(
    event: str, text: str, day: int
) -> None:
    message = Message(id=1, chat="Chat", sender="Ben", sent_at=datetime(2026, 11, 2), text=text)
    start, _end = when_happened(event, message)
    assert start.day == day


@pytest.mark.parametrize(
    ("event", "text", "undated"),
    [
        ("the party", "the party is on the 14th, or the 15th", True),
        ("the party", "the party is on the 14th", False),
        ("the party", "what a party!", False),
        ("Ann sign the contract", "I signed the contract, we start on the 14th or 15th", False),
    ],
)
def test_an_event_to_come_whose_day_is_unclear_has_no_date(
    event: str, text: str, undated: bool
) -> None:
    message = Message(id=1, chat="Chat", sender="Ben", sent_at=datetime(2026, 11, 2), text=text)
    assert is_undated(event, message) is undated


MOVED = {
    "20261028_1720": (
        "Ann: letter from the clinic: the operation's moved to wed 18 nov",
        "Ben: ok",
    ),
    "20261029_1215": ("Ann: paint party: sat 14 nov from 11, whos in", "Ben: me"),
    "20261105_1937": ("Ann: paint party is now SUNDAY 15th, not the 14th, same time", "Ben: ok"),
    "20261112_1822": ("Ben: start time moved. its 10:00 now not 9:30", "Ann: more sleep"),
    "20261112_1922": ("Ben: my start here is moving to December in the end", "Ann: oh"),
    "20261113_1822": ("Ben: the quiz is on the 21st, or the 22nd", "Ann: ok"),
}


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Did the operation happen before the paint party?", "No: "),
        ("How long after the paint party was the operation?", "3 days lay between them: "),
    ],
)
def test_days_that_are_announced_and_moved_are_compared(
    tmp_path: Path, question: str, begins: str
) -> None:
    answer = told(tmp_path, MOVED, with_model=False).ask(question)
    assert answer.text.startswith(begins), answer.text


def test_an_event_without_a_known_day_is_not_compared(tmp_path: Path) -> None:
    memory = told(tmp_path, MOVED, with_model=False)
    answer = memory.ask("Did the operation happen before the quiz?")
    assert "computed" not in answer.signals, answer.text
    assert answer.confidence < 0.5


def test_moving_a_start_is_not_moving_in(tmp_path: Path) -> None:
    memory = told(tmp_path, MOVED, with_model=False)
    answer = memory.ask("How long between the operation and moving in?")
    assert "start" not in answer.text
