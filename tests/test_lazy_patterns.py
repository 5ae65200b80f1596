"""Regular expressions are compiled when they are first used."""

from __future__ import annotations

import gc
import importlib
import re
from pathlib import Path

import pytest
import regex

import minirag_chat
from minirag_chat import lazy_patterns
from minirag_chat.lazy_patterns import lazy, lazy_regex


def test_a_pattern_does_what_a_compiled_one_does() -> None:
    day = lazy(r"(?P<day>\d+)\s(may|june)", re.IGNORECASE)
    found = day.search("on 4 MAY")
    assert found is not None
    assert found["day"] == "4"
    assert found.re.pattern == day.pattern
    assert day.sub("then", "on 4 May, 5 june") == "on then, then"
    assert day.groupindex == {"day": 1}
    assert lazy(rb"\d+").findall(b"1, 22") == [b"1", b"22"]
    assert lazy_regex(r"\p{Lu}").findall("Ann, Özil") == ["A", "Ö"]


def test_a_wrong_pattern_fails_at_its_first_use() -> None:
    wrong = lazy("(")
    with pytest.raises(re.error):
        wrong.search("a")


@pytest.mark.slow
def test_every_pattern_of_the_package_compiles() -> None:
    package = Path(minirag_chat.__file__).parent
    for path in package.rglob("*.py"):
        if "lazy_patterns import" in path.read_text(encoding="utf-8"):
            importlib.import_module(
                ".".join(path.relative_to(package.parent).with_suffix("").parts)
            )
    gc.unfreeze()  # what conftest.py froze is not among the objects
    patterns = [one for one in gc.get_objects() if type(one) is lazy_patterns._LazyPattern]
    gc.freeze()
    assert len(patterns) > 700
    broken = [one.pattern for one in patterns if not _compiles(one)]
    assert broken in ([], ["("])  # the one above, as long as it is not collected


def _compiles(pattern: lazy_patterns._LazyPattern) -> bool:
    try:
        return isinstance(pattern.flags, int)
    except (re.error, regex.error):
        return False
