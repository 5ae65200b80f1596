"""Turns tokens into text as they come, and detects endless repetition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

UNFINISHED = "\ufffd"
LONGEST_LOOP = 24
REPEATS = 4


class TextPieces:
    """Turns a growing list of tokens into pieces of text that never hold half a character.

    ``decode`` turns token ids into text, with the replacement character for unfinished UTF-8.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]) -> None:
        self._decode = decode
        self._tokens: list[int] = []
        self._given = 0

    def add(self, token: int) -> str:
        """Take a token and return the text that is now complete, which may be empty."""
        self._tokens.append(token)
        text = self._decode(self._tokens)
        return "" if text.endswith(UNFINISHED) else self._rest(text)

    def end(self) -> str:
        """Return the remaining text, without an unfinished character at its end."""
        return self._rest(self._decode(self._tokens).rstrip(UNFINISHED))

    def _rest(self, text: str) -> str:
        piece, self._given = text[self._given :], max(self._given, len(text))
        return piece


def in_pieces(tokens: Iterable[int], decode: Callable[[Sequence[int]], str]) -> Iterator[str]:
    """The text of ``tokens`` as they come, in pieces that never hold half a character."""
    pieces = TextPieces(decode)
    for token in tokens:
        if piece := pieces.add(token):
            yield piece
    if piece := pieces.end():
        yield piece


def repeats_itself(tokens: Sequence[int]) -> bool:
    """Whether the tokens end with the same passage at least four times, 24 tokens or more in total."""
    for size in range(1, LONGEST_LOOP + 1):
        span = size * max(REPEATS, -(-LONGEST_LOOP // size))
        if len(tokens) < span:
            continue
        tail = tokens[-span:]
        if all(tail[i] == tail[i % size] for i in range(span)):
            return True
    return False
