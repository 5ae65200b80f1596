"""What messengers write seldom: forwards, calls, reactions as sentences, answers to stories, many people."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from dialects import exports

from minirag_chat.importers.limits import LARGEST_PART
from minirag_chat.records import Attachment, ParsedExport, ParsedMessage

if TYPE_CHECKING:
    from pathlib import Path

Read = Callable[..., ParsedExport]


def only(export: ParsedExport) -> list[ParsedMessage]:
    return [message for chat in export.chats for message in chat.messages]


# --- Discord ------------------------------------------------------------------------------------


def discord(read: Read, **more: Any) -> ParsedMessage:
    message = {"id": "1", "type": "Default", "timestamp": "2022-01-01T10:00:00+00:00", "content": "",
               "author": {"name": "ann"}} | more  # fmt: skip
    [found] = only(
        read(json.dumps({"guild": {"id": "5"}, "channel": {"id": "6"}, "messages": [message]}))
    )
    return found


def test_a_forwarded_picture_is_kept_and_answers_nothing(read: Read) -> None:
    forwarded = {"content": "", "attachments": [{"fileName": "boat.png"}]}
    message = discord(
        read, forwardedMessage=forwarded, reference={"type": "Forward", "messageId": "77"}
    )
    assert message.attachments == (Attachment("boat.png", "photo"),)
    assert (message.reply_to, message.forwarded_from) == (None, "another chat")


def test_a_forwarded_embed_is_read(read: Read) -> None:
    message = discord(
        read, forwardedMessage={"content": "", "embeds": [{"title": "The harbour", "url": "x.org"}]}
    )
    assert message.text == "The harbour\nx.org"


# --- Messenger ----------------------------------------------------------------------------------


def messenger(read: Read, **more: Any) -> ParsedExport:
    said = ({"content": "hi"}, more)
    return read(json.dumps({"messages": [
        {"sender_name": "Ann", "timestamp_ms": 1640000001000 + n} | part for n, part in enumerate(said)
    ]}))  # fmt: skip


@pytest.mark.parametrize(
    "own",
    [
        {"content": "Ann called you.", "call_duration": 63},
        {"content": "Liked a message"},
        {"content": "Reacted \u00e2\u009d\u00a4 to your message "},
    ],
)
def test_calls_and_reactions_of_newer_downloads_are_no_messages(
    read: Read, own: dict[str, Any]
) -> None:
    export = messenger(read, **own)
    assert ([m.text for m in only(export)], export.system_lines) == (["hi"], 1)


REACTIONS = (
    "Gefällt eine Nachricht", "Hat mit 😍 auf deine Nachricht reagiert ", "A aimé un message",
    "A réagi avec 😍 à votre message ", "Le gustó un mensaje", "Reaccionó con 😍 a tu mensaje ",
    "Ha messo “Mi piace” a un messaggio", "Ha aggiunto la reazione 😍 al tuo messaggio ",
    "Curtiu uma mensagem", "Reagiu com 😍 à sua mensagem ", "Vindt een bericht leuk",
    "Heeft met 😍 op je bericht gereageerd", "Zareagował(a) 😍 na Twoją wiadomość ", "Bir mesajı beğendi",  # noqa: RUF001
    "Gillade ett meddelande", "Reagerade med 😍 på ditt meddelande ", "Nag-react ng 😍 sa iyong message na ",
)  # fmt: skip
SENDINGS = (
    "Ann hat einen Anhang gesendet.", "Ann hat ein Foto gesendet.", "Ann a envoyé une pièce jointe.",
    "Ann envió un archivo adjunto.", "Enviaste un archivo adjunto.", "Ann ha inviato un allegato.",
    "Ann enviou um anexo.", "Ann heeft een bijlage verstuurd.", "Ann wysłała załącznik.",
    "Użytkownik Ann wysłał(a) załącznik.", "Wysłałeś(aś) załącznik.", "Ann bir fotoğraf gönderdi.",
    "Ann skickade en bilaga.", "You sent an attachment.", "Ann sent a photo.",
)  # fmt: skip


@pytest.mark.parametrize("says", REACTIONS)
def test_a_reaction_is_no_message_in_any_language_of_the_app(read: Read, says: str) -> None:
    export = messenger(read, content=says.encode().decode("latin-1"))
    assert ([m.text for m in only(export)], export.system_lines) == (["hi"], 1)


@pytest.mark.parametrize(
    "says",
    [
        "Ann named the group Boats 4/7.", "You named the group Boats.", "Ann Hill set the nickname for Bob to Captain.",
        "Ann changed the theme to Ocean.", "Ann left the group.", "Ann Hill added Bob to the group.",
        "Ann set the quick reaction to 😍.", "You started a call.", "You pinned a message.",
        "Ann Hill created a poll: When?.", "Ann created a plan.", "Ann named the plan Dinner.",
        "Ann started sharing video.", "You changed the chat theme to Love.", "This poll is no longer available.",
        "Ann turned on disappearing messages. New messages will disappear 24 hours after they are sent.",
        "Say hi to your new Facebook friend, Ann.", "Video chat ended",
        "You can now message and call each other and see info like Active Status and when you've read messages.",
        "You can now message and call each other and see info like Active Status and when you\u2019ve read messages.",
        "Ann Hill started an audio call", 'Ann Hill voted for "tea" in the poll: Tea or coffee?',
    ],
)  # fmt: skip
def test_what_a_member_did_with_the_group_is_no_message(read: Read, says: str) -> None:
    export = messenger(read, sender_name="Ann Hill", content=says.encode().decode("latin-1"))
    assert ([m.text for m in only(export)], export.system_lines) == (["hi"], 1)


def test_a_call_of_anyone_is_no_message_where_its_end_is_reported(read: Read) -> None:
    said = ["Lena started a video chat", "Video chat ended", "Lena started a fire"]
    for says, left in ((said, said[2:]), (said[::2], said[::2])):
        export = read(json.dumps({"messages": [
            {"sender_name": "ann.lee", "timestamp_ms": 1640000000000 + 1000 * at, "content": text}
            for at, text in enumerate(says)
        ]}))  # fmt: skip
        assert sorted(m.text for m in only(export)) == sorted(left)


def test_a_live_location_is_something_that_was_sent(read: Read) -> None:
    export = messenger(read, sender_name="Ann Hill", content="Ann Hill sent a live location.")
    assert [(m.text, len(m.attachments)) for m in only(export)][-1][1] == 1


@pytest.mark.parametrize(
    "says", ["Bob created a poll.", "created a plan", "Say hi to Bob", "This poll is no longer useful.", "Bob left the group.", "left the group", "Ann left the group chat on mute", "I named the group Boats"]
)  # fmt: skip
def test_what_is_said_about_a_group_is_a_message(read: Read, says: str) -> None:
    export = messenger(read, sender_name="Ann Hill", content=says)
    assert ([m.text for m in only(export)], export.system_lines) == (["hi", says], 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Hill hat die Gruppe „Boote“ genannt.", "Bo Rey hat Ann Hill zur Gruppe hinzugefügt."),
        ("Ann Hill a quitté le groupe.", "Bo Rey a changé le thème."),
        ("Ann Hill zmienił(a) motyw.", "Bo Rey zmienił(a) zdjęcie grupy."),
    ],
)
def test_sentences_about_their_own_senders_are_notices_in_any_language(
    read: Read, one: str, other: str
) -> None:
    said = {
        "Ann Hill": [one, "Ann Hill at work.", "Ann Hill here, new number."],
        "Bo Rey": [other, "Ann Hill hat recht."],
        "Cy": ["Cy is tired.", "Cy is hungry."],
    }
    export = read(json.dumps({"messages": [
        {"sender_name": who, "timestamp_ms": 1640000000000, "content": text.encode().decode("latin-1")}
        for who, texts in said.items()
        for text in texts
    ]}))  # fmt: skip
    assert {m.text for m in only(export)} == {
        "Ann Hill at work.", "Ann Hill here, new number.", "Ann Hill hat recht.", "Cy is tired.", "Cy is hungry.",
    }  # fmt: skip
    assert export.system_lines == 2


@pytest.mark.parametrize(
    "emoji", ["❤️", "👍🏽", "👩‍❤️‍💋‍👨", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "5️⃣", "#️⃣", "‼️", "\u2139️", "Ⓜ️", "㊗️", "\U000f0000"]
)
def test_any_emoji_may_stand_in_a_reaction(read: Read, emoji: str) -> None:
    export = messenger(read, content=f"Reacted {emoji} to your message ".encode().decode("latin-1"))
    assert ([m.text for m in only(export)], export.system_lines) == (["hi"], 1)


@pytest.mark.parametrize(
    "says",
    [
        "Reacted badly to your message", "reacted late to your message.", "reacted :( to your message",
        "reacted … to your message", "reacted 5 to your message", "a réagi fortement à votre message",
        "a réagi à un message avec joie",
    ],
)  # fmt: skip
def test_how_people_say_that_someone_reacted_is_a_message(read: Read, says: str) -> None:
    export = messenger(read, content=says.encode().decode("latin-1"))
    assert ([m.text for m in only(export)], export.system_lines) == (["hi", says], 0)


@pytest.mark.parametrize(
    "says",
    ["Grandma sent a photo", "The landlord sent a file.", "Annabel sent a photo", "Oma hat ein Foto gesendet."],
)  # fmt: skip
def test_that_someone_else_sent_a_thing_is_a_caption(read: Read, says: str) -> None:
    with_photo = messenger(read, content=says, photos=[{"uri": "x/1.jpg"}])
    assert only(with_photo)[1].text == says
    shared = messenger(read, content=says, share={"link": "https://example.org"})
    assert only(shared)[1].text == f"{says}\nhttps://example.org"


@pytest.mark.parametrize("name", ["Ann", "Ann Marie", "Ann Marie S."])
def test_a_sender_is_known_by_the_first_name_too(read: Read, name: str) -> None:
    own = {
        "sender_name": "Ann Marie S.",
        "content": f"{name} sent a photo.",
        "photos": [{"uri": "1.jpg"}],
    }
    export = read(json.dumps({"messages": [own | {"timestamp_ms": 1640000001000}]}))
    assert [m.text for m in only(export)] == ["[photo 1.jpg]"]


@pytest.mark.parametrize("says", SENDINGS)
def test_that_someone_sent_an_attachment_stands_for_it_in_any_language_of_the_app(
    read: Read, says: str
) -> None:
    own = says.encode().decode("latin-1")
    shared = messenger(read, content=own, share={"link": "https://example.org"})
    assert only(shared)[1].text == "https://example.org"
    with_photo = messenger(read, content=own, photos=[{"uri": "x/1.jpg"}])
    assert only(with_photo)[1].text == "[photo 1.jpg]"


def test_an_attachment_that_is_gone_is_still_told_of(read: Read) -> None:
    assert only(messenger(read, content="Ann sent an attachment."))[1].text == "[attachment]"
    says = "Bob sent an attachment."  # which Ann, who wrote it, may say of Bob
    assert only(messenger(read, content=says))[1].text == says


@pytest.mark.parametrize(
    "says",
    ["You sent an attachment.", "You sent a photo.", "Du hast einen Anhang gesendet.", "Vous avez envoyé une pièce jointe.",
     "Enviaste un archivo adjunto.", "Você enviou um anexo.", "Hai inviato una foto."],
)  # fmt: skip
def test_an_attachment_of_the_owner_that_is_gone_is_told_of_in_each_language(
    read: Read, says: str
) -> None:
    own = {"sender_name": "Bob", "content": says.encode().decode("latin-1")}
    assert only(messenger(read, **own))[1].text == "[attachment]"
    without_stop = own | {"content": own["content"].removesuffix(".")}
    assert only(messenger(read, **without_stop))[1].text == says.removesuffix(".")


def test_that_you_sent_a_photo_is_what_people_wrote_where_several_did(read: Read) -> None:
    people = [{"sender_name": name, "content": "You sent a photo."} for name in ("Ann", "Bob")]
    messages = [one | {"timestamp_ms": 1640000001000 + n} for n, one in enumerate(people)]
    export = read(json.dumps({"messages": messages}))
    assert [message.text for message in only(export)] == ["You sent a photo."] * 2


def unknown_language(read: Read, *messages: dict[str, Any]) -> ParsedExport:
    """A download in a language that no table has: Ann reacts, each time a second after Bob wrote."""
    return read(
        json.dumps({"messages": [{"sender_name": "Ann"} | message for message in messages]})
    )


def reacted_to(second: int, emoji: str) -> dict[str, Any]:
    return {
        "sender_name": "Bob", "timestamp_ms": second * 1000 - 500, "content": f"news of {second}",
        "reactions": [{"reaction": emoji, "actor": "Ann", "timestamp": second}],
    }  # fmt: skip


def test_a_reaction_is_known_by_its_second_where_the_download_tells_it(read: Read) -> None:
    heart, smile = "❤".encode().decode("latin-1"), "😆".encode().decode("latin-1")
    export = unknown_language(
        read,
        {"timestamp_ms": 1718368145728, "content": f"Reagerte med {smile} to ganger "},
        reacted_to(1718368145, smile),
        {"timestamp_ms": 1718368205001, "content": "Likte en melding"},
        reacted_to(1718368205, heart),
        {"timestamp_ms": 1718368305001, "content": "Likte en melding"},
        reacted_to(1718368305, heart),
        {"timestamp_ms": 1718368405001, "content": "how lovely"},
        reacted_to(1718368405, heart),
        {"timestamp_ms": 1718368505728, "content": smile},
        reacted_to(1718368505, smile),
    )
    said = [m.text for m in only(export) if m.sender == "Ann"]
    assert sorted(said) == sorted(["how lovely", "😆"])
    assert export.system_lines == 3


def test_a_sentence_with_the_senders_name_that_comes_with_each_file_is_the_apps(read: Read) -> None:
    export = unknown_language(
        read,
        {"timestamp_ms": 1718368145728, "content": "Ann sendte et vedlegg.", "photos": [{"uri": "1.jpg"}]},
        {"timestamp_ms": 1718368245728, "content": "Ann on the boat", "photos": [{"uri": "2.jpg"}]},
        {"sender_name": "Bob Stone", "timestamp_ms": 1718368345728, "content": "Bob Stone sendte et vedlegg.",
         "share": {"link": "https://example.org"}},
    )  # fmt: skip
    assert {m.text for m in only(export)} == {
        "https://example.org",
        "Ann on the boat",
        "[photo 1.jpg]",
    }


# --- Signal, Telegram, Teams ---------------------------------------------------------------------


def test_a_story_answered_with_an_emoji_is_a_message(read: Read) -> None:
    records = [
        {"recipient": {"id": "2", "contact": {"profileGivenName": "Ann"}}},
        {"chat": {"id": "9", "recipientId": "2"}},
        {"chatItem": {"chatId": "9", "authorId": "2", "dateSent": "1700000001000",
                      "directStoryReplyMessage": {"emoji": "😍"}}},
    ]  # fmt: skip
    assert [m.text for m in only(read("\n".join(map(json.dumps, records)), "main.jsonl"))] == ["😍"]


def test_a_telegram_message_that_answers_another_chat_answers_none_here(read: Read) -> None:
    message = {"id": 8, "type": "message", "date": "2022-01-01T10:00:00", "from": "Ann", "text": "yes",
               "reply_to_message_id": 7, "reply_to_peer_id": "channel5"}  # fmt: skip
    [found] = only(read(json.dumps({"type": "personal_chat", "messages": [message]})))
    assert found.reply_to is None


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"file": "files/x.pdf", "file_name": "(1) report.pdf"}, "(1) report.pdf"),
        ({"file": "(File not included. Change data exporting settings to download.)"}, ""),
    ],
)
def test_a_telegram_file_keeps_its_name(read: Read, fields: dict[str, str], name: str) -> None:
    message = {
        "id": 8,
        "type": "message",
        "date": "2022-01-01T10:00:00",
        "from": "Ann",
        "text": "see",
    }
    [found] = only(read(json.dumps({"type": "personal_chat", "messages": [message | fields]})))
    assert found.attachments == (Attachment(name, "file"),)


def test_the_time_of_an_edit_in_teams_fits_into_the_database(read: Read) -> None:
    message = {"originalarrivaltime": "2022-01-01T10:00:00Z", "messagetype": "RichText", "from": "8:bob",
               "content": f'tea<e_m a="bob" ts="{"9" * 100}"/>'}  # fmt: skip
    [found] = only(read(json.dumps({"conversations": [{"id": "8:bob", "MessageList": [message]}]})))
    assert found.edited
    assert found.edited_at < 2**63


@pytest.mark.parametrize(("guild", "group"), [("Direct Messages", False), ("Pond", True)])
def test_direct_messages_in_discord_text_are_no_group(read: Read, guild: str, group: bool) -> None:
    rule = "=" * 62
    said = "[5/13/2024 1:00 PM] Ann\ntea\n\n[5/13/2024 1:01 PM] Bob\nyes\n"
    export = read(f"{rule}\nGuild: {guild}\nChannel: Private / Ann\n{rule}\n\n{said}")
    assert [chat.kind == "group" for chat in export.chats] == [group]


# --- Slack --------------------------------------------------------------------------------------


def test_the_names_of_a_large_workspace_are_known(tmp_path: Path) -> None:
    users = [{"id": f"U{n}", "real_name": f"Person {n}", "profile": {"note": "x" * 90_000}}
             for n in range(LARGEST_PART // 90_000 + 2)]  # fmt: skip
    message = {"type": "message", "ts": "1640000000.000100", "user": users[-1]["id"], "text": "hi"}
    (tmp_path / "users.json").write_text(json.dumps(users))
    (tmp_path / "general").mkdir()
    (tmp_path / "general" / "2021-12-20.json").write_text(json.dumps([message]))
    assert (tmp_path / "users.json").stat().st_size > LARGEST_PART
    [export] = exports(tmp_path)
    assert [m.sender for m in only(export)] == [users[-1]["real_name"]]


# --- Discord as a page and as text --------------------------------------------------------------

PAGE = (
    "<html><body><div class=preamble__entry>Pond</div><div class=preamble__entry>Text / tea</div>"
    "<div class=chatlog__message-group>{}</div></body></html>"
)


def discord_page(
    identity: int, inside: str, author: str = "Ann", at: str = "May 1, 2024 1:00 PM"
) -> str:
    named = f"<span class=chatlog__author>{author}</span>" if author else ""
    return (
        f"<div class=chatlog__message-container data-message-id={identity}><div class=chatlog__message-primary>{named}"
        f'<span class=chatlog__timestamp title="Wednesday, {at}"></span>{inside}</div></div>'
    )


def said_on_page(text: str) -> str:
    return (
        f'<div class="chatlog__content"><span class=chatlog__markdown-preserve>{text}</span></div>'
    )


def test_a_discord_page_keeps_emoji_line_breaks_edits_and_replies(read: Read) -> None:
    smile = "<img class=chatlog__emoji alt=😀 src=x>"
    edited = "<span class=chatlog__edited-timestamp title=x>(edited)</span>"
    reply = (
        "<div class=chatlog__reply><div class=chatlog__reply-author>Ann</div><span class=chatlog__reply-link "
        "onclick=\"scrollToMessage(event, '10001')\">tea</span></div>"
    )
    export = read(PAGE.format(
        discord_page(10001, said_on_page(f"tea {smile}?\nor   cake{edited}"))
        + discord_page(10002, reply + said_on_page("cake"), "Bob")
    ))  # fmt: skip
    first, second = only(export)
    assert (first.text, first.edited) == ("tea 😀?\nor   cake", True)
    assert (second.sender, second.text, second.reply_to) == ("Bob", "cake", "10001")
    assert export.chats[0].title == "tea in Pond"


def test_a_discord_page_names_the_author_of_a_group_once(read: Read) -> None:
    joined = "<span class=chatlog__system-notification-content>joined the server.</span>"
    picture = (
        '<div class=chatlog__attachment><a href="https://x.test/1/a.png?ex=1"><img src=x></a></div>'
    )
    liked = "<div class=chatlog__reaction title=thumbsup><img alt=👍><span>2</span></div>"
    export = read(PAGE.format(
        discord_page(10001, said_on_page("tea")) + discord_page(10002, picture + liked, "")
        + discord_page(10003, joined, "Cleo")
    ))  # fmt: skip
    _, second = only(export)
    assert (second.sender, second.text) == ("Ann", "[photo a.png]")
    assert [reaction.emoji for reaction in second.reactions] == ["👍"]
    assert export.system_lines == 1


def test_discord_text_has_files_reactions_and_blank_lines(read: Read) -> None:
    rule = "=" * 62
    export = read(
        f"{rule}\nGuild: Pond\nChannel: Text / tea\nTopic: all of it\n{rule}\n\n[5/13/2024 1:00 PM] Ann (pinned)\n"
        "tea\n\nor cake?\n\n{Attachments}\nhttps://x.test/1/a.png\n\n{Reactions}\n👍 (2) ❤️\n\n[5/13/2024 1:01 PM] Bob\n"
        f"Guild: none\n\n{rule}\nExported 2 message(s)\n{rule}\n"
    )
    first, second = only(export)
    assert (first.sender, first.text) == ("Ann", "tea\n\nor cake?")
    assert first.attachments == (Attachment("a.png", "photo"),)
    assert [reaction.emoji for reaction in first.reactions] == ["👍", "❤️"]
    assert (second.sender, second.text) == ("Bob", "Guild: none")
    assert export.chats[0].title == "tea in Pond"


# --- Slack --------------------------------------------------------------------------------------


def test_what_programs_say_in_slack_without_a_text_is_kept(read: Read) -> None:
    words = [{"type": "rich_text_section", "elements": [
        {"type": "text", "text": "see "}, {"type": "emoji", "name": "tada"}, {"type": "link", "url": "https://x.test"},
    ]}]  # fmt: skip
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "Lunch"}},
        {"type": "section", "fields": [{"type": "mrkdwn", "text": "soup"}, {"type": "mrkdwn", "text": "bread"}]},
        {"type": "rich_text", "elements": words},
    ]  # fmt: skip
    messages = [
        {"type": "message", "user": "U1", "text": "", "blocks": blocks, "ts": "1710057600.000100"},
        {"type": "message", "user": "U1", "text": "", "ts": "1710057601.000100",
         "attachments": [{"title": "Build", "text": "passed", "fallback": "x"}, {"fallback": "no more"}]},
    ]  # fmt: skip
    found = only(read(json.dumps(messages)))
    assert [m.text for m in found] == [
        "Lunch\nsoup\nbread\nsee :tada:https://x.test", "Build\npassed\nno more",
    ]  # fmt: skip


def slack_export(folder: Path, dms: dict[str, str], written: dict[str, str]) -> Path:
    """An export of chats of the users with these initials; who wrote in each, a letter a day."""
    people = {"A": "Ann Lee", "B": "Ben", "I": "Ivy Stone"}
    lists = {
        "users.json": [{"id": key, "real_name": name} for key, name in people.items()],
        "dms.json": [{"id": key, "members": list(members)} for key, members in dms.items()],
    }
    for name, listed in lists.items():
        (folder / name).write_text(json.dumps(listed))
    for chat, writers in written.items():
        (folder / chat).mkdir()
        for day, who in enumerate(writers):
            said = {"type": "message", "user": who, "text": "hi", "ts": f"17102631{day}0.000100"}
            (folder / chat / f"2024-03-1{day}.json").write_text(json.dumps([said]))
    return folder


@pytest.mark.parametrize(
    ("dms", "written", "titles"),
    [
        # Ivy is in all of them
        ({"D1": "AI", "D2": "BI"}, {"D1": "II", "D2": "B"}, {"D1": "Ann Lee", "D2": "Ben"}),
        ({"D1": "AI"}, {"D1": "I"}, {"D1": "Ann Lee, Ivy Stone"}),
        ({"D1": "AI", "D2": "BI"}, {"D1": "IA", "D2": "BI"}, {"D1": None, "D2": None}),
        ({"D1": "XI", "D2": "BI"}, {"D1": "I"}, {"D1": None}),  # the other has no name
    ],
)
def test_a_slack_chat_in_which_a_member_was_silent_is_called_after_the_others(
    tmp_path: Path, dms: dict[str, str], written: dict[str, str], titles: dict[str, str | None]
) -> None:
    found = exports(slack_export(tmp_path, dms, written))
    assert {chat.key: chat.title for export in found for chat in export.chats} == titles


def test_days_of_a_slack_chat_beside_its_lists_are_read(tmp_path: Path) -> None:
    slack_export(tmp_path, {tmp_path.name: "AI"}, {})
    said = {"type": "message", "user": "I", "text": "hi", "ts": "1710263110.000100"}
    (tmp_path / "2024-03-12.json").write_text(json.dumps([said]))
    assert [chat.title for export in exports(tmp_path) for chat in export.chats] == [
        "Ann Lee, Ivy Stone"
    ]


def dumped(*messages: dict[str, Any], **more: Any) -> str:
    spoken = ({"type": "message", "user": "U1", "text": "hi"} | message for message in messages)
    return json.dumps({"name": "general", "messages": list(spoken), "channel_id": "C1"} | more)


def test_what_slackdump_wrote_is_a_slack_chat_with_its_replies_and_without_notices(
    read: Read, tmp_path: Path
) -> None:
    (tmp_path / "users.json").write_text(
        json.dumps([{"id": "U1", "real_name": "Ann Lee"}, {"id": "U2", "real_name": "Ben"}])
    )
    reply = {"type": "message", "user": "U2", "text": "in &amp; out", "ts": "1710263220.000300"}
    first = {"text": "Hello <@U2>", "ts": "1710263160.000200", "reply_count": 1}
    export = read(
        dumped(
            {"subtype": "channel_join", "ts": "1710263100.000300"},
            first | {"slackdump_thread_replies": [{"type": "message", **first}, reply]},
            {"text": "bye", "ts": "1710263280.000300"},
        ),
        "C1.json",
    )
    assert [(m.sender, m.text, m.reply_to) for m in only(export)] == [
        ("Ann Lee", "Hello @Ben", None),
        ("Ben", "in & out", "1710263160.000200"),
        ("Ann Lee", "bye", None),
    ]
    assert [(c.platform, c.key, c.title, c.kind) for c in export.chats] == [
        ("slack", "C1", "general", "group")
    ]
    assert (export.system_lines, export.skipped) == (1, ())


def test_a_reply_that_was_also_sent_to_the_channel_is_read_once_from_slackdump(read: Read) -> None:
    shown = {"type": "message", "user": "U1", "text": "for all", "ts": "1710263220.000300",
             "subtype": "thread_broadcast", "thread_ts": "1710263160.000200"}  # fmt: skip
    first = {"ts": "1710263160.000200", "slackdump_thread_replies": [shown]}
    export = read(dumped(first, shown))
    assert [m.text for m in only(export)] == ["hi", "for all"]
    assert "users.json" in " ".join(export.notes)


def test_files_sent_in_older_skype_are_named(read: Read) -> None:
    message = {"originalarrivaltime": "2022-01-01T10:00:00Z", "messagetype": "RichText/Files", "from": "8:bob",
               "content": '<files alt="sent 2 files"><file size="5" index="0" tid="1">a.pdf</file>'
                          '<file size="6" index="1" tid="2">b &amp; c.jpg</file></files>'}  # fmt: skip
    [found] = only(read(json.dumps({"conversations": [{"id": "8:bob", "MessageList": [message]}]})))
    assert found.text == "[file a.pdf] [file b & c.jpg]"
    assert [file.name for file in found.attachments] == ["a.pdf", "b & c.jpg"]
