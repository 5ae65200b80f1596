"""Models that think before they answer: removes the thoughts from the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

FIELDS = ("reasoning", "reasoning_content", "thinking")
"""Fields, beside ``content``, in which servers send thoughts."""
BEGIN, END = "<think>", "</think>"
"""The tags around thoughts if a server sends them in ``content``."""


class ThinksError(Exception):
    """A model thinks, though it should answer at once."""


def spoken(pieces: Iterable[tuple[str, bool]], *, at_once: bool) -> Iterator[str]:
    """The pieces of an answer without the thoughts before it.

    Each of ``pieces`` is a text and whether the server marked it as a thought. With ``at_once``, raises
    ``ThinksError`` at the first thought, before anything is yielded.
    """
    held, thinking, speaking = "", False, False
    for text, thought in pieces:
        if speaking:
            if not thought:
                yield text
            continue
        held += "" if thought else text
        thinking = thinking or held.lstrip().startswith(BEGIN)
        if at_once and (thought or thinking):
            raise ThinksError
        if thinking and END in held:
            held, thinking = held.partition(END)[2].lstrip(), False
        if held.strip() and not thinking and not BEGIN.startswith(held.lstrip()):
            speaking = True
            yield held
    if held.strip() and not (speaking or thinking):  # text that is only the beginning of the tag
        yield held
