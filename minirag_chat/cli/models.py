"""The commands about models: what this machine can run, and getting one."""

from __future__ import annotations

from typing import Annotated

import typer

from minirag_chat.cli.output import print_json, progress_bar, say, table
from minirag_chat.cli.state import Json, settings
from minirag_chat.models import (
    choose_model,
    find_card,
    get_model,
    list_models,
    machine,
    verify_models,
)

models = typer.Typer(help="The models this machine can run; get one.", invoke_without_command=True)


@models.callback()
def listing(context: typer.Context, as_json: Json = False) -> None:
    """List the models: what is here, what fits this machine, size, licence, memory."""
    if context.invoked_subcommand:
        return
    chosen = settings()
    here, choice, found = machine(), choose_model(chosen), list_models(chosen)
    if as_json:
        print_json({"machine": here, "choice": choice, "models": found})
        return
    say(here.describe())
    say(f"In use: {choice.name} \u2013 {choice.reason}")
    say()
    table(
        ("name", "kind", "trained to read chats", "here", "fits", "download", "memory", "licence"),
        [
            (
                status.card.name,
                status.card.kind,
                "yes" if status.trained else "",
                "yes" if status.path else "no",
                "yes" if status.fits else status.why,
                f"{status.card.download_mb:,} MB",
                f"{status.card.memory_gb:.1f} GB",
                status.card.licence,
            )
            for status in found
        ],
    )


@models.command()
def get(
    name: Annotated[str, typer.Argument(help="A model's name, as `models` lists them.")],
    as_json: Json = False,
) -> None:
    """Download a model, check it, and prepare it in 4 bits. A stopped download resumes."""
    chosen = settings()
    card = find_card(name)
    with progress_bar(quiet=as_json) as progress:
        path = get_model(card, chosen.model_dir, progress)
    if as_json:
        print_json({"name": card.name, "path": path})
        return
    say(f"{card.name} is ready in {path}.")


@models.command()
def verify(as_json: Json = False) -> None:
    """Read every file of the models that are here, and fail where one is not what it should be."""
    with progress_bar(quiet=as_json) as progress:
        found = verify_models(settings(), progress)
    differs = [each for each in found if each.state == "differs"]
    if as_json:
        print_json({"models": found, "as_they_should_be": not differs})
    else:
        table(
            ("name", "state", "files checked", "folder"),
            [(each.name, each.state, each.files, each.path) for each in found],
        )
        for each in differs:
            say(
                f"{each.name}: {', '.join(each.wrong)} in {each.path} differ from what was installed: "
                f"delete that folder and run `minirag-chat models get {each.name}`, or install its "
                "package again.",
                style="bold",
            )
        if any(each.state == "not recorded" for each in found):
            say(
                "Not recorded: it was prepared by an earlier release. Delete its folder and get it "
                "again to have its files recorded.",
                style="dim",
            )
    if differs:
        raise typer.Exit(1)
