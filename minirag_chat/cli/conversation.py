"""A conversation in the terminal: one question after another, with the model kept in memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress

from minirag_chat.cli.answers import print_answer, print_conversation, streamed
from minirag_chat.cli.output import ERR, OUT, here, on_command_line, say
from minirag_chat.errors import BadSetting, MiniRagChatError
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Source

AROUND = 5  # messages before and after the one that is shown
PROMPT = "> "
WELCOME = "Ask your messages, and ask further. /help shows what else can be typed; Ctrl-D ends."
NO_QUESTION = "There is no question: write it behind `ask`, or one a line on standard input."
HELP = """\
/show 1   show message [1] of the last answer in its conversation
/new      begin a new conversation: the next question refers to no earlier one
/quit     end, like Ctrl-D; Ctrl-C stops an answer"""


def converse(opened: ChatMemory, options: Mapping[str, object]) -> None:
    """Answer each line until the end of input; ``options`` are the filters of every question.

    Raises ``BadSetting`` if nothing can be typed and nothing comes in a pipe.
    """
    if sys.stdin is None:  # the shell closed it
        raise BadSetting(NO_QUESTION)
    if sys.stdin.isatty():
        say(WELCOME, style="dim")
    with ERR.status("Loading the models \u2026"):
        opened.warm_up()
    shown: tuple[Source, ...] = ()
    line = None
    for line in _lines():
        try:
            if line.startswith("/"):
                if line == "/quit":
                    return
                _carry_out(opened, line, shown)
            elif line:
                answer, said = streamed(opened, line, quiet=False, **options)
                print_answer(answer, said)
                shown = answer.shown
        except MiniRagChatError as error:
            say(here(on_command_line(str(error))), to=ERR)
    if line is None and not sys.stdin.isatty():
        raise BadSetting(NO_QUESTION)


def _carry_out(opened: ChatMemory, line: str, shown: tuple[Source, ...]) -> None:
    """Do what a line with a slash asks for."""
    command, _, number = line.partition(" ")
    numbered = {str(source.number): source.message_id for source in shown}
    if command == "/new":
        opened.forget_conversation()
        say("A new conversation.", style="dim")
    elif command == "/show" and (chosen := numbered.get(number.strip(" []"))):
        print_conversation(opened.conversation(chosen, AROUND), chosen)
    elif command == "/show":
        numbers = ", ".join(numbered) or "none"
        say(f"/show takes the number of a message of the last answer; it has {numbers}.", to=ERR)
    else:
        say(HELP, to=OUT if command == "/help" else ERR)


def _lines() -> Iterator[str]:
    """What is typed, or the lines of a pipe or file, which are printed as if they were typed."""
    if not sys.stdin.isatty():
        for line in map(str.strip, sys.stdin):
            if line:
                say(f"{PROMPT}{line}", style="bold")
            yield line
        return
    with suppress(ImportError):  # Windows edits lines itself
        import readline  # noqa: F401 - input() then edits lines and recalls earlier ones; nothing is saved
    while True:
        try:
            yield input(PROMPT).strip()
        except EOFError:
            OUT.print()
            return
        except KeyboardInterrupt:
            say("\nCtrl-D ends.", style="dim")
