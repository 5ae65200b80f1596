"""Model servers of this machine on the page: search, permission, withdrawal. No Gradio in here."""

from __future__ import annotations

from collections.abc import Callable

from minirag_chat.errors import BadSetting, NotFound
from minirag_chat.models.local_servers import LocalServer, ServedModel, ServerSearch, find_servers
from minirag_chat.models.permission import permit, permitted, promise, withdraw
from minirag_chat.show.page_html import box, button, quiet
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import BrowserCommand, Tab, say
from minirag_chat.show.safe_text import in_html
from minirag_chat.ui_text import WANTS_KEY


class Servers:
    """Carries out the commands of the page that concern model servers of this machine."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self.commands: dict[str, Callable[[Tab, str], BrowserCommand | None]] = {
            "servers": self._look, "useserver": self._ask, "serveryes": self._yes,
            "serverno": self._no, "nosend": self._withdraw,
        }  # fmt: skip

    def _look(self, tab: Tab, _value: str) -> None:
        self._sessions.must_choose_models()
        tab.server = None
        self._sessions.found = find_servers()

    def _ask(self, tab: Tab, value: str) -> None:
        """Show what the user would agree to; nothing is sent yet."""
        self._sessions.must_choose_models()
        tab.server = _chosen(self._sessions.found, value)

    def _yes(self, tab: Tab, _value: str) -> BrowserCommand | None:
        self._sessions.must_choose_models()
        chosen, tab.server = tab.server, None
        if chosen is None:
            return None
        settings = self._sessions.own.models.settings
        if settings.server_url:
            raise BadSetting(
                "MINIRAG_CHAT_SERVER_URL names a server, which takes precedence: unset it."
            )
        server, model = chosen
        permit(settings, server.url, model.name)
        self._sessions.own.use_model("auto")
        return say(f"{server.name} will answer your next question.")

    def _no(self, tab: Tab, _value: str) -> None:
        tab.server = None

    def _withdraw(self, _tab: Tab, _value: str) -> BrowserCommand:
        self._sessions.must_choose_models()
        withdraw(self._sessions.own.models.settings)
        self._sessions.own.use_model("auto")
        return say("Messages are no longer sent there.")


def servers_table(sessions: Sessions, tab: Tab) -> str:
    """The server that messages go to, the servers found, and a permission that waits for a yes."""
    settings = sessions.own.models.settings
    head = '<h3 class="mc-h3">Model servers on this machine</h3>'
    if settings.server_url:
        named = (
            f"The settings name the model server {settings.server_url}; messages are sent there."
        )
        return head + quiet(named)
    permission = permitted(settings)
    allowed = ""
    if permission is not None:
        allowed = box(
            "You allowed that questions, and the messages that are read for them, are sent to "
            f"<b><bdi>{in_html(permission.model)}</bdi></b> at {in_html(permission.url)} on this machine.",
            button("nosend", css="mc-small", words="Stop sending"),
        )
    about = (
        "" if sessions.found else quiet("Ollama, LM Studio, llama.cpp or vLLM, if one runs here.")
    )
    return (
        f"{head}{allowed}{_question(tab)}{about}{_found(sessions.found)}"
        f"{button('servers', css='mc-small', words='Look for Ollama and others')}"
    )


def _question(tab: Tab) -> str:
    """What the user agrees to before anything is sent."""
    if tab.server is None:
        return ""
    server, model = tab.server
    return box(
        f"{in_html(promise(server.name, server.url))} Read with <b><bdi>{in_html(model.name)}</bdi></b>?",
        button("serveryes", css="mc-small mc-strong", words="Agree and use it"),
        button("serverno", css="mc-small", words="No"),
        role="alert",
    )


def _found(search: ServerSearch | None) -> str:
    if search is None:
        return ""
    note = quiet(search.note) if search.note else ""
    rows = [
        _row(server, model, f"{place}:{number}")
        for place, server in enumerate(search.servers)
        for number, model in enumerate(server.models)
    ]
    locked = [
        f"<li><div><b>{in_html(server.name)}</b><small>{in_html(server.url)} {WANTS_KEY}</small>"
        "</div></li>"
        for server in search.servers
        if server.wants_key
    ]
    if not (rows or locked):
        asked = "None was found that has a model. Start one, then look again."
        return note + quiet(asked)
    return f'{note}<ul class="mc-models">{"".join(rows + locked)}</ul>'


def _row(server: LocalServer, model: ServedModel, place: str) -> str:
    about = " · ".join(filter(None, (server.name, server.url, model.about)))
    act = "<small>runs on another machine</small>"
    if not model.passed_on:
        act = button("useserver", place, f"Use {model.name}", css="mc-small", words="Use …")
    return f"<li><div><b><bdi>{in_html(model.name)}</bdi></b><small>{in_html(about)}</small></div>{act}</li>"


def _chosen(search: ServerSearch | None, value: str) -> tuple[LocalServer, ServedModel]:
    """The server and model at an index of the list. Raises ``NotFound``."""
    servers = search.servers if search is not None else ()
    places = {
        f"{n}:{m}": (server, model)
        for n, server in enumerate(servers)
        for m, model in enumerate(server.models)
    }
    if value not in places:
        raise NotFound("That server or model is no longer there: look for servers again.")
    server, model = places[value]
    if model.passed_on:
        raise NotFound("That model runs on another machine, so it is not used.")
    return server, model
