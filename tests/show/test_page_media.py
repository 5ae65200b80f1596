"""Voice notes and photos on the page: served to the page alone, and only what an import recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from made_media import PHOTOS, VOICES, ByName, whatsapp
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import ASGIApp
from stored import opened

from minirag_chat import ChatMemory
from minirag_chat.records import MediaKind
from minirag_chat.show import page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_policy import middleware
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_views import sources

SOUND = b"OggS" + bytes(range(200))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[ChatMemory]:
    file = whatsapp(tmp_path / "export")
    for name in (*VOICES, *PHOTOS):
        (file.parent / name).write_bytes(SOUND)
    with opened(tmp_path / "data") as found:
        found.add(file.parent)
        yield found


def served(tmp_path: Path, memory: ChatMemory | None) -> TestClient:
    app: ASGIApp = PlainTextResponse("the page")
    for part in reversed(
        middleware(local=True, uploads=tmp_path, most_waiting=1 << 20, media=memory)
    ):
        app = part.cls(app, *part.args, **part.kwargs)
    return TestClient(app, base_url="http://127.0.0.1:7860")


def noted(memory: ChatMemory, kind: MediaKind) -> int:
    word = "ptt" if kind == "voice" else "img"
    return next(m.id for m in memory.messages() if word in m.text.lower())


def test_a_file_of_a_message_is_served_in_full_and_in_part(
    memory: ChatMemory, tmp_path: Path
) -> None:
    client = served(tmp_path, memory)
    address = f"/message-media/{noted(memory, 'voice')}/0"
    whole = client.get(address)
    assert (whole.status_code, whole.content) == (200, SOUND)
    assert whole.headers["content-type"] == "audio/ogg"
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert whole.headers["cross-origin-resource-policy"] == "same-origin"
    assert client.get(address, headers={"range": "bytes=4-9"}).content == SOUND[4:10]
    photo = client.get(f"/message-media/{noted(memory, 'photo')}/0")
    assert photo.headers["content-type"] == "image/jpeg"


def test_nothing_else_is_served(memory: ChatMemory, tmp_path: Path) -> None:
    client = served(tmp_path, memory)
    voice = noted(memory, "voice")
    for path in ("/message-media/1/0", f"/message-media/{voice}/1", "/message-media/999999/0"):
        assert client.get(path).status_code == 404
    for path in (
        f"/message-media/{voice}/0/../../etc/passwd",
        "/message-media/../x",
        "/message-media/a/0",
    ):
        assert SOUND not in client.get(path).content
    good = f"/message-media/{voice}/0"
    assert client.post(good).status_code == 404
    assert client.get(good, headers={"sec-fetch-site": "cross-site"}).status_code == 404
    assert client.get(good, headers={"host": "evil.example"}).status_code == 400
    assert client.get(good, headers={"origin": "http://evil.example"}).status_code == 403
    assert served(tmp_path, None).get(good).text == "the page", "a public page has no such address"
    file = Path(memory.media_of(voice, 0).path)
    file.unlink()
    assert client.get(good).status_code == 404
    (tmp_path / "secret").write_bytes(b"secret")
    file.symlink_to(tmp_path / "secret")
    assert client.get(good).status_code == 404
    memory.delete(messages=[voice])
    assert client.get(good).status_code == 404


def test_a_file_in_a_zip_is_served(tmp_path: Path) -> None:
    file = whatsapp(tmp_path / "export")
    with ZipFile(tmp_path / "chat.zip", "w") as archive:
        archive.write(file, "_chat.txt")
        archive.writestr(next(iter(VOICES)), SOUND)
    with opened(tmp_path / "other") as memory:
        memory.add(tmp_path / "chat.zip")
        client = served(tmp_path, memory)
        assert client.get(f"/message-media/{noted(memory, 'voice')}/0").content == SOUND


def test_the_page_plays_them_says_where_words_are_from_and_offers_to_read_them(
    memory: ChatMemory,
) -> None:
    sessions = Sessions(memory)
    tab, commands = sessions.tab("one"), Commands(sessions)
    assert "Read 5 voice notes and 5 photos" in page_views.left(sessions, tab)["lists"]
    memory.read_media(reader=ByName())
    assert "voice notes" not in page_views.left(sessions, tab)["lists"]
    voice = memory.search("umbrella")[0].message.id
    commands.do(tab, "open", f"{voice}:1")
    shown = sources(tab)
    assert (
        f'<audio class="mc-media" controls preload="none" src="/message-media/{voice}/0"' in shown
    )
    assert "[voice note, transcribed]" in shown


def test_what_is_dropped_on_the_page_does_not_stay_and_is_not_recorded(
    memory: ChatMemory, tmp_path: Path
) -> None:
    with memory.beside(":memory:") as other:
        other.add(tmp_path / "export", media=False)
        assert len(other.messages()) == 12
        assert other.media() == []
