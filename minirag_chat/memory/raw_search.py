"""Searches files of any kind for many byte strings at once.

It runs in a process of its own: when a process closes any handle of a file, it loses all SQLite locks
on that file, so the process that has the database open must not read the file itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from minirag_chat.errors import MiniRagChatError
from minirag_chat.system.passphrase import environment_without_passphrases

SHORTEST = 4  # bytes
_LONG = 8
_BLOCK = 4 * 1024 * 1024
_BITS = 20
_NOT_SEARCHED = (
    "The messages are deleted, but the files could not be searched for remains of them ({why}): "
    "search the folder of the database for one of their words with another program."
)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def search_in_subprocess(
    needles: Collection[bytes], files: Iterable[Path]
) -> dict[Path, list[bytes]]:
    """Which needles each file has, searched by another process. The case of ASCII letters is ignored.

    Raises ``MiniRagChatError`` if that process fails.
    """
    request = {"needles": [n.hex() for n in needles], "files": [str(file) for file in files]}
    done = subprocess.run(
        [sys.executable, "-m", "minirag_chat.memory.raw_search"],
        input=json.dumps(request), capture_output=True, text=True, check=False,
        env=environment_without_passphrases(),
    )  # fmt: skip
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
        raise MiniRagChatError(_NOT_SEARCHED.format(why=why))
    result = json.loads(done.stdout)
    return {Path(file): [bytes.fromhex(n) for n in found] for file, found in result.items()}


def search(needles: Iterable[bytes], pieces: Iterable[bytes]) -> set[bytes]:
    """Which needles (lower case, at least ``SHORTEST`` bytes) a text in pieces contains."""
    wanted = set(needles)
    sizes = (SHORTEST, _LONG)
    keys = [
        _PrefixIndex({n for n in wanted if (len(n) >= _LONG) == (size == _LONG)}, size)
        for size in sizes
    ]
    longest = max(map(len, wanted), default=0)
    found: set[bytes] = set()
    before = b""
    for piece in _gathered(pieces):
        text = before + piece.lower()
        for each in keys:
            found |= each.found(text)
        before = text[max(0, len(text) - longest + 1) :] if longest > 1 else b""
    return found


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join small pieces into larger ones, as each search has a fixed cost."""
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size >= _BLOCK:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join(parts)


class _PrefixIndex:
    """Needles by their first bytes: a hash table tests all positions of a text at once."""

    def __init__(self, needles: set[bytes], size: int) -> None:
        self._size = size
        self._by_key: dict[bytes, list[bytes]] = defaultdict(list)
        for needle in needles:
            self._by_key[needle[:size]].append(needle)
        self._table = np.zeros(1 << _BITS, dtype=bool)
        if self._by_key:
            self._table[_hashed(b"".join(self._by_key), size)[::size]] = True

    def found(self, text: bytes) -> set[bytes]:
        if not self._by_key or len(text) < self._size:
            return set()
        places = np.flatnonzero(self._table[_hashed(text, self._size)])
        return {
            needle
            for place in places.tolist()
            for needle in self._by_key.get(text[place : place + self._size], ())
            if text.startswith(needle, place)
        }


def _hashed(text: bytes, size: int) -> NDArray[np.int64]:
    """For each position, a hash in [0, 2^_BITS) of the ``size`` bytes that begin there."""
    data = np.frombuffer(text, dtype=np.uint8).astype(np.uint64)
    places = len(data) - size + 1
    value = np.zeros(places, dtype=np.uint64)
    for place in range(size):
        value |= data[place : place + places] << np.uint64(8 * place)
    return ((value * _SPREAD) >> np.uint64(64 - _BITS)).astype(np.int64)


def blocks(file: Path) -> Iterator[bytes]:
    """The bytes of a file, as far as it can be read: it may be deleted meanwhile."""
    try:
        with file.open("rb") as opened:
            while block := opened.read(_BLOCK):
                yield block
    except OSError:
        return


def main() -> None:
    """Read what to search for from standard input; write what was found to standard output."""
    request = json.load(sys.stdin)
    needles = [bytes.fromhex(needle) for needle in request["needles"]]
    result = {
        file: sorted(needle.hex() for needle in search(needles, blocks(Path(file))))
        for file in request["files"]
    }
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
