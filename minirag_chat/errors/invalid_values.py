"""What is wrong with values that pydantic refused, in plain words, as something to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

_WHOLE, _NUMBER, _TRUTH, _LIST = "a whole number", "a number", "true or false", "a list"
_KINDS: Mapping[str, str] = {
    "int_type": _WHOLE, "int_parsing": _WHOLE, "int_from_float": _WHOLE, "int_parsing_size": _WHOLE,
    "float_type": _NUMBER, "float_parsing": _NUMBER, "finite_number": _NUMBER,
    "bool_type": _TRUTH, "bool_parsing": _TRUTH,
    "list_type": _LIST, "tuple_type": _LIST, "frozen_set_type": _LIST, "set_type": _LIST,
    "string_type": "text", "dict_type": "an object", "model_type": "an object", "path_type": "a path",
    "none_required": "null",
}  # fmt: skip
"""What to give instead, by pydantic's name of the mistake."""
_LIMITS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "greater_than_equal": lambda limit: f"at least {limit['ge']}",
    "less_than_equal": lambda limit: f"at most {limit['le']}",
    "too_long": lambda limit: f"a list of at most {limit['max_length']}",
    "literal_error": lambda limit: limit["expected"],
}
"""The same where the mistake has a limit."""


class Invalid(NamedTuple):
    """A value that was refused: the ``name`` it was given as, with its place in a list; and a ``remedy``."""

    name: str
    remedy: str


def invalid(error: ValidationError) -> Invalid:
    """The first value that was refused; ``name`` is empty for a whole document."""
    found = error.errors()
    name = _name(found[0]["loc"])
    # a value that may be text or a number is refused once as each
    wanted = dict.fromkeys(_wanted(one) for one in found if _name(one["loc"]) == name)
    if None not in wanted:
        return Invalid(name, f"give {' or '.join(map(str, wanted))}")
    return Invalid(name, _otherwise(found[0]))


def _name(place: tuple[int | str, ...]) -> str:
    """The field of a place, and where in its list; the rest of a place is the kind that it was read as."""
    inside = (part for part in place[1:] if isinstance(part, int))
    return ".".join(map(str, (*place[:1], *inside)))


def _wanted(one: Mapping[str, Any]) -> str | None:
    """What the value has to be; None if that is no kind and no limit."""
    kind = one["type"]
    return _LIMITS[kind](one["ctx"]) if kind in _LIMITS else _KINDS.get(kind)


def _otherwise(one: Mapping[str, Any]) -> str:
    if one["type"] == "extra_forbidden":
        return "there is none of this name"
    if one["type"] == "missing":
        return "it is missing"
    own = one.get("ctx", {}).get("error")  # a check of ours
    return str(own or one["msg"])
