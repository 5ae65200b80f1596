"""Three users of one database, and words that only some of them may ever see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from fakes import WordEmbedder
from places import write_log
from test_slm import ReadingModel

from minirag_chat import ChatMemory, Settings
from minirag_chat.records import Arrival
from minirag_chat.store.postgres.users import Users

PASSWORD = "correct horse battery"  # noqa: S105 - of nobody
COMMON = "TomHill"  # writes in every chat


@dataclass(frozen=True)
class Planted:
    """A chat: whose it is, who may read it, and its words, which no other chat has.

    ``key`` is asked for; the ``secrets`` stand beside it, and nobody ever asks for them.
    """

    owner: str
    readers: frozenset[str]
    key: str
    secrets: tuple[str, ...]

    @property
    def writer(self) -> str:
        """Who writes in it beside ``COMMON``."""
        return f"Eva{self.secrets[0].title()}"


CHATS = (
    Planted("ann", frozenset({"ann"}), "zorba", ("quibble", "mandrix", "polvett", "gandoly")),
    Planted("ann", frozenset({"ann", "ben"}), "tamark", ("wessling", "brendop", "crovane", "hulmist")),
    Planted("ben", frozenset({"ben"}), "flindo", ("skarpel", "dromuck", "venquist", "joltane")),
    Planted("ben", frozenset({"ben", "ann", "cat"}), "gribold", ("yestram", "pumlock", "oxwether", "ruffand")),
    Planted("cat", frozenset({"cat"}), "bulwick", ("ninthar", "kesprow", "azimond", "lorquat")),
)  # fmt: skip
USERS = ("ann", "ben", "cat")


def said(chat: Planted) -> dict[str, tuple[str, ...]]:
    """Two conversations with everything that this program looks at in a text."""
    _name, place, thing, last = chat.secrets
    told = chat.key.title()
    return {
        f"202601{day}_1000": (
            f"{chat.writer}: The {told} {place} is in the cellar of {place.title()} Street Bakery.",
            f"{COMMON}: Is the {told} {thing} expensive? Who has the \u201c{thing} {last}\u201d?",
            f"{chat.writer}: {day} euros, Mr {last.title()} {told} comes on Thursday.",
            f"{COMMON}: See https://{last}.example/{thing} before March, {chat.writer}.",
        )
        for day in (10, 21)
    }


def forbidden(user: str) -> re.Pattern[str]:
    """The words of chats that a user may not see, as they stand in text."""
    words = [w for chat in CHATS if user not in chat.readers for w in chat.secrets]
    return re.compile("|".join(words), re.IGNORECASE)


def keys(user: str) -> tuple[list[str], list[str]]:
    """The words that may be asked for: of chats that the user sees, and of others."""
    own = [chat.key for chat in CHATS if user in chat.readers]
    return own, [chat.key for chat in CHATS if chat.key not in own]


def opened(address: str, user: str, folder: Path) -> ChatMemory:
    """The memory of a user."""
    settings = Settings.make(
        db=address, user=user, model="extractive", model_dir=folder / "models", abstain_below=0
    )
    return ChatMemory.open(None, settings, embedder=WordEmbedder(), chat_model=ReadingModel())


def filled(address: str, folder: Path, stack: ExitStack) -> dict[str, ChatMemory]:
    """Each user's memory: imported, shared, read by a model, summed up, in part deleted and rated."""
    with Users.open(address) as users:
        for user in USERS:
            users.add(user, PASSWORD)
    memories = {user: stack.enter_context(opened(address, user, folder)) for user in USERS}
    for chat in CHATS:
        memories[chat.owner].add(write_log(folder / chat.key, said(chat)))
    for chat in CHATS:
        for reader in chat.readers - {chat.owner}:
            memories[chat.owner].share(number_of(chat, memories[chat.owner]), reader)
    for user, memory in memories.items():
        _work(memory, [chat for chat in CHATS if chat.owner == user])
    return memories


def number_of(chat: Planted, memory: ChatMemory) -> int:
    """The number of a chat, for its owner."""
    found = memory.search(f"{chat.secrets[1]} cellar", 1)
    return found[0].message.chat_id


def _work(memory: ChatMemory, own: Sequence[Planted]) -> None:
    """Leave something in every table."""
    first = own[0]
    if first is CHATS[0]:  # the others see nothing of it
        memory.index_slm()
        memory.build("raptor")
    memory.build("graphrag-global")
    memory.merge_people(COMMON, first.writer)  # a name of one chat for somebody of all chats
    memory.set_me(first.writer)
    found = memory.search(first.key)
    memory.rate(memory.ask(f"Where is the {first.key}?", history=()), liked=True)
    memory.delete(messages=[found[-1].message.id])
    with memory._store.transaction():
        arrival = Arrival(datetime(2026, 1, 1), "imported", f"{first.secrets[1]}.txt")
        memory._store.arrivals.add(Path("/somewhere") / first.secrets[2], b"1", arrival)
