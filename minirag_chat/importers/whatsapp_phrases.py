"""What WhatsApp itself writes into an export, in the languages it is used in most.

The phrases are facts of the exports, by language; a language that is missing costs no message:
its placeholders are read as text.
"""
# ruff: noqa: RUF001 - phrases in many scripts

from __future__ import annotations

import re
from functools import cache

from minirag_chat.importers.base import clean_name
from minirag_chat.records import Attachment

# Whole texts, with and without the angle brackets that Android sets around them.
_OMITTED = """
media omitted | medien ausgeschlossen | medien weggelassen | multimedia omitido
archivo omitido | médias omis | fichier omis | media omessi | media omessa | file omesso
mídia oculta | arquivo de mídia oculto | mídia omitida | ficheiro não revelado
ficheiro multimédia omitido | media weggelaten | medya dahil edilmedi | medya atlanmış
без медиафайлов | медиафайл пропущен | пропущен медиафайл | без медіафайлів | медіа пропущено
media tidak disertakan | media dihilangkan | pominięto multimedia | multimedia pominięte
media har utelämnats | utelämnad media | mediefil udeladt | medier udeladt | medie udeladt
media utelatt | media jätettiin pois | média vynechána | média vynecháno | médiá vynechané
fișiere media omise | hiányzó médiafájl | média elhagyva | πολυμέσα παραλείφθηκαν
تم استبعاد الوسائط | تم حذف الوسائط | המדיה לא נכללה | המדיה הושמטה
मीडिया के बिना | मीडिया छोड़ा गया | メディアは含まれていません | メディアなし
미디어 파일을 제외한 내보내기 | 미디어 파일 제외됨 | 省略多媒体文件 | 媒体文件已省略 | 忽略多媒體檔
多媒體檔案已略過 | bỏ qua media | đã bỏ qua media | ไม่รวมไฟล์สื่อ | video note omitted
video message omitted | view once voice message omitted | view once message omitted
view once photo omitted | view once video omitted | null
"""
# Only where WhatsApp's own mark stands before them: people write such words too.
_VIEWED_ONCE = """
view once photo | view once video | view once message | view once voice message
einmal ansehen: foto | einmal ansehen: video | foto zur einmalansicht | video zur einmalansicht
"""
_NOT_ARRIVED = """
waiting for this message. this may take a while | waiting for this message
auf diese nachricht wird gewartet. dies kann eine weile dauern | warte auf diese nachricht
esperando el mensaje. esto puede tomar tiempo | in attesa del messaggio
"""
_OMITTED_THING = """
image omitted | video omitted | audio omitted | sticker omitted | gif omitted
document omitted | contact card omitted | bild weggelassen | video weggelassen
audio weggelassen | sticker weggelassen | gif weggelassen | dokument weggelassen
kontaktkarte ausgelassen | imagen omitida | video omitido | audio omitido | sticker omitido
gif omitido | documento omitido | tarjeta de contacto omitida | image absente | vidéo absente
vidéo omise | audio omis | sticker omis | gif retiré | document manquant | fiche contact manquante
immagine omessa | video omesso | audio omesso | sticker non incluso | gif esclusa
documento omesso | scheda contatto omessa | imagem ocultada | imagem omitida | vídeo omitido
áudio ocultado | áudio omitido | figurinha omitida | gif omitido | documento omitido
cartão do contato omitido | afbeelding weggelaten | video weggelaten | audio weggelaten
sticker weggelaten | gif weggelaten | document weggelaten | görüntü dahil edilmedi
video dahil edilmedi | ses dahil edilmedi | çıkartma dahil edilmedi | belge dahil edilmedi
изображение отсутствует | видео отсутствует | аудиофайл отсутствует | стикер отсутствует
документ отсутствует | gambar tidak disertakan | video tidak disertakan | audio tidak disertakan
obraz pominięty | film pominięty | dźwięk pominięty | bild utelämnad | video utelämnad
billede udeladt | video udeladt | bilde utelatt | kuva jätetty pois | video jätetty pois
画像が省略されました | 画像は含まれていません
이미지 생략됨 | 사진 생략 | 동영상 생략
图像已忽略 | 图片已省略 | 视频已省略
圖片略過 | 影片略過 | تم حذف الصورة | الصورة محذوفة | התמונה הושמטה | תמונה הושמטה
"""
_DELETED = """
this message was deleted | you deleted this message | you deleted this message as admin
diese nachricht wurde gelöscht
du hast diese nachricht gelöscht | se eliminó este mensaje | eliminaste este mensaje
este mensaje fue eliminado | ce message a été supprimé | vous avez supprimé ce message
questo messaggio è stato eliminato | hai eliminato questo messaggio
mensagem apagada | essa mensagem foi apagada | você apagou esta mensagem | esta mensagem foi apagada
dit bericht is verwijderd | je hebt dit bericht verwijderd | bu mesaj silindi | bu mesajı sildiniz
сообщение удалено | данное сообщение удалено | вы удалили это сообщение | pesan ini dihapus
anda menghapus pesan ini | usunięto wiadomość | ta wiadomość została usunięta
det här meddelandet togs bort | denne besked blev slettet | この メッセージは削除されました
このメッセージは削除されました | 삭제된 메시지입니다
此消息已被删除 | 你刪除了這則訊息 | 此訊息已刪除
تم حذف هذه الرسالة | הודעה זו נמחקה | यह संदेश हटा दिया गया
"""
_BY_ADMIN = re.compile(
    r"this message was deleted by (?:the )?(?:group )?admin,? .+|"
    r"diese nachricht wurde vo[nm] (?:gruppen)?admin,? .+ gelöscht|"
    r"(?:el admin(?:istrador)?|un admin) .+ eliminó este mensaje|mensagem apagada pelo admin .+"
)
_EDITED = re.compile(
    r"<[^<>\n]*(?:edited|bearbeitet|edit[oó]|editad[oa]|modifié|modificato|bewerkt|"
    r"düzenlendi|изменен|diedit|edytowan|redigera|redigeret|編集|수정|编辑|編輯|تعديل|נערכ)"
    r"[^<>\n]*>",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"(?:(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-\d{8}-WA\d+\.\w{2,5}(?: \([^()\n]+\))?"
    r"|[^\n/\\]+\.\w{2,5} \((?:file attached|Datei angehängt|archivo adjunto|fichier joint|"
    r"file allegato|arquivo anexado|ficheiro anexado|bestand bijgevoegd|dosya ekli|dosya eklendi|"
    r"файл добавлен|файл додано|file terlampir|plik dołączony|załączony plik|bifogad fil|"
    r"vedhæftet fil|fil vedlagt|tiedosto liitetty|添付ファイル|파일 첨부됨|文件附件|檔案附件|"
    r"附件|الملف مرفق|קובץ מצורף|संलग्न फ़ाइल)\)"
    r"|<[^<>:\n]{3,30}: ?[^<>\n]+\.\w{2,5}>)"
)
_NOTICE = re.compile(
    r"end-to-end|ende-zu-ende|extremo a extremo|bout en bout|ponta a ponta|uçtan uca|шифрован|"
    r"crittografi|eind-tot-eind|端到端|エンドツーエンド|종단간|security code|sicherheitsnummer|"
    r"missed (?:voice|video|group)|verpasster? |^[\u200e ]*(?:voice|video) call\b|"
    r"^[\u200e ]*you (?:un)?pinned a message|"
    r"llamada (?:perdida|de voz perdida)|appel \w+ manqué|"
    r"chiamata \w* ?persa|chamada de \w+ perdida|gemiste |cevapsız|пропущенный",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"group|gruppe|grupo|groupe|gruppo|\bgroep|\bgrup|групп|群組|群组|グループ|그룹|مجموعة|קבוצ|समूह|"
    r"\b(?:added|left|removed|were added)\b|hinzugefügt|verlassen|"
    r"añadió|agregó|salió|ajouté|quitté|"
    r"aggiunto|abbandonato|adicionou|saiu|toegevoegd|ekledi|ayrıldı|добавил|покинул",
    re.IGNORECASE,
)
_TITLES = (
    re.compile(
        r"whatsapp[ -]?chat(?:verlauf)? (?:with|mit|met|med|z|s|-|–) (?P<title>.+)", re.IGNORECASE
    ),
    re.compile(
        r".{0,20}\bwhatsapp\b.{0,12}? "
        r"(?:with|mit|met|med|con|com|avec|cu|dengan|с|з|z|s|-|–) (?P<title>.+)",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<title>.+) ile whatsapp.*", re.IGNORECASE),
    re.compile(r"whatsapp sohbeti - (?P<title>.+)", re.IGNORECASE),
)


_MENTION = re.compile("@\u2068([^\u2068\u2069\n]{1,100})\u2069")
_DOCUMENT = re.compile(r"[\u200e ]{0,4}([^\n\u2022]{1,200}) \u2022 \u200e")
_FILE_NAME = re.compile(r"[^<>:\n/\\]+\.\w{2,5}\b")
_KINDS = (
    (r"sticker|^stk-|\.webp|figurinha|стикер|çıkartma|贴图|貼圖|スタンプ|스티커", "sticker"),
    (r"\.gif\b|^gif\b", "gif"),
    (
        (
            r"^img-|-photo-|\.(?:jpe?g|png|heic)\b|image|bild|imag|immag|afbeelding|görüntü|изображ|фото|"
            r"gambar|obraz|kuva|画像|图像|图片|圖片|이미지|사진|صورة|תמונה"
        ),
        "photo",
    ),
    (r"^vid-|-video-|\.(?:mp4|mov|3gp)\b|v[ií]d[eé]o|видео|film|视频|影片|동영상|動画", "video"),
    (
        r"^(?:ptt|aud)-|-audio-|\.(?:opus|ogg|m4a|aac|mp3)\b|[aá]udio|аудио|ses |dźwięk|音声|음성",
        "audio",
    ),
    (r"contact|kontakt|contatto|contato|\.vcf\b", "contact"),
    (r"^doc-|\.(?:pdf|docx?|xlsx?|pptx?|txt|zip)\b|do[ck]ument|документ|belge", "document"),
)


_LONGEST = 120  # characters of a placeholder, with the name of its file
_LONGEST_MARKED = 400  # of one that has WhatsApp's own mark
_LONGEST_EDIT = 80  # of the mark of an edited message


@cache
def _phrases(table: str) -> frozenset[str]:
    phrases = (phrase.strip() for line in table.split("\n") for phrase in line.split("|"))
    return frozenset(phrase for phrase in phrases if phrase)


def media_part(line: str) -> str | None:
    """Return the placeholder that is the line, or ends it after a caption; None if none is."""
    caption, mark, placeholder = line.rpartition("\u200e")
    if len(line) <= (_LONGEST_MARKED if mark else _LONGEST) and _stands_for_media(line):
        return line
    if mark and len(placeholder) <= _LONGEST and _is_one_of(placeholder, _VIEWED_ONCE):
        return placeholder
    return media_part(placeholder) if mark and clean_name(caption) else None


def without_isolates(text: str) -> str:
    """Return a text with the names of people mentioned as they are written: ``@Bob Stone``."""
    return _MENTION.sub(r"@\1", text) if "\u2068" in text else text


def has_not_arrived(text: str) -> bool:
    """Say whether a text only stands for a message that the phone did not have yet."""
    return len(text) <= _LONGEST and _is_one_of(text, _NOT_ARRIVED)


def _is_one_of(text: str, table: str) -> bool:
    return clean_name(text).rstrip(".").casefold() in _phrases(table)


def _stands_for_media(line: str) -> bool:
    text = clean_name(line)
    bare = text.removeprefix("<").removesuffix(">").casefold()
    if bare in _phrases(_OMITTED) or bare in _phrases(_OMITTED_THING):
        return True
    return _ATTACHED.fullmatch(text) is not None


def attachment_in(placeholder: str, before: str = "") -> Attachment:
    """Return the name and kind of the file that a placeholder stands for.

    ``before`` is the message with it: iOS writes a document's name and pages there.
    """
    text = clean_name(placeholder)
    named = _DOCUMENT.match(before)
    name = _FILE_NAME.search(text) or (named and _FILE_NAME.search(named[1]))
    found = "" if name is None else name.group().strip()
    low = (found or text).casefold()
    kind = next((kind for mark, kind in _KINDS if re.search(mark, low)), "media")
    return Attachment(found, kind)


def is_deleted(text: str) -> bool:
    """Say whether a text only stands for a message that was deleted."""
    plain = clean_name(text).rstrip(".").casefold() if len(text) <= _LONGEST else ""
    if plain in _phrases(_DELETED):
        return True
    return "admin" in plain and _BY_ADMIN.fullmatch(plain) is not None


def without_edit_mark(text: str) -> tuple[str, bool]:
    """Return the text without WhatsApp's mark of an edited message, and whether it had one."""
    if not text.endswith(">"):
        return text, False
    at = text.rfind("<")
    if at < 0 or len(text) - at > _LONGEST_EDIT or _EDITED.fullmatch(text, at) is None:
        return text, False
    return text[:at].removesuffix("\u200e").rstrip(), True


def is_notice(text: str) -> bool:
    """Say whether a text is about encryption, security codes or missed calls."""
    return _NOTICE.search(text) is not None


def is_group_notice(text: str) -> bool:
    """Say whether a system line is about a group: who made it, came or left."""
    return _GROUP.search(text) is not None


def title_in(name: str) -> str | None:
    """Return the chat's title in the name of an export without its suffix, or None."""
    plain = re.sub(r"\s*\(\d+\)$", "", name if " " in name else name.replace("_", " ")).strip()
    for pattern in _TITLES:
        match = pattern.fullmatch(plain)
        if match is not None:
            return clean_name(match["title"]) or None
    return None
