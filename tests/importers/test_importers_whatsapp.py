# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from dialects import WHATSAPP
from dialects.whatsapp import whatsapp

from minirag_chat.errors import UnknownFormat, UnreadableFile
from minirag_chat.records import ParsedExport

Read = Callable[..., ParsedExport]
Conversation = tuple[tuple[datetime, str, str], ...]
Plain = Callable[[ParsedExport], list[tuple[datetime, str, str]]]

if TYPE_CHECKING:
    from pathlib import Path


def written(conversation: Conversation, dialect: str) -> str:
    (text,) = whatsapp(conversation, dialect).values()
    return text


@pytest.mark.parametrize("dialect", WHATSAPP)
def test_every_dialect_gives_the_golden_conversation(
    read: Read, plain: Plain, conversation: Conversation, dialect: str
) -> None:
    export = read(written(conversation, dialect))
    assert export.format == "whatsapp"
    assert plain(export) == list(conversation)
    assert not export.skipped
    assert export.system_lines == export.media == 0
    assert export.chats[0].kind == "direct"


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n\n\n"])
def test_line_endings_do_not_matter(
    read: Read, plain: Plain, conversation: Conversation, ending: str
) -> None:
    text = written(conversation, "ios dmy").replace("\n", ending if len(ending) < 3 else "\n")
    assert plain(read(text + ending)) == list(conversation)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_do_not_matter(
    read: Read, plain: Plain, conversation: Conversation, encoding: str
) -> None:
    text = written(conversation, "android dmy")
    assert plain(read(text.encode(encoding))) == list(conversation)


@pytest.mark.parametrize("name", ["test_mmddyy_24hrs", "test_ddmmyy_24hrs", "test_[mmddyy]_24hrs",
                                  "test_yyyymmdd_24hrs", "test_mmddyyyy_12hrs"])  # fmt: skip
def test_chat_miner_samples(read: Read, shared: Path, name: str) -> None:
    folder = shared / "exports" / "chat-miner" / "whatsapp"
    export = read((folder / f"{name}.txt").read_bytes())
    target = json.loads((folder / "target.json").read_text(encoding="utf-8"))
    found = {
        (m.sent_at.isoformat(), m.sender, " ".join(m.text.split()))
        for m in export.chats[0].messages
    }
    expected = {(m["timestamp"], m["author"], m["message"]) for m in target}
    # chat-miner drops the message that is a full stop; it is one.
    assert found - expected == {("2019-01-20T11:23:00", "John Doe", ".")}
    assert expected <= found
    assert (export.system_lines, export.skipped, export.notes) == (2, (), ())


# --- the order of day and month -----------------------------------------------------------------


def test_a_day_over_twelve_decides_for_the_whole_file(read: Read) -> None:
    export = read("1/2/21, 10:00 - Ann: a\n1/25/21, 10:00 - Ann: b")
    assert [m.sent_at.month for m in export.chats[0].messages] == [1, 1]
    assert not export.notes


def test_dates_do_not_run_backwards(read: Read) -> None:
    export = read("11/1/21, 10:00 - Ann: a\n12/1/21, 10:00 - Ann: b\n1/2/21, 10:00 - Ann: c")
    assert not export.notes
    assert [m.sent_at.month for m in export.chats[0].messages] == [1, 1, 2]
    export = read("1/11/21, 10:00 - Ann: a\n1/12/21, 10:00 - Ann: b\n2/1/21, 10:00 - Ann: c")
    assert [m.sent_at.month for m in export.chats[0].messages] == [1, 1, 2]


def test_an_open_order_is_noted_and_can_be_chosen(read: Read) -> None:
    text = "3/4/21, 10:00 - Ann: a\n5/6/21, 10:00 - Bob: b"
    export = read(text)
    assert [m.sent_at.month for m in export.chats[0].messages] == [4, 6]
    assert "date_order" in export.notes[0]
    assert "day first" in export.notes[0]
    export = read(text, date_order="mdy")
    assert [m.sent_at.month for m in export.chats[0].messages] == [3, 5]
    assert not export.notes


def test_an_order_that_does_not_matter_is_not_noted(read: Read) -> None:
    assert not read("3/3/21, 10:00 - Ann: a\n4/4/21, 10:00 - Ann: b").notes


def test_a_date_that_does_not_exist_continues_the_message(read: Read) -> None:
    export = read("30/1/21, 10:00 - Ann: quote\n31/2/21, 10:00 - Bob: x\n1/3/21, 9:00 - Ann: y")
    assert export.chats[0].messages[0].text == "quote\n31/2/21, 10:00 - Bob: x"


def test_empty_messages_and_loose_lines_are_accounted_for(read: Read) -> None:
    export = read("tail of a message\n31/1/21, 10:00 - Ann: \n31/1/21, 10:01 - Ann: x\n"
                  "31/1/21, 10:02 - Bob: y")  # fmt: skip
    assert [(s.line, s.source) for s in export.skipped] == [(1, "chat.txt"), (2, "chat.txt")]


def test_names_with_colons_in_text_and_emoji(read: Read) -> None:
    export = read("31/1/21, 10:00 - 🤓: a: b: c\n31/1/21, 10:01 - Ann 🌸: d")
    assert [(m.sender, m.text) for m in export.chats[0].messages] == [
        ("🤓", "a: b: c"), ("Ann 🌸", "d"),
    ]  # fmt: skip


def test_a_name_with_a_colon_is_one_name(read: Read) -> None:
    lines = [f"31/1/21, 10:0{n} - Dr. Hill: Surgery: note {n}" for n in range(5)]
    export = read("\n".join([*lines, "31/1/21, 10:06 - Dr. Hill: Surgery added you",
                             "31/1/21, 10:06 - Bob added Dr. Hill: Surgery",
                             "31/1/21, 10:07 - Bob: Question: why?"]))  # fmt: skip
    assert {m.sender for m in export.chats[0].messages} == {"Dr. Hill: Surgery", "Bob"}
    assert export.chats[0].messages[0].text == "note 0"
    assert export.system_lines == 2


def test_a_heading_that_returns_is_no_name(read: Read) -> None:
    lines = [f"31/1/21, 10:0{n} - Ann: Reminder: take the key" for n in range(6)]
    export = read("\n".join([*lines, "31/1/21, 10:07 - Bob: ok"]))
    assert {m.sender for m in export.chats[0].messages} == {"Ann", "Bob"}


def test_renaming_a_group_twice_makes_no_sender(read: Read) -> None:
    rename = '31/1/21, 10:00 - Ann changed the group name from "Rome: plan" to "Rome: {}"\n'
    export = read(rename.format("a") + rename.format("b") + "31/1/21, 10:01 - Ann: hi\n"
                  "31/1/21, 10:02 - Bob: ho")  # fmt: skip
    assert [m.sender for m in export.chats[0].messages] == ["Ann", "Bob"]
    assert export.system_lines == 2


def test_a_line_quoted_from_another_phone_is_text(read: Read) -> None:
    export = read("".join(f"31/1/21, 10:{n:02} - Ann: {n}\n" for n in range(9))
                  + "31/1/21, 10:10 - Bob: look what he wrote\n[30/1/21, 09:00:00] Eve: never\n"
                    "31/1/21, 10:11 - Ann: oh")  # fmt: skip
    assert {m.sender for m in export.chats[0].messages} == {"Ann", "Bob"}
    assert export.chats[0].messages[9].text.endswith("Eve: never")


def test_a_plan_with_dates_that_somebody_sent_is_text(read: Read) -> None:
    export = read("13/1/21, 10:00 - Ann: the plan\n1/25/21 18:00: Dinner: at Bob's\n"
                  "1/25/21 20:00: Theatre: front row\n13/1/21, 10:01 - Bob: fine")  # fmt: skip
    assert [(m.sender, m.sent_at.month) for m in export.chats[0].messages] == [
        ("Ann", 1),
        ("Bob", 1),
    ]
    assert export.chats[0].messages[0].text.endswith("front row")


def test_a_log_of_times_without_senders_is_no_chat(read: Read) -> None:
    with pytest.raises(UnknownFormat):
        read("2012-12-31 18:05:01: started\n2012-12-31 18:05:02: stopped")


def test_a_text_that_begins_with_a_mark_of_direction_is_said(read: Read) -> None:
    export = read("[31.1.2021, 10:00:00] דנה: \u200fשלום\n[31.1.2021, 10:01:00] רון: היי")
    assert [(m.sender, m.text) for m in export.chats[0].messages] == [
        ("דנה", "שלום"),
        ("רון", "היי"),
    ]


def test_a_message_whose_date_does_not_exist_stays_one_and_the_report_says_so(
    read: Read,
) -> None:
    export = read(
        "31/04/2026, 20:00 - Uno: before all\n"
        "20/01/2026, 21:00 - Uno: one\n20/01/2026, 21:01 - Dana: two\n"
        "20/01/2126, 21:05 - Uno: far\nsecond line\n31/02/2026, 21:06 - Dana: never\n"
        "20/01/2026, 21:07 - Uno: last\n"
    )
    (chat,) = export.chats
    assert [(m.sender, m.text) for m in chat.messages] == [
        ("Uno", "one"), ("Dana", "two"), ("Uno", "far\nsecond line"), ("Dana", "never"), ("Uno", "last"),
    ]  # fmt: skip
    assert chat.messages[2].sent_at == chat.messages[3].sent_at == datetime(2026, 1, 20, 21, 1)
    assert any(
        "do not exist" in note and "2 of the dates" in note and "20/01/2126" in note
        for note in export.notes
    )
    assert [skipped.line for skipped in export.skipped] == [1]


def test_dates_of_no_known_calendar_are_refused(read: Read) -> None:
    with pytest.raises(UnreadableFile, match=r"calendar.*Gregorian"):
        read("[15/2/1446, 10:00:00] Ann: hi\n[16/2/1446, 10:00:00] Bob: ho")


def test_a_dot_may_follow_the_clock_of_all_messages(read: Read) -> None:
    export = read(
        "2022/12/14, 13:34. - Ann: hi\n2022/12/15, 7:05. - Bob: 2022/12/16, 9:00. - the boat\n"
    )
    assert [(f"{m.sent_at:%d %H:%M}", m.sender) for m in export.chats[0].messages] == [
        ("14 13:34", "Ann"), ("15 07:05", "Bob"),
    ]  # fmt: skip
    plan = "2022/12/16, 9:00. - Cy: the boat"
    undotted = "".join(f"2022/12/14, 13:3{n} - Ann: hi\n" for n in range(9)) + plan
    assert read(undotted).chats[0].messages[-1].text == f"hi\n{plan}"


# --- title and kind -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "WhatsApp Chat with Ann B.txt", "WhatsApp-Chat mit Ann B.txt", "WhatsApp Chat - Ann B.txt",
        "Chat de WhatsApp con Ann B.txt", "Discussion WhatsApp avec Ann B.txt",
        "Chat WhatsApp con Ann B.txt", "Conversa do WhatsApp com Ann B.txt",
        "WhatsApp-chat met Ann B.txt", "WhatsApp Chat with Ann B (1).txt", "دردشة واتساب مع Ann B.txt",
        "צ'אט WhatsApp עם Ann B.txt", "与Ann B的WhatsApp聊天.txt", "Ann BとのWhatsAppチャット.txt",
        "Чат WhatsApp с Ann B.txt", "Ann B ile WhatsApp Sohbeti.txt",
        "Συνομιλία WhatsApp με Ann B.txt", "WhatsApp-keskustelu henkilön Ann B kanssa.txt",
        "WhatsApp-keskustelu: Ann B.txt", "Trò chuyện WhatsApp với Ann B.txt", "แชท WhatsApp กับ Ann B.txt",
        "Xat de WhatsApp amb Ann B.txt", "WhatsApp 與 Ann B 的對話.txt", "WhatsApp 与 Ann B 的对话.txt",
        "Czat WhatsApp z użytkownikiem Ann B.txt", "Czat WhatsApp z Ann B.txt",
        "Konverzace WhatsApp s kontaktem Ann B.txt", "WhatsApp chat s používateľom Ann B.txt",
        "WhatsApp csevegés vele: Ann B.txt", "WhatsApp чат: Ann B.txt", "Ann B के साथ WhatsApp चैट.txt",
        "Ann B ilə WhatsApp Söhbəti.txt", "Biseda me Ann B në WhatsApp.txt",
        "WhatsApp'i vestlus kontaktiga Ann B.txt", "WhatsApp Ћаскање са Ann B.txt", "WhatsApp pokalbis su Ann B.txt",
    ],
)  # fmt: skip
def test_title_from_the_name(read: Read, conversation: Conversation, name: str) -> None:
    text = written(conversation, "android dmy")
    assert read(text, name).chats[0].title == "Ann B"
    assert read(text, name, chat_title="Us").chats[0].title == "Us"
    assert read(text, "_chat.txt").chats[0].title is None


def test_three_senders_are_a_group(read: Read) -> None:
    export = read("".join(f"31/1/21, 10:00 - {n}: hi\n" for n in ("Ann", "Bob", "Cy")))
    assert export.chats[0].kind == "group"
    export = read("31/1/21, 10:00 - Ann added you\n31/1/21, 10:00 - Ann: hi")
    assert export.chats[0].kind == "group"


@pytest.mark.parametrize("form", ["{}:31", "{}:31 PM", "{}:31\u202fPM"])
def test_text_copied_out_of_skype_says_what_was_edited_or_removed(read: Read, form: str) -> None:
    first, later, last = (form.format(clock) for clock in ("6:05", "6:07", "6:09"))
    export = read(
        f"[3/14/2024 {first}] Ann Lee: Hello\n"
        f"[3/14/2024 {later} | Edited {last}] Ben: at eight\nsharp\n"
        f"[3/14/2024 {last} | Removed {last}] Ann Lee: This message has been removed\n"
    )
    assert [(m.sender, m.text, m.edited, m.deleted) for m in export.chats[0].messages] == [
        ("Ann Lee", "Hello", False, False),
        ("Ben", "at eight\nsharp", True, False),
        ("Ann Lee", "[deleted]", False, True),
    ]
