"""From when "yesterday" is counted: from now if the chats are recent, else from their newest message."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from three_chats import CHATS, asked, memory_of

from minirag_chat.times import reference
from minirag_chat.times.reference import reference_time

NEWEST = datetime(2025, 7, 13, 10, 2)


@pytest.mark.parametrize(
    ("now", "counted_from"),
    [
        (NEWEST, NEWEST),
        (NEWEST + timedelta(hours=20), NEWEST + timedelta(hours=20)),
        (NEWEST + timedelta(days=7), NEWEST + timedelta(days=7)),
        (NEWEST + timedelta(days=8), NEWEST),
        (NEWEST - timedelta(minutes=1), NEWEST),  # another clock, or a made-up chat
    ],
)
def test_recent_chats_are_asked_about_now(
    now: datetime, counted_from: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "_now", lambda: now)
    assert reference_time(NEWEST) == counted_from
    assert reference_time(None) == datetime.min


def test_yesterday_is_the_day_before_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = tmp_path / "WhatsApp Chat with Dana Fox.txt"
    export.write_text(CHATS["Dana Fox"], encoding="utf-8")
    with memory_of(tmp_path, "Tom Reed", export) as memory:
        for day, told, found in (
            (14, "1 message in \u201cDana Fox\u201d", 1),
            (15, "no messages", 0),  # yesterday is the 14th
            (30, "no messages", 1),  # it is the 12th, the day before the newest message
        ):
            monkeypatch.setattr(reference, "_now", lambda day=day: datetime(2025, 7, day, 9))
            text = asked(memory, "How many messages did I send Dana yesterday?").text
            assert told in text, text
            assert len(memory.search("home", since="yesterday")) == found
