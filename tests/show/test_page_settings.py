"""The page's inputs take whatever the settings allow; no server, no browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from needed import needed

gradio, page_blocks = needed("gradio"), needed("minirag_chat.show.page_blocks")
from minirag_chat import ChatMemory
from minirag_chat.models import ModelStatus, find_card
from minirag_chat.show import page_models
from minirag_chat.show.page_sessions import Sessions


@pytest.mark.slow
@pytest.mark.parametrize(
    "chosen",
    [
        {"paths": 500, "hops": 6, "evidence_tokens": 64, "abstain_below": 1.0},
        {"paths": 1, "hops": 1, "evidence_tokens": 9000, "abstain_below": 0.0},
        {},
    ],
)
def test_a_question_is_sent_with_every_setting_that_is_allowed(
    small: ChatMemory, chosen: dict[str, float]
) -> None:
    tuned = small.tuned(**chosen)
    parts = page_blocks.Page(Sessions(tuned)).panel.parts
    sent = {name: part.preprocess(part.value) for name, part in parts.items()}
    assert sent == {name: getattr(tuned.settings, name) for name in parts}


def test_the_page_takes_questions_as_long_as_the_settings_allow(small: ChatMemory) -> None:
    page = page_blocks.Page(Sessions(small.tuned(max_question_chars=9000)))
    assert page.box.max_length >= 90_000, "what is longer than 9,000 is refused, not cut"
    question = "Who tunes the piano? " * 400
    event = gradio.EventData(None, {"do": "retry", "value": question})
    assert page._word(event) == ("retry", question)


@pytest.mark.parametrize(("path", "said"), [(None, True), (Path("model"), False)])
def test_only_of_a_model_that_is_not_installed_the_download_is_said(
    small: ChatMemory, monkeypatch: pytest.MonkeyPatch, path: Path | None, said: bool
) -> None:
    card = find_card("qwen2.5-coder-1.5b-instruct")
    status = ModelStatus(card, path, fits=True, why="", needs_gb=card.memory_gb)
    monkeypatch.setattr(page_models, "list_models", lambda _: [status])
    shown = page_models.models_table(small)
    assert ("GB download" in shown) == said
    assert f"{card.memory_gb:.1f} GB memory" in shown
