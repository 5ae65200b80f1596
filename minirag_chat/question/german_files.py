"""German questions about photos, voice notes, other files and emoji, in the English words of their forms."""

from __future__ import annotations

import re
from collections.abc import Callable

_IGNORED = re.IGNORECASE
_NOUNS = {
    "foto": "photo", "fotos": "photos", "bild": "photo", "bilder": "photos", "bildern": "photos",
    "video": "video", "videos": "videos", "videonachricht": "video message",
    "videonachrichten": "video messages",
    "sprachnachricht": "voice note", "sprachnachrichten": "voice notes", "sprachmemo": "voice note",
    "sprachmemos": "voice notes", "sticker": "sticker", "stickern": "stickers", "gif": "gif", "gifs": "gifs",
    "datei": "file", "dateien": "files", "anhang": "file", "anh\u00e4nge": "files", "link": "link",
    "links": "links", "emoji": "emoji", "emojis": "emojis", "herz": "heart", "herzen": "hearts",
    "audiodatei": "audio file", "audiodateien": "audio files",
}  # fmt: skip
_FILES = rf"(?P<files>{'|'.join(sorted(_NOUNS, key=len, reverse=True))})\b"
_A = r"(?:(?:ein|eine|einen|irgendein|irgendeine|irgendeinen|irgendwelche|mal) )*"
_SENT = r"(?:ge(?:schickt|sendet|teilt|postet|schrieben)|verschickt|versendet|benutzt|verwendet)\b"
_HAS = r"(?:habe|hat|haben|habt)"
_WHO = r"(?P<who>\b.*?)"
_TO = r"(?P<to> (?:mit|an|zu) .*?)?"
_LEFT = r"(?: (?:im|in|am|an|zu|um|von|seit|bis|schon|jemals|alle|everyone)){0,3}"  # of a time or a chat
_END = r"(?P<end>letzte|neue?ste|erste)(?:[nrs])?"
_MUCH = {"meisten": "most", "wenigsten": "fewest", "mehr": "more", "weniger": "fewer"}
_ENDS = {"l": "last", "n": "last", "e": "first"}
_SHOW = r"(?:zeige?|liste|such|finde?|gib)(?: (?:mir|uns))?(?: bitte)?(?: mal)?"

_Form = tuple[str, Callable[[re.Match[str]], str]]


def _of(found: re.Match[str]) -> str:
    return _NOUNS[found["files"].lower()]


def _several(found: re.Match[str]) -> str:
    """The noun in its plural, which German may write as its singular: "die Sticker"."""
    return f"{_of(found).removesuffix('s')}s"


def _end(found: re.Match[str]) -> str:
    return _ENDS[found["end"][0].lower()]


def _who(found: re.Match[str]) -> str:
    return f"{found['who']} send{found['to'] or ''}".strip()


GERMAN_FILES: tuple[_Form, ...] = (
    (
        rf"\bwie ?viele {_FILES} {_HAS}{_WHO}{_LEFT}{_TO}{_LEFT} {_SENT}",
        lambda found: f"how many {_several(found)} did {_who(found)}",
    ),
    (
        rf"\bwie ?viele {_FILES} (?:gibt es|sind es|wurden{_LEFT} {_SENT}|sind{_LEFT} {_SENT})",
        lambda found: f"how many {_several(found)} are there",
    ),
    (
        (
            rf"\bwer (?:hat|schickt|sendet|teilt|postet|benutzt|verwendet){_LEFT} (?:die )?"
            rf"(?P<much>{'|'.join(_MUCH)}) {_FILES}{_LEFT}(?: {_SENT})?"
        ),
        lambda found: f"who sent {_MUCH[found['much'].lower()]} {_several(found)}",
    ),
    (
        rf"\bwer hat{_LEFT} (?:das|die|den) {_END} {_FILES}{_LEFT} {_SENT}",
        lambda found: f"who sent the {_end(found)} {_of(found)}",
    ),
    (
        rf"\bwer hat{_LEFT} zuletzt {_A}{_FILES}{_LEFT} {_SENT}",
        lambda found: f"who sent the last {_of(found)}",
    ),
    (
        (
            rf"\bwann {_HAS}{_WHO} (?P<end>zuletzt|zum (?:letzten|ersten) mal) {_A}{_FILES}{_TO}{_LEFT}"
            rf" {_SENT}"
        ),
        lambda found: (
            f"when did{found['who']} {'first' if 'ersten' in found['end'].lower() else 'last'}"
            f" send a {_of(found)}{found['to'] or ''}"
        ),
    ),
    (
        rf"\bwann {_HAS}{_WHO} (?:das|die|den) {_END} {_FILES}{_TO}{_LEFT} {_SENT}",
        lambda found: (
            f"when did{found['who']} {_end(found)} send a {_of(found)}{found['to'] or ''}"
        ),
    ),
    (
        rf"\bwelche[sn]? {_FILES} {_HAS}{_WHO}{_LEFT}{_TO}{_LEFT} {_SENT}",
        lambda found: f"which {_several(found)} did {_who(found)}",
    ),
    (
        rf"\bwer hat{_LEFT} {_A}{_FILES}{_LEFT} {_SENT}",
        lambda found: f"who sent {_several(found)}",
    ),
    (
        rf"^\W*{_HAS}(?P<who>\b.*?){_LEFT} {_A}{_FILES}{_TO}{_LEFT} {_SENT}",
        lambda found: f"did{found['who']} send {_several(found)}{found['to'] or ''}",
    ),
    (
        rf"\b{_SHOW} (?:(?:die|alle|everyone|all|unsere) ){{0,2}}{_FILES}(?!\s+(?:mit|vom|\u00fcber|auf)\b)",
        lambda found: f"show me the {_several(found)}",
    ),
    (
        rf"^\W*(?:(?:die|alle|irgendwelche) )?{_FILES}(?=(?: von .*?)?(?: (?:im|in|am|aus|vom)){{0,2}}\W*$)",
        lambda found: f"the {_several(found)}",
    ),
    (
        rf"\bwas (?:ist|war) (?:das|die|der) {_END} {_FILES}",
        lambda found: f"what was the {_end(found)} {_of(found)}",
    ),
)
"""Each form and what it becomes; names stay as they are."""


def files_in_english(text: str) -> str:
    """A German question about files of these forms in English words; any other text unchanged."""
    for form, by in GERMAN_FILES:
        text = re.sub(form, by, text, flags=_IGNORED)
    return text
