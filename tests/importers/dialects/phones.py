"""Google Chat, iMessage, LINE, KakaoTalk and SMS backups, as their exports are written."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import datetime

from dialects.parts import IDS, Conversation, Files, attributes, numbered, seconds
from dialects.parts import lines as json_lines

GOOGLE_DATES: dict[str, Callable[[datetime], str]] = {
    "english": lambda t: f"{t:%A, %B} {t.day}, {t.year} at {t:%I:%M:%S %p} UTC",
    "english, narrow space": lambda t: f"{t:%A, %B} {t.day}, {t.year} at {t:%I:%M:%S}\u202f{t:%p} UTC",
    "english, british": lambda t: f"{t:%A}, {t.day} {t:%B} {t.year} at {t:%H:%M:%S} UTC",
    "german": lambda t: f"{GERMAN[t.month]}, {t.day}. {GERMAN[t.month + 100]} {t.year} um {t:%H:%M:%S} UTC",
    "french": lambda t: f"{FRENCH[t.month]} {t.day} {FRENCH[t.month + 100]} {t.year} à {t:%H:%M:%S} UTC",
    "spanish": lambda t: f"{SPANISH[t.month]}, {t.day} de {SPANISH[t.month + 100]} de {t.year}, {t:%H:%M:%S} UTC",
    "danish": lambda t: f"{DANISH[t.month]} den {t.day}. {DANISH[t.month + 100]} {t.year} kl. {t:%H.%M.%S} UTC",
    "thai": lambda t: f"{THAI[t.month]} {t.day} {THAI[t.month + 100]} พ.ศ. {t.year + 543} เวลา {t:%H:%M:%S} UTC",
    "japanese": lambda t: f"{t.year}年{t.month}月{t.day}日金曜日 {t.hour}時{t:%M}分{t:%S}秒 UTC",
    "chinese": lambda t: (
        f"{t.year}年{t.month}月{t.day}日星期五 UTC {'下午' if t.hour > 11 else '上午'}{(t.hour - 1) % 12 + 1}:{t:%M:%S}"
    ),
}  # fmt: skip
GERMAN = {12: "Freitag", 1: "Sonntag", 112: "Dezember", 101: "Januar"}
FRENCH = {12: "vendredi", 1: "dimanche", 112: "décembre", 101: "janvier"}
DANISH = {12: "fredag", 1: "søndag", 112: "december", 101: "januar"}
THAI = {12: "วันศุกร์ที่", 1: "วันอาทิตย์ที่", 112: "ธันวาคม", 101: "มกราคม"}
SPANISH = {12: "viernes", 1: "domingo", 112: "diciembre", 101: "enero"}


def google_chat(talk: Conversation, written: Callable[[datetime], str]) -> Files:
    return {
        "Google Chat/Groups/DM abc/messages.json": json.dumps({"messages": [
            {"creator": {"name": who, "email": f"{who}@example.org", "user_type": "Human"},
             "created_date": written(t), "text": said, "topic_id": "t", "message_id": f"abc/t/{n}"}
            for n, (t, who, said) in numbered(talk)
        ]}, ensure_ascii=False),
        "Google Chat/Groups/DM abc/group_info.json": json.dumps({"members": []}),
    }  # fmt: skip


def imessage(talk: Conversation) -> Files:
    blocks = [f"{t:%b %d, %Y}  {t:%I:%M:%S %p}\n{who}\n{said}\n" for t, who, said in talk]
    return {"Ann.txt": "\n".join(blocks)}


def imessage_read_receipts(talk: Conversation) -> Files:
    blocks = [
        f"{t:%b %d, %Y} {t.hour % 12 or 12:2}:{t:%M:%S %p} (Read by you after 5 seconds)\n{who}\n{said}\n"
        for t, who, said in talk
    ]
    return {"Ann.txt": "\n".join(blocks)}


def imessage_html(talk: Conversation) -> Files:
    parts = [
        f'<div class="message"><div class="{"sent iMessage" if who == "Bob" else "received"}"><p>'
        f'<span class="timestamp"><a title="Reveal" href="sms://open?message-guid=g">{t:%b %d, %Y}'
        f'  {t:%I:%M:%S %p}</a> (Read by them after 1 minute)</span>\n<span class="sender">{who}</span>'
        f'</p>\n<hr><div class="message_part"><span class="bubble">{html.escape(said).replace(chr(10), "<br>")}</span></div></div></div>'
        for t, who, said in talk
    ]
    page = f'<html><head><meta charset="UTF-8"></head><body>{"".join(parts)}</body></html>'
    return {"Ann.html": page}


LINE_DATES: dict[str, tuple[str, Callable[[datetime], str], Callable[[datetime], str]]] = {
    "english": ("[LINE] Chat history with Ann\nSaved on: 2022/01/21, 18:00\n",
                lambda t: f"{t:%Y/%m/%d(%a)}", lambda t: f"{t:%H:%M}"),
    "japanese": ("[LINE] Annとのトーク履歴\n保存日時：2022/01/21 18:00\n",
                 lambda t: f"{t:%Y/%m/%d}(金)",
                 lambda t: f"{'午後' if t.hour > 11 else '午前'}{t.hour % 12}:{t:%M}"),
    "chinese": ("[LINE] 與Ann的聊天記錄\n儲存日期：2022/01/21 18:00\n",
                lambda t: f"{t:%Y/%m/%d}（五）".replace("（", "(").replace("）", ")"),
                lambda t: f"{'下午' if t.hour > 11 else '上午'}{(t.hour - 1) % 12 + 1:02}:{t:%M}"),
    "dots": ("", lambda t: f"{t:%Y.%m.%d %A}", lambda t: f"{t:%H:%M}"),
    "month first": ("[LINE] Chat history with Ann\nSaved on: 1/21/2022, 18:00\n",
                    lambda t: f"{t:%a, %m/%d/%Y}", lambda t: f"{t.hour % 12 or 12}:{t:%M%p}"),
    "past midnight": ("[LINE] Chat history with Ann\nSaved on: 2022/01/21, 18:00\n",
                      lambda t: "2022/01/12(Wed)" if t.day == 13 else f"{t:%Y/%m/%d(%a)}",
                      lambda t: f"24:{t:%M}" if t.day == 13 else f"{t:%H:%M}"),
}  # fmt: skip


def line(talk: Conversation, dialect: str) -> Files:
    head, date, clock = LINE_DATES[dialect]
    parts, last = [head], ""
    for t, who, said in talk:
        if date(t) != last:
            last = date(t)
            parts.append(f"\n{last}" if parts[-1] else last)
        quoted = f'"{said}"' if "\n" in said else said
        parts.append(f"{clock(t)}\t{who}\t{quoted}")
    return {"[LINE] Chat.txt": "\n".join(part for part in parts if part)}


def korean(t: datetime) -> str:
    return f"{t.year}년 {t.month}월 {t.day}일"


def korean_weekday(t: datetime) -> str:
    return f"{korean(t)} {'월화수목금토일'[t.weekday()]}요일"


def korean_clock(t: datetime) -> str:
    return f"{'오후' if t.hour > 11 else '오전'} {t.hour % 12 or 12}:{t:%M}"


def english(t: datetime) -> str:
    return f"{t:%B} {t.day}, {t.year}"


def english_clock(t: datetime) -> str:
    return f"{t.hour % 12 or 12}:{t:%M} {t:%p}"


DASHES = "-" * 15
# the head, the line of a new day, and what stands before a text
KAKAO: dict[str, tuple[str, Callable[[datetime], str], Callable[[datetime, str], str]]] = {
    "windows": ("Ann 님과 카카오톡 대화\n저장한 날짜 : 2022-01-21 18:00:00\n",
                lambda t: f"\n{DASHES} {korean_weekday(t)} {DASHES}",
                lambda t, who: f"[{who}] [{korean_clock(t)}] "),
    "windows in English": ("KakaoTalk Chats with Ann\nDate Saved : 2022-01-21 18:00:00\n",
                           lambda t: f"{DASHES} {t:%A}, {english(t)} {DASHES}",
                           lambda t, who: f"[{who}] [{english_clock(t)}] "),
    "android": ("친구들 3 님과 카카오톡 대화\n저장한 날짜 : 2022년 1월 21일 오후 6:00\n",
                lambda t: f"\n{korean(t)} {korean_clock(t)}",
                lambda t, who: f"{korean(t)} {korean_clock(t)}, {who} : "),
    "android in English": ("KakaoTalk Chats with Ann 3\nDate Saved : January 21, 2022 at 6:00 PM\n",
                           lambda t: f"\n{english(t)} at {english_clock(t)}",
                           lambda t, who: f"{english(t)} at {english_clock(t)}, {who} : "),
    "iphone": ("Talk_2022.1.21 18:00-1.txt\n저장한 날짜 : 2022. 1. 21. 오후 6:00\n",
               lambda t: f"\n{korean_weekday(t)}",
               lambda t, who: f"{t.year}. {t.month}. {t.day}. {korean_clock(t)}, {who} : "),
    "iphone with days in headings": ("Ann 카카오톡 대화\n저장한 날짜 : 2022년 1월 21일 오후 6:00\n\n",
                                     lambda t: f"\n{korean_weekday(t)}",
                                     lambda t, who: f"{korean_clock(t)}, {who} : "),
    "windows with AM in front": ("Ann with KakaoTalk Chats\nDate Saved : 2022-01-21 18:00:00\n",
                                 lambda t: f"{DASHES} {korean_weekday(t)} {DASHES}",
                                 lambda t, who: f"[{who}] [{t:%p} {t.hour % 12 or 12}:{t:%M}] "),
}  # fmt: skip


def kakao(talk: Conversation, dialect: str) -> Files:
    head, day, line = KAKAO[dialect]
    parts, last = [head], ""
    for t, who, said in talk:
        if f"{t:%d}" != last:
            last = f"{t:%d}"
            parts.append(day(t))
        parts.append(f"{line(t, who)}{said}")
    return {"KakaoTalk_Chats.txt": "\n".join(parts)}


def kakao_mac(talk: Conversation) -> Files:
    rows = [
        f'{t:%Y-%m-%d %H:%M:%S},"{who}","{said.replace(chr(34), 2 * chr(34))}"'
        for t, who, said in talk
    ]
    return {"KakaoTalk_Chat_Ann_2022-01-21-18-00-00.csv": "\n".join(["Date,User,Message", *rows])}


def sms(talk: Conversation) -> Files:
    rows = "\n".join(
        f"  <sms {attributes(protocol=0, address='+1 555 0100', date=seconds(t) * 1000, type=2 if who == 'Me' else 1, body=said, contact_name=who)} />"
        for t, who, said in talk
    ).replace("😀", "&#55357;&#56832;")
    return {
        "sms-2022.xml": f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<smses count=\"4\">\n{rows}\n</smses>"
    }


def sms_lines(talk: Conversation) -> Files:
    """Of SMS Import / Export, an MMS a message, received in a group."""
    people = {
        who: {"address": f"+1555{i}", "type": "137", "__display_name": who}
        for who, i in IDS.items()
    }
    return {"messages.ndjson": json_lines([
        {"_id": str(n), "thread_id": "2", "date": str(seconds(t)), "msg_box": "1", "m_type": "132",
         "__sender_address": people[who],
         "__recipient_addresses": [{"address": "+15559999", "type": "151"}]
         + [person | {"type": "151"} for other, person in people.items() if other != who],
         "__parts": [{"ct": "application/smil", "text": "<smil/>"}, {"ct": "text/plain", "text": said}]}
        for n, (t, who, said) in numbered(talk)
    ])}  # fmt: skip


def mms(talk: Conversation) -> Files:
    rows = "\n".join(
        f"<mms {attributes(date=seconds(t) * 1000, msg_box=1, address='+1 555 0100', contact_name=who)}>"
        f"<parts><part {attributes(seq=-1, ct='application/smil', text='<smil/>')}/>"
        f"<part {attributes(seq=0, ct='text/plain', text=said)}/></parts></mms>"
        for t, who, said in talk
    )
    return {"sms-2022.xml": f"<?xml version='1.0' encoding='UTF-8'?><smses>{rows}</smses>"}
