"""The widget's retrieval settings: how a question is searched, and when it is not answered."""

from __future__ import annotations

from typing import Any

import ipywidgets as w
import traitlets as t

from minirag_chat.errors import BadSetting
from minirag_chat.settings import Settings

_WIDE = {"style": {"description_width": "250px"}, "layout": w.Layout(width="380px")}


class Tuning(w.VBox):  # type: ignore[misc]  # ipywidgets ships no types
    """An input for each setting that can be changed per question; ``settings`` has the values."""

    settings = t.Dict()

    def __init__(self, chosen: Settings) -> None:
        self._boxes: dict[str, Any] = {
            "paths": w.BoundedIntText(
                chosen.paths, min=1, max=max(200, chosen.paths), description="Paths kept (k)",
                **_WIDE,
            ),
            "hops": w.BoundedIntText(
                chosen.hops, min=1, max=6, description="Longest path (n)", **_WIDE
            ),
            "evidence_tokens": w.BoundedIntText(
                chosen.evidence_tokens, min=64, max=max(4096, chosen.evidence_tokens), step=64,
                description="Length of the messages read, in tokens", **_WIDE,
            ),
            "abstain_below": w.BoundedFloatText(
                chosen.abstain_below, min=0, max=1, step=0.05,
                description="Least probability for an answer", **_WIDE,
            ),
        }  # fmt: skip
        super().__init__(list(self._boxes.values()))
        self.settings = {name: box.value for name, box in self._boxes.items()}
        for box in self._boxes.values():
            box.observe(lambda _: self._read(), "value")

    def merged(self, changes: dict[str, Any]) -> dict[str, Any]:
        """All values with ``changes`` applied. Raises ``BadSetting``."""
        unknown = [name for name in changes if name not in self._boxes]
        if unknown:
            known = ", ".join(self._boxes)
            raise BadSetting(
                f"There is no setting {unknown[0]!r} of a question: there are {known}."
            )
        for name, value in changes.items():
            box = self._boxes[name]
            if not isinstance(value, (int, float)) or not box.min <= value <= box.max:
                raise BadSetting(f"{name} is {value!r}: give a number from {box.min} to {box.max}.")
        return {**self.settings, **changes}

    def _read(self) -> None:
        self.settings = {name: box.value for name, box in self._boxes.items()}

    @t.observe("settings")
    def _show(self, change: dict[str, Any]) -> None:
        for name, value in change["new"].items():
            self._boxes[name].value = value
