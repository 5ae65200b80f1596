"""A day that a later message moves: the answer says so, and is unsure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from places import write_table
from three_chats import asked, memory_of, opened

from minirag_chat import ChatMemory
from minirag_chat.answer.later_change import changed_later, changes_of
from minirag_chat.records import Source

BAND = """\
18/11/2026, 18:11 - Colm: launch: ludlow brewery, fri 11 dec, 8pm. tickets 8 quid
19/11/2026, 10:00 - Priya: lovely
20/11/2026, 10:00 - Keith: dress rehearsal is on 4 december in the barn
21/11/2026, 10:00 - Keith: quiz night is on 3 december, bring a pen
22/11/2026, 10:00 - Priya: my cousin moves house on 5 december
25/11/2026, 19:11 - Priya: brewery moved us to sat 12th btw, double booked with a hen do
26/11/2026, 09:00 - Colm: shall we move the quiz night to 6 december?
"""
SHAUNA = """\
15/10/2026, 16:41 - Shauna: completion 11 dec all being well
19/11/2026, 13:02 - Shauna: solicitor says 11th wont happen, something with the drains. now 8 jan
20/11/2026, 13:02 - Colm: dentist is on 9 december, not the 2nd
"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder: Path = tmp_path_factory.mktemp("moved")
    with opened(folder, chats={"Soot Tarts": BAND, "Shauna": SHAUNA}, me="Colm") as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "stated", "moved"),
    [
        (
            "When is the launch at the brewery?",
            "fri 11 dec",
            "This may have changed: Priya, 25 November 2026, 19:11: “brewery moved us to sat 12th btw",
        ),
        ("When is completion?", "completion 11 dec", "“solicitor says 11th wont happen"),
    ],
)
def test_a_later_message_that_moves_the_day_is_shown_and_the_answer_unsure(
    chats: ChatMemory, question: str, stated: str, moved: str
) -> None:
    answer = asked(chats, question)
    assert stated in answer.text
    assert moved in answer.text
    last = answer.sources[-1]
    assert answer.text.endswith(f"[{last.number}]")
    assert moved.split("“")[1] in last.message.text
    assert answer.confidence < 0.5
    assert any(node.name.startswith(f"[{last.number}]") for node in answer.path.nodes), (
        "in the path"
    )


@pytest.mark.parametrize(
    "question",
    [
        "When is the dress rehearsal?",
        "When is quiz night?",  # to move it was only asked
        "When is the dentist?",
    ],
)
def test_a_day_that_nobody_moved_is_as_it_was(chats: ChatMemory, question: str) -> None:
    answer = asked(chats, question)
    assert answer.sources
    assert "may have changed" not in answer.text


def test_the_first_plan_is_what_was_asked_for(chats: ChatMemory) -> None:
    found = chats.ask("When is the launch at the brewery?", history=())
    with chats._store.reading():
        asked_for = (chats._store, "When was the launch first planned?", found.text)
        assert changed_later(*asked_for, found.sources[:1], None) is None


def test_what_is_planned_says_what_may_have_moved(chats: ChatMemory) -> None:
    answer = asked(chats, "What is planned for 11 December 2026?")
    first, second = answer.text.splitlines()
    assert "completion 11 dec all being well” [1] This may have changed: Shauna, 19" in first
    assert "tickets 8 quid” [2] This may have changed: Priya, 25 November 2026" in second
    assert [source.number for source in answer.sources] == [1, 2, 3, 4]
    week = asked(chats, "What is planned for December 2026?")
    assert week.text.count("may have changed") == 2
    there = next(n for n in week.sources if n.message.text.startswith("brewery moved"))
    assert week.text.count(f"[{there.number}]") == 2, (
        "it is named where it is listed, and where it moves"
    )


def test_a_word_that_names_nothing_is_no_sign_that_it_was_moved(tmp_path: Path) -> None:
    export = """\
15/11/2026, 18:20 - Dee: I need people Thurs 17 and Fri 18 Dec, it's crazy
24/11/2026, 11:00 - Dee: Xmas do: can't do the 13th for 9 people. Moved to Tuesday 15th, at Rudy's
"""
    with opened(tmp_path, chats={"Cafe": export}, me="Dee") as memory:
        answer = asked(memory, "what's on 18 december")
    assert answer.text.startswith("- For 18 December 2026: Dee")
    assert "may have changed" not in answer.text


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_the_ends_of_the_calendar_are_no_trouble(tmp_path: Path, year: str) -> None:
    rows = [
        (f"{year}-12-30 10:00", "Ann", f"the launch is on 31 December {year}", "Band"),
        (f"{year}-12-30 11:00", "Ben", f"moved to 30 December {year}, not the 31st", "Band"),
        ("2024-12-30 11:00", "Ben", "so be it", "Band"),
    ]
    with memory_of(tmp_path, "Ann", write_table(tmp_path / "band.csv", *rows)) as memory:
        answer = memory.tuned(abstain_below=0.0).ask("When is the launch?", history=())
        assert f"31 December {year}" in answer.text
        assert asked(memory, f"What was planned for 31 December {year}?").text


def test_it_can_be_left_out(chats: ChatMemory) -> None:
    without = chats.tuned(without=["changed"])
    answer = without.ask("When is the launch at the brewery?", history=())
    assert "fri 11 dec" in answer.text
    assert "may have changed" not in answer.text


MOVED = """\
05/04/2026, 19:02 - Nuria: dont tell derek but ive got an interview at the botanics
05/04/2026, 19:04 - Fiona: when??
05/04/2026, 19:05 - Nuria: 14 april
05/04/2026, 19:06 - Fiona: my lips are sealed
09/04/2026, 12:12 - Nuria: its been moved to the 21st now, one of the panel is ill
12/08/2026, 12:30 - Nuria: op on the 3rd of september
01/09/2026, 16:40 - Nuria: they cancelled. 24th now
10/09/2026, 09:00 - Fiona: choir is on 20 september
10/09/2026, 09:10 - Nuria: cancelled my gym, moved it to the 22nd
"""


@pytest.mark.parametrize(
    ("message", "moved"),
    [
        ("14 april", "its been moved to the 21st"),
        ("op on the 3rd", "they cancelled. 24th now"),
        ("choir is", ""),
    ],
)
def test_what_moves_it_shortly_after_needs_no_word_of_the_message_with_the_day(
    tmp_path: Path, message: str, moved: str
) -> None:
    with opened(tmp_path, chats={"Fiona": MOVED}, me="Nuria") as memory:
        assert _change_of(memory, message).startswith(moved)
        assert bool(_change_of(memory, message)) == bool(moved)


def test_what_moves_it_long_after_is_about_something_else(tmp_path: Path) -> None:
    talk = "".join(f"06/04/2026, 10:{n:02} - Fiona: no {n}\n" for n in range(10))
    text = MOVED.replace("09/04/2026", f"{talk}09/04/2026")
    with opened(tmp_path, chats={"Fiona": text}, me="Nuria") as memory:
        assert not _change_of(memory, "14 april")


BETWEEN = """\
03/11/2026, 18:31 - Larissa: check up thurs 3 december 9.15
09/11/2026, 20:00 - Rui: flights: fri 18 dec instead of sun 20, 612 each. change?
09/11/2026, 20:01 - Larissa: yes change
09/11/2026, 20:40 - Rui: changed. back on sat 9 january
23/11/2026, 20:05 - Rui: night out fri 11 dec, The Hut, i rang them
23/11/2026, 20:06 - Larissa: am i invited
23/11/2026, 20:08 - Larissa: I can't do the 11th im on a course in cork till the 12th
23/11/2026, 20:09 - Rui: ok i'll move it to sat 12th. 8pm so ye can all eat first
24/11/2026, 20:05 - Rui: cinema on 20 december
24/11/2026, 20:06 - Larissa: fine, and the market is on 27 december
24/11/2026, 20:09 - Rui: its been moved to 28 december
25/11/2026, 19:05 - Rui: they do my knee on 5 january
25/11/2026, 19:09 - Rui: Put back a week. Tuesday the 12th. The surgeon is ill
25/11/2026, 20:05 - Rui: brunch on 22 january, see you there
25/11/2026, 20:09 - Larissa: can we push it back to the 23rd?
"""


@pytest.mark.parametrize(
    ("message", "moved"),
    [
        ("check up", ""),  # the flights were spoken of in between
        ("flights", ""),  # the day is another thing's
        ("night out", "ok i'll move it to sat 12th"),
        ("cinema", ""),
        ("fine, and the market", "its been moved to 28"),
        ("they do my knee", "Put back a week"),
        ("brunch", ""),
    ],
)
def test_it_is_what_was_spoken_of_last(tmp_path: Path, message: str, moved: str) -> None:
    with opened(tmp_path, chats={"Rui": BETWEEN}, me="Larissa") as memory:
        change = _change_of(memory, message)
    assert change.startswith(moved)
    assert bool(change) == bool(moved)


NOT_MOVED = """\
06/07/2026, 19:13 - Theo: its Treasure Island, opens thurs 3 dec at the hall
08/10/2026, 20:31 - Theo: we open a week later, thurs 10 dec not 3rd
08/10/2026, 20:33 - Theo: same length so the last night is sat 19 dec
05/11/2026, 19:37 - Theo: theres a brownies thing on the 14th so the paint party is now SUNDAY 15th, same time
13/11/2026, 10:44 - Ife: keys on 9 jan
13/11/2026, 10:56 - Ife: rent runs to 16 jan for us
24/11/2026, 18:02 - Theo: small update its 16 jan now, not the 9th
25/11/2026, 10:00 - Ife: barbecue on wed 9 december
25/11/2026, 10:05 - Ife: choir rehearsal on thursday 10 december
25/11/2026, 10:06 - Ife: market picnic on thursday 17 december
26/11/2026, 10:00 - Theo: barbecue: come at 8 not 9, and thursday 10 december you rest
26/11/2026, 10:01 - Theo: rehearsal for 12 singers not 10 and sunday 13 december free
26/11/2026, 10:02 - Theo: picnic why not thursday, and wed 16 december we shop
27/11/2026, 10:00 - Ife: inspection on 9 january
28/11/2026, 10:00 - Theo: inspection is 16 Jan not 9
29/11/2026, 10:00 - Theo: your nurse appointment is on 23 december at 9:20
30/11/2026, 10:00 - Theo: Reminder: nurse appointment 23 december 9:20. Reply CANCEL to cancel.
"""


@pytest.mark.parametrize(
    ("message", "moved"),
    [
        ("same length", ""),  # "same time" is no word of what is moved
        ("rent runs to", ""),  # 16 January is the new day
        ("its Treasure", "we open a week later, thurs 10 dec not 3rd"),  # without "moved"
        ("keys on", "small update its 16 jan now"),
        ("your nurse", ""),  # nobody cancelled it
        ("barbecue on", ""),  # an hour
        ("choir rehearsal on", ""),  # singers
        ("market picnic", ""),  # "why not" proposes it
        ("inspection on", "inspection is 16 Jan not 9"),
    ],
)
def test_another_thing_that_moves_to_the_day_changes_nothing(
    tmp_path: Path, message: str, moved: str
) -> None:
    with opened(tmp_path, chats={"Flat": NOT_MOVED}, me="Ife") as memory:
        change = _change_of(memory, message)
    assert change.startswith(moved)
    assert bool(change) == bool(moved)


RENT = """\
13/04/2025, 10:00 - Tariq: room is free from september. want it? 430
13/04/2025, 10:05 - Goran: bring 5 chairs
19/05/2025, 10:00 - Tariq: the coach to the airport leaves at 5 sharp
02/06/2025, 10:00 - Tariq: goran wants a contract n id. n bad news its 445 not 430
03/06/2025, 10:00 - Goran: small change: the airport coach leaves at 4:30, not 5
"""


@pytest.mark.parametrize(
    ("message", "answer", "changed"),
    [
        ("room is free", "430", "goran wants a contract"),
        ("room is free", "a room", ""),  # the number is not what was asked for
        ("the coach", "at 5 sharp", "small change: the airport coach"),
        ("bring 5", "5 chairs", ""),  # of another thing
        ("goran wants", "445", ""),
    ],
)
def test_a_number_that_a_later_message_rules_out_may_have_changed(
    tmp_path: Path, message: str, answer: str, changed: str
) -> None:
    with opened(tmp_path, chats={"Flat": RENT}, me="Goran") as memory:
        store = memory._store
        with store.reading():
            said = next(
                one
                for one in store.messages.by_ids([*range(1, 9)]).values()
                if one.text.startswith(message)
            )
            source = Source(1, said, said.text)
            found = changed_later(store, "What is it?", answer, [source], datetime(2025, 7, 1))
    assert (found.quote if found else "").startswith(changed)
    assert bool(found) == bool(changed)


def test_a_plan_in_spanish_may_have_changed(tmp_path: Path) -> None:
    text = (
        "08/11/2026, 18:00 - Nuria: he mirado vuelos, llego el 22 de diciembre por la tarde\n"
        "15/11/2026, 19:32 - Nuria: vale cambiado: llego el s\u00e1bado 19 a las 16.40\n"
    )
    with opened(tmp_path, chats={"Mam\u00e1": text}, me="Nuria") as memory:
        assert _change_of(memory, "he mirado").startswith("vale cambiado")


def _change_of(memory: ChatMemory, begin: str) -> str:
    """What a later message says that may move the day of the message that begins so."""
    store = memory._store
    with store.reading():
        messages = store.messages.by_ids([*range(1, 40)])
        message = next(one for one in messages.values() if one.text.startswith(begin))
        change = changes_of(store, [message]).get(message.id)
    return change.quote if change else ""


HOUSE = """\
21/11/2026, 16:03 - Callum: viewing 7 brailsford rd is on weds 2nd dec at 3pm
21/11/2026, 16:05 - Zuri: 560 is steep
24/11/2026, 20:10 - Zuri: film club is on thursday 3rd december
25/11/2026, 20:14 - Callum: agent moved the viewing
25/11/2026, 20:14 - Callum: fri 4th now
25/11/2026, 20:15 - Callum: half 12
"""
WORK = """\
09/11/2026, 17:30 - Dee: Christmas do! Sunday 13 December, Albert's Schloss, 7pm. Limit 8 pounds
24/11/2026, 11:00 - Dee: Christmas do: Albert's can't do the 13th for 9 people. Moved to Tuesday 15th, same time, at Rudy's
25/11/2026, 11:00 - Dee: shift rota is in the office
"""


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder: Path = tmp_path_factory.mktemp("phone")
    with opened(folder, chats={"House": HOUSE, "Work": WORK}, me="Zuri") as memory:
        yield memory


def test_what_moves_a_day_may_be_sent_in_two_messages(phone: ChatMemory) -> None:
    answer = asked(phone, "When is the viewing at Brailsford Rd?")
    assert "This may have changed: Callum, 25 November 2026, 20:14: “fri 4th now”" in answer.text
    assert "may have changed" not in asked(phone, "When is film club?").text, "another subject"


def test_what_is_where_is_so_on_the_day_that_was_moved(phone: ChatMemory) -> None:
    with phone._store.reading():
        every = phone._store.messages.by_ids(range(1, 10)).values()
        message = next(one for one in every if one.text.startswith("Christmas do!"))
        cited = [Source(1, message, message.text)]
        change = partial(changed_later, phone._store, sources=cited, now=message.sent_at)
        where = change("Where is the Christmas do?", answer="Albert's Schloss")
        limit = change("What is the limit at the Christmas do?", answer="8 pounds")
    assert where is not None
    assert "Rudy's" in where.message.text
    assert limit is None
