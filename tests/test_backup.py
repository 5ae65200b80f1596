"""Backups as docs/deploy.md describes them: restored into an empty place, the memory answers the same."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import SMALL, write_log
from postgres_server import PostgresServer, programs

from minirag_chat import ChatMemory, Settings

QUESTIONS = (
    "What is the piano tuner called?", "Who parked the van?", "When did Tom call Anna?",
    "Did Tom call before the rehearsal?", "What did we talk about in January 2026?",
)  # fmt: skip


def opened(place: str | Path, folder: Path) -> ChatMemory:
    settings = Settings.make(
        db=place, model="extractive", model_dir=folder / "models", abstain_below=0
    )
    return ChatMemory.open(None, settings, embedder=WordEmbedder(), chat_model=ScriptedModel())


def filled(memory: ChatMemory, folder: Path) -> None:
    """What a backup must not lose: messages, who asks, a like, and what is in the trash."""
    memory.add(write_log(folder / "log", SMALL))
    memory.set_me("Tom Hill")
    memory.rate(memory.ask(QUESTIONS[0], history=()), liked=True)
    memory.delete(chats=[memory.chats()[-1].id])


def held(memory: ChatMemory) -> dict[str, object]:
    """All that is asked of a memory, as values that can be compared."""
    answers = [memory.ask(question, history=()) for question in QUESTIONS]
    return {
        "answers": [(a.text, [s.message_id for s in a.sources], a.confidence) for a in answers],
        "found": [[e.message for e in memory.retrieve(question)] for question in QUESTIONS],
        "chats": list(memory.chats()),
        "me": memory.me,
        "left": memory.index_left(),
        "trash": [(gone.number, gone.what, gone.messages) for gone in memory.deletions()],
    }


@pytest.mark.process
def test_a_dump_of_postgresql_restored_into_an_empty_database_answers_the_same(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    folder = programs()
    if folder is None or not (folder / "pg_dump").exists():
        pytest.skip("pg_dump is not beside this PostgreSQL")
    dump, ours, empty = tmp_path / "chats.dump", postgres.address(), postgres.address(empty=True)
    with opened(ours, tmp_path) as memory:
        filled(memory, tmp_path)
        before = held(memory)
        _run(folder / "pg_dump", "--dbname", ours, "-Fc", "--file", dump)  # while it is open
    _run(folder / "pg_restore", "--dbname", empty, "--exit-on-error", dump)
    with opened(empty, tmp_path) as restored:
        assert held(restored) == before
        assert restored.restore().messages, "the trash too can be restored"
        more = {"20260301_1000": ("KatyaMoor: The xylophone stands in Lisbon.",)}
        assert restored.add(write_log(tmp_path / "more", more)).messages_added == 1
        assert restored.ask("Where is the xylophone?", history=()).sources


@pytest.mark.parametrize("copied", ["VACUUM INTO", "the file"])
def test_a_copy_of_a_file_answers_the_same(tmp_path: Path, copied: str) -> None:
    source, backup = tmp_path / "chats.db", tmp_path / "backup.db"
    with opened(source, tmp_path) as memory:
        filled(memory, tmp_path)
        before = held(memory)
        if copied == "VACUUM INTO":  # while it is open
            with closing(sqlite3.connect(source)) as link:
                link.execute("VACUUM INTO ?", (str(backup),))
    if copied == "the file":
        shutil.copy(source, backup)
    with opened(backup, tmp_path) as restored:
        assert held(restored) == before
        assert restored.restore().messages


def _run(*command: str | Path) -> None:
    subprocess.run([str(word) for word in command], check=True, capture_output=True, timeout=120)
