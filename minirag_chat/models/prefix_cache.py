"""Prefix cache: keys and values of earlier prompts, reused for a prompt with the same beginning.

Only whole blocks are kept and reused. The tokens after a reused beginning are computed in other batches
than without it, which costs far less and may change the last bit of a number.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

BLOCK = 32
"""Tokens per block."""
LONGEST = 4096
"""At most so many tokens of a prompt are kept."""


class PrefixCache:
    """The beginnings of the last ``entries`` prompts, by token ids.

    ``make`` returns an empty transformers ``DynamicCache``. Not thread-safe.
    """

    def __init__(self, make: Any, *, entries: int = 4) -> None:
        self._make = make
        self._entries = entries
        self._kept: list[tuple[tuple[int, ...], Any]] = []

    def start(self, prompt: Sequence[int]) -> tuple[Any, int]:
        """Return a cache filled with the longest known beginning of ``prompt``, and its length.

        At least one token of the prompt is left to read, because its logits give the first new token.
        """
        best, length = None, 0
        for entry in self._kept:
            common = _common(entry[0], prompt[:-1]) // BLOCK * BLOCK
            if common > length:
                best, length = entry, common
        if best is None:
            return self._make(), 0
        self._kept.remove(best)
        self._kept.append(best)
        return self._cut(best[1], length), length

    def keep(self, prompt: Sequence[int], cache: Any) -> None:
        """Store the whole blocks of ``prompt``; ``cache`` has its keys and values."""
        length = min(len(prompt), LONGEST) // BLOCK * BLOCK
        known = tuple(prompt[:length])
        if not length or not can_be_cut(cache):
            return
        covered = [entry for entry in self._kept if entry[0][:length] == known]
        if covered:
            return
        self._kept = [entry for entry in self._kept if known[: len(entry[0])] != entry[0]]
        self._kept = [*self._kept, (known, self._cut(cache, length))][-self._entries :]

    def clear(self) -> None:
        """Forget everything."""
        self._kept = []

    def _cut(self, cache: Any, length: int) -> Any:
        copy = self._make()
        for index, layer in enumerate(cache.layers):
            copy.update(layer.keys[..., :length, :], layer.values[..., :length, :], index)
        return copy


def given_to(model: Any, cache: Any) -> dict[str, Any]:
    """A cache as a keyword argument of a transformers model: its name changed in release 5.24."""
    return {_parameter(type(model).forward): cache}


@functools.cache
def _parameter(forward: Callable[..., Any]) -> str:
    known = inspect.signature(forward).parameters
    return "cache" if "cache" in known else "past_key_values"


def common_beginning(prompts: Sequence[Sequence[int]]) -> int:
    """The length of the prompts' common beginning, in whole blocks; each keeps one token or more after it."""
    first, *others = prompts
    shortest = min(map(len, prompts)) - 1
    length = min([shortest, *(_common(first, other) for other in others)])
    return length // BLOCK * BLOCK


def batches(prompts: Sequence[list[int]], tokens: int) -> list[list[list[int]]]:
    """The prompts in order, in groups of about ``tokens`` tokens beyond their common beginning."""
    if not prompts:
        return []
    shared = common_beginning(prompts) if len(prompts) > 1 else 0
    found: list[list[list[int]]] = [[]]
    used = 0
    for prompt in prompts:
        cost = len(prompt) - shared
        if found[-1] and used + cost > tokens:
            found.append([])
            used = 0
        found[-1].append(prompt)
        used += cost
    return found


def _common(known: Sequence[int], prompt: Sequence[int]) -> int:
    for position, (ours, theirs) in enumerate(zip(known, prompt, strict=False)):
        if ours != theirs:
            return position
    return min(len(known), len(prompt))


def can_be_cut(cache: Any) -> bool:
    """Whether every layer keeps all keys and values; sliding windows and recurrent states do not."""
    return all(type(layer).__name__ == "DynamicLayer" for layer in cache.layers)
