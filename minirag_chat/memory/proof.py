"""The proof that deleted text is gone: every file of the program is searched for it.

Deleted text is searched for as it was written, in UTF-8 and UTF-16, whole and word by word; and as the
stems in the full-text index, also in its pages. Text that other messages have too proves nothing and is
not searched for; text that a model wrote about other messages is no such exception. Single words of fewer
than eight characters are searched for in the values and terms of the database only: in the bytes of files
they occur by chance.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path, user_config_path, user_data_path

from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.raw_search import SHORTEST, search, search_in_subprocess
from minirag_chat.names import split_joined
from minirag_chat.records import Leak, Looked, Proof
from minirag_chat.settings import APP, Settings
from minirag_chat.store import Store
from minirag_chat.store.rows import Row, texts_of
from minirag_chat.store.sidecar_files import files_of
from minirag_chat.store.text import searchable, words

PIECE = 40  # characters; short, as a page of the file may end in the middle of a message
_SHORT_PIECE = 12  # bytes
_CUT = lazy(r'[\n\r\t"\\]+')  # JSON escapes these
_NUMBER_OR_HASH = lazy(r"[0-9a-f]{1,7}|\d+")  # may be a number or part of a hash
_PUBLIC = ("models", "corpora", "bench")  # folders with public data only, nothing of a user's
_SHORTEST_IN_FILES = 8  # characters; shorter words occur in files by chance
_DATABASES = (".db", ".sqlite", ".sqlite3")
_FORMS = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16, big-endian"}


@dataclass(frozen=True, slots=True)
class _Place:
    """A place where the program keeps files, with the files there."""

    path: Path
    files: tuple[Path, ...]


class DeletionProver:
    """Remembers what is deleted, then looks for it."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._texts: set[str] = set()

    def before_delete(self, rows: Iterable[Row]) -> None:
        """Remember what rows say before they are deleted."""
        self._texts.update(text for row in rows for text in texts_of(row))

    def prove(self) -> Proof:
        """Search all places for what was remembered."""
        with self._store.reading():
            remaining = list(self._remaining_texts())
            own = {word for text in remaining for word in words(text)}
            gone = {word for text in self._texts for word in words(text)}
            all_stems = self._store.stems(own)
            lost = self._store.stems(gone) - all_stems
            pieces = {piece for text in self._texts for piece in _pieces(text)}
            needles = _needles(pieces, (gone | lost) - own)
            elsewhere = search(needles, self._other_bytes(remaining, own | all_stems))
            to_find = {needle: form for needle, form in needles.items() if needle not in elsewhere}
            leaks = [*self._in_index(lost), *self._in_values(to_find), *self._free_pages()]
        places = list(_places(self._store.path, self._settings))
        found = search_in_subprocess(
            [
                needle
                for needle, (_form, text) in to_find.items()
                if len(text) >= _SHORTEST_IN_FILES
            ],
            (file for place in places for file in place.files),
        )
        leaks += [
            Leak(file, form, text)
            for file, hits in found.items()
            for form, text in sorted({to_find[hit] for hit in hits})
        ]
        looked = tuple(
            Looked(place.path, len(place.files), sum(map(_size, place.files))) for place in places
        )
        searched = {text for form, text in to_find.values()}
        return Proof(
            looked=looked,
            leaks=tuple(leaks),
            texts=len(searched & pieces),
            words=len((searched | lost) - pieces),
            known=len(gone & own) + len({text for _form, text in needles.values()} - searched),
        )

    def _in_index(self, lost: frozenset[str]) -> list[Leak]:
        return [
            Leak(self._store.path, "stem in the full text", term)
            for term in sorted(self._store.text.terms() & lost)
        ]

    def _in_values(self, to_find: dict[bytes, tuple[str, str]]) -> Iterator[Leak]:
        for table, values in self._store.values():
            for form, text in sorted({to_find[hit] for hit in search(to_find, values)}):
                yield Leak(self._store.path, f"{form} in the table {table}", text)

    def _free_pages(self) -> Iterator[Leak]:
        """Report free pages of an encrypted file: no search can read them. A wiping leaves none."""
        connection = self._store.connection
        if connection.encrypted and (pages := connection.free_pages()):
            yield Leak(self._store.path, "free pages, encrypted and not searched", str(pages))

    def _remaining_texts(self) -> Iterator[str]:
        """Text that may still be there: other messages, those in the trash, and who wrote them."""
        store = self._store
        numbers = [deletion.number for deletion in store.trash.all()]
        for row in (
            *store.forgetting.all_rows(),
            *store.forgetting.chat_rows(),
            *store.forgetting.called_rows(),
            *store.trash.texts(numbers),
        ):
            yield from texts_of(row)
        for deletion in store.trash.all():
            yield deletion.what

    def _other_bytes(self, texts: Iterable[str], words: Iterable[str]) -> Iterator[bytes]:
        """All text that a file may contain for other reasons, as bytes."""
        yield "\n".join(self._store.forgetting.own_words()).encode()
        yield "\n".join(words).encode()
        for text in texts:
            forms = (text, split_joined(text), searchable(text))
            for form in dict.fromkeys((*forms, *(each.casefold() for each in forms))):
                yield b"\n" + form.encode("utf-8", "replace")


def _pieces(text: str) -> Iterator[str]:
    """Split a text into pieces that are long enough to identify it."""
    for line in _CUT.split(text):
        part = ""
        for word in line.split(" "):
            if part and len(part) + len(word) >= PIECE:
                yield from _long_enough(part)
                part = ""
            part = f"{part} {word}" if part else word
        yield from _long_enough(part)


def _long_enough(part: str) -> Iterator[str]:
    for start in range(0, len(part), 4 * PIECE):
        piece = part[start : start + 4 * PIECE]
        if len(piece.encode("utf-8", "replace")) >= _SHORT_PIECE:
            yield piece


def _needles(pieces: Iterable[str], single: Iterable[str]) -> dict[bytes, tuple[str, str]]:
    """The bytes to search for, in lower case, each with its encoding and text."""
    distinctive = [word for word in single if not _NUMBER_OR_HASH.fullmatch(word)]
    found: dict[bytes, tuple[str, str]] = {}
    for text in (*pieces, *distinctive):
        for encoding, form in _FORMS.items():
            for written in (text, text.lower()):
                needle = written.encode(encoding, "replace").lower()
                if len(needle) >= (SHORTEST if encoding == "utf-8" else 2 * SHORTEST):
                    found[needle] = (form, text)
    return found


def _places(database: Path, settings: Settings) -> Iterator[_Place]:
    """All places with the program's files, except models, public corpora and other databases."""
    for file in files_of(database):
        yield _Place(file, (file,) if file.is_file() else ())
    folders = [user_data_path(APP), user_cache_path(APP), user_config_path(APP)]
    excluded = [settings.model_dir, settings.db.parent / "corpora"]
    excluded += [folder / name for folder in folders for name in _PUBLIC]
    temporary = Path(tempfile.gettempdir())
    waiting = [file for folder in temporary.glob(f"{APP}*") for file in _files(folder, ())]
    yield _Place(temporary / f"{APP}*", tuple(waiting))  # uploads among them
    if "GRADIO_TEMP_DIR" in os.environ:
        folders.append(Path(os.environ["GRADIO_TEMP_DIR"]))
    for folder in dict.fromkeys(folders):
        yield _Place(folder, tuple(_files(folder, [other.resolve() for other in excluded])))


def _files(folder: Path, excluded: Iterable[Path]) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        inside = any(file.resolve().is_relative_to(other) for other in excluded)
        name = file.name.removesuffix("-wal").removesuffix("-shm")
        if file.is_file() and not inside and not name.endswith(_DATABASES):
            yield file


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # deleted meanwhile
        return 0
