"""Regular expressions that are compiled when they are first used.

A command needs few of them: compiling all took half of its start.
"""

import re
from collections.abc import Callable
from typing import Any, AnyStr, cast

import regex


class _LazyPattern:
    """Stands for a compiled pattern, with its methods and attributes.

    ``match.re`` is the real pattern, not this object.
    """

    def __init__(
        self, compiler: Callable[[Any, int], Any], pattern: str | bytes, flags: int
    ) -> None:
        self._compiler, self._flags = compiler, flags
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = self._compiler(self.pattern, self._flags)
        for known in dir(compiled):
            if not known.startswith("_"):
                self.__dict__[known] = getattr(compiled, known)
        return getattr(compiled, name)


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The same as ``re.compile``, done at the first use: ``re.error`` is raised then."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(re.compile, pattern, flags))


def any_case(pattern: str) -> re.Pattern[str]:
    """The same for letters in upper and lower case."""
    return lazy(pattern, re.IGNORECASE)


def lazy_regex(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    """The same as ``regex.compile``, which knows Unicode's properties, done at the first use."""
    return cast("regex.Pattern[str]", _LazyPattern(regex.compile, pattern, flags))
