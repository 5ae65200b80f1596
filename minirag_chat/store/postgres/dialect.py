"""Translates the SQL of the tables from SQLite's dialect to PostgreSQL's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_PARTS = re.compile(
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
    """A statement in SQLite's dialect, translated to PostgreSQL's."""
    return _PARTS.sub(_part, sql)


def bound(parameters: Any) -> Any:
    """Parameters for psycopg; the character 0 is removed, since PostgreSQL's texts cannot have it."""
    if isinstance(parameters, dict):
        return {name: _value(value) for name, value in parameters.items()}
    values: Sequence[Any] = tuple(parameters)
    return {str(place): _value(value) for place, value in enumerate(values, start=1)}


def counted(sql: str) -> str:
    """The statement with numbered parameters, ``?1`` and so on."""
    number = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal number
        if found["number"] != "":
            return found[0]
        number += 1
        return f"?{number}"

    return _PARTS.sub(mark, sql)


def _part(found: re.Match[str]) -> str:
    kind = found.lastgroup
    if kind == "string":
        return found[0].replace("%", "%%")
    return _TEMPLATES[kind].format(found[kind] if kind else "")


def _value(value: Any) -> Any:
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
