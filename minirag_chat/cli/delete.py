"""The commands that delete: delete, trash, trash restore, trash empty; and the printed proof."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import typer

from minirag_chat.cli.output import done, here, listed, print_json, progress_bar, say, table
from minirag_chat.cli.state import Json, Yes, app, confirm, memory
from minirag_chat.errors import BadDeletion
from minirag_chat.memory.trash import DAYS
from minirag_chat.records import Deletion, Proof
from minirag_chat.ui_text import count as counted
from minirag_chat.ui_text import makes_final, stays_in

trash = typer.Typer(
    help="List what was deleted and can still be restored.", invoke_without_command=True
)
LEAK = 1
Prove = Annotated[
    bool,
    typer.Option(
        "--prove",
        help="Search every file of the program for what was deleted; fail if it is found.",
    ),
]


@app.command()
def delete(
    chat: Annotated[
        str | None, typer.Argument(help="The number or title of a chat, as `chats` lists it.")
    ] = None,
    message: Annotated[
        list[int] | None, typer.Option(help="The number of a message; may be repeated.")
    ] = None,
    person: Annotated[
        list[str] | None, typer.Option(help="The messages of this person; may be repeated.")
    ] = None,
    since: Annotated[str | None, typer.Option(help="From this day on: 2026-05-03.")] = None,
    until: Annotated[str | None, typer.Option(help="Up to this day, inclusive.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All messages.")] = False,
    replace_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Delete nothing, but replace the person's name with NAME."
        ),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only say what would be deleted.")
    ] = False,
    now: Annotated[
        bool, typer.Option("--now", help="Delete for good, not into the trash.")
    ] = False,
    prove: Prove = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Delete a chat, messages, a person, a period, or everything, with all data derived from it.

    A chat, a person and a period may be combined. Deleted messages stay in the trash; --now and
    --prove wipe them at once.
    """
    selection: dict[str, Any] = {
        "messages": message or [], "people": person or [], "chats": [chat] if chat else [],
        "since": since, "until": until, "everything": everything,
    }  # fmt: skip
    with memory() as opened:
        if replace_by is None:
            verb = "Delete"
            look, change = (
                partial(opened.preview_delete, **selection),
                partial(opened.delete, **selection),
            )
        else:
            verb, names = "Change", (_person_renamed(selection), replace_by)
            look, change = (
                partial(opened.preview_name, *names),
                partial(opened.replace_name, *names),
            )
        deletion = look()
        final = _made_final(opened.deletions()) if replace_by is not None else ""
        if preview:
            _show(deletion, "Would be", as_json=as_json)
            if final and not as_json:
                say(f"{final}.")
            return
        for_good = now or prove
        question = f"{verb} {_summary(deletion)}{' for good' if for_good else ''}?"
        before = (f"{final}." if final else "", stays_in(deletion.named_in), question)
        confirm(" ".join(filter(None, before)), yes=yes)
        with progress_bar(quiet=as_json) as progress:
            gone = change(now=now, prove=prove, progress=progress)
    _show(gone, "", as_json=as_json)
    _fail_on_leak(gone.proof)


@trash.callback()
def listing(context: typer.Context, as_json: Json = False) -> None:
    """List what was deleted and can still be restored, the latest first."""
    if context.invoked_subcommand:
        return
    with memory() as opened:
        deletions = opened.deletions()
    rows = [
        (d.number, f"{d.deleted_at:%Y-%m-%d %H:%M}", f"{d.messages:,}", d.what)
        for d in deletions
        if d.deleted_at
    ]
    titles = ("number", "deleted (UTC)", "messages", "what")
    if listed(deletions, titles, rows, "The trash is empty.", as_json=as_json):
        say(f"Each is wiped {DAYS} days after it was deleted, or with the next import.")


@trash.command()
def restore(
    number: Annotated[
        int | None, typer.Argument(help="The number that `trash` lists.  [default: the latest]")
    ] = None,
    as_json: Json = False,
) -> None:
    """Undo a deletion."""
    with memory() as opened, progress_bar(quiet=as_json) as progress:
        back = opened.restore(number, progress=progress)
    said = f"Restored: {back.what} ({counted(back.messages, 'message')})."
    done({"restored": back}, said, as_json=as_json)


@trash.command()
def empty(prove: Prove = False, yes: Yes = False, as_json: Json = False) -> None:
    """Wipe what is in the trash. This cannot be undone."""
    with memory() as opened:
        waiting = opened.deletions()
        count = sum(d.messages for d in waiting)
        if waiting:
            confirm(
                f"Wipe {counted(len(waiting), 'deletion')} ({counted(count, 'message')}) for good?",
                yes=yes,
            )
        gone = opened.empty_trash(prove=prove)
    if as_json:
        print_json(gone)
    else:
        wiped = f"{counted(gone.wiped, 'deletion')} wiped."
        say(wiped if gone.wiped else "The trash is empty: nothing was wiped.")
        _print_proof(gone.proof)
    _fail_on_leak(gone.proof)


def _person_renamed(selection: dict[str, Any]) -> str:
    """The person to rename: exactly one, and nothing else chosen. Raises ``BadDeletion``."""
    named = [key for key, value in selection.items() if value]
    if named != ["people"] or len(selection["people"]) != 1:
        raise BadDeletion(
            "--replace-by replaces the name of one person in all messages: give --person once, "
            "and no chat, message or time."
        )
    return str(selection["people"][0])


def _summary(deletion: Deletion) -> str:
    """What a deletion contains: description, number of messages, period."""
    number = counted(deletion.messages, "message")
    if deletion.first is None or deletion.last is None:
        return f"{deletion.what} ({number})"
    first, last = f"{deletion.first:%Y-%m-%d}", f"{deletion.last:%Y-%m-%d}"
    span = f"of {first}" if first == last else f"from {first} to {last}"
    where = f" in {len(deletion.chats):,} chats" if len(deletion.chats) > 1 else ""
    return f"{deletion.what} ({number} {span}{where})"


def _made_final(waiting: Sequence[Deletion]) -> str:
    """What replacing a name does to the deletions in the trash; empty if there are none."""
    size = counted(sum(deletion.messages for deletion in waiting), "message")
    return f"{makes_final(len(waiting))} ({size})" if waiting else ""


def _show(deletion: Deletion, would: str, *, as_json: bool) -> None:
    verb = "changed" if deletion.kind == "name" else "deleted"
    if as_json:
        print_json({f"would_be_{verb}" if would else verb: deletion})
        return
    stays = stays_in(deletion.named_in)
    said = f"{would} {verb}" if would else verb.capitalize()
    say(f"{said}: {_summary(deletion)}.{f' {stays}' if stays else ''}")
    if would:
        return
    if deletion.number:
        say(
            f"It waits in the trash for {DAYS} days or until the next import; undo with "
            + here(
                f"`minirag-chat trash restore {deletion.number}`, wipe with `minirag-chat trash empty`."
            )
        )
    _print_proof(deletion.proof)


def _print_proof(proof: Proof | None) -> None:
    """Where the proof looked, and what it found."""
    if proof is None:
        return
    table(
        ("looked at", "files", "bytes"),
        [(place.path, place.files, f"{place.bytes:,}") for place in proof.looked],
    )
    say(
        f"Looked for {proof.texts:,} pieces of text and {proof.words:,} words and stems, in UTF-8 and "
        f"UTF-16 and in the full-text index; {proof.known:,} more are in other messages too."
    )
    for leak in proof.leaks:
        say(f"Found in {leak.path}, as {leak.form}: {leak.text}", "bold")
    if proof.clean:
        say("Nothing of what was deleted was found.")


def _fail_on_leak(proof: Proof | None) -> None:
    if proof is not None and not proof.clean:
        raise typer.Exit(LEAK)
