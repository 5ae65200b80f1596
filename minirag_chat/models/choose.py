"""Which model reads, and why: what was asked for, else the best installed one that fits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import psutil

from minirag_chat.errors import BadSetting, ModelMissing, ModelTooLarge
from minirag_chat.models.catalog import (
    BEST_ON_CPU,
    BEST_ON_GPU,
    CATALOG,
    DEFAULT_ON_CPU,
    DEFAULT_ON_GPU,
    ModelCard,
    find_card,
)
from minirag_chat.models.convert import origin_of
from minirag_chat.models.embedder import embedder_folder
from minirag_chat.models.protocols import ChatModel
from minirag_chat.settings import Settings

GB = 1024**3
EXTRACTIVE = "extractive reader"


@dataclass(frozen=True, slots=True)
class Machine:
    """What this machine has. Memory in GB; ``vram_gb`` is 0 without a CUDA GPU."""

    cores: int
    memory_gb: float
    available_gb: float
    gpu: str | None
    vram_gb: float

    def describe(self) -> str:
        """One line for a person."""
        gpu = f"{self.gpu} with {self.vram_gb:.0f} GB" if self.gpu else "no CUDA GPU"
        return (
            f"This machine: {self.cores} cores, {self.memory_gb:.0f} GB memory "
            f"({self.available_gb:.0f} GB free), {gpu}."
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """The model that will read, and why it."""

    kind: Literal["transformers", "server", "extractive"]
    name: str
    reason: str
    card: ModelCard | None = None


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A known model on this machine: where it is (None: not here), and whether it would fit."""

    card: ModelCard
    path: Path | None
    fits: bool
    why: str


def machine() -> Machine:
    """Look at this machine. Asks no network."""
    memory = psutil.virtual_memory()
    gpu, vram = _gpu()
    return Machine(
        cores=psutil.cpu_count(logical=True) or 1,
        memory_gb=memory.total / GB,
        available_gb=memory.available / GB,
        gpu=gpu,
        vram_gb=vram,
    )


def model_folder(card: ModelCard, model_dir: Path) -> Path:
    """Where a chat model's 4-bit weights are, or will be."""
    return model_dir / f"{card.name}-nf4"


def list_models(settings: Settings) -> tuple[ModelStatus, ...]:
    """Every known model, and how it stands on this machine."""
    here = machine()
    return tuple(_status(card, settings, here) for card in CATALOG)


def choose_model(settings: Settings, here: Machine | None = None) -> Choice:
    """Say which model will read. Raises ``ModelMissing``, ``ModelTooLarge`` or ``BadSetting``."""
    wanted = settings.model
    if wanted == "extractive":
        return Choice("extractive", EXTRACTIVE, "you asked for it; it quotes and needs no model")
    if wanted == "server" or (wanted == "auto" and settings.server_url):
        if not (settings.server_url and settings.server_model):
            raise BadSetting(
                "A model server needs MINIRAG_CHAT_SERVER_URL (e.g. http://127.0.0.1:11434/v1) "
                "and MINIRAG_CHAT_SERVER_MODEL."
            )
        return Choice("server", settings.server_model, f"on the server {settings.server_url}")
    here = here or machine()
    device = "CUDA" if here.gpu else "CPU"
    if wanted != "auto":
        status = _status(find_card(wanted, "chat"), settings, here)
        _must_work(status)
        name = f"{status.card.name} (4-bit, {device})"
        return Choice("transformers", name, "you asked for it", status.card)
    for name in BEST_ON_GPU if here.gpu else BEST_ON_CPU:
        status = _status(find_card(name), settings, here)
        if status.path and status.fits:
            reason = f"the best installed model for this machine's {device}"
            return Choice("transformers", f"{name} (4-bit, {device})", reason, status.card)
    default = DEFAULT_ON_GPU if here.gpu else DEFAULT_ON_CPU
    reason = f"no language model is installed; get one with `minirag-chat models get {default}`"
    return Choice("extractive", EXTRACTIVE, reason)


def load_chat_model(settings: Settings, choice: Choice) -> ChatModel | None:
    """Load what was chosen; None for the extractive reader. Raises ``ModelError``."""
    if choice.kind == "server":
        from minirag_chat.models.server_model import ServerChatModel

        return ServerChatModel(settings.server_url, settings.server_model, settings.server_key)
    if choice.card is None:
        return None
    from minirag_chat.models.transformers_model import TransformersChatModel

    folder = model_folder(choice.card, settings.model_dir)
    return TransformersChatModel(folder, name=choice.card.name)


def _status(card: ModelCard, settings: Settings, here: Machine) -> ModelStatus:
    if card.kind == "embedder":
        path = embedder_folder(card, settings.model_dir)
    else:
        folder = model_folder(card, settings.model_dir)
        path = folder if origin_of(folder) is not None else None
    needs, has = (card.vram_gb, here.vram_gb) if here.gpu else (card.memory_gb, here.memory_gb)
    why = "" if needs <= has else f"needs {needs:.1f} GB, there are {has:.1f} GB"
    return ModelStatus(card, path, not why, why)


def _must_work(status: ModelStatus) -> None:
    if status.path is None:
        raise ModelMissing(
            f"The model {status.card.name} is not on this machine: "
            f"get it with `minirag-chat models get {status.card.name}`."
        )
    if not status.fits:
        raise ModelTooLarge(
            f"The model {status.card.name} {status.why}: choose a smaller one, "
            "`minirag-chat models` lists what fits."
        )


@cache
def _gpu() -> tuple[str | None, float]:
    """The first CUDA GPU by the driver's own library, so that looking does not load torch."""
    import shutil
    import subprocess

    tool = shutil.which("nvidia-smi")
    if tool is None or version("torch").endswith("+cpu"):  # a CPU build cannot use a GPU
        return None, 0.0
    command = [tool, "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"]
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)  # noqa: S603 - a fixed command
        name, memory = output.stdout.splitlines()[0].rsplit(",", 1)
        return name.strip(), float(memory) / 1024
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None, 0.0
