"""The answer to a greeting, thanks or "what can I ask?": what to ask here."""

from __future__ import annotations

import calendar
import time
from collections.abc import Iterator
from itertools import islice

from minirag_chat.answer.without_model import without_model
from minirag_chat.memory.suggest import (
    COMING_UP,
    answered_questions,
    openers,
    overviews,
    topic_questions,
    who_asks,
)
from minirag_chat.question.small_talk import asks_for_help
from minirag_chat.records import Answer
from minirag_chat.store import Store
from minirag_chat.ui_text import SILENCES

EXAMPLES = 2


def introduction(store: Store, text: str) -> Iterator[str | Answer]:
    """Yield the ``Answer``: what the program does, with questions that the messages suggest."""
    started_at = time.perf_counter()
    said = SILENCES["no_question"].sentence
    with store.reading():
        if asks_for_help(text):
            said = "\n".join([said, *(f"- {line}" for line in kinds_of_questions(store))])
        elif asked := " or ".join(f"\u201c{one}\u201d" for one in openers(store, EXAMPLES)):
            said += f" Ask, for example, {asked}"
    yield without_model(text, said, started_at, reason="no_question")


def kinds_of_questions(store: Store) -> list[str]:
    """A line for each kind of question that can be asked, with examples from these messages."""
    own = who_asks(store)
    someone = next((p.shown_name for p in store.people.all() if p.id not in own), "")
    newest = store.messages.extent()[1]
    if not someone or newest is None:
        return []
    month = f"{calendar.month_name[newest.month]} {newest.year}"
    fact = next(
        (question for _message, question in answered_questions(store)),
        f"When is {someone}\u2019s birthday?",
    )
    said = next(topic_questions(store), f"What did {someone} write last?")
    whole = list(islice(overviews(store), 1))
    plans = COMING_UP if COMING_UP in whole else f"What are the plans for {month}?"
    lines = {
        "Facts": (fact,),
        "Who said what": (said,),
        "Plans": (plans,),
        "Lists": (f"Show me the last 5 messages from {someone}",),
        "Counts": (f"How many messages did {someone} send in {month}?", "Who writes the most?"),
        "Overviews": (f"What did we talk about in {month}?", f"Tell me about {someone}"),
        "Follow-ups, after an answer": ("Who said that?", "And when?"),
    }
    found = [f"{kind}: {' or '.join(map(_quoted, examples))}" for kind, examples in lines.items()]
    nowhere = _quoted(f"What is {someone}\u2019s shoe size?")
    return [*found, f"Silence: what no message says, perhaps {nowhere}, I do not guess"]


def _quoted(question: str) -> str:
    return f"\u201c{question}\u201d"
