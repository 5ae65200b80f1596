"""What whoever runs the program may be told: that something happened, and never what anybody wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

What = Literal["question", "import", "deletion", "restore", "sign-in"]


@dataclass(frozen=True, slots=True)
class Happened:
    """A question that was answered, an import that ended, and so on.

    ``outcome`` is one of a few words, such as ``answered``, and ``reason`` another: why an answer is
    silent, or the name of an error's class. ``seconds`` is how long all of it took, ``steps`` how long
    parts of it. ``counts`` are numbers, such as of messages. Text, names and addresses have no place here.
    """

    what: What
    outcome: str
    reason: str = ""
    id: str = ""
    seconds: float = 0.0
    steps: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
