"""The list of importers, and the choice of one for a file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from minirag_chat.errors import ImportFailed, UnknownFormat, UnreadableFile
from minirag_chat.importers.base import ExportFile, Importer, ImportOptions, Sample
from minirag_chat.importers.chatgpt import ChatGpt
from minirag_chat.importers.chatlab import ChatLab
from minirag_chat.importers.claude import Claude
from minirag_chat.importers.discord import Discord
from minirag_chat.importers.discord_html import DiscordHtml
from minirag_chat.importers.discord_text import DiscordText
from minirag_chat.importers.documents import refuse_page, refuse_rich_text
from minirag_chat.importers.google_chat import GoogleChat
from minirag_chat.importers.google_voice import GoogleVoice
from minirag_chat.importers.groupme import GroupMe
from minirag_chat.importers.hangouts import Hangouts
from minirag_chat.importers.headed import Headed
from minirag_chat.importers.hinge import Hinge
from minirag_chat.importers.imessage import IMessageText
from minirag_chat.importers.imessage_html import IMessageHtml
from minirag_chat.importers.irc import Irc
from minirag_chat.importers.kakao import KakaoTalk
from minirag_chat.importers.lihuaworld import LiHuaWorld
from minirag_chat.importers.line import Line
from minirag_chat.importers.linkedin import LinkedIn
from minirag_chat.importers.mail import Email
from minirag_chat.importers.matrix import Matrix
from minirag_chat.importers.matrix_text import MatrixText
from minirag_chat.importers.mattermost import Mattermost
from minirag_chat.importers.messenger import Messenger
from minirag_chat.importers.messenger_e2ee import MessengerE2ee
from minirag_chat.importers.messenger_html import MessengerHtml
from minirag_chat.importers.rocket_chat import RocketChat
from minirag_chat.importers.signal_app import SignalApp
from minirag_chat.importers.signal_json import SignalJson
from minirag_chat.importers.signal_markdown import SignalMarkdown
from minirag_chat.importers.sigtop import Sigtop
from minirag_chat.importers.slack import Slack
from minirag_chat.importers.slackdump import SlackDump
from minirag_chat.importers.sms import Sms
from minirag_chat.importers.sms_lines import SmsLines
from minirag_chat.importers.snapchat import Snapchat
from minirag_chat.importers.tabular import Tabular
from minirag_chat.importers.teams import Teams
from minirag_chat.importers.telegram import Telegram
from minirag_chat.importers.telegram_html import TelegramHtml
from minirag_chat.importers.tiktok import TikTok
from minirag_chat.importers.tinder import Tinder
from minirag_chat.importers.wechat import WeChatCsv, WeChatJson
from minirag_chat.importers.whatsapp import WhatsApp
from minirag_chat.importers.whatsapp_json import WhatsAppJson
from minirag_chat.importers.x_messages import XMessages
from minirag_chat.importers.zoom import Zoom
from minirag_chat.importers.zulip import Zulip

# In the order in which they are tried: specific formats first, generic tables last.
IMPORTERS: tuple[Importer, ...] = (
    LiHuaWorld(),
    Email(),
    DiscordText(),
    Irc(),
    Zoom(),
    SignalMarkdown(),
    Sigtop(),
    MatrixText(),
    WhatsApp(),
    Line(),
    KakaoTalk(),
    WhatsAppJson(),
    Telegram(),
    TelegramHtml(),
    SignalApp(),
    SignalJson(),
    Discord(),
    DiscordHtml(),
    ChatGpt(),
    Claude(),
    Matrix(),
    Mattermost(),
    Zulip(),
    RocketChat(),
    Teams(),
    Slack(),
    SlackDump(),
    Messenger(),
    MessengerE2ee(),
    MessengerHtml(),
    GoogleChat(),
    GoogleVoice(),
    Hangouts(),
    GroupMe(),
    Snapchat(),
    XMessages(),
    TikTok(),
    Tinder(),
    Hinge(),
    IMessageText(),
    IMessageHtml(),
    Sms(),
    SmsLines(),
    LinkedIn(),
    WeChatCsv(),
    WeChatJson(),
    ChatLab(),
    Headed(),
    Tabular(),
)


TABLES = frozenset({".csv", ".tsv", ".jsonl", ".json"})
"""Suffixes of files whose missing columns are reported."""


def _companions() -> dict[str, str]:
    """Return the reasons for skipping files without messages, by their names."""
    titles: dict[str, list[str]] = {}
    for importer in IMPORTERS:
        for name in importer.companions:
            titles.setdefault(name, []).append(importer.title.removesuffix(" export"))
    return {
        name: f"part of a {' or '.join(found)} export that holds no messages"
        for name, found in titles.items()
    }


COMPANIONS: Mapping[str, str] = _companions()


def recognised(file: ExportFile, options: ImportOptions) -> Importer:
    """Return the importer for a file, by its content or the option ``format``.

    Raises ``UnknownFormat`` with each importer's reason, or ``UnreadableFile``.
    """
    if options.format is not None:
        return importer_named(options.format)
    sample = file.sample(options)
    refuse_rich_text(file.path.name, sample.text)
    reasons: dict[str, str] = {}
    for importer in IMPORTERS:
        reason = importer.mismatch(sample)
        if reason is None:
            return importer
        reasons[importer.title] = reason
    refuse_page(file.path.name, sample.text)
    broken = _broken_json(sample)
    if broken is not None:
        raise UnreadableFile(
            f"{file.path.name} is cut off or damaged JSON at {broken}; export the chat again."
        )
    table = options.columns or file.path.suffix.casefold() in TABLES
    columns = f" (as a table: {reasons[Tabular.title]})" if table else ""
    raise UnknownFormat(
        f"{file.path.name} was not recognised as a chat export{columns}: export the chat as its app does "
        "(`minirag-chat formats` lists them), or name its format.",
        [f"{title}: {reason}" for title, reason in reasons.items()],
    )


def importer_named(name: str) -> Importer:
    """Return the importer with this name; raises ``ImportFailed`` with the known names."""
    for importer in IMPORTERS:
        if importer.name == name:
            return importer
    names = ", ".join(importer.name for importer in IMPORTERS)
    raise ImportFailed(f"There is no format {name!r}; the formats are {names}.")


def _broken_json(sample: Sample) -> str | None:
    """Return where a file that begins like JSON becomes invalid; None if it is valid or not JSON."""
    if not sample.complete or not sample.text.lstrip().startswith(("{", "[{", '["')):
        return None
    try:
        json.loads(sample.text)
    except json.JSONDecodeError as error:
        return None if error.msg == "Extra data" else f"line {error.lineno}"
    except RecursionError:
        return "line 1, which is nested too deep"
    return None
