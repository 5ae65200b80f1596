"""Another export of a known chat: people called otherwise, another clock. Each message is there once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from exports_of_one_chat import Said, Write, at, called, held, names, now_and_then, talk, write

from minirag_chat import ChatMemory
from minirag_chat.store.messages import MessageTables

__all__ = ["write"]  # a fixture
pytestmark = pytest.mark.both_stores


# --- people are called otherwise ---------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [("Mum", "Anna Berg"), ("Anna Berg", "Mum")])
def test_a_renamed_contact_stays_one_chat_and_one_person(
    memory: ChatMemory, write: Write, first: str, second: str
) -> None:
    said = talk(60, first, "Ivan")
    memory.add(write(first, said[:40]), date_order="dmy")
    renamed = write(second, called(said, **{first: second}))
    report = memory.add(renamed, date_order="dmy")
    assert report.messages_added == 20
    assert set(report.people) == {first, "Ivan"}
    assert any(f"{second} was taken to be {first}; undo with" in note for note in report.notes)
    assert [chat.messages for chat in memory.chats()] == [60]
    assert held(memory) == sorted(said)
    assert names(memory) == {first: (first, second), "Ivan": ("Ivan",)}
    assert memory.add(renamed, date_order="dmy").messages_added == 0
    assert memory.add(write(first, said), date_order="dmy").messages_added == 0
    longer = talk(80, first, "Ivan")
    assert memory.add(write(first, longer), date_order="dmy").messages_added == 20
    assert memory.add(write(second, called(longer, **{first: second}))).messages_added == 0
    assert held(memory) == sorted(longer)


def test_an_older_part_of_the_chat_comes_later(memory: ChatMemory, write: Write) -> None:
    said = talk(90, "Mum", "Ivan")
    memory.add(write("Mum", said[60:]), date_order="dmy")
    assert (
        memory.add(write("Anna", called(said, Mum="Anna")), date_order="dmy").messages_added == 60
    )
    assert held(memory) == sorted(said)


def test_everybody_is_called_otherwise_by_another_member(memory: ChatMemory, write: Write) -> None:
    said = talk(80, "Anna", "Ivan", "Carl")
    memory.add(write("Family", said[:60]), date_order="dmy")
    theirs = called(said, Anna="Mama", Ivan="Vanya", Carl="+49 170 1234567")
    assert memory.add(write("Us", theirs), date_order="dmy").messages_added == 20
    assert held(memory) == sorted(said)
    assert len(memory.chats()) == 1


def test_who_had_only_a_number_gets_the_name_of_a_later_export(
    memory: ChatMemory, write: Write
) -> None:
    number = "+33 6 12 44 87 03"
    said = talk(60, number, "Ivan", "Carl")
    theirs = {number: "Théo Marchand"}
    memory.add(write("Us", said[:40]), date_order="dmy")
    report = memory.add(write("Us", called(said, **theirs)), date_order="dmy")
    assert report.messages_added == 20
    assert any(
        f"{number} was taken to be Théo Marchand; undo with `minirag-chat people split '{number}'`"
        in note for note in report.notes
    )  # fmt: skip
    assert held(memory) == sorted(called(said, **theirs))
    assert names(memory)["Théo Marchand"] == ("Théo Marchand", number)
    assert memory.add(write("Us", said), date_order="dmy").messages_added == 0
    assert "Théo Marchand" in names(memory)
    memory.split_person(number)
    assert {"Théo Marchand", number} <= names(memory).keys()


@pytest.mark.parametrize("told", ["Gina", "+49 170 1234567"])
def test_a_mention_of_who_is_a_contact_by_now_doubles_no_message(
    memory: ChatMemory, write: Write, told: str
) -> None:
    def both(name: str) -> list[Said]:
        said = talk(60, "Ann", "Ivan", "Carl")
        for n in range(0, 60, 4):
            words = (
                f"@{name} will you come by car, number {n}?",
                f"@{name} and @Ann, thanks",
                f"ask @{name}",
            )
            said[n] = (said[n][0], said[n][1], words[n // 4 % 3])
        return said  # fmt: skip

    memory.add(write("Us", both(told)[:40]), date_order="dmy")
    assert memory.add(write("Us", both("Gina Gold")), date_order="dmy").messages_added == 20
    known = "Gina Gold" if told[0] == "+" else told
    assert held(memory) == sorted(both(known)[:40] + both("Gina Gold")[40:])
    assert memory.add(write("Us", both(told)), date_order="dmy").messages_added == 0
    assert memory.add(write("Us", both("Gina Gold")), date_order="dmy").messages_added == 0


def test_who_was_given_a_name_here_may_have_it_in_a_later_export(
    memory: ChatMemory, write: Write
) -> None:
    number = "+33 6 12 44 87 03"
    said = talk(60, number, "Ivan", "Carl")
    memory.add(write("Us", said[:41]), date_order="dmy")
    memory.replace_name(number, "Théo", now=True)
    theirs = called(said, **{number: "Théo"})
    assert memory.add(write("Us", theirs[:41]), date_order="dmy").messages_added == 0
    assert memory.add(write("Us", theirs), date_order="dmy").messages_added == 19
    assert held(memory) == sorted(theirs)
    assert memory.add(write("Us", said), date_order="dmy").messages_added == 0


def test_a_message_that_two_exports_cut_off_is_there_once(memory: ChatMemory, write: Write) -> None:
    said = talk(12, "Anna", "Ivan")
    when, who, text = said[-1]
    memory.add(write("Us", [*said[:-1], (when, who, f"{text} caf")]), date_order="dmy")
    memory.add(write("Us", [*said[:-1], (when, who, f"{text} caf\ufffd")]), date_order="dmy")
    assert len(memory.messages()) == 12


def test_a_chat_titled_by_a_number_gets_the_name_of_a_later_export(
    memory: ChatMemory, write: Write
) -> None:
    number = "+33 6 12 44 87 03"
    said = talk(60, number, "Ivan")
    memory.add(write(number, said[:40]), date_order="dmy")
    memory.add(write("Théo", called(said, **{number: "Théo"})), date_order="dmy")
    assert [(chat.title, chat.messages) for chat in memory.chats()] == [("Théo", 60)]
    memory.add(write(number, said), date_order="dmy")
    assert [(chat.title, chat.messages) for chat in memory.chats()] == [("Théo", 60)]


def test_me_is_somebody_else_in_the_export_of_another(memory: ChatMemory, write: Write) -> None:
    said = talk(60, "Me", "Bob")
    memory.add(write("Bob", said[:50]), date_order="dmy")
    memory.add(write("Cy", talk(30, "Me", "Cy", of="another")), date_order="dmy")
    theirs = write("Ann", called(said, Me="Ann", Bob="Me"))
    report = memory.add(theirs, date_order="dmy")
    assert report.messages_added == 10
    assert [chat.messages for chat in memory.chats()] == [60, 30]
    assert [m for m in held(memory) if "another" not in m[2] and m[2] != "ok"] == sorted(
        m for m in said if m[2] != "ok"
    )
    assert names(memory) == {
        "Me": ("Me", "Ann (Bob)"), "Bob": ("Bob", "Me (Bob)"), "Cy": ("Cy",),
    }  # fmt: skip
    assert memory.add(theirs, date_order="dmy").messages_added == 0


def test_a_name_that_is_somebody_elses_in_other_chats_stays_so_there(
    memory: ChatMemory, write: Write
) -> None:
    memory.add(write("Dad", talk(20, "Dad", "Ivan", of="an old")), date_order="dmy")
    said = talk(80, "Anna", "Ivan", "Carl")
    memory.add(write("Family", said[:60]), date_order="dmy")
    memory.add(write("Us", called(said, Carl="Dad")), date_order="dmy")
    assert [chat.messages for chat in memory.chats()] == [80, 20]
    assert names(memory)["Dad"] == ("Dad",)
    assert names(memory)["Carl"] == ("Carl", "Dad (Family)")


def test_who_said_little_is_found_among_those_who_said_more(
    memory: ChatMemory, write: Write
) -> None:
    said = [*talk(60, "Anna", "Ivan"), (datetime(2024, 1, 22, 5, 5), "Zoe", "yes")]
    memory.add(write("Family", said), date_order="dmy")
    report = memory.add(write("Us", called(said, Anna="Mama", Zoe="Zo")), date_order="dmy")
    assert report.messages_added == 0
    assert names(memory)["Zoe"] == ("Zoe", "Zo")


def test_a_link_by_messages_can_be_undone_and_stays_so(memory: ChatMemory, write: Write) -> None:
    said = talk(60, "Mum", "Ivan")
    memory.add(write("Mum", said[:40]), date_order="dmy")
    memory.add(write("Anna", called(said, Mum="Anna")), date_order="dmy")
    memory.split_person("Anna")
    assert set(names(memory)) == {"Mum", "Ivan", "Anna"}
    memory.add(write("Anna", called(said, Mum="Anna")), date_order="dmy")
    assert set(names(memory)) == {"Mum", "Ivan", "Anna"}


def test_another_name_stays_known_when_a_message_is_edited(
    memory: ChatMemory, write: Write
) -> None:
    said = talk(40, "Mum", "Ivan")
    memory.add(write("Mum", said), date_order="dmy")
    edited = called(said, Mum="Anna")
    edited[10] = (*edited[10][:2], "better words \u200e<This message was edited>")
    report = memory.add(write("Anna", edited), date_order="dmy")
    assert (report.messages_added, report.messages_updated) == (0, 1)
    assert names(memory)["Mum"] == ("Mum", "Anna")
    assert "better words" in {text for *_, text in held(memory)}
    assert said[10][2] not in {text for *_, text in held(memory)}
    assert memory.add(write("Mum", said), date_order="dmy").messages_added == 0


def test_later_links_by_name_are_followed(memory: ChatMemory, write: Write) -> None:
    said = talk(40, "Anna", "Ivan")
    memory.add(write("Anna", said), date_order="dmy")
    memory.add(write("Mum", called(said, Anna="Mum")), date_order="dmy")
    memory.add(write("Choir", talk(20, "Anna Berg", "Carl", of="a choir's")), date_order="dmy")
    assert set(names(memory)["Anna Berg"]) == {"Anna Berg", "Anna", "Mum"}
    memory.add(write("Mum", called(talk(50, "Anna", "Ivan"), Anna="Mum")), date_order="dmy")
    assert set(names(memory)) == {"Anna Berg", "Ivan", "Carl"}
    assert sum(chat.messages for chat in memory.chats()) == 70


def test_ids_of_messages_and_other_names(memory: ChatMemory, tmp_path: Path) -> None:
    def telegram(said: Sequence[Said]) -> Path:
        messages = [
            {"id": n, "type": "message", "date": when.isoformat(), "from": who, "text": text}
            for n, (when, who, text) in enumerate(said, 1)
        ]
        path = tmp_path / "result.json"
        path.write_text(
            json.dumps({"name": "Mum", "type": "personal_chat", "id": 5, "messages": messages})
        )
        return path

    said = talk(60, "Mum", "Ivan")
    memory.add(telegram(said[:40]))
    report = memory.add(telegram(called(said, Mum="Zelda Berg")))
    assert (report.messages_added, report.messages_updated) == (20, 0)
    assert names(memory) == {"Mum": ("Mum", "Zelda Berg"), "Ivan": ("Ivan",)}


# --- two chats stay two ------------------------------------------------------------------------------


def test_short_texts_of_one_minute_do_not_join_two_chats(memory: ChatMemory, write: Write) -> None:
    minutes = [datetime(2024, 1, 20, 10) + timedelta(minutes=7 * n) for n in range(30)]
    for name, people in (("Anna", ("Anna", "Ivan")), ("Bob", ("Bob", "Cy"))):
        said = [
            (when, people[n % 2], ("ok", "yes", "see you")[n % 3]) for n, when in enumerate(minutes)
        ]
        said += talk(12, *people, of=name)
        memory.add(write(name, sorted(said)), date_order="dmy")
    assert len(memory.chats()) == 2
    assert set(names(memory)) == {"Anna", "Ivan", "Bob", "Cy"}


def test_what_is_sent_to_several_people_does_not_make_them_one(
    memory: ChatMemory, write: Write
) -> None:
    sent = [
        (datetime(2024, 1, 20 + n, 9), "Ivan", f"News of day {n} for all of you") for n in range(9)
    ]
    for name in ("Anna", "Bob"):
        answers = [(when + timedelta(minutes=1), name, "Thank you so much!") for when, *_ in sent]
        more = talk(40, name, "Ivan", start=datetime(2024, 1, 20, 12), of=name)
        memory.add(write(name, sorted([*sent, *answers, *more])), date_order="dmy")
    assert len(memory.chats()) == 2
    assert names(memory)["Bob"] == ("Bob",)


def test_forwarded_messages_do_not_join_a_chat_and_a_group(
    memory: ChatMemory, write: Write
) -> None:
    direct = talk(12, "Mum", "Ivan")
    group = talk(200, "Anna", "Ivan", "Carl", of="their")
    handed_on = [(when, "Ivan", text) for when, _, text in direct]
    for order in permutations((("Mum", direct), ("Family", sorted([*group, *handed_on])))):
        for name, said in order:
            memory.add(write(name, said), date_order="dmy")
        assert len(memory.chats()) == 2
        assert names(memory)["Mum"] == ("Mum",)


def test_other_people_with_other_words_stay_apart(memory: ChatMemory, write: Write) -> None:
    memory.add(write("Mum", talk(40, "Mum", "Ivan")), date_order="dmy")
    memory.add(write("Bob", talk(40, "Bob", "Cy", of="a")), date_order="dmy")
    assert [chat.messages for chat in memory.chats()] == [40, 40]
    assert set(names(memory)) == {"Mum", "Ivan", "Bob", "Cy"}


def test_days_without_a_time_tell_nothing(memory: ChatMemory, write: Write) -> None:
    for name, people in (("Anna", ("Anna", "Ivan")), ("Bob", ("Bob", "Cy"))):
        day = [
            (datetime(2024, 1, 20), people[n % 2], f"the same words, number {n}") for n in range(60)
        ]
        memory.add(write(name, day), date_order="dmy")
    assert len(memory.chats()) == 2


# --- another clock -----------------------------------------------------------------------------------


@pytest.mark.parametrize("order", list(permutations(("Europe/Berlin", "America/New_York"))))
def test_an_export_of_another_zone_has_the_same_instants(
    memory: ChatMemory, write: Write, order: tuple[str, str]
) -> None:
    summer_ends = datetime(2024, 10, 26, 20)
    said = [*talk(30, "Mum", "Ivan"), *talk(40, "Mum", "Ivan", start=summer_ends, of="a late")]
    first, second = order
    options = {"date_order": "dmy"}
    memory.add(write("Mum", at(said[:50], first)), time_zone=first, **options)
    report = memory.add(write("Mum", at(said, second)), time_zone=second, **options)
    assert report.messages_added == 20
    assert any(f"those of {second}" in note and first in note for note in report.notes)
    assert held(memory) == sorted(at(said, first)), "all is shown by one clock"
    for zone in order:
        again = memory.add(write("Mum", at(said, zone)), time_zone=zone, **options)
        assert again.messages_added == 0


def test_titles_are_made_once_however_many_chats_another_zone_has(
    memory: ChatMemory, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    titled = MessageTables._titled
    chats = {name: talk(30, name, "Ivan", of=f"the {name}") for name in ("Mum", "Anna", "Carl")}

    def counted(tables: MessageTables) -> tuple[dict[int, str], int | None]:
        made.append(1)
        return titled(tables)

    def times(zone: str, *wanted: str) -> int:
        files = [write(name, at(chats[name], zone)) for name in wanted]
        made.clear()
        report = memory.add(tmp_path, time_zone=zone, date_order="dmy")
        assert len([note for note in report.notes if f"those of {zone}" in note]) == len(wanted)
        for file in files:
            file.unlink()
        return len(made)

    for name, said in chats.items():
        memory.add(write(name, at(said, "UTC")), time_zone="UTC", date_order="dmy")
        (tmp_path / f"WhatsApp Chat with {name}.txt").unlink()
    monkeypatch.setattr(MessageTables, "_titled", counted)
    assert times("Asia/Tokyo", "Mum", "Anna", "Carl") == times("Asia/Tokyo", "Mum")


def test_an_hour_that_comes_twice(memory: ChatMemory, write: Write) -> None:
    night = datetime(
        2024, 10, 27, 0, 10
    )  # in UTC: from 00:00 and from 01:00 on, Berlin's clock shows 2
    said = [(night + timedelta(minutes=9 * n), ("Mum", "Ivan")[n % 2], f"awake at {n}, counting sheep")
            for n in range(20)]  # fmt: skip
    memory.add(write("Mum", at(said, "Europe/Berlin", of="UTC")), time_zone="Europe/Berlin")
    memory.add(write("Mum", said), time_zone="UTC", date_order="dmy")
    assert [chat.messages for chat in memory.chats()] == [20]


def test_an_hour_that_comes_twice_in_two_zones_of_summer_time(
    memory: ChatMemory, write: Write
) -> None:
    night = datetime(
        2021, 11, 7, 4, 40
    )  # in UTC: New York's clock shows 1 from 05:00 and from 06:00 on
    said = [(night + timedelta(minutes=9 * n), ("Mum", "Ivan")[n % 2], f"awake at {n}, counting sheep")
            for n in range(20)]  # fmt: skip
    for zone in ("Europe/Berlin", "America/New_York"):
        memory.add(write("Mum", at(said, zone, of="UTC")), time_zone=zone)
    assert [chat.messages for chat in memory.chats()] == [20]


def test_few_messages_and_another_zone(memory: ChatMemory, write: Write) -> None:
    said = [(datetime(2024, 1, 20, 10), "Mum", "hi"), (datetime(2024, 1, 20, 10, 1), "Ivan", "ok")]
    memory.add(write("Mum", said), time_zone="Europe/Berlin", date_order="dmy")
    other = write("Mother", at(said, "Asia/Tokyo"))
    assert memory.add(other, time_zone="Asia/Tokyo", date_order="dmy").messages_added == 0


def test_another_zone_and_other_names_at_once(memory: ChatMemory, write: Write) -> None:
    said = talk(60, "Mum", "Ivan")
    memory.add(write("Mum", said[:40]), time_zone="Europe/Berlin", date_order="dmy")
    theirs = at(called(said, Mum="Anna", Ivan="Vanya"), "Asia/Kolkata")
    report = memory.add(write("Vanya", theirs), time_zone="Asia/Kolkata", date_order="dmy")
    assert report.messages_added == 20
    assert held(memory) == sorted(said)


def test_one_file_that_is_read_in_two_zones_is_there_once(memory: ChatMemory, write: Write) -> None:
    said = talk(60, "Mum", "Ivan")
    memory.add(write("Mum", said[:40]), time_zone="Europe/Berlin", date_order="dmy")
    report = memory.add(write("Mum", said), time_zone="Asia/Tokyo", date_order="dmy")
    assert report.messages_added == 20
    assert any("read as of Europe/Berlin" in note for note in report.notes)
    assert held(memory) == sorted(said)
    assert memory.add(write("Mum", said), time_zone="Europe/Berlin").messages_added == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Mum", "Anna"])
def test_a_clock_that_nobody_told_of_is_found_out(
    memory: ChatMemory, write: Write, name: str
) -> None:
    said = now_and_then(6, days=60)
    memory.add(write("Mum", said[:160]), date_order="dmy")
    theirs = write(name, at(called(said, Mum=name), "America/New_York"))
    report = memory.add(theirs, date_order="dmy")
    assert report.messages_added == 80
    [note] = [note for note in report.notes if "6 hours" in note]
    assert "earlier" in note
    assert "--time-zone" in note
    assert held(memory) == sorted(said)
    assert memory.add(theirs, date_order="dmy").messages_added == 0


def test_words_of_another_hour_do_not_join_two_chats(memory: ChatMemory, write: Write) -> None:
    often = [(datetime(2024, 1, 20 + n, 9), "Ivan", f"Good morning on day {n}!") for n in range(9)]
    for name, hours in (("Anna", 0), ("Bob", 2)):
        sent = [(when + timedelta(hours=hours), who, text) for when, who, text in often]
        memory.add(write(name, sorted([*sent, *talk(40, name, "Ivan", of=name)])), date_order="dmy")
    assert len(memory.chats()) == 2
