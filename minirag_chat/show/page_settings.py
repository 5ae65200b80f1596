"""The settings panel: how this tab's questions are searched and when they are not answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import gradio as gr

from minirag_chat.settings import Method
from minirag_chat.show.page_sessions import Sessions

_QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "queue": False}


class SettingsPanel:
    """An input for each setting, for this tab only; nothing is written to disk.

    The chosen values lie within the sliders' bounds: Gradio refuses an event with any other.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        chosen = sessions.own.settings
        gr.HTML(
            '<h3 class="mc-h3">How questions are answered</h3>'
            '<p class="mc-quiet">For this tab only.</p>'
        )
        self.parts: dict[str, Any] = {
            "method": gr.Radio(
                list(get_args(Method)),
                value=chosen.method,
                label="Method",
                info="hybrid searches by meaning and words and is right most often; "
                "minirag follows the graph",
            ),
            "paths": gr.Slider(
                1, max(200, chosen.paths), chosen.paths, step=1,
                label="Paths kept (k)", info="for minirag; the paper: 50",
            ),
            "hops": gr.Slider(
                1, 6, chosen.hops, step=1, label="Longest path (n)", info="for minirag; the paper: 4"
            ),
            "evidence_tokens": gr.Slider(
                min(128, chosen.evidence_tokens), max(4096, chosen.evidence_tokens),
                chosen.evidence_tokens, step=64,
                label="Length of the messages read, in tokens",
                info="more is slower and does not give more right answers",
            ),
            "abstain_below": gr.Slider(
                0, max(0.95, chosen.abstain_below), chosen.abstain_below, step=0.05,
                label="Least probability for an answer",
                info="that the messages state the answer; higher: fewer wrong answers, "
                "more questions unanswered",
            ),
        }  # fmt: skip
        back = gr.Button("Reset to defaults", size="sm", elem_id="settings-back")
        back.click(self._defaults, outputs=[*self.parts.values()], **_QUIET)

    def _defaults(self) -> tuple[Any, ...]:
        chosen = self._sessions.own.settings
        return tuple(getattr(chosen, name) for name in self.parts)

    def said(self, values: Mapping[Any, Any]) -> dict[str, object]:
        """The settings from the inputs' values; an invalid value is refused where it is used."""
        return {name: values[part] for name, part in self.parts.items()}
