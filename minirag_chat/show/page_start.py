"""Start the page: your messages, the sample corpora, and the work of a first start."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from minirag_chat.corpora import samples_folder
from minirag_chat.errors import MiniRagChatError, StoreError
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models import choose_model, find_card
from minirag_chat.models.catalog import DEFAULT_ON_CPU
from minirag_chat.models.zero_gpu import ask_for_gpu
from minirag_chat.records import Cancelled, ImportReport, Report
from minirag_chat.settings import APP, Settings
from minirag_chat.show.page import launch, tell_address
from minirag_chat.show.page_job import Job
from minirag_chat.show.page_models import install
from minirag_chat.show.page_users import PageUsers, has_users
from minirag_chat.system.passphrase import need_none
from minirag_chat.system.private_folders import make_folder
from minirag_chat.system.threads import one_blas_thread

_STORAGE = Path("/data")
"""Where a Space's persistent storage is, if it has some."""


def start() -> None:
    """Open the page with the settings of the environment; ``app.py`` calls this, also on a Space.

    Others can see a Space, so the page is public there unless the settings say otherwise. If it
    fails, the program ends with one sentence.
    """
    one_blas_thread()
    on_space = "SPACE_ID" in os.environ
    if on_space:
        os.environ.setdefault("MINIRAG_CHAT_PUBLIC", "true")
        _keep_where_it_can()
    try:
        open_page(Settings.make(), open_browser=not on_space)
    except MiniRagChatError as error:
        raise SystemExit(str(error)) from None


def _keep_where_it_can() -> None:
    """Choose where a Space keeps its files: its storage, else its home, else a temporary folder.

    Places that the environment names already are kept.
    """
    home = user_data_path(APP)
    places = (_STORAGE / APP, home, Path(tempfile.gettempdir()) / f"{APP}-space")
    place = next((each for each in places if _can_write(each)), home)
    if place == home and _can_write(user_cache_path(APP)):
        return
    os.environ.setdefault("MINIRAG_CHAT_DB", str(place / "chats.db"))
    os.environ.setdefault("MINIRAG_CHAT_MODEL_DIR", str(place / "models"))
    os.environ.setdefault("HF_HOME", str(place / "hub"))  # a download writes its log there


def _can_write(folder: Path) -> bool:
    if folder.parent == _STORAGE and not _STORAGE.is_dir():
        return False
    try:
        with tempfile.TemporaryFile(dir=make_folder(folder)):
            return True
    except OSError:
        return False


def open_page(
    settings: Settings,
    *,
    host: str | None = None,
    port: int | None = None,
    open_browser: bool = True,
    opened: Callable[[str], None] = tell_address,
) -> None:
    """Open the page over the database of the settings and the sample corpora, until it is stopped.

    The sample is made where there are no messages yet: who has their own need not wait for it. ``opened`` is
    called with the address once the page is up. Raises ``MiniRagChatError``.
    """
    ask_for_gpu()  # before torch is imported
    signed_in = has_users(settings)
    memory = ChatMemory.open(":memory:" if signed_in else None, settings)
    taken = settings.db.name.casefold() == "sample.db"  # Windows and macOS ignore case
    beside = "sample-corpus.db" if taken else "sample.db"
    sample = _open_sample(memory, settings.db.with_name(beside))  # never among the user's messages
    samples = [("Sample", sample)] if _needs_sample(memory, sample) else []
    job = samples_job(memory, samples[0][1] if samples else None, samples_folder())
    launch(
        memory,
        samples,
        job=job,
        users=PageUsers(memory, samples) if signed_in else None,
        host=host,
        port=port,
        open_browser=open_browser,
        opened=opened,
    )


def _needs_sample(memory: ChatMemory, sample: ChatMemory) -> bool:
    """Whether the sample is shown: where there are no own messages to show, or it is there already."""
    own = memory.info().messages and not memory.settings.public
    return not own or bool(sample.info().messages)


def _open_sample(memory: ChatMemory, path: Path) -> ChatMemory:
    """The database of the sample, which is public and so not encrypted.

    In memory, if there is one that does not open or none can be made: the user's messages matter more.
    """
    need_none(path)
    try:
        return memory.beside(path)
    except StoreError:
        return memory.beside(":memory:")


def _has_model(settings: Settings) -> bool:
    return choose_model(settings).kind != "extractive"


def samples_job(memory: ChatMemory, sample: ChatMemory | None, folder: Path) -> Job | None:
    """The job of a first start, not started; None if there is nothing to do.

    Without a ``sample`` none is made. Only a Space downloads a model without being asked: its visitors cannot
    ask for one.
    """
    logs = sorted(folder.glob("*/log")) if sample and not sample.info().messages else []
    settings = memory.settings
    wants_model = "SPACE_ID" in os.environ and settings.model == "auto" and not _has_model(settings)
    if not (logs or wants_model):
        return None

    def work(progress: Report, cancelled: Cancelled) -> tuple[ImportReport, ...]:
        reports = []
        if sample and logs:
            memory.models.embedder()  # before the database is locked, so that the page stays fast
            reports = [sample.add(log, progress=progress, cancelled=cancelled) for log in logs]
        if wants_model:
            install(memory, find_card(DEFAULT_ON_CPU), progress, cancelled)
        return tuple(reports)

    return Job("The sample corpus", work, internal=True)
