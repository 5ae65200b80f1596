"""The commands that read: ask, search, show."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

import typer

from minirag_chat.cli.answers import print_answer, print_conversation, streamed, who
from minirag_chat.cli.conversation import converse
from minirag_chat.cli.output import ERR, print_json, say
from minirag_chat.cli.state import Json, Model, app, memory, settings
from minirag_chat.errors import BadSetting, first_line
from minirag_chat.json_records import to_json
from minirag_chat.records import Answer
from minirag_chat.ui_text import SILENCES, one_line

People = Annotated[list[str] | None, typer.Option("--people", "-p", help="Only messages by them.")]
Chats = Annotated[list[str] | None, typer.Option("--chats", "-c", help="Only these chats.")]
Since = Annotated[str | None, typer.Option(help='From this day on: 2026-05-03, or "last March".')]
Until = Annotated[str | None, typer.Option(help="Up to this day, inclusive.")]
Method = Annotated[str | None, typer.Option(help="hybrid, minirag, bm25, dense, hipporag, …")]


@app.command()
def ask(
    question: Annotated[
        str | None,
        typer.Argument(help="What you want to know; without it you are asked, again and again."),
    ] = None,
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
    """Answer a question, with numbered sources and confidence. Ctrl-C keeps the answer so far.

    Without a question: a conversation in the terminal, or an answer to each line of standard input.
    """
    if graph is not None:
        _must_be_writable(graph)
    if question is None and (as_json or graph is not None):
        raise BadSetting("--json and --graph are for one question: write it behind `ask`.")
    with memory(settings(model=model, method=method)) as opened:
        if not as_json:
            choice = opened.models.choice()
            say(f"{choice.name}: {choice.reason}", style="dim")
        options = {"people": people, "chats": chats, "since": since, "until": until}
        if question is None:
            converse(opened, options)
            return
        answer, said = streamed(opened, question, quiet=as_json, **options)
        if as_json:
            print_json(to_json(answer))
        else:
            print_answer(answer, said)
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
                f"{m.id:>6}  {m.sent_at:%Y-%m-%d %H:%M}  {m.chat} \u00b7 {who(m)}",
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
        print_conversation(messages, message)
