"""Output to a terminal and as JSON. Message text is hostile: it must control neither."""

from __future__ import annotations

import errno
import json
import os
import shlex
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any

from pydantic_core import to_jsonable_python
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from minirag_chat.lazy_patterns import lazy
from minirag_chat.records import Progress, Report
from minirag_chat.settings import is_address

OUT = Console(highlight=False)
ERR = Console(stderr=True, highlight=False)
_KEPT_CONTROLS = "\n\t"
_GIVEN: dict[str, str | None] = {}
_COMMAND = lazy(r"`minirag-chat (?=[a-z])(?!(?:models|formats|inspect|corpus|bench|move)\b)")
_OPTIONS = {
    "date_order": "--date-order", "clock": "--clock", "encoding": "--encoding", "format": "--format",
    "time_zone": "--time-zone", "columns": "--column",
}  # fmt: skip
_LIST = lazy(r"\bthe list of (people|chats)\b")
_OPTION = lazy(rf"\b([Tt]he option) ({'|'.join(_OPTIONS)})\b")
_WIDEST = 1_000_000  # columns of a table that is not wrapped
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def fail(error: Exception, **done: object) -> None:
    """Print the error as one sentence on standard error; with --json also on standard output.

    ``done`` is what was done before the error: it is added to the same document.
    """
    said = here(on_command_line(str(error)))
    if "--json" in sys.argv:
        print_json({"error": said, "type": type(error).__name__, **done})
    say(said, to=ERR)


def here(sentence: str) -> str:
    """A sentence of ours whose commands name the database file that this command was given.

    Typed as it stands, the command would otherwise change another database. An address is left out:
    it may have a password.
    """
    if not (given := _GIVEN.get("db")):
        return sentence
    return _COMMAND.sub(lambda _: f"`minirag-chat --db {given} ", sentence)


def on_command_line(sentence: str) -> str:
    """A sentence about an option of an import, or a list of names, which names it as the commands do."""
    sentence = _LIST.sub(r"`minirag-chat \1`", sentence)
    return _OPTION.sub(lambda found: f"{found[1]} {_OPTIONS[found[2]]}", sentence)


def note(text: str, indent: str = "") -> None:
    """Print a note of an answer, an import or an index."""
    say(f"{indent}Note: {here(on_command_line(text))}")


def given_db(path: str | None) -> None:
    """Note the value of ``--db``."""
    _GIVEN["db"] = None if path is None or is_address(path) else _quoted(path)


def _quoted(path: str) -> str:
    """A path as the shell takes it."""
    return subprocess.list2cmdline([path]) if os.name == "nt" else shlex.quote(path)


def prepare_streams() -> None:
    """Print ``?`` for what standard output cannot encode (such as emoji in a Windows pipe), not fail."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


@contextmanager
def writing() -> Iterator[None]:
    """Write all of standard output before the block ends; if it has no room, one sentence says so.

    Whoever reads a pipe may have seen enough and close it: the command then ends in silence.
    """
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:  # it is where the shell closed it
                sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in (*_FULL, errno.EPIPE):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is for nobody
        if error.errno in _FULL:
            say("The output could not be written, since the disk is full: free some room.", to=ERR)
        sys.exit(1)


def can_show(text: str) -> bool:
    """Whether standard output can encode all characters of a text."""
    try:
        text.encode(OUT.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def print_json(value: object) -> None:
    """Print records, times and paths as one JSON document; what the stream cannot encode is escaped."""
    plain = to_jsonable_python(value)
    text = json.dumps(plain, ensure_ascii=False, indent=2)
    if not can_show(text):
        text = json.dumps(plain, indent=2)
    sys.stdout.write(text + "\n")


def visible(text: str) -> str:
    """Text without control characters, so that a message cannot control the terminal."""
    return "".join(
        c
        for c in text
        if c in _KEPT_CONTROLS or not unicodedata.category(c).startswith("C") or c == "\u200d"
    )


def say(text: str = "", style: str = "", to: Console = OUT) -> None:
    """Print one paragraph."""
    # Wrap lines in a terminal only: in a file or pipe, paths and commands stay whole.
    to.print(Text(visible(text), style=style), soft_wrap=not to.is_terminal)


def done(document: object, sentence: str, *, as_json: bool) -> None:
    """Print what was done: the document as JSON, or else the sentence."""
    if as_json:
        print_json(document)
    else:
        say(sentence)


def listed(
    document: object, titles: Sequence[str], rows: Sequence[Sequence[object]], empty: str = "", *,
    as_json: bool,
) -> bool:  # fmt: skip
    """Print a list: the document as JSON, or a table, or ``empty``. Returns whether it was a table."""
    if as_json:
        print_json(document)
    elif rows:
        table(titles, rows)
    else:
        say(here(empty))
    return bool(rows) and not as_json


def table(titles: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a plain table."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        drawn.add_column(title, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(visible(str(cell))) for cell in row))
    if OUT.is_terminal:
        OUT.print(drawn)
        return
    # In a file or pipe each row is one line, without the spaces that fill it to the widest.
    wide = OUT.options.update(max_width=_WIDEST)
    width = min(_WIDEST, OUT.measure(drawn, options=wide).maximum)
    for line in OUT.render_lines(drawn, wide.update(width=width), pad=False):
        OUT.print(Text("".join(part.text for part in line).rstrip()), soft_wrap=True)


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Report]:
    """A progress bar on standard error, one line per step; nothing if ``quiet`` or without a terminal."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Bar(*columns, console=ERR, disable=quiet or not ERR.is_terminal) as bar:
        tasks: dict[str, Any] = {}

        def report(progress: Progress) -> None:
            if progress.step not in tasks:
                tasks[progress.step] = bar.add_task(progress.step, total=progress.total)
            said = f"{progress.step} ({progress.note})" if progress.note else progress.step
            bar.update(
                tasks[progress.step],
                description=said,
                completed=progress.done,
                total=progress.total,
            )

        yield report
