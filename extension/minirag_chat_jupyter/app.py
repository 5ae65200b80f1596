"""The extension as Jupyter Server loads it."""

from __future__ import annotations

from pathlib import Path

from jupyter_server.extension.application import ExtensionApp

from minirag_chat.settings import Settings
from minirag_chat_jupyter.databases import Databases
from minirag_chat_jupyter.handlers import ROUTES, NoHandler
from minirag_chat_jupyter.thread_pools import ThreadPools

PREFIX = "minirag-chat"


class MiniragChat(ExtensionApp):
    """REST under ``/minirag-chat/``. What it reads is set by MINIRAG_CHAT_… as everywhere."""

    name = "minirag_chat_jupyter"
    extension_url = f"/{PREFIX}/corpora"

    def initialize_settings(self) -> None:
        """Make what all requests share. No model is loaded yet."""
        if self.serverapp is None:
            raise RuntimeError("the extension is not linked to a server yet")
        chosen = Settings.make()
        self.databases = Databases(Path(self.serverapp.root_dir), chosen)
        self.settings["minirag_chat_databases"] = self.databases
        self.settings["minirag_chat_thread_pools"] = ThreadPools(chosen.answers_at_once)

    def initialize_handlers(self) -> None:
        """Register the routes."""
        routes = (*ROUTES, (".+", NoHandler))
        self.handlers.extend((f"/{PREFIX}/{route}", handler) for route, handler in routes)

    async def stop_extension(self) -> None:
        """Close the databases and free the models."""
        self.databases.close()
