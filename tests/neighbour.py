"""Another process on the same database: does what it is told on standard input, and says when."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from commands import Forked

CODE = """
import sys
sys.path.insert(0, {tests!r})
from fakes import ScriptedModel, WordEmbedder
from minirag_chat import ChatMemory, Settings
from minirag_chat.memory.asking import Asking
memory = ChatMemory.open({db!r}, Settings(model="extractive"), embedder=WordEmbedder(), chat_model=ScriptedModel())
print("ready", flush=True)
for line in sys.stdin:
    try:
        print(repr(eval(line)), flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)
"""


class Neighbour:
    """A process with ``memory`` open. It is given expressions, and gives what they are."""

    def __init__(self, db: Path) -> None:
        code = CODE.format(tests=str(Path(__file__).parent), db=str(db))
        self.process = Forked(code)
        assert self.heard() == "ready"

    def does(self, expression: str) -> str:
        """Let it do something, and wait for what comes of it."""
        self.begins(expression)
        return self.heard()

    def begins(self, expression: str) -> None:
        """Let it begin something."""
        self.process.stdin.write(expression + "\n")

    def heard(self) -> str:
        """Its next line."""
        return self.process.stdout.readline().rstrip("\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _: TracebackType | None,
    ) -> None:
        self.process.kill()
