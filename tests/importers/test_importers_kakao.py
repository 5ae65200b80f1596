"""KakaoTalk's less common forms: other clocks, days in headings, notices without a sender."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from minirag_chat.records import ParsedExport

Read = Callable[..., ParsedExport]
_DASHES = "-" * 15
_WINDOWS = f"모임 님과 카카오톡 대화\n저장한 날짜 : 2024-03-12 18:00:00\n\n{_DASHES} 2024년 3월 10일 일요일 {_DASHES}\n"
_IPHONE = (
    "모임 카카오톡 대화\n저장한 날짜 : 2024년 3월 12일 오후 6:00\n\n\n2024년 3월 10일 일요일\n"
)


def said(export: ParsedExport) -> list[tuple[str, str, str]]:
    [chat] = export.chats
    return [(f"{m.sent_at:%d %H:%M}", m.sender, m.text) for m in chat.messages]


def test_morning_and_afternoon_may_stand_before_the_clock_in_english(read: Read) -> None:
    export = read(
        "Rowing club with KakaoTalk Chats\nDate Saved : 2024-03-12 18:00:00\n\n"
        f"{_DASHES} 2024년 3월 10일 일요일 {_DASHES}\n[Ann] [AM 9:04] hi\n[Bo] [PM 12:05] ho\n[Ann] [p.m. 1:06] PM 2:00 then\n"
    )
    assert said(export) == [
        ("10 09:04", "Ann", "hi"), ("10 12:05", "Bo", "ho"), ("10 13:06", "Ann", "PM 2:00 then"),
    ]  # fmt: skip
    assert export.chats[0].title == "Rowing club"


@pytest.mark.parametrize("blank", ["", "\n"])
def test_the_day_of_messages_may_be_in_the_heading_alone(read: Read, blank: str) -> None:
    export = read(
        f"{_IPHONE}오전 12:05,  : 알림입니다\n오후 8:36, 지영 : 안녕\n둘째 줄\n오후 8:37, 민수님이 나갔습니다.\n오후 8:38, 역에서 만나\n"
        f"{blank}2024년 3월 11일 월요일\n오전 9:00, 민수 : 좋아\n2024년 3월 14일 금요일\n2024년 3월 9일 토요일\n"
    )
    assert said(export) == [
        ("10 20:36", "지영", "안녕\n둘째 줄"),
        ("11 09:00", "민수", "좋아\n2024년 3월 14일 금요일\n2024년 3월 9일 토요일"),
    ]
    assert export.system_lines == 2


def test_some_messages_of_a_file_may_have_no_date_of_their_own(read: Read) -> None:
    export = read(
        f"{_IPHONE}2024. 3. 10. 오후 3:15, 지영 : 하나\n오후 3:16, 민수 : 둘\n오후 3:17, 셋"
    )
    assert said(export) == [("10 15:15", "지영", "하나"), ("10 15:16", "민수", "둘\n오후 3:17, 셋")]


@pytest.mark.parametrize(
    "quoted", ["오후 3:16, 민수 : 둘", "2024년 3월 11일 월요일", "3:16, 민수 : 둘"]
)
def test_a_plan_in_a_text_is_no_message_of_its_own(read: Read, quoted: str) -> None:
    export = read(f"{_WINDOWS}[지영] [오후 3:15] 계획\n{quoted}\n그래\n")
    assert said(export) == [("10 15:15", "지영", f"계획\n{quoted}\n그래")]
    phone = "".join(f"2024. 3. 10. 오후 3:1{n}, 지영 : 하나\n" for n in range(9))
    assert len(said(read(f"{_IPHONE}{phone}오후 3:20, 민수 : 둘\n"))) == 9


@pytest.mark.parametrize(
    "notice",
    ["지영님이 수아님을 초대하였습니다.", "메시지가 삭제되었습니다.", "수아님이 부방장이 되었습니다.",
     "수아님이 방장이 되었습니다.", "수아님이 부방장에서 해제되었습니다.", "[] [오후 3:16] 알림입니다"],
)  # fmt: skip
def test_a_notice_is_no_part_of_the_message_above(read: Read, notice: str) -> None:
    export = read(f"{_WINDOWS}[지영] [오후 3:15] 안녕\n{notice}\n[민수] [오후 3:17] 응\n")
    assert [text for _, _, text in said(export)] == ["안녕", "응"]
    assert export.system_lines == 1


def test_who_was_invited_can_leave_without_a_word(read: Read) -> None:
    export = read(
        f"KakaoTalk Chats with Rowing club\nDate Saved : 2024-03-12 18:00:00\n\n{_DASHES} Sunday, March 10, 2024 {_DASHES}\n"
        "Ann invited Bo, Cy and Di.\n[Ann] [9:15 AM] hello\nthe tide left.\nthe coach invited us.\nCy left.\n[Bo] [9:16 AM] ok\n"
        "Di left.\nBo invited Flo.\nFlo left.\n"
    )
    told = [text for _, _, text in said(export)]
    assert told == ["hello\nthe tide left.\nthe coach invited us.", "ok"]
    assert export.system_lines == 5


@pytest.mark.parametrize("text", ["Video", "Videos", "3 videos", "12 Videos"])
def test_several_videos_are_an_attachment(read: Read, text: str) -> None:
    [chat] = read(f"{_WINDOWS}[지영] [9:15 AM] {text}\n[민수] [9:16 AM] {text} of us\n").chats
    assert [[file.kind for file in m.attachments] for m in chat.messages] == [["video"], []]


def test_a_title_in_english_may_have_with_behind_it(read: Read) -> None:
    for head in (
        "Rowing with KakaoTalk Chats",
        "Rowing 3 with KakaoTalk Chats",
        "KakaoTalk Chats with Rowing 3",
    ):
        export = read(_WINDOWS.replace("모임 님과 카카오톡 대화", head) + "[지영] [9:15 AM] hi\n")
        assert export.chats[0].title == "Rowing"


@pytest.mark.parametrize(
    ("written", "shown"),
    [("<사진 읽지 않음>", "[photo]"), ("‹동영상 읽지 않음›", "[video]"), ("<사진 3장 읽지 않음>", "[photo]"),  # noqa: RUF001
     ("<Photo unread>", "[photo]"), ("<Video unread>", "[video]"), ("<three books unread>", "<three books unread>")],
)  # fmt: skip
def test_media_that_were_not_opened_are_media(read: Read, written: str, shown: str) -> None:
    export = read(
        "영희 님과 카카오톡 대화\n저장한 날짜 : 2025년 1월 13일 오후 3:10\n\n\n2025년 1월 13일 오후 3:05\n"
        f"2025년 1월 13일 오후 3:05, 철수 : 안녕\n2025년 1월 13일 오후 3:06, 영희 : {written}\n"
    )
    assert [message.text for message in export.chats[0].messages] == ["안녕", shown]
