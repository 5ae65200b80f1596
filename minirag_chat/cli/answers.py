"""Printing an answer as it is written, its messages, and a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from rich.text import Text

from minirag_chat.cli.interrupt import stopping
from minirag_chat.cli.output import ERR, OUT, note, say, table, visible
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.records import Answer, Message, Source
from minirag_chat.records.media import MARKS
from minirag_chat.show.flag import flag_of, has_measure, measure_of
from minirag_chat.ui_text import being_read, one_line

CONTINUED = "\n          | "
"""Before each further line of a message, so that none looks like another message."""


def streamed(
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


def print_answer(answer: Answer, said: str) -> None:
    """Print what follows the text that was ``said``; that text may have its ``[n]`` already."""
    whole = said.strip() == answer.text.strip()
    if answer.abstained:
        if said:
            say()  # ends the line
        if not whole:
            say(answer.text, style="bold")
        if has_measure(answer):  # else the sentence says it all
            say(f"{flag_of(answer)[1]}; {measure_of(answer)}: {answer.confidence:.2f}")
        if answer.closest:
            say("The closest messages:")
    else:
        marks = "" if whole else "".join(f"[{source.number}]" for source in answer.sources)
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


def who(message: Message) -> str:
    """Who sent a message, and whom it was forwarded from."""
    return message.shown_sender + (f" ({message.passed_on})" if message.passed_on else "")


def _row(source: Source) -> tuple[str, ...]:
    return (
        f"[{source.number}]",
        f"{source.sent_at:%Y-%m-%d %H:%M}",
        source.chat,
        who(source.message),
        _quoted(source),
        str(source.message_id),
    )


def print_conversation(messages: Sequence[Message], chosen: int) -> None:
    """Print messages in order, and mark the one with the id ``chosen``."""
    for m in messages:
        mark = ">" if m.id == chosen else " "
        text = m.text.replace("\n", CONTINUED)
        say(f"{mark} {m.id:>6}  {m.sent_at:%Y-%m-%d %H:%M} {who(m)}: {text}",
            style="bold" if m.id == chosen else "")  # fmt: skip
