"""Turns a file's bytes into text: byte order marks, UTF-16, UTF-8, then the older encodings."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from itertools import chain

from charset_normalizer import from_bytes

from minirag_chat.errors import UnreadableFile
from minirag_chat.lazy_patterns import lazy

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"RIFF", "a sound, video or image file"),
    (b"OggS", "a sound file"),
    (b"ID3", "a sound file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
)
_OLDER = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258"),
    *("koi8_r", "cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp874", "mac_roman"),
]
_TAR_AT = 257
_GUESS_BYTES = 200_000
_UTF16_LOOK = 4096
# In UTF-16, one byte of each pair is zero for Latin letters.
_LOPSIDED = 10
_FEWEST_ZEROS = 100
_CONTROL = lazy(r"[\x00-\x08\x0e-\x1f\x7f]")
_NEVER_IN_TEXT = lazy(r"[\x00\x01\x04-\x08\x0e\x10\x12-\x15\x17-\x1c\x7f]")  # IRC has the others
_MAX_CONTROL_SHARE = 0.01
# In Western European text letters such as é come alone or in pairs between ASCII letters.
_WESTERN = lazy(r"[À-ÖØ-öø-ÿŒœŠšŽžŸ€‘’“”„‚«»–—…°§´·¡¿\xa0]+")  # noqa: RUF001 - these very letters
_LONGEST_WESTERN_RUN = 3


def decode(data: bytes, name: str, encoding: str | None, *, complete: bool) -> str:
    """Return the text with line feeds.

    ``complete`` is False for the start of a longer file, whose last character may be cut. Raises
    ``UnreadableFile`` if the bytes are not text.
    """
    codec, _ = choose_codec(data, lambda: iter((data,)), name, encoding)
    text = data.decode(codec, errors="replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if complete and not text.strip().strip("\ufffd"):
        raise UnreadableFile(f"{name} contains no text; export the chat again.")
    return text


def choose_codec(
    start: bytes, blocks: Callable[[], Iterable[bytes]], name: str, encoding: str | None
) -> tuple[str, tuple[str, ...]]:
    """Return the codec of a file, and notes on guesses and unreadable characters.

    ``start`` is its beginning, ``blocks`` yields all of it at every call. Raises
    ``UnreadableFile`` if the bytes are not text.
    """
    codec = encoding or _marked_codec(start)
    lost = None
    if codec is None:
        _refuse_signature(start, name)
        codec = _wide_codec(start)
    if codec is None:
        codec, lost = _unmarked_codec(blocks)
    beginning = start.decode(codec, errors="replace")
    if len(_NEVER_IN_TEXT.findall(beginning)) > _MAX_CONTROL_SHARE * len(beginning):
        first = _NEVER_IN_TEXT.search(beginning)
        line = 1 + (beginning.count("\n", 0, first.start()) if first else 0)
        raise _not_text(name, "not text", line)
    notes = []
    if encoding is None and not codec.startswith("utf"):
        notes.append(
            f"{name} is not Unicode and was read as {codec}; the option encoding changes it."
        )
    lost = _damage(blocks, codec)[0] if lost is None else lost
    if lost:
        notes.append(
            f"{lost} characters of {name} could not be read as {codec}; "
            "the option encoding changes it."
        )
    return codec, tuple(notes)


def _damage(blocks: Callable[[], Iterable[bytes]], codec: str) -> tuple[int, int, bool]:
    """Return how many characters are lost, how many others are not ASCII, and whether the last is lost."""
    strict = codecs.getincrementaldecoder(codec)("strict")
    try:
        for block in blocks():
            strict.decode(block)
        strict.decode(b"", final=True)
    except UnicodeError:
        pass
    else:
        return 0, 0, False
    lenient = codecs.getincrementaldecoder(codec)("replace")
    lost = good = 0
    last = ""
    for block in chain(blocks(), (b"",)):
        text = lenient.decode(block, final=not block)
        lost += text.count("\ufffd")
        good += len(text) - len(text.encode("ascii", "ignore"))
        last = text or last
    return lost, good - lost, last.endswith("\ufffd")


def _marked_codec(data: bytes) -> str | None:
    return next((codec for bom, codec in _BOMS if data.startswith(bom)), None)


def _refuse_signature(data: bytes, name: str) -> None:
    start = data[:64]
    if start.isascii() and not _CONTROL.search(start.decode("ascii")):
        return
    for signature, what in _SIGNATURES:
        if data.startswith(signature):
            raise _not_text(name, what)
    if data[_TAR_AT : _TAR_AT + 5] == b"ustar":
        raise _not_text(name, "a tar archive")


def _not_text(name: str, what: str, line: int = 1) -> UnreadableFile:
    where = f" from line {line} on" if line > 1 else ""
    if what.endswith("archive"):
        return UnreadableFile(
            f"{name} is {what}; unpack it and import the folder or the files in it."
        )
    return UnreadableFile(
        f"{name} is {what}{where}; export the chat as text, JSON or CSV and import that file."
    )


def _wide_codec(start: bytes) -> str | None:
    """Return UTF-16 without a byte order mark, recognised by its Latin letters."""
    look = start[:_UTF16_LOOK]
    even, odd = look[::2].count(0), look[1::2].count(0)
    enough = len(look) / _FEWEST_ZEROS
    if odd > max(enough, _LOPSIDED * even):
        return "utf-16-le"
    if even > max(enough, _LOPSIDED * odd):
        return "utf-16-be"
    return None


def _unmarked_codec(blocks: Callable[[], Iterable[bytes]]) -> tuple[str, int | None]:
    """Return UTF-8, even if a few bytes of it are damaged or cut off, or an older codec."""
    lost, good, at_the_end = _damage(blocks, "utf-8")
    if not lost or good >= 10 * lost or (lost == 1 and good > 0 and at_the_end):
        return "utf-8", lost
    return _older_codec(_lines_beyond_ascii(blocks())), None


def _lines_beyond_ascii(blocks: Iterable[bytes]) -> bytes:
    """Return enough of the lines with letters beyond ASCII to guess their encoding."""
    found: list[bytes] = []
    size = 0
    for block in blocks:
        for line in block.split(b"\n"):
            if not line.isascii():
                found.append(line)
                size += len(line)
                if size >= _GUESS_BYTES:
                    return b"\n".join(found)[:_GUESS_BYTES]
    return b"\n".join(found)


def _older_codec(lines: bytes) -> str:
    western = lines.decode("cp1252", errors="replace")
    rest = _WESTERN.sub("", western)
    runs = _WESTERN.findall(western)
    if rest.isascii() and max(map(len, runs), default=0) <= _LONGEST_WESTERN_RUN:
        return "cp1252"
    best = from_bytes(lines, cp_isolation=_OLDER).best()
    return best.encoding if best is not None else "cp1252"
