"""A model that cannot be loaded: the reason is told apart, for only one of them is mended by a download."""

from __future__ import annotations

import weakref
from pathlib import Path

import pytest

from minirag_chat.errors import ModelCorrupt, ModelError, ModelTooLarge
from minirag_chat.models.load import load


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> list[weakref.ref[object]]:
    """Let loading fail half way; returns what was loaded until then."""
    begun: list[weakref.ref[object]] = []

    class Weights:
        """Stands for gigabytes."""

    def from_pretrained(*_: object, **__: object) -> None:
        weights = Weights()
        begun.append(weakref.ref(weights))
        raise error

    monkeypatch.setattr("transformers.AutoModelForCausalLM.from_pretrained", from_pretrained)
    return begun


@pytest.mark.slow
@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes."),
        RuntimeError("CUDA out of memory. Tried to allocate 9 MiB."),
        OSError(12, "Cannot allocate memory"),
        OSError("The paging file is too small for this operation to complete. (os error 1455)"),
        MemoryError(),
    ],
    ids=str,
)
def test_a_model_that_runs_out_of_memory_is_not_called_corrupt_and_leaves_room_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    begun = failing(monkeypatch, error)
    with pytest.raises(ModelTooLarge, match="ran out of memory; close other programs") as raised:
        load(tmp_path, "small", "cpu")
    assert raised.value.__cause__ is error  # which holds what was loaded while it is handled
    assert [weights() for weights in begun] == [None]


def test_a_library_that_does_not_fit_is_named_and_nothing_is_to_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, ImportError("cannot import name 'Linear4bit'", name="bitsandbytes.nn"))
    with pytest.raises(ModelError, match=r"because the library bitsandbytes .* again") as raised:
        load(tmp_path, "small", "cpu")
    assert not isinstance(raised.value, ModelCorrupt)
    assert "delete" not in str(raised.value)


def test_a_damaged_file_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("no JSON")
    with pytest.raises(
        ModelCorrupt, match="delete that folder and run: minirag-chat models get small"
    ):
        load(tmp_path, "small", "cpu")
