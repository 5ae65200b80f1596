"""The bundled encoder by onnxruntime gives what torch gives, and nothing loads torch beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from minirag_chat import Settings
from minirag_chat.errors import ModelCorrupt
from minirag_chat.models import encoder, onnx_session, ranker
from minirag_chat.models.catalog import BUNDLED, MULTILINGUAL, ModelCard, find_card
from minirag_chat.models.embedder import (
    EncoderEmbedder,
    SentenceTransformerEmbedder,
    embedder_folder,
    load_embedder,
)
from minirag_chat.models.encoder import Encoder
from minirag_chat.models.encoder_graph import MIDDLE, in_eight_bits
from minirag_chat.models.memory_use import Gpu
from minirag_chat.models.protocols import Embedder, Vectors
from minirag_chat.models.ranker import EncoderReader, LateInteractionRanker, TorchReader

SAID = (
    "Wolfgang: The piano tuner comes on Thursday at nine.",
    "Ann: wo ist der Hund? Ça va, naïve 漢字 مرحبا 😀😀",
    "Tom: \x00 [MASK] [CLS] \u202e <b>hello</b>",
    "Kim: ok",
    "",
    "   ",
    "x" * 5000,
    "Ben: " + "and so we went on to the harbour " * 200,
    *(f"Kim: number {n} " * (n % 13 + 1) for n in range(30)),
)
CLOSE = 1e-5


@pytest.fixture(scope="module")
def bundled() -> tuple[ModelCard, Path]:
    card = find_card(BUNDLED, "embedder")
    folder = embedder_folder(card, Path("nowhere"))
    assert folder is not None
    return card, folder


@pytest.fixture(scope="module", params=[BUNDLED, MULTILINGUAL])
def card(request: pytest.FixtureRequest) -> ModelCard:
    return find_card(request.param, "embedder")


@pytest.fixture(scope="module")
def folder(card: ModelCard) -> Path:
    found = embedder_folder(card, Settings().model_dir)
    if found is None:
        assert not card.bundled
        pytest.skip(f"needs the embedder: minirag-chat models get {card.name}")
    return found


@pytest.fixture(scope="module")
def theirs(card: ModelCard, folder: Path) -> SentenceTransformerEmbedder:
    """The same network by sentence-transformers."""
    return SentenceTransformerEmbedder(card, folder)


@pytest.fixture(scope="module")
def wanted(theirs: SentenceTransformerEmbedder) -> Vectors:
    """What sentence-transformers makes of the texts: once, for it takes seconds."""
    return theirs.embed(SAID)


@pytest.fixture(scope="module")
def exact(card: ModelCard, folder: Path) -> LateInteractionRanker:
    """The ranker in float32."""
    weights = ranker.weights_file(card)
    return LateInteractionRanker(EncoderReader(folder, weights, eight_bits=False), card)


@pytest.mark.model
def test_vectors_are_nearly_those_of_sentence_transformers(
    card: ModelCard, folder: Path, theirs: SentenceTransformerEmbedder, wanted: Vectors
) -> None:
    """Else a database of before, or of a machine with a GPU, would have to be embedded again."""
    ours = EncoderEmbedder(card, folder)
    vectors = ours.embed(SAID)
    assert (vectors.shape, vectors.dtype) == ((len(SAID), ours.dimension), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=CLOSE)
    assert (vectors * wanted).sum(axis=1).min() > 0.98
    assert ours.count_tokens(SAID) == theirs.count_tokens(SAID)
    assert (ours.name, ours.dimension) == (theirs.name, theirs.dimension)


@pytest.mark.model
def test_in_float32_hidden_states_are_those_of_the_network(
    card: ModelCard, folder: Path, wanted: Vectors
) -> None:
    """The graph is the network; all that is lost is lost in 8 bits."""
    network = Encoder(folder)
    means = np.zeros((len(SAID), network.width), dtype=np.float32)
    ids = network.tokens.of([card.text_prefix + text for text in SAID], card.context)
    for place, hidden in network.hidden(ids):
        means[place] = hidden.mean(axis=0)
    vectors = means / np.linalg.norm(means, axis=1, keepdims=True)
    assert np.allclose(vectors, wanted, atol=CLOSE)


@pytest.mark.model
def test_the_ranker_judges_as_the_trained_network_does(
    card: ModelCard, folder: Path, exact: LateInteractionRanker
) -> None:
    """Its log-odds are a signal of probabilities that were fitted on the network's."""
    import torch

    network = TorchReader(folder, ranker.weights_file(card))
    network._dtype = torch.float32  # what the network computes in is the machine's choice
    theirs = LateInteractionRanker(network, card)
    for question in ("When does the tuner come?", "Who has a dog?", "漢字 " * 60):
        scores, wanted = exact.scores(question, SAID), theirs.scores(question, SAID)
        assert scores.dtype == np.float32
        assert np.allclose(scores, wanted, atol=0.005)
        assert (np.argsort(scores) == np.argsort(wanted)).all()
    assert exact.scores("Who?", []).shape == (0,)


@pytest.mark.model
@pytest.mark.parametrize("signed", [False, True])
def test_in_eight_bits_the_ranker_judges_nearly_as_before(
    card: ModelCard,
    folder: Path,
    exact: LateInteractionRanker,
    monkeypatch: pytest.MonkeyPatch,
    *,
    signed: bool,
) -> None:
    if signed and not encoder.exact_in_eight_bits():
        pytest.skip("this processor cuts off sums of signed 8-bit products")
    monkeypatch.setattr(encoder, "exact_in_eight_bits", lambda: signed)
    small = LateInteractionRanker(EncoderReader(folder, ranker.weights_file(card)), card)
    for question in ("When does the tuner come?", "Who has a dog?"):
        wanted, found = exact.scores(question, SAID), small.scores(question, SAID)
        assert not np.array_equal(wanted, found), "it does compute in 8 bits"
        assert np.abs(wanted - found).max() < 1
        assert wanted.argmax() == found.argmax()
        assert np.corrcoef(wanted, found)[0, 1] > (0.99 if card.bundled else 0.98)


def test_signed_and_unsigned_weights_give_the_same_products() -> None:
    """So that the ranker's scores, and the probabilities fitted on them, are the same on all processors."""
    weight = np.random.default_rng(1).normal(size=(96, 64)).astype(np.float32)
    small = in_eight_bits("w", weight, signed=True)["w"].astype(int)
    shifted = in_eight_bits("w", weight, signed=False)["w"]
    assert shifted.dtype == np.uint8
    assert (shifted.astype(int) - MIDDLE == small).all()


def test_torch_computes_where_there_is_a_gpu_or_no_onnxruntime(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert encoder.without_torch()
    with monkeypatch.context() as changed:
        changed.setattr(encoder, "gpu", lambda: Gpu("A100", 80.0, 79.0))
        assert not encoder.without_torch()
        changed.setattr(encoder, "only_pretended", lambda: True)
        assert encoder.without_torch(), "this process must not use that of a Space"
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert not encoder.without_torch()


@pytest.mark.model
def test_embedder_and_ranker_work_without_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    embedder: Embedder = load_embedder(Settings())
    assert isinstance(embedder, SentenceTransformerEmbedder)
    found = ranker.load_ranker(Settings())
    assert found is not None
    assert isinstance(found._reader, TorchReader)


def broken(folder: Path, to: Path, name: str, data: bytes) -> Path:
    """A copy of the embedder, of which one file holds something else."""
    for file in ("model.safetensors", "tokenizer.json", "config.json"):
        shutil.copy(folder / file, to / file)
    (to / name).write_bytes(data)
    return to


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("data", [b"", b"\xff" * 100, b"\x02\0\0\0\0\0\0\0{}", b'{"a": 1}'])
def test_files_that_cannot_be_read_are_one_sentence(
    bundled: tuple[ModelCard, Path], tmp_path: Path, name: str, data: bytes
) -> None:
    card, folder = bundled
    with pytest.raises(
        ModelCorrupt, match=r"^The embedder all-MiniLM-L6-v2 in .* cannot be loaded"
    ):
        EncoderEmbedder(card, broken(folder, tmp_path, name, data))


def test_weights_that_end_early_are_one_sentence(
    bundled: tuple[ModelCard, Path], tmp_path: Path
) -> None:
    card, folder = bundled
    half = (folder / "model.safetensors").read_bytes()[:50_000_000]
    with pytest.raises(ModelCorrupt, match="cannot be loaded"):
        EncoderEmbedder(card, broken(folder, tmp_path, "model.safetensors", half))


@pytest.mark.slow
def test_other_weights_than_the_publishers_are_not_loaded(
    bundled: tuple[ModelCard, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, folder = bundled
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (tmp_path / card.name).mkdir()
    broken(folder, tmp_path / card.name, "model.safetensors", bytes(data))
    monkeypatch.setattr("minirag_chat.models.embedder.find_card",
                        lambda *_: replace(card, bundled="no_such_package"))  # fmt: skip
    with pytest.raises(ModelCorrupt, match="is not the publisher's"):
        load_embedder(Settings(model_dir=tmp_path))


HEAVY = ("torch", "transformers", "sentence_transformers", "gradio", "networkx", "httpx")
PROGRAM = """import sys
def refuse(*given, **__):
    raise ConnectionRefusedError("no network in this test")
import socket
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from minirag_chat.cli import main
try:
    main()
except SystemExit as ended:
    sys.stderr.write(f"ENDED {ended.code or 0} LOADED {[n for n in NAMES if n in sys.modules]}")
"""


@pytest.mark.process
@pytest.mark.model
def test_to_import_and_to_ask_without_a_language_model_load_no_torch(
    tmp_path: Path, small_log: Path
) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        program = PROGRAM.replace("NAMES", repr(HEAVY))
        return subprocess.run(
            [sys.executable, "-c", program, "--db", str(tmp_path / "chats.db"), *words],
            capture_output=True, text=True, check=True,
            env={**os.environ, "MINIRAG_CHAT_MODEL": "extractive"},
        )  # fmt: skip

    assert run("add", str(small_log)).stderr.endswith("ENDED 0 LOADED []")
    asked = run("ask", "What is the piano tuner called?")
    assert asked.stderr.endswith("ENDED 0 LOADED []")
    assert "Quint" in asked.stdout


def test_onnxruntime_takes_the_threads_that_the_user_gives_torch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    usual = onnx_session._threads()
    for told, threads in (("3", 3), ("5,2", 5), ("0", usual), ("many", usual)):
        monkeypatch.setenv("OMP_NUM_THREADS", told)
        assert onnx_session._threads() == threads
