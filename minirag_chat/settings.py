"""One strict set of settings. Unknown keys are errors; each can be set by MINIRAG_CHAT_<NAME>."""

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

APP = "minirag-chat"
PREFIX = "MINIRAG_CHAT_"
ALIKE = 0.8
"""The likeness from which one name is taken for another mistyped: MODLE, MODELS, TIMEZONE."""
Method = Literal[
    "hybrid", "minirag", "bm25", "dense", "hipporag", "lightrag", "raptor", "graphrag-local",
    "graphrag-global",
]  # fmt: skip
STEPS: dict[str, str] = {
    "events": "compares, orders and counts dated events in code",
    "speakers": "prefers messages by the people asked about, among those that are read",
    "ranker": "orders the messages that were found by a model that was trained to",
    "chats": "prefers messages of the chats that have most of the question's words",
    "neighbours": "reads what stands right before and after the best messages, where there is room",
    "close": "reads more messages where the ranker finds many nearly as good as the best",
    "trained": "lets a model read with the adapter that was trained to, where it has one",
    "check": "shows an answer only where its sources say its dates, times and numbers, and it is likely",
    "counterfactual": "asks the same about the author of the cited message, of whom it may hold instead",
    "dated": "writes the date behind a time that a message names, like tomorrow",
    "stated": "asks the model whether the messages state the answer",
    "minirag-index": "-I: enter the graph by the names in the question; without it by similar descriptions",
    "minirag-edges": "-R_edge: key relationships (Eq. 2)",
    "minirag-paths": "scores of reasoning paths (Eq. 3)",
    "minirag-chunks": "-R_chunk: likeness of chunks, beside the paths to them",
    "minirag-descriptions": "what edges say of entities (d_e\u03b2), read with the chunk",
}
"""The steps that can be left out to measure what they give: name → what the step does."""


POSTGRES = ("postgresql://", "postgres://")
"""How the address of a PostgreSQL database begins."""


def is_address(place: object) -> bool:
    """Whether a database is named by an address of PostgreSQL, and not by a path."""
    return isinstance(place, str) and place.startswith(POSTGRES)


SECRETS = Path("/run/secrets")
"""Where containers find secrets: a file ``minirag_chat_postgres`` there has the value of ``postgres``."""


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
        description="address of a PostgreSQL database in the file's place; db takes one too",
        repr=False,
    )
    user: str = Field("", description="who asks, where the PostgreSQL database has users")
    model_dir: Path = Field(default_factory=lambda: user_cache_path(APP) / "models")

    model: str = Field("auto", description="auto, extractive, a catalog name, or server")
    server_url: str = Field("", description="base URL of an OpenAI-compatible server, ends in /v1")
    server_model: str = Field("", description="the model's name on that server")
    server_key: str = Field("", description="its API key, where it wants one", repr=False)
    embedder: str = Field("all-MiniLM-L6-v2", description="a catalog name")

    speech_model: str = Field(
        "", description="folder of a Whisper model in CTranslate2's format; empty: the one got"
    )

    time_zone: str = Field("", description="zone of exports that name none; empty: this machine's")
    max_file_mb: int = Field(1024, ge=1, description="larger files are refused, in MiB")
    session_gap_minutes: int = Field(90, ge=1, description="a pause that ends a conversation")
    chunk_messages: int = Field(3, ge=1, description="messages in a chunk")
    chunk_overlap: int = Field(1, ge=0, description="messages shared by neighbouring chunks")
    chunk_tokens: int = Field(230, ge=16, description="a chunk's limit, in embedder tokens")

    method: Method = "hybrid"
    paths: int = Field(50, ge=1, description="k: reasoning paths kept a seed (paper: 50)")
    hops: int = Field(4, ge=1, le=6, description="n: edges of a reasoning path (paper: 4)")
    evidence_tokens: int = Field(450, ge=64, description="budget for messages in the prompt")
    answer_tokens: int = Field(96, ge=8, description="longest answer")
    abstain_below: float = Field(
        0.6,
        ge=0,
        le=1,
        description="answer only where the messages state it with this probability or more; 0: always",
    )
    date_order: Literal["", "dmy", "mdy"] = Field(
        "", description="how 3/4/2026 in a question is read; empty: it is refused"
    )
    max_question_chars: int = Field(4000, ge=100)
    without: Annotated[frozenset[str], NoDecode] = Field(
        frozenset(), description="steps to leave out, for measuring; separated by commas"
    )

    @property
    def place(self) -> Path | str:
        """Where the messages are: the address of a PostgreSQL database, or a file."""
        return self.postgres or self.db

    @model_validator(mode="before")
    @classmethod
    def _address(cls, values: Any) -> Any:
        """An address that is given for ``db`` is ``postgres``; what else is kept stays where it was."""
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
        """Whether a step of ``STEPS`` is taken."""
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
        default=False, description="the page is for strangers: samples and own uploads"
    )
    public_file_mb: int = Field(20, ge=1, description="largest upload of a stranger, in MiB")
    container: bool = Field(
        default=False, description="the page is in a container, whose port is published here alone"
    )
    proxy_header: str = Field(
        "", description="the header in which a proxy names who signed in, where there are users"
    )
    proxy_addresses: str = Field(
        "127.0.0.1, ::1", description="from where that header is believed: addresses, networks"
    )
    mcp: bool = Field(default=False, description="offer the page's `ask` to MCP clients too")

    hosts: Annotated[frozenset[str], NoDecode] = Field(
        frozenset(), description="names of the page behind a proxy; separated by commas"
    )
    most_waiting: int = Field(24, ge=1, description="questions that may wait for their turn")
    answers_at_once: int = Field(1, ge=1, description="questions that are answered at a time")
    metrics: bool = Field(default=False, description="the page tells its numbers at /metrics")
    log: Literal["", "json"] = Field(
        "", description="json: a line on standard error for each question, import and deletion"
    )

    @field_validator("hosts", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        return frozenset(value.replace(",", " ").split()) if isinstance(value, str) else value

    @classmethod
    def make(cls, **values: Any) -> Self:
        """Like the constructor, but a bad value raises ``BadSetting`` with one sentence.

        So does a variable whose name is nearly a setting's.
        """
        _refuse_mistyped(cls.model_fields)
        try:
            return cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"]) or "settings"
            raise BadSetting(
                f"The setting {name!r} is not valid: {first['msg']}; "
                f"the settings are {', '.join(cls.model_fields)}."
            ) from error


def _refuse_mistyped(names: Iterable[str]) -> None:
    """Raise ``BadSetting`` for a variable of the environment that is nearly a setting's."""
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
