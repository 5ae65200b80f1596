"""Golden exports of every format, damaged: no crash, every refusal says where, no message is lost."""
# ruff: noqa: RUF001 - any characters

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from damage import apart
from dialects import read_export, spoken, write
from golden import GOLDEN, TALK, main_file, sender_in
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from minirag_chat.errors import ImportFailed, MiniRagChatError
from minirag_chat.importers import IMPORTERS, ImportOptions
from minirag_chat.records import ParsedExport, ParsedMessage, Skipped

# MINIRAG_CHAT_EXAMPLES=5000 asks for the long run.
EXAMPLES = int(os.environ.get("MINIRAG_CHAT_EXAMPLES", "15"))
FAST = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
BY_KEYS = [
    name
    for name, golden in GOLDEN.items()
    if max(golden(TALK).values(), key=len).startswith(('{"', "[{", "{\n"))
]
# A line, a key, the place of a message, or what a line or column should be.
WHOLE = re.compile(
    r" is (?:empty|[^;]+); export the chat|contains no text|no mail in|has no date|bytes, more"
    r"|^the file is (?:not|neither) "
)
"""Refusals of a whole file, in which no place is worse than another."""
PLACE = re.compile(
    r"\bline \d|\bmessages?[. ]\S*\d|\b(?:chats|left_chats|members)\.\w|`[^`]+`|\bcolumns?\b|\bat [a-z_0-9.]+"
)


def test_every_format_has_a_golden_file() -> None:
    assert set(GOLDEN) == {importer.name for importer in IMPORTERS}


def read(files: dict[str, bytes], **options: Any) -> Iterator[ParsedMessage]:
    """Yield the messages; each refusal and each skipped line must say where."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        given_ = Path(folder) if len(files) > 1 else Path(folder) / next(iter(files))
        try:
            found = list(read_export(given_, ImportOptions(time_zone="UTC", **options)))
        except MiniRagChatError as error:
            assert isinstance(error, ImportFailed)  # noqa: PT017 - read, or refused in a sentence
            assert str(error).endswith(".")  # noqa: PT017 - the same
            assert PLACE.search(str(error)) or WHOLE.search(str(error)), str(error)  # noqa: PT017 - the same
            return
    for _, export in found:
        if isinstance(export, Skipped) and export.reason.startswith("part of a"):
            continue  # a file beside the messages, which is named
        skipped = (export,) if isinstance(export, Skipped) else export.skipped
        for item in skipped:
            placed = PLACE.search(item.reason) or WHOLE.search(item.reason)
            assert item.line is not None or placed, item
        if isinstance(export, ParsedExport):
            for chat in export.chats:
                for message in chat.messages:
                    yield replace(message, sender=spoken(export, message.sender))


def usable(messages: Iterator[ParsedMessage]) -> list[ParsedMessage]:
    found = list(messages)
    for message in found:
        assert message.sender.strip()
        assert message.text.strip()
        assert message.sent_at.tzinfo is None
        json.dumps([message.sender, message.text, message.source_id, message.reply_to]).encode()
    return found


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["drop", "twice", "swap", "cut", "byte", "bytes", "end", "rubbish"]),
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 255),
    ),
    min_size=1,
    max_size=5,
)


def damaged(text: str, edits: list[tuple[str, float, int]]) -> bytes:
    data = text.encode()
    for what, share, value in edits:
        lines, place = data.split(b"\n"), int(share * len(data))
        at, other = int(share * len(lines)), value % len(lines)
        match what:
            case "drop":
                del lines[at]
            case "twice":
                lines.insert(at, lines[at])
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "end":
                lines[at] += b"\r" if value % 2 else b"\r\r"
            case "rubbish":
                lines.insert(at, bytes(range(value, min(value + 40, 256))))
            case "cut":
                lines = [data[:place]]
            case _:
                run = bytes([value]) * (1 if what == "byte" else 9)
                lines = [data[:place] + run + data[place + 1 :]]
        data = b"\n".join(lines)
    return data


@pytest.mark.slow
# Some of many; ``python tests/damage.py`` tries as many as one likes.
@pytest.mark.parametrize("number", [3, 5, 11, 17, 23, 42, 77, 101, 19192])
def test_every_command_works_on_what_a_damaged_export_gave(number: int) -> None:
    assert apart(1, number).failures == []


@pytest.mark.parametrize("name", GOLDEN)
@FAST
@given(EDITS, st.booleans())
def test_a_damaged_file_is_read_or_refused_with_the_place(
    name: str, edits: list[tuple[str, float, int]], forced: bool
) -> None:
    path, text = main_file(name)
    usable(read({path: damaged(text, edits)}, format=name if forced else None))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(["2022-01-01T10:00:00", "1640000000", 10**400, "\ud83d", -1, "Infinity"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


def changed(value: Any, steps: list[int], new: object, *, remove: bool) -> Any:
    """Put ``new`` in the place that ``steps`` lead to, or take away what is there."""
    if not isinstance(value, (dict, list)) or not value or not steps:
        return new
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = keys[steps[0] % len(keys)]
    if remove and (len(steps) == 1 or not isinstance(value[key], (dict, list))):
        del value[key]
    else:
        value[key] = changed(value[key], steps[1:], new, remove=remove)
    return value


@pytest.mark.parametrize("name", BY_KEYS)
@FAST
@given(st.lists(st.integers(0, 99), min_size=1, max_size=6), VALUES, st.booleans(), st.booleans())
@example(steps=[0, 0], new={"": None}, remove=False, forced=True)
def test_a_key_of_another_type_is_read_or_refused_by_its_name(
    name: str, steps: list[int], new: object, remove: bool, forced: bool
) -> None:
    path, text = main_file(name)
    by_line = "\n{" in text
    trees = [json.loads(line) for line in text.split("\n")] if by_line else [json.loads(text)]
    at = steps[0] % len(trees)
    trees[at] = changed(trees[at], steps[1:], new, remove=remove)
    data = "\n".join(json.dumps(tree) for tree in trees).encode()
    usable(read({path: data}, format=name if forced else None))


# --- rubbish between messages -----------------------------------------------------------------------

PLAIN = st.text(st.characters(codec="utf-8", categories=("L", "P", "S"), exclude_characters='":：<>&[]()|_*#{},;\\\u200e'),
                min_size=1, max_size=20)  # fmt: skip
_MARKED = {
    "sms": "<mms ",
    "telegram-html": '<div class="message default',
    "imessage-html": '<div class="message">',
    "discord-html": "<div class=chatlog__message-group>",
    "google-voice": '<div class="message">',
    "messenger-html": '<section class="_a6-g" aria',
}
_LISTED = {
    "slack": lambda tree: tree,
    "rocket-chat": lambda tree: tree,
    "hinge": lambda tree: tree[1]["chats"],
    "whatsapp-json": lambda tree: tree["12345@g.us"]["messages"],
    "chatgpt": lambda tree: tree[0]["mapping"],
    "claude": lambda tree: tree[0]["chat_messages"],
    "teams": lambda tree: tree["conversations"][0]["MessageList"],
    "telegram": lambda tree: tree["chats"]["list"][0]["messages"],
    "hangouts": lambda tree: tree["conversations"][0]["events"],
    "groupme": lambda tree: tree,
    "zulip": lambda tree: tree["zerver_message"],
    "snapchat": lambda tree: tree["ann.m"],
    "tinder": lambda tree: tree["Messages"][0]["messages"],
    "x": lambda tree: tree[0]["dmConversation"]["messages"],
}
_BY_LINE = ("signal", "signal-json", "sms-lines", "mattermost")
_ROWS = ("wechat", "table", "linkedin")


def with_rubbish(name: str, text: str, rubbish: list[tuple[int, str, object]]) -> str:
    if name in _MARKED:
        mark = _MARKED[name]
        head, *rest = text.split(mark)
        for at, words, _ in rubbish:
            extra = f"<i>{words}</i>" if "html" in name else f'<other note="{words}"/>'
            if at % (len(rest) + 1) == 0:
                head += extra
            elif name == "sms":  # in a page what stands after a message is in its element
                rest[at % (len(rest) + 1) - 1] = rest[at % (len(rest) + 1) - 1].replace(
                    "</mms>", f"</mms>{extra}"
                )
        return mark.join([head, *rest])
    if name in (*BY_KEYS, "x") and name not in _BY_LINE:
        assigned, text = text.split("= ", 1) if name == "x" else ("", text)
        tree = json.loads(text)
        messages = _LISTED.get(name, lambda found: found["messages"])(tree)
        for number, (at, words, value) in enumerate(rubbish):
            if isinstance(messages, dict):
                # beside the messages, in place of none: a chance key may be that of one
                messages.setdefault(f"{words}{number}", value if at % 3 else words)
                continue
            messages.insert(at % (len(messages) + 1), value if at % 3 else words)
        return f"{assigned}= {json.dumps(tree)}" if assigned else json.dumps(tree)
    lines = text.split("\n")
    first = 1 if name in _ROWS else 5 if name == "signal" else 3
    # After a time the next line is the sender, or the text, whatever it is: there rubbish comes after a text.
    ends = [
        n
        for n, line in enumerate(lines)
        if not line and name in ("imessage", "discord-text", "headed-text", "sigtop")
    ]
    if name == "email":  # what stands after a mail's words is in it
        ends = [n for n, line in enumerate(lines) if line.startswith("From ")][1:]
    for at, words, _ in sorted(rubbish, key=lambda item: -(item[0] % max(len(ends), 1))):
        lines.insert(ends[at % len(ends)] if ends else first + at % (len(lines) - first + 1), words)
    return "\n".join(lines)


@pytest.mark.parametrize("name", GOLDEN)
@FAST
@given(
    st.lists(
        st.tuples(
            st.integers(0, 99), PLAIN, st.none() | st.integers() | st.lists(st.integers(), max_size=2)
            | st.dictionaries(st.sampled_from(["id", "x"]), st.integers(), max_size=2),
        ), max_size=5)
)  # fmt: skip
def test_rubbish_between_messages_costs_none_and_adds_no_sender(
    name: str, rubbish: list[tuple[int, str, object]]
) -> None:
    path, text = main_file(name)
    talk = TALK
    if name in _ROWS:  # a line break inside a cell is no place for a row
        talk = tuple((when, who, said.replace("\n", " ")) for when, who, said in TALK)
        _, text = max(GOLDEN[name](talk).items(), key=lambda item: len(item[1]))
    files = {file: said.encode() for file, said in GOLDEN[name](talk).items()}
    files[path] = with_rubbish(name, text, rubbish).encode()
    found = usable(read(files))
    assert {message.sender for message in found} == {
        sender_in(name, who) for who in ("Ann Miller", "Bob")
    }
    assert len(found) == len(talk)
    for message, (_, who, said) in zip(found, talk, strict=True):
        assert message.sender == sender_in(name, who)
        assert "".join(message.text.split()).startswith("".join(said.split("\n")[0].split()))


def test_the_golden_files_are_read_whole() -> None:
    for name, golden in GOLDEN.items():
        with tempfile.TemporaryDirectory() as folder:
            found = [
                (export, message.sender, message.text)
                for _, export in read_export(
                    write(Path(folder), golden(TALK)), ImportOptions(time_zone="UTC")
                )
                if isinstance(export, ParsedExport)
                for chat in export.chats
                for message in chat.messages
            ]
        assert [(spoken(export, who), said) for export, who, said in found] == [
            (spoken(found[0][0], sender_in(name, who)), said) for _, who, said in TALK
        ], name
