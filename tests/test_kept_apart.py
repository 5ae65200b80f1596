"""Exports that have much in common with a known chat, and are another one all the same."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from exports_of_one_chat import Said, Write, at, called, held, talk, timed, write
from places import write_log

from minirag_chat import ChatMemory

__all__ = ["write"]  # a fixture
pytestmark = pytest.mark.both_stores
NEWSLETTER = datetime(2024, 3, 1, 8)


def letters(sender: str, count: int = 10) -> list[Said]:
    """What somebody sends to many people at one time."""
    return [
        (NEWSLETTER + timedelta(days=n), sender, f"Newsletter number {n}: the boat is blue")
        for n in range(count)
    ]


def answers(sender: str, *texts: str) -> list[Said]:
    return [
        (NEWSLETTER + timedelta(days=2 + n, hours=1), sender, text) for n, text in enumerate(texts)
    ]


@pytest.mark.parametrize("sender", ["School", "Grundschule"])
@pytest.mark.parametrize("told", [1, 2])
@pytest.mark.parametrize("seconds", [True, False])
def test_two_people_who_get_the_same_newsletter_stay_apart(
    memory: ChatMemory, write: Write, sender: str, told: int, seconds: bool
) -> None:
    private = ("Please do not tell Anna about this", "And not a word to Ben either")[:told]
    ours = [
        *letters("School"),
        *answers("Tom", *("I shall be away next week", "Ask Priya for it")[:told]),
    ]
    theirs = [*letters(sender), *answers("Eva", *private)]
    theirs = timed(theirs) if seconds else theirs
    memory.add(write("School", ours), date_order="dmy")
    memory.add(write("Grundschule", theirs, seconds=seconds), date_order="dmy")
    assert sorted(chat.messages for chat in memory.chats()) == [10 + told, 10 + told]
    assert held(memory) == sorted([*ours, *theirs])


def test_two_days_with_the_same_reminders_stay_apart(memory: ChatMemory, tmp_path: Path) -> None:
    said = (
        "CarerKim: Good morning, it is time for your pills", "AnnBerg: yes of course, thank you dear",
        "CarerKim: Lunch will be on the table at noon", "AnnBerg: what is there to eat today",
        "CarerKim: Please measure your blood pressure", "AnnBerg: it is fine, as it always is",
    )  # fmt: skip
    memory.add(write_log(tmp_path / "log", {"20240301_0800": said}))
    days = {
        "20240302_0800": (*said, "CarerKim: The doctor comes at ten."),
        "20240303_0800": said,
    }
    assert memory.add(write_log(tmp_path / "later", days)).messages_added == 13
    assert {when.day for when, _sender, _text in held(memory)} == {1, 2, 3}


@pytest.mark.parametrize(("answer", "at_once"), [(True, True), (True, False), (False, True)])
def test_what_is_sent_to_three_people_makes_three_chats(
    memory: ChatMemory, tmp_path: Path, answer: bool, at_once: bool
) -> None:
    sent = (
        "05/03/2026, 10:00 - Tom: My new number is 0123\n"
        "05/03/2026, 10:01 - Tom: Party at mine on Saturday at 8, bring a friend\n"
    )
    files = []
    for minute, name in enumerate(("Ann", "Ben", "Cy"), start=3):
        files.append(tmp_path / f"WhatsApp Chat with {name}.txt")
        reply = f"05/03/2026, 10:0{minute} - {name}: sure\n" if answer else ""
        files[-1].write_text(f"{sent}{reply}", encoding="utf-8")
    for path in [tmp_path] if at_once else files:
        memory.add(path, date_order="dmy")
    assert {chat.title: chat.messages for chat in memory.chats()} == dict.fromkeys(
        ("Ann", "Ben", "Cy"), 2 + answer
    )
    again = memory.add(tmp_path, date_order="dmy")
    assert again.messages_added == 0


def test_what_is_sent_to_two_groups_makes_two_chats(memory: ChatMemory, tmp_path: Path) -> None:
    sent = (
        "05/03/2026, 10:00 - Tom: My new number is 0123\n"
        "05/03/2026, 10:01 - Tom: Party at mine on Saturday at 8, bring a friend\n"
    )
    for group, people in {"Family": ("Ann", "Ben"), "Work": ("Cy", "Dee")}.items():
        first = 3 if group == "Family" else 6
        replies = (f"05/03/2026, 10:0{n} - {name}: sure\n" for n, name in enumerate(people, first))
        path = tmp_path / f"WhatsApp Chat with {group}.txt"
        path.write_text(f"{sent}{''.join(replies)}", encoding="utf-8")
        memory.add(path, date_order="dmy")
    assert {chat.title: chat.messages for chat in memory.chats()} == {"Family": 4, "Work": 4}


def test_both_sides_of_a_chat_without_an_answer_are_one(memory: ChatMemory, tmp_path: Path) -> None:
    said = "05/03/2026, 10:00 - Tom: My new number is 0123\n05/03/2026, 10:01 - Tom: Ring me on Saturday\n"
    for name in ("Ann", "Tom"):
        path = tmp_path / f"WhatsApp Chat with {name}.txt"
        path.write_text(said, encoding="utf-8")
        memory.add(path, date_order="dmy")
    assert len(memory.chats()) == 1


def test_three_members_export_a_group_each_calling_themselves_me(
    memory: ChatMemory, write: Write
) -> None:
    said = talk(60, "Me", "Ann", "Bob")
    memory.add(write("Fam", said), date_order="dmy")
    for names in ({"Me": "Cy", "Ann": "Me"}, {"Me": "Cyrus", "Bob": "Me", "Ann": "Annie"}):
        assert memory.add(write("Fam", called(said, **names)), date_order="dmy").messages_added == 0
    assert (
        memory.add(write("Fam", called(said, Me="Cy", Ann="Me")), date_order="dmy").messages_added
        == 0
    )
    assert held(memory) == sorted(said)


def test_a_chat_of_people_whom_a_user_told_apart_stays_a_chat_of_its_own(
    memory: ChatMemory, write: Write
) -> None:
    said = talk(60, "Mum", "Ivan")
    theirs = called(said, Mum="Zelda", Ivan="Vanya")
    memory.add(write("Mum", said), date_order="dmy")
    memory.add(write("Zelda", theirs), date_order="dmy")
    for name in ("Zelda", "Vanya"):
        memory.split_person(name)
    memory.add(write("Zelda", theirs), date_order="dmy")
    assert [chat.messages for chat in memory.chats()] == [60, 60]


@pytest.mark.slow
def test_an_unsorted_export_in_another_zone_with_one_text_at_both_ends_of_a_long_night(
    memory: ChatMemory, tmp_path: Path
) -> None:
    """In the night in which clocks go back, two instants have one time on a wall clock."""
    begin = datetime(2024, 10, 20)
    said: list[Said] = [(datetime(2024, 10, 27, 0, 30), "Mum", "ok")]
    said += [(begin + timedelta(minutes=n), "Mum", f"piece number {n}") for n in range(4200)]
    said += [(datetime(2024, 10, 27, 1, 30), "Mum", "ok")]
    memory.add(
        table(tmp_path / "berlin.csv", at(said, "Europe/Berlin", "UTC")), time_zone="Europe/Berlin"
    )
    memory.add(table(tmp_path / "utc.csv", said), time_zone="UTC")
    assert len(held(memory)) == len(said)


def table(file: Path, said: list[Said]) -> Path:
    lines = [f"{when},{who},{text}" for when, who, text in said]
    file.write_text("\n".join(["time,sender,text", *lines]), encoding="utf-8")
    return file
