"""Options of a question: one that there is not is refused in a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from minirag_chat.errors import BadSetting
from minirag_chat.settings import Settings
from minirag_chat.ui_text import joined

Given = ParamSpec("Given")
Result = TypeVar("Result")


def only_known_options(method: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let a method raise ``BadSetting`` for an option that it does not take, instead of a TypeError."""
    known = [
        one.name
        for one in inspect.signature(method).parameters.values()
        if one.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    places = [*inspect.signature(method).parameters]

    @wraps(method)
    def call(*args: Given.args, **named: Given.kwargs) -> Result:
        unknown = next((name for name in named if name not in places), None)
        if unknown is not None:
            raise BadSetting(_refused(unknown, known))
        return method(*args, **named)

    return call


def _refused(unknown: str, known: list[str]) -> str:
    there = ""
    if unknown == "model":
        there = " The model is a setting of the memory: `ChatMemory.open(path, Settings(model=\u2026))`."
    elif unknown in Settings.model_fields:
        there = f" It is a setting of the memory: `Settings({unknown}=\u2026)`."
    return f"A question has no option {unknown!r}: it takes {joined(known)}.{there}"
