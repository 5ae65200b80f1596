"""The settings panel: how this tab's questions are searched and when they are not answered."""

from __future__ import annotations

from typing import Any, get_args

import gradio as gr

from minirag_chat.settings import Method
from minirag_chat.show.page_tabs import Sessions

_QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "queue": False}


class SettingsPanel:
    """Sliders for this tab only; nothing is written to disk."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        chosen = sessions.own.settings
        gr.HTML(
            '<h3 class="mc-h3">How questions are answered</h3>'
            '<p class="mc-quiet">For this tab only.</p>'
        )
        self.method = gr.Radio(
            list(get_args(Method)),
            value=chosen.method,
            label="Method",
            info="hybrid searches by meaning and words and is right most often; minirag follows the graph",
        )
        self.paths = gr.Slider(
            1, 200, chosen.paths, step=1, label="Paths kept (k)", info="for minirag; the paper: 50"
        )
        self.hops = gr.Slider(
            1, 6, chosen.hops, step=1, label="Longest path (n)", info="for minirag; the paper: 4"
        )
        self.evidence = gr.Slider(
            128, 4096, chosen.evidence_tokens, step=64, label="Length of the messages read, in tokens",
            info="more is slower, and not more often right",
        )  # fmt: skip
        self.silence = gr.Slider(
            0, 0.95, chosen.abstain_below, step=0.05, label="Answer only from this probability on",
            info="that the messages state the answer; higher: fewer wrong answers, more questions unanswered",
        )  # fmt: skip
        back = gr.Button("Reset to defaults", size="sm", elem_id="settings-back")
        self.parts: list[Any] = [self.method, self.paths, self.hops, self.evidence, self.silence]
        back.click(self._defaults, outputs=self.parts, **_QUIET)

    def _defaults(self) -> tuple[Any, ...]:
        chosen = self._sessions.own.settings
        return (
            chosen.method,
            chosen.paths,
            chosen.hops,
            chosen.evidence_tokens,
            chosen.abstain_below,
        )


def tuning(
    method: str, paths: float, hops: float, evidence: float, silence: float
) -> dict[str, object]:
    """The settings that the panel's parts say; what no slider gives is refused where it is used."""
    return {
        "method": method,
        "paths": int(paths),
        "hops": int(hops),
        "evidence_tokens": int(evidence),
        "abstain_below": float(silence),
    }
