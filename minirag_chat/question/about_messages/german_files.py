"""German questions about photos, voice notes, other files and emoji, in the English words of their forms."""

from __future__ import annotations

import re
from collections.abc import Callable

from minirag_chat.question.about_messages.german_words import (
    FIRST_OR_LAST,
    FIRST_OR_LAST_TIME,
    HAS,
    LEFT,
    MUCH,
    SHOW,
    first_or_last,
)

_IGNORED = re.IGNORECASE
_NOUNS = {
    "foto": "photo", "fotos": "photos", "bild": "photo", "bilder": "photos", "bildern": "photos",
    "video": "video", "videos": "videos", "videonachricht": "video message",
    "videonachrichten": "video messages",
    "sprachnachricht": "voice note", "sprachnachrichten": "voice notes", "sprachmemo": "voice note",
    "sprachmemos": "voice notes", "sticker": "sticker", "stickern": "stickers", "gif": "gif", "gifs": "gifs",
    "datei": "file", "dateien": "files", "anhang": "file", "anhänge": "files", "link": "link",
    "links": "links", "emoji": "emoji", "emojis": "emojis", "herz": "heart", "herzen": "hearts",
    "audiodatei": "audio file", "audiodateien": "audio files",
}  # fmt: skip
_FILES = rf"(?P<files>{'|'.join(sorted(_NOUNS, key=len, reverse=True))})\b"
_A = r"(?:(?:ein|eine|einen|irgendein|irgendeine|irgendeinen|irgendwelche|mal) )*"
_SENT = r"(?:ge(?:schickt|sendet|teilt|postet|schrieben)|verschickt|versendet|benutzt|verwendet)\b"
_WHO = r"(?P<who>\b.*?)"
_TO = r"(?P<to> (?:mit|an|zu) .*?)?"
_END = rf"{FIRST_OR_LAST}e[nrs]?"

_Form = tuple[str, Callable[[re.Match[str]], str]]


def _of(found: re.Match[str]) -> str:
    return _NOUNS[found["files"].lower()]


def _several(found: re.Match[str]) -> str:
    """The noun in its plural, which German may write as its singular: "die Sticker"."""
    return f"{_of(found).removesuffix('s')}s"


def _who(found: re.Match[str]) -> str:
    return f"{found['who']} send{found['to'] or ''}".strip()


GERMAN_FILES: tuple[_Form, ...] = (
    (
        rf"\bwie ?viele {_FILES} {HAS}{_WHO}{LEFT}{_TO}{LEFT} {_SENT}",
        lambda found: f"how many {_several(found)} did {_who(found)}",
    ),
    (
        rf"\bwie ?viele {_FILES} (?:gibt es|sind es|wurden{LEFT} {_SENT}|sind{LEFT} {_SENT})",
        lambda found: f"how many {_several(found)} are there",
    ),
    (
        (
            rf"\bwer (?:hat|schickt|sendet|teilt|postet|benutzt|verwendet){LEFT} (?:die )?"
            rf"(?P<much>{'|'.join(MUCH)}) {_FILES}{LEFT}(?: {_SENT})?"
        ),
        lambda found: f"who sent {MUCH[found['much'].lower()]} {_several(found)}",
    ),
    (
        rf"\bwer hat{LEFT} (?:das|die|den) {_END} {_FILES}{LEFT} {_SENT}",
        lambda found: f"who sent the {first_or_last(found)} {_of(found)}",
    ),
    (
        rf"\bwer hat{LEFT} zuletzt {_A}{_FILES}{LEFT} {_SENT}",
        lambda found: f"who sent the last {_of(found)}",
    ),
    (
        (
            rf"\bwann {HAS}{_WHO} {FIRST_OR_LAST_TIME} {_A}{_FILES}{_TO}{LEFT}"
            rf" {_SENT}"
        ),
        lambda found: (
            f"when did{found['who']} {first_or_last(found)} send a {_of(found)}{found['to'] or ''}"
        ),
    ),
    (
        rf"\bwann {HAS}{_WHO} (?:das|die|den) {_END} {_FILES}{_TO}{LEFT} {_SENT}",
        lambda found: (
            f"when did{found['who']} {first_or_last(found)} send a {_of(found)}{found['to'] or ''}"
        ),
    ),
    (
        rf"\bwelche[sn]? {_FILES} {HAS}{_WHO}{LEFT}{_TO}{LEFT} {_SENT}",
        lambda found: f"which {_several(found)} did {_who(found)}",
    ),
    (
        rf"\bwer hat{LEFT} {_A}{_FILES}{LEFT} {_SENT}",
        lambda found: f"who sent {_several(found)}",
    ),
    (
        rf"^\W*{HAS}(?P<who>\b.*?){LEFT} {_A}{_FILES}{_TO}{LEFT} {_SENT}",
        lambda found: f"did{found['who']} send {_several(found)}{found['to'] or ''}",
    ),
    (
        rf"\b{SHOW} (?:(?:die|alle|everyone|all|unsere) ){{0,2}}{_FILES}(?!\s+(?:mit|vom|über|auf)\b)",
        lambda found: f"show me the {_several(found)}",
    ),
    (
        rf"^\W*(?:(?:die|alle|irgendwelche) )?{_FILES}(?=(?: von .*?)?(?: (?:im|in|am|aus|vom)){{0,2}}\W*$)",
        lambda found: f"the {_several(found)}",
    ),
    (
        rf"\bwas (?:ist|war) (?:das|die|der) {_END} {_FILES}",
        lambda found: f"what was the {first_or_last(found)} {_of(found)}",
    ),
)
"""Each form and what it becomes; names stay as they are."""


def files_in_english(text: str) -> str:
    """A German question about files of these forms in English words; any other text unchanged."""
    for form, by in GERMAN_FILES:
        text = re.sub(form, by, text, flags=_IGNORED)
    return text
