"""The grammar of what a model may write about one chunk, in llguidance's Lark dialect."""

from __future__ import annotations

import json
from collections.abc import Iterable

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import EntityType

KINDS: dict[str, EntityType] = {
    "person": "person",
    "place": "place",
    "group": "organisation",
    "thing": "title",
    "event": "topic",
    "time": "time",
    "amount": "amount",
    "topic": "topic",
}
"""The kinds that a model chooses from, in plain words, and the types that are stored."""
LINK = "link"
MOST_ENTITIES, MOST_RELATIONS = 8, 4
LONGEST_NAME, LONGEST_TEXT, LONGEST_KEYWORDS = 40, 90, 40

_RULES = r"""
start: entity{1,%(entities)d} relation{0,%(relations)d}
entity: KIND "|" NAME "|" TEXT "\n"
relation: "link|" ends "|" TEXT "|" WORDS "|" STRENGTH "\n"
ends: NOBODY "|" NAME%(pairs)s
NOBODY: NAME%(nobody)s
%(others)s
KIND: %(kinds)s
NAME: SAID & /[^\s|\n]([^|\n]{0,%(name)d}[^\s|\n:,;.!?"'()])?/
TEXT: /[^\s|\n][^|\n]{2,%(text)d}/
WORDS: /[^\s|\n][^|\n]{1,%(words)d}/
STRENGTH: /10|[1-9]/
SAID: %%regex { "substring_chunks": %(said)s }
"""
# Names may begin and end between these: words, and single characters of scripts without blanks.
_UNIT = lazy("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|\\w+|\\W")


def grammar_for(text: str, senders: Iterable[str] = ()) -> str:
    """The grammar for a chunk with this text: names are words that stand in it, side by side.

    None of the ``senders`` can be related to itself, which is what small models write most.
    """
    words = _UNIT.findall(text)
    quoted = [json.dumps(name) for name in senders if name]
    return _RULES % {
        "pairs": "".join(f' | {name} "|" BUT{i}' for i, name in enumerate(quoted)),
        "others": "\n".join(f"BUT{i}: NAME & ~{name}" for i, name in enumerate(quoted)),
        "nobody": "".join(f" & ~{name}" for name in quoted),
        "entities": MOST_ENTITIES,
        "relations": MOST_RELATIONS,
        "kinds": " | ".join(json.dumps(kind) for kind in KINDS),
        "name": LONGEST_NAME - 2,
        "text": LONGEST_TEXT - 1,
        "words": LONGEST_KEYWORDS - 1,
        "said": json.dumps(words),
    }
