"""Which embedder reads a database: the one that indexed it, unless the settings name another."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app
from minirag_chat.errors import ModelMissing
from minirag_chat.models.catalog import BUNDLED, MULTILINGUAL, find_card
from minirag_chat.models.embedder import embedder_folder, embedder_name
from minirag_chat.models.loaded import LoadedModels

CHAT = """[03.05.26, 18:02:11] Jonas: Wo hast du das Fahrrad abgestellt?
[03.05.26, 18:03:40] Lena: Hinter der Bäckerei, der Schlüssel liegt unter der Matte.
[04.05.26, 09:12:05] Jonas: Der Klavierstimmer kommt am Donnerstag um neun.
[04.05.26, 09:13:30] Lena: Gut, dann backe ich vorher noch einen Kuchen.
[06.05.26, 20:45:00] Jonas: Meine Schwester zieht im Herbst nach Leipzig.
[06.05.26, 20:47:12] Lena: Schön, dann besuchen wir sie mit dem Zug.
"""


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    export = tmp_path / "_chat.txt"
    export.write_text(CHAT, encoding="utf-8")
    return export


def index(db: Path) -> None:
    """``minirag-chat index`` with the multilingual embedder."""
    CliRunner().invoke(
        app, ["--db", str(db), "index", "--embedder", MULTILINGUAL], catch_exceptions=False
    )


def installed(folder: Path) -> Path:
    """A folder of models that has the multilingual one, by its looks."""
    (folder / MULTILINGUAL).mkdir()
    (folder / MULTILINGUAL / "config.json").write_text("{}")
    return folder


def test_a_database_keeps_its_embedder_where_that_is_installed(tmp_path: Path) -> None:
    settings = Settings(model_dir=installed(tmp_path))
    assert embedder_name(settings, made_by=MULTILINGUAL) == MULTILINGUAL
    assert embedder_name(settings, made_by=None) == BUNDLED
    assert embedder_name(settings, made_by="somebody's own") == BUNDLED
    assert embedder_name(Settings(model_dir=tmp_path / "none"), made_by=MULTILINGUAL) == BUNDLED


def test_the_settings_go_first(tmp_path: Path) -> None:
    settings = Settings(embedder=BUNDLED, model_dir=installed(tmp_path))
    assert embedder_name(settings, made_by=MULTILINGUAL) == BUNDLED


def test_one_that_is_not_here_leaves_the_index_as_it_is(
    tmp_path: Path, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "chats.db"
    with ChatMemory.open(db, Settings(model="extractive")) as memory:
        memory.add(chat)
    monkeypatch.setenv("MINIRAG_CHAT_MODEL_DIR", str(tmp_path))
    with pytest.raises(ModelMissing, match=f"minirag-chat models get {MULTILINGUAL}"):
        index(db)
    with ChatMemory.open(db, Settings(model="extractive")) as memory:
        assert memory.info().embedder == BUNDLED
        assert not memory.info().note


@pytest.mark.model
def test_messages_in_another_language_are_found_with_the_multilingual_embedder(
    tmp_path: Path, chat: Path
) -> None:
    """German messages, asked in English, without a word in common."""
    if embedder_folder(find_card(MULTILINGUAL), Settings().model_dir) is None:
        pytest.skip(f"needs the embedder: minirag-chat models get {MULTILINGUAL}")
    db = tmp_path / "chats.db"
    with ChatMemory.open(db, Settings(model="extractive")) as memory:
        memory.add(chat)
    index(db)
    models = LoadedModels(Settings(model="extractive"))
    with ChatMemory.open(db, Settings(model="extractive"), models=models) as memory:
        assert memory.info().embedder == MULTILINGUAL
        assert not memory.info().note
        for question, said in (
            ("Where is the bike?", "Bäckerei"),
            ("When is the piano being tuned?", "Klavierstimmer"),
            ("Who is moving to another city?", "Leipzig"),
        ):
            assert any(said in found.message.text for found in memory.retrieve(question, k=2))
        memory.add(chat)
        assert memory.info().embedder == MULTILINGUAL, "a later import goes on with it"
    with pytest.raises(ModelMissing, match="no embedder called 'nobody'"):
        ChatMemory.open(db, Settings(embedder="nobody")).retrieve("Who?")


def test_an_index_of_an_embedder_that_is_gone_names_the_command_that_gets_it(
    settings: Settings, small: ChatMemory
) -> None:
    assert small.info().note == ""
    with small._store.transaction():
        small._store.set_meta("embedder", MULTILINGUAL)
    assert f"`minirag-chat models get {MULTILINGUAL}` has fetched" in small.info().note
