"""The description of all routes by OpenAPI, made from the handlers, request bodies and records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import cleandoc
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core.core_schema import DataclassSchema

from minirag_chat import __version__
from minirag_chat.records import (
    Answer,
    Chat,
    Deletion,
    Evidence,
    ImportReport,
    Message,
    Person,
    Progress,
)
from minirag_chat.records.exploration import Info
from minirag_chat_jupyter.databases import Corpus
from minirag_chat_jupyter.event_stream import EventHandler
from minirag_chat_jupyter.request_bodies import (
    AskBody,
    DeleteBody,
    EmptyBody,
    ImportBody,
    MeBody,
    RenameBody,
    RestoreBody,
    RetrieveBody,
)

REFS = "#/components/schemas/{model}"
BODIES: dict[str, type[BaseModel]] = {
    "ask": AskBody,
    "retrieve": RetrieveBody,
    "import": ImportBody,
    "me": MeBody,
    "delete": DeleteBody,
    "rename": RenameBody,
    "restore": RestoreBody,
    "empty": EmptyBody,
}
ERROR = {
    "type": "object",
    "properties": {"message": {"type": "string"}, "type": {"type": "string"}},
    "required": ["message"],
}
ITEMS = {"items": {"type": "string"}}
ERROR_REF = REFS.format(model="Error")
REQUIRED = (("search", "get", "q"), ("corpora", "delete", "db"))
RECORDS: tuple[type[Any], ...] = (
    Answer,
    Chat,
    Corpus,
    Deletion,
    Evidence,
    ImportReport,
    Info,
    Message,
    Person,
    Progress,
)


class _Described(GenerateJsonSchema):
    """Describes each record by its docstring, which not all releases of pydantic do."""

    def dataclass_schema(self, schema: DataclassSchema) -> JsonSchemaValue:
        described = super().dataclass_schema(schema)
        return {**described, "description": cleandoc(schema["cls"].__doc__ or "")}


def document(routes: Iterable[tuple[str, type[Any]]]) -> dict[str, Any]:
    """The OpenAPI document of ``routes``, each a path below the extension and its handler."""
    _, records = TypeAdapter.json_schemas(
        [(kind.__name__, "serialization", TypeAdapter(kind)) for kind in RECORDS],
        ref_template=REFS,
        schema_generator=_Described,
    )
    _, bodies = models_json_schema(
        [(kind, "validation") for kind in BODIES.values()], ref_template=REFS
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "MiniRAG Chat in Jupyter",
            "version": __version__,
            "description": "Below the server's base URL. Authentication and XSRF are Jupyter's own: "
            "send `Authorization: token …`, or the cookies with `X-XSRFToken`.",
        },
        "paths": {
            f"/minirag-chat/{_readable(route)}": _path(route, kind) for route, kind in routes
        },
        "components": {
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "Authorization"}
            },
            "schemas": {**records.get("$defs", {}), **bodies.get("$defs", {}), "Error": ERROR},
        },
        "security": [{"token": []}],
    }


def _readable(route: str) -> str:
    return re.sub(r"\(.*\)", "{number}", route)


def _path(route: str, handler: type[Any]) -> dict[str, Any]:
    verbs = [verb for verb in ("get", "post", "delete") if verb in vars(handler)]
    return {verb: _operation(route, verb, handler) for verb in verbs}


def _summary(handler: type[Any], verb: str) -> str:
    """What the route is about and what the verb does with it: "One chat: delete it"."""
    about = (handler.__doc__ or "").strip().removesuffix(".")
    done = re.split(r"[.;:]\s|[.;:]$", " ".join((getattr(handler, verb).__doc__ or "").split()))[0]
    return f"{about}: {done[:1].lower()}{done[1:]}"


def _operation(route: str, verb: str, handler: type[Any]) -> dict[str, Any]:
    name = route.partition("/")[0]
    body = BODIES.get(name) if verb == "post" else None
    events = issubclass(handler, EventHandler)
    kind = "text/event-stream" if events else "application/json"
    operation: dict[str, Any] = {
        "summary": _summary(handler, verb),
        "description": " ".join((getattr(handler, verb).__doc__ or "").split()),
        "responses": {
            "200": {"description": "Done", "content": {kind: {}}},
            "default": {
                "description": "`message` says what to do, `type` is the error's class.",
                "content": {"application/json": {"schema": {"$ref": ERROR_REF}}},
            },
        },
    }
    if body is not None:
        schema = {"$ref": REFS.format(model=body.__name__)}
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
        return operation
    takes_none = route == "openapi.json" or (route, verb) == ("corpora", "get")
    query = [] if takes_none else [("db", "string"), *handler.queries.items()]
    parameters: list[dict[str, Any]] = [
        {"name": n, "in": "query", "schema": {"type": kind, **(ITEMS if kind == "array" else {})}}
        | ({"required": True} if (name, verb, n) in REQUIRED else {})
        for n, kind in query
    ]
    if "(" in route:
        place = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}
        parameters.append(place)
    if parameters:
        operation["parameters"] = parameters
    return operation
