"""Another export of a known chat: people called otherwise, another clock. Each message is there once."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from minirag_chat import ChatMemory

pytestmark = pytest.mark.both_stores

Said = tuple[datetime, str, str]
Write = Callable[..., Path]
THINGS = ("boat", "ferry", "mill", "harbour", "lantern", "piano", "oar")


def talk(
    count: int, *people: str, start: datetime = datetime(2024, 1, 20, 10), of: str = "the"
) -> list[Said]:
    """What people say, with "ok" again and again, several messages of a minute, and pauses."""
    said = []
    for n in range(count):
        start += timedelta(minutes=(1, 0, 45, 600)[n % 4])
        text = "ok" if n % 4 in (0, 3) and n % 3 else f"{n} pieces of {of} {THINGS[n % 7]}"
        said.append((start, people[n % 5 % len(people)], text))
    return said


def called(said: Sequence[Said], **names: str) -> list[Said]:
    return [(when, names.get(who, who), text) for when, who, text in said]


def at(said: Sequence[Said], zone: str, of: str = "Europe/Berlin") -> list[Said]:
    """The same messages as a clock of another zone shows them."""
    return [
        (when.replace(tzinfo=ZoneInfo(of)).astimezone(ZoneInfo(zone)).replace(tzinfo=None), *rest)
        for when, *rest in said
    ]  # type: ignore[misc]


def timed(said: Sequence[Said]) -> list[Said]:
    """The same messages with their seconds, some apart, those of a minute in order."""
    found: list[Said] = []
    for when, *rest in said:
        same = [one for one in found if one[0].replace(second=0) == when]
        found.append((when + timedelta(seconds=3 + 9 * len(same)), *rest))  # type: ignore[arg-type]
    return found


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def whatsapp(name: str, said: Sequence[Said], *, seconds: bool = False) -> Path:
        path = tmp_path / f"WhatsApp Chat with {name}.txt"
        shown = "[{:%d/%m/%Y, %H:%M:%S}] {}: {}" if seconds else "{:%d/%m/%Y, %H:%M} - {}: {}"
        lines = [shown.format(*message) for message in said]
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return whatsapp


def held(memory: ChatMemory) -> list[Said]:
    return sorted((m.sent_at, m.sender, m.text) for m in memory.messages())


def names(memory: ChatMemory) -> dict[str, tuple[str, ...]]:
    return {person.name: person.spellings for person in memory.people()}


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


def test_an_hour_that_comes_twice(memory: ChatMemory, write: Write) -> None:
    night = datetime(
        2024, 10, 27, 0, 10
    )  # in UTC: from 00:00 and from 01:00 on, Berlin's clock shows 2
    said = [(night + timedelta(minutes=9 * n), ("Mum", "Ivan")[n % 2], f"awake at {n}, counting sheep")
            for n in range(20)]  # fmt: skip
    memory.add(write("Mum", at(said, "Europe/Berlin", of="UTC")), time_zone="Europe/Berlin")
    memory.add(write("Mum", said), time_zone="UTC", date_order="dmy")
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


@pytest.mark.parametrize("name", ["Mum", "Anna"])
def test_a_clock_that_nobody_told_of_is_found_out(
    memory: ChatMemory, write: Write, name: str
) -> None:
    said = [
        message
        for n in range(6)
        for message in talk(
            40, "Mum", "Ivan", start=datetime(2023, 2, 5) + timedelta(60 * n), of=str(n)
        )
    ]
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


# --- to the minute, and to the second -----------------------------------------------------------------


BUSY = ("ok", "ok", "see you", "ok", "and bring the lantern", "ok")


def busy(*people: str) -> list[Said]:
    """Talk with a minute in which some say the same, again and again."""
    said = talk(60, *people)
    minute = said[30][0] + timedelta(minutes=3)
    ok = [(minute, people[n // 2 % 2], text) for n, text in enumerate(BUSY)]
    return sorted([*said, *ok], key=lambda one: one[0])


@pytest.mark.parametrize("seconds", [True, False])
@pytest.mark.parametrize("second", ["Mum", "Anna Berg"])
def test_an_export_with_other_seconds_is_the_same_chat(
    memory: ChatMemory, write: Write, seconds: bool, second: str
) -> None:
    said = busy("Mum", "Ivan")
    known, other = (timed(said), said) if seconds else (said, timed(said))
    memory.add(write("Mum", known[:49], seconds=seconds), date_order="dmy")
    theirs = write(second, called(other, Mum=second), seconds=not seconds)
    assert memory.add(theirs, date_order="dmy").messages_added == len(said) - 49
    assert held(memory) == sorted([*known[:49], *other[49:]])
    assert [m.text for m in memory.messages()] == [text for *_, text in said]
    assert memory.add(theirs, date_order="dmy").messages_added == 0
    for exact, all_said in ((True, timed(said)), (False, said)):
        again = write("Mum", all_said, seconds=exact)
        assert memory.add(again, date_order="dmy").messages_added == 0
    assert set(names(memory)) == {"Mum", "Ivan"}
    assert len(memory.chats()) == 1


def test_exports_by_turns_with_seconds_and_without(memory: ChatMemory, write: Write) -> None:
    said = busy("Mum", "Ivan")
    for n, seconds in ((20, False), (33, True), (36, False), (50, True), (len(said), False)):
        export = (timed(said) if seconds else said)[:n]
        memory.add(write("Mum", export, seconds=seconds), date_order="dmy")
        assert [m.text for m in memory.messages()] == [text for *_, text in export]


@pytest.mark.parametrize("seconds", [True, False])
def test_only_later_messages_of_a_minute_are_new(
    memory: ChatMemory, write: Write, seconds: bool
) -> None:
    said = busy("Mum", "Ivan")
    [first] = [n for n in range(60) if [text for *_, text in said[n : n + 6]] == [*BUSY]]
    known, other = (timed(said), said) if seconds else (said, timed(said))
    memory.add(write("Mum", known[: first + 3], seconds=seconds), date_order="dmy")
    later = write("Mum", other[first - 5 :], seconds=not seconds)
    assert memory.add(later, date_order="dmy").messages_added == len(said) - first - 3
    assert [m.text for m in memory.messages()] == [text for *_, text in said]
    assert memory.add(later, date_order="dmy").messages_added == 0


def edited_since(*, seconds: bool) -> tuple[list[Said], int, list[Said], list[Said]]:
    """What was said, where one message was edited since, and an export before and one after."""
    said = busy("Mum", "Ivan")
    place = [text for *_, text in said].index("see you")
    edited = list(said)
    edited[place] = (*said[place][:2], "see you soon \u200e<This message was edited>")
    return (said, place, timed(said), edited) if seconds else (said, place, said, timed(edited))


@pytest.mark.parametrize("seconds", [True, False])
def test_an_edited_message_and_other_seconds(
    memory: ChatMemory, write: Write, seconds: bool
) -> None:
    said, place, known, other = edited_since(seconds=seconds)
    memory.add(write("Mum", known, seconds=seconds), date_order="dmy")
    report = memory.add(
        write("Anna", called(other, Mum="Anna"), seconds=not seconds), date_order="dmy"
    )
    assert (report.messages_added, report.messages_updated) == (0, 1)
    texts = [m.text for m in memory.messages()]
    assert texts == [
        *[t for *_, t in said[:place]],
        "see you soon",
        *[t for *_, t in said[place + 1 :]],
    ]
    assert memory.add(write("Mum", known, seconds=seconds), date_order="dmy").messages_added == 0


@pytest.mark.parametrize("seconds", [True, False])
@pytest.mark.parametrize("zone", ["America/New_York", None])
def test_another_zone_and_other_seconds(
    memory: ChatMemory, write: Write, seconds: bool, zone: str | None
) -> None:
    """The zone is told, or nobody told it."""
    said = [
        message
        for n in range(4)
        for message in talk(
            40, "Mum", "Ivan", start=datetime(2023, 2, 5) + timedelta(80 * n), of=str(n)
        )
    ]
    known, other = (timed(said), said) if seconds else (said, timed(said))
    first, second = ("Europe/Berlin", zone) if zone else (None, None)
    memory.add(write("Mum", known[:120], seconds=seconds), time_zone=first, date_order="dmy")
    theirs = write("Anna", at(called(other, Mum="Anna"), "America/New_York"), seconds=not seconds)
    assert memory.add(theirs, time_zone=second, date_order="dmy").messages_added == 40
    assert held(memory) == sorted([*known[:120], *other[120:]])
    assert memory.add(theirs, time_zone=second, date_order="dmy").messages_added == 0


@pytest.mark.parametrize("name", ["Mum", "Anna"])
def test_other_seconds_read_in_a_wrong_zone(memory: ChatMemory, write: Write, name: str) -> None:
    said = talk(60, "Mum", "Ivan")
    memory.add(write("Mum", said[:40]), time_zone="Europe/Berlin", date_order="dmy")
    theirs = write(name, called(timed(said), Mum=name), seconds=True)
    report = memory.add(theirs, time_zone="Asia/Tokyo", date_order="dmy")
    assert report.messages_added == 20
    assert any("read as of Europe/Berlin" in note for note in report.notes)
    assert held(memory) == sorted([*said[:40], *timed(said)[40:]])


@pytest.mark.parametrize("seconds", [True, False])
@pytest.mark.parametrize("who", ["Anna", "Bob"])
def test_what_is_sent_to_several_chats_at_other_seconds(
    memory: ChatMemory, write: Write, seconds: bool, who: str
) -> None:
    """Two chats of the same people, or of one of them with somebody else."""
    sent = [
        (datetime(2024, 1, 20 + n, 9), "Ivan", f"News of day {n} for all of you") for n in range(9)
    ]
    for name, other, exact in (("Anna", "Anna", seconds), ("Trip", who, not seconds)):
        more = talk(40, other, "Ivan", start=datetime(2024, 1, 20, 12), of=name)
        said = sorted([*sent, *more])
        memory.add(write(name, timed(said) if exact else said, seconds=exact), date_order="dmy")
    assert [chat.messages for chat in memory.chats()] == [49, 49]
    assert set(names(memory)) == {"Anna", "Ivan", who}


def test_what_was_put_behind_a_message_is_known_when_it_comes_with_its_seconds(
    memory: ChatMemory, write: Write
) -> None:
    """The minute then has seconds in the chat, though none of them are those of the message."""
    said = busy("Mum", "Ivan")
    [first] = [n for n in range(60) if [text for *_, text in said[n : n + 6]] == [*BUSY]]
    memory.add(write("Mum", timed(said)[: first + 1], seconds=True), date_order="dmy")
    memory.add(write("Mum", said[: first + 6]), date_order="dmy")
    report = memory.add(write("Mum", timed(said), seconds=True), date_order="dmy")
    assert report.messages_added == len(said) - first - 6
    assert [m.text for m in memory.messages()] == [text for *_, text in said]


def test_one_message_is_known_by_its_minute_where_a_phone_lacks_many(
    memory: ChatMemory, write: Write
) -> None:
    """What one phone has deleted has seconds too: it says nothing of how the others are compared."""
    said = busy("Mum", "Ivan")
    memory.add(write("Mum", timed(said[:-2]), seconds=True), date_order="dmy")
    memory.add(write("Mum", said), date_order="dmy")
    other = [one for n, one in enumerate(timed(said)) if n % 3 or n > 50]
    assert memory.add(write("Mum", other, seconds=True), date_order="dmy").messages_added == 0
    assert [m.text for m in memory.messages()] == [text for *_, text in said]


def test_two_say_the_same_in_a_minute_and_one_of_them_is_new(
    memory: ChatMemory, write: Write
) -> None:
    said = talk(40, "Mum", "Ivan")
    minute = said[20][0].replace(second=0) + timedelta(minutes=3)
    for when, who in ((minute + timedelta(seconds=50), "Ivan"), (minute, "Mum")):
        said.insert(21, (when, who, "ok"))
    exact = [*timed(said[:21]), *said[21:23], *timed(said[23:])]
    ivan = [*exact[:21], *exact[22:]]
    memory.add(write("Mum", ivan, seconds=True), date_order="dmy")
    both = [(when.replace(second=0), *rest) for when, *rest in exact]
    for _ in range(2):
        memory.add(write("Mum", both), date_order="dmy")  # type: ignore[arg-type]
        oks = [m.sender for m in memory.messages() if m.sent_at.replace(second=0) == minute]
        assert sorted(oks) == ["Ivan", "Mum"]


@pytest.mark.parametrize("seed", range(4))
def test_phones_of_either_kind_again_and_again(
    memory: ChatMemory, write: Write, tmp_path: Path, seed: int
) -> None:
    """Each lacks some messages and calls somebody otherwise; several say the same in a minute."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    when, said = datetime(2024, 1, 20, 10), list[Said]()
    for n in range(80):
        when += timedelta(seconds=draw.choice((1, 3, 7, 20, 20, 50, 300, 40_000)))
        text = draw.choice(("ok", "ok", "haha", *3 * (f"{n} pieces of the {THINGS[n % 7]}",)))
        said.append((when, draw.choice(("Mum", "Ivan", "Carl")), text))
    exports: list[Path] = []
    least = Counter[tuple[datetime, str]]()
    for n in range(4):
        export = [one for one in said[: 50 + 10 * n] if draw.random() < 0.96]
        least |= Counter((when.replace(second=0), text) for when, _, text in export)
        theirs = called(export, Mum=("Mum", "Anna Berg")[n % 2])
        written = write("Us", theirs, seconds=(n + seed) % 3 > 0)
        (tmp_path / f"{n}").mkdir()
        exports.append(written.rename(tmp_path / f"{n}" / written.name))
        memory.add(exports[-1], date_order="dmy")
        for again in exports:
            assert memory.add(again, date_order="dmy").messages_added == 0
    held = Counter((m.sent_at.replace(second=0), m.text) for m in memory.messages())
    true = Counter((when.replace(second=0), text) for when, _, text in said)
    assert least <= held <= true
    assert len(memory.chats()) == 1


def test_both_exports_in_one_folder(memory: ChatMemory, write: Write, tmp_path: Path) -> None:
    said = busy("Mum", "Ivan")
    for folder, seconds in (("android", False), ("iphone", True)):
        (tmp_path / "both" / folder).mkdir(parents=True)
        path = write("Mum", timed(said) if seconds else said, seconds=seconds)
        path.rename(tmp_path / "both" / folder / path.name)
    assert memory.add(tmp_path / "both", date_order="dmy").messages_added == len(said)
    assert [m.text for m in memory.messages()] == [text for *_, text in said]


@pytest.mark.parametrize("seconds", [True, False])
def test_an_edited_message_takes_the_place_of_no_other(
    memory: ChatMemory, write: Write, seconds: bool
) -> None:
    """Of two messages of a minute a phone lacks one, and has the other as it was edited."""
    _, place, known, other = edited_since(seconds=seconds)
    del other[place + 2]  # of the same person and minute
    memory.add(write("Mum", known, seconds=seconds), date_order="dmy")
    again = write("Mum", other, seconds=not seconds)
    memory.add(again, date_order="dmy")
    assert {"and bring the lantern", "see you soon"} <= {m.text for m in memory.messages()}
    assert memory.add(again, date_order="dmy").messages_added == 0


def test_what_is_said_twice_in_a_minute_of_two_exports_with_seconds_is_two_messages(
    memory: ChatMemory, write: Write
) -> None:
    """The one export ends with it, the other begins with it; or each phone has deleted another one."""
    said = timed(talk(40, "Mum", "Ivan"))
    minute = said[20][0].replace(second=0) + timedelta(minutes=3)
    oks = [(minute + timedelta(seconds=n), "Mum", "ok") for n in (5, 40)]
    said[21:21] = oks
    for name, exports in {
        "cut": (said[:22], said[22:]),
        "deleted": ([*said[:22], *said[23:]], [*said[:21], *said[22:]]),
    }.items():
        for export in (*exports, exports[0]):
            memory.add(write(name, called(export, Mum=name), seconds=True), date_order="dmy")
        [chat] = [chat for chat in memory.chats() if chat.title == name]
        assert chat.messages == len(said)
        assert memory.add(write(name, called(said, Mum=name), seconds=True)).messages_added == 0
        memory.delete_chat(chat.id)


def test_an_edited_message_of_known_seconds_takes_no_other_place(
    memory: ChatMemory, write: Write
) -> None:
    """Beside it is a message of the same minute that only an export to the minute had."""
    said = busy("Mum", "Ivan")
    place = [text for *_, text in said].index("see you")
    more = (said[place][0], said[place][1], "and one more thing")
    memory.add(write("Mum", timed(said[:-1]), seconds=True), date_order="dmy")
    both = [*said[: place + 3], more, *said[place + 3 :]]
    assert memory.add(write("Mum", both), date_order="dmy").messages_added == 2
    edited = timed(said)
    edited[place] = (*edited[place][:2], "see you soon \u200e<This message was edited>")
    report = memory.add(write("Mum", edited, seconds=True), date_order="dmy")
    assert (report.messages_added, report.messages_updated) == (0, 1)
    texts = [m.text for m in memory.messages()]
    assert {"and one more thing", "see you soon"} <= {*texts}
    assert "see you" not in texts


def test_two_who_say_the_same_short_word_in_a_minute_are_not_one(
    memory: ChatMemory, write: Write
) -> None:
    """The one export ends in it and the other begins in it: each has the word of another."""
    said = talk(40, "Mum", "Ivan")
    minute = said[19][0].replace(second=0) + timedelta(minutes=3)
    words = (("Ivan", "haha"), ("Mum", "sure"), ("Ivan", "sure"), ("Mum", "haha"))
    said[20:] = [(minute, *word) for word in words] + talk(20, "Mum", "Ivan", start=minute)
    memory.add(write("Mum", timed(said)[:23], seconds=True), date_order="dmy")
    for _ in range(2):
        memory.add(write("Mum", said[21:]), date_order="dmy")
        found = sorted((m.sender, m.text) for m in memory.messages())
        assert found == sorted((who, text) for _, who, text in said)
