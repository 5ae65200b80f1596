"""Damaged exports in numbers: every command after the import of each, and what none of them may do.

    python tests/damage.py --count 1000 --seed 1
    python tests/damage.py --count 20000 --share 0.3
    python tests/damage.py --only 17 --seed 1 --keep case

A case is one of ``damaged_exports.py``. It is imported, asked, searched, looked at, exported, merged and
deleted, in a process of its own; with ``--share`` a part of this is drawn for each case, the import, the
second one and the deletion of everything always among it. A case fails with anything but one of our
errors in a sentence, with a step of over 30 s of processor time or over 500 MB for a file under 1 MB, or where
something of it can be found in the file after everything was deleted. Prints each failure with its
number, and at the end how many there were. Not a test: ``test_importers_damage.py`` runs a few of them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import sqlite3
import sys
import tempfile
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damaged_exports import CANARY, Case, case
from fakes import WordEmbedder

from minirag_chat import ChatMemory, MiniRagChatError, Settings
from minirag_chat.show.export import answers_json, answers_markdown

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST_SECONDS = 30.0  # of the processor, for each step; half a second is usual
MOST_BYTES = 500 * 1024 * 1024  # beyond what the process had before
PATIENCE = 300.0  # seconds of the clock; a machine may be busy
FORK = multiprocessing.get_context("fork")


@dataclass
class Outcome:
    """What one case came to: failures as sentences, and the slowest step."""

    failures: list[str] = field(default_factory=list)
    messages: int = 0
    refused: bool = False
    slowest: tuple[float, str] = (0.0, "")
    mega_bytes: int = 0


QUESTIONS = (
    "When did Ann Miller want to meet?", "What did we talk about lately?", "What happened in December 2021?",
    "How much did Ann pay?", "How many days were between the meeting and the tea?", "Who wrote last week?",
    "What did Bob say on 31 December 2021 at 18:12?", "Compare Ann Miller and Bob.",
)  # fmt: skip


def steps(
    memory: ChatMemory, given: Path, said: str | None
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every command, the import first."""
    answers: list[Any] = []
    yield "add", lambda: memory.add(given, time_zone="UTC", format=said)
    yield "add again", lambda: memory.add(given, time_zone="UTC", format=said)
    for question in QUESTIONS:
        yield f"ask {question!r}", lambda q=question: answers.append(memory.ask(q))
    yield "export", lambda: (answers_markdown(answers), json.loads(answers_json(answers)))
    yield "export of messages", lambda: memory.messages().frame().to_csv()
    yield "search", lambda: (memory.search("Ann meet tea 7"), memory.search(CANARY))
    yield "minirag", lambda: memory.retrieve("Where do Ann Miller and Bob meet?", "minirag")
    for look in ("chats", "people", "info", "messages", "entities", "relations", "suggestions",
                 "overview_questions", "suggest_people", "who_talks_to_whom", "deletions"):  # fmt: skip
        yield look, lambda name=look: repr(getattr(memory, name)())
    for unit in ("day", "month"):
        yield f"timeline by {unit}", lambda u=unit: repr(memory.timeline(u))
    yield "explain", lambda: memory.explain("Who brings the tea?")
    yield "show", lambda: [memory.conversation(m.id) for m in memory.messages()[:3]]
    yield "sound", lambda: sound(memory)
    yield "merge", lambda: memory.merge_people("Bob", "Ann Miller")
    yield "split", lambda: memory.split_person("Bob")
    yield "delete a message", lambda: memory.delete(messages=[m.id for m in memory.messages()[:1]])
    yield "restore", memory.restore
    yield "replace a name", lambda: memory.replace_name("Bob", "Person 7")
    yield (
        "delete a chat",
        lambda: memory.delete_chat(memory.chats()[0].id) if len(memory.chats()) > 1 else None,
    )
    yield "delete a person", lambda: memory.delete(people=["Ann Miller"])
    yield "delete everything", lambda: memory.delete(everything=True)
    yield "empty the trash", memory.empty_trash


def sound(memory: ChatMemory) -> None:
    """Raise ``AssertionError`` for a message that cannot be shown or stored as it is."""
    for message in memory.messages():
        for text in (message.text, message.sender, message.chat, message.forwarded_from or ""):
            odd = [c for c in text if unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t"]
            assert not odd, f"message {message.id} has {odd[:3]!a}"
        assert message.text.strip(), f"message {message.id} is empty"
        assert message.sender.strip(), f"message {message.id} has no sender"


ALWAYS = ("add", "add again", "sound", "delete everything", "empty the trash")


def tried(chosen: Case, folder: Path, left_out: Collection[int] = ()) -> Outcome:
    """Do everything with a case but the steps of these numbers."""
    found = Outcome()
    given = written(chosen, folder / "export")
    db = folder / "chats.db"
    begin = _peak()
    settings = Settings(db=db, model="extractive", model_dir=folder)
    with ChatMemory.open(db, settings, embedder=WordEmbedder()) as memory:
        for number, (name, step) in enumerate(steps(memory, given, chosen.format)):
            if number in left_out and name not in ALWAYS:
                continue
            begun = time.process_time()
            problem = _problem(step)
            took = time.process_time() - begun
            found.slowest = max(found.slowest, (took, name))
            if problem and problem.startswith("refused"):
                found.refused |= name == "add"
                problem = "" if problem.endswith((".", "?")) else problem
            if problem:
                found.failures.append(f"{name}: {problem}")
            if took > MOST_SECONDS:
                found.failures.append(f"{name}: took {took:.1f} s")
            if name == "add again":
                found.messages = len(memory.messages())
    found.mega_bytes = (_peak() - begin) // 2**20
    if found.mega_bytes * 2**20 > MOST_BYTES:
        found.failures.append(f"it took {found.mega_bytes} MB")
    found.failures += _left(db)
    return found


def _problem(step: Callable[[], Any]) -> str:
    try:
        with redirect_stdout(None):
            step()
    except MiniRagChatError as error:
        return f"refused: {error}"
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        return (
            f"{type(error).__name__}: {str(error)[:200]} ({Path(last.filename).name}:{last.lineno})"
        )
    return ""


def _left(db: Path) -> list[str]:
    """What is wrong with the file after everything was deleted."""
    with closing(sqlite3.connect(db)) as connection:
        (state,) = connection.execute("PRAGMA integrity_check").fetchone()
        (rows,) = connection.execute("SELECT COUNT(*) FROM message_text_docsize").fetchone()
    wrong = [] if state == "ok" else [f"the file is damaged: {state}"]
    wrong += [f"{rows} messages are left in the full text"] if rows else []
    raw = b"".join(file.read_bytes() for file in db.parent.glob("chats.db*"))
    return wrong + ([f"{CANARY} is left in the file"] if CANARY.encode() in raw.lower() else [])


def _peak() -> int:
    """The most memory that this process had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def written(chosen: Case, folder: Path) -> Path:
    """Write the files of a case; returns what is to be imported."""
    for path, data in chosen.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return folder if len(chosen.files) > 1 else folder / next(iter(chosen.files))


# --- many of them ------------------------------------------------------------------------------------


MOST_STEPS = 100


def _child(seed: int, number: int, share: float, to: Connection) -> None:
    drawn = random.Random(f"steps {seed} {number}")  # noqa: S311 - no secret
    left_out = {n for n in range(MOST_STEPS) if drawn.random() >= share}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = os.environ["XDG_DATA_HOME"] = folder
        to.send(tried(case(seed, number), Path(folder), left_out))


def apart(seed: int, number: int, share: float = 1.0) -> Outcome:
    """Try a case in a process of its own, which cannot hang or take this one along."""
    ours, theirs = FORK.Pipe()
    process = FORK.Process(target=_child, args=(seed, number, share, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(PATIENCE):
            return Outcome([f"it did not end in {PATIENCE:.0f} s"])
        found: Outcome = ours.recv()
        process.join(PATIENCE)  # it clears up after itself
    except EOFError:
        return Outcome(["the process ended without a word"])
    finally:
        process.kill()
        process.join()
    return found


@contextmanager
def _options() -> Iterator[argparse.Namespace]:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--count", type=int, default=100, help="how many cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--share", type=float, default=1.0, help="of the steps after the import")
    parser.add_argument("--only", type=int, help="this case alone")
    parser.add_argument("--keep", type=Path, help="with --only: write its files here too")
    yield parser.parse_args()


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Try them, and say what was found; returns 1 where anything was."""
    with _options() as asked:
        numbers = (
            range(asked.first, asked.first + asked.count) if asked.only is None else [asked.only]
        )
        if asked.only is not None and asked.keep:
            say(f"written: {written(case(asked.seed, asked.only), asked.keep)}")
        with tempfile.TemporaryDirectory() as folder:
            tried(
                case(1, 0), Path(folder)
            )  # what is imported when it is first needed, once for all
        kinds: Counter[str] = Counter()
        slowest, largest, refused, failed = (0.0, "", 0), (0, 0), 0, 0
        for done, number in enumerate(numbers, 1):
            found = apart(asked.seed, number, asked.share)
            slowest = max(slowest, (*found.slowest, number))
            largest = max(largest, (found.mega_bytes, number))
            refused += found.refused
            failed += bool(found.failures)
            if found.failures:
                chosen = case(asked.seed, number)
                say(f"case {number} ({chosen.name}; {', '.join(chosen.damages)}):")
                for failure in found.failures:
                    say(f"  {failure}")
                    kinds[failure.split(":")[-1][-60:]] += 1
            if done % 20 == 0:
                say(f"{done} done, {failed} failed, {refused} refused")
        say(
            f"{len(numbers)} cases, seed {asked.seed}: {failed} failed, {refused} refused; the slowest step "
            f"{slowest[0]:.1f} s of the processor ({slowest[1]}, case {slowest[2]}); at most {largest[0]} MB "
            f"more (case {largest[1]})"
        )
        for kind, times in kinds.most_common():
            say(f"  {times} x {kind}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
