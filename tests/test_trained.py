"""A reader that was trained: it names its messages, is checked against them, and may keep silent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from fakes import PreferringRanker, ScriptedReader, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.records import Turn, never

TUNER = "What is the piano tuner called?"
PLANS = {
    "20260302_1800": ("Kim: cabin is booked for sat 21st march, 78 euros each", "Ben: nice"),
    "20260305_0900": ("Kim: the chimney is cracked, done, its the 28th now", "Ben: fine by me"),
}
Asking = Callable[..., ChatMemory]


@pytest.fixture
def reading(settings: Settings, small_log: Path) -> Iterator[Asking]:
    """A memory of the small log, or of another one, that reads with this model."""
    opened: list[ChatMemory] = []

    def ask(model: ScriptedReader, log: Path = small_log) -> ChatMemory:
        memory = ChatMemory.open(settings.db, settings, embedder=WordEmbedder(), chat_model=model)
        opened.append(memory)
        memory.add(log)
        return memory

    yield ask
    for memory in opened:
        memory.close()


def place(model: ScriptedReader, text: str) -> int:
    """The number that a message had in the prompt that the model got last."""
    found = re.search(rf"\[(\d+)\] [^\n]*{re.escape(text)}", model.asked[-1][-1].content)
    assert found, model.asked[-1][-1].content
    return int(found[1])


def numbered(reading: Asking, log: Path | None, question: str, *texts: str) -> list[int]:
    """The numbers that messages get for a question."""
    model = ScriptedReader("[1] nothing", leans=9.0)
    memory = reading(model, log) if log else reading(model)
    memory.ask(question, history=[])
    return [place(model, text) for text in texts]


@pytest.mark.parametrize(
    "reply", ["[1] not stated.", "[1] [Not stated.]", "[2][1] Not stated", "\u4e0d stated."]
)
def test_a_reply_that_names_a_message_and_says_nothing_is_silence(
    reading: Asking, reply: str
) -> None:
    answer = reading(ScriptedReader(reply)).ask(TUNER, history=[])
    assert answer.abstained
    assert "stated" not in answer.text.casefold()


def test_its_sources_are_the_messages_that_it_names(reading: Asking) -> None:
    (number,) = numbered(reading, None, TUNER, "90 euros")
    answer = reading(ScriptedReader(f"[{number}] Walter Quint")).ask(TUNER, history=[])
    assert answer.text == "Walter Quint [1][2]"
    stating, named = [source.message.text for source in answer.sources]
    assert "Walter Quint" in stating, "it names another one, which has none of its words"
    assert named == "90 euros, he comes on Thursday."


@pytest.mark.parametrize("words", ["Yes", "two", "monday", "fed"])
def test_a_message_that_has_nothing_of_the_question_is_no_source_of_its_answer(
    reading: Asking, tmp_path: Path, words: str
) -> None:
    said = {"20260302_1800": ("Kim: i'll be there", "Ben: yes two of us fed the cat on monday")}
    log = write_log(tmp_path / "log", said)
    (number,) = numbered(reading, log, "Is Kim coming?", "be there")
    answer = reading(ScriptedReader(f"[{number}] {words}"), log).ask("Is Kim coming?", history=[])
    shown = [source.message.sender for source in answer.sources or answer.closest]
    assert "Ben" not in shown[:1]


def test_a_day_that_follows_from_the_named_message_needs_no_other(
    reading: Asking, tmp_path: Path
) -> None:
    (number,) = numbered(reading, None, TUNER, "90 euros")
    answer = reading(ScriptedReader(f"[{number}] 90 euros, Walter")).ask(TUNER, history=[])
    assert [source.message.text for source in answer.sources] == ["90 euros, he comes on Thursday."]


def test_a_message_of_nothing_but_emoji_is_no_source_if_others_have_the_words(
    reading: Asking, tmp_path: Path
) -> None:
    said = {
        "20260302_1800": (
            "Kim: flyers: Nina designs them, Ben prints 500",
            "Ben: \U0001faa6 \U0001faa6",
        )
    }
    log = write_log(tmp_path / "log", said)
    (number,) = numbered(reading, log, "Who designs the flyers?", "\U0001faa6")
    answer = reading(ScriptedReader(f"[{number}] Nina"), log).ask(
        "Who designs the flyers?", history=[]
    )
    assert [source.message.sender for source in answer.sources] == ["Kim"]


def test_its_yes_or_no_is_shown_before_the_reason_that_it_rests_on(reading: Asking) -> None:
    (number,) = numbered(reading, None, TUNER, "90 euros")
    says = f"[{number}] he comes on Thursday => Likely no"
    answer = reading(ScriptedReader(says)).ask("Is the tuner free on Thursday?", history=[])
    assert answer.text == "Likely no, he comes on Thursday [1]"


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("they follow her around => she hates them.", "she hates them: they follow her around"),
        ("he is ill => he is at home => the shop is closed", "the shop is closed: he is ill, he is at home"),
        ("he comes on Thursday =>", "he comes on Thursday"),
        ("=> he comes on Thursday", "he comes on Thursday"),
        ("on Thursday => on Thursday", "on Thursday"),
        ("he comes on Thursday => No.", "No, he comes on Thursday"),
    ],
)  # fmt: skip
def test_the_mark_between_reason_and_conclusion_is_not_shown(
    reading: Asking, reply: str, text: str
) -> None:
    (number,) = numbered(reading, None, TUNER, "90 euros")
    answer = reading(ScriptedReader(f"[{number}] {reply}")).ask(TUNER, history=[])
    assert answer.text == f"{text} [1]"


def test_an_arrow_of_a_message_stays_where_it_is(reading: Asking, tmp_path: Path) -> None:
    said = {"20260302_1800": ("Kim: the switch? open Settings => Privacy", "Ben: ok, found it")}
    log = write_log(tmp_path / "log", said)
    (number,) = numbered(reading, log, "Where is the switch?", "Settings")
    says = f"[{number}] open Settings => Privacy"
    answer = reading(ScriptedReader(says), log).ask("Where is the switch?", history=[])
    assert answer.text.startswith("open Settings => Privacy")


def test_it_is_asked_with_one_short_prompt_and_nothing_behind_the_question(
    reading: Asking,
) -> None:
    model = ScriptedReader()
    reading(model).ask(TUNER, history=[])
    system, user = model.asked[-1]
    assert "Not stated" in system.content
    assert user.content.endswith(f"Question: {TUNER}")


def test_it_keeps_silent_where_it_leans_to_silence(reading: Asking) -> None:
    model = ScriptedReader(leans=6.0)
    answer = reading(model).ask(TUNER, history=[])
    assert answer.abstained
    assert answer.closest
    assert model.pieces == 0, "nothing is generated that will not be shown"


def test_a_date_that_its_message_does_not_say_is_read_again_from_that_message_alone(
    reading: Asking, tmp_path: Path
) -> None:
    log = write_log(tmp_path / "plans", PLANS)
    asked = "When are we going to the cabin?"
    (number,) = numbered(reading, log, asked, "its the 28th")
    model = ScriptedReader(f"[{number}] 15 April 2026", "[1] 28 March 2026")
    answer = reading(model, log).ask(asked, history=[])
    assert answer.text == "28 March 2026 [1]"
    assert "28th" in answer.sources[0].quote
    assert "78 euros" not in model.asked[-1][-1].content, "read alone"


MOVES = {
    "20260314_1800": ("Kim: we move to Lime Street on Saturday!", "Ben: finally"),
    "20260914_0900": ("Ola: tobi and i are moving in together on 1 November", "Kim: lovely"),
}


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("When did we move?", "Saturday 21 March 2026 [1]"),
        ("When was our move?", "Saturday 21 March 2026 [1]"),
        ("When did Ola say they are moving?", "1 November 2026 [1]"),
        ("When is Ola moving?", "1 November 2026 [1]"),
    ],
)
def test_a_day_still_to_come_is_not_when_something_was(
    reading: Asking, tmp_path: Path, asked: str, shown: str
) -> None:
    log = write_log(tmp_path / "moves", MOVES)
    (number,) = numbered(reading, log, asked, "moving in together")
    model = ScriptedReader(f"[{number}] 1 November 2026", "[1] Saturday 21 March 2026")
    answer = reading(model, log).ask(asked, history=[])
    assert answer.text == shown


def test_an_invented_day_of_a_month_is_left_out(reading: Asking, tmp_path: Path) -> None:
    said = {"20260929_2225": ("Ola: doze semanas. nasce em abril", "Kim: parab\u00e9ns!!")}
    log = write_log(tmp_path / "born", said)
    (number,) = numbered(reading, log, "When is Ola's baby due?", "nasce em abril")
    model = ScriptedReader(f"[{number}] Tue 20 April 2027", "[1] Tue 20 April 2027")
    assert reading(model, log).ask("When is Ola's baby due?", history=[]).text == "April 2027 [1]"


def test_without_another_day_nothing_is_said(reading: Asking, tmp_path: Path) -> None:
    log = write_log(tmp_path / "moves", MOVES)
    (number,) = numbered(reading, log, "When did we move?", "moving in together")
    model = ScriptedReader(f"[{number}] 1 November 2026", "[1] 1 November 2026")
    answer = reading(model, log).ask("When did we move?", history=[])
    assert answer.abstained
    assert answer.reason == "unsupported"


PICKED_UP = {
    "20260504_1000": ("Lou: dad picks up gran from the station at four", "Max: ok good"),
}


@pytest.mark.parametrize(
    ("again", "shown"),
    [
        ("[1] Dad", "Dad [1]"),
        ("[1] Writer", "Lou [1]"),  # it speaks of its writer
        ("[1] Max", "Lou [1]"),  # the message tells of no Max
        ("[1] you", "Lou [1]"),
        ("[1] I picks up gran", "Lou [1]"),
    ],
)
def test_who_wrote_it_is_no_answer_where_the_message_tells_of_somebody_else(
    reading: Asking, tmp_path: Path, again: str, shown: str
) -> None:
    log = write_log(tmp_path / "gran", PICKED_UP)
    (number,) = numbered(reading, log, "Who picks up gran?", "dad picks up gran")
    model = ScriptedReader(f"[{number}] Lou", again)
    answer = reading(model, log).ask("Who picks up gran?", history=[])
    assert answer.text == shown
    assert "Writer: dad picks up gran" in model.asked[-1][-1].content
    assert "Lou" in answer.sources[0].message.sender


def test_who_wrote_it_is_judged_with_what_was_asked_before(reading: Asking, tmp_path: Path) -> None:
    log = write_log(
        tmp_path / "dog",
        {"20260504_1000": ("Max: who minds the dog at christmas", "Lou: ben. he asked", "Max: ok")},
    )
    (number,) = numbered(reading, log, "Who minds the dog at christmas?", "ben. he asked")
    model = ScriptedReader(f"[{number}] Lou", "[2] Ben")
    answer = reading(model, log).ask("Who minds the dog at christmas?", history=[])
    assert answer.text == "Ben [1]"
    assert [one.message.text for one in answer.sources] == ["ben. he asked"]
    again = model.asked[-1][-1].content
    assert "Max: who minds the dog at christmas" in again
    assert "Writer: ben. he asked" in again


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("Who is on the prompt book?", "me, prompt corner queen", "Lou"),
        ("Who is on the prompt book?", "no idea", "Max"),
        ("Who asked who is on the prompt book?", "me, prompt corner queen", "Max"),
        ("Who is on the prompt book?", "i'll bring the wine", "Max"),
        ("Who is on the prompt book?", "me neither", "Max"),
    ],
)
@pytest.mark.parametrize(
    "asks",
    [
        "whos on the prompt book",
        "i am on the prompt book, for those who forget it",  # asks nothing
        "im on the prompt book, who wants the lights?",
    ],
)
def test_who_asks_for_somebody_is_not_who_says_that_it_is_them(
    reading: Asking, tmp_path: Path, question: str, said: str, shown: str, asks: str
) -> None:
    talk = (f"Max: {asks}", f"Lou: {said}", "Max: good")
    log = write_log(tmp_path / "book", {"20260504_1000": talk})
    (number,) = numbered(reading, log, question, asks)
    shown = shown if asks.startswith("whos") else "Max"
    model = ScriptedReader(f"[{number}] Max", "[1] Writer")
    answer = reading(model, log).ask(question, history=[])
    assert answer.text == f"{shown} [1]"
    assert answer.sources[0].sender == shown


def test_who_asks_to_name_somebody_is_not_who_says_that_it_was_them(
    reading: Asking, tmp_path: Path
) -> None:
    talk = (
        'Ann: someone called it "mid" on the form',
        "Max: who. name and shame",
        "Lou: it was me",
    )
    log = write_log(tmp_path / "form", {"20260504_1000": talk})
    question = "Who called it mid on the form?"
    (number,) = numbered(reading, log, question, "who. name and shame")
    answer = reading(ScriptedReader(f"[{number}] Max"), log).ask(question, history=[])
    assert answer.text == "Lou [1]"


@pytest.mark.parametrize(
    ("question", "refused"),
    [
        ("Who comes to the viewing with Max?", True),
        ("Who is Max's flatmate?", True),
        ("Who comes to the viewing?", False),
        ("Who comes to the viewing with Lou, Ann or Max?", False),
    ],
)
def test_whom_a_question_names_beside_the_one_it_asks_for_is_no_answer(
    reading: Asking, tmp_path: Path, question: str, *, refused: bool
) -> None:
    talk = ("Lou: who comes to the viewing", "Max: me, and Ann too", "Ann: yes, flatmate")
    log = write_log(tmp_path / "viewing", {"20260504_1000": talk})
    (number,) = numbered(reading, log, question, "me, and Ann too")
    answer = reading(ScriptedReader(f"[{number}] Max"), log).ask(question, history=[])
    assert answer.abstained == refused, answer.text


@pytest.mark.parametrize(
    ("said", "answer", "shown"),
    [
        ("my manager is called fintan", "Fintan Reed", "Fintan [1]"),
        ("fintan reed is my manager", "Fintan Reed", "Fintan Reed [1]"),
        ("my manager is called fintan", "Lou Reed", "Lou Reed [1]"),
    ],
)
def test_nobody_gets_the_surname_of_who_writes(
    reading: Asking, tmp_path: Path, said: str, answer: str, shown: str
) -> None:
    log = write_log(tmp_path / "work", {"20260504_1000": (f"LouReed: {said}", "MaxHill: ok")})
    (number,) = numbered(reading, log, "Who is the manager?", said)
    model = ScriptedReader(f"[{number}] {answer}", "[1] Writer")
    assert reading(model, log).ask("Who is the manager?", history=[]).text == shown


def test_another_answer_is_read_once(reading: Asking, tmp_path: Path) -> None:
    log = write_log(tmp_path / "gran", PICKED_UP)
    (number,) = numbered(reading, log, "Who picks up gran?", "dad picks up gran")
    model = ScriptedReader(f"[{number}] Dad")
    assert reading(model, log).ask("Who picks up gran?", history=[]).text == "Dad [1]"
    assert len(model.several) == 1


DAYS = {
    "20211005_1200": ("Pim: drinks for Gerda on friday at 5pm, all come", "Shreya: nice"),
    "20260301_1800": ("Ada: the concert is on 7 March at six", "Ben: fine"),
    "20250214_0900": ("Ume: on wednesday I wrote the theme of the fox", "Kim: at last"),
    "20260305_2000": ("Lou: the knee appointment moved to the 10th at 9:15", "Max: ok"),
    "20260305_2100": ("Ben: the hut is ours 7-19 June", "Ada: lovely"),
    "20250318_0900": ("Kim: the dentist can see me next week, or on the 28th", "Ume: ok"),
}


@pytest.mark.parametrize(
    ("asked", "within", "says", "shown"),
    [
        ("When are the drinks?", "friday", "Friday 5 October 2021 at 5pm", "Friday 8 October 2021 at 5pm"),
        ("When was the theme written?", "wednesday", "Wednesday 14 February 2025", "Wednesday 12 February 2025"),
        ("When is the concert?", "concert", "Sunday 7 March 2026", "Saturday 7 March 2026"),
        ("When is the concert?", "concert", "Saturday, 7 March 2026", "Saturday, 7 March 2026"),
        ("When is the knee appointment?", "knee", "Sunday 10 March 2026, 9:15", "Tuesday 10 March 2026, 9:15"),
        ("When are the drinks?", "friday", "Sunday at 5pm", None),
        ("When is the dentist?", "dentist", "Tuesday 28 March 2025", "Friday 28 March 2025"),
        ("When is the dentist?", "dentist", "Sunday 5 April 2025", None),
        ("When is the dentist?", "dentist", "Monday 31 February 2025", None),
        ("When is the dentist?", "dentist", "Monday 24. to Saturday 28. March 2025", None),
        ("When is the concert?", "concert", "Saturday, March 7th, 2026", "Saturday, March 7th, 2026"),
        ("When is the concert?", "concert", "Sun 7 Mar 2026", "Sat 7 Mar 2026"),
        ("When is the hut ours?", "hut", "Friday 7-19 June 2026", "7-19 June 2026"),
        ("When is the hut ours?", "hut", "Monday, 7 to 19 June 2026", "7 to 19 June 2026"),
        ("When is the hut ours?", "hut", "Friday June 7 to 19, 2026", "June 7 to 19, 2026"),
        ("When is the hut ours?", "hut", "Sunday 7-19 June 2026", "Sunday 7-19 June 2026"),
        ("When is the concert?", "concert", "Saturday the 7th of March", "Saturday the 7th of March"),
        ("When is the concert?", "concert", "Tuesday the 7th of March", "Saturday the 7th of March"),
        ("When is the concert?", "concert", "Ada and Ben wed 7 March 2026", "Ada and Ben wed 7 March 2026"),
    ],
)  # fmt: skip
def test_a_date_and_its_weekday_are_one_day_or_it_is_not_said(
    reading: Asking, tmp_path: Path, asked: str, within: str, says: str, shown: str | None
) -> None:
    log = write_log(tmp_path / "days", DAYS)
    (number,) = numbered(reading, log, asked, within)
    answer = reading(ScriptedReader(f"[{number}] {says}"), log).ask(asked, history=[])
    assert answer.abstained == (shown is None)
    assert shown is None or answer.text == f"{shown} [1]"
    assert shown is not None or says not in answer.text


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Ann Berg: Ann Berg: Ann Berg; Ben: Ben", "Ann Berg; Ben"),
        ("Ann: Anna; Ben: tea, Ben: cake", "Ann: Anna; Ben: tea, Ben: cake"),
        ("Ada said: tea: tea", "Ada said: tea"),
        ("Ann Berg; Ben Ott; Ann Berg; Ann", "Ann Berg; Ben Ott; Ann"),
    ],
)
def test_what_is_written_again_and_again_is_said_once(
    reading: Asking, said: str, shown: str
) -> None:
    answer = reading(ScriptedReader(f"[1] {said}")).ask(TUNER, history=[])
    assert answer.text == f"{shown} [1]"


def test_a_number_that_stands_nowhere_is_not_said(reading: Asking, tmp_path: Path) -> None:
    log = write_log(tmp_path / "plans", PLANS)
    answer = reading(ScriptedReader("[1] 95 euros"), log).ask("How much is the cabin?", history=[])
    assert answer.abstained
    assert "95" not in answer.text
    assert answer.signals["checked"] == 0


def test_what_is_hardly_likely_to_be_right_is_not_said(reading: Asking) -> None:
    memory = reading(ScriptedReader("[1] Ludwig", sure=-3.0))
    answer = memory.ask(TUNER, history=[])
    assert answer.abstained
    assert answer.reason == "unsure"
    assert answer.withheld
    assert answer.confidence < 0.25, "of the answer that is not shown, not of whether there is one"
    assert "Ludwig" not in answer.text
    assert "Ludwig" in memory.tuned(abstain_below=0).ask(TUNER, history=[]).text


NEWS = {
    "20260302_1800": (
        "April: im pregnant, 10 weeks. nobody knows but you",
        "Ana: I think Kim is tired of her job",
        "Ben: i carried the sofa up four floors",
        "Kim: ok",
    )
}


@pytest.mark.parametrize(
    ("asked", "part", "said", "shown"),
    [
        ("Is Kim pregnant?", "pregnant", "Yes, 10 weeks", False),
        ("Is April pregnant?", "pregnant", "Yes, 10 weeks", True),
        ("How does Kim feel about her job?", "tired", "she is tired of it", True),
        ("Who did Kim see with a sofa?", "sofa", "Ben", True),
        ("What did Kim carry?", "sofa", "the sofa", False),
    ],
)
def test_what_somebody_says_of_themself_is_no_answer_about_another_person(
    reading: Asking, tmp_path: Path, asked: str, part: str, said: str, *, shown: bool
) -> None:
    log = write_log(tmp_path / "news", NEWS)
    (number,) = numbered(reading, log, asked, part)
    answer = reading(ScriptedReader(f"[{number}] {said}"), log).ask(asked, history=[])
    assert answer.abstained is not shown
    assert shown or answer.reason == "unsupported"


def test_a_part_of_a_list_is_said_where_one_thing_would_not_be(reading: Asking) -> None:
    memory = reading(ScriptedReader("[1] Walter Quint", sure=-0.63))
    one = memory.ask(TUNER, history=[])
    assert one.reason == "unsure"
    several = memory.ask("Which tuners do we know?", history=[])
    assert "Walter Quint" in several.text
    assert 0.1 < several.confidence < 0.25


def test_once_it_is_written_the_messages_must_state_it_more_surely(reading: Asking) -> None:
    doubtful = reading(ScriptedReader("[1] Walter Quint", leans=0.28)).ask(TUNER, history=[])
    assert 0.6 < doubtful.signals["answerable"] < 0.72
    assert doubtful.confidence > 0.3
    assert doubtful.reason == "unsure"
    assert doubtful.withheld
    surer = reading(ScriptedReader("[1] Walter Quint", leans=-0.2)).ask(TUNER, history=[])
    assert surer.signals["answerable"] > 0.72
    assert surer.text == "Walter Quint [1]"


def test_the_message_of_an_answer_that_is_not_said_is_the_closest(reading: Asking) -> None:
    for said in ("90 euros", "The piano tuner is called"):
        (number,) = numbered(reading, None, TUNER, said)
        answer = reading(ScriptedReader(f"[{number}] Ludwig", sure=-3.0)).ask(TUNER, history=[])
        assert answer.withheld
        assert said in answer.closest[0].message.text


def test_without_its_judgement_an_answer_is_shown_as_it_is_read(reading: Asking) -> None:
    memory = reading(ScriptedReader("[1] Walter Quint")).tuned(without=["stated"])
    assert memory.ask(TUNER, history=[]).text == "Walter Quint [1]"


def test_the_check_can_be_left_out_to_measure_it(reading: Asking, tmp_path: Path) -> None:
    log = write_log(tmp_path / "plans", PLANS)
    memory = reading(ScriptedReader("[1] 95 euros"), log).tuned(without=["check"])
    assert memory.ask("How much is the cabin?", history=[]).text == "95 euros [1]"


def test_without_what_it_was_trained_for_it_reads_as_any_model(reading: Asking) -> None:
    memory = reading(ScriptedReader()).tuned(without=["trained"])
    assert memory.ask(TUNER, history=[]).text.startswith("An untrained sentence")


def test_a_number_that_no_message_has_is_no_source(reading: Asking) -> None:
    answer = reading(ScriptedReader("[99] Walter Quint")).ask(TUNER, history=[])
    assert not answer.abstained
    assert answer.sources[0].quote == "The piano tuner is called Walter Quint."


def test_of_several_things_more_messages_are_named(reading: Asking) -> None:
    reader = ScriptedReader("[1] Walter Quint")
    memory = reading(reader)
    memory.ask(TUNER, history=[])
    memory.ask("Which tuners does Kim know?", history=[])
    assert reader.several == [False, True]


class TellsApart(ScriptedReader):
    """Finds it stated of Kim, and hardly less of whoever else is asked about."""

    def silence(
        self, turns: Sequence[Turn], *, cancelled: Callable[[], bool] = never
    ) -> float | None:
        super().silence(turns, cancelled=cancelled)
        return -4.0 if "Kim" in turns[-1].content.rpartition("Question:")[2] else -1.5


def test_what_its_writer_says_of_themself_is_no_answer_about_another(
    reading: Asking, tmp_path: Path
) -> None:
    log = write_log(tmp_path / "plans", PLANS)
    booked = "When did {} see that the chimney is cracked?"
    (number,) = numbered(reading, log, booked.format("Kim"), "the chimney is cracked")
    memory = reading(TellsApart(f"[{number}] on 5 March 2026"), log)
    right, wrong = (memory.ask(booked.format(name), history=[]) for name in ("Kim", "Ben"))
    assert "5 March 2026" in right.text
    assert right.signals["other"] == 0, "it is about the writer: not asked again"
    assert wrong.abstained
    assert wrong.signals["other"] == pytest.approx(2.5)
    assert wrong.reason == "not_stated"
    assert wrong.closest, "the message is shown as the closest one"
    asked_again = memory.tuned(without=["counterfactual"]).ask(booked.format("Ben"), history=[])
    assert not asked_again.abstained


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("your dentist appointment is on 9 june", 0.0),  # nothing of Kim, who writes it
        ("you're ill, your dentist appointment is on 9 june", 0.0),
        ("i told you the dentist appointment is on 9 june", 2.5),
        ("your dentist moved me to 9 june", 2.5),
    ],
)
def test_what_is_said_to_you_is_not_about_its_writer(
    reading: Asking, tmp_path: Path, said: str, other: float
) -> None:
    talk = ("Max: what did they write", f"Kim: {said}", "Max: ok ty")
    log = write_log(tmp_path / "dentist", {"20260504_1000": talk})
    question = "When is Max's dentist appointment?"
    (number,) = numbered(reading, log, question, said)
    answer = reading(TellsApart(f"[{number}] 9 June 2026"), log).ask(question, history=[])
    assert answer.signals["other"] == pytest.approx(other)


def test_a_message_that_fits_the_question_is_likelier_to_state_the_answer(
    settings: Settings, small_log: Path
) -> None:
    """The same words at the same log-odds, from the message that the ranker prefers and from another."""
    model = ScriptedReader("[1] nothing", leans=9.0)
    models = LoadedModels(settings, WordEmbedder(), model, PreferringRanker("90 euros", 6.0))
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(small_log)
        memory.ask(TUNER, history=[])
        fits, other = place(model, "90 euros"), place(model, "Walter Quint")
        model.leans = -3.0
        model.says = [f"[{fits}] Walter Quint", f"[{other}] Walter Quint"]
        sure, unsure = (memory.ask(TUNER, history=[]) for _ in range(2))
    assert sure.signals["cited"] > unsure.signals["cited"]
    assert sure.signals["answerable"] > unsure.signals["answerable"]


def test_a_follow_up_is_asked_again_in_its_own_words(reading: Asking, tmp_path: Path) -> None:
    log = write_log(tmp_path / "plans", PLANS)
    before = [("Was the chimney of the cabin cracked?", "Yes.")]
    asked = "When did Ben see that it is cracked?"
    model = ScriptedReader("[1] nothing", leans=9.0)
    reading(model, log).ask(asked, history=before)
    number = place(model, "the chimney is cracked")
    model = TellsApart(f"[{number}] on 5 March 2026")
    answer = reading(model, log).ask(asked, history=before)
    assert answer.signals["other"] == pytest.approx(2.5)
    said = model.asked[-1][-1].content.rpartition("Question: ")[2]
    assert said == "When did Kim see that it is cracked?"


WEDDING = {
    "20261122_1800": ("Ruth: The wedding date is fixed, 8th May. 150 people", "Kim: lovely"),
    "20261123_1800": ("Ruth: they met on 8 March 2026", "Kim: aww"),
}


@pytest.mark.parametrize(
    ("said", "part", "shown"),
    [
        ("Friday 8 May 2026", "8th May", "Saturday 8 May 2027 [1]"),
        ("8 May 2026", "8th May", "8 May 2027 [1]"),
        ("8 March 2026", "8 March", "8 March 2026 [1]"),
    ],
)
def test_a_day_gets_the_year_that_its_message_tells(
    reading: Asking, tmp_path: Path, said: str, part: str, shown: str
) -> None:
    log, asked = (
        write_log(tmp_path / "wedding", WEDDING),
        "What are the dates of the wedding?",
    )
    (number,) = numbered(reading, log, asked, part)
    assert reading(ScriptedReader(f"[{number}] {said}"), log).ask(asked, history=[]).text == shown
