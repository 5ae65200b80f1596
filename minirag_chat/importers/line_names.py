"""Finds the names in what LINE for computers writes: nothing but spaces between time, name and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from minirag_chat.importers.context import ImportContext
from minirag_chat.importers.line_words import MEDIA, NOTICE
from minirag_chat.lazy_patterns import lazy

SPACED = lazy(r"(?P<time>\d{1,2}:\d\d) (?P<rest>[^\t]+)")
_MOST_WORDS = 4  # of a name
_MOST_NAMESAKES = 3  # people with one first word
_NEARLY_ALL = 0.8  # share of the lines with that word that they wrote
_MOST_WAYS = 50  # in which lines with one name go on, that are counted: those of names come early
_OFTEN = 5  # messages of a person: with fewer, words that all of them begin with may be chance
_MOST_SHOWN = 5  # names in a note
_MOST_PEOPLE = 1000  # named by notices


def names_in(context: ImportContext) -> dict[str, int]:
    """Return the names in a file, and how many lines begin with each.

    A name is the first word of a line. Words after it belong to the name if nearly all lines with that word
    have them, or, where several people share a first word, one of a few; of a person with few lines if all of
    them have a second word with a capital, as the first has, or a notice names the person so. A note says of
    which names neither is known.
    """
    noticed = _noticed(context)
    names = dict(_further(context, {"": 0}).get("", ()))
    for _ in range(_MOST_WORDS - 1):
        further = _further(context, names)
        shared = {
            name: ways
            for name, found in further.items()
            if (ways := _longer(names[name], found, noticed))
        }
        if not shared:
            break
        for name, ways in shared.items():
            del names[name]
            names |= ways
    _note_uncertain(names, _further(context, names), noticed, context)
    return names


def with_tabs(line: str, names: Mapping[str, int]) -> str:
    """Return a line with spaces as it would be with tabs."""
    found = SPACED.fullmatch(line) if names else None
    if found is None:
        return line
    words = found["rest"].split(" ")
    heads = (" ".join(words[:size]) for size in range(min(_MOST_WORDS, len(words)), 0, -1))
    name = next((head for head in heads if head in names), None)
    if name is None:
        return f"{found['time']}\t{found['rest']}"
    return f"{found['time']}\t{name}\t{found['rest'].removeprefix(name).lstrip()}"


def _further(context: ImportContext, names: Mapping[str, int]) -> dict[str, Counter[str]]:
    """Count, for each of the names, the names of one word more that lines begin with."""
    sizes = {len(name.split()) for name in names}
    found: dict[str, Counter[str]] = {}
    for words in _lines(context):
        for size in sizes:
            name, longer = " ".join(words[:size]), " ".join(words[: size + 1])
            if len(words) > size + 1 and name in names and not _is_own(words[size:]):
                ways = found.setdefault(name, Counter())
                if not name or longer in ways or len(ways) < _MOST_WAYS:
                    ways[longer] += 1
    return found


def _lines(context: ImportContext) -> Iterator[list[str]]:
    """Yield the words after the time of each line with one."""
    for line in context.lines():
        if match := SPACED.fullmatch(line):
            yield match["rest"].split(" ")


def _is_own(words: list[str]) -> bool:
    """Whether these words of a line are the program's own."""
    text = " ".join(words)
    return text in MEDIA or NOTICE.fullmatch(text) is not None


def _noticed(context: ImportContext) -> set[str]:
    """Return the names of several words in notices ("Bob Stone joined the group."), and what begins them."""
    found: set[str] = set()
    for words in _lines(context):
        for size in range(1, min(_MOST_WORDS, len(words) - 1) + 1):
            notice = NOTICE.fullmatch(" ".join(words[size:]))
            if notice is not None and len(found) < _MOST_PEOPLE:
                for named in (words[:size], (notice["whom"] or "").split()[:_MOST_WORDS]):
                    found |= {" ".join(named[:part]) for part in range(2, len(named) + 1)}
    return found


def _longer(count: int, ways: Counter[str], noticed: Collection[str]) -> dict[str, int]:
    """Return the names that the first words of ``count`` lines begin; none if these are the whole name."""
    alone = count > 1 and [*ways.values()] == [count] and _is_capital(next(iter(ways)))
    few = [
        (name, number)
        for name, number in ways.most_common(_MOST_NAMESAKES)
        if alone or number >= _OFTEN or name in noticed
    ]
    if sum(number for _, number in few) < _NEARLY_ALL * count:
        return {}
    return {name: number for name, number in ways.items() if number > 1 or name in noticed}


def _is_capital(name: str) -> bool:
    """Whether these are two words, as of a name: both with a capital, and the second not just a letter."""
    first, _space, second = name.partition(" ")
    return first[:1].isupper() and second[:1].isupper() and len(second) > 1 and " " not in second


def _note_uncertain(
    names: Mapping[str, int],
    further: Mapping[str, Counter[str]],
    noticed: Collection[str],
    context: ImportContext,
) -> None:
    """Record the names in a single line, whose next word may belong to the name."""
    found = [
        name
        for name, ways in further.items()
        if names[name] == 1 and name not in noticed and _is_capital(next(iter(ways)))
    ]
    if found:
        shown = ", ".join(found[:_MOST_SHOWN]) + (" …" if len(found) > _MOST_SHOWN else "")
        context.notes.append(
            f"In {context.name} nothing is between a name and its text: of {shown}, with one message each, "
            "the next word may belong to the name."
        )
