"""Voice notes and photos on the page, served from where the import found them.

Only files that an import of this database recorded can be requested, by the message's number, and only
by the page itself on this machine. A public page serves none.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from minirag_chat.errors import MiniRagChatError
from minirag_chat.lazy_patterns import lazy
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models.media_transcriber import MOST_BYTES, Unreadable, unpacked

ADDRESS = "/message-media"
_ASKED = lazy(rf"{ADDRESS}/(\d{{1,15}})/(\d{{1,4}})")
_TYPES = {
    ".opus": "audio/ogg", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".m4a": "audio/mp4",
    ".mp3": "audio/mpeg", ".wav": "audio/wav", ".aac": "audio/aac", ".amr": "audio/amr",
    ".flac": "audio/flac", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png",
    ".webp": "image/webp", ".bmp": "image/bmp",
}  # fmt: skip
_HEADERS = {
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "content-disposition": "inline",
}
_OWN_SITES = (None, "same-origin", "none")
MemoryOf = Callable[[Scope], ChatMemory | None]


class MessageMedia:
    """ASGI middleware that serves the files of messages to the page, from the requesting user's memory."""

    def __init__(self, app: ASGIApp, memory_of: MemoryOf) -> None:
        self.app = app
        self._memory_of = memory_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        asked = _ASKED.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        response: Response | None = None
        site = Headers(scope=scope).get("sec-fetch-site")
        if scope["method"] in ("GET", "HEAD") and site in _OWN_SITES:
            memory = await run_in_threadpool(self._memory_of, scope)
            if memory is not None:
                response = await run_in_threadpool(_file, memory, int(asked[1]), int(asked[2]))
        response = response or PlainTextResponse("Not found", status_code=404)
        await response(scope, receive, send)


def _file(memory: ChatMemory, message: int, position: int) -> Response | None:
    try:
        file = memory.media_of(message, position)
    except MiniRagChatError:
        return None
    path, kind = Path(file.path), _TYPES.get(Path(file.member or file.path).suffix.lower())
    if kind is None or path.is_symlink() or not path.is_file():
        return None
    if file.member:
        try:
            return Response(unpacked(file), media_type=kind, headers=_HEADERS)
        except Unreadable:
            return None
    if path.stat().st_size > MOST_BYTES[file.kind]:
        return None
    return FileResponse(path, media_type=kind, headers=_HEADERS)
