"""Two routes for operators: the page's health, and its metrics if the settings switch them on."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from minirag_chat.errors import DatabaseLocked, MiniRagChatError
from minirag_chat.memory.engine import ChatMemory
from minirag_chat.system.metrics import Metrics
from minirag_chat.system.monitoring import listen

HEALTH, METRICS = "/health", "/metrics"
LONGEST_WAIT = 1.0  # seconds for which the metrics wait for the database


def monitoring_routes(memory: ChatMemory, index_left: Callable[[], int]) -> list[Route]:
    """``/health`` always, ``/metrics`` by the settings. Raises ``BadSetting`` if a library is missing.

    ``index_left`` returns how many chunks of the page's database have no vector yet, and raises
    ``MiniRagChatError`` if the database cannot be reached.
    """

    def health(_: Request) -> Response:
        if not memory.idle():  # a deletion rewrites the file: to be ended for that would be worse
            return JSONResponse({"status": "ok"})
        try:
            index_left()
        except MiniRagChatError as error:  # its text may name the server: only its type is told
            return JSONResponse({"status": type(error).__name__}, 503)
        return JSONResponse({"status": "ok"})

    routes = [Route(HEALTH, health)]
    if memory.settings.metrics:

        def left() -> int:
            if not memory.idle(LONGEST_WAIT):
                raise DatabaseLocked(
                    "An import or a deletion is using the database: try again later."
                )
            return index_left()

        metrics = Metrics(left, lambda: len(memory.models.turns))
        listen(metrics)

        def numbers(_: Request) -> Response:
            text, kind = metrics.text()
            return Response(text, media_type=kind)

        routes.append(Route(METRICS, numbers))
    return routes
