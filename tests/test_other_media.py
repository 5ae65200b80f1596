"""A chat exported with its media and without: each photo and voice note is there once."""

from __future__ import annotations

import pytest
from exports_of_one_chat import Said, Write, held, talk, timed, write

from minirag_chat import ChatMemory

__all__ = ["write"]  # a fixture
pytestmark = pytest.mark.both_stores

SENT = (  # after which message, and what it is in an export with media and in one without
    (4, "IMG-20240120-WA0001.jpg (file attached)", "<Media omitted>"),
    (4, "IMG-20240120-WA0002.jpg (file attached)", "<Media omitted>"),
    (9, "PTT-20240121-WA0003.opus (file attached)", "<Media omitted>"),
    (17, "IMG-20240122-WA0004.jpg (file attached)\nthe new lock", "<Media omitted>\nthe new lock"),
)
IOS = ("\u200eimage omitted", "\u200eimage omitted", "\u200eaudio omitted")


def with_media() -> list[Said]:
    return _put(talk(40, "Mum", "Ivan"), [named for _, named, _ in SENT])


def without_media() -> list[Said]:
    return _put(talk(40, "Mum", "Ivan"), [omitted for *_, omitted in SENT])


def _put(said: list[Said], media: list[str]) -> list[Said]:
    found = list(said)
    for (place, *_), text in reversed(list(zip(SENT, media, strict=False))):
        found.insert(place + 1, (said[place][0], said[place][1], text))
    return found


@pytest.mark.parametrize("first", ["with", "without"])
def test_a_file_that_one_export_only_hints_at_is_the_same(
    memory: ChatMemory, write: Write, first: str
) -> None:
    exports = {"with": with_media(), "without": without_media()}
    second = "without" if first == "with" else "with"
    memory.add(write("Mum", exports[first]), date_order="dmy")
    report = memory.add(write("Mum", exports[second]), date_order="dmy")
    assert (report.messages_added, report.messages_updated) == (0, 4 if second == "with" else 0)
    shown = [text.rpartition("\n")[2] for *_one, text in with_media()]  # a caption without its file
    assert held(memory) == sorted(
        (at, who, text) for (at, who, _), text in zip(with_media(), shown, strict=True)
    )
    for export in exports.values():
        again = memory.add(write("Mum", export), date_order="dmy")
        assert (again.messages_added, again.messages_updated) == (0, 0)


@pytest.mark.parametrize("seconds", [True, False])
def test_two_phones_name_a_file_each_in_its_way(
    memory: ChatMemory, write: Write, seconds: bool
) -> None:
    android = _put(talk(40, "Mum", "Ivan"), ["<Media omitted>"] * len(IOS))
    iphone = timed(_put(talk(40, "Mum", "Ivan"), list(IOS)))
    known, other = (iphone, android) if seconds else (android, iphone)
    memory.add(write("Mum", known, seconds=seconds), date_order="dmy")
    assert (
        memory.add(write("Mum", other, seconds=not seconds), date_order="dmy").messages_added == 0
    )
    sent = [m.attachments[0].kind for m in memory.messages() if m.attachments]
    assert sent == ["photo", "photo", "audio"]


def test_what_only_one_export_has_stays(memory: ChatMemory, write: Write) -> None:
    """Two photos of one minute, of which the other export has one: nobody can say which."""
    said = without_media()
    fewer = [one for n, one in enumerate(with_media()) if n != 5]
    memory.add(write("Mum", said), date_order="dmy")
    memory.add(write("Mum", fewer), date_order="dmy")
    minute = said[5][0]
    sent = [m.text for m in memory.messages() if m.attachments and m.sent_at == minute]
    assert sorted(sent) == ["<Media omitted>", "<Media omitted>", SENT[1][1]]
