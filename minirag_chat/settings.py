"""The settings. Each can be set by an environment variable MINIRAG_CHAT_<NAME>; other names are errors."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from platformdirs import user_cache_path, user_data_path
from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from minirag_chat.errors import BadSetting
from minirag_chat.errors.invalid_values import invalid

APP = "minirag-chat"
PREFIX = "MINIRAG_CHAT_"
ALIKE = 0.8
"""Names at least this similar count as a typing error of a setting: MODLE, MODELS, TIMEZONE."""
Method = Literal[
    "hybrid", "minirag", "bm25", "dense", "hipporag", "lightrag", "raptor", "graphrag-local",
    "graphrag-global",
]  # fmt: skip
STEPS: dict[str, str] = {
    "events": "compares, orders and counts dated events by code instead of the model",
    "speakers": "prefers messages by the people asked about among those that the model reads",
    "ranker": "reorders the messages that were found, with the trained ranker",
    "chats": "prefers messages of the chats that match the question best by BM25",
    "translation": "translates a question into the language of the messages if it is in another one",
    "replies": "ranks messages also with an earlier one that they may reply to, not only with the one before",
    "neighbours": "also reads the messages right before and after the best ones, if the budget allows",
    "cutoff": "leaves out messages that score far below the best one",
    "close": "reads more messages if the ranker finds many nearly as good as the best",
    "trained": "reads with the adapter trained for the model, if there is one",
    "check": "shows only likely answers whose dates, times and numbers are in their sources",
    "counterfactual": "asks the same about the message's author, to detect answers about the wrong person",
    "changed": "names a later message that may move the day which an answer states",
    "dated": "writes the date behind a relative time in a message, such as tomorrow",
    "stated": "asks the model whether the messages state the answer",
    "minirag-index": "-I: enters the graph at the names in the question; without it at similar descriptions",
    "minirag-edges": "-R_edge: key relationships (Eq. 2)",
    "minirag-paths": "scores of reasoning paths (Eq. 3)",
    "minirag-chunks": "-R_chunk: similarity of chunks, added to the score of their paths",
    "minirag-descriptions": "the descriptions of entities on edges (d_e\u03b2), read with the chunk",
}
"""The steps that can be left out to measure what they contribute: name → what the step does."""


POSTGRES = ("postgresql://", "postgres://")
"""Prefixes of the address of a PostgreSQL database."""


def is_address(place: object) -> bool:
    """Whether ``place`` is the address of a PostgreSQL database rather than a path."""
    return isinstance(place, str) and place.startswith(POSTGRES)


SECRETS = Path("/run/secrets")
"""The folder of secrets in a container: a file ``minirag_chat_postgres`` in it sets ``postgres``."""


class Settings(BaseSettings):
    """How to index, retrieve and answer. Immutable; ``Settings.make`` gives one-line errors."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        extra="forbid",
        frozen=True,
        env_ignore_empty=True,
        secrets_dir=SECRETS if SECRETS.is_dir() else None,
    )

    db: Path = Field(default_factory=lambda: user_data_path(APP) / "chats.db")
    postgres: str = Field(
        "",
        description="address of a PostgreSQL database to use instead of a file; db takes one too",
        repr=False,
    )
    user: str = Field("", description="who asks, if the PostgreSQL database has users")
    model_dir: Path = Field(default_factory=lambda: user_cache_path(APP) / "models")

    model: str = Field("auto", description="auto, extractive, a catalog name, or server")
    server_url: str = Field("", description="base URL of an OpenAI-compatible server, ends in /v1")
    server_model: str = Field("", description="the model's name on that server")
    server_key: str = Field("", description="its API key, if it requires one", repr=False)
    embedder: str = Field(
        "auto", description="auto (the one that indexed the database) or a catalog name"
    )

    speech_model: str = Field(
        "",
        description="folder of a Whisper model in CTranslate2's format; empty: the downloaded one",
    )

    time_zone: str = Field(
        "", description="time zone of exports that name none; empty: this machine's"
    )
    max_file_mb: int = Field(1024, ge=1, description="larger files are refused, in MiB")
    session_gap_minutes: int = Field(90, ge=1, description="a pause this long ends a conversation")
    chunk_messages: int = Field(3, ge=1, description="messages in a chunk")
    chunk_overlap: int = Field(1, ge=0, description="messages shared by neighbouring chunks")
    chunk_tokens: int = Field(230, ge=16, description="a chunk's limit, in embedder tokens")

    method: Method = "hybrid"
    paths: int = Field(50, ge=1, description="k: reasoning paths kept for each seed (paper: 50)")
    hops: int = Field(4, ge=1, le=6, description="n: edges of a reasoning path (paper: 4)")
    evidence_tokens: int = Field(
        500, ge=64, description="tokens of messages in the prompt, at most"
    )
    answer_tokens: int = Field(96, ge=8, description="tokens of an answer, at most")
    abstain_below: float = Field(
        0.6,
        ge=0,
        le=1,
        description="answer only if the messages state it with at least this probability; 0: always",
    )
    date_order: Literal["", "dmy", "mdy"] = Field(
        "", description="how 3/4/2026 is read; empty: as in the exports, if they tell"
    )
    max_question_chars: int = Field(4000, ge=100)
    without: Annotated[frozenset[str], NoDecode] = Field(
        frozenset(), description="steps to leave out, for measuring; separated by commas"
    )

    @property
    def place(self) -> Path | str:
        """Where the messages are stored: the address of a PostgreSQL database, or a file."""
        return self.postgres or self.db

    @model_validator(mode="before")
    @classmethod
    def _address(cls, values: Any) -> Any:
        """Move an address given as ``db`` to ``postgres``; other data stays beside the default ``db``."""
        if isinstance(values, dict) and is_address(values.get("db")):
            values = {**values, "postgres": values["db"]}
            del values["db"]
        return values

    @field_validator("postgres")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value and not is_address(value):
            raise ValueError(f"an address of PostgreSQL begins with {POSTGRES[0]}")
        return value

    def does(self, step: str) -> bool:
        """Whether the step of ``STEPS`` is not left out."""
        return step not in self.without

    @field_validator("without", mode="before")
    @classmethod
    def _known_steps(cls, value: Any) -> Any:
        names = value.replace(",", " ").split() if isinstance(value, str) else list(value or ())
        unknown = sorted(set(names) - set(STEPS))
        if unknown:
            known = ", ".join(STEPS)
            raise ValueError(f"there is no step {unknown[0]!r} to leave out; the steps: {known}")
        return frozenset(names)

    public: bool = Field(
        default=False,
        description="the page is public: visitors see the samples and their own uploads",
    )
    public_file_mb: int = Field(
        20, ge=1, description="largest upload of a visitor of a public page, in MiB"
    )
    container: bool = Field(
        default=False,
        description="the page runs in a container whose port is published on this machine only",
    )
    proxy_header: str = Field(
        "", description="the header in which a proxy names the user who signed in"
    )
    proxy_addresses: str = Field(
        "127.0.0.1, ::1", description="addresses and networks from which that header is accepted"
    )
    mcp: bool = Field(default=False, description="offer the page's `ask` to MCP clients too")

    hosts: Annotated[frozenset[str], NoDecode] = Field(
        frozenset(), description="host names of the page behind a proxy; separated by commas"
    )
    most_waiting: int = Field(24, ge=1, description="questions that may wait in the queue")
    answers_at_once: int = Field(
        1, ge=1, description="questions that are answered at the same time"
    )
    metrics: bool = Field(default=False, description="serve metrics at /metrics")
    log: Literal["", "json"] = Field(
        "", description="json: log a line to standard error for each question, import and deletion"
    )

    @field_validator("hosts", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        return frozenset(value.replace(",", " ").split()) if isinstance(value, str) else value

    @classmethod
    def make(cls, **values: Any) -> Self:
        """Like the constructor, but a bad value raises ``BadSetting`` with one sentence.

        So does an environment variable whose name looks like a mistyped setting. A file given as ``db``
        counts, whatever PostgreSQL database and user the environment names.
        """
        _refuse_mistyped(cls.model_fields)
        if "db" in values and not is_address(values["db"]):
            values = {"postgres": "", "user": "", **values}
        try:
            return cls(**values)
        except ValidationError as error:
            name, remedy = invalid(error)
            known = name in cls.model_fields
            others = "" if known else f"; the settings are {', '.join(cls.model_fields)}"
            raise BadSetting(f"The setting {name!r} is not valid: {remedy}{others}.") from error


def _refuse_mistyped(names: Iterable[str]) -> None:
    """Raise ``BadSetting`` for an environment variable whose name looks like a mistyped setting."""
    known = {name.upper() for name in names}
    for given in sorted(os.environ):
        name = given.upper().removeprefix(PREFIX)
        if name in known or not given.upper().startswith(PREFIX):
            continue
        if meant := get_close_matches(name, known, n=1, cutoff=ALIKE):
            raise BadSetting(
                f"The environment has {given}, which is no setting: {PREFIX}{meant[0]} is. "
                "Rename it or unset it."
            )
