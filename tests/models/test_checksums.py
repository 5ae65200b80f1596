"""Files that are not what they should be: refused when they are got, found by ``models verify``."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from places import ROOT

from minirag_chat import Settings
from minirag_chat.errors import ModelCorrupt
from minirag_chat.models.catalog import CATALOG, ModelCard, find_card
from minirag_chat.models.checksums import RECORD, STATED, digest, must_be_known
from minirag_chat.models.embedder import embedder_folder
from minirag_chat.models.fetch import get_model
from minirag_chat.models.sources import DOWNLOAD
from minirag_chat.models.verify import verify_models

WEIGHTS = b"weights " * 100
SHA256 = hashlib.sha256(WEIGHTS).hexdigest()
CARD = replace(find_card("multilingual-e5-small"), sha256=(), revision="c0ffee")


class Hub:
    """A hub that gives these files and states what they are."""

    def __init__(
        self, weights: bytes = WEIGHTS, *, revision: str = "c0ffee", stated: str = SHA256
    ) -> None:
        self.files = {"config.json": b"{}", "model.safetensors": weights}
        self.said = {"revision": revision, "files": {"model.safetensors": stated}}

    def __call__(self, card: ModelCard, folder: Path) -> Path:
        target = folder / "hub"
        target.mkdir(exist_ok=True)
        for name, data in self.files.items():
            (target / name).write_bytes(data)
        (target / STATED).write_text(json.dumps(self.said))
        return target


def got(folder: Path, hub: Hub, card: ModelCard = CARD) -> Path:
    return get_model(card, folder, lambda _: None, hub=hub)


def test_every_model_is_pinned() -> None:
    for card in CATALOG:
        if card.gguf is None:
            assert len(card.revision) == 40, card.name
        else:
            assert len(card.gguf.sha256) == 64, card.name
        assert all(len(sha256) == 64 for _, sha256 in card.sha256)


@pytest.mark.parametrize(
    ("hub", "card", "said"),
    [
        (Hub(b"other weights"), CARD, "does not have the publisher's SHA-256"),
        (Hub(stated=""), CARD, "does not have the publisher's SHA-256"),
        (Hub(revision="decaf"), CARD, "did not give the version"),
        (
            Hub(),
            replace(CARD, sha256=(("model.safetensors", "0" * 64),)),
            "does not have the publisher's",
        ),
    ],
    ids=["other bytes", "no digest", "other commit", "the catalog knows better"],
)
def test_what_differs_is_refused(tmp_path: Path, hub: Hub, card: ModelCard, said: str) -> None:
    with pytest.raises(ModelCorrupt, match=said):
        got(tmp_path, hub, card)
    assert embedder_folder(card, tmp_path) is None
    assert got(tmp_path, Hub()).is_dir(), "the next try works"


def test_a_changed_file_is_found_and_named(tmp_path: Path) -> None:
    folder = got(tmp_path, Hub())
    record = json.loads((folder / RECORD).read_text())
    assert record["files"]["model.safetensors"] == SHA256
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path)
    card = find_card("multilingual-e5-small")

    def state() -> tuple[str, tuple[str, ...]]:
        return next((v.state, v.wrong) for v in verify_models(settings) if v.name == card.name)

    record["files"]["model.safetensors"] = dict(card.sha256)["model.safetensors"]
    assert state()[0] == "differs"  # the catalog's digest counts, whatever the record says
    assert state()[1] == ("model.safetensors",)
    (folder / "config.json").write_text('{"changed": true}')
    (folder / "more.py").write_text("")
    assert set(state()[1]) == {"config.json", "model.safetensors", "more.py"}


def test_the_embedder_of_the_package_is_the_publishers(tmp_path: Path) -> None:
    card = find_card("all-MiniLM-L6-v2")
    folder = embedder_folder(card, tmp_path)
    assert folder is not None
    must_be_known(card, folder)
    assert {name: digest(folder / name) for name, _ in card.sha256} == dict(card.sha256)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelCorrupt, match=r"config.json of all-MiniLM-L6-v2 .* is not loaded"):
        must_be_known(card, tmp_path)


@pytest.mark.process
def test_the_command_says_what_it_checked_and_fails_where_a_file_differs(tmp_path: Path) -> None:
    got(tmp_path, Hub())
    done = subprocess.run(
        [sys.executable, "-m", "minirag_chat", "models", "verify", "--json"],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "MINIRAG_CHAT_MODEL_DIR": str(tmp_path)},
    )  # fmt: skip
    printed = json.loads(done.stdout)
    found = {each["name"]: each["state"] for each in printed["models"]}
    assert "models get multilingual-e5-small" in printed["error"]
    assert found == {"all-MiniLM-L6-v2": "as it should be", "multilingual-e5-small": "differs"}
    assert done.returncode == 1


def test_the_download_asks_for_one_commit_and_keeps_what_the_hub_states(tmp_path: Path) -> None:
    fake = tmp_path / "huggingface_hub"
    fake.mkdir()
    (fake / "__init__.py").write_text(
        "from types import SimpleNamespace as N\nimport pathlib\n"
        "class HfApi:\n"
        "    def model_info(self, repo, revision, files_metadata):\n"
        "        return N(sha=revision, siblings=[N(rfilename='a.safetensors', lfs=N(sha256='s')), N(rfilename='b', lfs=None)])\n"
        "def snapshot_download(repo, revision, local_dir, allow_patterns, ignore_patterns):\n"
        "    pathlib.Path(local_dir).mkdir(); pathlib.Path(local_dir, 'revision').write_text(revision)\n"
        "def hf_hub_download(*_, **__): raise SystemExit(3)\n"
    )
    to = tmp_path / "to"
    subprocess.run(
        [sys.executable, "-c", DOWNLOAD, "o/r", str(to), "", "*.json", "onnx/*", "c0ffee", STATED],
        check=True, env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert (to / "revision").read_text() == "c0ffee"
    assert json.loads((to / STATED).read_text()) == {
        "revision": "c0ffee",
        "files": {"a.safetensors": "s"},
    }
