from __future__ import annotations

import inspect
from typing import Any

import pytest
from needed import needed

from minirag_chat.models.prefix_cache import BLOCK, PrefixCache, given_to

torch, transformers = needed("torch"), needed("transformers")


def read(cache: Any, prompt: list[int], done: int) -> Any:
    """Put each token's id where a model would put its key and value."""
    for layer in range(2):
        states = torch.tensor(prompt[done:], dtype=torch.float32).view(1, 1, -1, 1)
        cache.update(states, -states, layer)
    return cache


def keys(cache: Any) -> list[int]:
    return [] if not cache.layers else [int(key) for key in cache.layers[1].keys.flatten()]


def test_an_unknown_prompt_starts_empty() -> None:
    cache, done = PrefixCache(transformers.DynamicCache).start(list(range(500)))
    assert (keys(cache), done) == ([], 0)


def test_a_known_beginning_is_reused_in_whole_blocks_and_copied() -> None:
    prefixes = PrefixCache(transformers.DynamicCache)
    first = list(range(3 * BLOCK))
    prefixes.keep(first, read(transformers.DynamicCache(), first, 0))
    second = [*first[: 2 * BLOCK + 7], *range(5000, 5050)]
    cache, done = prefixes.start(second)
    assert done == 2 * BLOCK
    assert keys(cache) == first[: 2 * BLOCK]
    read(cache, second, done)
    again, _ = prefixes.start(second)
    assert keys(again) == first[: 2 * BLOCK]


def test_one_token_at_least_is_left_to_read() -> None:
    prefixes = PrefixCache(transformers.DynamicCache)
    prompt = list(range(2 * BLOCK))
    prefixes.keep(prompt, read(transformers.DynamicCache(), prompt, 0))
    _, done = prefixes.start(prompt)
    assert done == BLOCK


def test_the_oldest_prompts_are_forgotten() -> None:
    prefixes = PrefixCache(transformers.DynamicCache, entries=2)
    prompts = [[start, *range(BLOCK)] for start in (1, 2, 3)]
    for prompt in prompts:
        prefixes.keep(prompt, read(transformers.DynamicCache(), prompt, 0))
    assert [prefixes.start(prompt)[1] for prompt in prompts] == [0, BLOCK, BLOCK]


def test_a_longer_prompt_takes_the_place_of_its_beginning() -> None:
    prefixes = PrefixCache(transformers.DynamicCache, entries=2)
    other = [9, *range(BLOCK)]
    prefixes.keep(other, read(transformers.DynamicCache(), other, 0))
    for blocks in (1, 2, 3):
        prompt = list(range(blocks * BLOCK))
        prefixes.keep(prompt, read(transformers.DynamicCache(), prompt, 0))
    assert prefixes.start([*other, 1])[1] == BLOCK


@pytest.mark.parametrize("name", ["cache", "past_key_values"])
def test_a_model_is_given_the_cache_by_the_name_that_it_knows(name: str) -> None:
    def forward(_: object, **given: object) -> object:
        return given[name]

    forward.__signature__ = inspect.Signature(  # type: ignore[attr-defined] # as decorators set it
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY)]
    )
    model = type("Model", (), {"forward": forward})()
    cache = transformers.DynamicCache()
    assert given_to(model, cache) == {name: cache}
