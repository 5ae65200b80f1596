"""``%chat_open`` and ``%%ask``: asking without writing Python.

The answer is streamed into the cell, then shown complete; it is the cell's result, so ``_`` has
it. Interrupting the cell stops the model.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from types import SimpleNamespace
from typing import NoReturn

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import Markdown, clear_output, display
from IPython.terminal.interactiveshell import TerminalInteractiveShell

from minirag_chat.errors import MiniRagChatError
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.memory.protocol import Memory
from minirag_chat.records import Answer
from minirag_chat.retrieve import METHODS
from minirag_chat.settings import Settings
from minirag_chat.show.safe_text import in_markdown, plain
from minirag_chat.ui_text import one_with_you


class _Parser(argparse.ArgumentParser):
    """Reports errors as a usage error of the magic, and never exits the kernel."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. {self.format_usage().strip()}")


def _open_parser() -> _Parser:
    parser = _Parser(prog="%chat_open", add_help=False)
    parser.add_argument("path", nargs="?", help="the database; if omitted, the default one")
    parser.add_argument(
        "--server", action="store_true", help="through the Jupyter server, which notebooks share"
    )
    return parser


def _ask_parser() -> _Parser:
    parser = _Parser(prog="%%ask", add_help=False)
    parser.add_argument("--people", "-p", action="append", help="only messages by them")
    parser.add_argument("--chats", "-c", action="append", help="only these chats")
    parser.add_argument("--since", help="from this day on")
    parser.add_argument("--until", help="up to this day, inclusive")
    parser.add_argument("--method", choices=list(METHODS))
    return parser


@magics_class
class ChatMagics(Magics):
    """The magics; they ask ``memory``."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.memory: Memory | None = None

    @line_magic
    def chat_open(self, line: str) -> Memory:
        """``%chat_open [--server] [chats.db]``: choose what the next ``%%ask`` asks."""
        options = _parsed(_open_parser(), _as_posix(line))
        if not options.server:
            _refuse_missing(options.path)
        open_it = ChatMemory.connect if options.server else ChatMemory.open
        with _in_a_sentence():
            opened = open_it(options.path)
            if options.server:
                opened.info()  # a server says only now that there is no such database
        if self.memory is not None:
            self.memory.close()
        self.memory = opened
        return opened

    @line_magic
    def chat_me(self, line: str) -> None:
        """``%chat_me [NAME]``: say who you are, so that "I" and "my" mean you; without, show it."""
        if self.memory is None:
            raise UsageError("Open your messages first: %chat_open chats.db")
        with _in_a_sentence():
            name = line.strip().strip("\"'")
            me = self.memory.set_me(name) if name else self.memory.me
            likely = [] if me else [p.shown_name for p in self.memory.likely_me()]
        if me is not None:
            said = f"You are {me.shown_name}. {one_with_you(me)}".rstrip()
        else:
            names = f" ({', '.join(likely)})" if likely else ""
            said = f"Who you are is not set: %chat_me NAME{names}"
        shown = {"text/plain": plain(said), "text/markdown": in_markdown(said)}
        display(shown, raw=True)  # a terminal shows the first

    @cell_magic
    def ask(self, line: str, cell: str) -> Answer:
        """``%%ask [--people NAME] [--chats NAME] [--since DAY] [--until DAY] [--method NAME]``.

        The question is the cell. There is no line magic: IPython takes a line that ends in a
        question mark for a call for help.
        """
        options = vars(_parsed(_ask_parser(), line))
        try:
            with _in_a_sentence():
                return self._streamed(cell.strip(), options)
        except KeyboardInterrupt:  # its traceback through the network layers helps nobody
            raise KeyboardInterrupt("The question was stopped.") from None

    def _streamed(self, question: str, options: dict[str, object]) -> Answer:
        if self.memory is None:
            raise UsageError("Open your messages first: %chat_open chats.db")
        text, answer = "", None
        in_terminal = isinstance(self.shell, TerminalInteractiveShell)  # where nothing is replaced
        handle = None if in_terminal else display(Markdown("\u2026"), display_id=True)
        stream = self.memory.stream(question, **options)  # type: ignore[arg-type]  # typed by the parser
        try:
            with closing(stream):  # however the cell ends, the model is stopped
                for piece in stream:
                    if isinstance(piece, Answer):
                        answer = piece
                    else:
                        text += piece
                        if handle is not None:
                            handle.update(Markdown(in_markdown(text)))
        except MiniRagChatError:
            if handle is not None and not text:
                clear_output()  # of the dots
            raise
        if answer is None:
            raise UsageError("The question was stopped before it was answered.")
        if handle is not None:
            clear_output(wait=True)  # replaced by the answer, the cell's result
        return answer

    def complete(self, _: object, event: SimpleNamespace) -> list[str]:
        """What may follow: people after ``--people``, chats after ``--chats``, else options."""
        before = event.text_until_cursor[: -len(event.symbol) or None]
        words = before.replace("'", " ").replace('"', " ").split()
        last = words[-1] if words else ""
        open_quote = before[-1:] in ('"', "'")
        if last in ("--people", "-p"):
            return _quoted(self._people(), open_quote=open_quote)
        if last in ("--chats", "-c"):
            return _quoted(self._chats(), open_quote=open_quote)
        if last == "--method":
            return list(METHODS)
        if last in ("--since", "--until"):
            return []
        return ["--people", "--chats", "--since", "--until", "--method"]

    def _people(self) -> list[str]:
        return [] if self.memory is None else [p.shown_name for p in self.memory.people()]

    def _chats(self) -> list[str]:
        return [] if self.memory is None else [chat.title for chat in self.memory.chats()]


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Show our errors as one sentence instead of a traceback."""
    try:
        yield
    except MiniRagChatError as error:
        raise UsageError(str(error)) from error


def load(shell: InteractiveShell) -> None:
    """Register the magics and their completion; those that are there stay, with their open memory."""
    if isinstance(shell.magics_manager.registry.get(ChatMagics.__name__), ChatMagics):
        return
    magics = ChatMagics(shell)
    shell.register_magics(magics)
    shell.set_hook("complete_command", magics.complete, str_key="%%ask")


def _refuse_missing(path: str | None) -> None:
    """A name that is misspelt makes no new, empty database."""
    with _in_a_sentence():
        chosen = Settings.make(**({} if path is None else {"db": path}))
    if not (chosen.postgres or chosen.db.exists()):
        raise UsageError(
            f"There is no database at {chosen.db}: check the name, or make it with "
            f"ChatMemory.open({str(chosen.db)!r}).add(PATH)."
        )


def _as_posix(line: str) -> str:
    """A line of paths as they are written on this system: on Windows a backslash divides folders."""
    return line.replace("\\", "/") if os.name == "nt" else line


def _parsed(parser: _Parser, line: str) -> argparse.Namespace:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"The line cannot be read ({error}): close every quote.") from error
    options, left = parser.parse_known_args(words)
    if left and left[0].startswith("-"):
        parser.error(f"There is no option {left[0]}")
    if left:
        parser.error(f"{left[0]!r} stands alone: write what has several words in quotes")
    return options


def _quoted(names: Sequence[str], *, open_quote: bool) -> list[str]:
    """Names escaped for the line: spaces with a backslash, unless a quote is open."""
    return [name if open_quote else re.sub(r"([^\w.\-])", r"\\\1", name) for name in names]
