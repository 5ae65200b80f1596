"""Every format's dialects: writers of one conversation, given as the text of files by their path.

Made up by us, all of it. ``DIALECTS`` names the writers of exports in which each message has its
time; LiHua-World's logs, which have none, have tests of their own.
"""

from __future__ import annotations

from dialects.assistants import chatgpt, chatgpt_parts, claude, claude_branches, claude_old
from dialects.clouds import groupme, hangouts, hangouts_old, snapchat, snapchat_old, x_archive
from dialects.logs import headed_text, irc, linkedin, tiktok, tinder, zoom, zoom_old
from dialects.mails import eml, mbox, mbox_answers
from dialects.messengers import (
    discord,
    discord_text,
    discord_without_nickname,
    messenger,
    messenger_already_repaired,
    messenger_e2ee,
    messenger_two_files,
    signal_app,
    signal_json,
    signal_markdown,
    signal_markdown_breaks,
    signal_markdown_seconds,
    sigtop,
    sigtop_short,
    slack,
    slack_direct,
    slackdump,
    whatsapp_json,
)
from dialects.others import (
    chatlab,
    chatlab_lines,
    telegram_html,
    telegram_html_old,
    wechat_json,
    wechat_json_list,
    wechat_memotrace,
    wechat_memotrace_in_chinese,
    wechat_weflow,
)
from dialects.pages import (
    discord_html,
    discord_html_old,
    google_voice,
    instagram_html,
    messenger_html,
    messenger_html_old,
)
from dialects.parts import Conversation, Files, Writer, part
from dialects.phones import (
    GOOGLE_DATES,
    KAKAO,
    LINE_DATES,
    google_chat,
    imessage,
    imessage_html,
    imessage_read_receipts,
    kakao,
    kakao_mac,
    line,
    mms,
    sms,
    sms_lines,
)
from dialects.plain import csv_table, json_lines_table, telegram, telegram_whole
from dialects.reading import exports, messages, read_export, recognise, spoken, talked, write
from dialects.rooms import (
    matrix,
    matrix_list,
    matrix_text,
    mattermost,
    rocket_chat,
    rocket_chat_list,
    skype,
    teams,
    teams_html,
    zulip,
)
from dialects.whatsapp import WHATSAPP, whatsapp

__all__ = [
    "DIALECTS",
    "PACKED",
    "WHATSAPP",
    "Conversation",
    "Files",
    "Writer",
    "exports",
    "messages",
    "part",
    "read_export",
    "recognise",
    "spoken",
    "talked",
    "write",
]

DIALECTS: dict[str, Writer] = {
    f.__name__: f
    for f in (
        signal_markdown, signal_markdown_breaks, signal_markdown_seconds, signal_json, signal_app, discord,
        discord_without_nickname, slack, slack_direct, slackdump, messenger, messenger_two_files,
        messenger_already_repaired, messenger_e2ee, imessage, imessage_read_receipts, imessage_html,
        sms, mms, wechat_memotrace, wechat_memotrace_in_chinese, wechat_weflow, wechat_json, wechat_json_list, chatlab,
        chatlab_lines, telegram, telegram_whole, telegram_html, telegram_html_old, csv_table,
        json_lines_table, chatgpt, chatgpt_parts, claude, claude_old,
        claude_branches, matrix, matrix_list, matrix_text, mattermost, zulip, teams, teams_html, skype, mbox, mbox_answers, eml,
        hangouts, hangouts_old, groupme, snapchat, snapchat_old, messenger_html, messenger_html_old,
        instagram_html, discord_html, discord_html_old, discord_text, google_voice, x_archive,
        headed_text, irc, linkedin, tiktok, tinder, zoom, zoom_old, sms_lines, whatsapp_json,
        sigtop, sigtop_short, rocket_chat, rocket_chat_list,
    )
}  # fmt: skip
DIALECTS |= {
    f"google_chat, {name}": lambda talk, written=written: google_chat(talk, written)
    for name, written in GOOGLE_DATES.items()
}
DIALECTS |= {f"kakao, {name}": lambda talk, name=name: kakao(talk, name) for name in KAKAO}
DIALECTS["kakao, mac"] = kakao_mac
DIALECTS |= {f"line, {name}": lambda talk, name=name: line(talk, name) for name in LINE_DATES}
DIALECTS |= {f"whatsapp, {name}": lambda talk, name=name: whatsapp(talk, name) for name in WHATSAPP}
PACKED = [
    "signal_app",
    "slack",
    "slack_direct",
    "messenger_two_files",
    "messenger_html",
    "google_voice",
    "x_archive",
    "zoom",
    "google_chat, english",
    "groupme",
    "zulip",
    "snapchat",
    "telegram_html",
    "chatgpt_parts",
    "claude_branches",
    "eml",
]
