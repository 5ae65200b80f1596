"""The commands that read: ask, search, show."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

import typer
from rich.text import Text

from minirag_chat.cli.interrupt import stopping
from minirag_chat.cli.output import ERR, OUT, note, print_json, say, table, visible
from minirag_chat.cli.state import Json, Model, app, memory, settings
from minirag_chat.errors import BadSetting, first_line
from minirag_chat.json_records import to_json
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Answer, Message, Source
from minirag_chat.records.media import MARKS
from minirag_chat.show.flag import flag_of, has_measure, measure_of
from minirag_chat.ui_text import SILENCES, being_read, one_line

CONTINUED = "\n          | "
"""Before each further line of a message, so that none looks like another message."""

People = Annotated[list[str] | None, typer.Option("--people", "-p", help="Only messages by them.")]
Chats = Annotated[list[str] | None, typer.Option("--chats", "-c", help="Only these chats.")]
Since = Annotated[str | None, typer.Option(help='From this day on: 2026-05-03, or "last March".')]
Until = Annotated[str | None, typer.Option(help="Up to this day, inclusive.")]
Method = Annotated[str | None, typer.Option(help="hybrid, minirag, bm25, dense, hipporag, …")]


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    people: People = None,
    chats: Chats = None,
    since: Since = None,
    until: Until = None,
    method: Method = None,
    model: Model = None,
    graph: Annotated[
        Path | None, typer.Option(help="Write the reasoning path to this HTML file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Answer a question, with numbered sources and confidence. Ctrl-C keeps the answer so far."""
    if graph is not None:
        _must_be_writable(graph)
    with memory(settings(model=model, method=method)) as opened:
        if not as_json:
            choice = opened.models.choice()
            say(f"{choice.name}: {choice.reason}", style="dim")
        options = {"people": people, "chats": chats, "since": since, "until": until}
        answer, said = _streamed(opened, question, quiet=as_json, **options)
        if as_json:
            print_json(to_json(answer))
        else:
            _print_answer(answer, said)
        if graph is not None:
            _write_path(answer, graph, quiet=as_json)


def _must_be_writable(file: Path) -> None:
    """Raise ``BadSetting`` for a file that cannot be written: better before the answer is made than after."""
    try:
        if file.exists():
            file.open("ab").close()
        else:
            TemporaryFile(dir=file.parent).close()
    except OSError as error:
        raise BadSetting(
            f"{file} cannot be written ({error.strerror}): name another file."
        ) from error


def _write_path(answer: Answer, file: Path, *, quiet: bool) -> None:
    """Write the path; if that fails say so, and fail: the answer has been printed."""
    try:
        answer.path_graph(file)
    except OSError as error:
        say(f"The path cannot be written ({first_line(error)}): name another file.", to=ERR)
        raise typer.Exit(1) from error
    if not quiet:
        say(f"The path is in {file}.", style="dim")


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="Words to look for.")],
    people: People = None,
    chats: Chats = None,
    since: Since = None,
    until: Until = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many to show.")] = 20,
    as_json: Json = False,
) -> None:
    """Find messages by their words. No model is used."""
    with memory() as opened:
        found = opened.search(text, count, people=people, chats=chats, since=since, until=until)
        if as_json:
            print_json(found)
            return
        if not found:
            narrowed = any((people, chats, since, until))
            if (
                narrowed
                and not opened.timeline(
                    "month", people=people, chats=chats, since=since, until=until
                ).periods
            ):
                say(SILENCES["no_messages"].sentence)
                return
            close = ", ".join(opened.close_words(text))
            say(f"No message has these words.{f' Did you mean {close}?' if close else ''}")
        for item in found:
            m = item.message
            say(
                f"{m.id:>6}  {m.sent_at:%Y-%m-%d %H:%M}  {m.chat} \u00b7 {_who(m)}",
                style="dim",
            )
            say(f"        {one_line(m.text)}")


@app.command()
def show(
    message: Annotated[int, typer.Argument(help="A message's number, as ask and search print it.")],
    around: Annotated[
        int, typer.Option(min=0, help="How many messages to show before and after it.")
    ] = 5,
    as_json: Json = False,
) -> None:
    """Show a message in its conversation."""
    with memory() as opened:
        messages = opened.conversation(message, around)
        if as_json:
            print_json(messages)
            return
        for m in messages:
            mark = ">" if m.id == message else " "
            text = m.text.replace("\n", CONTINUED)
            say(f"{mark} {m.id:>6}  {m.sent_at:%Y-%m-%d %H:%M} {_who(m)}: {text}",
                style="bold" if m.id == message else "")  # fmt: skip


def _streamed(
    opened: ChatMemory, question: str, *, quiet: bool, **options: object
) -> tuple[Answer, str]:
    """Print the pieces as they come; return the answer, and the text printed before it."""
    said = ""

    def reads(messages: Sequence[Message]) -> None:
        status.update(being_read(messages))

    with (
        stopping() as stop,
        ERR.status(being_read(())) as status,
        closing(
            opened.stream(question, cancelled=stop.is_set, reads=reads, **options)  # type: ignore[arg-type]  # typed by the command's options
        ) as stream,
    ):
        for piece in stream:
            status.stop()
            if isinstance(piece, Answer):
                return piece, said
            said += piece
            if not quiet:
                OUT.print(Text(visible(piece)), end="", soft_wrap=True)
    raise TypeError("the stream ended without an answer")


def _print_answer(answer: Answer, said: str) -> None:
    """Print what follows the text that was ``said``; that text may have its ``[n]`` already."""
    if answer.abstained:
        say(answer.text, style="bold")
        if has_measure(answer):  # else the sentence says it all
            say(f"{flag_of(answer)[1]}; {measure_of(answer)}: {answer.confidence:.2f}")
        if answer.closest:
            say("The closest messages:")
    else:
        marked = said.strip() == answer.text.strip()
        marks = "" if marked else "".join(f"[{source.number}]" for source in answer.sources)
        say(f" {marks}" if marks else "")
        say(flag_of(answer)[1])
    if answer.shown:
        table(
            ("", "when", "chat", "who", "what", "message"),
            [_row(source) for source in answer.shown],
        )
    if answer.note:
        note(answer.note)


def _quoted(source: Source) -> str:
    """The quote in one line, with the attachment it was read in unless the quote says so itself."""
    flat = one_line(source.quote)
    if not source.read_in or flat.startswith(tuple(MARKS.values())):
        return flat
    return f"{flat} ({source.read_in})"


def _who(message: Message) -> str:
    """Who sent a message, and whom it was forwarded from."""
    return message.shown_sender + (f" ({message.passed_on})" if message.passed_on else "")


def _row(source: Source) -> tuple[str, ...]:
    return (
        f"[{source.number}]",
        f"{source.sent_at:%Y-%m-%d %H:%M}",
        source.chat,
        _who(source.message),
        _quoted(source),
        str(source.message_id),
    )
