"""Evidence → the numbered messages that the model reads, in order of time, within a token budget.

Each message is put on one line, so that none can look like another one, a heading or an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from minirag_chat.answer.relative_dates import with_dates
from minirag_chat.answer.word_overlap import stems
from minirag_chat.prompts import prompt
from minirag_chat.records import Message, Turn
from minirag_chat.times.in_messages import date_before
from minirag_chat.ui_text import cut, day, one_line

LONGEST_MESSAGE = 700  # characters read of a message: the part with most of the question's words
MOST_MESSAGES = 40
LONGEST_TITLE = 24
LARGER = 2  # times the budget, for messages close to the best one


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What the model is given: ``messages[i]`` is ``[i + 1]`` in the prompt.

    ``ranks[i]`` is the rank, from 0, that retrieval gave ``messages[i]``.
    """

    question: str
    messages: tuple[Message, ...]
    ranks: tuple[int, ...]
    turns: tuple[Turn, ...]
    tokens: int

    @property
    def best_first(self) -> list[Message]:
        """The messages in the order of their ranks."""
        ranked = zip(self.ranks, self.messages, strict=True)
        return [message for _rank, message in sorted(ranked, key=lambda pair: pair[0])]


def build_context(
    question: str,
    candidates: Sequence[Message],
    *,
    budget: int,
    count_tokens: Callable[[str], int],
    words: Sequence[str],
    close: Collection[int] = (),
    history: Sequence[tuple[str, str]] = (),
    dated: bool = True,
) -> PromptContext:
    """Take candidates, best first, until ``budget`` tokens are used; then order them by time.

    Messages whose ids are in ``close`` may use ``LARGER`` times the budget, so that an answer in several
    messages is read completely. With ``dated``, each relative time in a message ("tomorrow") is followed
    by its date.
    """
    chosen: list[Message] = []
    used = 0
    full = False
    headings: set[str] = set()
    for message in candidates[:MOST_MESSAGES]:
        if full and message.id not in close:
            continue
        cost = count_tokens(_line(0, message, words, dated=dated)) + 2
        if _heading(message) not in headings:
            cost += count_tokens(_heading(message))
        full = full or (bool(chosen) and used + cost > budget)
        if full and (message.id not in close or used + cost > LARGER * budget):
            continue
        chosen.append(message)
        headings.add(_heading(message))
        used += cost
    ordered = tuple(sorted(chosen, key=lambda m: (m.sent_at, m.id)))
    ranks = {message.id: rank for rank, message in enumerate(chosen)}
    parts = ["Messages:", _listing(ordered, words, dated=dated)]
    if history:
        asked, answered = history[-1]
        parts.append(f"Earlier question: {one_line(asked)}\nEarlier answer: {one_line(answered)}")
    parts.append(_question(question))
    turns = (Turn("system", prompt("system")), Turn("user", "\n\n".join(parts)))
    return PromptContext(question, ordered, tuple(ranks[m.id] for m in ordered), turns, used)


def with_instruction(context: PromptContext, *names: str) -> tuple[Turn, ...]:
    """The turns with one or more instructions at the very end.

    The prompt before them is the same for all instructions, so a model with a prefix cache reads it once.
    """
    system, user = context.turns
    return system, Turn("user", f"{user.content}\n\n{' '.join(map(prompt, names))}")


def reader_turns(context: PromptContext) -> tuple[Turn, ...]:
    """The turns for a reader that was trained to answer, with nothing after the question."""
    return Turn("system", prompt("read")), context.turns[1]


def with_question(context: PromptContext, question: str) -> PromptContext:
    """The same messages followed by another question."""
    system, user = context.turns
    head = user.content.removesuffix(_question(context.question))
    turns = system, Turn("user", f"{head}{_question(question)}")
    return replace(context, question=question, turns=turns)


def event_turns(event: str, window: Sequence[Message]) -> tuple[Turn, ...]:
    """The turns that ask whether a few messages show an event."""
    asked = prompt("happened").format(event=one_line(event))
    listing = _listing(window, stems(event), dated=False)
    return Turn("system", prompt("system")), Turn("user", f"Messages:\n\n{listing}\n\n{asked}")


def excerpt(text: str, words: Sequence[str]) -> str:
    """``text`` on one line; if it is long, the part with most of ``words``, which are stems."""
    flat = one_line(text)
    if len(flat) <= LONGEST_MESSAGE:
        return flat
    starts = range(0, len(flat) - LONGEST_MESSAGE + LONGEST_MESSAGE // 4, LONGEST_MESSAGE // 4)
    found = [len(set(words) & set(stems(flat[s : s + LONGEST_MESSAGE]))) for s in starts]
    equal = [s for s, number in zip(starts, found, strict=True) if number == max(found)]
    best = equal[len(equal) // 2]  # so that the words are in the middle of the excerpt
    end = best + LONGEST_MESSAGE
    lead, tail = "\u2026" if best else "", "\u2026" if end < len(flat) else ""
    return f"{lead}{flat[best:end]}{tail}"


def _listing(messages: Sequence[Message], words: Sequence[str], *, dated: bool) -> str:
    numbered = list(enumerate(messages, start=1))
    blocks = []
    for heading, group in groupby(numbered, key=lambda n: _heading(n[1])):
        lines, said = [heading], list[tuple[str, datetime]]()
        for number, message in group:
            at, order = message.sent_at, message.date_order
            after = date_before(said, message.text, at, order) if dated else None
            lines.append(_line(number, message, words, dated=dated, after=after))
            said.append((message.text, message.sent_at))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _heading(message: Message) -> str:
    chat = one_line(cut(message.chat, LONGEST_TITLE))
    return f"{message.sent_at:%A} {day(message.sent_at)}, chat with {chat}:"


def _line(
    number: int,
    message: Message,
    words: Sequence[str],
    *,
    dated: bool,
    after: datetime | None = None,
) -> str:
    text = excerpt(message.text, words)
    dated_text = with_dates(text, message.sent_at, after, message.date_order) if dated else text
    return f"[{number}] {one_line(message.shown_sender)}: {dated_text}"


def _question(text: str) -> str:
    return f"Question: {one_line(text)}"
