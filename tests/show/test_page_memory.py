"""What a page that is open for long keeps in memory, on a real server."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import free_port
from page_script import PageScript

pytestmark = pytest.mark.process


def test_the_server_keeps_no_more_of_a_page_after_ten_questions_than_after_two(
    page_of_piano: Any,
) -> None:
    _, address, _ = page_of_piano.launch(
        server_port=free_port(), prevent_thread_lock=True, quiet=True, ssr_mode=False
    )
    kept = []
    with PageScript(address, "one") as script:
        for number in range(10):
            assert "Walter Quint" in script.ask(f"Who is the piano tuner of house {number}?")
            session = page_of_piano.state_holder["one"]
            kept.append((len(session.config_values), len(session.blocks_config.blocks)))
    assert kept[9] == kept[1]
