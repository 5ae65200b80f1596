"""LINE: dates of several languages with their weekdays, the program for computers; other text of Asian apps."""
# ruff: noqa: RUF001 - marks of these languages

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from datetime import date

import pytest
from babel.dates import format_skeleton

from minirag_chat.errors import UnknownFormat
from minirag_chat.importers.line_names import names_in
from minirag_chat.importers.weekdays import order_by_weekdays
from minirag_chat.records import ParsedExport

Read = Callable[..., ParsedExport]


def said(export: ParsedExport) -> list[tuple[str, str, str]]:
    return [
        (f"{m.sent_at:%Y-%m-%d %H:%M}", m.sender, m.text) for c in export.chats for m in c.messages
    ]


@pytest.mark.parametrize(
    ("day", "clock"),
    [("2024/03/10（週日）", "下午06:05"), ("2024/03/10(日)", "午後6:05"), ("Sun, 3/10/2024", "18:05"),
     ("Sun, 10/3/2024", "18:05"), ("2024.03.10 Sunday", "06:05PM"), ("2024/03/10 อาทิตย์", "18:05"), ("2024/03/10(วันพฤหัสบดี)", "18:05"),
     ("2024/03/10 बृहस्पतिवार", "18:05")],
)  # fmt: skip
def test_a_day_of_line_is_read_in_each_language(read: Read, day: str, clock: str) -> None:
    export = read(
        f'[LINE] Chat history in "Tea"\nSaved on: 3/12/2024, 18:04\n\n{day}\n{clock}\tAnn\thi\n'
    )
    assert said(export) == [("2024-03-10 18:05", "Ann", "hi")]
    assert not export.notes, "the weekday decides"
    assert export.chats[0].title == "Tea"


@pytest.mark.parametrize("language", "ar az bg cs he hu ps si te ur vi zh en de ko".split())
def test_a_day_is_read_as_phones_write_it_in_this_language(read: Read, language: str) -> None:
    days = [date(2025, 11, day) for day in range(10, 17)]
    headings = [format_skeleton("yMEd", day, locale=language) for day in days]
    lines = (f"{heading}\n15:05\tAnn\thi\n" for heading in headings)
    export = read("[LINE] Chat history with Ann\nSaved on: x\n\n" + "\n".join(lines))
    assert [message.sent_at.date() for message in export.chats[0].messages] == days


@pytest.mark.parametrize(
    ("header", "title"),
    [("Trip 🏖的聊天記錄", "Trip 🏖"), ("家人的聊天记录", "家人"), ("與小明的聊天記錄", "小明"), ("Riwayat obrolan dengan Budi", "Budi"),
     ('ประวัติการแชทในกลุ่ม "กลุ่มทดสอบ"', "กลุ่มทดสอบ"), ("ประวัติการแชทใน Trip", "Trip"), ("ประวัติการสนทนากับ Nok", "Nok")],
)  # fmt: skip
def test_a_chat_has_its_title_in_each_language(read: Read, header: str, title: str) -> None:
    export = read(f"[LINE] {header}\nSaved on: x\n\n2025/01/13(月)\n15:05\tA\thi\n")
    assert export.chats[0].title == title


@pytest.mark.parametrize(
    "text",
    ["2024/03/11ok", "2024/03/11, yes", "See you, 2024/03/11", "2024/03/11 โอเค!", "2024/03/11 ok?", "2024/03/11 🎂", "2024/03/11 a-b"],
)  # fmt: skip
def test_a_date_with_something_else_than_a_weekday_is_text(read: Read, text: str) -> None:
    export = read(f"[LINE] Tea\n\n2024/03/10 อาทิตย์\n18:05\tAnn\thi\n{text}\n18:06\tBo\tho\n")
    assert [said for _, _, said in said(export)] == [f"hi\n{text}", "ho"]


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        ([("Sun", ("3", "10", "2024"))], "mdy"),
        ([("Sun", ("10", "3", "2024"))], "dmy"),
        ([("อา.", ("10", "3", "2024")), ("จ.", ("11", "3", "2024")), ("อา.", ("6", "10", "2024"))], "dmy"),
        ([("อา.", ("10", "3", "2024"))], None),
        ([("So", ("3", "3", "2024"))], None),
    ],
)  # fmt: skip
def test_weekdays_tell_day_from_month_in_any_language(
    dates: list[tuple[str, tuple[str, str, str]]], order: str | None
) -> None:
    assert order_by_weekdays(dates) == order


def test_the_program_for_computers_writes_spaces_in_place_of_tabs(read: Read) -> None:
    lines = [f"08:1{n} Ann Berg {word}" for n, word in enumerate("早 hi one a you so".split())]
    export = read(
        "2024.03.10 星期日\n" + "\n".join(lines) + "\n08:20 小明 好的\n謝謝\n08:21 小明已退出群組\n"
    )
    assert said(export)[0] == ("2024-03-10 08:10", "Ann Berg", "早")
    assert said(export)[-1] == ("2024-03-10 08:20", "小明", "好的\n謝謝")
    assert len(said(export)) == 7
    assert export.system_lines == 1


DESKTOP = (
    "2025.01.13 Monday\n15:05 Ann Miller Hello\n15:07 Ann Miller Photos\n15:09 Ann Miller bye\n"
)


def test_a_name_of_two_words_is_known_from_few_messages(read: Read) -> None:
    export = read(
        f"{DESKTOP}15:10 Bob Stone Hi Ann\n15:11 Bob Stone ok then\n15:12 joe i am\n15:13 joe i can\n"
    )
    assert [(sender, text) for _, sender, text in said(export)] == [
        ("Ann Miller", "Hello"), ("Ann Miller", "[photo]"), ("Ann Miller", "bye"), ("Bob Stone", "Hi Ann"),
        ("Bob Stone", "ok then"), ("joe", "i am"), ("joe", "i can"),
    ]  # fmt: skip
    assert not export.notes


@pytest.mark.parametrize(
    "notice", ["Bob Stone joined the group.", "Ann Miller invited Bob Stone to the group.", "Bob Stone left the group."]
)  # fmt: skip
def test_a_notice_that_names_a_person_shows_where_the_name_of_a_message_ends(
    read: Read, notice: str
) -> None:
    export = read(f"{DESKTOP}15:10 Bob Stone Long today\n15:11 {notice}\n15:12 Joe hi\n")
    assert [(sender, text) for _, sender, text in said(export)][3:] == [
        ("Bob Stone", "Long today"),
        ("Joe", "hi"),
    ]
    assert export.system_lines == 1
    assert not export.notes


def test_what_happened_in_a_group_is_no_message_and_a_message_about_it_is(read: Read) -> None:
    happened = "joined the group.|invited Bob Stone to the group.|removed Cy from the group.|changed the group photo."
    lines = "".join(f"15:20 Joe {notice}\n" for notice in happened.split("|"))
    export = read(
        f"{DESKTOP}15:10 Joe hi\n15:11 Joe Ann left the group.\n{lines}15:30 Ann Miller left the group.\n"
    )
    assert [text for _, sender, text in said(export) if sender == "Joe"] == [
        "hi",
        "Ann left the group.",
    ]
    assert len(said(export)) == 5
    assert export.system_lines == 5


def test_a_name_that_may_go_on_is_named_in_the_report(read: Read) -> None:
    export = read(f"{DESKTOP}15:10 Bob Stone Long today\n15:11 Joe see you there\n")
    [note] = export.notes
    assert "of Bob, with one message each, the next word may belong to the name" in note


class LongChat:
    """A file of the program for computers whose messages have ever other words."""

    def lines(self) -> Iterator[str]:
        return (
            f"08:10 {('Ann Berg', '小明')[n % 2]} {n} boats for {n} people" for n in range(8000)
        )


@pytest.mark.slow
def test_finding_the_names_of_a_long_chat_takes_no_memory_for_its_messages() -> None:
    tracemalloc.start()
    try:
        names = names_in(LongChat())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert set(names) == {"Ann Berg", "小明"}
    assert most < 100_000


# --- a line of time and name above each message -------------------------------------------------

QQ = (
    "消息记录（此消息记录为文本格式，不支持重新导入）\n\n=========\n消息分组:我的好友\n=========\n消息对象:小明\n=========\n\n"
    "2024-03-10 8:15:16 小明(123456)\n早\n两行\n\n2024-03-10 8:16:16 我\n[图片]\n\n=========\n消息对象:同学\n=========\n\n"
    "2024-03-11 8:16:16 阿强<a@b.example>\n走吧\n\n"
)


def test_qqs_text_has_a_chat_a_partner(read: Read) -> None:
    export = read(QQ)
    assert [(c.title, [(m.sender, m.text) for m in c.messages]) for c in export.chats] == [
        ("小明", [("小明", "早\n两行"), ("我", "[photo]")]),
        ("同学", [("阿强", "走吧")]),
    ]


@pytest.mark.parametrize(
    "head", ["[3/{} AM] {}", "[3/{}\u202fAM] {}", "[\u200e3/\u200e{} AM]  {}:  "]
)
def test_what_is_copied_out_of_teams_is_read_month_first_where_it_is_american(
    read: Read, head: str
) -> None:
    heads = [
        head.format("10/2024 8:15", "Ida Holm"),
        head.format("10/2024 8:16", "Per Lund").replace("AM", "PM"),
        head.format("11/2024 8:17", "Ida Holm"),
    ]
    export = read("{}\nhello\n\n{}\nhi\n\n{}\nok\n".format(*heads))
    assert said(export) == [
        ("2024-03-10 08:15", "Ida Holm", "hello"), ("2024-03-10 20:16", "Per Lund", "hi"),
        ("2024-03-11 08:17", "Ida Holm", "ok"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-10 08:15:16 INFO started\n2024-03-10 08:15:17 ERROR no port\n2024-03-10 08:15:18 INFO again\n",
        "2024-03-10 08:15 Dentist\nbring the card\n2024-03-12 09:00 Train to Basel\nseat 12\n",
    ],
)
def test_a_programs_log_and_a_diary_are_no_chats(read: Read, text: str) -> None:
    with pytest.raises(Exception, match="not recognised"):
        read(text)


def test_kakaotalks_group_has_its_name(read: Read) -> None:
    export = read(
        "등산모임 12 카카오톡 대화\n저장한 날짜 : 2024년 3월 12일 오후 6:04\n\n\n2024년 3월 10일 오전 8:15\n"
        "2024년 3월 10일 오전 8:15, 민지 : 안녕\n"
    )
    assert export.chats[0].title == "등산모임"


@pytest.mark.parametrize("second", ["Stone, Bob", "Émile Roc"])
def test_one_message_each_of_two_people_copied_out_of_teams_is_read(
    read: Read, second: str
) -> None:
    export = read(f"[2024-05-01 10:00] Ann Lee\nHello\n[2024-05-01 10:01] {second}\nhi\ntwo\n")
    assert said(export) == [
        ("2024-05-01 10:00", "Ann Lee", "Hello"), ("2024-05-01 10:01", second, "hi\ntwo"),
    ]  # fmt: skip


def test_lines_with_a_time_in_brackets_that_name_nobody_are_no_chat(read: Read) -> None:
    with pytest.raises(UnknownFormat):
        read("[2024-05-01 10:00] Backup started\n12 files\n[2024-05-01 10:01] Backup done\n3 MB\n")
