"""Windows and macOS, as far as a machine with Linux can tell: what they lack is not used.

Nothing of this was run on them. Most of it reads the source: each rule is about something that works
here and fails there.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path, PureWindowsPath

import pytest
from commands import run_command
from fakes import WordEmbedder
from needed import needed
from places import ROOT, write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.memory.remote import running_servers
from minirag_chat.system.installing import how_to_add, how_to_install, way

page_start = needed("minirag_chat.show.page_start")
pytestmark = pytest.mark.process

FOLDERS = [ROOT / name for name in ("minirag_chat", "extension", ".ci")]
SOURCES = [ROOT / "app.py", *(path for folder in FOLDERS for path in sorted(folder.rglob("*.py")))]
UNIX_MODULES = {"fcntl", "grp", "pwd", "resource", "termios", "tty", "readline", "syslog"}
UNIX_CALLS = {
    ("os", name)
    for name in ("fork", "getuid", "geteuid", "getpgid", "killpg", "setsid", "mkfifo", "kill",
                 "sched_getaffinity", "statvfs", "sysconf", "uname", "link", "chown", "nice")
}  # fmt: skip
"""``os.kill(pid, 0)`` among them: on Windows it ends the process, or sends it Ctrl-C."""
UNIX_SIGNALS = {"SIGHUP", "SIGKILL", "SIGALRM", "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGCHLD"}


@cache
def parsed(path: Path) -> ast.Module:
    """A source, parsed once for all rules."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def calls(path: Path) -> tuple[ast.Call, ...]:
    return tuple(node for node in ast.walk(parsed(path)) if isinstance(node, ast.Call))


def name_of(call: ast.Call) -> tuple[str, str]:
    """``os.kill(…)`` → ("os", "kill"); ``open(…)`` → ("", "open")."""
    if isinstance(call.func, ast.Attribute):
        owner = call.func.value
        return (owner.id if isinstance(owner, ast.Name) else "?", call.func.attr)
    return ("", call.func.id if isinstance(call.func, ast.Name) else "")


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def test_nothing_is_called_that_only_unix_has() -> None:
    found = [where(p, c) for p in SOURCES for c in calls(p) if name_of(c) in UNIX_CALLS]
    assert found == []


def test_modules_of_unix_are_imported_only_where_their_absence_is_met() -> None:
    found = []
    for path in SOURCES:
        tree = parsed(path)
        met = {
            id(inside)
            for node in ast.walk(tree)
            if isinstance(node, ast.Try)
            or (
                isinstance(node, ast.With) and "suppress(ImportError)" in ast.unparse(node.items[0])
            )
            for inside in ast.walk(node)
        }
        for node in ast.walk(tree):
            names = (
                [alias.name for alias in node.names] if isinstance(node, ast.Import)
                else [node.module or ""] if isinstance(node, ast.ImportFrom)
                else []
            )  # fmt: skip
            if UNIX_MODULES & set(names) and id(node) not in met:
                found.append(where(path, node))
    assert found == []


def test_signals_of_unix_are_not_named_as_if_all_had_them() -> None:
    found = [
        where(path, node)
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in UNIX_SIGNALS
    ]
    assert found == []


def test_text_is_read_and_written_in_an_encoding_that_is_named() -> None:
    """Elsewhere than on Linux and macOS it would be the machine's own, such as cp1252."""
    found = []
    for path in SOURCES:
        for call in calls(path):
            owner, name = name_of(call)
            given = {keyword.arg for keyword in call.keywords}
            text_io = (
                name in {"read_text", "write_text"} and owner != "" and call_is_of_a_path(call)
            )
            opens = (owner, name) == ("", "open") or name in {"fdopen", "TextIOWrapper"}
            binary = any(
                isinstance(a, ast.Constant) and "b" in str(a.value) for a in call.args[1:2]
            )
            if (text_io or opens) and "encoding" not in given and not binary:
                found.append(where(path, call))
    assert found == []


def call_is_of_a_path(call: ast.Call) -> bool:
    """Not ``distribution(…).read_text("RECORD")``, which names a file of a package."""
    first = call.args[0] if call.args else None
    return not (isinstance(first, ast.Constant) and first.value == "RECORD")


def test_a_file_takes_the_place_of_another_by_replace_alone() -> None:
    """``rename`` fails on Windows where the other one is there."""
    found = [
        where(path, call)
        for path in SOURCES
        for call in calls(path)
        if name_of(call)[1] == "rename" and not call.keywords
    ]
    assert found == []


def test_every_file_of_the_repository_can_be_checked_out_anywhere() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False
    )  # fmt: skip
    names = [name.decode() for name in listed.stdout.split(b"\0") if name]
    if not names:
        pytest.skip("this is no git checkout")
    bad = set('<>:"|?*\\')
    assert [
        n for n in names if bad & set(n) or any(p.endswith((" ", ".")) for p in n.split("/"))
    ] == []
    assert [n for n in names if PureWindowsPath(n).is_reserved()] == []
    assert [n for n, count in Counter(n.casefold() for n in names).items() if count > 1] == []
    eol = subprocess.run(
        ["git", "check-attr", "eol", "--", "Makefile"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip
    assert "eol: lf" in eol, "a checkout on Windows would change line ends: see .gitattributes"


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_a_pipe_that_is_not_unicode_loses_letters_and_not_the_answer(
    tmp_path: Path, encoding: str
) -> None:
    db = tmp_path / "chats.db"
    said = "The cake \U0001f382 is from Zoë, 周家, at Łódź."
    log = write_log(tmp_path / "log", {"20260105_1000": (f"Ann: {said}",)})
    settings = Settings(db=db, model_dir=tmp_path, model="extractive")
    with ChatMemory.open(db, settings, embedder=WordEmbedder()) as memory:
        memory.add(log)
    environment = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        words = ["--db", str(db), *command]
        if encoding != "cp1252":
            return run_command(*words, environment=environment)
        return subprocess.run(  # Windows' own: as Python begins there
            [sys.executable, "-m", "minirag_chat", *words], encoding="utf-8", errors="replace",
            capture_output=True, check=False, env={**os.environ, **environment}, timeout=300,
        )  # fmt: skip

    shown = run("show", "1")
    assert shown.returncode == 0, shown.stderr
    assert "The cake ? is from Zo" in shown.stdout
    document = run("show", "1", "--json")
    assert document.stdout.isascii()
    assert said in json.dumps(json.loads(document.stdout), ensure_ascii=False)
    help_text = run("--help")
    assert help_text.returncode == 0
    assert "doctor" in help_text.stdout


def test_the_sample_is_never_put_among_your_messages_where_names_know_no_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside: list[Path] = []

    def no_launch(_memory: ChatMemory, samples: list[tuple[str, ChatMemory]], **_: object) -> str:
        beside.append(samples[0][1]._store.path)
        return ""

    monkeypatch.setattr(page_start, "launch", no_launch)
    for name in ("Sample.db", "SAMPLE.DB", "chats.db"):
        page_start.open_page(
            Settings(db=tmp_path / name, model_dir=tmp_path, model="extractive"), open_browser=False
        )
    assert [p.name for p in beside] == ["sample-corpus.db", "sample-corpus.db", "sample.db"]


@pytest.mark.parametrize(
    ("messages", "public", "shown"),
    [(True, False, False), (True, True, True), (False, False, True)],
)
def test_who_has_messages_does_not_wait_for_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, messages: bool, public: bool, shown: bool
) -> None:
    begun: list[tuple[int, bool]] = []

    def no_launch(_memory: ChatMemory, samples: list[object], *, job: object, **_: object) -> str:
        begun.append((len(samples), job is not None))
        return ""

    monkeypatch.setattr(page_start, "launch", no_launch)
    settings = Settings(
        db=tmp_path / "chats.db", model_dir=tmp_path, model="extractive", public=public
    )
    export = tmp_path / "WhatsApp Chat with Kim.txt"
    export.write_text("03/05/2024, 10:00 - Kim: hello\n", encoding="utf-8")
    if messages:
        with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
            memory.add(export)
    page_start.open_page(settings, open_browser=False)
    assert begun == [(int(shown), shown)]


def test_looking_for_jupyter_servers_ends_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jupyter_core", reason="jupyter_core is not installed")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        for pid in (other.pid, 2**22 + 1):
            told = {"url": "http://127.0.0.1:1/", "token": "", "pid": pid}
            (tmp_path / f"jpserver-{pid}.json").write_text(json.dumps(told), encoding="utf-8")
        assert [server.pid for server in running_servers()] == [other.pid]
        assert other.poll() is None
        other.communicate(b"\n")


# --- how it was installed ---------------------------------------------------------------------------


def test_what_is_missing_is_added_the_way_the_program_was_installed(tmp_path: Path) -> None:
    (tmp_path / "uv").mkdir()
    (tmp_path / "uv" / "uv-receipt.toml").touch()
    (tmp_path / "pipx").mkdir()
    (tmp_path / "pipx" / "pipx_metadata.json").touch()
    assert [way(tmp_path / name) for name in ("uv", "pipx", "venv")] == ["uv", "pipx", "pip"]
    assert how_to_install("torch", environment=tmp_path / "uv").startswith(
        "uv pip install --python "
    )
    assert how_to_add("mcp", tmp_path / "pipx").startswith("pipx inject minirag-chat ")
    assert how_to_add("mcp", tmp_path / "venv") == 'pip install "minirag-chat[mcp]"'
