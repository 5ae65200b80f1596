"""Downloads of a whole account: X's archive, Google Voice, Discord's package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dialects import exports, messages, write

from minirag_chat import ChatMemory
from minirag_chat.records import Attachment, ParsedChat, Reaction

# --- X ------------------------------------------------------------------------------------------


def x_chats(folder: Path, *said: dict[str, Any], key: str = "1-2") -> list[ParsedChat]:
    talk = [{"dmConversation": {"conversationId": key, "messages": list(said)}}]
    account = [{"account": {"accountId": "1", "accountDisplayName": "Bob"}}]
    write(folder, {
        "data/direct-messages.js": f"window.YTD.direct_messages.part0 = {json.dumps(talk)}",
        "data/account.js": f"window.YTD.account.part0 = {json.dumps(account)}",
    })  # fmt: skip
    return [chat for export in exports(folder) for chat in export.chats]


def x_said(text: str, **more: Any) -> dict[str, Any]:
    return {"messageCreate": {"senderId": "1", "recipientId": "2", "id": "5", "text": text,
                              "createdAt": "2022-01-02T03:04:05.678Z"} | more}  # fmt: skip


def test_shortened_links_are_long_and_those_of_a_picture_are_gone(tmp_path: Path) -> None:
    links = [
        {"url": "https://t.co/a", "expanded": "https://example.org/long"},
        {"url": "https://t.co/b", "expanded": "https://twitter.com/messages/media/5"},
    ]
    said = x_said(
        "see https://t.co/a &amp; tell https://t.co/b",
        urls=links,
        mediaUrls=["https://x.test/1/boat.jpg"],
    )
    [chat] = x_chats(tmp_path, said)
    [found] = chat.messages
    assert found.text == "see https://example.org/long & tell"
    assert found.attachments == (Attachment("boat.jpg", "photo"),)


def test_a_group_on_x_has_the_last_name_it_was_given(tmp_path: Path) -> None:
    names = [
        {"conversationNameUpdate": {"name": name, "initiatingUserId": "1"}}
        for name in ("New", "Old")
    ]
    liked = [{"senderId": "2", "reactionKey": "agree"}]
    [chat] = x_chats(tmp_path, *names, x_said("hi", reactions=liked), key="77")
    assert (chat.title, chat.kind) == ("New", "group")
    assert chat.messages[0].reactions == (Reaction("👍", "2"),)


# --- Google Voice -------------------------------------------------------------------------------

HEAD = '<?xml version="1.0" ?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>{}</title></head><body>'
WHO = '<cite class="sender vcard"><a class="tel" href="tel:{}"><{tag} class="fn">{}</{tag}></a></cite>'


def voice_text(who: str, tel: str, said: str, more: str = "") -> str:
    tag = "abbr" if who == "Me" else "span"
    return (
        '<div class="message"><abbr class="dt" title="2019-04-24T17:56:50.000-05:00">Apr 24</abbr>:\n'
        f"{WHO.format(tel, who, tag=tag)}:\n<q>{said}</q>{more}</div>"
    )


def test_all_texts_with_a_person_are_one_chat_whoever_wrote(tmp_path: Path) -> None:
    page = HEAD.format("Nell Ray") + '<div class="hChatLog hfeed">{}</div></body></html>'
    write(tmp_path, {
        "Nell Ray - Text - 1.html": page.format(voice_text("Me", "+1555", "at 6?")),
        "Nell Ray - Text - 2.html": page.format(voice_text("Nell Ray", "+1556", "I&#39;d love<br>to")),
    })  # fmt: skip
    found = [chat for export in exports(tmp_path) for chat in export.chats]
    assert {(chat.key, chat.title, chat.kind) for chat in found} == {(None, "Nell Ray", "direct")}
    said = [(m.sender, m.text, m.sent_at.isoformat()) for chat in found for m in chat.messages]
    assert said == [
        ("Me", "at 6?", "2019-04-24T22:56:50"), ("Nell Ray", "I'd love\nto", "2019-04-24T22:56:50"),
    ]  # fmt: skip


def test_a_picture_has_no_made_up_text_and_a_number_without_name_is_a_person(
    tmp_path: Path,
) -> None:
    page = (
        HEAD.format("Group Conversation") + '<div class="hChatLog hfeed"><div class="participants">'
    )
    page += (
        WHO.format("+1557", "", tag="span")
        + ", "
        + WHO.format("+1556", "Nell", tag="span")
        + "</div>"
    )
    picture = '<div><img src="x-3-1" alt="Image MMS Attachment" /></div>'
    page += voice_text("", "+1557", "MMS Received", picture) + "</div></body></html>"
    write(tmp_path, {"Group Conversation - 1.html": page})
    [export] = exports(tmp_path)
    [chat] = export.chats
    assert (chat.title, chat.kind) == ("+1557, Nell", "group")
    assert [(m.sender, m.text) for m in chat.messages] == [("+1557", "[photo x-3-1]")]


def test_a_contact_card_is_an_attachment_of_its_text(tmp_path: Path) -> None:
    card = '<div><a class="vcard" href="Nell Ray - Text - 1-2-1">Contact card attachment</a></div>'
    page = HEAD.format("Nell Ray") + '<div class="hChatLog hfeed">'
    page += voice_text("Nell Ray", "+1556", "MMS Received", card) + "</div></body></html>"
    write(tmp_path, {"Nell Ray - Text - 1.html": page})
    [export] = exports(tmp_path)
    [message] = export.chats[0].messages
    assert [(file.name, file.kind) for file in message.attachments] == [
        ("Nell Ray - Text - 1-2-1", "contact")
    ]


def test_a_voicemail_is_what_it_says_and_a_call_is_no_message(tmp_path: Path) -> None:
    left = (
        HEAD.format("Voicemail from\nNell Ray")
        + '<div class="haudio"><span class="fn">Voicemail from\nNell Ray'
        '</span><div class="contributor vcard">Voicemail from\n<a class="tel" href="tel:+1556"><span class="fn">'
        'Nell Ray</span></a></div><abbr class="published" title="2020-02-01T04:00:00.000-06:00">x</abbr>'
        '<span class="full-text">call me back</span><audio src="x.mp3"></audio></div></body></html>'
    )
    missed = (
        left.replace("Voicemail", "Missed call")
        .replace("call me back", "")
        .replace("audio src", "i src")
    )
    write(tmp_path, {"Nell Ray - Voicemail - 1.html": left, "Nell Ray - Missed - 1.html": missed})
    found = list(exports(tmp_path))
    assert sum(export.system_lines for export in found) == 1
    [message] = [message for export in found for message in messages(export)]
    assert (message.sender, message.text) == ("Nell Ray", "call me back")
    assert [chat.title for export in found for chat in export.chats] == ["Nell Ray"]


# --- Discord's package --------------------------------------------------------------------------


def test_a_package_is_by_its_owner_in_json_and_in_csv(tmp_path: Path) -> None:
    write(tmp_path, {
        "account/user.json": json.dumps({"id": "7", "username": "toad", "global_name": "Toad"}),
        "messages/index.json": json.dumps({"22": "tea in Pond", "33": "Direct Message with newt#0"}),
        "messages/c22/channel.json": json.dumps({"id": "22", "type": 0, "name": "tea"}),
        "messages/c22/messages.json": json.dumps([
            {"ID": 1, "Timestamp": "2024-05-01 08:00:00", "Contents": "hi", "Attachments": ""},
            {"ID": 2, "Timestamp": "2024-05-01 08:01:00", "Contents": "", "Attachments": "https://x.test/a.png?ex=1"},
        ]),
        "messages/c33/channel.json": json.dumps({"id": "33", "type": 1}),
        "messages/c33/messages.csv": 'ID,Timestamp,Contents,Attachments\n3,2023-05-01 08:00:00.123000+00:00,"hello\nnewt",\n',
    })  # fmt: skip
    found = list(exports(tmp_path))
    assert [(c.key, c.title, c.kind) for export in found for c in export.chats] == [
        ("22", "tea in Pond", "group"), ("33", "newt", "direct"),
    ]  # fmt: skip
    said = [(m.sender, m.text) for export in found for m in messages(export)]
    assert said == [("Toad", "hi"), ("Toad", "[photo a.png]"), ("Toad", "hello\nnewt")]
    assert {export.owner for export in found} == {"Toad"}
    told = [note for export in found for note in export.notes if "without the answers" in note]
    assert len(told) == 1, "it is said once"


# --- TikTok and LinkedIn ------------------------------------------------------------------------


def test_tiktoks_json_has_its_messages_far_below_other_lists(tmp_path: Path) -> None:
    said = [{"Date": "2024-01-02 03:05:05", "From": "me_me", "Content": "hii"},
            {"Date": "2024-01-02 03:04:05", "From": "lena_x", "Content": "hey"}]  # fmt: skip
    watched = [{"Date": "2024-01-01 00:00:00", "Link": f"https://x.test/{n}"} for n in range(3000)]
    tree = {
        "Activity": {"Favorite Effects": {"FavoriteEffectsList": []}, "Video Browsing History": {"VideoList": watched}},
        "Direct Messages": {"Chat History": {"ChatHistory": {"Chat History with lena_x:": said}}},
    }  # fmt: skip
    write(tmp_path, {"user_data.json": json.dumps(tree)})
    [export] = exports(tmp_path)
    [chat] = export.chats
    assert [(m.sender, m.text) for m in chat.messages] == [("lena_x", "hey"), ("me_me", "hii")]
    assert chat.title == "lena_x"


def test_linkedin_has_a_chat_a_conversation_and_knows_whose_they_are(tmp_path: Path) -> None:
    write(tmp_path, {"messages.csv": (
        '"CONVERSATION ID","CONVERSATION TITLE","FROM","SENDER PROFILE URL","TO","RECIPIENT PROFILE URLS","DATE",'
        '"SUBJECT","CONTENT","FOLDER","ATTACHMENTS","IS MESSAGE DRAFT"\n'
        '1,,Ida,x,Per Lund,https://l.test/per,2024-05-02 10:11:12 UTC,,"<p class=""a"">Yes &amp; no</p><p>Friday</p>",INBOX,,No\n'
        "1,,Per Lund,x,Ida,https://l.test/ida,2024-05-02 10:10:12 UTC,,a < b & c,INBOX,,No\n"
        '2,,"Kim, MBA",x,Per Lund,https://l.test/per,2024-04-02 11:11:12 UTC,An offer,Buy,SPAM,,No\n'
        '3,Team,Per Lund,x,"Ida,Bo","https://l.test/ida,https://l.test/bo",2024-03-02 11:11:12 UTC,,hi,INBOX,,No\n'
        "3,Team,Per Lund,x,Ida,https://l.test/ida,2024-03-02 11:12:12 UTC,,not sent,INBOX,,Yes\n"
    )})  # fmt: skip
    [export] = exports(tmp_path)
    assert export.owner == "Per Lund"
    assert [(c.key, c.title, c.kind, [m.text for m in c.messages]) for c in export.chats] == [
        ("1", "Ida", "direct", ["a < b & c", "Yes & no\nFriday"]),
        ("2", "Kim, MBA", "direct", ["An offer\nBuy"]),
        ("3", "Team", "group", ["hi"]),
    ]
    assert ["draft" in item.reason for item in export.skipped] == [True]


# --- Tinder -----------------------------------------------------------------------------------------


def tinder_download(folder: Path, *matches: list[dict[str, Any]]) -> Path:
    told = [{"match_id": f"Match {n}", "messages": said} for n, said in enumerate(matches, 1)]
    write(folder, {"data.json": json.dumps({
        "Usage": {"app_opens": {f"day {n}": n for n in range(9000)}}, "User": {"name": "Ida"}, "Messages": told,
    })})  # fmt: skip
    return folder


def tinder_said(minute: int, text: str, **more: Any) -> dict[str, Any]:
    return {
        "to": 0,
        "from": "You",
        "message": text,
        "sent_date": f"Wed, 01 Jan 2020 12:{minute:02}:00 GMT",
    } | more


def test_tinder_has_a_chat_a_match_and_says_whose_words_are_missing(tmp_path: Path) -> None:
    gif = tinder_said(3, "https://media.tenor.com/x.gif", type="gif")
    tinder_download(tmp_path, [tinder_said(1, "It&rsquo;s me"), gif], [tinder_said(2, "Hello")])
    [export] = exports(tmp_path)
    assert [chat.title for chat in export.chats] == ["Match 1", "Match 2"]
    first, second = export.chats[0].messages
    assert (first.sender, first.text, export.owner) == ("Ida", "It\u2019s me", "Ida")
    assert second.attachments == (Attachment("", "gif"),)
    assert any("only what you wrote" in note for note in export.notes)


def test_matches_of_tinder_with_other_numbers_are_the_same_chats(
    memory: ChatMemory, tmp_path: Path
) -> None:
    to_bo, to_cy, to_di = ([tinder_said(n, f"Hello to {n}")] for n in (1, 2, 3))
    assert memory.add(tinder_download(tmp_path / "1", to_bo, to_cy)).messages_added == 2
    more = [*to_cy, tinder_said(9, "Are you there?")]
    assert memory.add(tinder_download(tmp_path / "2", more, to_di)).messages_added == 2
    assert sorted(chat.messages for chat in memory.chats()) == [1, 1, 2]


def test_a_package_has_names_emoji_and_times_in_place_of_codes(tmp_path: Path) -> None:
    said = (
        "hi <@2> <@!3> and <@99> in <#9> <#98> <@&5>",
        "<:smile:123> <a:party_time:124> a < b <3",
        "at <t:1710263100:f>, <t:1710263100>, <t:1710263100:t> on <t:1710263100:D>, <t:999999999999:R>",
    )
    friend = {
        "id": "3",
        "type": 1,
        "nickname": None,
        "user": {"id": "3", "username": "cy_3", "global_name": "Cy"},
    }
    files = {
        "Account/user.json": {"id": "1", "global_name": "Ivy", "relationships": [friend]},
        "Messages/index.json": {"9": "general in Lake Club", "19": "Direct Message with ben#0"},
        "Messages/c19/channel.json": {"id": "19", "type": "DM", "recipients": ["1", "2"]},
        "Messages/c9/channel.json": {"id": "9", "type": "GUILD_TEXT"},
        "Messages/c9/messages.json": [
            {"ID": n, "Timestamp": "2024-03-12 17:05:00", "Contents": text, "Attachments": ""}
            for n, text in enumerate(said, 1)
        ],
    }  # fmt: skip
    write(tmp_path / "package", {name: json.dumps(value) for name, value in files.items()})
    found = exports(tmp_path / "package")
    assert [m.text for export in found for chat in export.chats for m in chat.messages] == [
        "hi @ben @Cy and <@99> in #general <#98> <@&5>",
        ":smile: :party_time: a < b <3",
        "at 2024-03-12 17:05, 2024-03-12 17:05, 17:05 on 2024-03-12, <t:999999999999:R>",
    ]
