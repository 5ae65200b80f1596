"""An import says when its messages are in a language that the embedder was not made for."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from minirag_chat import ChatMemory
from minirag_chat.cli import app
from minirag_chat.settings import Settings

GERMAN = (
    "Hast du schon die Fahrkarten für das lange Wochenende gekauft?",
    "Noch nicht, die Preise haben sich seit gestern beinahe verdoppelt.",
    "Dann nehmen wir lieber den Nachtzug, der fährt um kurz vor zehn ab.",
    "Meine Schwester möchte mitkommen, ihr Freund bleibt wegen der Prüfung zuhause.",
)
ENGLISH = (
    "Did you buy the tickets for the long weekend already?",
    "Not yet, the prices have nearly doubled since yesterday.",
    "Then let us take the night train, it leaves shortly before ten.",
    "My sister would like to come, her friend stays at home because of an exam.",
)
RUSSIAN = (
    "Ты уже купила билеты на длинные выходные?",
    "Ещё нет, цены почти удвоились.",
    "Поедем ночью.",
)
POLISH = ("Kupiłaś już bilety na długi weekend?", "Jeszcze nie, ceny prawie się podwoiły.")


def exported(tmp_path: Path, texts: tuple[str, ...], times: int) -> Path:
    lines = [
        f"2026-03-{1 + n // 20:02d}, {8 + n % 12:02d}:{n % 60:02d} - {'Ann Ott' if n % 2 else 'Ben Ilg'}: {text}"
        for n, text in enumerate(texts * times)
    ]
    export = tmp_path / "chat.txt"
    export.write_text("\n".join(lines), encoding="utf-8")
    return export


def imported(tmp_path: Path, texts: tuple[str, ...], times: int) -> tuple[str, ...]:
    export = exported(tmp_path, texts, times)
    settings = Settings.make(model="extractive")
    with ChatMemory.open(tmp_path / "chats.db", settings) as memory:
        return memory.add(export).notes


@pytest.mark.model
@pytest.mark.parametrize(("texts", "times"), [(GERMAN, 20), (POLISH, 20), (RUSSIAN, 1)])
def test_another_language_is_told_with_the_embedder_for_it(
    tmp_path: Path, texts: tuple[str, ...], times: int
) -> None:
    notes = [note for note in imported(tmp_path, texts, times) if "not in English" in note]
    assert len(notes) == 1
    assert "models get multilingual-e5-small" in notes[0]


@pytest.mark.model
@pytest.mark.parametrize(
    ("texts", "times"),
    [(ENGLISH, 20), ((*ENGLISH, *ENGLISH, POLISH[0]), 10), (GERMAN, 2)],
    ids=["English", "a foreign line now and then", "too few words to tell"],
)
def test_nothing_is_told_of(tmp_path: Path, texts: tuple[str, ...], times: int) -> None:
    assert not [note for note in imported(tmp_path, texts, times) if "not in English" in note]


@pytest.mark.model
def test_the_commands_of_the_note_name_the_database(tmp_path: Path) -> None:
    """Else they would index another one."""
    db = tmp_path / "german.db"
    said = CliRunner().invoke(app, ["--db", str(db), "add", str(exported(tmp_path, GERMAN, 20))])
    assert "`minirag-chat models get multilingual-e5-small`" in said.stdout
    assert f"`minirag-chat --db {db} index --embedder multilingual-e5-small`" in said.stdout
