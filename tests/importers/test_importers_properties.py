# ruff: noqa: RUF001 - wall-clock times, any option, many scripts

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minirag_chat.errors import ImportFailed
from minirag_chat.importers import ImportOptions, read_export
from minirag_chat.records import ParsedExport

FAST = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FORMATS = ("lihuaworld", "whatsapp", "telegram", "table")

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
TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["messages", "type", "date", "date_unixtime", "from", "text", "chats",
                         "list", "id", "poll", "photo", "answers", "question", "media_type"]),
        inner, max_size=6),
    max_leaves=20,
)  # fmt: skip


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
    with suppress(ImportFailed):
        read(data, **options)


@FAST
@given(st.binary(max_size=400), st.sampled_from([None, *FORMATS]))
def test_random_bytes_never_crash(data: bytes, name: str | None) -> None:
    reads_or_fails(data, format=name)


PIECES = st.sampled_from(
    ["Time: 20260105_11:00", "31/12/21, 18:05 - Ann: hi", "[1/2/21, 10:00:00] Bob: \u200eho",
     "sent_at,sender,text", "2022-01-01 10:00,Ann,hi", '{"sent_at": 1, "sender": 2, "text": 3}',
     "Ann: hi", "Note: x", "\u200e", ":", " : ", '"', "[", "٣/٤/٢٠٢١، ١٠:٢٠ م - x: y",
     "9999/99/99, 99:99 - a: b", "- a:", "", "31/12/21, 18:05 - ", "²/1/21, 10:00 - Ann: hi"]
)  # fmt: skip


@FAST
@given(st.lists(PIECES | LINE, max_size=12), ENDINGS, st.sampled_from([None, *FORMATS]))
def test_random_lines_never_crash(lines: list[str], ending: str, name: str | None) -> None:
    reads_or_fails(ending.join(lines).encode(), format=name)


@FAST
@given(TREE, st.integers(0, 60))
def test_random_json_never_crashes(tree: object, cut: int) -> None:
    text = json.dumps(tree)
    reads_or_fails(text.encode(), format="telegram")
    reads_or_fails(text[: len(text) - cut].encode())
    reads_or_fails(text.encode(), format="table")


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
