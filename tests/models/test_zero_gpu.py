"""Reading on a Space's ZeroGPU: every call in a forked process, as the package ``spaces`` does it."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedModel, ScriptedReader

from minirag_chat.errors import ModelError
from minirag_chat.models import load, offline, zero_gpu
from minirag_chat.models.protocols import ChatReader
from minirag_chat.models.zero_gpu import ZeroGpuModel, ZeroGpuReader, by_zero_gpu, on_gpu
from minirag_chat.records import Turn

TURNS = (Turn("user", "Where is the key?"),)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


def forked(*call: Any) -> Iterator[Any]:
    """Run ``on_gpu`` where ZeroGPU would: in a child that was forked, its pieces sent over a pipe."""
    context = multiprocessing.get_context("fork")
    reads, writes = context.Pipe(duplex=False)

    def work() -> None:
        try:
            for piece in on_gpu(*call):
                writes.send((piece, ""))
            writes.send((None, "end"))
        except Exception as error:  # noqa: BLE001 - it is told
            writes.send((None, str(error)))

    child = context.Process(target=work, daemon=True)
    child.start()
    writes.close()
    try:
        while True:
            piece, said = reads.recv()
            if said == "end":
                return
            if said:
                raise RuntimeError(said)
            yield piece
    finally:
        child.terminate()
        child.join()


class Gpu:
    """A queue for a GPU; ``fails`` once it is full."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.had_turns = 0
        self.fails = False
        self.waits = threading.Event()
        self.waits.set()

    def __call__(self, *call: Any) -> Iterator[Any]:
        self.asked.append(call[2])
        self.waits.wait(60)
        self.had_turns += 1
        if self.fails:
            raise RuntimeError("You have exceeded your GPU quota")
        yield from forked(*call)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Gpu:
    monkeypatch.setattr(
        zero_gpu, "_reader_there", lambda _folder, _name: ScriptedReader("[1] On the GPU")
    )
    return Gpu()


def on(gpu: Gpu) -> ZeroGpuReader:
    return ZeroGpuReader(ScriptedReader("[1] On the processor"), Path("folder"), "small", gpu)


def read(model: ZeroGpuReader) -> str:
    return "".join(piece.text for piece in model.read(TURNS, max_new_tokens=20)).strip()


@pytest.mark.slow
def test_what_the_gpu_says_comes_piece_by_piece_from_another_process(gpu: Gpu) -> None:
    model = on(gpu)
    assert isinstance(model, ChatReader)
    assert read(model) == "[1] On the GPU"
    assert "".join(model.stream(TURNS, max_new_tokens=9)).strip() == "An untrained sentence."
    assert model.silence(TURNS) == -4.0
    choice = model.choose_each([TURNS], ("Yes", "No"))[0]
    assert choice is not None
    assert choice[0] == pytest.approx(0.9)
    assert len(model.choose_each([TURNS, TURNS], ("Yes", "No"))) == 2
    assert gpu.asked == ["read", "stream", "silence", "choose_each", "choose_each"]
    assert not zero_gpu._worker, "this process is not where the GPU is"


def test_without_a_gpu_the_processor_reads_and_the_line_is_left_alone_for_a_while(gpu: Gpu) -> None:
    gpu.fails = True
    model = on(gpu)
    assert read(model) == "[1] On the processor"
    assert model.silence(TURNS) == -4.0
    assert gpu.asked == ["read"]
    gpu.fails, model._not_before = False, 0.0
    assert read(model) == "[1] On the GPU"


def test_who_stops_does_not_wait_for_a_turn(gpu: Gpu) -> None:
    gpu.waits.clear()
    stopped = lambda: bool(gpu.asked)  # noqa: E731 - said where it is used
    assert list(on(gpu).stream(TURNS, max_new_tokens=9, cancelled=stopped)) == []
    assert on(gpu).silence(TURNS, cancelled=lambda: True) is None
    assert gpu.had_turns == 0
    gpu.waits.set()


def test_a_gpu_that_goes_in_the_middle_of_an_answer_is_told() -> None:
    def breaks(*_call: Any) -> Iterator[Any]:
        yield "half an "
        raise RuntimeError("GPU task aborted")

    model = ZeroGpuModel(ScriptedModel("all"), Path("folder"), "small", breaks)
    with pytest.raises(ModelError, match="ask again"):
        list(model.stream(TURNS, max_new_tokens=9))


def test_elsewhere_nothing_is_put_around_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPACES_ZERO_GPU", raising=False)
    model = ScriptedModel()
    assert by_zero_gpu(model, Path("folder"), "small") is model


def test_this_process_leaves_the_gpu_that_zero_gpu_pretends_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert load.device() == "cuda"
    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    monkeypatch.setattr(zero_gpu, "find_spec", lambda _name: object())
    assert load.device() == "cpu"
    monkeypatch.setattr(zero_gpu, "_worker", True)  # where the call runs, there is one
    assert load.device() == "cuda"


def test_a_process_that_is_forked_during_a_load_can_load_too() -> None:
    holding, done = threading.Event(), threading.Event()

    def load_something() -> None:
        with offline.offline():
            holding.set()
            done.wait(120)

    thread = threading.Thread(target=load_something)
    thread.start()
    holding.wait(120)
    context = multiprocessing.get_context("fork")
    child = context.Process(target=lambda: offline.offline().__enter__())
    child.start()
    child.join(120)
    done.set()
    thread.join()
    waited = child.is_alive()
    child.kill()
    assert not waited
