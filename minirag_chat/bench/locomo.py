"""LoCoMo (Maharana et al., ACL 2024) → a corpus as ``bench`` reads it, from the user's own copy.

Each conversation becomes a chat, and each question is asked of its own chat only. Each message is one
minute after the previous one, so that its time identifies it as evidence; a photo's caption follows its
text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from minirag_chat.bench.dataset import UNKNOWN, BenchQuestion, write_csv, write_questions
from minirag_chat.errors import ImportFailed
from minirag_chat.lazy_patterns import lazy
from minirag_chat.system.private_folders import make_folder

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5
_SESSION = lazy(r"session_(\d+)")
_EVIDENCE = lazy(r"D\d+:\d+")
_TIME = "%I:%M %p on %d %B, %Y"


def write_locomo(source: Path, to: Path) -> Path:
    """Write the file's conversations and questions to the folder ``to``, and return it.

    Raises ``ImportFailed`` if it is not LoCoMo as published.
    """
    try:
        conversations = json.loads(source.read_text(encoding="utf-8"))
        messages: list[tuple[str, ...]] = []
        questions: list[BenchQuestion] = []
        for number, one in enumerate(conversations):
            times: dict[str, datetime] = {}
            talk = one["conversation"]
            chat = f"{talk['speaker_a']} and {talk['speaker_b']} ({number + 1})"
            messages += _messages(talk, chat, times)
            questions += _questions(one["qa"], f"{number + 1}", chat, times)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ImportFailed(
            f"{source} is not LoCoMo as it is published ({type(error).__name__}: {error}): name the "
            "JSON file of its conversations."
        ) from error
    make_folder(to / "log")
    write_csv(to / "log" / "messages.csv", ("sent_at", "sender", "text", "chat"), messages)
    write_questions(to, questions)
    return to


def _messages(
    talk: Mapping[str, Any], chat: str, times: dict[str, datetime]
) -> Iterator[tuple[str, ...]]:
    """Rows of the sessions in order; fills ``times`` with each message's time by its id."""
    numbers = sorted(int(m[1]) for key in talk if (m := _SESSION.fullmatch(key)))
    for number in numbers:
        begun = datetime.strptime(talk[f"session_{number}_date_time"], _TIME)
        for minute, said in enumerate(talk[f"session_{number}"]):
            at = begun + timedelta(minutes=minute)
            times[said["dia_id"]] = at
            photo = f" [photo: {said['blip_caption']}]" if said.get("blip_caption") else ""
            yield f"{at:%Y-%m-%d %H:%M}", said["speaker"], said["text"] + photo, chat


def _questions(
    rows: list[Mapping[str, Any]], prefix: str, chat: str, times: Mapping[str, datetime]
) -> Iterator[BenchQuestion]:
    for number, row in enumerate(rows, start=1):
        named = _EVIDENCE.findall(" ".join(row.get("evidence", ())))
        evidence = tuple(times[one] for one in dict.fromkeys(named) if one in times)
        gold = UNKNOWN if row["category"] == ADVERSARIAL else str(row["answer"])
        kind = CATEGORIES[row["category"]]
        yield BenchQuestion(f"{prefix}-{number}", row["question"], gold, kind, evidence, chat)
