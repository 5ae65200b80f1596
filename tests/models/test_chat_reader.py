"""The real 0.5B with a made-up adapter: when it counts, what it leaves alone, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from places import SMALL_MODEL

from minirag_chat.errors import ModelCorrupt
from minirag_chat.models import transformers_model
from minirag_chat.models.adapter import Adapter, adapter_of
from minirag_chat.models.chat_reader import NAMING_MORE, TransformersChatReader
from minirag_chat.models.protocols import ChatReader
from minirag_chat.models.transformers_model import TransformersChatModel
from minirag_chat.records import Turn

pytestmark = pytest.mark.model
ASKED = (
    Turn("system", "Answer from the numbered messages."),
    Turn(
        "user",
        "Messages:\n\n[1] Ann: our cat is called Pepper.\n\nQuestion: What is Ann's cat called?",
    ),
)
RANK, HIDDEN = 2, 896
LAYER = 20
OTHER = 5  # some token


def made_up(folder: Path, layer: int = LAYER, scale: float = 0.02) -> Adapter:
    """An adapter of random numbers beside one projection."""
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(1)
    name = f"layers.{layer}.self_attn.o_proj"
    tensors = {
        f"{name}.A": torch.randint(-127, 128, (RANK, HIDDEN), dtype=torch.int8),
        f"{name}.A.scale": torch.full((RANK,), scale),
        f"{name}.B": torch.randint(-127, 128, (HIDDEN, RANK), dtype=torch.int8),
        f"{name}.B.scale": torch.full((RANK,), scale),
    }
    save_file(tensors, folder / "made-up.safetensors")
    return Adapter(folder / "made-up.safetensors", {})


@pytest.fixture(scope="module")
def plain(chat_model: TransformersChatModel) -> str:
    """What the model says before there is an adapter."""
    return "".join(chat_model.stream(ASKED, max_new_tokens=12))


@pytest.fixture
def loaded(chat_model: TransformersChatModel) -> Iterator[None]:
    """A reader that is made takes the weights that are loaded already: to load them takes seconds."""
    with as_loaded(chat_model):
        yield


@contextmanager
def as_loaded(chat_model: TransformersChatModel) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        both = (chat_model._model, chat_model._tokenizer)
        patch.setattr(transformers_model, "load", lambda *_: both)
        yield


@pytest.fixture(scope="module")
def reader(
    plain: str,
    chat_model: TransformersChatModel,
    small_model_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[TransformersChatReader]:
    adapter = made_up(tmp_path_factory.mktemp("adapter"))
    owner = chat_model._model.get_decoder().layers[LAYER].self_attn
    before = owner.o_proj
    with as_loaded(chat_model):
        model = TransformersChatReader(small_model_folder, name=SMALL_MODEL, adapter=adapter)
    assert owner.o_proj is not before
    yield model
    model.close()
    owner.o_proj = before


def read(reader: TransformersChatReader) -> str:
    return "".join(piece.text for piece in reader.read(ASKED, max_new_tokens=12))


def test_it_is_a_reader_and_a_plain_model_is_none(
    reader: TransformersChatReader, chat_model: TransformersChatModel
) -> None:
    assert isinstance(reader, ChatReader)
    assert not isinstance(chat_model, ChatReader)


def test_the_adapter_counts_while_it_reads_and_not_elsewhere(
    reader: TransformersChatReader, plain: str
) -> None:
    assert "".join(reader.stream(ASKED, max_new_tokens=12)) == plain
    assert read(reader) != plain
    assert "".join(reader.stream(ASKED, max_new_tokens=12)) == plain, "nothing of it is left behind"
    assert reader.choose_each([ASKED], ("Yes", "No"))[0] is not None


def test_reading_after_judging_goes_on_from_the_same_prompt(reader: TransformersChatReader) -> None:
    alone = read(reader)
    silence = reader.silence(ASKED)
    assert silence is not None
    assert read(reader) == alone
    assert reader.silence(ASKED) == pytest.approx(silence, abs=0.1), (
        "the judged prompt was not spoilt"
    )


def test_pieces_tell_how_likely_they_were(reader: TransformersChatReader) -> None:
    pieces = list(reader.read(ASKED, max_new_tokens=6))
    assert pieces
    assert all(piece.log_probability <= 0 for piece in pieces)


def test_of_several_things_it_names_more_messages(
    reader: TransformersChatReader,
) -> None:
    numbered, begun = (
        reader._tokenizer(text, add_special_tokens=False)["input_ids"] for text in ("[1", "[1] tea")
    )
    (further,) = reader._next_number
    logits = reader._model.lm_head.weight.new_zeros(reader._model.config.vocab_size)
    for behind, expected in ((NAMING_MORE - 0.1, further), (NAMING_MORE + 0.1, OTHER)):
        logits[OTHER] = behind
        assert reader._naming_more(logits, numbered) == expected
        assert reader._naming_more(logits, begun) == OTHER, "the answer has begun"


def test_a_stop_ends_it(reader: TransformersChatReader) -> None:
    assert reader.silence(ASKED) is not None, "the whole prompt is cached now"
    assert reader.silence(ASKED, cancelled=lambda: True) is None
    assert list(reader.read(ASKED, max_new_tokens=6, cancelled=lambda: True)) == []


@pytest.mark.usefixtures("loaded")
def test_an_adapter_of_another_model_is_refused(small_model_folder: Path, tmp_path: Path) -> None:
    adapter = made_up(tmp_path, layer=99)
    with pytest.raises(ModelCorrupt, match="another model"):
        TransformersChatReader(small_model_folder, name=SMALL_MODEL, adapter=adapter)


def test_a_model_that_nobody_trained_has_no_adapter() -> None:
    assert adapter_of("some-model-of-tomorrow") is None
