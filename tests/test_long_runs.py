"""A long message of one thing over and over costs time by its length, not by its square."""

from __future__ import annotations

import itertools
from datetime import datetime
from pathlib import Path

import pytest
from fakes import WordEmbedder
from growth import assert_by_length, processor_seconds
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.extract.structure import mentions
from minirag_chat.names import PersonIndex
from minirag_chat.question.event_dates import is_undated
from minirag_chat.records import Message

# Each has once been, or could be, where a pattern begins again at every character.
RUNS = (
    "x",
    "xX",
    "1",
    "\u00e9",
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

        def used() -> None:
            memory.add(write_log(folder / "log", log))
            assert memory.ask("What does Eve see in the end?").sources
            memory.suggestions()

        return processor_seconds(used)


@pytest.mark.slow
def test_a_long_run_costs_time_by_its_length(tmp_path: Path) -> None:
    run = itertools.count()
    assert_by_length(lambda length: seconds(tmp_path / str(next(run)), length), 1_000)


@pytest.mark.slow
@pytest.mark.parametrize("run", ["The ", "Anna. \U0001f600 "])
def test_names_are_found_in_time_by_the_length_of_a_message(run: str) -> None:
    def mentioned(length: int) -> float:
        message = Message(1, "Eve", "Eve", datetime(2026, 1, 1), run * (length // len(run)))
        return processor_seconds(lambda: mentions(message, PersonIndex({}), frozenset(), {}))

    assert_by_length(mentioned, 3_000)


@pytest.mark.parametrize("run", ["sat 12 dec ", "rota: mon 7 dec Ann opens, ", "party fri 11 dec "])
def test_a_rota_is_asked_for_the_day_of_an_event_in_time_by_its_length(run: str) -> None:
    def dated(length: int) -> float:
        text = run * (length // len(run))
        message = Message(1, "Eve", "Eve", datetime(2026, 11, 1), text)
        return processor_seconds(lambda: is_undated("the party", message))

    assert_by_length(dated, 300)
