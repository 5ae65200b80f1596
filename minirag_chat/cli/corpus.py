"""The commands about public corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minirag_chat.cli.output import done
from minirag_chat.cli.state import Json, settings
from minirag_chat.corpora import get_lihuaworld
from minirag_chat.errors import NotFound

corpus = typer.Typer(help="Get public corpora to try the program with.", no_args_is_help=True)


@corpus.command("get")
def corpus_get(
    name: Annotated[str, typer.Argument(help="lihuaworld")],
    source: Annotated[
        Path | None, typer.Option("--from", help="Your own copy: the zip file, or its folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Download a public corpus, check it, and print its folder."""
    if name != "lihuaworld":
        raise NotFound(f"There is no corpus {name!r} to get: the only one is lihuaworld.")
    folder = get_lihuaworld(settings().db.parent / "corpora", source)
    said = f"{name} is in {folder}; import it with `minirag-chat add {folder}`."
    done({"corpus": name, "folder": folder}, said, as_json=as_json)
