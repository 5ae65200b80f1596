"""A mail's bytes → its text and the names of its attachments."""

from __future__ import annotations

from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from lxml import etree

from minirag_chat.importers.html_tree import classes, markup_tree, text_of
from minirag_chat.importers.kinds import kind_of_mime
from minirag_chat.importers.limits import LONGEST_NAME
from minirag_chat.importers.mail_headers import words_in
from minirag_chat.importers.mail_text import begins_quotation, unwrapped
from minirag_chat.records import Attachment

_SIGNED = frozenset(
    ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
     "application/pgp-keys", "application/pgp-encrypted", "message/delivery-status")
)  # fmt: skip
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
# Wrong names of character sets in mails, and codecs that are not for text.
_MEANT = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "gb2312": "gb18030",
          "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "shift_jis": "cp932",
          "us-ascii": "", "ascii": "", "unknown-8bit": "", "utf-8": ""}  # fmt: skip
_NOT_TEXT = ("punycode", "idna", "unicode_escape", "unicode-escape", "raw_unicode_escape",
             "raw-unicode-escape", "undefined")  # fmt: skip
_QUOTES = frozenset(("gmail_quote", "gmail_attr", "gmail_signature", "moz-cite-prefix", "moz-signature",
                     "protonmail_quote", "yahoo_quoted", "tutanota_quote", "zmail_extra"))  # fmt: skip
_UNSEEN = ("head", "style", "script", "title", "template")


@dataclass(frozen=True, slots=True)
class Parts:
    """The contents of a mail; ``page``: its text is that of HTML parts only."""

    text: str
    files: tuple[Attachment, ...]
    encrypted: bool
    page: bool


def parts_of(data: bytes, encoding: str | None) -> Parts:
    """Take a mail apart; ``encoding`` is for text that does not say its own."""
    message = message_from_bytes(data, policy=compat32)
    plain: list[str] = []
    pages: list[str] = []
    files: list[Attachment] = []
    kinds: set[str] = set()
    for part in message.walk():
        kind = part.get_content_type()
        kinds.add(kind)
        if part.get_content_maintype() == "multipart" or kind in _SIGNED:
            continue
        name, attached = _name(part), part.get_content_disposition() == "attachment"
        if kind in ("text/plain", "text/html") and not attached and not name:
            (plain if kind == "text/plain" else pages).append(_text(part, encoding))
        elif kind not in _ENCRYPTED:
            is_mail = part.get_content_maintype() == "message"
            files.append(Attachment(name, "e-mail" if is_mail else kind_of_mime(kind)))
    read_pages = bool(pages) and _needs_page(plain, kinds)
    shown = [*map(shown_text, pages), *plain] if read_pages else plain
    page = read_pages and not any(map(str.strip, plain))
    text = "\n".join(filter(None, (part.strip() for part in shown)))
    return Parts(text, tuple(files), not kinds.isdisjoint(_ENCRYPTED), page)


def _needs_page(plain: list[str], kinds: set[str]) -> bool:
    """Whether to read the HTML parts: there is no plain text, or HTML is no alternative to it."""
    return not any(map(str.strip, plain)) or "multipart/alternative" not in kinds


def _name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError, TypeError):
        return ""
    raw = name.encode("utf-8", "surrogateescape").decode("latin-1")
    return words_in(raw)[:LONGEST_NAME]


def _text(part: Message, encoding: str | None) -> str:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        return ""
    text = _decoded(
        data if isinstance(data, bytes) else b"", str(part.get_content_charset() or ""), encoding
    )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    flowed = "flowed" in str(part.get_param("format", "")).lower()
    return unwrapped(text) if flowed else text


def _decoded(data: bytes, charset: str, encoding: str | None) -> str:
    charset = _MEANT.get(charset, charset)
    if charset in _NOT_TEXT:
        charset = ""
    for codec in (charset, "utf-8", encoding or "cp1252"):
        try:
            return data.decode(codec, "replace" if codec and codec == charset else "strict")
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def shown_text(page: str) -> str:
    """Return the text of an HTML mail without quoted mails and signatures marked as such."""
    tree = markup_tree(page)
    if tree is None:
        return ""
    forward = any(
        "gmail_quote" in classes(e) and "forwarded" in _start(e).lower() for e in tree.iter("div")
    )
    for element in list(tree.iter(*_UNSEEN, "div", "blockquote", "span")):
        if element.tag in _UNSEEN or (not forward and _is_quoted(element)):
            element.clear(keep_tail=True)
    return text_of(tree)


def _is_quoted(element: etree._Element) -> bool:
    cited = element.tag == "blockquote" and (element.get("type") == "cite" or _is_answered(element))
    return cited or not classes(element).isdisjoint(_QUOTES)


def _is_answered(element: etree._Element) -> bool:
    before = element.getprevious()
    above = "" if before is None else (before.tail or "").strip() or _start(before)
    return begins_quotation(" ".join(_start(element).split()), above)


def _start(element: etree._Element) -> str:
    found = ""
    for text in element.itertext():
        found += str(text)
        if len(found) > LONGEST_NAME:
            break
    return found
