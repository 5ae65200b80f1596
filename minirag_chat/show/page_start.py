"""Start the page: your messages, the sample corpora, and what a first start has to do."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable
from pathlib import Path

from minirag_chat.corpora import samples_folder
from minirag_chat.engine import ChatMemory
from minirag_chat.errors import MiniRagChatError
from minirag_chat.models import choose_model, find_card, get_model
from minirag_chat.models.catalog import DEFAULT_ON_CPU
from minirag_chat.records import ImportReport, Progress
from minirag_chat.settings import Settings
from minirag_chat.show.page import launch, tell_address
from minirag_chat.show.page_job import Job


def start() -> None:
    """Open the page as the environment's settings say; what ``app.py`` does, also as a Space.

    On a Space others look on, so the page is public there unless the settings say otherwise. Ends
    with one sentence where it cannot.
    """
    on_space = "SPACE_ID" in os.environ
    if on_space:
        os.environ.setdefault("MINIRAG_CHAT_PUBLIC", "true")
    try:
        open_page(Settings.make(), open_browser=not on_space)
    except MiniRagChatError as error:
        raise SystemExit(str(error)) from None


def open_page(
    settings: Settings,
    *,
    host: str | None = None,
    port: int | None = None,
    open_browser: bool = True,
    opened: Callable[[str], None] = tell_address,
) -> None:
    """Open the page over the database of the settings and the sample corpora, until it is stopped.

    ``opened`` is given the address once the page is there. Raises ``MiniRagChatError``.
    """
    _mark_for_zero_gpu()
    memory = ChatMemory.open(settings.db, settings)
    beside = "sample.db" if settings.db.name != "sample.db" else "sample-corpus.db"
    sample = memory.beside(settings.db.with_name(beside))  # never among yours
    job = samples_job(memory, sample, samples_folder())
    launch(
        memory,
        [("Sample", sample)],
        job=job,
        host=host,
        port=port,
        open_browser=open_browser,
        opened=opened,
    )


def _mark_for_zero_gpu() -> None:
    """Where a Space has ZeroGPU, it ends a program in which no function asks for its GPU.

    A question streams, is stopped from other threads and shares one database, which a function that
    ZeroGPU runs in a process of its own cannot do: so we read on the CPU, and this one asks.
    """
    if importlib.util.find_spec("spaces"):
        importlib.import_module("spaces").GPU(_nothing)


def _nothing() -> None:
    """What the GPU is asked for."""


def samples_job(memory: ChatMemory, sample: ChatMemory, folder: Path) -> Job | None:
    """The work of a first start, not begun; None where there is none.

    Only a Space gets a model without being asked: nobody who looks at it could ask.
    """
    logs = sorted(folder.glob("*/log")) if not sample.info().messages else []
    wants_model = "SPACE_ID" in os.environ and choose_model(memory.settings).kind == "extractive"
    if not (logs or wants_model):
        return None

    def work(
        progress: Callable[[Progress], None], cancelled: Callable[[], bool]
    ) -> tuple[ImportReport, ...]:
        if logs:
            memory.models.embedder()  # before the messages are locked, so that the page stays quick
        reports = [sample.add(log, progress=progress, cancelled=cancelled) for log in logs]
        if wants_model:
            card = find_card(DEFAULT_ON_CPU)
            get_model(card, memory.settings.model_dir, progress, cancelled=cancelled)
            memory.use_model("auto")
            memory.warm_up()
        return tuple(reports)

    return Job("The sample corpus", work, ours=True)
