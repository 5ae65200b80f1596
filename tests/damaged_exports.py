"""Exports of every dialect that our tests write, harmed in one to four ways, each by its number.

Bytes and lines are lost or doubled, runs of up to half a megabyte put in, parts of two files joined, numbers
made huge, days put at the ends of time, control characters strewn, letters and digits put in that only look
alike, a line said again and again.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent / "importers"))

from dialects import DIALECTS
from golden import GOLDEN, START, TALK

LARGEST = 950_000  # bytes of a case
CANARY = "marzipanfarm"


RUNS = (
    *"[](){}<>|,;:\"'\\/&#.!@*=+-~_^%$1x \t\n", "\u200e", "\u0301", "\u4e2d", "\u5e74", "\U0001f600", "[1]", "[](/",
    "](/", "> ", "- ", ": ", "1/", "12:", "a_", "a.b ", "&#1;", "&amp;", "<a ", "<div>", "{}", "\\u0000", "\\ud83d",
    "word ", "Ann Miller ", "Ann Miller: ", "a@b.example ", "12.07 ", "at 7? ", "tomorrow ", "AbC", "\n\n", "\r",
)  # fmt: skip
NUMBERS = (
    "9" * 400, "9" * 60, "1e308", "1e999999999", "-1", "NaN", "Infinity", "99999999999999", "0", "00000000000000",
    "-9223372036854775809", "253402300799", "253402300800000", "18446744073709551616", "0.1e-400", "\u0663\u0661",
)  # fmt: skip
YEARS = (
    "0001",
    "9999",
    "0000",
    "10000",
    "1582",
    "1899",
    "2100",
    "-2021",
    "99999999",
    "\u0662\u0660\u0662\u0661",
)
MONEY = (
    "1e9999 euros",
    "9" * 70 + " EUR",
    "12,345,678,901,234,567,890.00 $",
    "0.000000000001 km",
    "1/0 litres",
)
DAMAGES = (
    "drop", "twice", "swap", "end", "rubbish", "cut", "byte", "bytes", "run", "run", "splice", "number", "year",
    "controls", "again", "words", "alike",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """An export, the ways in which it was harmed, and whether its format is said."""

    name: str
    damages: tuple[str, ...]
    files: dict[str, bytes]
    format: str | None


def case(seed: int, number: int) -> Case:
    """The case of this number: always the same."""
    drawn = random.Random(f"{seed} {number}")  # noqa: S311 - no secret
    said = drawn.choice((f"{CANARY} at 7?", f"paid {drawn.choice(MONEY)} for the {CANARY}"))
    talk = (*TALK, (START.replace(hour=20), "Ann Miller", said))
    writers: dict[str, Any] = {**DIALECTS, **GOLDEN}
    name = drawn.choice(sorted(writers))
    files = {
        path: text if isinstance(text, bytes) else text.encode()
        for path, text in writers[name](talk).items()
    }
    harmed = tuple(drawn.choice(DAMAGES) for _ in range(drawn.choice((1, 1, 2, 3, 4))))
    for what in harmed:
        path = (
            max(files, key=lambda p: len(files[p]))
            if drawn.random() < 0.8
            else drawn.choice(sorted(files))
        )
        other = writers[drawn.choice(sorted(writers))](talk)
        data = drawn.choice(sorted(other.values(), key=str))
        files[path] = harm(
            files[path], what, drawn, data if isinstance(data, bytes) else data.encode()
        )[:LARGEST]
    return Case(name, harmed, files, name if name in GOLDEN and drawn.random() < 0.3 else None)


def harm(data: bytes, what: str, drawn: random.Random, other: bytes) -> bytes:
    """Harm the bytes of a file in one way."""
    lines, at = data.split(b"\n"), drawn.randrange(len(data) + 1)
    line = drawn.randrange(len(lines))
    if what in IN_LINES:
        IN_LINES[what](lines, line, drawn)
        return b"\n".join(lines)
    return IN_BYTES[what](data, at, drawn, other)


def swap(lines: list[bytes], line: int, drawn: random.Random) -> None:
    """Put a line in another's place, and that one in its."""
    away = drawn.randrange(len(lines))
    lines[line], lines[away] = lines[away], lines[line]


def again(lines: list[bytes], line: int, drawn: random.Random) -> None:
    """Repeat a line many times."""
    most = 300_000 // (len(lines[line]) + 1)
    lines[line:line] = [lines[line]] * min(drawn.choice((50, 3000)), most)


def other_bytes(data: bytes, at: int, drawn: random.Random, count: int) -> bytes:
    """Put any byte, so many times, in the place of one."""
    return data[:at] + bytes([drawn.randrange(256)]) * count + data[at + 1 :]


def long_run(data: bytes, at: int, drawn: random.Random) -> bytes:
    """Repeat something in a file, up to half a megabyte of it."""
    run = drawn.choice(RUNS).encode()
    before = data[: place(data, drawn)]
    return before + (run * 500_000)[: drawn.choice((1_000, 100_000, 500_000))] + data[at:]


def controls(data: bytes, drawn: random.Random) -> bytes:
    """Put control characters into a file, as each format may write them."""
    for _ in range(drawn.choice((1, 20))):
        at = place(data, drawn)
        data = data[:at] + drawn.choice(CONTROLS) + data[at:]
    return data


def alike(data: bytes, drawn: random.Random) -> bytes:
    """Put letters, digits and marks in that only look like those of one place, or of the whole file."""
    at = place(data, drawn)
    end = at + drawn.choice((1, 30, len(data)))
    part = re.sub(
        rb"[%s]" % re.escape(bytes(LIKE)),
        lambda m: drawn.choice(LIKE[m[0][0]]).encode(),
        data[at:end],
    )
    return data[:at] + part + data[end:]


IN_LINES: dict[str, Callable[[list[bytes], int, random.Random], None]] = {
    "drop": lambda lines, line, _drawn: lines.pop(line) and None,
    "twice": lambda lines, line, _drawn: lines.insert(line, lines[line]),
    "swap": swap,
    "end": lambda lines, line, drawn: lines.__setitem__(
        line, lines[line] + drawn.choice((b"\r", b"\r\r"))
    ),
    "rubbish": lambda lines, line, drawn: lines.insert(line, drawn.randbytes(40)),
    "again": again,
}
IN_BYTES: dict[str, Callable[[bytes, int, random.Random, bytes], bytes]] = {
    "cut": lambda data, at, _drawn, _other: data[:at],
    "byte": lambda data, at, drawn, _other: other_bytes(data, at, drawn, 1),
    "bytes": lambda data, at, drawn, _other: other_bytes(data, at, drawn, 9),
    "run": lambda data, at, drawn, _other: long_run(data, at, drawn),
    "splice": lambda data, at, drawn, other: data[:at] + other[drawn.randrange(len(other) + 1) :],
    "number": lambda data, _at, drawn, _other: instead(
        data, rb"\d+(?:\.\d+)?", drawn.choice(NUMBERS), drawn
    ),
    "year": lambda data, _at, drawn, _other: instead(
        data, rb"20\d\d|(?<=/)2[12]\b", drawn.choice(YEARS), drawn
    ),
    "words": lambda data, _at, drawn, _other: instead(
        data, rb"Shall we meet|Bring the tea|so be it", drawn.choice(MONEY), drawn
    ),
    "controls": lambda data, _at, drawn, _other: controls(data, drawn),
    "alike": lambda data, _at, drawn, _other: alike(data, drawn),
}


CONTROLS = (
    *(bytes([n]) for n in (*range(9), *range(11, 32), 127)), *(chr(n).encode() for n in range(128, 160)),
    "\u2028".encode(), "\u202e".encode(), "\ufeff".encode(), "\ud83d".encode("utf-8", "surrogatepass"),
    rb"\u0000", rb"\ud83d", b"&#0;", b"&#27;", b"=00", "\ue000".encode(), "\U000e0001".encode(),
)  # fmt: skip
LIKE = {
    ord(one): like
    for one, like in {
        "s": "\u017f", "i": "\u0131\u0130", "k": "\u212a", "a": "\u0430\u00aa", "o": "\u043e\u00ba", "A": "\uff21",
        **{str(n): chr(0x660 + n) + chr(0x966 + n) + chr(0xFF10 + n) + chr(0x2080 + n) for n in range(10)}, ":": "\uff1a\u2236", "/": "\u2044\uff0f", "-": "\u2010\u2212", ",": "\u060c\uff0c", " ": "\u00a0\u202f",
    }.items()
}  # fmt: skip
"""What only looks like it, to a person or to a regular expression that disregards case."""


def place(data: bytes, drawn: random.Random) -> int:
    """A place in a file: often in or beside a sender, a text or a date."""
    marks = [m.start() for m in re.finditer(rb"Ann Miller|Shall we|meet at 7|:05|2021|Bob", data)]
    if not marks or drawn.random() < 0.3:
        return drawn.randrange(len(data) + 1)
    return min(drawn.choice(marks) + drawn.randrange(11), len(data))


def instead(data: bytes, pattern: bytes, text: str, drawn: random.Random) -> bytes:
    """Put a text in the place of one, or of each, of what a pattern finds."""
    found = list(re.finditer(pattern, data))
    if not found:
        return data
    if drawn.random() < 0.3:
        return re.sub(pattern, lambda _: text.encode(), data)
    one = drawn.choice(found)
    return data[: one.start()] + text.encode() + data[one.end() :]
