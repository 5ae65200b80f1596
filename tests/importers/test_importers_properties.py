# ruff: noqa: RUF001 - wall-clock times, any option, many scripts

from __future__ import annotations

import json
import os
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from dialects import DIALECTS, read_export, talked, write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minirag_chat.errors import ImportFailed
from minirag_chat.importers import IMPORTERS, ImportOptions
from minirag_chat.records import ParsedExport

# MINIRAG_CHAT_EXAMPLES=5000 asks for the long run.
EXAMPLES = int(os.environ.get("MINIRAG_CHAT_EXAMPLES", "15"))
FAST = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
FORMATS = tuple(importer.name for importer in IMPORTERS)

NAMES = st.sampled_from(["AnnMiller", "BobJones", "ChaeSong-hwa", "李华", "Мария", "Zoë", "Thrall"])
LINE = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters=":：\ufeff"
    ),
    max_size=40,
)
WORDS = st.sampled_from(["hi", "see you at nine", "well, no", "😀 ok", "1. one", "- two"])
TEXT = st.tuples(WORDS, st.lists(LINE | WORDS, max_size=3)).map(
    lambda t: "\n".join([t[0], *t[1]]).strip()
)
MESSAGES = st.lists(st.tuples(NAMES, TEXT), min_size=1, max_size=12)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])


def read(data: bytes, **options: Any) -> ParsedExport:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.txt"
        path.write_bytes(data)
        [(_, export)] = list(read_export(path, ImportOptions(time_zone="UTC", **options)))
        assert isinstance(export, ParsedExport)
        for chat in export.chats:
            assert chat.messages
            for message in chat.messages:
                assert message.sender.strip()
                assert message.text.strip()
                assert message.sent_at.tzinfo is None
        return export


def reads_or_fails(data: bytes, **options: Any) -> None:
    try:
        export = read(data, **options)
    except ImportFailed as error:
        assert str(error).endswith(".")  # noqa: PT017 - either it is read, or refused in a sentence
        return
    for chat in export.chats:  # what is read can be kept
        for message in chat.messages:
            f"{message.sender}{message.text}{message.source_id}{message.reply_to}".encode()


@pytest.mark.parametrize("name", FORMATS)
@FAST
@given(st.binary(max_size=400))
def test_random_bytes_never_crash(name: str, data: bytes) -> None:
    reads_or_fails(data, format=name)


PIECES = st.sampled_from(
    ["Time: 20260105_11:00", "31/12/21, 18:05 - Ann: hi", "[1/2/21, 10:00:00] Bob: \u200eho",
     "sent_at,sender,text", "2022-01-01 10:00,Ann,hi", '{"sent_at": 1, "sender": 2, "text": 3}',
     "Ann: hi", "Note: x", "\u200e", ":", " : ", '"', "[", "٣/٤/٢٠٢١، ١٠:٢٠ م - x: y",
     "9999/99/99, 99:99 - a: b", "- a:", "", "31/12/21, 18:05 - ", "²/1/21, 10:00 - Ann: hi",
     "[2022-01-01, 10:00] Ann: hi", "[2022-01-01, 10:00] Ann:", "> quoted", "(- Ann: x -)",
     "[LINE] Chat history with Ann", "2022/01/01(Sat)", "10:00\tAnn\thi", '25:00\tAnn\t"hi', "99:99\tAnn\tx",
     "午後1:05\tAnn\t[写真]", "10:00\t\tsystem", "²:00\tAnn\tx",
     "May 17, 2022  5:29:42 PM", "Feb 31, 2022  5:29:42 PM", "    May 17, 2022  5:29:42 PM", "Tapbacks:",
     "This message responded to an earlier message.",
     "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender",
     "1,7,1,0,0,1640000000,,hi,,Ann,ann,w1", "1,7,1,0,0,99999999999999999999,,hi,,Ann,ann,w1",
     "<smses>", '<sms address="1" date="1640000000000" type="1" body="&#55357;hi"/>', "<mms", "</smses>",
     "<!DOCTYPE x [", "&#0;", "&#9999999;",
     '<html><div class="message default" id="message1"><div class="body"><div class="from_name">Ann</div>',
     '<div class="date" title="31.12.2021 18:05:00 UTC+99:00"></div><div class="text">hi</div>', "</div></div>",
     '<div class="message"><span class="timestamp">May 17, 2022  5:29:42 PM</span><span class="sender">A</span>',
     "From ann@example.org Fri Dec 31 18:05:00 2021", "From: Ann <ann@example.org>", "Subject: =?utf-8?B?aGk?=",
     "Date: Fri, 31 Dec 2021 18:05:00 +9999", "References: <a@b> <b@a", "Content-Type: multipart/mixed; boundary=x",
     "--x", "--x--", "Content-Transfer-Encoding: base64", "Content-Type: text/html; charset=punycode", ">From me",
     "On Fri, 31 Dec 2021, Ann wrote:", "-----Original Message-----",
     '{"_type": "message", "sender": "a", "timestamp": 1e99, "content": "\\ud800"}',
     '{"chatItem": {"chatId": "1", "authorId": [], "dateSent": -1}}', '{"recipient": {"id": {}}}',
     '{"date": "2022-01-01T10:00:00", "sender": "A", "body": "b", "quote": 3, "reactions": [[]]}']
)  # fmt: skip


@pytest.mark.parametrize("name", [None, *FORMATS])
@FAST
@given(st.lists(PIECES | LINE, max_size=12), ENDINGS)
def test_random_lines_never_crash(name: str | None, lines: list[str], ending: str) -> None:
    reads_or_fails(ending.join(lines).encode(), format=name)


JSON_FORMATS = ("telegram", "discord", "slack", "slackdump", "messenger", "messenger-e2ee", "google-chat",
                "wechat-json", "chatlab", "signal", "signal-json", "chatgpt", "claude",
                "matrix", "teams", "hangouts", "groupme", "snapchat", "x", "tiktok", "tinder",
                "sms-lines", "mattermost", "zulip", "whatsapp-json", "rocket-chat", "hinge", "table")  # fmt: skip
KEYS = st.sampled_from(
    "messages type date date_unixtime from text chats list id poll photo answers question media_type "
    "ts user subtype thread_ts files reactions name users sender_name timestamp_ms content share link "
    "participants title thread_path is_unsent senderName threadName timestamp isUnsent media uri "
    "creator created_date email message_id quoted_message_metadata attached_files emoji unicode "
    "reactor_emails channel guild author nickname reference messageId attachments fileName timestampEdited "
    "forwardedMessage embeds stickers session isSend createTime senderDisplayName localType "
    "chatlab meta members platformId accountName _type sender chatItem recipient chat contact group "
    "mapping parent current_node role content_type parts create_time asset_pointer metadata recipient "
    "chat_messages uuid human assistant created_at attachments file_name parent_message_uuid "
    "origin_server_ts event_id body msgtype m.relates_to m.new_content rel_type state_key displayname redacts "
    "unsigned conversations MessageList messagetype originalarrivaltime displayName properties emotions "
    "snapshot standardMessage body quote targetSentTimestamp authorId dateSent revisions self "
    "conversation_state conversation events event participant_data fallback_name gaia_id chat_message message_content "
    "segment event_type event_id sender_id sender_type source_guid favorited_by created_at From Created IsSender".split()
)
TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["2022-01-01T10:00:00", "1640000000.000100", 1640000000, "message", "\ud83d",
                       "Tuesday, January 4, 2022 at 10:00:00 AM UTC", 10**400, "Default"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@pytest.mark.parametrize("name", JSON_FORMATS)
@FAST
@given(TREE, st.integers(0, 60))
def test_random_json_never_crashes(name: str, tree: object, cut: int) -> None:
    text = json.dumps(tree)
    reads_or_fails(text.encode(), format=name)
    reads_or_fails(json.dumps({"messages": tree}).encode(), format=name)
    reads_or_fails(json.dumps([tree]).encode(), format=name)
    reads_or_fails(text[: len(text) - cut].encode())


# --- the golden dialects, with other talk in them, whole and cut off ---------------------------------

PLAIN_LINE = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S"), exclude_characters='<>&[](){}|"\\`#*_~^=;:：>-'),
    min_size=1, max_size=20,
)  # fmt: skip
TALK = st.lists(
    st.tuples(st.sampled_from(["Ann Miller", "Bob"]),
              st.lists(st.sampled_from(["hi", "see you at nine", "well, no", "😀 ok"]) | PLAIN_LINE, min_size=1, max_size=3)),
    min_size=1, max_size=8,
)  # fmt: skip


def dated(talk: list[tuple[str, list[str]]]) -> tuple[tuple[datetime, str, str], ...]:
    # A day over twelve first, so that no order of day and month is open.
    start = datetime(2021, 12, 31, 18, 5)
    return tuple(
        (start + timedelta(minutes=7 * n), who, "\n".join(said))
        for n, (who, said) in enumerate(talk)
    )


# What was repaired before may look broken again (one text in millions): no property to hold.
@pytest.mark.parametrize("dialect", [d for d in DIALECTS if d != "messenger_already_repaired"])
@FAST
@given(TALK, ENDINGS, st.floats(0, 1))
def test_no_dialect_loses_a_message_or_invents_a_sender(
    dialect: str, talk: list[tuple[str, list[str]]], ending: str, share: float
) -> None:
    conversation = dated(talk)
    files = DIALECTS[dialect](conversation)
    with tempfile.TemporaryDirectory() as folder:
        read_back = talked(
            write(Path(folder), {n: t.replace("\n", ending) for n, t in files.items()})
        )
    kept = [(who, " ".join(said.split())) for _, who, said in read_back]
    assert kept == [(who, " ".join(said.split())) for _, who, said in conversation]
    cut = {name: text[: int(len(text) * share)] for name, text in files.items()}
    with tempfile.TemporaryDirectory() as folder:
        try:
            before_the_cut = talked(write(Path(folder), cut))
        except ImportFailed as error:
            assert str(error).endswith(".")  # noqa: PT017 - either it is read, or refused in a sentence
            return
    assert {who for _, who, _ in before_the_cut} <= {"Ann Miller", "Bob", "Me", *_ids(dialect)}
    assert len(before_the_cut) <= len(conversation)


def _ids(dialect: str) -> tuple[str, ...]:
    """Where the list of people is cut off, their ids or cut names stand for them."""
    if dialect.startswith("snapchat"):
        return ("ann.m", "bob_b")
    return (
        ("U1001", "U1002", "1001", "1002")
        if dialect.startswith(("slack", "chatlab", "x_", "zulip"))
        else ()
    )


@FAST
@given(MESSAGES, ENDINGS)
def test_whatsapp_loses_no_message_and_invents_no_sender(
    messages: list[tuple[str, str]], ending: str
) -> None:
    start = datetime(2021, 12, 31, 18, 5)
    lines = [
        f"{start + timedelta(hours=n):%d/%m/%y, %H:%M} - {who}: {text}"
        for n, (who, text) in enumerate(messages)
    ]
    export = read(ending.join("\n".join(lines).split("\n")).encode())
    assert found(export) == [(who, text.strip("\u200e").strip()) for who, text in messages]


@FAST
@given(MESSAGES, ENDINGS)
def test_lihuaworld_loses_no_message_and_invents_no_sender(
    messages: list[tuple[str, str]], ending: str
) -> None:
    lines = ["Time: 20260105_11:00", *(f"{who}: {text}" for who, text in messages)]
    export = read(ending.join("\n".join(lines).split("\n")).encode())
    assert found(export) == [(who, text.strip()) for who, text in messages]


@FAST
@given(MESSAGES, st.integers(0, 200))
def test_truncated_files_keep_every_message_before_the_cut(
    messages: list[tuple[str, str]], cut: int
) -> None:
    start = datetime(2021, 12, 31, 18, 5)
    text = "\n".join(
        f"{start + timedelta(hours=n):%d/%m/%y, %H:%M} - {who}: {said}"
        for n, (who, said) in enumerate(messages)
    ).encode()
    kept = text[: max(len(text) - cut, 40)]
    try:
        export = read(kept)
    except ImportFailed:
        return
    assert {m.sender for c in export.chats for m in c.messages} <= {who for who, _ in messages} | {
        "\ufffd"
    }
    whole = [who for who, _ in messages][: kept.count(b" - ")]
    assert len(found(export)) <= len(messages)
    assert [who for who, _ in found(export)][:-1] == whole[: max(len(found(export)) - 1, 0)]


def found(export: ParsedExport) -> list[tuple[str, str]]:
    return [(m.sender, m.text) for chat in export.chats for m in chat.messages]
