"""Takes the content of a message of Teams or Skype apart: words, quotations, files."""

from __future__ import annotations

from lxml import etree

from minirag_chat.importers.html_tree import markup_tree, text_of
from minirag_chat.importers.links import linked
from minirag_chat.records import Attachment

_LONGEST_EMOJI = 20
_BEFORE_AN_EDIT = "Edited previous message: "  # for programs that know no edits
_SENT = {"img": "photo", "video": "video", "audio": "voice message"}
_ASIDE = ("quote", "blockquote", "e_m", "emoji", "legacyquote", "sms", *_SENT)


class Content:
    """The parsed content of a message: its text, the answered message, an author, files, edits."""

    def __init__(self, content: str, kind: str) -> None:
        self.text, self.parent, self.forwarded_from = content, "", ""
        self.edited, self.edited_at = False, ""
        self._by_sms = ""  # the text, where it is only beside the markup
        self._shown: list[Attachment] = []
        self._tree: etree._Element | None = None
        if kind == "Text" or not ("<" in content or "&" in content):
            return
        # Line breaks are characters in Skype's markup, and elements in Teams' HTML.
        markup = content if kind == "RichText/Html" else content.replace("\n", "<br>")
        self._tree = markup_tree(markup)
        if self._tree is not None:
            for element in list(self._tree.iter(*_ASIDE)):
                self._take_out(element)
            for link in self._tree.iter("a") if kind == "RichText/Html" else ():
                _show_link(link)
            self.text = text_of(self._tree).replace("\u00a0", " ").strip() or self._by_sms
            if self.edited:
                self.text = self.text.removeprefix(_BEFORE_AN_EDIT)

    def files(self, media: str | None) -> list[Attachment]:
        """Return the files that are shown in the text, or the one that the message is, of this kind."""
        if media is None:
            return self._shown
        names = [""]
        if self._tree is not None:
            names = [name for one in self._tree.iter("c") if (name := one.get("f") or one.get("s"))]
            names = names or list(map(text_of, self._tree.iter("file")))
            names = names or [self._file_name(self._tree)]
        return [Attachment(name, media) for name in names]

    def _take_out(self, element: etree._Element) -> None:
        """Leave of an element only the sender's own words."""
        tag, alt, sort = element.tag, element.get("alt") or "", element.get("itemtype") or ""
        if tag in _SENT and not _is_emoji(alt, sort):
            self._shown.append(Attachment("", "gif" if sort.endswith("Giphy") else _SENT[tag]))
        elif tag in ("emoji", *_SENT):
            element.clear(keep_tail=True)
            element.text = alt if len(alt) <= _LONGEST_EMOJI else ""
            return
        elif tag == "e_m":
            self.edited, self.edited_at = True, element.get("ts") or ""
        elif tag == "sms":
            self._by_sms = alt
        elif tag == "quote" or sort.endswith("Reply"):
            self.parent = element.get("messageid") or element.get("itemid") or self.parent
        elif tag == "blockquote":  # a quotation that the sender typed, or a forwarded message
            author = element.find(".//*[@itemprop='mri']")
            if author is not None and sort.endswith("Forward"):
                self.forwarded_from = text_of(author)
                author.clear(keep_tail=True)
            return
        element.clear(keep_tail=True)

    @staticmethod
    def _file_name(tree: etree._Element) -> str:
        for element in tree.iter("originalname", "meta", "uriobject"):
            name = element.get("v") or element.get("originalname")
            if name:
                return str(name)
        return ""


def _is_emoji(alt: str, sort: str) -> bool:
    return sort.endswith("Emoji") or (alt != "" and not any(map(str.isalnum, alt)))


def _show_link(element: etree._Element) -> None:
    said = text_of(element)
    shown = linked(said, element.get("href") or "")
    if said and shown != said:
        element.clear(keep_tail=True)
        element.text = shown
