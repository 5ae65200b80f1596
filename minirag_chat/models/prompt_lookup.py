"""Prompt lookup: guesses the next tokens of an answer from the prompt, because answers quote messages.

Speculative decoding (Leviathan et al. 2023, arXiv 2211.17192) whose draft is copied from the prompt
(Yang et al. 2023, arXiv 2304.04487): the model reads several guessed tokens in one pass, which takes little
longer than one token on a CPU, and keeps those that it would have written itself.
"""

from __future__ import annotations

from collections.abc import Sequence

GUESSED = 4
"""At most so many tokens are guessed."""
LONGEST = 3
"""At most so many of the last tokens are looked for."""


def guess(tokens: Sequence[int], most: int) -> list[int]:
    """At most ``most`` tokens that followed the last tokens of ``tokens`` where these occurred before.

    The longest ending that occurred before counts, and its latest place. Empty if there is none.
    """
    for length in range(LONGEST, 0, -1):
        ending = tokens[-length:]
        for place in range(len(tokens) - length - 1, -1, -1):
            if tokens[place : place + length] == ending:
                return list(tokens[place + length : place + length + most])
    return []
