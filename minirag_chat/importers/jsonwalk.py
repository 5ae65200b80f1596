"""Reads JSON of any size: chosen containers are entered, the values below are decoded as a whole.

Only the current value is in memory. Values are decoded by the standard library, as ``json.loads`` does.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TextIO

from minirag_chat.importers.jsoncut import JsonCutter
from minirag_chat.importers.limits import LARGEST_PART, LONGEST_LINE
from minirag_chat.lazy_patterns import lazy

Step = str | int
Path = tuple[Step, ...]

_MOST_DIGITS = 400  # of an integer; no program writes longer ones


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MOST_DIGITS else math.inf


_DECODER = json.JSONDecoder(strict=False, parse_int=_whole)
_PLAIN = lazy(r"(?:[a-z_]+\.)*\d+", re.ASCII)
_ASSIGNED = lazy(r"\s*[A-Za-z_$][\w.$]{0,99}\s*=\s*(?=[\[{])")
_BLANKS = lazy(r"[ \t\n\r\ufeff]*")
_BLOCK = 256 * 1024
_IN_NUMBERS = "0123456789.eE+-"
_LONGEST_SHOWN = 80
_LONGEST_WORD = 16  # -Infinity, or a number's last characters


def place(path: Path) -> str:
    """Return a path of keys as text: ``messages.17``, other keys in backquotes."""
    text = ".".join(map(str, path))[:_LONGEST_SHOWN]
    return text if _PLAIN.fullmatch(text) else quoted_place(path)


def quoted_place(path: Path) -> str:
    """Return a path of keys as text in backquotes."""
    text = ".".join(map(str, path))[:_LONGEST_SHOWN]
    odd = text.encode("unicode_escape").decode().replace("`", "'")
    return f"`{odd or ' '}`"


def is_prefix(path: Path, way: Sequence[str | None]) -> bool:
    """Whether ``path`` is the beginning of ``way`` or all of it; a None in ``way`` matches any list index."""
    return len(path) <= len(way) and all(
        step == want or (want is None and isinstance(step, int))
        for step, want in zip(path, way, strict=False)
    )


class DamagedJson(ValueError):
    """The text is not valid JSON from ``where`` on, a path of keys such as ``messages.17``."""

    def __init__(self, path: Path) -> None:
        self.where = place(path) if path else "its beginning"
        super().__init__(self.where)


def decoded(text: str) -> Any:
    """Return a JSON text's value; raises ``ValueError`` or ``RecursionError`` for invalid JSON."""
    return _DECODER.decode(text)


def object_in(line: str) -> dict[str, Any] | str:
    """Return the object of a line of JSON Lines, or the reason why there is none."""
    try:
        value = decoded(line)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    is_long = len(line) >= LONGEST_LINE
    return (
        f"a line of more than {LONGEST_LINE:,} characters"
        if is_long
        else "not a JSON object on one line"
    )


def walk(
    stream: TextIO, enter: Callable[[Path], bool], left_out: Callable[[int], None]
) -> Iterator[tuple[Path, Any]]:
    """Yield ``(path, value)`` of each value that is not entered; ``enter`` decides by path.

    In a value of more than ``LARGEST_PART`` characters long strings are truncated, and ``left_out`` is called
    with the number of characters dropped; if it is still too large it becomes None. Raises ``DamagedJson``
    where the text is truncated or invalid, after yielding the values before. A name to which a script assigns
    the JSON (``window.YTD.account.part0 = [``) is skipped.
    """
    scanner = _Scanner(stream, left_out)
    scanner.skip_name()
    return _inside(scanner, (), enter)


def _inside(scanner: _Scanner, path: Path, enter: Callable[[Path], bool]) -> Iterator[Any]:
    opening = scanner.next(path)
    if opening not in ("{", "[") or not enter(path):
        yield path, scanner.value(path)
        return
    scanner.take(opening, path)
    closing = "}" if opening == "{" else "]"
    number = 0
    if scanner.next(path) == closing:
        scanner.take(closing, path)
        return
    while True:
        step: Step = number
        if opening == "{":
            step = str(scanner.value((*path, number)))
            scanner.take(":", (*path, step))
        yield from _inside(scanner, (*path, step), enter)
        number += 1
        if scanner.next((*path, step)) == closing:
            scanner.take(closing, path)
            return
        scanner.take(",", (*path, step))


class _Scanner:
    """A buffer over the text from the current position on."""

    def __init__(self, stream: TextIO, left_out: Callable[[int], None]) -> None:
        self._stream = stream
        self._left_out = left_out
        self._buffer = ""
        self._at = 0
        self._ended = False

    def skip_name(self) -> None:
        """Skip a name with an equals sign at the beginning of the text."""
        self._more()
        name = _ASSIGNED.match(self._buffer)
        self._at = name.end() if name else 0

    def next(self, path: Path) -> str:
        """Return the next character that is not whitespace."""
        while True:
            self._at = _BLANKS.match(self._buffer, self._at).end()  # type: ignore[union-attr]  # it matches nothing too
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                raise DamagedJson(path)

    def take(self, character: str, path: Path) -> None:
        """Skip the next character, which must be the given one."""
        if self.next(path) != character:
            raise DamagedJson(path)
        self._at += 1

    def value(self, path: Path) -> Any:
        """Decode and return the next value."""
        self.next(path)
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if not self._is_cut(error):
                    raise DamagedJson(path) from error
                if len(self._buffer) - self._at > LARGEST_PART:
                    return self._cut_value(path)
                if not self._more():
                    raise DamagedJson(path) from error
                continue
            except (RecursionError, ValueError) as error:
                raise DamagedJson(path) from error
            ended = end < len(self._buffer) and self._buffer[end] not in _IN_NUMBERS
            if ended or isinstance(value, (str, dict, list)) or not self._more():
                self._at = end
                return value

    def _cut_value(self, path: Path) -> Any:
        """Return the next value, which is too large, with long strings truncated."""
        cutter = JsonCutter()
        if self._buffer[self._at] not in '{["':
            raise DamagedJson(path)
        while (end := cutter.feed(self._buffer[self._at :])) is None:
            self._buffer, self._at = self._stream.read(_BLOCK), 0
            if not self._buffer:
                raise DamagedJson(path)
        self._at += end
        self._left_out(cutter.left_out)
        try:
            return None if cutter.too_large else decoded(cutter.text())
        except (RecursionError, ValueError) as error:
            raise DamagedJson(path) from error

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        near = error.pos >= len(self._buffer) - _LONGEST_WORD
        return near or error.msg.startswith("Unterminated string")

    def _more(self) -> bool:
        """Read more text; the buffer doubles for a value that does not fit, so that there are few retries."""
        rest = self._buffer[self._at :]
        block = "" if self._ended else self._stream.read(max(_BLOCK, len(rest)))
        self._ended = not block
        self._buffer, self._at = rest + block, 0
        return bool(block)
