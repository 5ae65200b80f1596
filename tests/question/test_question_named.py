"""People and other names, also inside text that is written without blanks."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from places import write_log

from minirag_chat import ChatMemory
from minirag_chat.question import map_question
from minirag_chat.records import Filters, Question

NOW = datetime(2026, 6, 10)


@pytest.fixture
def teahouse(memory: ChatMemory, tmp_path: Path) -> ChatMemory:
    said = ("安娜: 我们去“夏雨茶馆”吧。", "Anna: 好的。", "Ann: 我也去。")
    memory.add(write_log(tmp_path / "log", {"20260105_1000": said}))
    return memory


def mapped(memory: ChatMemory, text: str) -> Question:
    return map_question(text, memory._store, NOW, Filters())


def test_a_person_is_found_inside_a_run(teahouse: ChatMemory) -> None:
    question = mapped(teahouse, "安娜什么时候搬家?")
    assert [person.name for person in question.people] == ["安娜"]
    assert question.speakers == question.people


def test_a_name_of_another_script_in_a_run_is_taken_whole(teahouse: ChatMemory) -> None:
    assert [p.name for p in mapped(teahouse, "请问Anna什么时候搬家?").people] == ["Anna"]


def test_a_place_is_found_inside_a_run(teahouse: ChatMemory) -> None:
    names = [entity.name for entity in mapped(teahouse, "夏雨茶馆在哪条街?").entities]
    assert "夏雨茶馆" in names


def test_a_word_with_blanks_around_it_is_not_searched_inside(teahouse: ChatMemory) -> None:
    assert mapped(teahouse, "When do Annabel and Annalise move?").people == ()


@pytest.mark.parametrize(
    ("text", "speakers", "writers"),
    [
        ("What did Nora's sister say about the dress?", [], []),
        ("What did Nora's older brother buy?", [], []),
        ("Noras mum said what?", [], []),
        ("What did Nora\u2019s boss say to Tom?", [], ["Tom"]),
        ("What did Tom say about Nora's sister?", ["Tom"], ["Tom"]),
        ("What did Nora say about Nora's sister?", ["Nora"], ["Nora"]),
        ("What did Nora's message say?", ["Nora"], ["Nora"]),
        ("What did Nora say to her sister?", ["Nora"], ["Nora"]),
        ("Where is Nora's boat?", ["Nora"], ["Nora"]),
    ],
)
def test_the_sister_of_the_asker_is_somebody_else(
    memory: ChatMemory, tmp_path: Path, text: str, speakers: list[str], writers: list[str]
) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("Nora: The dress", "Tom: Hi")}))
    memory.set_me("Nora")
    question = mapped(memory, text)
    assert [person.name for person in question.speakers] == speakers
    assert {*question.quoted_speakers} <= {*question.speakers}
    assert [person.name for person in question.writers] == writers
    assert "Nora" in [person.name for person in question.people]


@pytest.mark.parametrize("text", ["What did Tom's sister buy?", "What did Tom's sister say?"])
def test_of_anybody_elses_sister_they_tell_it_themselves(
    memory: ChatMemory, tmp_path: Path, text: str
) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("Nora: The dress", "Tom: Hi")}))
    memory.set_me("Nora")
    question = mapped(memory, text)
    assert [person.name for person in question.writers] == ["Tom"]
    assert question.quoted_speakers == (), "it is not Tom who said it"


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("What did Nora buy in May?", ["Nora"]),
        ("What did Nora buy on 3 May?", ["Nora"]),
        ("What did Nora buy between May and July?", ["Nora"]),
        ("What did Nora buy in May Chen's shop?", ["May Chen", "Nora"]),
        ("What is in May's kitchen?", ["May Chen"]),
        ("Did Nora call before May moved?", ["May Chen", "Nora"]),
        ("What did May buy in May?", ["May Chen"]),
    ],
)
def test_a_month_is_nobody_of_that_name(
    memory: ChatMemory, tmp_path: Path, text: str, people: list[str]
) -> None:
    memory.add(
        write_log(tmp_path / "log", {"20260105_1000": ("Nora: Hi May.", "May Chen: Hi Nora.")})
    )
    assert sorted(person.name for person in mapped(memory, text).people) == people


@pytest.mark.parametrize("text", ["What was said on 1/1/0001 at 00:10?", "on 30/12/9999 at 11 pm?"])
def test_times_at_the_ends_of_the_calendar_break_nothing(teahouse: ChatMemory, text: str) -> None:
    assert mapped(teahouse, text).moments == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Wer hat geholfen und wann?", []),
        ("Did the MOT pass?", ["MOT"]),
        ("when was the mot", ["MOT"]),
        ("Wer kauft Milch UND Hafer?", ["UND"]),
    ],
)
def test_a_word_that_somebody_stressed_is_no_name_in_every_question(
    memory: ChatMemory, tmp_path: Path, text: str, names: list[str]
) -> None:
    said = ("Lena: bring milch UND hafer", "Jonas: Ok, the car failed its MOT today.")
    memory.add(write_log(tmp_path / "log", {"20260105_1000": said}))
    found = [one.name for one in mapped(memory, text).entities if one.type != "person"]
    assert found == names


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("What did Ashdown say about the boat?", ["Ben Ashdown"]),
        ("what did ashdown say about the boat", ["Ben Ashdown"]),
        ("Is the boat Ashdown's?", ["Ben Ashdown"]),
        ("When does Mr Ashdown come?", ["Ben Ashdown"]),
        ("Hat Ashdown das Boot?", ["Ben Ashdown"]),
        ("What did Ben Ashdown say?", ["Ben Ashdown"]),
        ("Did Petrie and Ashdown pay?", ["Ann Petrie", "Ben Ashdown", "Zoe Petrie \U0001f41d"]),
        ("What did Tom Ashdown say?", ["Tom"]),
        ("What did aunt Clara Ashdown say?", []),
        ("Who walked in Ashdown Forest?", []),
        ("Who went to the Forest Ashdown?", []),
        ("Who moved to London?", []),
        ("Did you see the fox?", []),
        ("Who saw Fox?", ["Eve Fox"]),
        ("Did Ann like fox fur?", ["Ann Petrie"]),
    ],
)
def test_a_last_name_alone_names_everybody_who_has_it(
    memory: ChatMemory, tmp_path: Path, text: str, people: list[str]
) -> None:
    said = (
        "Ben Ashdown: The boat leaks.", "Tom: Oh.", "Ann Petrie: Hi", "Zoe Petrie \U0001f41d: Hi",
        "Kim London: I moved to London.", "Eve Fox: Hi",
    )  # fmt: skip
    memory.add(write_log(tmp_path / "log", {"20260105_1000": said}))
    assert sorted(person.name for person in mapped(memory, text).people) == people
