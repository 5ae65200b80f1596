"""A chat exported to the minute and to the second: each message is there once."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from exports_of_one_chat import (
    THINGS,
    Said,
    Write,
    at,
    called,
    held,
    names,
    now_and_then,
    talk,
    timed,
    write,
)

from minirag_chat import ChatMemory

__all__ = ["write"]  # a fixture
pytestmark = pytest.mark.both_stores


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
    said = now_and_then(4, days=80)
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
        memory.add(write("Mum", both), date_order="dmy")  # type: ignore[arg-type]  # one of three
        oks = [m.sender for m in memory.messages() if m.sent_at.replace(second=0) == minute]
        assert sorted(oks) == ["Ivan", "Mum"]


@pytest.mark.slow
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
