"""Words that are too common to search for, or to be taken as names."""

from __future__ import annotations

STOP_WORDS = frozenset(
    "a about an and any are as at be been being but by can could did do does for from had has have "
    "he her him his how i if in into is it its me my of on or our she so some than that the their "
    "them then there they this to was we were what when where which who whom whose why will with "
    "would you your s t".split()
)
"""Closed-class words: they say nothing about which message is meant."""
NOT_NAMES = STOP_WORDS | frozenset(
    "amber angel april art august bill bob chance chase chip chuck cliff crystal daisy dale dawn "
    "dean dick don drew duke earl eve faith family ford forest frank friday gene ginger glen grace grant "
    "guy hazel heath holly home hope iris jack jade jasmine jean joy june king lance lily long major "
    "march mark marks max may melody mercy mike miles monday olive page pat patience pearl penny "
    "pierce prince queen reed rich rob robin rose ruby rusty sandy sky song star sue summer sun "
    "sunday sunny team trinity violet wade will work you "
    "ah al am da de di du eh el en es et go ha hi hm il im la le mm no oh ok re un up ur us vs ye yo".split()
)
"""Words that are not names in lower case, or at the beginning of a sentence such as "Will you?"."""
_STRESSED = STOP_WORDS.union(
    "all ever far long many more most much never not often really soon too very".split()
)


def is_stressed(word: str) -> bool:
    """Whether this is a common word that somebody wrote in capitals for emphasis: MUCH, WHY."""
    return word.isupper() and word.casefold() in _STRESSED
