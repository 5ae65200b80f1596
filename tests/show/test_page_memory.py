"""What a page that is open for long keeps in memory, on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import free_port
from fakes import ScriptedModel, WordEmbedder
from page_script import PageScript
from places import SMALL, write_log

from minirag_chat import ChatMemory, Settings

gradio = pytest.importorskip("gradio", reason="gradio is not installed")
from minirag_chat.show.page_blocks import Page
from minirag_chat.show.page_sessions import Sessions

pytestmark = pytest.mark.process


@pytest.fixture
def page(tmp_path: Path) -> Iterator[gradio.Blocks]:
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path, model="extractive")
    model = ScriptedModel("Walter Quint tunes the piano. [1]")
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        memory.add(write_log(tmp_path / "log", SMALL))
        made = Page(Sessions(memory)).blocks
        made.queue()
        yield made
        made.close()


def test_the_server_keeps_no_more_of_a_page_after_ten_questions_than_after_two(
    page: gradio.Blocks,
) -> None:
    _, address, _ = page.launch(
        server_port=free_port(), prevent_thread_lock=True, quiet=True, ssr_mode=False
    )
    kept = []
    with PageScript(address, "one") as script:
        for number in range(10):
            assert "Walter Quint" in script.ask(f"Who is the piano tuner of house {number}?")
            session = page.state_holder["one"]
            kept.append((len(session.config_values), len(session.blocks_config.blocks)))
    assert kept[9] == kept[1]
