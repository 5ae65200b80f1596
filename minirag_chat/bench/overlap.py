"""F1 and BLEU-1 between an answer and the gold answer, as papers on conversational memory report them.

Words in lower case without full stops, commas, question and exclamation marks; F1 over the sets of
words, BLEU-1 (Papineni et al. 2002) with its brevity penalty, as in A-Mem (arXiv 2502.12110). A silent
answer has 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from minirag_chat.bench.judge import MARKS, unanswerable
from minirag_chat.bench.run_output import Answered
from minirag_chat.lazy_patterns import lazy

_POINTS = lazy(r"[.,!?]")


def words(text: str) -> list[str]:
    """The words to compare."""
    return _POINTS.sub(" ", MARKS.sub("", text).lower()).split()


def f1(said: str, gold: str) -> float:
    """The harmonic mean of precision and recall of the words."""
    there, wanted = set(words(said)), set(words(gold))
    common = len(there & wanted)
    return 2 * common / (len(there) + len(wanted)) if common else 0.0


def bleu1(said: str, gold: str) -> float:
    """The share of the answer's words in the gold answer, with a penalty for short answers."""
    there, wanted = words(said), words(gold)
    common = sum((Counter(there) & Counter(wanted)).values())
    if not common:
        return 0.0
    brevity = min(1.0, math.exp(1 - len(wanted) / len(there)))
    return brevity * common / len(there)


def overlap(answers: Sequence[Answered]) -> tuple[int, float, float]:
    """How many answers have an answerable question, with their mean F1 and BLEU-1."""
    known = [a for a in answers if not unanswerable(a.gold)]
    said = [("" if a.abstained else a.answer, a.gold) for a in known]
    count = len(known) or 1
    return len(known), sum(f1(*p) for p in said) / count, sum(bleu1(*p) for p in said) / count
