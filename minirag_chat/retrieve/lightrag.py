"""LightRAG: two levels of keywords, matched with entities and with relations.

Needs the entities and relations that a language model extracted. Low-level keywords (what the question
names) are matched with entities; high-level ones (what it is about) with the relations' keywords. LightRAG
asks a model for both; here they come from the mapped question, so that retrieval needs no model.
"""

from __future__ import annotations

from collections import defaultdict

from minirag_chat.records import ScoredChunk
from minirag_chat.retrieve.base import Scores, Search
from minirag_chat.retrieve.required_indexes import check_built
from minirag_chat.retrieve.seeds import most_like
from minirag_chat.store.text import terms

BEST = 40  # entities, and relations, that count


def lightrag(search: Search) -> list[ScoredChunk]:
    """Rank the chunks that the matched entities and relations come from."""
    check_built(search.store, "lightrag")
    low, high = _low_level(search), _high_level(search)
    return search.ranked(low + high, entities=low, relations=high)


def _low_level(search: Search) -> Scores:
    names = [entity.name for entity in search.question.entities] or [search.question.text]
    found = most_like(search.store.slm.vectors("entities"), search.embedder.embed(names), BEST)
    chunks: dict[int, float] = defaultdict(float)
    for chunk, entity, _description in search.store.slm.chunks_naming(found):
        chunks[chunk] = max(chunks[chunk], found[entity])
    return search.by_chunk(chunks)


def _high_level(search: Search) -> Scores:
    keywords = ", ".join(terms(search.question.text))
    asked = search.embedder.embed([keywords, search.question.text])
    found = most_like(search.store.slm.vectors("relations"), asked, BEST)
    relations = search.store.slm.relations(found)
    members: dict[int, list[int]] = defaultdict(list)
    for chunk, message in search.store.index.chunks_of({row[3] for row in relations}):
        members[message].append(chunk)
    chunks: dict[int, float] = defaultdict(float)
    for relation, _source, _target, message in relations:
        for chunk in members[message]:
            chunks[chunk] = max(chunks[chunk], found[relation])
    return search.by_chunk(chunks)
