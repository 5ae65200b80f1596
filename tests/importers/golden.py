"""One small conversation as an export of every format, for tests that damage it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from dialects import DIALECTS, Conversation, Files
from dialects.logs import hinge

START = datetime(2021, 12, 31, 18, 5)
SAID = ("Shall we meet at 7?", "Yes!\nBring the tea", "ok", "ok", "12.07, ugh 😀", "so be it")
TALK: Conversation = tuple(
    (START + timedelta(minutes=7 * n), ("Ann Miller", "Bob")[n % 2], said)
    for n, said in enumerate(SAID)
)


def lihuaworld(talk: Conversation) -> Files:
    lines = [f"{who}: {said}" for _, who, said in talk]
    return {"20211231_1805.txt": "\n".join(["Time: 20211231_18:05", *lines])}


GOLDEN: dict[str, Callable[[Conversation], Files]] = {
    "lihuaworld": lihuaworld,
    "email": DIALECTS["mbox"],
    "signal-markdown": DIALECTS["signal_markdown"],
    "whatsapp": DIALECTS["whatsapp, ios us, narrow space"],
    "line": DIALECTS["line, japanese"],
    "kakaotalk": DIALECTS["kakao, windows"],
    "whatsapp-json": DIALECTS["whatsapp_json"],
    "telegram": DIALECTS["telegram_whole"],
    "telegram-html": DIALECTS["telegram_html_old"],
    "signal": DIALECTS["signal_app"],
    "sigtop": DIALECTS["sigtop"],
    "signal-json": DIALECTS["signal_json"],
    "discord": DIALECTS["discord"],
    "discord-html": DIALECTS["discord_html"],
    "discord-text": DIALECTS["discord_text"],
    "chatgpt": DIALECTS["chatgpt"],
    "claude": DIALECTS["claude"],
    "matrix": DIALECTS["matrix"],
    "matrix-text": DIALECTS["matrix_text"],
    "mattermost": DIALECTS["mattermost"],
    "zulip": DIALECTS["zulip"],
    "rocket-chat": DIALECTS["rocket_chat_list"],
    "teams": DIALECTS["teams_html"],
    "slack": DIALECTS["slack"],
    "slackdump": DIALECTS["slackdump"],
    "messenger": DIALECTS["messenger"],
    "messenger-e2ee": DIALECTS["messenger_e2ee"],
    "messenger-html": DIALECTS["messenger_html"],
    "google-chat": DIALECTS["google_chat, english"],
    "google-voice": DIALECTS["google_voice"],
    "hangouts": DIALECTS["hangouts"],
    "groupme": DIALECTS["groupme"],
    "snapchat": DIALECTS["snapchat"],
    "headed-text": DIALECTS["headed_text"],
    "irc": DIALECTS["irc"],
    "zoom": DIALECTS["zoom_old"],
    "tiktok": DIALECTS["tiktok"],
    "tinder": DIALECTS["tinder"],
    "hinge": hinge,
    "linkedin": DIALECTS["linkedin"],
    "sms-lines": DIALECTS["sms_lines"],
    "x": DIALECTS["x_archive"],
    "imessage": DIALECTS["imessage"],
    "imessage-html": DIALECTS["imessage_html"],
    "sms": DIALECTS["mms"],
    "wechat": DIALECTS["wechat_memotrace"],
    "wechat-json": DIALECTS["wechat_json"],
    "chatlab": DIALECTS["chatlab"],
    "table": DIALECTS["csv_table"],
}


def main_file(name: str) -> tuple[str, str]:
    return max(GOLDEN[name](TALK).items(), key=lambda item: len(item[1]))


def sender_in(name: str, who: str) -> str:
    """Return a sender's name in a format; a download of Hinge's has only its owner's messages, by Me."""
    return "Me" if name == "hinge" else who
