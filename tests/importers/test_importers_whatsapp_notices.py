"""Notices of WhatsApp that look like messages, and messages that look like notices."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

from collections.abc import Callable

import pytest

from minirag_chat.records import ParsedExport

Read = Callable[..., ParsedExport]
_ANDROID = "15-05-2024 10:00 - Jan: hoi\n15-05-2024 10:01 - Piet: ja\n15-05-2024 10:02 - {}\n15-05-2024 10:03 - Jan: zo"
_IOS = "[15.05.2024 10:00:00] Ayşe: selam\n[15.05.2024 10:01:00] أحمد: hi\n[15.05.2024 10:02:00] Ayşe: {}\n"


@pytest.mark.parametrize(
    "line",
    [
        "Jan heeft deze groep toegevoegd aan de community: Sport",
        "Piet heeft de groepsnaam gewijzigd van 'A: b' in 'C: d'",
        "You joined a group via invite in the community: Readers",
        "Jan added this group to the community: Readers",
        "Jan hat diese Gruppe zur Community hinzugefügt: Sport",
        "Jan añadió este grupo a la comunidad: Sport",
        "Jan ha aggiunto questo gruppo alla community: Sport",
        "Jan adicionou este grupo à comunidade: Sport",
        "Jan добавил(-а) эту группу в сообщество: Sport",
        "Jan changed the settings of this group to: admins",
    ],
)
def test_a_notice_with_a_colon_is_no_person(read: Read, line: str) -> None:
    export = read(_ANDROID.format(line))
    assert [m.sender for m in export.chats[0].messages] == ["Jan", "Piet", "Jan"]
    assert export.system_lines == 1


@pytest.mark.parametrize(
    "name",
    ["Jan de Vries", "Jan van den Berg", "Jan uit 's-Gravenhage", "Jan from the running group", "Jan from the gym",
     "Jan added by community", "Piet 'the rock' Smit", "Jan Rock 'n Roll"],
)  # fmt: skip
def test_a_person_who_wrote_once_and_has_a_members_first_name_is_kept(
    read: Read, name: str
) -> None:
    [chat] = read(_ANDROID.format(f"{name}: it's me")).chats
    assert [m.sender for m in chat.messages] == ["Jan", "Piet", name, "Jan"]


@pytest.mark.parametrize(
    "text",
    ["This chat was added to the community: Readers", "Ayşe, Kemal kişisini ekledi", "غادر أحمد", "أضاف أحمد سارة",
     "Ayşe, bu grubun simgesini değiştirdi", "أضافت سارة أحمد"],
)  # fmt: skip
def test_a_marked_line_of_an_iphone_is_a_notice(read: Read, text: str) -> None:
    export = read(_IOS.format(f"\u200e{text}"))
    assert [m.text for m in export.chats[0].messages] == ["selam", "hi"]
    assert export.system_lines == 1


@pytest.mark.parametrize(
    "text",
    ["Cevapsız sesli arama", "Nieodebrane połączenie głosowe", "Пропущенный аудиозвонок", "Missat röstsamtal",
     "Verpasster Sprachanruf", "Llamada perdida", "Appel vocal manqué", "Chamada de voz perdida",
     "不在着信（音声通話）", "부재중 음성전화", "مكالمة صوتية فائتة", "שיחה קולית שלא נענתה", "Missed video call"],
)  # fmt: skip
def test_a_missed_call_of_android_is_no_message_if_it_is_all(read: Read, text: str) -> None:
    export = read(_ANDROID.format(f"Jan: {text}\n15-05-2024 10:02 - Piet: {text} van mij"))
    assert [m.text for m in export.chats[0].messages] == ["hoi", "ja", f"{text} van mij", "zo"]
    assert export.system_lines == 1


@pytest.mark.parametrize(
    "text",
    ["Voice call, 12 min", "Video call, 3 min", "Group video call, 1 hr 5 min", "Voice call, 40 sec",
     "Sprachanruf, 12 Min."],
)  # fmt: skip
def test_a_call_of_android_with_its_length_is_no_message_if_it_is_all(
    read: Read, text: str
) -> None:
    export = read(_ANDROID.format(f"Jan: {text}\n15-05-2024 10:02 - Piet: {text} of zo"))
    assert [m.text for m in export.chats[0].messages] == ["hoi", "ja", f"{text} of zo", "zo"]
    assert export.system_lines == 1


@pytest.mark.parametrize(
    "text",
    ["voice call, 12 min", "Video call, 8 pm", "Voice call, 12 minutes?", "Group call. 15 May",
     "Video call\n20 min"],
)  # fmt: skip
def test_what_reads_like_a_call_of_android_is_a_message(read: Read, text: str) -> None:
    [chat] = read(_ANDROID.format(f"Piet: {text}")).chats
    assert chat.messages[2].text == text


@pytest.mark.parametrize("text", ["live location shared", "Live location ended"])
def test_a_live_location_is_not_what_somebody_wrote(read: Read, text: str) -> None:
    for export in (read(_ANDROID.format(f"Piet: {text}")), read(_IOS.format(f"\u200e{text}"))):
        sent = export.chats[0].messages[2]
        assert (sent.kind, [file.kind for file in sent.attachments]) == ("media", ["live location"])


@pytest.mark.parametrize(
    ("text", "kind"),
    [("<View once voice message omitted>", "audio"), ("<View once photo omitted>", "photo"),
     ("<View once video omitted>", "video")],
)  # fmt: skip
def test_what_can_be_viewed_once_has_its_kind(read: Read, text: str, kind: str) -> None:
    [chat] = read(_ANDROID.format(f"Piet: {text}")).chats
    assert [file.kind for file in chat.messages[2].attachments] == [kind]


@pytest.mark.parametrize(
    "text",
    ["Du raderade detta meddelande", "यह मैसेज डिलीट कर दिया गया है", "你撤回了这条消息"],
)
def test_a_deletion_is_one_in_these_languages_too(read: Read, text: str) -> None:
    for export in (
        read(_ANDROID.format(f"Piet: {text}")),
        read(_IOS.format(f"\u200e{text}.")),
    ):
        assert [m.deleted for m in export.chats[0].messages if m.sent_at.minute == 2] == [True]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("<Media utelämnades>", "media"), ("ljud utelämnat", "audio"), ("nagranie audio pominięto", "audio"),
     ("\u200eаудио отсутствует", "audio"), ("карточка контакта отсутствует", "contact"),
     ("\u200eतस्वीर शामिल नहीं है", "photo"), ("‹رسانه حذف شد>", "media"), ("‹ไม่รวมสื่อ>", "media")],
)  # fmt: skip
def test_what_stands_for_a_file_is_one_in_these_languages_too(
    read: Read, text: str, kind: str
) -> None:
    [chat] = read(_IOS.format(text)).chats
    assert [(m.kind, [a.kind for a in m.attachments]) for m in chat.messages][2:] == [
        ("media", [kind])
    ]


@pytest.mark.parametrize("text", ["तस्वीर शामिल नहीं है", "llamada perdida"])
def test_words_that_people_write_are_text(read: Read, text: str) -> None:
    [chat] = read(_ANDROID.format(f"Piet: {text}")).chats
    assert [(m.kind, m.text) for m in chat.messages][2] == ("text", text)


@pytest.mark.parametrize(
    "text",
    ["Ayşe, Kemal kişisini ekledi", "غادر أحمد", "\u200eشكرا أحمد", "\u200eصورة غريبة", "\u200eغادر القطار"],
)  # fmt: skip
def test_what_a_person_may_have_written_is_kept(read: Read, text: str) -> None:
    [chat] = read(_IOS.format(text)).chats
    assert [m.text for m in chat.messages] == ["selam", "hi", text.strip("\u200e")]
