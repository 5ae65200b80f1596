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
    ["Ubesvaret taleopkald", "Пропущений аудіодзвінок", "Пропущений відеодзвінок", "Nieodebrane poł. głosowe",
     "Nieodebrane poł. wideo", "Gemist spraakgesprek", "Gemist videogesprek", "Videochamada perdida",
     "音声通話不在着信", "ビデオ通話不在着信", "Cevapsız sesli arama", "Nieodebrane połączenie głosowe", "Пропущенный аудиозвонок", "Missat röstsamtal",
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
     "Sprachanruf, 12 Min.", "Voice call, No answer", "Video call, No answer", "Group call, 3 joined",
     "Voice call, Answered on other device"],
)  # fmt: skip
def test_a_call_of_android_with_its_length_or_outcome_is_no_message_if_it_is_all(
    read: Read, text: str
) -> None:
    export = read(_ANDROID.format(f"Jan: {text}\n15-05-2024 10:02 - Piet: {text} of zo"))
    assert [m.text for m in export.chats[0].messages] == ["hoi", "ja", f"{text} of zo", "zo"]
    assert export.system_lines == 1


@pytest.mark.parametrize(
    "text",
    ["voice call, 12 min", "Video call, 8 pm", "Voice call, 12 minutes?", "Group call. 15 May",
     "Video call\n20 min", "Voice call, no answer", "Video call, 3 joined late"],
)  # fmt: skip
def test_what_reads_like_a_call_of_android_is_a_message(read: Read, text: str) -> None:
    [chat] = read(_ANDROID.format(f"Piet: {text}")).chats
    assert chat.messages[2].text == text


@pytest.mark.parametrize("text", ["<Videonachricht weggelassen>", "Videonachricht weggelassen"])
def test_a_video_note_that_was_left_out_is_a_video(read: Read, text: str) -> None:
    sent = read(_IOS.format(f"\u200e{text}")).chats[0].messages[2]
    assert (sent.kind, [file.kind for file in sent.attachments]) == ("media", ["video"])


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
    ["Du raderade detta meddelande", "यह मैसेज डिलीट कर दिया गया है", "你撤回了这条消息",
     "Denne besked er blevet slettet", "Du har slettet denne besked", "Usunąłeś(-ęłaś) tę wiadomość",
     "Ez az üzenet törlésre került", "Ezt az üzenetet törölted", "Du har tagit bort meddelandet",
     "Apagou esta mensagem", "Διαγράψατε το μήνυμα", "Tuto zprávu jste smazal/a", "Túto správu ste odstránili",
     "삭제한 메시지입니다", "您已删除这条消息", "คุณลบข้อความนี้", "این پیام حذف شد", "این پیام حذف شده است",
     "Mesej ini telah dipadam", "Съобщението беше изтрито", "لقد حذَفت هذه الرسالة", "أنت حذفت هذه الرسالة"],
)  # fmt: skip
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
     ("\u200eतस्वीर शामिल नहीं है", "photo"), ("‹رسانه حذف شد>", "media"), ("‹ไม่รวมสื่อ>", "media"),
     ("<Uten vedlegg>", "media"), ("<pliki pominięto>", "media"), ("<Conținut media omis>", "media"),
     ("<Εξαίρεση πολυμέσων>", "media"), ("<Media jätetty pois>", "media"), ("<מדיה הושמטה>", "media"),
     ("<Файл пропущен>", "media"), ("\u200fلم يتم إدراج الصورة", "photo"), ("\u200eلم يتم إدراج الصورة", "photo"),
     ("\u200fلم يتم إدراج الفيديوهات", "video"), ("\u200fلم يتم إدراج المقاطع الصوتية", "audio"),
     ("\u200fلم يتم إدراج المستند", "document"), ("\u200fلم يتم إدراج بطاقة جهة اتصال", "contact"),
     ("\u200fلم يتم إدراج صورة GIF", "gif"), ("\u200eקטע קול הושמט", "audio"), ("\u200eסטיקר הושמט", "sticker"),
     ("\u200eGIF הושמט", "gif"), ("\u200eכרטיס איש קשר הושמט", "contact"), ("\u200eफ़ोटो हटाई गई", "photo"),
     ("\u200eऑडियो हटाई गयी", "audio"), ("\u200eस्टिकर छोड़ा गया", "sticker"), ("\u200eGIF छोड़ा गया", "gif"),
     ("\u200eडॉक्यूमेंट छोड़ा गया", "document"), ("\u200e圖像已省略", "photo"), ("\u200e影片已省略", "video"),
     ("\u200e音訊已省略", "audio"), ("\u200e貼圖已忽略", "sticker"), ("\u200eGIF 圖片已被省略", "gif"),
     ("\u200e聯絡人卡片已略去", "contact"), ("\u200e贴图已省略", "sticker"), ("\u200e文档已省略", "document"),
     ("\u200eGIF 动态图已被忽略", "gif"), ("\u200e联系人卡片已忽略", "contact"), ("\u200eстикер не добавлен", "sticker"),
     ("\u200eklistermærke udeladt", "sticker"), ("\u200eVisitekaartje weggelaten", "contact"),
     ("\u200evideo utelatt", "video"), ("\u200elyd utelatt", "audio"), ("\u200eGIF utelatt", "gif"),
     ("\u200eドキュメントは含まれていません", "document"), ("\u200e連絡先カードを省略", "contact"),
     ("\u200e스티커 제외됨", "sticker"), ("\u200e연락처 카드 생략됨", "contact"),
     ("\u200eKişi kartı dahil edilmedi", "contact"), ("\u200eKartu kontak tidak disertakan", "contact"),
     ("\u200esticker não revelado", "sticker"), ("\u200eGIF não revelada", "gif")],
)  # fmt: skip
def test_what_stands_for_a_file_is_one_in_these_languages_too(
    read: Read, text: str, kind: str
) -> None:
    [chat] = read(_IOS.format(text)).chats
    assert [(m.kind, [a.kind for a in m.attachments]) for m in chat.messages][2:] == [
        ("media", [kind])
    ]


@pytest.mark.parametrize(
    "text",
    ["तस्वीर शामिल नहीं है", "llamada perdida", "Uten vedlegg", "Файл пропущен", "لم يتم إدراج الصورة", "GIF utelatt",
     "videochamada perdida", "Gemist spraakgesprek!"],
)  # fmt: skip
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


@pytest.mark.parametrize(
    "text",
    ["Ayşe added ~ Kim", "~ Lou added ~ Kim", "Ayşe removed Kim", "Lou añadió a Kim", "Lou eliminó a Kim",
     "Lou a ajouté Kim", "Lou ha aggiunto Kim", "Lou adicionou Kim", "Lou heeft ~ Kim toegevoegd",
     "Lou hat Kim hinzugefügt. Tippe, um alle zu sehen.", "Lou, Kim kişisini ekledi", "Lou menambahkan Kim",
     "Lou добавил(-а) Kim", "Lou dodał(a) użytkownika Kim", "Louさんが\u2068Kim\u2069さんを追加しました",
     "Lou添加了Kim", "Lou님이 Kim님을 추가했습니다", "انضم Kim باستخدام رابط المجموعة", "Ayşe changed this group's icon"],
)  # fmt: skip
def test_a_notice_of_an_iphone_about_a_member_is_not_what_the_member_said(
    read: Read, text: str
) -> None:
    notices = _IOS.format(f"\u200e{text}").replace("Ayşe: \u200e", "Kim: \u200e")
    export = read(f"{notices}[15.05.2024 10:03:00] Kim: hoi\n")
    assert [m.sender for m in export.chats[0].messages] == ["Ayşe", "أحمد", "Kim"]
    assert export.system_lines == 1


@pytest.mark.parametrize(
    "text",
    ["Lou added Kim", "\u200fLou added me", "\u200eAYŞE ADDED: Kim", "\u200eKimono of the group",
     "\u200fAyşe changed this group's icon", "\u200fLou bought Kim a boat.", "\u200fThe group of Kim left.",
     "\u200eAyşe group Kim.pdf • \u200e2 paĝoj \u200edokumento forlasita", "\u200eAyşe group Kim.odt \u200edokumento forlasita"],
)  # fmt: skip
def test_what_a_member_may_have_written_is_no_notice(read: Read, text: str) -> None:
    notices = _IOS.format(text).replace(f"Ayşe: {text}", f"Kim: {text}")
    [chat] = read(f"{notices}[15.05.2024 10:03:00] Kim: hoi\n").chats
    said = text.strip("\u200e\u200f").replace("\u200e", "")
    assert [m.text for m in chat.messages] == ["selam", "hi", said, "hoi"]


_ENCRYPTED = (
    "\u200eMessages and calls are end-to-end encrypted. Only people in this chat can read them."
)


@pytest.mark.parametrize("added", ["Lou added Kim", "Ann hat Kim hinzugefügt."])
def test_members_who_were_added_do_not_hide_the_name_of_the_group(read: Read, added: str) -> None:
    text = (
        f"[31/1/21, 10:00:00] Sailing crew: {_ENCRYPTED}\n[31/1/21, 10:00:00] Ann: \u200eAnn created group “Boats”\n"
        f"[31/1/21, 10:00:00] Sailing crew: \u200eAnn added you\n[31/1/21, 10:00:01] Kim: \u200e{added}\n"
        f"[31/1/21, 10:00:02] Ann: hi\n[31/1/21, 10:00:03] Bob: ho\n"
    )
    export = read(text, "_chat.txt")
    assert (export.chats[0].title, export.chats[0].kind) == ("Sailing crew", "group")
    assert [m.sender for m in export.chats[0].messages] == ["Ann", "Bob"]
    assert read(text, "WhatsApp Chat - The sea.txt").chats[0].title == "The sea"


def test_the_notice_about_encryption_names_the_chat(read: Read) -> None:
    two = f"[31/1/21, 10:00:00] Bob Stone: {_ENCRYPTED}\n[31/1/21, 10:00:02] Ann: hi\n[31/1/21, 10:00:03] Bob Stone: ho\n"
    [chat] = read(two, "_chat.txt").chats
    assert (chat.title, chat.kind, len(chat.messages)) == ("Bob Stone", "direct", 2)
    quoted = two.replace("\u200e", "")
    assert (read(quoted, "_chat.txt").chats[0].title, len(read(quoted).chats[0].messages)) == (
        None,
        3,
    )


def test_the_mark_of_an_iphone_may_be_the_one_of_writing_from_right_to_left(read: Read) -> None:
    export = read(
        "[1/9/2026، 8:00:00 ص] نادي القوارب: \u200fالرسائل والمكالمات مشفرة تمامًا بين الطرفين.\n"
        "[1/9/2026، 8:00:01 ص] نادي القوارب: \u200fأضافك سامي إلى المجموعة\n"
        "[1/9/2026، 8:00:02 ص] \u202a+966 55 000 0002\u202c: \u200fانضم \u202a+966 55 000 0002\u202c باستخدام رابط المجموعة\n"
        "[1/9/2026، 8:00:03 ص] سامي: \u200fهذه مجموعة جميلة، ونلتقي غدا عند الميناء.\n"
        "[1/9/2026، 8:00:04 ص] سامي: غدا \u200f<تم تعديل هذه الرسالة>\n"
        "[1/9/2026، 8:00:05 ص] هند: انظروا \u200f<مرفق: 00000012-PHOTO-2026-09-01.jpg>\n",
        "_chat.txt",
    )
    [chat] = export.chats
    assert (chat.title, chat.kind, export.system_lines) == ("نادي القوارب", "group", 3)
    assert [(m.sender, m.edited, len(m.attachments)) for m in chat.messages] == [
        ("سامي", False, 0), ("سامي", True, 0), ("هند", False, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["Missed voice call", "Ligação de voz perdida", "Ligação de vídeo perdida", "Chamada de voz perdida",
     "Llamada perdida", "Videollamada perdida", "Verpasster Sprachanruf", "Appel vocal manqué", "Chiamata persa",
     "Gemiste oproep", "Cevapsız sesli arama", "Nieodebrane połączenie głosowe", "Пропущенный видеозвонок",
     "Missat röstsamtal", "Ubesvaret videoopkald", "Tapt taleanrop", "Vastaamaton äänipuhelu",
     "Zmeškaný hlasový hovor", "Panggilan suara tak terjawab", "音声通話不在着信", "부재중 음성전화", "未接语音通话",
     "مكالمة صوتية فائتة", "שיחה קולית שלא נענתה", "मिस्ड वॉइस कॉल"],
)  # fmt: skip
def test_a_missed_call_of_an_iphone_is_a_notice(read: Read, text: str) -> None:
    export = read(
        "[12/10/2025, 21:03:11] Bruna: oi\n"
        f"\u200e[12/10/2025, 21:06:12] Thiago: \u200e{text}\n"
        f"[12/10/2025, 21:07:12] Thiago: {text}\n"
        f"[12/10/2025, 21:08:12] Bruna: {text}, sorry\n"
    )
    assert [m.text for m in export.chats[0].messages] == ["oi", text, f"{text}, sorry"]
    assert export.system_lines == 1


PASTED = """\
02/09/2025, 20:12 - Shanice: hi all
02/09/2025, 20:14 - Ann: from the other chat:
01/09/2025, 18:00 - Sheila: all leave cancelled
that is what she wrote
13/09/2025, 09:00 - Shanice: no way
13/09/2025, 09:03 - Ann: yes
"""


def test_a_pasted_line_of_another_chat_is_part_of_the_message(read: Read) -> None:
    found = read(PASTED).chats[0].messages
    assert [m.sender for m in found] == ["Shanice", "Ann", "Shanice", "Ann"]
    assert found[1].text == (
        "from the other chat:\n01/09/2025, 18:00 - Sheila: all leave cancelled\nthat is what she wrote"
    )


@pytest.mark.parametrize(
    "change",
    [
        ("01/09/2025, 18:00", "03/09/2025, 18:00"),  # in order
        ("01/09/2025, 18:00", "02/09/2025, 18:00"),  # clocks may differ by hours
        ("09:03 - Ann", "09:03 - Sheila"),  # writes here too
        ("13/09/2025", "01/09/2025"),  # the time does not return: two exports in one file
    ],
)
def test_a_line_that_may_be_a_message_is_one(read: Read, change: tuple[str, str]) -> None:
    found = read(PASTED.replace(*change)).chats[0].messages
    assert "Sheila" in [m.sender for m in found]
