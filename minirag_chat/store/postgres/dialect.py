"""Translates the SQL of the tables from SQLite's dialect to PostgreSQL's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any

from minirag_chat.lazy_patterns import lazy

_PARTS = lazy(
    r"(?P<string>'(?:[^']|'')*')"
    r"|(?P<cast>::)"
    r"|\?(?P<number>\d*)"
    r"|:(?P<name>[a-z_]\w*)"
    r"|\btemp\.(?P<temporary>\w+)"
    r"|\bINDEXED BY \w+ "
    r"|\bCROSS JOIN (?P<joined>\w+ \w+) (?:INDEXED BY \w+ )?(?=ON\b)"
    r"|\bIS NOT (?P<unlike>(?!NULL\b|DISTINCT\b|TRUE\b|FALSE\b))"
    r"|\bIS (?P<like>(?!NOT\b|NULL\b|DISTINCT\b|TRUE\b|FALSE\b))"
    r"|(?P<percent>%)"
)
_TEMPLATES = {
    "cast": "::",
    "number": "%({})s",
    "name": "%({})s",
    "temporary": "pg_temp.{}",
    "joined": "JOIN {} ",
    "unlike": "IS DISTINCT FROM ",
    "like": "IS NOT DISTINCT FROM ",
    "percent": "%%",
    None: "",  # a hint to SQLite's planner
}


@lru_cache(maxsize=1024)
def translated(sql: str) -> str:
    """A statement in SQLite's dialect, translated to PostgreSQL's; its parameters are numbered from 1."""
    places = count(1)

    def part(found: re.Match[str]) -> str:
        kind = found.lastgroup
        if kind == "string":
            return found[0].replace("%", "%%")
        said = found[kind] if kind else ""
        return _TEMPLATES[kind].format(next(places) if kind == "number" and not said else said)

    return _PARTS.sub(part, sql)


def bound(parameters: Any) -> Any:
    """Parameters for psycopg; the character 0 is removed, since PostgreSQL's texts cannot have it."""
    if isinstance(parameters, dict):
        return {name: _value(value) for name, value in parameters.items()}
    values: Sequence[Any] = tuple(parameters)
    return {str(place): _value(value) for place, value in enumerate(values, start=1)}


def _value(value: Any) -> Any:
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
