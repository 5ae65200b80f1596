"""Conversations with assistants: the branch that is shown, files by name, and nothing of tools."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dialects import exports, talked, write
from dialects.assistants import chatgpt, chatgpt_conversation, claude, claude_branches
from golden import TALK

from minirag_chat.importers import stream_export
from minirag_chat.records import Attachment, ParsedExport

Read = Callable[..., ParsedExport]


def conversation(**nodes: dict[str, Any]) -> dict[str, Any]:
    """A conversation whose messages follow each other in the order given; the last is shown."""
    mapping, parent = {}, "client-created-root"
    for name, message in nodes.items():
        mapping[name] = {"parent": parent, "message": {"create_time": 1640000000} | message}
        parent = name
    return {"title": "Boats", "id": "c", "mapping": mapping, "current_node": parent}


def said(role: str, *parts: object, **more: Any) -> dict[str, Any]:
    kind = "text" if all(isinstance(part, str) for part in parts) else "multimodal_text"
    return {"author": {"role": role}, "content": {"content_type": kind, "parts": parts}, **more}


def texts(export: ParsedExport) -> list[str]:
    return [m.text for chat in export.chats for m in chat.messages]


def test_only_the_branch_that_the_app_shows_is_read_and_the_others_are_told(read: Read) -> None:
    found = conversation(a=said("user", "which boat?"), b=said("assistant", "the green one"))
    found["mapping"]["c"] = {"parent": "a", "message": said("assistant", "the red one")}
    export = read(json.dumps([found]))
    assert texts(export) == ["which boat?", "the green one"]
    assert any("1 messages of other branches" in note for note in export.notes)
    found["current_node"] = "c"
    assert texts(read(json.dumps([found]))) == ["which boat?", "the red one"]


def test_without_the_last_node_the_branch_of_the_last_message_is_read(read: Read) -> None:
    found = conversation(a=said("user", "which boat?"), b=said("assistant", "the green one"))
    del found["current_node"]
    assert texts(read(json.dumps(found))) == ["which boat?", "the green one"]


def test_instructions_tools_and_thoughts_are_no_messages_but_are_counted(read: Read) -> None:
    export = read(json.dumps([conversation(
        a=said("system", "You are helpful."),
        b=said("user", "About me: I sail", metadata={"is_visually_hidden_from_conversation": True}),
        c=said("user", "which boat?"),
        d=said("assistant", '{"query": "boats"}', recipient="browser"),
        e=said("tool", "found 3 boats"),
        f={"author": {"role": "assistant"}, "content": {"content_type": "thoughts", "thoughts": []}},
        g={"author": {"role": "assistant"}, "content": {"content_type": "code", "text": "1 + 1"}},
        h=said("assistant", "the green one"),
    )]))  # fmt: skip
    assert [(m.sender, m.text) for m in export.chats[0].messages] == [
        ("Me", "which boat?"),
        ("ChatGPT", "the green one"),
    ]
    assert export.system_lines == 6


def test_images_sounds_and_files_are_named(read: Read) -> None:
    export = read(json.dumps([conversation(
        a=said("user", {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"},
               "whose is it?", metadata={"attachments": [
                   {"id": "file_1", "name": "boat.jpg", "mime_type": "image/jpeg"},
                   {"id": "file_2", "name": "papers.pdf", "mime_type": "application/pdf"}]}),
        b=said("assistant", "", {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-9"}),
        c=said("user", {"content_type": "audio_transcription", "text": "thank you"},
               {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://voice"}),
    )]))  # fmt: skip
    first, second, third = export.chats[0].messages
    assert first.attachments == (Attachment("boat.jpg", "photo"), Attachment("papers.pdf", "file"))
    assert (second.text, second.attachments) == (
        "[photo file-9]",
        (Attachment("file-9", "photo"),),
    )
    assert (third.text, third.attachments) == ("thank you", (Attachment("voice", "audio"),))
    assert export.media == 3


def test_marks_of_sources_go_and_names_stay(read: Read) -> None:
    export = read(json.dumps([conversation(a=said(
        "assistant",
        'Sail to \ue200entity\ue202["city","Rome","in Italy"]\ue201 in May'
        "\ue200cite\ue202turn0search1\ue202turn0search3\ue201, it is dry【12†source】.",
    ))]))  # fmt: skip
    assert texts(export) == ["Sail to Rome in May, it is dry."]


def test_a_message_without_a_time_has_that_of_the_one_before(read: Read) -> None:
    found = conversation(a=said("user", "hi"), b=said("assistant", "ho", create_time=None))
    first, second = read(json.dumps([found])).chats[0].messages
    assert first.sent_at == second.sent_at


def test_branches_that_lead_in_a_circle_end(read: Read) -> None:
    found = conversation(a=said("user", "hi"), b=said("assistant", "ho"))
    found["mapping"]["a"]["parent"] = "b"
    assert sorted(texts(read(json.dumps([found])))) == ["hi", "ho"]


def test_each_conversation_is_a_chat_with_its_title(read: Read) -> None:
    other = conversation(a=said("user", "soup?")) | {"id": "d", "title": None}
    export = read(json.dumps([conversation(a=said("user", "boat?")), other, 7, {"id": "empty"}]))
    assert [(c.key, c.title, c.kind) for c in export.chats] == [
        ("c", "Boats", "direct"),
        ("d", None, "direct"),
    ]
    assert [s.reason for s in export.skipped] == ["`conversations.2` is not an object"]


def test_a_file_cut_off_keeps_what_was_said_before_the_cut(read: Read) -> None:
    text = json.dumps([chatgpt_conversation(TALK)])
    export = read(text[: text.index("12.07, ugh")])
    assert texts(export) == [words for _, _, words in TALK[:4]]
    assert "cut off" in export.skipped[0].reason


def test_the_name_of_the_owner_is_in_the_export(tmp_path: Path) -> None:
    path = write(tmp_path, claude_branches(TALK))
    [export] = exports(path)
    assert {m.sender for m in export.chats[0].messages} == {"Ann Miller", "Claude"}
    [export] = exports(write(tmp_path / "alone", claude(TALK)))
    assert {m.sender for m in export.chats[0].messages} == {"Me", "Claude"}


def test_calls_of_tools_are_left_out_and_files_are_named(read: Read) -> None:
    export = read(json.dumps([{"uuid": "c", "name": "Boats", "chat_messages": [
        {"uuid": "1", "sender": "human", "created_at": "2026-01-02T10:00:00Z", "text": "",
         "content": [{"type": "text", "text": "whose is it?"}],
         "attachments": [{"file_name": "papers.txt", "extracted_content": "a deed"},
                         {"file_name": "", "extracted_content": "a long text"}],
         "files": [{"file_name": "boat.png"}], "files_v2": [{"file_name": "boat.png"}]},
        {"uuid": "2", "sender": "assistant", "created_at": "2026-01-02T10:00:05Z", "text": "not shown",
         "content": [{"type": "tool_use", "name": "search", "input": {}}]},
        {"uuid": "3", "sender": "assistant", "created_at": "2026-01-02T10:00:09Z", "text": "",
         "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Bob's"},
                     {"type": "tool_result", "content": []}, {"type": "text", "text": "I am sure"}]},
    ]}]))  # fmt: skip
    first, second = export.chats[0].messages
    assert first.attachments == (
        Attachment("papers.txt", "file"),
        Attachment("", "pasted text"),
        Attachment("boat.png", "photo"),
    )
    assert (second.text, export.system_lines) == ("Bob's\n\nI am sure", 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chatgpt", "claude"])
def test_fifty_megabytes_take_little_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    talk = tuple((when, who, f"{said} " * 3_000) for when, who, said in TALK * 20)
    (text,) = (chatgpt(talk) if name == "chatgpt" else claude(talk)).values()
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for n in range(50_000_000 // len(text)):
            file.write(text[1:-1].replace('"c-1"', f'"c-{n}"') + ", ")
        file.write(text[1:])
    tracemalloc.start()
    count = sum(len(getattr(piece, "messages", ())) for _, piece in stream_export(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count > 500
    assert peak < 60_000_000


def test_a_zip_with_both_apps_files_says_what_it_left_out(tmp_path: Path) -> None:
    files = {**chatgpt(TALK), "users.json": "[]", "user.json": "{}"}
    assert len(talked(write(tmp_path, files))) == len(TALK)
