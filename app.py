"""Start the page: your messages (MINIRAG_CHAT_DB) and the sample corpora. Also a Space's entry."""

import os
from pathlib import Path

from minirag_chat.engine import ChatMemory
from minirag_chat.settings import Settings
from minirag_chat.show.page import launch
from minirag_chat.show.page_samples import samples_job

if "SPACE_ID" in os.environ:  # others look on: MINIRAG_CHAT_PUBLIC=false is for a Space of your own
    os.environ.setdefault("MINIRAG_CHAT_PUBLIC", "true")

if __name__ == "__main__":
    settings = Settings.make()
    memory = ChatMemory.open(settings.db)
    sample = memory.beside(settings.db.with_name("sample.db"))  # never among yours
    job = samples_job(memory, sample, Path(__file__).parent / "corpora")
    launch(memory, [("Sample", sample)], job=job, open_browser="SPACE_ID" not in os.environ)
