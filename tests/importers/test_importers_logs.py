"""Logs of IRC in the forms of several programs, and Zoom's saved chats."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialects import exports, messages, read_export, recognise, write

from minirag_chat import ChatMemory
from minirag_chat.errors import ImportFailed
from minirag_chat.importers import ImportOptions
from minirag_chat.records import ParsedExport


def read(folder: Path, name: str, text: str) -> ParsedExport:
    write(folder, {name: text})
    [export] = exports(folder)
    return export


def said(export: ParsedExport) -> list[tuple[str, str, str]]:
    return [(f"{m.sent_at:%Y-%m-%d %H:%M}", m.sender, m.text) for m in messages(export)]


IRSSI = (
    "--- Log opened Mon Jan 01 10:00:00 2024\n10:00 -!- kai [~k@host] has joined #boats\n10:01 < kai> hi\n"
    "10:02 <@mel> kai: fine?\n10:03  * kai waves\n10:04 -!- mel is now known as mel2\n--- Day changed Tue Jan 02 2024\n"
    "09:00 < kai> new day\n--- Log closed Tue Jan 02 10:00:00 2024\n"
)
WEECHAT = (
    "2024-01-01 10:00:00\t-->\tkai (~k@host) has joined #boats\n2024-01-01 10:01:00\tkai\thi\n"
    "2024-01-01 10:02:00\t@mel\tkai: fine?\n2024-01-01 10:03:00\t *\tkai waves\n"
    "2024-01-01 10:04:00\t--\tMode #boats [+o kai]\n2024-01-02 09:00:00\tkai\tnew day\n"
)
HEXCHAT = (
    "**** BEGIN LOGGING AT Mon Jan  1 10:00:00 2024\n\nJan 01 10:00:00 *\tNow talking on #boats\n"
    "Jan 01 10:01:00 <kai>\thi\nJan 01 10:02:00 <mel>\tkai: fine?\nJan 01 10:03:00 *\tkai waves\n"
    "Jan 01 10:04:00 *\tmel has quit (bye)\nJan 02 09:00:00 <kai>\tnew day\n**** ENDING LOGGING AT Tue Jan  2 11:00:00 2024\n"
)
MIRC = (
    "\nSession Start: Mon Jan 01 10:00:00 2024\nSession Ident: #boats\n[10:00] * kai (~k@host) has joined #boats\n"
    "[10:01] <kai> \x0304hi\x03\n[10:02] <@mel> kai: fine?\n[10:03] * kai waves\n[10:04] * mel sets mode: +o kai\n"
    "Session Time: Tue Jan 02 00:00:00 2024\n[09:00] <kai> new day\n"
)
ZNC = (
    "[10:00:00] *** Joins: kai (~k@host)\n[10:01:00] <kai> hi\n[10:02:00] <mel> kai: fine?\n[10:03:00] * kai waves\n"
    "[10:04:00] *** mel sets mode: +o kai\n[09:00:00] <kai> new day\n"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [("#boats.log", IRSSI), ("irc.libera.#boats.weechatlog", WEECHAT), ("#boats.log", HEXCHAT), ("#boats.log", MIRC),
     ("#boats/2024-01-01.log", ZNC), ("libera_#boats_20240101.log", ZNC)],
    ids=["irssi", "weechat", "hexchat", "mirc", "znc", "znc, old"],
)  # fmt: skip
def test_a_log_of_irc_is_read_in_the_form_of_each_program(
    tmp_path: Path, name: str, text: str
) -> None:
    export = read(tmp_path, name, text)
    assert said(export) == [
        ("2024-01-01 10:01", "kai", "hi"), ("2024-01-01 10:02", "mel", "kai: fine?"),
        ("2024-01-01 10:03", "kai", "waves"), ("2024-01-02 09:00", "kai", "new day"),
    ]  # fmt: skip
    assert export.system_lines >= 2
    assert [(chat.title, chat.kind) for chat in export.chats] == [("#boats", "group")]


def test_a_log_of_irc_with_a_date_in_each_line_is_not_taken_for_whatsapp(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.log": "[2024-01-01 10:01:00] <kai> hi\n[2024-01-01 10:02:00] <mel> see: this\n"},
    )
    assert recognise(tmp_path / "a.log").name == "irc"


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2024-03-10T23:30:00Z", "2024-03-11 00:30"),
        ("[2024-03-10 23:30:00+0500]", "2024-03-10 19:30"),
        ("2024-07-10T23:30:00.123-05:00", "2024-07-11 06:30"),
        ("2024-03-10T23:30:00", "2024-03-10 23:30"),
        ("2024-03-10T23:30:00+9900", "2024-03-10 23:30"),  # there is no such zone
    ],
)
def test_a_time_of_irc_with_a_zone_is_shown_in_the_chosen_one(
    tmp_path: Path, stamp: str, expected: str
) -> None:
    write(tmp_path, {"#boats.log": f"{stamp} <kai> hi\n{stamp} <mel> yes\n"})
    [(_, export)] = read_export(tmp_path, ImportOptions(time_zone="Europe/Berlin"))
    assert isinstance(export, ParsedExport)
    assert said(export) == [(expected, "kai", "hi"), (expected, "mel", "yes")]
    told = [decision.what for decision in export.decisions]
    assert told == (["time zone"] if expected[5:] != "03-10 23:30" else [])


def test_a_log_of_irc_whose_zone_an_earlier_version_left_out_is_not_doubled(
    memory: ChatMemory, tmp_path: Path
) -> None:
    lines = [
        f"2024-03-10T23:{n:02}:00Z <{('kai', 'mel')[n % 2]}> the boat at pier {n}" for n in range(9)
    ]
    write(tmp_path, {"1/#boats.log": "\n".join(lines).replace("Z ", " ")})
    assert memory.add(tmp_path / "1", time_zone="Europe/Berlin").messages_added == 9
    write(tmp_path, {"2/#boats.log": "\n".join(lines)})
    assert memory.add(tmp_path / "2", time_zone="Europe/Berlin").messages_added == 0


def test_a_log_without_any_date_says_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, {"boats.log": "10:01 <kai> hi\n10:02 <mel> yes\n"})
    with pytest.raises(ImportFailed, match="without a date"):
        list(exports(tmp_path / "boats.log"))


@pytest.mark.parametrize(
    "names",
    [("#boats.01-01.log", "#boats.01-02.log"), ("#boats.20240101.log", "#boats.20240102.log"),
     ("libera.#boats.2024-01-01.log", "libera.#boats.2024-01-02.log"), ("#boats_2024-01-01.log", "#boats_2024-01-02.log")],
)  # fmt: skip
def test_logs_of_single_days_are_one_chat(
    memory: ChatMemory, tmp_path: Path, names: tuple[str, str]
) -> None:
    for day, name in enumerate(names, 1):
        log = (
            f"--- Log opened Mon Jan 0{day} 10:00:00 2024\n10:01 <kai> hi\n10:02 <mel> day {day}\n"
        )
        write(tmp_path, {f"logs/{name}": log})
    memory.add(tmp_path / "logs")
    assert [(chat.title, chat.messages) for chat in memory.chats()] == [("#boats", 4)]


# --- Zoom ---------------------------------------------------------------------------------------

FOLDER = "2024-03-05 23.50.12 Weekly sync 81234567890/meeting_saved_chat.txt"


def test_a_meeting_has_its_topic_and_goes_on_past_midnight(tmp_path: Path) -> None:
    export = read(
        tmp_path, FOLDER,
        "23:59:11 From Ana Ruiz to Everyone:\n\thi all\n\ttwo lines\n00:01:45\t From  Bo Li  to  Ana Ruiz(Direct Message) : yes\n",
    )  # fmt: skip
    assert said(export) == [
        ("2024-03-05 23:59", "Ana Ruiz", "hi all\ntwo lines"),
        ("2024-03-06 00:01", "Bo Li", "yes"),
    ]
    assert export.chats[0].title == "Weekly sync"


def test_a_reply_in_a_meeting_answers_what_it_quotes_and_a_reaction_is_no_message(
    tmp_path: Path,
) -> None:
    export = read(
        tmp_path, FOLDER,
        "10:00:00 From Ana to Everyone:\n\tcan you all hear me now?\n10:00:05 From Bo to Everyone:\n"
        '\tReplying to "can you all hear me now?"\n\t\n\tyes\n10:00:09 From Bo to Everyone:\n\tReacted to "can you..." with 👍\n',
    )  # fmt: skip
    first, second = messages(export)
    assert (second.text, second.reply_to) == ("yes", first.source_id)
    assert export.system_lines == 1


def test_a_chat_of_a_recording_counts_from_its_start(tmp_path: Path) -> None:
    export = read(
        tmp_path,
        "GMT20240307-090000_Recording/GMT20240307-090000_RecordingnewChat.txt",
        "00:02:11\tAna Ruiz:\thi all\n01:00:00\tBo Li:\tbye: soon\n",
    )
    assert said(export) == [
        ("2024-03-07 09:02", "Ana Ruiz", "hi all"),
        ("2024-03-07 10:00", "Bo Li", "bye: soon"),
    ]


def test_a_meeting_without_a_day_says_where_it_should_be(tmp_path: Path) -> None:
    write(tmp_path, {"chat/meeting_saved_chat.txt": "10:00:00 From Ana to Everyone:\n\thi\n"})
    with pytest.raises(ImportFailed, match="without its day"):
        list(exports(tmp_path / "chat" / "meeting_saved_chat.txt"))


def test_a_folder_with_only_an_unreadable_chat_names_its_file_once(tmp_path: Path) -> None:
    write(tmp_path, {"chat/meeting_saved_chat.txt": "10:00:00 From Ana to Everyone:\n\thi\n"})
    with pytest.raises(ImportFailed) as failed:
        list(read_export(tmp_path / "chat"))
    assert str(failed.value).count("meeting_saved_chat.txt") == 1
