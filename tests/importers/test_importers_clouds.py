"""Google Chat, Hangouts, GroupMe and Snapchat: attachments, replies, reactions, names and what the services wrote."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from dialects import exports, messages

from minirag_chat import ChatMemory
from minirag_chat.records import Attachment, ParsedExport, Reaction

Read = Callable[..., ParsedExport]


@pytest.mark.parametrize("kind", ["STICKY_ONE_TO_ONE", "GROUP"])
def test_a_chat_of_hangouts_has_the_name_of_the_other_one(read: Read, kind: str) -> None:
    own, other = {"gaia_id": "1", "chat_id": "1"}, {"gaia_id": "2", "chat_id": "2"}
    facts = {
        "id": {"id": "Ugx1"}, "type": kind,
        "self_conversation_state": {"self_read_state": {"participant_id": own}},
        "participant_data": [{"id": own, "fallback_name": "Ann"}, {"id": other, "fallback_name": "Bo Berg"}],
    }  # fmt: skip
    said = {"sender_id": own, "timestamp": "1594000311356483", "event_id": "a", "event_type": "REGULAR_CHAT_MESSAGE",
            "chat_message": {"message_content": {"segment": [{"type": "TEXT", "text": "Hello?"}]}}}  # fmt: skip
    chats = [{"conversation": {"conversation": facts}, "events": [said]}]
    export = read(json.dumps({"conversations": chats}), "Hangouts.json")
    title = {"STICKY_ONE_TO_ONE": "Bo Berg", "GROUP": None}[kind]
    assert (export.chats[0].title, export.owner) == (title, "Ann")


def test_hangouts(read: Read) -> None:
    people = [{"id": {"gaia_id": "1"}, "fallback_name": "Ann"}, {"id": {"gaia_id": "2"}}]
    about = {"id": {"id": "Ugx"}, "type": "GROUP", "name": "Trip", "participant_data": people}
    photo = {"embed_item": {"type": ["PLUS_PHOTO"]}}
    start = {"sender_id": {"gaia_id": "1"}, "timestamp": "1640973900000000"}

    def event(**more: object) -> dict[str, object]:
        return {**start, "event_type": "REGULAR_CHAT_MESSAGE", **more}

    link = [{"type": "TEXT", "text": "see "}, {"type": "LINK", "text": "example.org"}]
    export = read(json.dumps({"conversations": [{
        "conversation": {"conversation": about},
        "events": [
            event(chat_message={"message_content": {"segment": link}}),
            event(chat_message={"message_content": {"attachment": [photo]}}, sender_id={"gaia_id": "2"}),
            {**start, "event_type": "RENAME_CONVERSATION", "conversation_rename": {"new_name": "Trip"}},
            {**start, "event_type": "HANGOUT_EVENT"},
        ],
    }]}))  # fmt: skip
    said, sent = messages(export)
    assert (said.sender, said.text, said.sent_at.year) == ("Ann", "see example.org", 2021)
    assert (sent.sender, sent.attachments) == ("2", (Attachment("", "photo"),))
    assert export.system_lines == 2
    assert (export.chats[0].title, export.chats[0].kind) == ("Trip", "group")


def test_groupme(read: Read) -> None:
    def said(number: int, text: str | None, **more: object) -> dict[str, object]:
        return {"id": str(number), "created_at": 1640973900 + number, "name": "Ann", "sender_id": "1",
                "sender_type": "user", "source_guid": f"g{number}", "text": text, **more}  # fmt: skip

    answer = {"type": "reply", "reply_id": "1", "base_reply_id": "1"}
    export = read(json.dumps([
        said(3, "Ann added Bob to the group.", sender_type="system", system=True),
        said(2, "me too", attachments=[answer], name="Bob"),
        said(1, None, attachments=[{"type": "image", "url": "https://i.example.org/1"}], favorited_by=["2"]),
    ]))  # fmt: skip
    photo, reply = messages(export)
    assert photo.attachments == (Attachment("", "photo"),)
    assert photo.reactions == (Reaction("❤️"),)
    assert (reply.sender, reply.reply_to) == ("Bob", photo.source_id)
    assert export.system_lines == 1


def test_snapchat(read: Read) -> None:
    def said(
        sender: str, kind: str, text: str | None, minute: int, title: str | None = None
    ) -> dict[str, object]:
        return {"From": sender, "Media Type": kind, "Created": f"2023-03-04 12:{minute:02}:00 UTC",
                "Content": text, "Conversation Title": title, "IsSender": sender == "me.me"}  # fmt: skip

    export = read(json.dumps({
        "ann": [said("me.me", "MEDIA", None, 2), said("ann", "TEXT", "hi", 1), said("ann", "STATUSERASEDMESSAGE", "", 0)],
        "8a-group": [said("cy", "TEXT", "who is in?", 5, "Lake")],
    }))  # fmt: skip
    direct, group = export.chats
    assert [(m.sender, m.text) for m in direct.messages] == [
        ("ann", "hi"),
        ("Me", "[photo or video]"),
    ]
    assert (direct.title, direct.kind, group.title, group.kind) == (
        "ann",
        "direct",
        "Lake",
        "group",
    )
    assert export.system_lines == 1


# --- Google Chat ------------------------------------------------------------------------------------


def takeout(folder: Path) -> Path:
    """Write an export of Ann's: a chat in which only she wrote, one in which only Cem did, a group, a space."""
    ann, bob, cem = (
        {"name": name, "email": f"{name}@x.example", "user_type": "Human"}
        for name in ("Ann", "Bob", "Cem")
    )
    unnamed = {"email": "Cem@x.example"}
    call = {"annotations": [{"video_call_metadata": {"meeting_space": {}}}]}
    liked = {"reactions": [{"emoji": {"unicode": "👍"}, "reactor_emails": ["Bob@x.example"]}]}
    chats = {
        "DM a": ({"members": [ann, bob]}, [(ann, {"text": "hi"})]),
        "DM b": ({"members": [ann, cem]}, [(cem, {"text": "hello"})]),
        "DM c": ({"name": "Group Chat", "members": [ann, bob, cem]}, [(ann, {"text": "tea?"})]),
        "Space d": ({"name": "Boats", "members": [ann, cem]}, [(unnamed, {"text": "me"} | liked), (ann, call)]),
    }  # fmt: skip
    for name, (info, said) in chats.items():
        here = folder / "Groups" / name
        here.mkdir(parents=True)
        here.joinpath("group_info.json").write_text(json.dumps(info))
        here.joinpath("messages.json").write_text(json.dumps({"messages": [
            {"creator": creator, "created_date": "Tuesday, January 4, 2022 at 10:00:00 AM UTC",
             "message_id": f"{name}/{n}"} | more
            for n, (creator, more) in enumerate(said)
        ]}))  # fmt: skip
    user = folder / "Users" / "User 1"
    user.mkdir(parents=True)
    user.joinpath("user_info.json").write_text(json.dumps({"user": ann, "membership_info": []}))
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_google_chat_knows_the_owner_and_members_who_never_wrote(
    tmp_path: Path, packed: bool
) -> None:
    path = takeout(tmp_path / "Google Chat [1]")
    if packed:
        path = Path(shutil.make_archive(str(tmp_path / "takeout"), "zip", tmp_path, path.name))
    found = list(exports(path))
    chats = [chat for export in found for chat in export.chats]
    assert {export.owner for export in found} == {"Ann"}
    assert [(chat.title, chat.kind) for chat in chats] == [
        ("Bob", "direct"), (None, "direct"), ("Bob, Cem", "group"), ("Boats", "group"),
    ]  # fmt: skip
    assert [(m.sender, m.text) for m in chats[-1].messages] == [("Cem", "me")]
    assert chats[-1].messages[0].reactions == (Reaction("👍", "Bob@x.example"),)
    assert found[-1].system_lines == 1


def test_an_import_from_google_chat_says_who_the_user_is_and_lists_no_files_without_messages(
    tmp_path: Path,
) -> None:
    with ChatMemory.open(tmp_path / "chats.db") as memory:
        report = memory.add(takeout(tmp_path / "Google Chat"))
        assert memory.me is not None
        assert memory.me.name == "Ann"
        assert {chat.title for chat in memory.chats()} == {"Bob", "Cem", "Bob, Cem", "Boats"}
    assert report.skipped == ()


def test_unsaved_chats_of_older_snapchat_downloads_are_with_the_friend(read: Read) -> None:
    def said(minute: int, other: str, text: str) -> dict[str, str]:
        return {other: "bobby", "Media Type": "TEXT", "Created": f"2021-05-01 10:{minute:02}:00 UTC", "Text": text}  # fmt: skip

    export = read(json.dumps({
        "Received Saved Chat History": [said(0, "From", "a")], "Sent Saved Chat History": [said(1, "To", "b")],
        "Received Unsaved Chat History": [said(2, "From", "c")], "Sent Unsaved Chat History": [said(3, "To", "d")],
        "Received Chat History": [said(4, "From", "e")], "Sent Chat History": [said(5, "To", "f")],
    }))  # fmt: skip
    (chat,) = export.chats
    assert (chat.title, chat.kind) == ("bobby", "direct")
    assert [(m.sender, m.text) for m in chat.messages] == [
        ("bobby", "a"), ("Me", "b"), ("bobby", "c"), ("Me", "d"), ("bobby", "e"), ("Me", "f"),
    ]  # fmt: skip
