"""Messenger's and Instagram's pages of HTML: files, links, reactions, people, times of other languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialects import exports, messages, recognise, write

from minirag_chat.errors import UnknownFormat
from minirag_chat.records import Attachment, ParsedExport, Reaction


def message(
    sender: str, said: str, when: str = "May 02, 2024 1:05 pm", more: str = "", below: str = ""
) -> str:
    return (
        f'<div class="pam _3-95 _2ph- _a6-g uiBoxWhite noborder"><h2 class="_3-95 _2pim _a6-h _a6-i">{sender}</h2>'
        f'<div class="_3-95 _a6-p"><div><div></div><div>{said}</div><div></div><div>{more}</div>{below}</div></div>'
        f'<div class="_3-94 _a6-o">{when}</div></div>'
    )


def page(*parts: str, title: str = "Ann") -> str:
    return (
        f"<html><head><title>{title}</title></head><body><main role='main'>{''.join(parts)}</main>"
    )


def read(folder: Path, *parts: str, title: str = "Ann") -> ParsedExport:
    write(folder, {"messages/inbox/ann_7/message_1.html": page(*parts, title=title)})
    [export] = exports(folder)
    return export


def test_files_are_kept_and_their_captions_are_no_text(tmp_path: Path) -> None:
    photo = (
        '<div><a href="messages/inbox/ann_7/photos/1.jpg"><img src="messages/inbox/ann_7/photos/1.jpg"'
        ' class="_a6_o" /></a></div>'
    )
    film = (
        '<div><video src="x/2.mp4"><a href="x/2.mp4"><div>Click for video:</div></a></video></div>'
    )
    paper = '<div><a href="x/notes.pdf">notes.pdf</a></div>'
    export = read(tmp_path, message("Ann", "look", more=photo + film + paper))
    [found] = messages(export)
    assert found.text == "look"
    assert found.attachments == (
        Attachment("1.jpg", "photo"),
        Attachment("2.mp4", "video"),
        Attachment("notes.pdf", "file"),
    )


def test_a_shared_link_is_kept_once(tmp_path: Path) -> None:
    link = '<div><a href="https://example.org/a">https://example.org/a</a></div>'
    export = read(
        tmp_path,
        message("Ann", "see https://example.org/a", more=link),
        message("Bob", "", more=link),
    )
    assert sorted(m.text for m in messages(export)) == [
        "https://example.org/a",
        "see https://example.org/a",
    ]


def test_reactions_are_those_of_a_person_with_and_without_a_time(tmp_path: Path) -> None:
    below = "<ul><li>❤Bob</li><li><span>\U0001f44d\U0001f3fdann m (Oct 13, 2024 11:04 am)</span></li></ul>"
    export = read(tmp_path, message("Ann", "tea?", below=below))
    [found] = messages(export)
    assert found.text == "tea?"
    assert found.reactions == (Reaction("❤", "Bob"), Reaction("\U0001f44d\U0001f3fd", "ann m"))


def test_what_the_app_says_of_reactions_in_an_unknown_language_is_no_message(
    tmp_path: Path,
) -> None:
    def reacted(emoji: str) -> str:
        return f"<ul><li>{emoji}Bob</li></ul>"

    told = [message("Bob", f"Reagis per {emoji} al via mesaĝo ") for emoji in "😍😆😍"]
    sent = [message("Ann", f"boat {emoji}", more=reacted(emoji)) for emoji in "😍😆"]
    export = read(tmp_path, *told, *sent)
    assert [m.text for m in messages(export)] == ["boat 😆", "boat 😍"]
    assert export.system_lines == 3


@pytest.mark.parametrize(
    ("said", "emoji"),
    [("I am {} today", "😍😆😍"), ("I am {} today ", "😍😍😍"), ("I am {} today ", "😍😆"), ("I am {} ", "😍😆😍"),
     ("I am {} today ", "🚣🌊🚣")],
)  # fmt: skip
def test_what_people_write_around_emoji_is_kept(tmp_path: Path, said: str, emoji: str) -> None:
    reactions = "<ul><li>😍Bob</li><li>😆Bob</li></ul>"
    told = [message("Bob", said.format(one)) for one in emoji]
    export = read(tmp_path, *told, message("Ann", "boat", more=reactions))
    assert len(messages(export)) == len(emoji) + 1


def test_what_the_app_says_of_a_reaction_is_no_message(tmp_path: Path) -> None:
    export = read(tmp_path, message("Ann", "Reacted ❤ to your message"), message("Bob", "tea?"))
    assert [m.text for m in messages(export)] == ["tea?"]
    assert export.system_lines == 1


def test_the_one_who_is_not_in_the_title_made_the_export(tmp_path: Path) -> None:
    export = read(tmp_path, message("Ann", "tea?"), message("Bob", "yes"))
    [chat] = export.chats
    assert (chat.title, chat.kind, chat.key, export.owner) == (
        "Ann", "direct", "ann_7", "Bob",
    )  # fmt: skip


def test_a_group_has_its_own_title_and_tells_of_no_owner(tmp_path: Path) -> None:
    said = [message(who, "tea?") for who in ("Ann", "Bob", "Cleo")]
    export = read(tmp_path, *said, title="Tea &amp; cake")
    [chat] = export.chats
    assert (chat.title, chat.kind, export.owner) == ("Tea & cake", "group", "")


@pytest.mark.parametrize(
    "when",
    [
        "May 02, 2024 1:05 pm", "May 02, 2024 1:05:00 pm", "May 02, 2024, 1:05\u202fPM", "02 May 2024, 13:05",
        "mai 02, 2024 1:05 nachm.", "maj 02, 2024 1:05:00 po południu", "may 02, 2024 1:05 p. m.",
        "2 de mai. de 2024 13:05", "мая 02, 2024 1:05 PM", "May 02, 2024 1:05 ös", "2024年5月2日 13:05",
        "2024. 5. 2. 오후 1:05", "02/05/2024, 13:05", "02.05.2024, 13:05", "mei 02, 2024 1:05 p.m.",
        "maj 02, 2024 1:05 pop.", "мај 02, 2024 1:05 по подне", "மே 02, 2024 1:05 பிற்பகல்",
        "ಮೇ 02, 2024 1:05 ಅಪರಾಹ್ನ", "মে 02, 2024 1:05 অপরাহ্ণ", "మే 02, 2024 1:05 అపరాహ్నం", "Mei 02, 2024 1:05 Alasiri",
        "ឧសភា 02, 2024 1:05 ល្ងាច", "مئی 02, 2024 1:05 بعد دوپہر", "mayo 02, 2024 1:05 de la tarde",
    ],
)  # fmt: skip
def test_times_are_read_in_the_language_of_the_account(tmp_path: Path, when: str) -> None:
    [found] = messages(read(tmp_path, message("Ann", "tea?", when)))
    assert f"{found.sent_at:%Y-%m-%d %H:%M}" == "2024-05-02 13:05"


def test_the_newest_message_comes_first_also_where_day_and_month_are_numbers(
    tmp_path: Path,
) -> None:
    days = ("05/04/2024, 10:00", "28/03/2024, 10:00", "05/03/2024, 10:00", "01/02/2024, 10:00")
    found = messages(read(tmp_path, *(message("Ann", "tea?", day) for day in days)))
    assert [m.sent_at.month for m in found] == [2, 3, 3, 4]


POST = (
    '<section class="_a6-g"><h2 class="_a6-h _a6-i">Bob updated his status.</h2><div class="_2ph_ _a6-p">'
    '<div class="_2pin"><div>Hello</div></div></div><footer class="_a6-o">May 02, 2024</footer></section>'
)
FOLLOWER = (
    '<div class="pam _a6-g uiBoxWhite"><div class="_a6-p"><div><div><a href="https://example.org/ann">ann</a>'
    "</div><div>May 02, 2024 1:05 pm</div></div></div></div>"
)


@pytest.mark.parametrize("inside", [POST, FOLLOWER])
def test_the_other_pages_of_the_download_are_no_chats(tmp_path: Path, inside: str) -> None:
    write(tmp_path, {"posts_1.html": page(inside)})
    with pytest.raises(UnknownFormat):
        recognise(tmp_path / "posts_1.html")


def test_messages_of_a_single_minute_are_in_the_order_in_which_they_were_sent(
    tmp_path: Path,
) -> None:
    export = read(tmp_path, message("Bob", "yes, in Rome"), message("Ann", "are you in Rome?"))
    assert [m.text for m in messages(export)] == ["are you in Rome?", "yes, in Rome"]
