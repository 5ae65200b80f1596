"""WeChat programs, ChatLab and Telegram's pages, as they are written."""

from __future__ import annotations

import html
import json
from datetime import datetime
from typing import Any

from dialects.parts import IDS, Conversation, Files, lines, numbered, seconds, table


def wechat_memotrace(talk: Conversation) -> Files:
    header = "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender"
    return {"Ann.csv": "\ufeff" + table(header, [
        [n, 7, 1, 0, 0, seconds(t), "", said, f"{t:%Y-%m-%d %H:%M:%S}", who, who.lower(), f"wxid_{n}"]
        for n, (t, who, said) in numbered(talk)
    ])}  # fmt: skip


def wechat_memotrace_in_chinese(talk: Conversation) -> Files:
    return {"Ann.csv": "\ufeff" + table("消息ID,类型,发送人,时间,内容,备注,昵称,更多信息", [
        [9000 + n, "文本", who, f"{t:%Y-%m-%d %H:%M:%S}", said, who, who.lower(), "more"]
        for n, (t, who, said) in numbered(talk)
    ])}  # fmt: skip


def wechat_weflow(talk: Conversation) -> Files:
    return {"Ann.csv": table("id,MsgSvrID,type_name,is_sender,talker,msg,src,CreateTime", [
        [n, 9000 + n, "text", 0, who, said, "", f"{t.isoformat()}.000Z"]
        for n, (t, who, said) in numbered(talk)
    ])}  # fmt: skip


def wechat_json(talk: Conversation) -> Files:
    return {"Ann.json": json.dumps({
        "session": {"wxid": "wxid_a", "displayName": "Ann", "type": "私聊"},
        "messages": [
            {"localId": n, "createTime": seconds(t), "type": "文本消息", "localType": 1, "content": said,
             "isSend": 0, "senderUsername": IDS[who], "senderDisplayName": who}
            for n, (t, who, said) in numbered(talk)
        ],
    }, ensure_ascii=False)}  # fmt: skip


def wechat_json_list(talk: Conversation) -> Files:
    return {"Ann.json": json.dumps([
        {"id": n, "MsgSvrID": str(n), "type_name": "文本", "is_sender": 0, "talker": who,
         "room_name": "", "msg": said, "src": "", "CreateTime": f"{t:%Y-%m-%d %H:%M:%S}"}
        for n, (t, who, said) in numbered(talk)
    ])}  # fmt: skip


def chatlab(talk: Conversation) -> Files:
    return {"chat.json": json.dumps({
        "chatlab": {"version": "0.0.2", "exportedAt": 1703001600},
        "meta": {"name": "Ann", "platform": "wechat", "type": "private"},
        "members": [{"platformId": IDS[who], "accountName": who} for who in IDS],
        "messages": [chatlab_message(*entry) for entry in talk],
    }, ensure_ascii=False)}  # fmt: skip


def chatlab_message(when: datetime, who: str, said: str) -> dict[str, Any]:
    return {
        "sender": IDS[who],
        "accountName": who,
        "timestamp": seconds(when),
        "type": 0,
        "content": said,
    }


def chatlab_lines(talk: Conversation) -> Files:
    head = {
        "_type": "header",
        "chatlab": {"version": "0.0.2"},
        "meta": {"name": "Ann", "platform": "qq", "type": "group"},
    }
    return {
        "chat.jsonl": "# a remark\n"
        + lines([head, *({"_type": "message", **chatlab_message(*e)} for e in talk)])
    }


def telegram_html(talk: Conversation, offset: str = " UTC+01:00") -> Files:
    parts, last = [], ""
    for n, (t, who, said) in numbered(talk):
        name = "" if who == last else f'<div class="from_name">\n{who}\n </div>'
        body = (
            html.escape(said)
            .replace("\n", "<br>")
            .replace(
                "https://example.org/?a=1:2",
                '<a href="https://example.org/?a=1:2">https://example.org/?a=1:2</a>',
            )
        )
        parts.append(
            f'<div class="message default clearfix{" joined" if who == last else ""}" id="message{n}">'
            f'<div class="pull_left userpic_wrap"><div class="initials" style="line-height: 42px">A</div></div>'
            f'<div class="body"><div class="pull_right date details" title="{t:%d.%m.%Y %H:%M:%S}{offset}">\n'
            f'{t:%H:%M}\n</div>{name}<div class="text">\n{body}\n</div></div></div>'
        )  # fmt: skip
        last = who
    return {"ChatExport/messages.html": (
        '<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body><div class="page_wrap">'
        '<div class="page_header"><div class="content"><div class="text bold">\nAnn Miller\n</div></div></div>'
        '<div class="page_body chat_page"><div class="history">'
        '<div class="message service" id="message-1"><div class="body details">31 December 2021</div></div>'
        f'{"".join(parts)}</div></div></div></body></html>'
    )}  # fmt: skip


def telegram_html_old(talk: Conversation) -> Files:
    return telegram_html(talk, "")
