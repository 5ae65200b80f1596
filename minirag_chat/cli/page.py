"""The command that opens the chat page."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from minirag_chat.cli.output import print_json
from minirag_chat.cli.state import Json, Model, app, settings
from minirag_chat.errors import BadSetting
from minirag_chat.show.page_port import refuse_taken
from minirag_chat.system.installing import how_to_install


@app.command()
def page(
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="The port of the page.  [default: the first free one from 7860]"
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            help="Listen on this address instead of this machine only; needs --public, or users who sign in."
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the browser.")
    ] = False,
    public: Annotated[
        bool, typer.Option("--public", help="Serve strangers: none of your messages are shown.")
    ] = False,
    model: Model = None,
    as_json: Json = False,
) -> None:
    """Open the chat page in the browser, and serve it until Ctrl-C. --json prints its address."""
    if find_spec("gradio") is None:
        raise BadSetting(
            f"The chat page needs Gradio, which is not installed: run `{how_to_install('gradio')}`."
        )
    chosen = settings(model=model, public=public or None)
    if port is not None:
        refuse_taken(host or os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1"), port)
    from minirag_chat.show.page import tell_address
    from minirag_chat.show.page_start import open_page

    open_page(
        chosen,
        host=host,
        port=port,
        open_browser=not no_browser,
        opened=_print_address if as_json else tell_address,
    )


def _print_address(address: str) -> None:
    print_json({"address": address})
    sys.stdout.flush()
