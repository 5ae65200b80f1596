"""A long message of one thing over and over costs time by its length, not by its square."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

import pytest
from fakes import WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.extract.structure import mentions
from minirag_chat.names import PersonIndex
from minirag_chat.records import Message

# Each has once been, or could be, where a pattern begins again at every character.
RUNS = (
    "x",
    "xX",
    " ",
    "1,",
    "1.",
    "a_",
    "[1]",
    "not ",
    "12:34 ",
    "http://a.",
    "\u4e2d",
    "\u201c",
    "$1. ",
    "Bob. ",
)


def seconds(folder: Path, length: int) -> float:
    """Processor time to read, and be asked about, one message of each run."""
    log = {
        f"202604{day:02}_1000": (f"Eve: see {(run * length)[:length]} end", "Bob: The key is blue.")
        for day, run in enumerate(RUNS, start=1)
    }
    folder.mkdir()
    settings = Settings(db=folder / "chats.db", model="extractive", abstain_below=0)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        begun = time.process_time()
        memory.add(write_log(folder / "log", log))
        assert memory.ask("What does Eve see in the end?").sources
        memory.suggestions()
        return time.process_time() - begun


@pytest.mark.slow
def test_a_long_run_costs_time_by_its_length(tmp_path: Path) -> None:
    seconds(tmp_path / "warm", 100)
    short, long = seconds(tmp_path / "short", 2_500), seconds(tmp_path / "long", 20_000)
    assert long < 8 * 3 * short, "eight times as long, and by the square 64 times the time"


@pytest.mark.slow
@pytest.mark.parametrize("run", ["The ", "Anna. \U0001f600 "])
def test_names_are_found_in_time_by_the_length_of_a_message(run: str) -> None:
    def mentioned(length: int) -> float:
        message = Message(1, "Eve", "Eve", datetime(2026, 1, 1), run * (length // len(run)))
        begun = time.process_time()
        mentions(message, PersonIndex({}), frozenset(), {})
        return time.process_time() - begun

    assert mentioned(200_000) < 8 * 3 * mentioned(25_000)
