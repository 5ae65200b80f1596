"""People, words and days as a user names them: who and what is meant, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from places import write_log

from minirag_chat import ChatMemory
from minirag_chat.errors import NotFound
from minirag_chat.names import split_joined

pytestmark = pytest.mark.both_stores


def test_spellings_of_one_person_are_one_and_can_be_parted(
    memory: ChatMemory, tmp_path: Path
) -> None:
    log = {
        "20260105_1000": ("AnnaBerg: Hello Tom.", "TomHill: Hello."),
        "20260106_1000": ("Anna Berg: Again me.", "TomHill: Again you."),
    }
    memory.add(write_log(tmp_path / "log", log))
    assert sorted(p.name for p in memory.people()) == ["AnnaBerg", "TomHill"]
    assert len(memory.chats()) == 1
    memory.split_person("Anna Berg")
    assert len(memory.people()) == 3
    memory.add(
        write_log(tmp_path / "log", {"20260107_1000": ("TomHill: Well.", "Anna Berg: Well.")})
    )
    assert len(memory.people()) == 3, "a later import must not undo what the user decided"
    memory.merge_people("Anna Berg", "AnnaBerg")
    assert len(memory.people()) == 2


def test_a_first_name_is_a_person_only_where_it_is_one_persons(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(
        write_log(tmp_path / "a", {"20260105_1000": ("WolfgangSchulz: Hi.", "AnnaBerg: Hi.")})
    )
    report = memory.add(
        write_log(
            tmp_path / "b",
            {"20260108_1000": ("Wolfgang: It is me.", "AnnaBerg: I see.", "Wolfgang: Yes.")},
        )
    )
    assert {p.name for p in memory.people()} == {"WolfgangSchulz", "AnnaBerg"}
    assert any("Wolfgang" in note and "split" in note for note in report.notes)
    memory.add(
        write_log(
            tmp_path / "c", {"20260109_1000": ("WolfgangAdler: New here.", "AnnaBerg: Welcome.")}
        )
    )
    assert {p.name for p in memory.people()} == {
        "WolfgangSchulz",
        "AnnaBerg",
        "WolfgangAdler",
        "Wolfgang",
    }


def test_searching_two_characters_works_in_scripts_without_blanks(
    memory: ChatMemory, tmp_path: Path
) -> None:
    lines = {
        "20260105_1000": ("AnnaBerg: 我们明天去博物馆看展览", "TomHill: 図書館で会いましょう"),
        "20260106_1000": ("AnnaBerg: พรุ่งนี้เจอกันที่ตลาด", "TomHill: Встретимся в библиотеке"),
        "20260107_1000": ("AnnaBerg: 내일 도서관에서 만나요", "TomHill: نلتقي في المكتبة"),
    }
    memory.add(write_log(tmp_path / "log", lines))
    for words, start in (
        ("博物", "我们"),
        ("図書", "図書"),
        ("ตลาด", "พรุ่ง"),
        ("도서", "내일"),
        ("библиотеке", "Встр"),
        ("المكتبة", "نلتقي"),
    ):
        assert memory.search(words)[0].message.text.startswith(start), words


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("paypal", "I sent it with PayPal."),
        ("PayPal", "i sent it with paypal."),
        ("wolfgang schulz", "Ask WolfgangSchulz."),
        ("stra\u00dfe", "Die Stra\u00dfe hei\u00dft jetzt anders."),
        ("caf\u00e9", "See you at the Cafe."),
    ],
)
def test_a_word_is_found_however_it_is_written(
    memory: ChatMemory, tmp_path: Path, words: str, text: str
) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("Ann: No.", f"Tom: {text}")}))
    assert [found.message.text for found in memory.search(words)] == [text]


def test_a_name_is_shown_as_it_is_written() -> None:
    names = ("Ann McDonald", "McDonald", "WolfgangSchulz", "LiHua")
    shown = ["Ann McDonald", "McDonald", "Wolfgang Schulz", "Li Hua"]
    assert [split_joined(name) for name in names] == shown


def test_people_are_merged_and_split_by_the_names_that_are_shown(
    memory: ChatMemory, tmp_path: Path
) -> None:
    log = {"20260105_1000": ("AnnBerg: The van is red.", "AnnKrug: Yes.", "TomHill: No.")}
    memory.add(write_log(tmp_path / "log", log))
    memory.merge_people("Ann Krug", "Ann Berg")
    assert {p.name for p in memory.people()} == {"AnnBerg", "TomHill"}
    memory.split_person("Ann Krug")
    assert {p.name for p in memory.people()} == {"AnnBerg", "AnnKrug", "TomHill"}


@pytest.mark.parametrize("name", ["Anna Xyz", "Uno Anna", "anna at all"])
def test_nobody_is_taken_for_somebody_with_a_part_of_that_name(
    small: ChatMemory, name: str
) -> None:
    for use in (
        lambda: small.ask("Who is the tuner?", people=[name]),
        lambda: small.preview_delete(people=[name]),
        lambda: small.set_me(name),
    ):
        with pytest.raises(NotFound, match="Nobody is called"):
            use()


def test_one_name_may_be_given_by_itself(small: ChatMemory) -> None:
    assert {m.sender for m in small.messages(people="Anna Berg")} == {"AnnaBerg"}
    assert small.preview_delete(people="anna").messages
    assert small.preview_delete(people=["Anna Berg\u2019s"]).messages
    assert small.preview_delete(people=["Anna Berg (work)"]).messages


def test_the_number_of_nobody_is_said_to_be_that(small: ChatMemory) -> None:
    with pytest.raises(NotFound, match="Nobody"):
        small.preview_delete(people=[10**30])
    with pytest.raises(NotFound, match="Nobody"):
        small.ask("Who is the tuner?", people=[10**30])


def test_a_word_longer_than_any_index_has_room_for_is_found_nowhere(small: ChatMemory) -> None:
    assert not small.search("a" * 3000)
    assert [e.message.text for e in small.search("piano " + "a" * 3000)]
    assert small.retrieve("What is the piano tuner called, " + "a" * 3000 + "?")


@pytest.mark.parametrize(
    "when",
    [datetime(2026, 1, 6, tzinfo=UTC), "2026-01-06T09:00:00+05:30", "2026-01-06T00:00:00.000Z"],
)
def test_a_time_with_a_zone_is_refused(small: ChatMemory, when: datetime | str) -> None:
    with pytest.raises(NotFound, match="has a time zone"):
        small.messages(since=when)
    with pytest.raises(NotFound, match="has a time zone"):
        small.ask("Who is the tuner?", until=when)
