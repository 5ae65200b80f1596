"""A memory of three small chats, and the questions that are put to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fakes import ScriptedModel, WordEmbedder

from minirag_chat import Answer, ChatMemory, Settings

CHATS = {
    "Cabin Crew": """\
03/05/2024, 10:00 - Dana Fox: we have the cabin from friday
03/05/2024, 10:02 - Ollie: great
03/05/2024, 10:03 - Tom Reed: I bring the soup
04/05/2024, 10:03 - Dana Fox: and I bring bread
15/06/2025, 14:03 - Ollie: see you there
16/06/2025, 14:03 - Dana Fox: bye
""",
    "Dana Fox": """\
13/07/2024, 10:00 - Dana Fox: did you find the key
13/07/2024, 10:02 - Tom Reed: yes
13/07/2025, 10:02 - Tom Reed: are you home
""",
    "Ollie": """\
13/02/2024, 10:00 - Ollie: hello
13/02/2024, 10:02 - Tom Reed: hi
""",
}


def opened(
    folder: Path,
    model: ScriptedModel | None = None,
    *,
    chats: Mapping[str, str] = CHATS,
    me: str = "Tom Reed",
) -> ChatMemory:
    """A memory of the three chats, or of others by their titles, asked by ``me``."""
    exports = [folder / f"WhatsApp Chat with {title}.txt" for title in chats]
    for export, text in zip(exports, chats.values(), strict=True):
        export.write_text(text, encoding="utf-8")
    return memory_of(folder, me, *exports, model=model)


def memory_of(
    folder: Path, me: str, *exports: Path, model: ScriptedModel | None = None
) -> ChatMemory:
    """A memory of these exports, asked by ``me``."""
    settings = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    memory = ChatMemory.open(settings.db, settings, embedder=WordEmbedder(), chat_model=model)
    for export in exports:
        memory.add(export)
    memory.set_me(me)
    return memory


def asked(memory: ChatMemory, question: str) -> Answer:
    return memory.ask(question, history=())


def is_overview(answer: Answer) -> bool:
    """Whether an answer sums up: its path leads through topics."""
    return any(node.type == "topic" for node in answer.path.nodes)
