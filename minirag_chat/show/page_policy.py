"""The page's security policy: the browser contacts only the page's host, and only that host is served."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.show.page_media import MemoryOf, MessageMedia
from minirag_chat.show.page_uploads import waiting_bytes

# Gradio builds its page with inline scripts and compiles templates, hence the two "unsafe" words;
# what matters here is that nothing can be loaded from, or sent to, another host.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "worker-src 'self' blob:; frame-src 'self'; object-src 'none'; form-action 'self'"
)
UNFRAMED = f"{POLICY}; frame-ancestors 'self'"
"""Also keeps other sites from showing the page in a frame, where they could lure a person's clicks."""


# Gradio serves files and proxies addresses on these routes. The page needs none of them; refusing all
# requests makes guessing a path useless.
_NO_FILES = lazy(
    r"^(?:/gradio_api)?/(?:file[=/]|proxy=|stream/|custom_component/|deep_link|monitoring)"
)
_UPLOAD = lazy(r"^(?:/gradio_api)?/upload/?$")
Refusal = tuple[int, str]  # an HTTP status and a sentence


class OwnHostOnly:
    """ASGI middleware that adds the policy to every response, streamed ones included.

    ``framed``: other sites may show the page in a frame, as Hugging Face does with a Space.
    """

    def __init__(self, app: ASGIApp, *, framed: bool = False) -> None:
        self.app = app
        self._headers = [
            (b"content-security-policy", (POLICY if framed else UNFRAMED).encode()),
            (b"referrer-policy", b"no-referrer"),
            (b"x-content-type-options", b"nosniff"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        await self.app(scope, receive, with_policy if scope["type"] == "http" else send)


class Refuse:
    """ASGI middleware that refuses a request if ``why`` returns an error, and serves the others.

    ``asks``: ``why`` may ask a database, so it runs in a thread and the event loop does not wait.
    """

    def __init__(
        self, app: ASGIApp, why: Callable[[Scope], Refusal | None], *, asks: bool = False
    ) -> None:
        self.app = app
        self._why, self._asks = why, asks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        refusal: Refusal | None = None
        if scope["type"] == "http" and self._asks:
            refusal = await run_in_threadpool(self._why, scope)
        elif scope["type"] == "http":
            refusal = self._why(scope)
        if refusal is None:
            await self.app(scope, receive, send)
            return
        await PlainTextResponse(refusal[1], status_code=refusal[0])(scope, receive, send)


def no_file(scope: Scope) -> Refusal | None:
    """Refuse every route that would serve a file."""
    return (404, "Not found") if _NO_FILES.match(scope["path"]) else None


def other_site(scope: Scope) -> Refusal | None:
    """Refuse what another site's page sends from the same browser.

    A browser sends the origin of such a request; programs other than browsers send none.
    """
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    with suppress(ValueError):  # what is no address is no page of ours
        if origin is None or urlsplit(origin).netloc == headers.get("host"):
            return None
    return 403, "This page takes requests from itself only."


def no_room(folder: Path, most: int) -> Callable[[Scope], Refusal | None]:
    """Refuse an upload while the waiting files fill ``folder``.

    Gradio limits each file. Here the total of all files that are not imported yet is limited to
    ``most`` bytes.
    """

    def why(scope: Scope) -> Refusal | None:
        if scope["method"] != "POST" or not _UPLOAD.match(scope["path"]):
            return None
        announced = Headers(scope=scope).get("content-length", "")
        if not announced.isdecimal():
            return 411, "An upload must say how many bytes it has (Content-Length)."
        if waiting_bytes(folder) + int(announced) <= most:
            return None
        return 413, "Too many uploads are waiting to be imported: try again in a few minutes."

    return why


def middleware(
    *,
    local: bool,
    uploads: Path,
    most_waiting: int,
    names: Sequence[str] = (),
    public: bool = False,
    media: ChatMemory | MemoryOf | None = None,
    signed_in: Callable[[Scope], Refusal | None] | None = None,
) -> list[Middleware]:
    """The page's middleware. ``local``: accept only this machine's host names and ``names``.

    Otherwise another site whose name points at 127.0.0.1 (DNS rebinding) could read the page. In
    ``uploads`` files wait for their import, at most ``most_waiting`` bytes. ``public``: strangers use the
    page, which holds nothing of anybody's, and other sites may frame it. ``media`` knows the voice notes
    and photos that may be served to this machine. ``signed_in`` returns why a request is not from a user;
    with it the page may have any host name, as no other site gets that name's cookies.
    """
    chain = [
        Middleware(OwnHostOnly, framed=public),
        Middleware(Refuse, no_file),
        Middleware(Refuse, no_room(uploads, most_waiting)),
    ]
    if local and signed_in is None:
        known = ["127.0.0.1", "localhost", *names]
        chain.append(Middleware(TrustedHostMiddleware, allowed_hosts=known))
    if local:
        chain.append(Middleware(Refuse, other_site))
    if signed_in is not None:
        chain.append(Middleware(Refuse, signed_in, asks=True))
    if local and media is not None:
        memory_of = (lambda _: media) if isinstance(media, ChatMemory) else media
        chain.append(Middleware(MessageMedia, memory_of))
    return chain
