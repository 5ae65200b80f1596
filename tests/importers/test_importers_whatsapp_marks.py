"""What WhatsApp writes itself: notices, and what stands for media, for deleted and edited messages."""
# ruff: noqa: RUF001 - many scripts

from __future__ import annotations

from collections.abc import Callable

import pytest

from minirag_chat.records import Attachment, ParsedExport

Read = Callable[..., ParsedExport]


@pytest.mark.parametrize(
    "line",
    [
        "Messages and calls are end-to-end encrypted. Tap to learn more.",
        'Ann created group "Trip"',
        'Ann changed the subject from "Trip" to "Trip: Rome"',
        "Ann changed the subject to “Trip: Rome”",
        "You were added",
        "+12 345 678 left",
        "Missed voice call",
    ],
)
def test_android_system_lines_are_counted(read: Read, line: str) -> None:
    export = read(f"31/1/21, 10:00 - {line}\n31/1/21, 10:01 - Bob: hi\n31/1/21, 10:01 - Ann: ho")
    assert export.system_lines == 1
    assert [m.sender for m in export.chats[0].messages] == ["Bob", "Ann"]


@pytest.mark.parametrize(
    "text",
    [
        "This message was deleted", "This message was deleted by admin Ann.", "You deleted this message",
        "Diese Nachricht wurde gelöscht.", "Denne meldingen ble slettet", "이 메시지는 삭제되었습니다.",
        "Pesan ini telah dihapus", "Tämä viesti poistettiin", "这条消息已被删除。", "Αυτό το μήνυμα διαγράφηκε",
        "यह संदेश हटा दिया गया।", "Вы удалили данное сообщение",
    ],
)  # fmt: skip
def test_a_deleted_message_is_known_to_have_been_there(read: Read, text: str) -> None:
    export = read(f"31/1/21, 10:00 - Bob: {text}\n31/1/21, 10:01 - Ann: ho")
    assert [(m.sender, m.deleted) for m in export.chats[0].messages] == [
        ("Bob", True), ("Ann", False),
    ]  # fmt: skip


def test_an_ios_notice_about_someone_who_is_no_contact_is_no_message(read: Read) -> None:
    export = read(
        "[31/1/21, 10:00:00] ~\u202fKim: hi\n[31/1/21, 10:00:01] Ann: ho\n"
        "\u200e[31/1/21, 10:00:02] ~\u202fKim: \u200e~\u202fKim left\n"
    )
    assert [(m.sender, m.text) for m in export.chats[0].messages] == [("Kim", "hi"), ("Ann", "ho")]
    assert export.system_lines == 1


def test_ios_system_lines_name_the_group(read: Read) -> None:
    export = read(
        "[31/1/21, 10:00:00] Trip: \u200eMessages and calls are end-to-end encrypted.\n"
        "[31/1/21, 10:00:00] Trip: \u200eAnn created this group\n"
        "\u200e[31/1/21, 10:00:00] Ann: \u200eAnn added you\n"
        "[31/1/21, 10:00:01] Ann: hi\n"
        "[31/1/21, 10:00:02] Bob: \u200eThis message was deleted.\n"
        "[31/1/21, 10:00:03] Bob: ho \u200e<This message was edited>\n"
        "[31/1/21, 10:00:04] Bob: \u200ePOLL:\nWhen?\n\u200eOPTION: now (\u200e2 votes)\n"
        "[31/1/21, 10:00:05] Ann: \u200eMissed voice call\n",
        "_chat.txt",
    )
    assert export.chats[0].title == "Trip"
    assert export.system_lines == 4
    assert [(m.sender, m.edited, m.deleted) for m in export.chats[0].messages] == [
        ("Ann", False, False), ("Bob", False, True), ("Bob", True, False), ("Bob", False, False),
    ]  # fmt: skip
    assert export.chats[0].messages[2].text == "ho"
    assert "When?" in export.chats[0].messages[3].text
    assert export.chats[0].kind == "group"


@pytest.mark.parametrize(
    "text",
    [
        "<Media omitted>", "<Medien ausgeschlossen>", "<Multimedia omitido>", "<Médias omis>",
        "<Media omessi>", "<Mídia oculta>", "<Media weggelaten>", "<Medya dahil edilmedi>",
        "<Без медиафайлов>", "<Media tidak disertakan>", "<Multimedia pominięte>",
        "<メディアは含まれていません>", "<省略多媒体文件>", "<मीडिया के बिना>",
        "<تم استبعاد الوسائط>", "\u200eimage omitted", "\u200eBild weggelassen",
        "\u200eimagen omitida", "\u200eaudio omis", "\u200eimmagine omessa",
        "\u200eafbeelding weggelaten", "\u200eизображение отсутствует",
        "IMG-20210131-WA0001.jpg (file attached)", "PTT-20210131-WA0002.opus (Datei angehängt)",
        "\u200eIMG-20210131-WA0001.jpg (archivo adjunto)", "Letter of May.pdf (file attached)",
        "\u200e<attached: 00000012-PHOTO-2021-01-31.jpg>", "\u200e<Anhang: 00000012-PHOTO.jpg>",
        "\u200e<附件：00000042-PHOTO-2021-01-31.jpg>", "\u200e‹附件：00000042-PHOTO-2021-01-31.jpg›",
        "\u200ebild utesluten", "\u200eei kuvaa", "\u200eimagem não revelada", "\u200e视频已忽略", "\u200e影片已略去",
        "\u200e비디오 생략됨", "\u200e音声は含まれていません", "\u200eзображення відсутнє", "\u200eβίντεο παραλείφθηκε",
        "\u200ewideo pominięte", "\u200eobrázek vynechán", "Brev.pdf (fil vedhæftet)", "Kirje.pdf (liitetiedosto)",
        "Letter.pdf (附件檔案)", "Γράμμα.pdf (συνημμένο αρχείο)",
    ],
)  # fmt: skip
def test_media_placeholders_are_counted(read: Read, text: str) -> None:
    export = read(f"31/1/21, 10:00 - Ann: {text}\n31/1/21, 10:01 - Bob: nice")
    assert export.media == 1
    assert [m.kind for m in export.chats[0].messages] == ["media", "text"]
    assert export.system_lines == 0


@pytest.mark.parametrize(
    "text",
    [
        "IMG-20210131-WA0001.jpg (file attached)\nlook at this",
        "look at this \u200e<attached: 00000012-PHOTO-2021.jpg>",
        "look\nat this \u200e<attached: 00000012-PHOTO-2021.jpg>",
    ],
)
def test_a_caption_is_text_and_its_media_is_counted(read: Read, text: str) -> None:
    export = read(f"[31/1/21, 10:00:00] Ann: {text}\n[31/1/21, 10:00:01] Ann: nice")
    assert export.media == 1
    assert export.chats[0].messages[0].kind == "text"
    assert "at this" in export.chats[0].messages[0].text


@pytest.mark.parametrize(
    ("below", "name", "kind"),
    [("\nPlan of the pier.pdf", "Plan of the pier.pdf", "document"), ("", "", "document"),
     ("\nsee page 2.\nor 3.", "", "document"), ("\nPlan.pdf\nread it", "Plan.pdf", "document")],
)  # fmt: skip
def test_a_document_without_a_suffix_has_its_name_below(
    read: Read, below: str, name: str, kind: str
) -> None:
    export = read(f"31/1/21, 10:00 - Ann: DOC-20210131-WA0006. (bestand bijgevoegd){below}\n"
                  "31/1/21, 10:01 - Bob: DOC-20210131-WA0006. is on my desk")  # fmt: skip
    assert [m.attachments for m in export.chats[0].messages] == [(Attachment(name, kind),), ()]


def test_angle_brackets_that_people_write_are_text(read: Read) -> None:
    export = read("31/1/21, 10:00 - Ann: <3\n31/1/21, 10:01 - Bob: <div>\n31/1/21, 10:02 - Bob: x")
    assert (export.media, [m.kind for m in export.chats[0].messages]) == (0, ["text"] * 3)


def test_a_person_who_sent_only_media_of_an_unknown_language_loses_nothing(read: Read) -> None:
    export = read(
        "[31/1/21, 10:00:00] Ann: \u200eMessages and calls are end-to-end encrypted.\n"
        "[31/1/21, 10:00:01] Ann: \u200ebildo forlasita\n"
        "[31/1/21, 10:00:02] Ann: \u200ebildo forlasita\n[31/1/21, 10:00:03] Bob: nice"
    )
    assert [(m.sender, m.text) for m in export.chats[0].messages] == [
        ("Ann", "bildo forlasita"), ("Ann", "bildo forlasita"), ("Bob", "nice"),
    ]  # fmt: skip
    assert export.system_lines == 1


def test_a_chinese_photo_has_its_name_and_kind(read: Read) -> None:
    export = read("[2021/1/31 10:00:00] Ann: \u200e<附件：00000042-PHOTO-2021-01-31.jpg>\n"
                  "[2021/1/31 10:00:01] Bob: hi")  # fmt: skip
    [photo] = export.chats[0].messages[0].attachments
    assert (photo.name, photo.kind) == ("00000042-PHOTO-2021-01-31.jpg", "photo")


def test_only_whatsapps_own_mark_of_an_edit_is_taken_away(read: Read) -> None:
    export = read("31/1/21, 10:00 - Ann: hi <edited by Bob>\n31/1/21, 10:01 - Bob: ho <Viestiä muokattu>\n"
                  "31/1/21, 10:02 - Bob: so \u200e<Viestiä muokattu>\n"
                  "31/1/21, 10:03 - Ann: be <Denne meldingen ble redigert.>")  # fmt: skip
    assert [(m.text, m.edited) for m in export.chats[0].messages] == [
        ("hi <edited by Bob>", False), ("ho <Viestiä muokattu>", False), ("so", True), ("be", True),
    ]  # fmt: skip


def test_newer_android_marks(read: Read) -> None:
    export = read("\n".join(f"1/25/26, 9:0{n}\u202fAM - {line}" for n, line in enumerate([
        "Ann: hi @\u2068Bob Stone\u2069, tea? <This message was edited>", "Bob: You deleted this message as admin",
        "Bob: null", "Bob: Waiting for this message. This may take a while.",
        "Bob: PTV-20260125-WA0003.mp4 (file attached)", 'This group was added to the community "Harbour: all"',
        "Ann: POLL:\nWhen?\nOPTION: now (2 votes)", "Ann: view once photo",
    ])))  # fmt: skip
    found = export.chats[0].messages
    assert [(m.text, m.kind) for m in found] == [
        ("hi @Bob Stone, tea?", "text"), ("[deleted]", "text"), ("null", "media"),
        ("PTV-20260125-WA0003.mp4 (file attached)", "media"), ("POLL:\nWhen?\nOPTION: now (2 votes)", "text"),
        ("view once photo", "text"),
    ]  # fmt: skip
    assert (found[0].edited, found[1].deleted, found[3].attachments[0].kind) == (
        True,
        True,
        "video",
    )
    assert export.system_lines == 2


def test_newer_ios_marks(read: Read) -> None:
    export = read("\n".join(f"\u200e[1/25/26, 9:0{n}:00\u202fAM] {line}" for n, line in enumerate([
        "Boats: \u200eMessages and calls are end-to-end encrypted.", "~\u202fZoe: hi @\u2068~Bob\u2069, @~\u202fKim, me@~x and @~ Lu",
        "Ann: \u200eView once photo", "Ann: \u200eVoice call, \u200e5 min",
        "Ann: papers.pdf \u2022 \u200e3 pages \u200edocument omitted", "Ann: \u200eYou pinned a message",
        "Ann: \u200eWaiting for this message. This may take a while.",
    ])))  # fmt: skip
    found = export.chats[0].messages
    assert [m.sender for m in found] == ["Zoe", "Ann", "Ann"]
    assert (found[0].text, found[1].kind) == ("hi @Bob, @Kim, me@~x and @Lu", "media")
    assert (found[2].attachments[0].name, found[2].attachments[0].kind) == (
        "papers.pdf",
        "document",
    )
    assert export.system_lines == 4


def test_whatsapp_names_its_files(read: Read) -> None:
    export = read(
        "31/1/21, 10:00 - Ann: IMG-20210131-WA0001.jpg (file attached)\n"
        "31/1/21, 10:01 - Bob: \u200evideo omitted\n31/1/21, 10:02 - Bob: PTT-20210131-WA0002.opus (Datei angehängt)\n"
        "31/1/21, 10:03 - Bob: Letter of May.pdf (file attached)\n"
    )
    assert [m.attachments[0] for m in export.chats[0].messages] == [
        Attachment("IMG-20210131-WA0001.jpg", "photo"), Attachment("", "video"),
        Attachment("PTT-20210131-WA0002.opus", "audio"), Attachment("Letter of May.pdf", "document"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("\u200eljud uteslutet", "audio"), ("\u200eήχος παραλείφθηκε", "audio"), ("\u200ewideo pominięte", "video"),
        ("\u200eналіпка відсутня", "sticker"), ("\u200eGIF已忽略", "gif"), ("\u200e文件已忽略", "document"),
        ("\u200ebillede udeladt", "photo"),
    ],
)  # fmt: skip
def test_media_left_out_of_the_export_has_its_kind(read: Read, text: str, kind: str) -> None:
    export = read(f"[31/1/21, 10:00:00] Ann: {text}\n[31/1/21, 10:01:00] Bob: nice")
    assert export.chats[0].messages[0].attachments == (Attachment("", kind),)


@pytest.mark.parametrize(
    "text",
    [
        "\u200eSprachanruf, \u200e12 Min.", "\u200eSprachanruf. \u200eKeine Antwort",
        "\u200eLlamada de voz, \u200e4 min", "\u200eHlasový hovor, \u200e3 min",
        "Wartet auf diese Nachricht. Dies kann etwas dauern.", "Esperando este mensaje.",
        "Aguardando mensagem. Essa ação pode levar alguns instantes.", "Wachten op dit bericht. Dit kan even duren.",
    ],
)  # fmt: skip
def test_ios_calls_and_messages_that_did_not_arrive_are_no_messages(read: Read, text: str) -> None:
    export = read(
        "[31.01.21, 10:00:00] Ann: \u200eNachrichten sind Ende-zu-Ende-verschlüsselt.\n"
        f"[31.01.21, 10:00:01] Bob: {text}\n[31.01.21, 10:00:02] Ann: Sprachanruf, 12 Minuten vor acht?\n"
        "[31.01.21, 10:00:03] Ann: Video call, 5 min\n"
    )
    assert [m.text for m in export.chats[0].messages] == [
        "Sprachanruf, 12 Minuten vor acht?", "Video call, 5 min",
    ]  # fmt: skip
    assert export.system_lines == 2


@pytest.mark.parametrize(
    "text",
    ["Videoanruf, 20 Uhr", "Video call, 8 pm", "Group call. 15 May", "Video call, 20 min", "Appel vocal, 3 min"],
)  # fmt: skip
def test_what_reads_like_a_call_is_a_message_in_an_ios_export_without_marks(
    read: Read, text: str
) -> None:
    export = read(f"[31.01.21, 10:00:01] Bob: {text}\n[31.01.21, 10:00:02] Ann: yes\n")
    assert [m.text for m in export.chats[0].messages] == [text, "yes"]
    assert export.system_lines == 0


@pytest.mark.parametrize(
    "notices",
    [
        ["Ann created group “Lake 2026”"],
        ["Ann created group “Lake”", "Ann changed the group name to “Lake 2026”"],
        ["Ann changed the subject from “Lake” to “Lake 2026”"],
        ["Ann hat die Gruppe „Lake 2026“ erstellt."],
        ['Ann creó el grupo "Lake 2026"'],
        ["Ann a créé le groupe « Lake 2026 »"],
        ["Ann создал(-а) группу «Lake 2026»"],
        ["Ann created group “Lake 2026”", "Ann added the group “Lake 2026” to the community “Walkers”"],
        ["Ann created group “Lake 2026”", "Ann changed this group's icon", "Ann left"],
    ],
)  # fmt: skip
def test_a_notice_names_the_group_where_the_file_does_not(read: Read, notices: list[str]) -> None:
    text = "".join(f"[31/1/21, 10:00:00] Ann: \u200e{notice}\n" for notice in notices)
    text += "[31/1/21, 10:00:01] Ann: hi\n[31/1/21, 10:00:02] Bob: ho\n"
    [chat] = read(text, "_chat.txt").chats
    assert chat.title == "Lake 2026"
    assert [(m.sender, m.text) for m in chat.messages] == [("Ann", "hi"), ("Bob", "ho")]
    assert read(text, "WhatsApp Chat - The lake.txt").chats[0].title == "The lake"
    assert read(text, "_chat.txt", chat_title="Us").chats[0].title == "Us"


@pytest.mark.parametrize(
    "said",
    [
        "Ann: I created group “Lake 2026”, join it",
        "Bob: \u200eAnn created this group",
        "Bob: they changed the group name to “Lake 2026”?",
    ],
)
def test_what_people_say_names_no_group(read: Read, said: str) -> None:
    text = f"[31/1/21, 10:00:01] {said}\n[31/1/21, 10:00:02] Bob: ho\n"
    assert read(text, "_chat.txt").chats[0].title is None


@pytest.mark.parametrize(
    "told",
    [
        "This business works with other companies to manage this chat.",
        "You turned on disappearing messages. New messages will disappear from this chat after 90 days.",
        "Du hast selbstlöschende Nachrichten deaktiviert.",
        "Vous avez bloqué ce contact pour le moment.",
    ],
)
def test_a_sentence_of_the_app_in_a_chat_of_two_is_no_message(read: Read, told: str) -> None:
    export = read(
        f"[3/14/24, 9:05:11 PM] Shop: \u200e{told}\n[3/14/24, 9:06:11 PM] Shop: shipped.\n"
        "[3/14/24, 9:07:11 PM] Ann: \u200ePOLL:\nWhich day suits you all best then.\n\u200eOPTION: Fri (1 vote)\n"
        "[3/14/24, 9:08:11 PM] Ann: \u200eLocation: https://maps.example.org/?q=1,2.\n"
    )
    assert [m.text.partition("\n")[0] for m in export.chats[0].messages] == [
        "shipped.", "POLL:", "Location: https://maps.example.org/?q=1,2.",
    ]  # fmt: skip
    assert export.system_lines == 1


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("\u200ePOLL:\nWhich day?\n\u200eOPTION: Sat (\u200e2 votes)", "POLL:\nWhich day?\nOPTION: Sat (2 votes)"),
        ("\u200e\u202a+44 7700 900123\u202c is my number", "+44 7700 900123 is my number"),
        ("call \u2068+44 7700 900123\u2069", "call +44 7700 900123"),
        ("👩\u200d🚀 ❤\ufe0f", "👩\u200d🚀 ❤\ufe0f"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष क्\u200cष", "क्\u200dष क्\u200cष"),
        ("שלום!\u200f Tom", "שלום!\u200f Tom"),
    ],
)  # fmt: skip
def test_a_text_has_no_marks_of_layout_and_keeps_those_of_writing(
    read: Read, written: str, said: str
) -> None:
    export = read(f"[14/03/2024, 18:05:01] Ann: hi\n[14/03/2024, 18:05:02] Ben: {written}\n")
    assert export.chats[0].messages[1].text == said


def test_a_caption_before_a_file_has_no_marks_of_layout(read: Read) -> None:
    written = "Report.pdf \u2022 \u200e3 pages \u200e<attached: 00000009-Report.pdf>"
    [message] = read(f"\u200e[14/03/2024, 18:05:01] Ann: {written}\n").chats[0].messages
    assert message.text == "Report.pdf \u2022 3 pages"
    assert message.attachments == (Attachment("00000009-Report.pdf", "document"),)


@pytest.mark.parametrize(
    "word",
    ["attached", "anexado", "anexada", "Anhang", "adjunto", "pièce jointe", "allegato", "bijgevoegd", "eklendi",
     "прикреплено", "додано", "terlampir", "załączono", "bifogat", "vedhæftet", "vedlagt", "liitetty", "附件",
     "添付ファイル", "첨부됨", "مرفق", "צורף", "संलग्न", "přiložen", "csatolva", "συνημμένο", "đính kèm"],
)  # fmt: skip
def test_a_caption_of_ios_has_no_placeholder_of_its_file(read: Read, word: str) -> None:
    file = "00000012-PHOTO-2026-01-12-13-01-22.jpg"
    export = read(
        f"[12/01/2026, 13:01:50] Bruna: done!!! \u200e<{word}: {file}>\n"
        f"\u200e[12/01/2026, 13:01:51] Bruna: \u200e<{word}: {file}>\n"
        f"[12/01/2026, 13:01:52] Bruna: two\nlines\n\u200e<{word}: {file}>\n"
    )
    found = export.chats[0].messages
    assert [(m.text, m.kind) for m in (found[0], found[2])] == [
        ("done!!!", "text"),
        ("two\nlines", "text"),
    ]
    assert found[1].kind == "media"
    assert {m.attachments for m in found} == {(Attachment(file, "photo"),)}


def test_a_caption_of_android_has_no_placeholder_of_its_file(read: Read) -> None:
    export = read("31/1/21, 10:00 - Ann: IMG-20210131-WA0001.jpg (file attached)\nlook at this\n")
    [message] = export.chats[0].messages
    assert (message.text, message.kind) == ("look at this", "text")
    assert message.attachments == (Attachment("IMG-20210131-WA0001.jpg", "photo"),)


def test_words_that_may_be_a_persons_stay_in_a_message(read: Read) -> None:
    export = read("31/1/21, 10:00 - Ann: hi\nNULL\n31/1/21, 10:01 - Ann: see\nvideo omitted\n")
    assert [m.text for m in export.chats[0].messages] == ["hi\nNULL", "see\nvideo omitted"]
