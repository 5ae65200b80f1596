"""What a model wrote about a chunk → records."""

from __future__ import annotations

from minirag_chat.extract import LONGEST_NAME
from minirag_chat.extract.slm.grammar import KINDS, LINK
from minirag_chat.records import ChunkExtraction, ExtractedEntity, ExtractedRelation

ENTITY_FIELDS, RELATION_FIELDS = 3, 6
STRONGEST = 10


def parse_reply(text: str) -> ChunkExtraction:
    """The records of a text; what is said twice is kept once.

    A line that does not fit is dropped and counted, except a last one without its end: there the
    budget was used up.
    """
    lines = [line.strip() for line in text.split("\n")]
    if lines[-1] and not _fits(lines[-1]):
        lines.pop()
    entities: dict[str, ExtractedEntity] = {}
    relations: dict[frozenset[str], ExtractedRelation] = {}
    dropped = 0
    for line in filter(None, lines):
        parts = _parts(line)
        if parts[0] == LINK:
            relation = _relation(parts)
            dropped += relation is None
            if relation and relation.source.casefold() != relation.target.casefold():
                ends = frozenset((relation.source.casefold(), relation.target.casefold()))
                relations.setdefault(ends, relation)
        else:
            entity = _entity(parts)
            dropped += entity is None
            if entity:
                entities.setdefault(entity.name.casefold(), entity)
    return ChunkExtraction(tuple(entities.values()), tuple(relations.values()), dropped)


def is_repeating(text: str) -> bool:
    """Whether the last whole line relates what was related before: then nothing new comes."""
    links = [
        frozenset(name.casefold() for name in _parts(line)[1:3])
        for line in text.split("\n")[:-1]
        if line.startswith(f"{LINK}|")
    ]
    return bool(links) and (len(links[-1]) == 1 or links[-1] in links[:-1])


def _fits(line: str) -> bool:
    return _entity(_parts(line)) is not None or _relation(_parts(line)) is not None


def _parts(line: str) -> list[str]:
    return [part.strip() for part in line.split("|")]


def _entity(parts: list[str]) -> ExtractedEntity | None:
    if len(parts) != ENTITY_FIELDS or parts[0] not in KINDS or not all(parts):
        return None
    if len(parts[1]) > LONGEST_NAME:
        return None
    return ExtractedEntity(parts[1], KINDS[parts[0]], parts[2])


def _relation(parts: list[str]) -> ExtractedRelation | None:
    if len(parts) != RELATION_FIELDS or not all(parts) or not parts[5].isdecimal():
        return None
    strength = int(parts[5])
    if not 1 <= strength <= STRONGEST or max(map(len, parts[1:3])) > LONGEST_NAME:
        return None
    words = tuple(dict.fromkeys(w.strip() for w in parts[4].split(",") if w.strip()))
    return ExtractedRelation(parts[1], parts[2], parts[3], words, strength)
