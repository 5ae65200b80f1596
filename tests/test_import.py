"""Importing as a person meets it: again, in parts, in any order, in any language."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

import json
import random
import sqlite3
import textwrap
import weakref
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from stored import contents, opened

from minirag_chat import ChatMemory
from minirag_chat.errors import ImportFailed, UnreadableFile
from minirag_chat.importers import pieces
from minirag_chat.ingest.stage import ImportStatistics, Stage
from minirag_chat.records import ParsedChat, ParsedMessage
from minirag_chat.store import Store

pytestmark = pytest.mark.both_stores


def talk(count: int, start: datetime = datetime(2024, 1, 1, 9)) -> list[dict[str, Any]]:
    """Telegram messages with pauses, equal texts, and replies that reach back."""
    when = start
    found = []
    for n in range(count):
        when += timedelta(seconds=30 if n % 7 else 9000)
        found.append({
            "id": n, "type": "message", "date": when.isoformat(), "from": ("Ann", "Bob", "Cy")[n % 3],
            "text": "ok" if n % 5 == 4 else f"thing {n} of the {('boat', 'ferry', 'mill')[n % 3]}",
        } | ({"reply_to_message_id": n - 20} if n % 11 == 10 and n > 20 else {}))  # fmt: skip
    return found


class Text(str):
    """A text of which one can ask whether anything still holds it."""

    __slots__ = ("__weakref__",)


def test_an_import_holds_no_texts_of_the_messages_that_it_has_read(memory: ChatMemory) -> None:
    read: list[weakref.ref[Text]] = []
    held: list[int] = []

    def exported() -> Iterator[tuple[Path, ParsedChat]]:
        for n in range(60):
            text = Text(f"thing {n}")
            read.append(weakref.ref(text))
            when = datetime(2024, 1, 1) + timedelta(hours=n)
            message = ParsedMessage(when, "Ann", text)
            del text
            yield Path("chats.csv"), ParsedChat("table", (message,), part=n % 6)
            del message
            held.append(sum(one() is not None for one in read))

    with memory._store.transaction():
        Stage(memory._store, UTC, ImportStatistics()).take(exported())
    assert max(held) < 10


def test_equal_messages_stay_as_many_as_they_are_wherever_a_piece_ends(
    memory: ChatMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 3)
    rows = [
        f"2024-01-01T09:{n // 8:02}:00,{('boats,Ann', 'mills,Bob')[n % 2]},ok" for n in range(80)
    ]
    (tmp_path / "chats.csv").write_text(
        "\n".join(["Date,Chat,Sender,Message", *rows]), encoding="utf-8"
    )
    assert memory.add(tmp_path / "chats.csv").messages_added == 80
    assert memory.add(tmp_path / "chats.csv").messages_added == 0


def result(path: Path, messages: list[dict[str, Any]], key: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    chat = {"name": f"Boats {key}", "type": "private_group", "id": key, "messages": messages}
    path.write_text(json.dumps(chat), encoding="utf-8")
    return path


@pytest.mark.sqlite_file
def test_half_of_an_export_and_then_all_of_it_is_all_of_it(tmp_path: Path) -> None:
    messages = talk(120)
    with opened(tmp_path / "a") as memory:
        memory.add(result(tmp_path / "whole.json", messages))
    with opened(tmp_path / "b") as memory:
        memory.add(result(tmp_path / "half.json", messages[:61]))
        report = memory.add(tmp_path / "whole.json")
        assert (report.messages_read, report.messages_added) == (120, 59)
        assert memory.add(tmp_path / "whole.json").messages_added == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.sqlite_file
def test_the_order_of_files_does_not_matter(tmp_path: Path) -> None:
    messages = talk(90)
    parts = [messages[:40], messages[30:70], messages[60:]]
    files = [result(tmp_path / f"{n}.json", part) for n, part in enumerate(parts)]
    files.append(result(tmp_path / "other.json", talk(30, datetime(2024, 5, 1)), key=2))
    for name, order in (
        ("a", files),
        ("b", files[::-1]),
        ("c", [files[1], files[3], files[0], files[2]]),
    ):
        with opened(tmp_path / name) as memory:
            for file in order:
                memory.add(file)
    assert contents(tmp_path / "a") == contents(tmp_path / "b") == contents(tmp_path / "c")


@pytest.mark.sqlite_file
def test_an_import_that_fails_leaves_all_as_it_was(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as memory:
        memory.add(result(tmp_path / "one.json", talk(20)))
        before = contents(tmp_path / "a")
        (tmp_path / "bad.json").write_text('{"name": "x", "messages": [{"id": 1, "date_unixtime"')
        with pytest.raises(ImportFailed, match="line 1"):
            memory.add(tmp_path / "bad.json")
        assert contents(tmp_path / "a") == before


@pytest.mark.sqlite_file
def test_many_rows_are_inserted_by_few_statements_and_none_is_lost(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as store:
        seen: list[str] = []
        connection = store.connection
        assert isinstance(connection, sqlite3.Connection)
        with store.transaction():
            chat = connection.new("INSERT INTO chats (platform) VALUES (?)", ("x",))

            def rows() -> Iterator[tuple[int, int, str]]:
                for number in range(53):
                    # a row that is there already, in the same statement and in another one
                    person = store.people.ensure("person", f"Ann {number % 47}")
                    yield chat, person, f"t{number % 47}"

            connection.set_trace_callback(seen.append)
            connection.executemany(
                "INSERT INTO sessions (chat_id, id, started_at, ended_at) VALUES (?, ?, ?, '') "
                "ON CONFLICT (id) DO NOTHING",
                rows(),
            )
            connection.set_trace_callback(None)
        found = connection.execute("SELECT COUNT(*), MAX(started_at) FROM sessions").fetchone()
    assert found == (47, "t9")
    assert sum(sql.startswith("INSERT INTO sessions") for sql in seen) == 3


@pytest.mark.sqlite_file
def test_a_first_import_leaves_all_indexes_whether_it_succeeds_or_fails(tmp_path: Path) -> None:
    def indexes() -> list[tuple[str, str]]:
        with closing(sqlite3.connect(tmp_path / "a" / "chats.db")) as file:
            found = "SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
            return file.execute(found).fetchall()

    (tmp_path / "bad.json").write_text('{"name": "x", "messages": [{"id": 1, "date_unixtime"')
    with opened(tmp_path / "a") as memory:
        empty = indexes()
        with pytest.raises(ImportFailed):
            memory.add(tmp_path / "bad.json")
        assert indexes() == empty
        memory.add(result(tmp_path / "one.json", talk(20)))
        assert indexes() == empty
    assert "messages_fingerprint" in dict(empty)


def test_a_reply_is_found_by_what_it_answers(tmp_path: Path) -> None:
    messages = [
        {"id": 1, "type": "message", "date": "2024-01-01T09:00:00", "from": "Ann", "text": "Who keeps the barometer?"},
        *({"id": n, "type": "message", "date": f"2024-01-02T10:{n:02}:00", "from": "Cy", "text": f"chatter {n}"}
          for n in range(2, 40)),
        {"id": 40, "type": "message", "date": "2024-01-03T18:00:00", "from": "Bob", "text": "My aunt does.",
         "reply_to_message_id": 1},
    ]  # fmt: skip
    with opened(tmp_path) as memory:
        memory.add(result(tmp_path / "x.json", messages))
        found = [e.message for e in memory.retrieve("Who keeps the barometer?", "bm25", k=3)]
        assert "My aunt does." in [m.text for m in found]
        answer = next(m for m in found if m.text == "My aunt does.")
        assert answer.reply_to == next(m.id for m in found if m.text.startswith("Who keeps"))


@pytest.mark.sqlite_file
def test_a_reply_that_came_before_its_parent_is_indexed_with_it_later(tmp_path: Path) -> None:
    parent = {
        "id": 1,
        "type": "message",
        "date": "2024-01-01T09:00:00",
        "from": "Ann",
        "text": "Who keeps the barometer?",
    }
    reply = {"id": 2, "type": "message", "date": "2024-01-09T09:00:00", "from": "Bob", "text": "My aunt.",
             "reply_to_message_id": 1}  # fmt: skip
    for name, order in (("a", ([parent], [reply])), ("b", ([reply], [parent]))):
        with opened(tmp_path / name) as memory:
            for n, part in enumerate(order):
                memory.add(result(tmp_path / f"{name}{n}.json", part))
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert ("Who keeps the barometer?|My aunt.",) in contents(tmp_path / "b")["chunks"]


def test_a_deleted_message_is_shown_in_its_place_and_never_found(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat with Bob.txt"
    path.write_text("13/1/21, 10:00 - Ann: one\n13/1/21, 10:01 - Bob: This message was deleted\n"
                    "13/1/21, 10:02 - Ann: two\n", encoding="utf-8")  # fmt: skip
    with opened(tmp_path) as memory:
        memory.add(path)
        around = memory.conversation(memory.search("one")[0].message.id)
        assert [(m.sender, m.deleted) for m in around] == [
            ("Ann", False),
            ("Bob", True),
            ("Ann", False),
        ]
        assert memory.search("deleted") == []


def test_marks_survive_the_store(tmp_path: Path) -> None:
    message = {"id": 1, "type": "message", "date": "2024-01-01T09:00:00", "from": "Ann", "text": "look",
               "edited": "2024-01-01T09:05:00", "forwarded_from": "Cy", "photo": "photos/p.jpg",
               "reactions": [{"emoji": "👍", "recent": [{"from": "Bob"}]}]}  # fmt: skip
    with opened(tmp_path) as memory:
        memory.add(result(tmp_path / "x.json", [message]))
        kept = memory.search("look")[0].message
    assert (kept.edited, kept.forwarded_from) == (True, "Cy")
    assert (kept.attachments[0].name, kept.attachments[0].kind) == ("p.jpg", "photo")
    assert (kept.reactions[0].emoji, kept.reactions[0].sender) == ("👍", "Bob")


def test_half_a_character_does_not_stop_an_import(tmp_path: Path) -> None:
    message = {
        "id": 1,
        "type": "message",
        "date": "2024-01-01T09:00:00",
        "from": "A\ud83d",
        "text": "half \ud83d here",
    }
    with opened(tmp_path) as memory:
        memory.add(result(tmp_path / "x.json", [message]))
        assert memory.search("half")[0].message.text == "half \ufffd here"


def test_what_is_too_long_for_a_name_or_an_id_stops_no_import(tmp_path: Path) -> None:
    draw = random.Random(7)  # noqa: S311 - no secret, and nothing that an index could compress
    long = "".join(draw.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=4000))
    names = " ".join(f"N{word}" for word in textwrap.wrap(long, 4))
    messages = [
        {"id": long, "type": "message", "date": "2024-01-01T09:00:00", "from": "Ann",
         "text": f"see https://example.org/{long}"},
        {"id": "2", "type": "message", "date": "2024-01-01T09:01:00", "from": "Bob",
         "text": f"with {names}", "reply_to_message_id": long},
    ]  # fmt: skip
    with opened(tmp_path) as memory:
        memory.add(result(tmp_path / "x.json", messages))
        seen, answered = memory.messages()
        assert answered.reply_to == seen.id
        assert memory.add(tmp_path / "x.json").messages_added == 0


# --- languages --------------------------------------------------------------------------------------

LANGUAGES = {
    "Chinese": ("王芳", "我们明天下午在火车站见面吧，记得带上护照和车票", ("护照", "火车站")),
    "Chinese, traditional": (
        "陳大文",
        "下星期三去圖書館還書，然後一起吃牛肉麵",
        ("圖書館", "牛肉麵"),
    ),
    "Japanese": ("佐藤花子", "来週の土曜日に図書館でカメラを返すつもりです", ("図書館", "カメラ")),
    "Korean": ("김민수", "내일 저녁에 한강공원에서 자전거를 타자", ("자전거", "공원")),
    "Thai": ("สมชาย", "พรุ่งนี้ไปซื้อมะม่วงที่ตลาดน้ำกันนะ", ("มะม่วง", "ตลาด")),
    "Arabic": ("ليلى", "سنلتقي غدا أمام المكتبة القديمة في الساعة السابعة", ("المكتبة", "القديمة")),
    "Hindi": ("अनिता", "कल शाम को पुस्तकालय के सामने मिलते हैं, छाता लाना", ("पुस्तकालय", "छाता")),
    "Russian": (
        "Мария",
        "Завтра встретимся возле библиотеки, возьми зонтик",
        ("библиотеки", "зонтик"),
    ),
    "Ukrainian": (
        "Олена",
        "Зустрінемось біля бібліотеки, візьми парасольку",
        ("парасольку", "Бібліотеки"),
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_a_language_are_found(tmp_path: Path, language: str) -> None:
    name, text, words = LANGUAGES[language]
    path = tmp_path / "WhatsApp Chat with X.txt"
    others = [
        f"{n:02}/03/2024, 10:00 - Bob: {other[1]}"
        for n, (key, other) in enumerate(LANGUAGES.items(), 1)
        if key != language
    ]
    path.write_text("\n".join([*others, f"28/03/2024, 10:00 - {name}: {text}"]), encoding="utf-8")
    with opened(tmp_path) as memory:
        memory.add(path)
        assert name in {person.name for person in memory.people()}
        for word in words:
            assert memory.search(word)[0].message.text == text, word
            assert memory.retrieve(word, "bm25", k=1)[0].message.text == text, word


# --- what is decided, and said ------------------------------------------------------------------------


def test_what_holds_for_many_files_is_said_once(tmp_path: Path) -> None:
    for day in range(1, 6):
        said = [{"type": "message", "user": "U1", "text": "hi", "ts": f"17100{day}7600.000100"}]
        file = tmp_path / "general" / f"2024-03-0{day}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(said), encoding="utf-8")
    with opened(tmp_path) as memory:
        report = memory.add(tmp_path / "general")
    notes = [note for note in report.notes if "absolute times" in note]
    assert len(notes) == 1
    assert notes[0].startswith("2024-03-01.json has absolute times")
    assert notes[0].endswith("The same applies to 4 more files.")


@pytest.mark.sqlite_file
def test_the_report_says_what_was_decided(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("3/4/21, 10:00 - Ann: hi\n5/6/21, 10:00 - Bob: ho\n", encoding="utf-8")
    with opened(tmp_path) as memory:
        report = memory.add(path, time_zone="Asia/Tokyo")
    assert report.time_zone == "Asia/Tokyo"
    [decision] = report.decisions
    assert (decision.what, decision.chosen, decision.certain, decision.messages) == (
        "date order",
        "dmy",
        False,
        2,
    )
    with sqlite3.connect(tmp_path / "chats.db") as connection:
        [(zone, utc)] = connection.execute(
            "SELECT c.time_zone, m.sent_utc FROM messages m JOIN chats c ON c.id = m.chat_id ORDER BY m.id LIMIT 1"
        )
    assert (zone, datetime.fromtimestamp(utc).astimezone().isoformat()[:4]) == (
        "Asia/Tokyo",
        "2021",
    )
    assert utc == 1617411600, "10:00 in Tokyo is 01:00 UTC"


@pytest.mark.parametrize(
    ("clock", "hours"), [(None, [9, 11, 4, 8]), ("24", [9, 11, 4, 8]), ("12", [9, 11, 16, 20])]
)
def test_a_clock_of_twelve_hours_without_marks(
    tmp_path: Path, clock: str | None, hours: list[int]
) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(
        "".join(f"13/1/21, {h}:00 - Ann: at {h}\n" for h in (9, 11, 4, 8)), encoding="utf-8"
    )
    with opened(tmp_path) as memory:
        memory.add(path, clock=clock)
        found = sorted((m.message.text, m.message.sent_at.hour) for m in memory.search("at"))
    assert sorted(hours) == sorted(hour for _, hour in found)


def test_what_is_neither_a_path_nor_a_table_is_refused(memory: ChatMemory, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="A list cannot be imported: give the path of one"):
        memory.add([tmp_path / "one.txt"])  # type: ignore[arg-type]  # as a user may


def test_a_pandas_frame_is_imported_with_its_columns_mapped(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({
        "when": pandas.to_datetime(["2024-01-01 10:00", "2024-01-01 10:05"]),
        "who": ["Ann", "Bob"], "said": ["the key is\nunder the mat", "thanks"], "room": ["Boats", "Boats"],
    })  # fmt: skip
    columns = {"sent_at": "when", "sender": "who", "text": "said", "chat": "room"}
    with opened(tmp_path) as memory:
        assert memory.add(frame, columns=columns).messages_added == 2
        assert memory.add(frame, columns=columns).messages_added == 0
        assert memory.search("mat")[0].message.text == "the key is\nunder the mat"
        assert [chat.title for chat in memory.chats()] == ["Boats"]
