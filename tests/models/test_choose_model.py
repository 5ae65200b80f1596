from __future__ import annotations

import json
from pathlib import Path

import pytest

from minirag_chat import Settings
from minirag_chat.errors import BadSetting, ModelMissing, ModelTooLarge
from minirag_chat.models.choose import (
    Machine,
    choose_model,
    list_models,
    load_chat_model,
    machine,
)
from minirag_chat.models.convert import FORMAT, MARKER
from minirag_chat.models.server_model import ServerChatModel

LAPTOP = Machine(cores=4, memory_gb=16, available_gb=9, gpu=None, vram_gb=0)
SMALL = Machine(cores=2, memory_gb=2, available_gb=1, gpu=None, vram_gb=0)
GAMER = Machine(cores=8, memory_gb=32, available_gb=20, gpu="RTX 4060", vram_gb=8)


def install(model_dir: Path, *names: str) -> None:
    for name in names:
        folder = model_dir / f"{name}-nf4"
        folder.mkdir(parents=True)
        (folder / MARKER).write_text(json.dumps({"format": FORMAT, "origin": "x"}))


def settings(model_dir: Path, **values: str) -> Settings:
    return Settings(model_dir=model_dir, **values)  # type: ignore[arg-type]


def test_without_a_model_the_reader_extracts_and_the_reason_names_the_command(
    tmp_path: Path,
) -> None:
    choice = choose_model(settings(tmp_path), LAPTOP)
    assert choice.kind == "extractive"
    assert "minirag-chat models get qwen2.5-coder-1.5b-instruct" in choice.reason
    assert "qwen3-4b" in choose_model(settings(tmp_path), GAMER).reason
    assert load_chat_model(settings(tmp_path), choice) is None


@pytest.mark.parametrize(
    ("here", "name"),
    [
        (LAPTOP, "qwen2.5-coder-1.5b-instruct"),
        (SMALL, "qwen2.5-coder-0.5b-instruct"),
        (GAMER, "qwen3-4b-instruct-2507"),
    ],
)
def test_auto_takes_the_best_installed_one_that_fits(
    tmp_path: Path, here: Machine, name: str
) -> None:
    install(
        tmp_path,
        "qwen2.5-coder-0.5b-instruct",
        "qwen2.5-coder-1.5b-instruct",
        "qwen3-4b-instruct-2507",
    )
    choice = choose_model(settings(tmp_path), here)
    assert choice.card is not None
    assert (choice.kind, choice.card.name) == ("transformers", name)
    assert choice.name == f"{name} (4-bit, {'CUDA' if here.gpu else 'CPU'})"


def test_a_folder_that_is_not_complete_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "qwen2.5-coder-1.5b-instruct-nf4").mkdir()
    assert choose_model(settings(tmp_path), LAPTOP).kind == "extractive"


def test_a_server_goes_before_what_is_installed(tmp_path: Path) -> None:
    install(tmp_path, "qwen2.5-coder-1.5b-instruct")
    chosen = settings(tmp_path, server_url="http://127.0.0.1:1/v1", server_model="big")
    choice = choose_model(chosen, LAPTOP)
    assert (choice.kind, choice.name) == ("server", "big")
    assert "http://127.0.0.1:1/v1" in choice.reason
    assert isinstance(load_chat_model(chosen, choice), ServerChatModel)


def test_what_was_asked_for_goes_before_a_server(tmp_path: Path) -> None:
    install(tmp_path, "qwen2.5-coder-0.5b-instruct")
    chosen = settings(
        tmp_path,
        model="qwen2.5-coder-0.5b-instruct",
        server_url="http://127.0.0.1:1/v1",
        server_model="big",
    )
    assert choose_model(chosen, LAPTOP).kind == "transformers"
    assert choose_model(settings(tmp_path, model="extractive"), LAPTOP).kind == "extractive"


def test_a_server_without_an_address_is_a_bad_setting(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="MINIRAG_CHAT_SERVER_URL"):
        choose_model(settings(tmp_path, model="server"), LAPTOP)


def test_a_missing_model_that_was_asked_for_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"minirag-chat models get qwen3-1\.7b"):
        choose_model(settings(tmp_path, model="qwen3-1.7b"), LAPTOP)


def test_a_model_that_is_too_large_says_by_how_much(tmp_path: Path) -> None:
    install(tmp_path, "qwen3-4b-instruct-2507")
    with pytest.raises(ModelTooLarge, match=r"needs 6\.0 GB, there are 2\.0 GB"):
        choose_model(settings(tmp_path, model="qwen3-4b-instruct-2507"), SMALL)


def test_the_list_says_what_is_here(tmp_path: Path) -> None:
    install(tmp_path, "qwen3-1.7b")
    found = {status.card.name: status for status in list_models(settings(tmp_path))}
    assert found["qwen3-1.7b"].path == tmp_path / "qwen3-1.7b-nf4"
    assert found["smollm3-3b"].path is None
    assert found["all-MiniLM-L6-v2"].path is not None


def test_this_machine_is_described_in_one_line() -> None:
    here = machine()
    assert here.cores >= 1
    assert 0 < here.available_gb <= here.memory_gb
    assert here.describe().startswith(f"This machine: {here.cores} cores")
