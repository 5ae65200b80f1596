"""Models that think before they answer: what they think is no part of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

FIELDS = ("reasoning", "reasoning_content", "thinking")
"""Where servers put what a model thinks, beside ``content``."""
BEGIN, END = "<think>", "</think>"
"""What stands around it where a server leaves it in ``content``."""


class ThinksError(Exception):
    """A model thinks, though it was to answer at once."""


def spoken(pieces: Iterable[tuple[str, bool]], *, at_once: bool) -> Iterator[str]:
    """The pieces of an answer without the thoughts before it.

    Each of ``pieces`` is a text and whether the server marked it as a thought. Raises ``ThinksError``
    at the first thought where the model was to answer ``at_once``; nothing was yielded then.
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
    if held.strip() and not (speaking or thinking):  # a word that only begins like a thought
        yield held
