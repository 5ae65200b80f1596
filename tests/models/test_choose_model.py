from __future__ import annotations

import json
import os
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes import ScriptedModel

from minirag_chat import Settings
from minirag_chat.errors import BadSetting, ModelMissing, ModelTooLarge
from minirag_chat.models import memory_use
from minirag_chat.models.choose import (
    ChosenModel,
    Machine,
    choose_model,
    list_models,
    load_chat_model,
    machine,
)
from minirag_chat.models.convert import FORMAT, MARKER
from minirag_chat.models.load import check_fits
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.memory_use import needed_gb
from minirag_chat.models.server_model import ServerChatModel

LAPTOP = Machine(cores=4, memory_gb=16, available_gb=9, gpu=None, vram_gb=0)
SMALL = Machine(cores=2, memory_gb=2, available_gb=1.6, gpu=None, vram_gb=0)
FULL = Machine(cores=4, memory_gb=8, available_gb=2, gpu=None, vram_gb=0)
GAMER = Machine(cores=8, memory_gb=32, available_gb=20, gpu="RTX 4060", vram_gb=8, vram_free_gb=7.5)


def install(model_dir: Path, *names: str, weights: int = 0) -> None:
    for name in names:
        folder = model_dir / f"{name}-nf4"
        folder.mkdir(parents=True)
        (folder / MARKER).write_text(json.dumps({"format": FORMAT, "origin": "x"}))
        if weights:
            with (folder / "model.safetensors").open("wb") as file:
                os.truncate(file.fileno(), weights)  # takes no space: a hole


def settings(model_dir: Path, **values: str) -> Settings:
    return Settings(model_dir=model_dir, **values)


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


def test_auto_takes_the_next_one_where_the_best_has_no_room_and_says_so(tmp_path: Path) -> None:
    install(tmp_path, "qwen2.5-coder-0.5b-instruct", "qwen2.5-coder-1.5b-instruct")
    choice = choose_model(settings(tmp_path), FULL)
    assert choice.name == "qwen2.5-coder-0.5b-instruct (4-bit, CPU)"
    assert "qwen2.5-coder-1.5b-instruct needs 2.5 GB and 2.0 GB are free" in choice.reason
    choice = choose_model(settings(tmp_path), replace(FULL, available_gb=0.5))
    assert choice.kind == "extractive"
    assert "close other programs" in choice.reason
    assert "is installed" not in choice.reason


def test_auto_chooses_again_where_the_libraries_took_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "qwen2.5-coder-0.5b-instruct", "qwen2.5-coder-1.5b-instruct")
    memory = SimpleNamespace(available=2.6 * 1024**3, total=8 * 1024**3)
    monkeypatch.setattr("psutil.virtual_memory", lambda: memory)
    tried: list[str] = []

    def load(_settings: Settings, choice: ChosenModel) -> ScriptedModel:
        tried.append(choice.name)
        if "1.5b" in choice.name:
            memory.available = 2.2 * 1024**3
            raise ModelTooLarge("no room")
        return ScriptedModel()

    monkeypatch.setattr("minirag_chat.models.loaded.load_chat_model", load)
    models = LoadedModels(settings(tmp_path))
    assert models.chat_model() is not None
    assert [name[:18] for name in tried] == ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"]
    assert "0.5b" in models.choice().name


def test_a_gpu_that_the_user_hides_is_not_counted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_use.shutil, "which", lambda name: "/usr/bin/nvidia-smi")
    monkeypatch.setattr(memory_use, "version", lambda name: "2.13.0")
    said = SimpleNamespace(stdout="A card, 8192, 8000")
    monkeypatch.setattr(memory_use.subprocess, "run", lambda *given, **named: said)
    memory_use._by_driver.cache_clear()
    assert memory_use.gpu() is not None
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    memory_use._by_driver.cache_clear()
    assert memory_use.gpu() is None
    memory_use._by_driver.cache_clear()


def test_what_is_asked_for_and_has_no_room_now_is_left_to_loading(tmp_path: Path) -> None:
    install(tmp_path, "qwen2.5-coder-1.5b-instruct")
    chosen = settings(tmp_path, model="qwen2.5-coder-1.5b-instruct")
    assert choose_model(chosen, FULL).kind == "transformers"


@pytest.mark.parametrize("free", [1.9, 2.5])
def test_choosing_and_loading_agree_on_what_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float
) -> None:
    name = "qwen2.5-coder-1.5b-instruct"
    install(tmp_path, name, weights=1024**3)  # with 1.6 a byte and 0.6 beside: 2.2 GB
    memory = SimpleNamespace(available=free * 1024**3, total=8 * 1024**3)
    monkeypatch.setattr("psutil.virtual_memory", lambda: memory)
    chosen = choose_model(settings(tmp_path), replace(FULL, available_gb=free)).card is not None
    assert chosen == (free > 2.2)
    refused = nullcontext() if chosen else pytest.raises(ModelTooLarge, match=r"2\.2 GB .* 1\.9 GB")
    with refused:
        check_fits(tmp_path / f"{name}-nf4", name, "cpu")


def test_a_gpu_needs_room_for_one_layout_only(tmp_path: Path) -> None:
    install(tmp_path, "qwen3-4b-instruct-2507", weights=4 * 1024**3)
    assert needed_gb(tmp_path / "qwen3-4b-instruct-2507-nf4", "cpu") == pytest.approx(7.0)
    assert needed_gb(tmp_path / "qwen3-4b-instruct-2507-nf4", "cuda") == pytest.approx(4.9)
    assert choose_model(settings(tmp_path), GAMER).card is not None
    assert choose_model(settings(tmp_path), replace(GAMER, vram_free_gb=4.5)).card is None


def test_a_model_in_memory_keeps_the_reason_it_was_chosen_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "qwen2.5-coder-1.5b-instruct")
    now = [LAPTOP, LAPTOP, replace(LAPTOP, available_gb=1)]
    monkeypatch.setattr("minirag_chat.models.choose.machine", lambda: now.pop(0))
    monkeypatch.setattr("minirag_chat.models.loaded.load_chat_model", lambda *_: ScriptedModel())
    models = LoadedModels(settings(tmp_path))
    before = models.choice()
    models.chat_model()
    assert models.choice() == before
    models.use(settings(tmp_path, model="extractive"))
    assert models.choice().kind == "extractive"


def test_loading_that_fails_for_a_reason_of_nobodys_is_not_shown_as_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "qwen2.5-coder-1.5b-instruct")
    monkeypatch.setattr("minirag_chat.models.choose.machine", lambda: LAPTOP)
    fails: list[BaseException] = [ZeroDivisionError(), KeyboardInterrupt()]

    def load(*_: object) -> ScriptedModel:
        if fails:
            raise fails.pop(0)
        return ScriptedModel()

    monkeypatch.setattr("minirag_chat.models.loaded.load_chat_model", load)
    models = LoadedModels(settings(tmp_path))
    for kind in (ZeroDivisionError, KeyboardInterrupt):
        with pytest.raises(kind):
            models.chat_model()
        assert models.state == "failed"
        assert kind.__name__ in models.problem
    assert models.chat_model() is not None  # it is tried again
    assert (models.state, models.problem) == ("ready", "")


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
