"""Reranks messages by the trained ranker: how likely each states the answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from minirag_chat.common_words import STOP_WORDS
from minirag_chat.models.protocols import Ranker
from minirag_chat.records import STATES, Evidence, Message
from minirag_chat.retrieve.base import Scores, Search, standardised
from minirag_chat.retrieve.plans_ahead import plans_ahead, plans_over
from minirag_chat.store.columns import is_among
from minirag_chat.store.text import stem, words
from minirag_chat.times import message_times
from minirag_chat.times.spans import DAY
from minirag_chat.ui_text import day, one_line

POOL = 80  # messages that the ranker reads
POOL_OF_MANY = 28  # the same in a long history, where few are in the ranker's cache
CHAT_WEIGHT = 0.6  # weight of BM25 of the message's whole chat; that of the log-odds is 1
FORMULA = 8.0  # log-odds that a message which many write has less
DATED = 2.0  # for a message of the day that the question names with its year, or with a plan for it
SCALE = 0.4  # so that the scores of a pool have a standard deviation of about 1
LONGEST, LONGEST_BEFORE = 400, 160  # characters
MOST_SEARCHED = 4_000  # characters of a long message in which the part that fits best is looked for
NEIGHBOURS_OF = 12  # the neighbours of this many best messages are added
NEIGHBOUR_PENALTY = 2.0  # the score of a neighbour is this much below its message
REPLIES_TO, SOON = 2, 4  # the best messages that others may reply to, and how many messages later


def reranked(search: Search, evidence: Sequence[Evidence]) -> list[Evidence]:
    """``evidence`` reranked by the ranker and retrieval together; only the pool, its first messages, moves.

    A message's score becomes the ranker's log-odds, plus retrieval's z-score over the pool, plus
    ``CHAT_WEIGHT`` times its chat's BM25, since with many chats a question is mostly about one; all of it
    times ``SCALE``. So retrieval counts for more where the ranker finds all messages alike. The ranker's
    own score becomes the signal ``STATES``.

    A message of a day that the question names with its year ("on 16 June 2026") gets ``DATED`` more: a plan's
    day seldom has a year, so this is the day of the conversation. So does one that names a day still to come
    which the question asks about: nobody has written on it.

    A follow-up is ranked by the mean of its two readings, with the earlier questions and without them:
    with them alone, the answers to the earlier questions would come first. Its signal is the higher one,
    since a message that states the answer need not fit both. So is a question about what somebody is to do,
    with the name and without it (``question/obliged.py``), and one about the asker (``own_words.py`` there);
    its signal is the mean too, or others' "I am five" would state how old the asker is.
    """
    size = POOL_OF_MANY if search.store.nearest.many() else POOL
    pool, rest = evidence[:size], evidence[size:]
    if search.ranker is None or not pool:
        return list(evidence)
    before = _replied_to(search, [item.message for item in pool])
    wanted = stem_set(" ".join(search.question.ranked_for))
    passages = [passage(item.message, before.get(item.message.id), wanted) for item in pool]
    readings = _log_odds(search, search.ranker, passages, [item.message for item in pool])
    states = _stated(search, readings)
    retrieval = standardised(np.array([item.score for item in pool]))
    chats = search.bm25_of_chats(np.array([item.message.chat_id for item in pool]))
    scores = SCALE * (readings.mean(axis=0) + retrieval + CHAT_WEIGHT * chats)
    ids = np.array([item.message.id for item in pool])
    ahead, over = is_among(ids, plans_ahead(search)), is_among(ids, plans_over(search))
    dated = np.maximum(_on_dated_days(search, [item.message for item in pool]), ahead)
    scores = scores + DATED * (dated - over)
    moved = [
        replace(
            pool[i], score=float(scores[i]), signals={**pool[i].signals, STATES: float(states[i])}
        )
        for i in np.argsort(-scores, kind="stable")
    ]
    if search.settings.does("replies"):
        moved = _with_late_replies(search, search.ranker, moved)
    return [*moved, *(replace(item, score=moved[-1].score) for item in rest)]


def _stated(search: Search, readings: Scores) -> Scores:
    """How likely each message states the answer, by the better of two readings, or by their mean."""
    question = search.question
    both = question.unnamed and not question.follow_up
    stated: Scores = readings.mean(axis=0) if both else readings.max(axis=0)
    return stated


def _formulas(search: Search, messages: Sequence[Message]) -> Scores:
    """1 for each message that says what many say ("ok", "good morning"), else 0.

    The ranker takes them for answers to questions that fit nothing, such as "Who is Ann?", by their sender.
    They answer yes or no, and a number or a time may be said often.
    """
    if search.question.yes_no:
        return np.zeros(len(messages))
    repeated = search.store.messages.repeated()
    return np.array(
        [m.text.casefold() in repeated and not _names_time_or_number(m) for m in messages],
        np.float64,
    )


def _names_time_or_number(message: Message) -> bool:
    numbers = any(map(str.isdigit, message.text))
    return numbers or any(message_times(message.text, message.sent_at, order=message.date_order))


def _on_dated_days(search: Search, messages: Sequence[Message]) -> Scores:
    """1 for each message of a day that the question names with its year, else 0."""
    days = [
        span
        for span in search.question.times
        if span.end - span.start <= DAY and str(span.start.year) in span.phrase
    ]
    return np.array(
        [any(span.start <= message.sent_at < span.end for span in days) for message in messages],
        np.float64,
    )


def _log_odds(
    search: Search, ranker: Ranker, passages: Sequence[str], messages: Sequence[Message]
) -> Scores:
    """The log-odds that each message states the answer, shape (readings of the question, messages).

    ``passages`` are the messages as the ranker reads them. Those that say what many say have less.
    """
    readings = [ranker.scores(query, passages) for query in search.question.ranked_for]
    return np.array(readings, np.float64) - FORMULA * _formulas(search, messages)


def _replied_to(search: Search, messages: Sequence[Message]) -> dict[int, Message]:
    """For each message's id the one that it replies to, as the export says, else the one before it."""
    before = search.store.messages.before(messages)
    if search.settings.does("replies"):
        replies = {m.id: m.reply_to for m in messages if m.reply_to is not None}
        known = search.store.messages.by_ids(sorted(set(replies.values())))
        before.update({one: known[to] for one, to in replies.items() if to in known})
    return before


def _with_late_replies(
    search: Search, ranker: Ranker, evidence: Sequence[Evidence]
) -> list[Evidence]:
    """``evidence``, sorted, where what comes soon after one of the best is also read as a reply to it.

    The ranker reads a message with the one before it, which often is not what it replies to: "60 for
    both" comes after "how much?", and "I sold the chairs" before that.
    """
    best = {item.message.id: item for item in evidence}
    late: list[tuple[Evidence, Message]] = []
    for item in evidence[:REPLIES_TO]:
        around = search.store.messages.around(item.message, SOON)
        place = next(n for n, message in enumerate(around) if message.id == item.message.id)
        late += [
            (best[message.id], item.message)
            for message in around[place + 2 :]  # the next one was read with it
            if message.id in best and message.session_id == item.message.session_id
        ]
    wanted = stem_set(" ".join(search.question.ranked_for))
    passages = [passage(item.message, before, wanted) for item, before in late]
    replies = [item.message for item, _ in late]
    odds = _log_odds(search, ranker, passages, replies) if passages else None
    states = () if odds is None else _stated(search, odds).tolist()
    for (item, _), value in zip(late, states, strict=True):
        if value > best[item.message.id].signals[STATES]:
            score = item.score + SCALE * (value - item.signals[STATES])
            signals = {**item.signals, STATES: value}
            best[item.message.id] = replace(item, score=score, signals=signals)
    return sorted(best.values(), key=lambda item: -item.score)


def with_neighbours(search: Search, evidence: Sequence[Evidence]) -> list[Evidence]:
    """``evidence``, sorted, with the messages right before and after the best ones in their session.

    A neighbour's score is at least that of its message less ``NEIGHBOUR_PENALTY``: "ok the 20th then" has
    no word of a question about the trip, but is where the plan changed.
    """
    best = {item.message.id: item for item in evidence}
    beside: dict[int, Evidence] = {}
    for item in evidence[:NEIGHBOURS_OF]:
        score = item.score - NEIGHBOUR_PENALTY
        for message in search.store.messages.around(item.message, 1):
            if message.session_id != item.message.session_id or not passes(search, message):
                continue
            if message.id in best:
                known = best[message.id]
                best[message.id] = replace(known, score=max(known.score, score))
            else:
                beside.setdefault(message.id, Evidence(message, score, 0, {}))
    chunks = {message: chunk for chunk, message in search.store.index.chunks_of(beside)}
    own = (replace(item, chunk_id=chunks.get(number, 0)) for number, item in beside.items())
    return sorted([*best.values(), *own], key=lambda item: -item.score)


def passes(search: Search, message: Message) -> bool:
    """Whether a message passes the question's filters."""
    return search.allowed is None or bool(is_among(np.array([message.id]), search.allowed)[0])


def passage(message: Message, before: Message | None, wanted: Collection[str] = frozenset()) -> str:
    """A message as the ranker reads it: its day, its sender, its words, and the message before it.

    Of a long message it reads the part with most of the stems that are ``wanted``.
    """
    day_sent = f"{message.sent_at:%A} {day(message.sent_at)}"
    own = f"{day_sent}, {message.shown_sender}: {_part(message.text, LONGEST, wanted)}"
    if before is None:
        return own
    return f"{own} | after {before.shown_sender}: {_part(before.text, LONGEST_BEFORE, ())}"


def _part(text: str, longest: int, wanted: Collection[str]) -> str:
    """The first characters of a text, or those with most of the stems that are ``wanted``."""
    flat = one_line(text)
    if len(flat) <= longest or not wanted:
        return flat[:longest]
    step = longest // 4
    last = min(len(flat), MOST_SEARCHED) - longest
    parts = [flat[start : start + longest] for start in range(0, last + step, step)]
    found = [len(stem_set(part).intersection(wanted)) for part in parts]
    equal = [place for place, number in enumerate(found) if number == max(found)]
    return parts[equal[len(equal) // 2] if max(found) else 0]


def stem_set(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(stem(word) for word in words(text) - STOP_WORDS)
