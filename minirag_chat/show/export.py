"""An answer or a conversation as a file to keep: Markdown or JSON. Pictures come from the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from minirag_chat.json_records import to_json
from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Answer, Source
from minirag_chat.show.flag import flag_of, has_measure, measure_of
from minirag_chat.show.safe_text import plain

# Markdown's special characters; many programs may read the file, so all of them are escaped.
_MARKS = lazy(r"([\\`*_{}\[\]<>#+\-!|~$&])")
# What begins a numbered list, or makes a heading of the line above, where a line begins with it.
_BEGINS = lazy(r"^(\d*)([.)=])")
_BULLET = "- "


def answers_markdown(answers: Sequence[Answer], *, limits: Sequence[Sequence[str]] = ()) -> str:
    """Questions, answers and their messages, as Markdown.

    ``limits`` say, for each answer, what its question was limited to, in words; empty: to nothing.
    """
    asked = zip(answers, limits or [()] * len(answers), strict=True)
    parts = [_answer(answer, limited) for answer, limited in asked]
    return "\n\n".join(["# MiniRAG Chat", *parts]) + "\n"


def answers_json(answers: Iterable[Answer]) -> str:
    """The same JSON as ``minirag-chat ask --json``, in a list."""
    return json.dumps([to_json(a) for a in answers], ensure_ascii=False, indent=2) + "\n"


def _answer(answer: Answer, limits: Sequence[str]) -> str:
    if answer.abstained:
        flag = flag_of(answer)[1].removeprefix("? ").capitalize()
        measured = f", {measure_of(answer)} {answer.confidence:.2f}" if has_measure(answer) else ""
        state = f"{flag}{measured}"
    else:
        state = f"Confidence {answer.confidence:.2f}"
    head = "Closest messages" if answer.abstained else "Messages"
    parts = [
        f"## {_text(answer.question)}",
        *([f"*Only {_text(' · '.join(limits))}*"] if limits else []),
        _lines(answer.text),
        f"*{state} · {_text(answer.model)}*",
        *([_text(f"Note: {answer.note}")] if answer.note else []),
        *([f"{head}:", "\n".join(map(_source, answer.shown))] if answer.shown else []),
    ]
    return "\n\n".join(parts)


def _source(source: Source) -> str:
    mark = source.message.passed_on
    passed_on = f" ({_text(mark)})" if mark else ""
    return (
        f"{source.number}. **{_text(source.shown_sender)}**, {_text(source.chat)}, "
        f"{source.sent_at:%Y-%m-%d %H:%M}{passed_on}: {_text(source.message.text)}"
    )


def _lines(text: str) -> str:
    """The answer in its lines; those that begin with a bullet are a list."""
    lines = [_line(line) for line in text.split("\n")]
    parts = lines[:1]
    for before, line in pairwise(lines):
        parts += [_break(before, line), line]
    return "".join(parts)


def _break(before: str, line: str) -> str:
    """What ends a line, so that Markdown shows the next one below it."""
    if not (before and line):
        return "\n"
    bullets = before.startswith(_BULLET), line.startswith(_BULLET)
    if any(bullets):
        return "\n" if all(bullets) else "\n\n"
    return "\\\n"


def _line(line: str) -> str:
    """A line of the answer, escaped except for a bullet before it."""
    rest = line.removeprefix(_BULLET)
    cited = _BEGINS.sub(r"\1\\\2", _cited(rest))
    return f"{_BULLET}{cited}" if rest != line and cited else cited


def _cited(text: str) -> str:
    """Text of the answer, escaped except for its ``[n]`` where that begins no link."""
    return re.sub(r"\\\[(\d+)\\\](?![(:])", r"[\1]", _text(text))


def _text(text: str) -> str:
    return _MARKS.sub(r"\\\1", plain(text))
