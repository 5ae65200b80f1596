"""What a person must be able to tell apart: chats without names, and words nearly spelled right."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from places import write_log

from minirag_chat import ChatMemory


def test_chats_of_the_same_people_say_since_when_they_are(
    memory: ChatMemory, tmp_path: Path
) -> None:
    many = {f"2026{month:02}05_1000": tuple(f"{who}: hi" for who in people)
            for month, people in ((1, "ABCDE"), (2, "ABCDF"), (3, "ABCDG"))}  # fmt: skip
    memory.add(write_log(tmp_path / "log", many))
    titles = [chat.title for chat in memory.chats()]
    assert len(set(titles)) == len(titles) == 3
    assert any("(from Jan 2026)" in title for title in titles)
    assert memory.chats()[0].first == datetime(2026, 3, 5, 10)


def test_a_search_for_a_misspelled_word_has_close_ones(small: ChatMemory) -> None:
    assert small.search("rehersal") == []
    assert small.close_words("rehersal") == ["Rehearsal"]
    assert small.close_words("piano") == [], "which is there"
    assert small.close_words("xyzzyqq") == []
