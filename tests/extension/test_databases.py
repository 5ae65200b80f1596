"""The databases that the server opens: one that is slow keeps none of the others waiting."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from minirag_chat import ChatMemory, Settings
from minirag_chat_jupyter.databases import Databases


@pytest.fixture
def some(tmp_path: Path) -> Iterator[Databases]:
    made = Databases(tmp_path, Settings(db=tmp_path / "default.db", model="extractive"))
    for name in ("slow.db", "quick.db"):
        made.open(name, create=True)
    yield made
    made.close()


@contextmanager
def slowly(method: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Where this method of ``slow.db`` begins, and then waits for the end of the block."""
    begun, ends, real = Event(), Event(), getattr(ChatMemory, method)

    def slow(*given: Any, **options: Any) -> Any:
        place = given[0]
        if method == "close" or "slow.db" in str(place):
            begun.set()
            assert ends.wait(60)
        return real(*given, **options)

    with monkeypatch.context() as patched:
        patched.setattr(ChatMemory, method, slow)
        try:
            yield begun
        finally:
            ends.set()


def test_one_that_is_opened_slowly_is_opened_once_and_keeps_no_other_waiting(
    some: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    some.close()
    with ThreadPoolExecutor(3) as threads:
        with slowly("open", monkeypatch) as begun:
            slow = threads.submit(some.open, "slow.db")
            assert begun.wait(60)
            again = threads.submit(some.open, "slow.db")
            assert threads.submit(some.open, "quick.db").result(30)
            assert some.opened("slow.db") is None
        assert slow.result(60) is again.result(60) is some.opened("slow.db")


def test_one_that_is_deleted_slowly_keeps_no_other_waiting_and_is_gone_for_who_asked_meanwhile(
    some: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(3) as threads:
        with slowly("close", monkeypatch) as begun:
            deleted = threads.submit(some.delete, "slow.db")
            assert begun.wait(60)
            meanwhile = threads.submit(some.open, "slow.db")
            assert threads.submit(some.open, "quick.db").result(30)
        assert deleted.result(60).db == "slow.db"
        with pytest.raises(Exception, match="no database"):
            meanwhile.result(60)
