"""Two page processes on one PostgreSQL: what one is given the other knows, and what is lost with one of them."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from needed import needed

needed("gradio")
pytest.importorskip("pythonjsonlogger", reason="the extra server is missing")
from fakes import WordEmbedder
from page_process import page_process
from page_script import PageScript
from places import SMALL, write_log
from postgres_server import PostgresServer

from minirag_chat import ChatMemory

pytestmark = [pytest.mark.process, pytest.mark.model, pytest.mark.slow]

CHAT = """[01/03/2026, 10:00:00] Quetzalina Moor: The xylofontaine stands in Zanzibaria.
[01/03/2026, 10:01:00] Nina Vale: In Zanzibaria? I thought it was sold.
[01/03/2026, 10:02:00] Quetzalina Moor: No, it is in the old library there.
"""
QUESTION = "Where does the xylofontaine stand?"
CANARIES = ("Zanzibaria", "Quetzalina", "xylofontaine")


def until(holds: Callable[[], object], what: str) -> None:
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.3)


def test_what_one_page_is_given_the_other_knows_also_when_the_first_is_killed(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    environment = {
        "MINIRAG_CHAT_POSTGRES": postgres.address(), "MINIRAG_CHAT_DB": str(tmp_path / "none.db"),
        "MINIRAG_CHAT_MODEL": "extractive", "MINIRAG_CHAT_LOG": "json", "MINIRAG_CHAT_METRICS": "1",
        "MINIRAG_CHAT_ABSTAIN_BELOW": "0",
    }  # fmt: skip
    (chat := tmp_path / "WhatsApp Chat with Nina Vale.txt").write_text(CHAT, "utf-8")
    with ChatMemory.open(tmp_path / "sample.db", embedder=WordEmbedder()) as sample:
        sample.add(write_log(tmp_path / "log", SMALL))  # else the pages import theirs first
    with ExitStack() as stack:
        one, two = (
            stack.enter_context(page_process(tmp_path / f"{name}.log", environment))
            for name in ("one", "two")
        )
        first = stack.enter_context(PageScript(one.address, "a"))
        sessions = itertools.count()

        def knows() -> bool:
            """Whether the second page answers from it; without messages it is asked about the sample."""
            with PageScript(two.address, f"b{next(sessions)}", shown=False) as second:
                return "Zanzibaria" in json.dumps(second.answer(QUESTION))

        assert not knows()
        first.drop(chat)
        until(knows, "the import is seen")
        liked = first.ask(QUESTION)
        assert "Zanzibaria" in liked
        first.press("like", "0")
        shown = first.press("delete", "1")
        assert "xylofontaine" not in json.loads(shown)["data"][3], "the list of chats"
        assert not knows(), "the deletion is seen at once"
        one.process.kill()
        one.process.wait(120)
        third = stack.enter_context(PageScript(two.address, "c"))
        third.press("corpus", "own")  # it began with the sample, for there were no other messages
        third.press("undo", "")
        assert knows(), "what one deleted the other restores"
        lines = [
            json.loads(line)
            for page in (one, two)
            for line in page.log.read_text("utf-8").splitlines()
            if line[:1] == "{"
        ]
        written = one.log.read_text("utf-8") + two.log.read_text("utf-8")
    assert {line["event"] for line in lines} == {"import", "question", "deletion", "restore"}, (
        written
    )
    assert not [canary for canary in CANARIES if canary in written]
