"""The main job with real parts only: real embedder, real 0.5B, real chats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from places import write_log

from minirag_chat import Answer, ChatMemory, Settings
from minirag_chat.models.transformers_model import TransformersChatModel

LOG = {
    "20260105_1000": (
        "AnnaBerg: The piano tuner is called Walter Quint.",
        "TomHill: Is he expensive?",
        "AnnaBerg: He takes 90 euros and comes on Thursday.",
    ),
    "20260107_1800": (
        "TomHill: I parked the van behind Harbour Street Bakery.",
        "AnnaBerg: Good, I will fetch it tomorrow.",
    ),
}


@pytest.mark.model
def test_a_real_model_answers_from_real_chats(
    tmp_path: Path, chat_model: TransformersChatModel
) -> None:
    # Reading is what is tested here: the flag's weights were fitted with the 1.5B.
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    memory = ChatMemory.open(settings.db, settings, chat_model=chat_model)
    memory.add(write_log(tmp_path / "log", LOG))
    pieces: list[str] = []
    answer: Answer | None = None
    for piece in memory.stream("Where did Tom park the van?"):
        if isinstance(piece, Answer):
            answer = piece
        else:
            pieces.append(piece)
    assert answer is not None
    assert len(pieces) > 1, "the answer was not streamed"
    assert "bakery" in answer.text.lower()
    assert any("Harbour Street" in source.quote for source in answer.sources)
    assert "0.5b" in answer.model
    assert any(node.type == "message" for node in answer.path.nodes)


@pytest.mark.model
def test_a_stop_ends_a_real_model_at_once(
    tmp_path: Path, chat_model: TransformersChatModel, layers: Callable[[], int]
) -> None:
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    memory = ChatMemory.open(settings.db, settings, chat_model=chat_model)
    talk = [
        f"AnnaBerg: Van story {i}, {'we drove and drove and saw the sea ' * 8}" for i in range(40)
    ]
    memory.add(write_log(tmp_path / "log", {"20260105_1000": tuple(talk)}))
    answer = memory.ask("What was the van story?", cancelled=lambda: layers() >= 10)
    assert answer.stopped
    assert layers() == 10
