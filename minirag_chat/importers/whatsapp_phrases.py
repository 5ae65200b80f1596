"""Recognises text that WhatsApp itself writes: media, notices, marks, and titles in file names."""
# ruff: noqa: RUF001 - phrases in many scripts

from __future__ import annotations

import re
from functools import cache, lru_cache

from minirag_chat.importers.base import clean_name
from minirag_chat.importers.whatsapp_words import (
    CALL,
    DELETED,
    MISSED_CALL,
    NOT_ARRIVED,
    OMITTED,
    OMITTED_THING,
    ONLY_BRACKETED,
    ONLY_MARKED,
    WAS_EDITED,
)
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Attachment

# Before what WhatsApp itself writes on iOS: the first in all languages, the second in those written from
# right to left, where people's texts may begin with it too.
OWN_MARKS = ("\u200e", "\u200f")

_BY_ADMIN = lazy(
    r"this message was deleted by (?:the )?(?:group )?admin,? .+|"
    r"diese nachricht wurde vo[nm] (?:gruppen)?admin,? .+ gelöscht|"
    r"(?:el admin(?:istrador)?|un admin) .+ eliminó este mensaje|mensagem apagada pelo admin .+"
)
_EDITED = lazy(
    r"edited|bearbeitet|edit[oó]|editad[oa]|modifié|modificato|bewerkt|düzenlendi|изменен|змінен|"
    r"diedit|edytowan|redigera|redigere?t|muokat|upraven|編集|수정|编辑|編輯|تعديل|נערכ",
    re.IGNORECASE,
)
_ATTACHED = lazy(
    r"(?:(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-\d{8}-WA\d+\.\w{2,5}(?: \([^()\n]+\))?"
    r"|DOC-\d{8}-WA\d+\.? \([^()\n]+\)"
    r"|[^\n/\\]+\.\w{2,5} \((?:file attached|Datei angehängt|archivo adjunto|fichier joint|"
    r"file allegato|arquivo anexado|ficheiro anexado|bestand bijgevoegd|dosya ekli|dosya eklendi|"
    r"файл добавлен|файл додано|file terlampir|plik dołączony|załączony plik|bifogad fil|"
    r"vedhæftet fil|fil vedlagt|tiedosto liitetty|添付ファイル|파일 첨부됨|文件附件|檔案附件|"
    r"附件|附件檔案|الملف مرفق|קובץ מצורף|संलग्न फ़ाइल|fil vedhæftet|vedlagt fil|liitetiedosto|"
    r"archivo adjuntado|arxiu adjunt|fájl csatolva|soubor byl přiložen|συνημμένο αρχείο|"
    r"fișier atașat|tệp đính kèm)\)"
    r"|[<‹][^<>‹›:：\n]{2,30}[:：] ?(?P<file>[^<>‹›\n]+\.\w{2,5})[>›])"
)
_ENCRYPTION = (
    r"end-to-end|ende-zu-ende|extremo a extremo|bout en bout|ponta a ponta|uçtan uca|шифрован|"
    r"crittografi|eind-tot-eind|端到端|端對端|エンドツーエンド|종단간|ende-til-ende|ände till ände|"
    r"päästä päähän|w pełni szyfrowan|koncov[eěo]\w{0,3} šifrov|végpontok közötti|διατερματικ|"
    r"наскрізн|mã hóa đầu cuối|เข้ารหัสจากต้นทาง|एंड-टू-एंड|"
    r"مشفرة تمام.{0,3} بين الطرفين|سرتاسر رمزگذاری|מוצפנות מקצה לקצה"
)
_ENCRYPTED = lazy(_ENCRYPTION, re.IGNORECASE)
_NOTICE = lazy(
    rf"{_ENCRYPTION}|security code|sicherheitsnummer|"
    r"missed (?:voice|video|group)|verpasster? |^[\u200e ]*(?:voice|video) call\b|"
    r"^[\u200e ]*you (?:un)?pinned a message|"
    r"llamada (?:perdida|de voz perdida)|appel \w+ manqué|"
    r"chiamata \w* ?persa|chamada de \w+ perdida|gemiste |cevapsız|пропущенный",
    re.IGNORECASE,
)
# On iOS the app puts its mark before all of its sentences, in any language. A person's message with the mark
# is a file or has a colon: `POLL:`, an address.
_SENTENCE_MARKS, _SENTENCE_ENDS, _SHORTEST_SENTENCE = ":：<>\n", (".", "。", "।", "։"), 20
# On iOS the app's own mark is before the call and before its outcome.
_MARKED_CALL = lazy(r"\u200e ?[^\W\d][^\d\n\u200e:]{2,60}[.,،、] ?\u200e[^\n\u200e:]{1,60}")
_LASTED = lazy(r"[,.] (?:\d{1,3} (?:sec|min|hrs?|Sek\.|Min\.|Std\.)(?: |$)){1,2}$")
_ENDED = lazy(r"[,.] (?:No answer|Answered on other device|\d{1,4} joined)$")
_GROUP = lazy(
    r"group|gruppe|grupo|groupe|gruppo|\bgroep|\bgrup|групп|群組|群组|グループ|그룹|مجموعة|קבוצ|समूह|ryhmä|skupin|ομάδα|กลุ่ม|nhóm|csoport|груп|"
    r"\b(?:added|left|removed|were added)\b|hinzugefügt|verlassen|"
    r"añadió|agregó|salió|ajouté|quitté|"
    r"aggiunto|abbandonato|adicionou|saiu|toegevoegd|ekledi|ayrıldı|добавил|покинул",
    re.IGNORECASE,
)
# What happens to a member of a group, in a sentence that names the member.
_MEMBER = lazy(
    r"entfernt|beigetreten|elimin[óo]|\buni[óo]\b|retiré|rejoint|rimosso|entrat[oa]\b|removeu|entrou|verwijderd|"
    r"çıkardı|katıldı|удалил|вступил|присоедини|додав|додала|вилучи|видали[вл]|приєдна|dodał|usunął|usunęł|dołączył|"
    r"menambahkan|mengeluarkan|bergabung|\b(?:lade|la) till?\b|tog bort|fjernede|fjernet|tilføjede|"
    r"gick med|ble med|lisäsi|poisti|liittyi|přidal|pridal|odebral|odstránil|připojil|pripojil|"
    r"hozzáadta|eltávolította|csatlakozott|adăugat|eliminat|alăturat|πρόσθεσε|αφαίρεσε|εντάχθηκε|"
    r"đã thêm|đã xóa|tham gia|"
    r"เพิ่ม|เข้าร่วม|追加|削除|参加|추가|내보|참여|添加|新增|加入|移除|移出|"
    r"הוסי[פף]|הסיר|הצטר[פף]|जोड़ा|हटाया|शामिल|أضاف|أزال|انضم|غادر|اضافه|پیوست",
    re.IGNORECASE,
)
# A notice with these words and a quotation gives a group its name; other notices quote a community.
_GETS_NAME = lazy(
    r"\b(?:created|changed)\b|\b(?:erstellt|geändert)\b|\b(?:creó|cambió)\b|\b(?:créé|modifié|changé)\b|"
    r"\b(?:creato|cambiato|modificato)\b|\b(?:criou|mudou|alterou)\b|aangemaakt|gewijzigd|oluşturdu|"
    r"değiştirdi|создал|изменил|创建|建立|更改|変更|作成|만들|변경",
    re.IGNORECASE,
)
_SUBJECT = lazy(
    r"\b(?:subject|betreff|asunto|sujet|objet|oggetto|assunto|onderwerp|konu|тем[ау])",
    re.IGNORECASE,
)
_COMMUNITY = lazy(r"communi|comuni|communau|\bgemeenschap|toplulu[kğ]|сообществ", re.IGNORECASE)
# What members do with groups, in a notice that names a community after a colon.
_DOES = lazy(
    r"\b(?:added|joined|removed|left)\b|\bhinzugefügt|\bbeigetreten|\bentfernt|toegevoegd|verwijderd|"
    r"\baña(?:dió|dieron)|\bagreg(?:ó|aron|aste)|\buni(?:ó|ste)|\bajouté|\brejoint|\baggiunto|\bunit[oa]|"
    r"\badicion(?:ou|ado|ada|aram)|\bentrou|ekledi|katıl|добавил|вступил|присоедини",
    re.IGNORECASE,
)
# In Arabic the verb of a notice comes first.
_ARABIC_NOTICE = lazy(
    r"(?:غادر|أضاف|أزال|انضم|أنشأ|غي[\u0651]?ر|قام)(?:ت|وا)? (?P<people>[^\n:<>]{1,200})"
)
_QUOTED = lazy(r"[“„”«「《\"]([^“„”«»「」《》\"\n]{1,100})[“”»」》\"]")
_TITLES = (
    lazy(r"whatsapp[ -]?chat(?:verlauf)? (?:with|mit|met|med|-|–) (?P<title>.+)", re.IGNORECASE),
    lazy(
        r".{0,20}\bwhatsapp\b.{0,12}? "
        r"(?:with|mit|met|med|con|com|avec|cu|dengan|с(?: контактом)?|з|z(?: użytkownikiem)?|"
        r"s(?: uživatelem| kontaktem| používateľom)?|με|với|กับ|amb|kay|ar|su|са|со|kontaktiga|-|–)"
        r" (?P<title>.+)",
        re.IGNORECASE,
    ),
    # Turkish, Azerbaijani, Uzbek, languages of India; Albanian, Finnish
    lazy(
        r"(?P<title>.+) (?:ile|ilə|bilan|के साथ|सोबतच्या|এর সাথে|સાથેની|ਨਾਲ|உடன்|తో|ಜೊತೆ|മായുള്ള|کے ساتھ) whatsapp.*",
        re.IGNORECASE,
    ),
    lazy(r"biseda me (?P<title>.+) në whatsapp", re.IGNORECASE),
    lazy(r"whatsapp-keskustelu henkilön (?P<title>.+) kanssa", re.IGNORECASE),
    lazy(r"whatsapp sohbeti - (?P<title>.+)", re.IGNORECASE),
    # Arabic, Hebrew, Persian; Chinese, Japanese, Korean; Hungarian
    lazy(r".{0,20}(?:واتساب|whatsapp).{0,12}?\s(?:مع|עם|با)\s(?P<title>.+)", re.IGNORECASE),
    lazy(r"[与與和](?P<title>.+?) ?的 ?whatsapp ?[聊对對].+", re.IGNORECASE),
    lazy(r"whatsapp ?[与與和] ?(?P<title>.+?) ?的 ?[对對][话話]", re.IGNORECASE),
    lazy(r"(?P<title>.+?) ?(?:との|님과의?) ?whatsapp ?.+", re.IGNORECASE),
    lazy(
        r"whatsapp(?:-beszélgetés| csevegés vele|-keskustelu| чат)[:_] ?(?P<title>.+)",
        re.IGNORECASE,
    ),
)


_MENTION = lazy("@\u2068([^\u2068\u2069\n]{1,100})\u2069")
_NO_CONTACT = lazy(r"(?<!\w)@~[ \u00a0\u202f]*(?=\w)")
_DOCUMENT = lazy(r"[\u200e\u200f ]{0,4}([^\n\u2022]{1,200}) \u2022 [\u200e\u200f]")
_UNNAMED = lazy(r"DOC-\d{8}-WA\d+\.? \([^()\n]+\)\n(?P<file>[^<>:\n/\\]{1,200}\.\w{2,5})(?:\n|$)")
_FILE_NAME = lazy(r"[^<>:\n/\\]+\.\w{2,5}\b")
_KINDS = (
    (r"^live location", "live location"),
    (
        (
            r"sti[ck]+er|^stk-|\.webp|figurinha|autocolant|стикер|стікер|^наліпка|çıkartma|贴图|貼圖|スタンプ|"
            r"스티커|^klistremerke|^naklejka|^nálepka|^αυτοκόλλητο|^matrica|^(?:ei )?tarra|nhãn dán|สติกเกอร์|"
            r"^ה?מדבקה|^סטיקר|الملصق|स्टिकर|^klistermærke"
        ),
        "sticker",
    ),
    (r"\.gif\b|^gif(?![a-z0-9_])|^ei gif| صورة gif$", "gif"),
    (
        (
            r"^img-|-photo-|\.(?:jpe?g|png|heic)\b|image|bild|^billede|ima[gt]|immag|afbeelding|görüntü|изображ|фото|"
            r"gambar|obr[aá]z|kuva|画像|图像|图片|圖片|照片|이미지|사진|صورة|תמונה|зображ|"
            r"^εικόνα|^grafika|^kép |^foto zur|: foto$|^view once photo|hình ảnh|รูปภาพ|तस्वीर|^फ़ोटो|"
            r"圖像"
        ),
        "photo",
    ),
    (
        (
            r"^vid-|-video-|\.(?:mp4|mov|3gp)\b|v[ií]d[eé][oó]|^wideo|видео|відео|film|视频|影片|동영상|비디오|動画|"
            r"ビデオ|^βίντεο|วิดีโอ|^הסרטון|^סרטון|वीडियो|^الفيديو|"
            r"إدراج الفيديو"
        ),
        "video",
    ),
    (
        (
            r"^view once voice|"
            r"^(?:ptt|aud)-|-audio-|\.(?:opus|ogg|m4a|aac|mp3)\b|[aáà]udio|аудио|аудіо|ses |dźwięk|音声|음성|"
            r"오디오|音频|音訊|^ljud |^lyd |^(?:ei )?ään|^hang |^zvuk |^ήχοσ |âm thanh|เสียง|^ה?אודיו|"
            r"ऑडियो|^الصوت|المقاطع الصوتية|^קטע קול"
        ),
        "audio",
    ),
    (
        (
            r"contact|kontakt|contatto|contato|контакт|\.vcf\b|^kartu kontak|^kişi kartı|^visitekaart|"
            r"جهة اتصال|^כרטיס איש קשר|聯絡人|联系人|連絡先|연락처"
        ),
        "contact",
    ),
    (
        (
            r"^doc-|\.(?:pdf|docx?|xlsx?|pptx?|txt|zip)\b|do[ck]umen|документ|^belge|^文件|^文档|"
            r"문서|文書|^έγγραφο|asiakirja|tài liệu|เอกสาร|^ה?מסמך|المستند$|डॉक्यूमेंट|"
            r"ドキュメント"
        ),
        "document",
    ),
)


_LAYOUT_MARKS = dict.fromkeys(map(ord, "\u200e\u202a\u202c\u2066\u2068\u2069"))
_OPENS, _CLOSES = ("<", "‹"), (">", "›")  # around a placeholder
_SPACES = "\u200e\u200f \n"
_STOPS = ".。।"  # full stops
_LONGEST = 120  # characters of a placeholder with a file name
_LONGEST_MARKED = 400  # characters of a placeholder with WhatsApp's own mark
_WORDS_ABOUT_COMMUNITY = 5  # at least, in a notice with its verb
_LONGEST_EDIT = 80  # characters of the mark of an edited message


@cache
def _phrases(table: str) -> frozenset[str]:
    return frozenset(phrase.casefold() for phrase in _sentences(table))


@cache
def _sentences(table: str) -> frozenset[str]:
    phrases = (phrase.strip() for line in table.split("\n") for phrase in line.split("|"))
    return frozenset(phrase for phrase in phrases if phrase)


def media_part(line: str) -> str | None:
    """Return the placeholder that is the whole line, or its end after a caption; else None."""
    marks = (mark for mark in OWN_MARKS if mark in line)
    found = _media_behind(line, next(marks, OWN_MARKS[0]))
    other = next(marks, None) if found is None else None
    return found if other is None else _media_behind(line, other)


def _media_behind(line: str, own_mark: str) -> str | None:
    caption, mark, placeholder = line.rpartition(own_mark)
    if len(line) <= (_LONGEST_MARKED if mark else _LONGEST) and _stands_for_media(line):
        return line
    if not mark or len(placeholder) > _LONGEST:
        return None
    if _is_one_of(placeholder, ONLY_MARKED):
        return placeholder
    return placeholder if clean_name(caption) and _stands_for_media(placeholder) else None


def without_isolates(text: str) -> str:
    """Return a text with mentions as plain names, ``@Bob Stone``, also of people who are not contacts."""
    text = _MENTION.sub(r"@\1", text) if "\u2068" in text else text
    return _NO_CONTACT.sub("@", text) if "@~" in text else text


def without_layout_marks(text: str) -> str:
    """Return a text without the marks with which WhatsApp sets numbers, names and its own words apart.

    Marks that join emoji or letters are kept, and those that people write from right to left type.
    """
    return text if text.isascii() else text.translate(_LAYOUT_MARKS)


def has_not_arrived(text: str) -> bool:
    """Whether a text is the placeholder of a message that had not arrived yet."""
    return len(text) <= _LONGEST and _is_one_of(text, NOT_ARRIVED)


def _is_one_of(text: str, table: str) -> bool:
    return _plain(text) in _phrases(table)


@lru_cache(maxsize=4)  # the same text is compared with several tables
def _plain(text: str) -> str:
    """Normalise a text for comparison with the tables: without marks and the final full stop."""
    return clean_name(text).rstrip(_STOPS).casefold()


def _stands_for_media(line: str) -> bool:
    text = clean_name(line)
    is_bracketed = text[:1] in _OPENS and text[-1:] in _CLOSES
    bare = _plain(text[1:-1] if is_bracketed else text)
    if bare in _phrases(OMITTED) or bare in _phrases(OMITTED_THING):
        return True
    if is_bracketed and bare in _phrases(ONLY_BRACKETED):
        return True
    return _ATTACHED.fullmatch(text) is not None


def names_file(placeholder: str) -> bool:
    """Whether a placeholder has the name of its file."""
    return _ATTACHED.fullmatch(clean_name(placeholder)) is not None


def attachment_in(placeholder: str, before: str = "") -> Attachment:
    """Return the name and kind of the file of a placeholder.

    ``before`` is the message with it: iOS writes a document's name and pages there, and Android, below a
    document without a suffix, its name.
    """
    text = clean_name(placeholder)
    named = _DOCUMENT.match(before)
    attached = _ATTACHED.fullmatch(text)
    name = _FILE_NAME.search((attached and attached["file"]) or text) or (
        named and _FILE_NAME.search(named[1])
    )
    below = _UNNAMED.match(before.lstrip(_SPACES))
    found = below["file"].strip() if below else name.group().strip() if name else ""
    low = (found or text.strip("<>‹›")).casefold()
    kind = next((kind for mark, kind in _KINDS if re.search(mark, low)), "media")
    return Attachment(found, kind)


def is_deleted(text: str) -> bool:
    """Whether a text is the placeholder of a deleted message."""
    plain = _plain(text) if len(text) <= _LONGEST else ""
    if plain in _phrases(DELETED):
        return True
    return "admin" in plain and _BY_ADMIN.fullmatch(plain) is not None


def without_edit_mark(text: str) -> tuple[str, bool]:
    """Return the text without WhatsApp's mark of an edited message, and whether it had one."""
    if not text.endswith(">"):
        return text, False
    before, opening, rest = text.rpartition("<")
    words = rest.removesuffix(">")
    if not opening or len(rest) > _LONGEST_EDIT or ">" in words or "\n" in words:
        return text, False
    is_marked = before.endswith(OWN_MARKS) and _EDITED.search(words) is not None
    if not is_marked and not _is_one_of(words, WAS_EDITED):
        return text, False
    return before.rstrip("".join(OWN_MARKS)).rstrip(), True


def is_notice(text: str) -> bool:
    """Whether a text is a notice about encryption, security codes or missed calls."""
    return _NOTICE.search(text) is not None


def is_call(text: str) -> bool:
    """Whether a text is a notice of a call, recognised in any language by WhatsApp's own marks.

    In a file without these marks it is a message, since people also write "Video call, 20 min".
    """
    return _MARKED_CALL.fullmatch(text.strip()) is not None


def is_call_of_android(text: str) -> bool:
    """Whether a text is Android's notice of a call, missed or with its length or outcome, and nothing else.

    It has the capital letter and the short form of the unit with which the app writes it.
    """
    said = text.strip(_SPACES) if len(text) <= _LONGEST else ""
    end = _LASTED.search(said) or _ENDED.search(said)
    return said in _sentences(MISSED_CALL) or (
        end is not None and said[: end.start()] in _sentences(CALL)
    )


def is_missed_call(text: str) -> bool:
    """Whether a text is the notice of a missed call, in a language of the table, and nothing else.

    People write such words too: it is the app's in a file of Android, and behind the app's own mark on iOS.
    """
    return text.strip(_SPACES) in _sentences(MISSED_CALL)


def is_about_encryption(text: str) -> bool:
    """Whether a text is the notice that a chat is encrypted, which stands at its beginning."""
    return _ENCRYPTED.search(text) is not None


def is_about_member(sender: str, text: str) -> bool:
    """Whether a sentence tells what happened to its sender in a group: who added them, that they left."""
    around = _QUOTED.sub(" ", clean_name(text))
    return is_named(sender, around) and is_about_members(text)


def is_about_members(text: str) -> bool:
    """Whether a sentence is about a group or what happened to its members."""
    said = text.strip(_SPACES)
    if OWN_MARKS[0] in said or any(mark in said for mark in _SENTENCE_MARKS):  # a file, a poll
        return False
    return is_group_notice(text) or _MEMBER.search(text) is not None


def is_named(name: str, text: str) -> bool:
    """Whether a text has the name as words of its own, which particles of other scripts may follow."""
    at = text.find(name)
    while at >= 0:
        edges = text[at - 1 : at] + text[at + len(name) : at + len(name) + 1]
        if not any(edge.isdecimal() or edge.lower() != edge.upper() for edge in edges):
            return True
        at = text.find(name, at + 1)
    return False


def is_group_notice(text: str) -> bool:
    """Whether a system line is about a group: who created it, joined or left."""
    return _GROUP.search(text) is not None


def is_about_community(text: str) -> bool:
    """Whether the words before a colon are a notice about a community, whose name is after it."""
    return (
        len(text.split()) >= _WORDS_ABOUT_COMMUNITY
        and _COMMUNITY.search(text) is not None
        and _DOES.search(text) is not None
    )


def people_in_arabic_notice(text: str) -> str:
    """The words after the verb of a notice in Arabic, with the names of members; empty for other texts."""
    found = _ARABIC_NOTICE.fullmatch(text.strip("\u200e\u200f "))
    return "" if found is None else found["people"]


def group_name_in(text: str) -> str | None:
    """Return the name that a group got by a system line; None for other lines."""
    quoted = list(_QUOTED.finditer(text))
    if not quoted:
        return None
    around = _QUOTED.sub(" ", text)
    if _GETS_NAME.search(around) is None or _COMMUNITY.search(around) is not None:
        return None
    if not is_group_notice(around) and _SUBJECT.search(around) is None:
        return None
    return clean_name(quoted[-1][1]) or None


def is_sentence(text: str) -> bool:
    """Whether a text with WhatsApp's own mark before it is a sentence of WhatsApp."""
    said = text.strip("\u200e ")
    return (
        len(said) > _SHORTEST_SENTENCE
        and said.endswith(_SENTENCE_ENDS)
        and not any(mark in said for mark in _SENTENCE_MARKS)
    )


def title_in(name: str) -> str | None:
    """Return the chat's title from the name of an export without its suffix, or None."""
    plain = re.sub(r"\s*\(\d+\)$", "", name if " " in name else name.replace("_", " ")).strip()
    for pattern in _TITLES:
        match = pattern.fullmatch(plain)
        if match is not None:
            return clean_name(match["title"]) or None
    return None
