"""The commands about voice notes and photos: how many there are, and reading them."""

from __future__ import annotations

from typing import Annotated

import typer

from minirag_chat.cli.interrupt import stopping
from minirag_chat.cli.output import ERR, done, here, listed, print_json, progress_bar, say
from minirag_chat.cli.state import Json, memory, settings
from minirag_chat.errors import BadSetting
from minirag_chat.memory.media import KINDS
from minirag_chat.models.speech_model import DOWNLOAD_MB, SPEECH, get_speech
from minirag_chat.records import MediaKind

media = typer.Typer(
    help="List voice notes and photos of exports; read what is said and written in them.",
    invoke_without_command=True,
)
_NAMES: dict[MediaKind, str] = {"voice": "voice notes", "photo": "photos"}


@media.callback()
def status(context: typer.Context, as_json: Json = False) -> None:
    """Show how many voice notes and photos imports found, and how many were read."""
    if context.invoked_subcommand:
        return
    with memory() as opened:
        found = opened.media()
    titles = ("", "found", "read", "nothing in them", "not readable", "left")
    rows = [(_NAMES[s.kind], s.known, s.read, s.empty, s.failed, s.left) for s in found]
    empty = "No voice notes or photos were found: import an export with its media beside it."
    if not listed({"media": found}, titles, rows, empty, as_json=as_json):
        return
    for each in found:
        for problem, count in each.problems:
            say(f"{_counted(count, each.kind)} not readable: {problem}.")
    if any(s.left for s in found):
        say(here("Read them with `minirag-chat media read`."))


def _counted(number: int, kind: MediaKind) -> str:
    many = _NAMES[kind]
    return f"{number:,} {many.removesuffix('s') if number == 1 else many}"


@media.command()
def read(
    only: Annotated[str | None, typer.Option(help="Read only these: voice or photo.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Read at most this many now.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Also read those that failed before.")
    ] = False,
    model: Annotated[
        str | None, typer.Option(help="A folder with another Whisper model (CTranslate2).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Transcribe voice notes and read photos, on this machine. Ctrl-C keeps what is done."""
    kinds = tuple(kind for kind in KINDS if only in (None, kind))
    if not kinds:
        raise BadSetting(f"There is no kind {only!r} to read: use voice or photo.")
    with (
        memory(settings(speech_model=model)) as opened,
        progress_bar(quiet=as_json) as progress,
        stopping() as stop,
    ):
        run = opened.read_media(
            kinds=kinds, limit=limit, again=again, progress=progress, cancelled=stop.is_set
        )
    if as_json:
        print_json(run)
        return
    say(f"{run.read:,} read, {run.empty:,} with nothing in them, {run.failed:,} not readable; "
        f"{run.left:,} left; {run.seconds:.1f} s.")  # fmt: skip
    for note in run.notes:
        say(note, to=ERR)


@media.command()
def get(as_json: Json = False) -> None:
    """Download the speech model for voice notes (English; 79 MB), and check it."""
    with progress_bar(quiet=as_json) as progress:
        folder = get_speech(settings().model_dir, progress)
    document = {"name": SPEECH, "path": folder, "download_mb": DOWNLOAD_MB}
    done(document, f"{SPEECH} is ready in {folder}.", as_json=as_json)
