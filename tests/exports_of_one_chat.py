"""What several exports of one chat hold, as the tests of such exports write and compare it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from minirag_chat import ChatMemory

Said = tuple[datetime, str, str]
Write = Callable[..., Path]
THINGS = ("boat", "ferry", "mill", "harbour", "lantern", "piano", "oar")


def talk(
    count: int, *people: str, start: datetime = datetime(2024, 1, 20, 10), of: str = "the"
) -> list[Said]:
    """What people say, with "ok" again and again, several messages of a minute, and pauses."""
    said = []
    for n in range(count):
        start += timedelta(minutes=(1, 0, 45, 600)[n % 4])
        text = "ok" if n % 4 in (0, 3) and n % 3 else f"{n} pieces of {of} {THINGS[n % 7]}"
        said.append((start, people[n % 5 % len(people)], text))
    return said


def now_and_then(times: int, *, days: int) -> list[Said]:
    """Talk of Mum and Ivan again and again, so many days apart: in summer and in winter."""
    begun = datetime(2023, 2, 5)
    return [
        message
        for n in range(times)
        for message in talk(40, "Mum", "Ivan", start=begun + timedelta(days * n), of=str(n))
    ]


def called(said: Sequence[Said], **names: str) -> list[Said]:
    return [(when, names.get(who, who), text) for when, who, text in said]


def at(said: Sequence[Said], zone: str, of: str = "Europe/Berlin") -> list[Said]:
    """The same messages as a clock of another zone shows them."""
    return [
        (when.replace(tzinfo=ZoneInfo(of)).astimezone(ZoneInfo(zone)).replace(tzinfo=None), *rest)
        for when, *rest in said
    ]  # type: ignore[misc]  # the rest of a row is known to be there


def timed(said: Sequence[Said]) -> list[Said]:
    """The same messages with their seconds, some apart, those of a minute in order."""
    found: list[Said] = []
    for when, *rest in said:
        same = [one for one in found if one[0].replace(second=0) == when]
        found.append((when + timedelta(seconds=3 + 9 * len(same)), *rest))  # type: ignore[arg-type]
    return found


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def whatsapp(name: str, said: Sequence[Said], *, seconds: bool = False) -> Path:
        path = tmp_path / f"WhatsApp Chat with {name}.txt"
        shown = "[{:%d/%m/%Y, %H:%M:%S}] {}: {}" if seconds else "{:%d/%m/%Y, %H:%M} - {}: {}"
        lines = [shown.format(*message) for message in said]
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return whatsapp


def held(memory: ChatMemory) -> list[Said]:
    return sorted((m.sent_at, m.sender, m.text) for m in memory.messages())


def names(memory: ChatMemory) -> dict[str, tuple[str, ...]]:
    return {person.name: person.spellings for person in memory.people()}
