"""The default: meaning, words, who takes part and when, as one sum of z-scores.

The weights are round numbers, measured on LiHuaWorld; that of the chat was measured on other data (see
docs): 0.7 for meaning (cosine), 0.3 each for words (BM25) in the chunk, in its session and in its chat; 1
for the share of the named people that take part; 4 for messages of a day or period that the question
names, which nearly filters but still lets a plan made before that day through, and 4 more for messages
around a clock time of that day. Messages that name a day still to come which the question names get 4 too.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np

from minirag_chat.records import ScoredChunk
from minirag_chat.retrieve.base import Scores, Search, standardised
from minirag_chat.retrieve.plans_ahead import plans_ahead
from minirag_chat.store.arrays import places
from minirag_chat.store.columns import is_among

DENSE, CHUNK_WORDS, SESSION_WORDS, CHAT_WORDS, PEOPLE, TIME = 0.7, 0.3, 0.3, 0.3, 1.0, 4.0


def hybrid(search: Search) -> list[ScoredChunk]:
    """Rank chunks by meaning, words, people and time together."""
    others = {
        "bm25": CHUNK_WORDS * standardised(search.chunk_bm25),
        "session": SESSION_WORDS * standardised(search.session_bm25),
        "chat": CHAT_WORDS * standardised(search.chat_bm25),
        "people": PEOPLE * people_present(search),
        "time": TIME * (inside_times(search) + with_plans_ahead(search)),
    }
    apart = np.sum(list(others.values()), axis=0)
    dense = DENSE * search.likeness_beside(apart)
    return search.ranked(dense + apart, dense=dense, **others)


def people_present(search: Search) -> Scores:
    """The share of the question's people that write in each chunk's session."""
    owner = search.store.messages.owner()  # takes part in nearly every chat
    people = {entity.id for entity in search.question.people} - {owner}
    if not people:
        return np.zeros(len(search.rows.chunk_ids))
    sessions, counts = search.store.columns.sessions_with(people)
    place, there = places(search.rows.session_ids, sessions)
    shares = np.zeros(len(search.rows.session_ids))
    shares[there] = counts[place[there]] / len(people)
    return shares


def inside_times(search: Search) -> Scores:
    """For each chunk, in how many of the question's times and moments one of its messages was sent."""
    inside = np.zeros(len(search.rows.chunk_ids))
    for span in (*search.question.times, *search.question.moments):
        since = "" if span.start == datetime.min else span.start.isoformat()
        sent = search.store.columns.sent(since, span.end.isoformat())
        inside += is_among(search.rows.chunk_ids, search.store.columns.chunks_with(sent))
    return inside


def with_plans_ahead(search: Search) -> Scores:
    """1 for each chunk with a message that names a day still to come of the question's times, else 0."""
    chunks = search.store.columns.chunks_with(plans_ahead(search))
    return is_among(search.rows.chunk_ids, chunks).astype(np.float64)
