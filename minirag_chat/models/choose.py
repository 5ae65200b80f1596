"""Which model reads, and why: the one that was asked for, else the best installed one that fits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from minirag_chat.errors import BadSetting, ModelMissing, ModelTooLarge
from minirag_chat.models.adapter import adapter_of
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
from minirag_chat.models.memory_use import GB, Place, gpu, needed_gb
from minirag_chat.models.permission import Permission, permitted
from minirag_chat.models.protocols import ChatModel
from minirag_chat.models.zero_gpu import by_zero_gpu
from minirag_chat.settings import Settings

EXTRACTIVE = "extractive reader"


@dataclass(frozen=True, slots=True)
class Machine:
    """What this machine has. Memory in GB; that of the GPU is 0 without a CUDA GPU."""

    cores: int
    memory_gb: float
    available_gb: float
    gpu: str | None
    vram_gb: float
    vram_free_gb: float = 0.0

    @property
    def place(self) -> Place:
        """The device on which a model runs."""
        return "cuda" if self.gpu else "cpu"

    @property
    def room_gb(self) -> tuple[float, float]:
        """The memory for a model: the total, and what is free now."""
        if self.gpu:
            return self.vram_gb, self.vram_free_gb
        return self.memory_gb, self.available_gb

    def describe(self) -> str:
        """One line for a person."""
        gpu = f"{self.gpu} with {self.vram_gb:.0f} GB" if self.gpu else "no CUDA GPU"
        return (
            f"This machine: {self.cores} cores, {self.memory_gb:.0f} GB memory "
            f"({self.available_gb:.0f} GB free), {gpu}."
        )


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model that will read, and why this one.

    For a server, ``url`` is its address; ``permission`` is what allows messages to be sent there, if the
    server is not named in the settings.
    """

    kind: Literal["transformers", "server", "extractive"]
    name: str
    reason: str
    card: ModelCard | None = None
    url: str = ""
    permission: Permission | None = None


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A known model on this machine: where it is (None: not installed), and whether it would fit.

    ``needs_gb`` is memory of the GPU if there is one, else of the CPU. ``trained``: the package has an
    adapter that makes the model a reader of chats.
    """

    card: ModelCard
    path: Path | None
    fits: bool
    why: str
    needs_gb: float
    trained: bool = False


def machine() -> Machine:
    """Inspect this machine. Uses no network."""
    memory = psutil.virtual_memory()
    card = gpu()
    return Machine(
        cores=psutil.cpu_count(logical=True) or 1,
        memory_gb=memory.total / GB,
        available_gb=memory.available / GB,
        gpu=card.name if card else None,
        vram_gb=card.memory_gb if card else 0.0,
        vram_free_gb=card.free_gb if card else 0.0,
    )


def model_folder(card: ModelCard, model_dir: Path) -> Path:
    """Where a chat model's 4-bit weights are, or will be."""
    return model_dir / f"{card.name}-nf4"


def list_models(settings: Settings) -> tuple[ModelStatus, ...]:
    """Every known model, and its status on this machine."""
    here = machine()
    return tuple(_status(card, settings, here) for card in CATALOG)


def choose_model(settings: Settings, here: Machine | None = None) -> ChosenModel:
    """Say which model will read. Raises ``ModelMissing``, ``ModelTooLarge`` or ``BadSetting``."""
    wanted = settings.model
    if wanted == "extractive":
        return ChosenModel(
            "extractive", EXTRACTIVE, "you asked for it; it quotes and needs no model"
        )
    if wanted in ("server", "auto") and (server := _server(settings)) is not None:
        return server
    here = here or machine()
    if wanted == "auto":
        return _best(settings, here)
    status = _status(find_card(wanted, "chat"), settings, here)
    _must_work(status)
    return _local(status, here, "you asked for it")


def _server(settings: Settings) -> ChosenModel | None:
    """The server in the settings, else the one that was permitted; None for ``auto`` if there is neither."""
    named, permission = settings.server_url, permitted(settings)
    if not named and permission is not None:
        reason = f"on the server {permission.url} of this machine, which you allowed"
        return ChosenModel(
            "server", permission.model, reason, url=permission.url, permission=permission
        )
    if not (named and settings.server_model) and (named or settings.model == "server"):
        raise BadSetting(
            "A model server needs MINIRAG_CHAT_SERVER_URL (e.g. http://127.0.0.1:11434/v1) and "
            "MINIRAG_CHAT_SERVER_MODEL; or allow one on this machine: `minirag-chat models use NAME`."
        )
    return (
        ChosenModel("server", settings.server_model, f"on the server {named}", url=named)
        if named
        else None
    )


def _best(settings: Settings, here: Machine) -> ChosenModel:
    """The best installed model that fits in free memory; the reason names the better ones that do not."""
    free = here.room_gb[1]
    ranked = [find_card(name) for name in (BEST_ON_GPU if here.gpu else BEST_ON_CPU)]
    installed = [s for s in (_status(card, settings, here) for card in ranked) if s.path]
    without_room: list[str] = []
    for status in installed:
        if status.needs_gb <= free:
            reason = f"the best installed model for this machine's {here.place.upper()}"
            more = f" that has room: {', '.join(without_room)}" if without_room else ""
            return _local(status, here, reason + more)
        without_room.append(
            f"{status.card.name} needs {status.needs_gb:.1f} GB and {free:.1f} GB are free"
        )
    default = DEFAULT_ON_GPU if here.gpu else DEFAULT_ON_CPU
    reason = f"no language model is installed; get one with `minirag-chat models get {default}`"
    if without_room:
        reason = f"no installed model has room, close other programs: {', '.join(without_room)}"
    return ChosenModel("extractive", EXTRACTIVE, reason)


def _local(status: ModelStatus, here: Machine, reason: str) -> ChosenModel:
    name = f"{status.card.name} (4-bit, {here.place.upper()})"
    return ChosenModel("transformers", name, reason, status.card)


def load_chat_model(settings: Settings, choice: ChosenModel) -> ChatModel | None:
    """Load the chosen model; None for the extractive reader. Raises ``ModelError``."""
    if choice.kind == "server":
        from minirag_chat.models.server_model import ServerChatModel

        key = "" if choice.permission else settings.server_key  # it is another server's
        return ServerChatModel(choice.url, choice.name, key)
    if choice.card is None:
        return None
    folder = model_folder(choice.card, settings.model_dir)
    return by_zero_gpu(reader_in(folder, choice.card.name), folder, choice.card.name)


def reader_in(folder: Path, name: str) -> ChatModel:
    """Load the model in ``folder``, with its adapter if it has one. Raises ``ModelError``."""
    from minirag_chat.models.chat_reader import TransformersChatReader
    from minirag_chat.models.transformers_model import TransformersChatModel

    adapter = adapter_of(name)
    if adapter is None:
        return TransformersChatModel(folder, name=name)
    return TransformersChatReader(folder, name=name, adapter=adapter)


def _status(card: ModelCard, settings: Settings, here: Machine) -> ModelStatus:
    needs = card.vram_gb if here.gpu else card.memory_gb
    if card.kind == "embedder":
        path = embedder_folder(card, settings.model_dir)
    else:
        folder = model_folder(card, settings.model_dir)
        path = folder if origin_of(folder) is not None else None
        needs = needed_gb(folder, here.place) or needs
    has = here.room_gb[0]
    why = "" if needs <= has else f"needs {needs:.1f} GB, there are {has:.1f} GB"
    return ModelStatus(card, path, not why, why, needs, adapter_of(card.name) is not None)


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
