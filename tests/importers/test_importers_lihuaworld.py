# ruff: noqa: RUF001 - wall-clock times, many scripts

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from dialects import read_export

from minirag_chat.importers.speakers import SpeakerRules
from minirag_chat.records import ParsedExport

if TYPE_CHECKING:
    from pathlib import Path

Read = Callable[..., ParsedExport]

HEADER = "Time: 20260105_11:00\n"


def senders(export: ParsedExport) -> list[str]:
    return [m.sender for chat in export.chats for m in chat.messages]


def speakers(text: str) -> set[str]:
    return set(SpeakerRules(text.split("\n")).speakers())


@pytest.mark.parametrize(
    "header",
    [
        "Time: 20260105_11:00", "Time:20260105_11:00", "20260105_11:00", "20260105_1100",
        "Time: 20260105_1100", "\ufeffTime: 20260105_11:00", "time: 20260105_11:00  ",
        "\n\nTime: 20260105_11:00",
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_header_gives_the_same_session(read: Read, header: str, ending: str) -> None:
    text = f"{header}\nAnnMiller: Shall we?\nBob: Yes!\n\n- tea\n\nAnd cake.\nAnnMiller: ok"
    [chat] = read(text.replace("\n", ending), "20260105_1100.txt").chats
    assert [(m.sender, m.text) for m in chat.messages] == [
        ("AnnMiller", "Shall we?"), ("Bob", "Yes!\n\n- tea\n\nAnd cake."), ("AnnMiller", "ok"),
    ]  # fmt: skip
    assert {m.sent_at for m in chat.messages} == {datetime(2026, 1, 5, 11)}
    assert len({m.session for m in chat.messages}) == 1
    assert "20260105_1100" in chat.messages[0].session
    assert (chat.platform, chat.key, chat.title, chat.kind) == ("lihuaworld", None, None, None)


def test_files_with_one_header_are_two_sessions(read: Read) -> None:
    first = read(HEADER + "Ann: hi", "a.txt").chats[0].messages[0].session
    assert first != read(HEADER + "Ann: hi", "b.txt").chats[0].messages[0].session


def test_headers_in_one_file_are_sessions(read: Read) -> None:
    export = read(f"{HEADER}Ann: hi\nBob: ho\nTime: 20260106_12:30\nBob: again")
    assert [[m.sent_at.day for m in chat.messages] for chat in export.chats] == [[5, 5], [6]]


@pytest.mark.slow
def test_lihuaworld_counts(shared: Path) -> None:
    folder = shared / "lihuaworld" / "data"
    sessions, names, skipped = Counter(), Counter(), []
    for _, export in read_export(folder):
        skipped += export.skipped
        for chat in export.chats:
            sessions.update({m.session for m in chat.messages})
            names.update(m.sender for m in chat.messages)
    assert (len(sessions), names.total(), skipped) == (442, 5896, [])
    spaced = {name for name in names if not name.replace("-", "").isalpha()}
    assert spaced == {"Li Hua", "Tirion Fordring"}
    assert len(names) == 62


def test_questions_are_no_chat(shared: Path) -> None:
    from minirag_chat.errors import UnknownFormat

    with pytest.raises(UnknownFormat, match="Gold Answer"):
        list(read_export(shared / "lihuaworld" / "questions_dev.csv"))


# --- who speaks: logs of our own, none of them in the data ---------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AnnMiller: hi\nBobJones: ho", {"AnnMiller", "BobJones"}),
        ("Anna Smith: hi\nBen Jones: ho", {"Anna Smith", "Ben Jones"}),
        ("Anna: hi\nBen Jones: ho", {"Anna", "Ben Jones"}),
        ("anna: hi\nben: ho", {"anna", "ben"}),
        ("李华: 你好\n小明: 好", {"李华", "小明"}),
        ("李华：你好\n小明：好", {"李华", "小明"}),
        ("Мария: привет\nИван: да", {"Мария", "Иван"}),
        ("محمد علي: مرحبا\nسارة: أهلا", {"محمد علي", "سارة"}),
        ("🦊: hi\nBen 🌸: ho", {"🦊", "Ben 🌸"}),
        ("Jean-Luc O'Neill: hi\nJ. R. Ewing: ho", {"Jean-Luc O'Neill", "J. R. Ewing"}),
        ("Ludwig van Beethoven: hi\nClara: ho", {"Ludwig van Beethoven", "Clara"}),
        ("+49 151 234567: hi\nAnn: ho", {"+49 151 234567", "Ann"}),
        ("A: hi\nB: ho\nA: so\nB: well", {"A", "B"}),
        ("Ann: hi\n\nBen: ho\n\nAnn: so\n\nCy: well", {"Ann", "Ben", "Cy"}),
        ("\nAnn: hi\n\nBen: ho", {"Ann", "Ben"}),
        ("LiLei: hi\nAnnMiller: ho\nLi Lei: so", {"LiLei", "AnnMiller", "Li Lei"}),
        ("AnnMiller: - one\n- two\nBobJones: ho", {"AnnMiller", "BobJones"}),
        ("AnnMiller: Ideas:\n- one\n- two\nBobJones: ho", {"AnnMiller", "BobJones"}),
        ("AnnMiller: Ideas:\n\nGo out and see a film.\nBob: ho", {"AnnMiller", "Bob"}),
    ],
)
def test_names_that_speak(text: str, expected: set[str]) -> None:
    assert speakers(text) == expected


@pytest.mark.parametrize(
    "lines",
    [
        "1. **Beans**: soak them",
        "**Beans**: soak them",
        "- Beans: soak them",
        "• Beans: soak them",
        "Note: bring water",
        "Instructions:",
        "Ingredients: flour, eggs",
        "For drinks, how about:",
        "Quick bean soup: soak the beans",
        "And for the dessert plan: cake",
        "PS: bring water",
        "📍 Location: the pier",
        "Day 1: walk\nDay 2: rest",
        "https://example.org/a: look",
        "10:30 is fine",
        "Wifi: abc\nPassword: def",
        "Monday: walk\nTuesday: rest",
        "\nBeans: soak them",
        "The plan:\nHarbour: nine\nMuseum: ten\nTower: noon",
        "Menu for the week:\n\nBeans: Monday\nRice: Tuesday\nBeans: Wednesday",
        "What I thought was this: we go",
        "注意: 带水",
    ],
)
def test_headings_do_not_speak(read: Read, lines: str) -> None:
    text = f"AnnMiller: Look\n{lines}\nBobJones: Good\nAnnMiller: ok\nBobJones: bye"
    assert speakers(text) == {"AnnMiller", "BobJones"}
    export = read(HEADER + text)
    assert senders(export) == ["AnnMiller", "BobJones", "AnnMiller", "BobJones"]
    assert export.chats[0].messages[0].text == f"Look\n{lines}".strip()


def test_lines_without_a_sender_are_skipped_with_their_number(read: Read) -> None:
    export = read(HEADER + "what a day\nAnn: hi\nBob: ho\nAnn: so\nBob: well")
    assert [(s.line, s.reason) for s in export.skipped] == [(2, "text before the first sender")]
    assert senders(export) == ["Ann", "Bob", "Ann", "Bob"]
    assert [s.line for s in read(HEADER).skipped] == [1]
    assert [s.line for s in read(HEADER + "Ann: hi\nBob:\nAnn: so").skipped] == []


def test_a_header_with_no_such_date_is_refused(read: Read) -> None:
    from minirag_chat.errors import UnknownFormat

    with pytest.raises(UnknownFormat):
        read("Time: 20261399_25:00\nAnn: hi")
