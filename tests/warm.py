"""What the first question of a process makes and keeps: patterns of times and of questions, dateparser's own.

It takes two seconds. The processes of ``commands`` fork from one that has imported this. What is imported by
then is not garbage: a process that looked through it would get a copy of all its memory.
"""

from __future__ import annotations

import gc
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from fakes import WordEmbedder
from places import SMALL, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.times.in_messages import message_times

TEXTS = ("See you on Friday at nine, 3 May 2026.", "Am Freitag um 3", "Am Freitag", "周五见")
QUESTIONS = ("Who tunes the piano, and when does he come?", "How many messages did Tom Hill write?")


def _warm() -> None:
    for text in TEXTS:
        list(message_times(text, datetime(2026, 1, 5, 10, 0)))
    with TemporaryDirectory() as folder:
        settings = Settings(db=Path(folder, "chats.db"), model="extractive", model_dir=folder)
        with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
            memory.add(write_log(Path(folder, "log"), SMALL))
            for question in QUESTIONS:
                memory.ask(question)
    gc.collect()
    gc.freeze()


_warm()
