"""Variants of formats that phones and programs write: each is read as the usual form is."""
# ruff: noqa: RUF001 - marks of these languages

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from minirag_chat.records import ParsedExport

Read = Callable[..., ParsedExport]


def said(export: ParsedExport) -> list[tuple[str, str, str]]:
    return [
        (f"{m.sent_at:%Y-%m-%d %H:%M:%S}", m.sender, m.text)
        for c in export.chats
        for m in c.messages
    ]


@pytest.mark.parametrize(
    "written",
    ["Thu May 13 2021 18:05:22 GMT+0200", "Thu May 13 2021 18:05:22 GMT+0200 (Central European Summer Time)",
     "May 13, 2021 6:05:22 PM UTC+02", "2021-05-13 18:05:22 UTC+2", "13.05.2021 18:05:22 UTC+02:00",
     "2021-05-13T16:05:22Z"],
)  # fmt: skip
def test_an_offset_from_utc_has_the_same_sign_in_each_form(read: Read, written: str) -> None:
    export = read(
        f'sent_at,sender,text\n"{written}",Ola,hello\n', "table.csv", time_zone="Europe/Berlin"
    )
    assert said(export) == [("2021-05-13 18:05:22", "Ola", "hello")]


@pytest.mark.parametrize(
    "written",
    ["jueves, 13 de mayo de 2021, 6:05:22\u202fp.m. UTC", "13 de mayo de 2021, 6:05:22 p. m. UTC",
     "Πέμπτη 13 Μαΐου 2021, 6:05:22 μ.μ. UTC", "Khamis, 13 Mei 2021, 6:05:22 PTG UTC",
     "jeudi 13 mai 2021, 18 h 05 min 22 s UTC"],
)  # fmt: skip
def test_half_days_before_utc_are_read_in_other_languages(read: Read, written: str) -> None:
    export = read(f'sent_at,sender,text\n"{written}",Ola,hi\n', "table.csv", time_zone="UTC")
    assert said(export) == [("2021-05-13 18:05:22", "Ola", "hi")]


# --- tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_list_of_objects_is_a_table(read: Read, indent: int | None) -> None:
    rows = [
        {"timestamp": "2021-05-13T18:05:22", "sender": "Ola", "text": "two [lines]\nhere", "chat": "Us"},
        {"timestamp": "2021-05-13T18:06:22", "sender": "Per", "text": "yes", "chat": "Us"},
    ]  # fmt: skip
    export = read(json.dumps(rows, indent=indent), "list.json")
    assert [(c.title, len(c.messages)) for c in export.chats] == [("Us", 2)]
    assert said(export)[0] == ("2021-05-13 18:05:22", "Ola", "two [lines]\nhere")


def test_what_is_no_object_in_a_json_list_is_reported_once(read: Read) -> None:
    row = '{"timestamp": 1620929122.5, "sender": "Ola", "text": "hi", "more": [1.5, null]}'
    export = read(f"[{row}, 3, {row.replace('hi', 'ho')}]", "list.json")
    assert [text for _, _, text in said(export)] == ["hi", "ho"]
    assert len(export.skipped) == 1


def test_each_channel_of_discords_tables_is_a_chat_of_its_own(read: Read) -> None:
    head = "AuthorID,Author,Date,Content,Attachments,Reactions\n"
    row = '"1","ola","2023-05-13T18:05:22.1230000+00:00","hi","",""\n'
    first = read(head + row, "Club - general [900001].csv").chats[0]
    second = read(head + row, "Club - Talk - tea [900002].csv").chats[0]
    direct = read(head + row, "Direct Messages - per [900003].csv").chats[0]
    assert (first.title, first.key, first.kind) == ("general", "900001", "group")
    assert (second.title, second.key, second.platform) == ("tea", "900002", "discord")
    assert (direct.title, direct.kind) == ("per", "direct")


# --- apps ---------------------------------------------------------------------------------------


def test_messages_that_were_pasted_into_one_stay_in_it(read: Read) -> None:
    ours = "".join(f"[13/05/2021, 18:0{n}:22] Ola: word {n}\n" for n in range(9))
    pasted = "[13/05/2021, 18:16:22] Per: see\n[17:55, 12/5/2021] Zoe: late\n[17:56, 12/5/2021] Max: no\n"
    export = read(f"{ours}{pasted}[13/05/2021, 18:17:22] Ola: ok\n", "_chat.txt")
    assert {sender for _, sender, _ in said(export)} == {"Ola", "Per"}
    assert said(export)[9][2] == "see\n[17:55, 12/5/2021] Zoe: late\n[17:56, 12/5/2021] Max: no"


def test_the_clock_of_french_canada_is_read(read: Read) -> None:
    export = read(
        "[2021-05-13 18 h 05 min 22 s] Ola: Salut\n[2021-05-13 18 h 06 min 02 s] Per: x\n" * 2
    )
    assert said(export)[0] == ("2021-05-13 18:05:22", "Ola", "Salut")


def test_a_missed_call_of_android_is_no_message(read: Read) -> None:
    export = read(
        "6/22/22, 9:02 PM - Ola: Missed voice call\n6/22/22, 9:03 PM - Ola: Missed group video call\n"
        "6/22/22, 9:04 PM - Per: I missed your call\n",
        "WhatsApp Chat with Ola.txt",
    )
    assert [text for _, _, text in said(export)] == ["I missed your call"]
    assert export.system_lines == 2


@pytest.mark.parametrize(
    "name", ["Чат WhatsApp с контактом Ola.txt", "Chat WhatsApp s uživatelem Ola.txt"]
)
def test_the_word_for_contact_is_no_part_of_the_title(read: Read, name: str) -> None:
    export = read("22.06.22 21:02 - Ola: hi\n22.06.22 21:03 - Per: <Média vynechány>\n", name)
    assert export.chats[0].title == "Ola"
    assert export.media == 1


def test_messages_that_were_never_edited_are_not(read: Read) -> None:
    often = [
        ("1970-01-01T01:00:00", False),
        ("1969-12-31T19:00:00", False),
        ("2018-09-02T11:13:11", True),
    ]
    messages = [
        {"id": n, "type": "message", "date": "2018-09-02T11:11:11", "edited": edited, "from": "Ola",
         "from_id": 4, "text": "hello"}
        for n, (edited, _) in enumerate(often)
    ]  # fmt: skip
    chat = {"name": "Ola", "type": "personal_chat", "id": 1, "messages": messages}
    export = read(json.dumps(chat), "result.json")
    assert [m.edited for m in export.chats[0].messages] == [edited for _, edited in often]


def test_a_call_in_telegrams_pages_is_said_by_nobody(read: Read) -> None:
    def message(number: int, body: str) -> str:
        return (
            f'<div class="message default clearfix" id="message{number}"><div class="body">'
            f'<div class="pull_right date details" title="13.05.2021 18:0{number}:22">18:05</div>'
            f'<div class="from_name">Ola</div>{body}</div></div>'
        )

    call = '<div class="media_wrap clearfix"><div class="media clearfix pull_left media_call success"></div></div>'
    page = (
        '<!DOCTYPE html><html><head><title>Exported Data</title></head><body><div class="page_wrap">'
        '<div class="page_header"><div class="content"><div class="text bold">Ola</div></div></div>'
        '<div class="page_body chat_page"><div class="history">'
        f"{message(1, '<div class=text>hi</div>')}{message(2, call)}</div></div></div></body></html>"
    )
    export = read(page, "messages.html")
    assert [text for _, _, text in said(export)] == ["hi"]
    assert export.system_lines == 1


def test_stickers_on_a_message_are_neither_its_text_nor_cut_another_reaction(read: Read) -> None:
    export = read(
        "May 13, 2021  6:05:22 PM\nMe\nHello\nTapbacks:\n    Sticker from Ola: attachments/3/s.heic\n"
        "    Loved by Per\n\nMay 13, 2021  6:06:22 PM\nOla\nSticker from Ola: attachments/12/hat.heic\n\n",
        "Ola.txt",
    )
    first, second = export.chats[0].messages
    assert (first.text, [r.sender for r in first.reactions]) == ("Hello", ["Per"])
    assert [(a.name, a.kind) for a in second.attachments] == [("hat.heic", "sticker")]


def test_people_who_are_mentioned_in_signal_are_named(read: Read) -> None:
    records = [
        {"version": "1", "backupTimeMs": "1620000000000"},
        {"recipient": {"id": "1", "self": {}}},
        {"recipient": {"id": "2", "contact": {"aci": "QUFB", "profileGivenName": "Ola"}}},
        {"chat": {"id": "5", "recipientId": "2"}},
        {"chatItem": {"chatId": "5", "authorId": "1", "dateSent": "1620929122000", "outgoing": {},
                      "standardMessage": {"text": {"body": "hi \ufffc and \ufffc!", "bodyRanges": [
                          {"start": 9, "length": 1, "mentionAci": "QkJC"}, {"start": "x", "mentionAci": {}},
                          {"start": 3, "length": 1, "mentionAci": "QUFB"}]}}}},
    ]  # fmt: skip
    export = read("\n".join(map(json.dumps, records)), "main.jsonl")
    assert [text for _, _, text in said(export)] == ["hi @Ola and @?!"]


def test_kakaotalk_in_english_with_its_own_spaces_and_dots(read: Read) -> None:
    export = read(
        "Ola KakaoTalk Chats\nDate Saved : May 13, 2021 at 6:05\u202fPM\n\n"
        "May 13, 2021 at 6:05\u202fPM, Ola : Hi\nMay 13, 2021, 6:06 p.m., Per : Ho\n",
        "Talk_1.txt",
    )
    assert said(export) == [
        ("2021-05-13 18:05:00", "Ola", "Hi"),
        ("2021-05-13 18:06:00", "Per", "Ho"),
    ]
    assert export.chats[0].title == "Ola"


def test_notices_of_an_open_chat_of_kakaotalk_are_nobodys_words(read: Read) -> None:
    export = read(
        "모임 님과의 카카오톡 대화\n저장한 날짜 : 2021-05-13 18:05:00\n\n--------------- 2021년 5월 13일 목요일 ---------------\n"
        "[Bot] [오후 6:05] 공지\nOla님이 들어왔습니다.운영정책을 위반한 메시지로 신고 접수 시 제한이 있을 수 있습니다. \n"
        "채팅방 관리자가 메시지를 가렸습니다.\n[Ola] [오후 6:06] hi\n",
        "KakaoTalk_1.txt",
    )
    assert [text for _, _, text in said(export)] == ["공지", "hi"]
    assert export.chats[0].title == "모임"


def test_zooms_chats_with_a_day_in_each_line_need_no_folder(read: Read) -> None:
    export = read(
        "2026-09-23 23:59:11 From Ola to Everyone:\n\tHello\n2026-09-24 00:01:11 From Per to Ola:\n\tHi\n",
        "meeting_saved_new_chat.txt",
    )
    assert said(export) == [
        ("2026-09-23 23:59:11", "Ola", "Hello"),
        ("2026-09-24 00:01:11", "Per", "Hi"),
    ]


def test_zooms_older_chats_do_not_say_to_whom(read: Read) -> None:
    export = read(
        "18:05:22\t From Ola Berg : Hello\n18:05:32\t From Per : at 7: fine\n",
        "2021-02-03 chat.txt",
    )
    assert said(export) == [
        ("2021-02-03 18:05:22", "Ola Berg", "Hello"),
        ("2021-02-03 18:05:32", "Per", "at 7: fine"),
    ]


def test_qq_with_a_clock_of_twelve_hours_levels_and_notices(read: Read) -> None:
    export = read(
        "消息记录（此消息记录为文本格式，不支持重新导入）\n\n=========\n消息对象:读书会\n=========\n\n"
        "2019-09-23 8:43:38 PM Roll(87200175)\n一\n\n2019-09-24 7:54:29 AM 【冒泡】小李(36226407)\n二\n\n"
        "2019-09-24 7:55:29 AM 【活跃】李(36226407)\n三\n\n2019-09-24 8:08:22 AM 系统消息(10000)\n加入本群。\n\n"
    )
    assert said(export) == [
        ("2019-09-23 20:43:38", "Roll", "一"),
        ("2019-09-24 07:54:29", "小李", "二"),
        ("2019-09-24 07:55:29", "小李", "三"),
    ]
    assert export.system_lines == 1


# --- LINE for computers -------------------------------------------------------------------------


def test_a_notice_about_somebody_does_not_shorten_the_name(read: Read) -> None:
    lines = [f"18:0{n} Ola Berg こん{n}\n18:0{n} Per ok" for n in range(8)]
    notices = [
        "18:10 Ola Bergがメッセージの送信を取り消しました",
        "18:11 Ola Berg unsent a message.",
        "18:12 Per 写真",
    ]
    export = read("\n".join(["2021.05.13 木曜日", *lines, *notices]), "[LINE]Ola Berg.txt")
    assert {sender for _, sender, _ in said(export)} == {"Ola Berg", "Per"}
    assert (len(said(export)), export.system_lines, export.media) == (17, 2, 1)


def test_two_people_with_one_family_name_stay_two(read: Read) -> None:
    words = "朝 昼 夜 雨 雪 風".split()
    lines = [f"18:0{n} 田中 太郎 {a}です\n18:0{n} 田中 花子 {a}か" for n, a in enumerate(words)]
    export = read("\n".join(["2021.05.13 木曜日", *lines]), "[LINE]会.txt")
    assert {sender for _, sender, _ in said(export)} == {"田中 太郎", "田中 花子"}


def test_times_in_a_quoted_plan_are_its_lines(read: Read) -> None:
    lines = [
        f"18:0{n} Ola {word} {n}\n18:0{n} Per ok" for n, word in enumerate("a b c d e".split())
    ]
    plan = '18:10 Ola "予定\n10:00 集合 駅前\n12:00 昼食\n終わり"\n18:11 Per ok'
    export = read("\n".join(["2021.05.13 木曜日", *lines, plan]), "[LINE]Ola.txt")
    assert said(export)[-2:] == [
        ("2021-05-13 18:10:00", "Ola", "予定\n10:00 集合 駅前\n12:00 昼食\n終わり"),
        ("2021-05-13 18:11:00", "Per", "ok"),
    ]


def test_a_log_of_irc_full_of_colours_is_text(read: Read) -> None:
    lines = [f"[18:0{n}] <\x0304ann\x03> \x02hi\x02 \x0312,4there\x0f" for n in range(9)]
    log = "\n".join(["Session Start: Mon Jan 05 18:00:00 2026", *lines])
    export = read(log, "#boats.log")
    assert [(sender, text) for _at, sender, text in said(export)] == [("ann", "hi there")] * 9
