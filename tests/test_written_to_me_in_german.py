"""German has no "to" before the person written to: "Was hat Dana mir geschrieben?"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from three_chats import asked, opened

from minirag_chat import ChatMemory


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("german")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Wie viele Nachrichten hat Dana mir geschrieben?",
            "Dana Fox sent 1 message in “Dana Fox”",
        ),
        ("Wie viele Nachrichten hat mir Dana geschickt?", "Dana Fox sent 1 message in “Dana Fox”"),
        (
            "Wie viele Nachrichten habe ich Dana geschrieben?",
            "Tom Reed sent 2 messages in “Dana Fox”",
        ),
        ("Was hat mir Dana zuletzt geschrieben?", "“did you find the key” [1]"),
        ("Wer hat mir zuletzt geschrieben?", "is from Dana Fox, Monday, 16 June 2025"),
        ("Wer schreibt mir am meisten?", "Dana Fox [1] wrote the most apart from Tom Reed"),
    ],
)
def test_it_is_counted_as_in_english(chats: ChatMemory, question: str, text: str) -> None:
    answer = asked(chats, question)
    assert text in answer.text
    assert answer.confidence == 1.0


@pytest.mark.parametrize(
    ("question", "writer"),
    [
        ("Was hat Dana mir geschrieben?", "Dana Fox"),
        ("Was hat mir Dana geschrieben?", "Dana Fox"),
        ("Was habe ich Dana geschrieben?", "Tom Reed"),
    ],
)
def test_what_was_written_is_the_writers(chats: ChatMemory, question: str, writer: str) -> None:
    sources = asked(chats, question).sources
    assert sources
    assert {source.message.shown_sender for source in sources} == {writer}
