from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from dialects import read_export

from minirag_chat.importers import ImportOptions
from minirag_chat.records import ParsedExport, ParsedMessage

if TYPE_CHECKING:
    from collections.abc import Callable

SHARED = Path(__file__).parents[2].parent / "shared"

# The golden conversation, of our own writing: every dialect of every format must give this.
CONVERSATION = (
    (datetime(2021, 12, 31, 18, 5), "Ann Miller", "Shall we meet at 7: same place?"),
    (datetime(2021, 12, 31, 18, 6), "Bob", "Yes!\n\nBring:\n- the blanket\n- tea"),
    (datetime(2022, 1, 2, 9, 30), "Ann Miller", "Snow 😀 https://example.org/?a=1:2"),
    (datetime(2022, 1, 13, 0, 7), "Bob", "12:07, ugh"),
)


@pytest.fixture
def conversation() -> tuple[tuple[datetime, str, str], ...]:
    return CONVERSATION


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the development data is not beside this repository (../shared)")
    return SHARED


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ParsedExport]:
    """Write a file and read it; options as keywords."""

    def write_and_read(
        content: str | bytes, name: str = "chat.txt", **options: object
    ) -> ParsedExport:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        chosen = ImportOptions(**options)
        [(_, export)] = list(read_export(path, chosen))
        assert isinstance(export, ParsedExport)
        return export

    return write_and_read


@pytest.fixture
def plain() -> Callable[[ParsedExport], list[tuple[datetime, str, str]]]:
    def triples(export: ParsedExport) -> list[tuple[datetime, str, str]]:
        return [(m.sent_at, m.sender, m.text) for m in _messages(export)]

    return triples


def _messages(export: ParsedExport) -> list[ParsedMessage]:
    return [message for chat in export.chats for message in chat.messages]
