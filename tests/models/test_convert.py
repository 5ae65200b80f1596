"""Real quantisation of a network made for the test: two layers, random weights, real tokenizer."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from needed import needed

from minirag_chat.errors import ModelCorrupt
from minirag_chat.models import convert as step
from minirag_chat.models.catalog import find_card
from minirag_chat.models.convert import convert, main, origin_of
from minirag_chat.models.embedder import embedder_folder
from minirag_chat.models.transformers_model import TransformersChatModel
from minirag_chat.records import Turn

torch, transformers = needed("torch"), needed("transformers")

TEMPLATE = "{% for m in messages %}{{ m['content'] }} {% endfor %}"


def network(*, tied: bool) -> transformers.Qwen2ForCausalLM:
    torch.manual_seed(5)
    config = transformers.Qwen2Config(
        vocab_size=30522,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        tie_word_embeddings=tied,
        eos_token_id=102,
        bos_token_id=101,
    )
    return transformers.Qwen2ForCausalLM(config).to(torch.bfloat16)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the hub gives it."""
    folder = tmp_path_factory.mktemp("weights")
    network(tied=True).save_pretrained(folder)
    minilm = embedder_folder(find_card("all-MiniLM-L6-v2"), folder)
    assert minilm is not None
    tokenizer = transformers.AutoTokenizer.from_pretrained(minilm)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def converted(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return convert(weights, tmp_path_factory.mktemp("models") / "tiny-nf4", origin="o/r")


@pytest.mark.slow
def test_the_folder_is_complete_and_nothing_else_is_left(converted: Path) -> None:
    assert origin_of(converted) == "o/r"
    assert [path.name for path in converted.parent.iterdir()] == ["tiny-nf4"]


@pytest.mark.slow
def test_what_is_loaded_computes_what_was_quantised(weights: Path, converted: Path) -> None:
    config = transformers.BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
    before = transformers.AutoModelForCausalLM.from_pretrained(weights, quantization_config=config)
    after = transformers.AutoModelForCausalLM.from_pretrained(converted)
    tokens = torch.arange(1000, 1040).view(1, -1)
    with torch.inference_mode():
        assert torch.equal(before(tokens).logits, after(tokens).logits)


@pytest.mark.slow
def test_it_answers_as_a_chat_model(converted: Path) -> None:
    model = TransformersChatModel(converted, name="tiny")
    turns = [Turn("user", "hello there " * 30)]
    assert "".join(model.stream(turns, max_new_tokens=5))
    assert model.choose_each([turns], ("Yes", "No"))[0] is not None
    model.close()


@pytest.mark.slow
def test_an_older_model_is_replaced(weights: Path, converted: Path, tmp_path: Path) -> None:
    dest = tmp_path / "tiny-nf4"
    dest.mkdir()
    (dest / "model.safetensors").write_bytes(b"old")
    convert(weights, dest, origin="new")
    assert origin_of(dest) == "new"
    assert (dest / "model.safetensors").stat().st_size > 3


@pytest.mark.parametrize("name", ["weights.gguf", "folder"])
def test_weights_that_cannot_be_read_are_one_sentence_and_leave_nothing(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / name
    if name == "folder":
        source.mkdir()
    else:
        source.write_bytes(b"GGUF or not")
    assert main([str(source), str(tmp_path / "made" / "x-nf4"), "o", str(tmp_path)]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("ModelCorrupt: The weights in")
    assert list((tmp_path / "made").iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"made", name}


def test_a_full_disk_is_said_to_be_one() -> None:
    full = step._readable(OSError(errno.ENOSPC, "No space left on device"), Path("x"))
    assert not isinstance(full, ModelCorrupt)
    assert "disk is full" in str(full)


def test_one_embedding_that_was_quantised_twice_becomes_one() -> None:
    model = network(tied=False)
    output = model.get_output_embeddings().weight
    noise = torch.randn_like(output) * 0.05 * output.std()
    model.get_input_embeddings().weight.data = output.data + noise
    step._tie_embeddings(model)
    assert model.get_input_embeddings().weight is model.get_output_embeddings().weight
    assert model.config.tie_word_embeddings


def test_two_different_embeddings_stay_two() -> None:
    model = network(tied=False)
    step._tie_embeddings(model)
    assert model.get_input_embeddings().weight is not model.get_output_embeddings().weight


@pytest.mark.parametrize("text", ["", "[]", '{"format": 0, "origin": "x"}', "{"])
def test_a_marker_of_another_kind_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / step.MARKER).write_text(text)
    assert origin_of(tmp_path) is None
