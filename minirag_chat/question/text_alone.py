"""Reads a text as a question of its own: whom it names, and its plan, as if it were asked now and alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from minirag_chat.lazy_patterns import any_case
from minirag_chat.question.mapping import map_question
from minirag_chat.question.named_entities import Named, people_in
from minirag_chat.question.plan import make_plan
from minirag_chat.question.plan_context import PlanContext
from minirag_chat.records import Filters, Metadata, Overview, QuestionPlan
from minirag_chat.store import Store
from minirag_chat.times.atoms import Atom
from minirag_chat.times.ranges import find_atoms

_THE_NTH = any_case(r"(?:the )?\d{1,2}(?:st|nd|rd|th)\W*$")
_FOR = any_case(r"\bfor(?= (?:the )?\w+\W*$)")


@dataclass(frozen=True, slots=True)
class TextReader:
    """Reads texts by the messages of a store; ``now`` is the time of the newest message.

    A text that is read again has the plan of the first time.
    """

    store: Store
    now: datetime
    _plans: dict[str, QuestionPlan] = field(default_factory=dict, init=False)

    def people(self, text: str) -> Named:
        """Whom a text names, and where."""
        return people_in(text, self.store)

    def only_name(self, text: str) -> tuple[int, int] | None:
        """Where a text names a person, if it does once, and it is one person."""
        found = self.people(text)
        return found[0][:2] if len(found) == 1 and len(found[0][2]) == 1 else None

    def times(self, text: str, named: Named | None = None) -> list[Atom]:
        """The times in a text, also if it is one word ("August?") or at the end ("for August").

        None of them is in one of the names, which are those of ``people`` if they are not given.
        """
        found = find_atoms(text, self.now, "past")
        found = found or find_atoms(_FOR.sub(" in", text), self.now, "past")
        numbered = _THE_NTH.match(text) is not None
        if not found and (numbered or len(text.split()) == 1):
            alone = find_atoms(f"{'on' if numbered else 'in'} {text}", self.now, "past")
            found = tuple(replace(a, left=a.left - 3, right=a.right - 3) for a in alone)
        names = self.people(text) if named is None else named
        return [
            a for a in found if all(a.right <= left or right <= a.left for left, right, _ in names)
        ]

    def plan(self, text: str) -> QuestionPlan:
        """The plan of a text, without filters."""
        if text not in self._plans:
            question = map_question(text, self.store, self.now, Filters())
            self._plans[text] = make_plan(question, PlanContext.of(self.store, self.now))
        return self._plans[text]

    def counted(self, text: str) -> Metadata | None:
        """The plan of a text, if it asks about the messages themselves."""
        plan = self.plan(text)
        return plan if isinstance(plan, Metadata) else None

    def asks_for_portrait(self, text: str) -> bool:
        """Whether a text asks what there is about one person."""
        plan = self.plan(text)
        return isinstance(plan, Overview) and plan.portrait
