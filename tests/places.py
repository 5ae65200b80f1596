"""Where things are, and the small chats that many tests share."""

from __future__ import annotations

import csv
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "corpora" / "osselmere"
SHARED = ROOT.parent / "shared"
SMALL_MODEL = "qwen2.5-coder-0.5b-instruct"
"""The real language model of the tests that need one."""

SMALL = {
    "20260105_1000": ("AnnaBerg: The piano tuner is called Walter Quint.", "TomHill: Is he expensive?",
                      "AnnaBerg: 90 euros, he comes on Thursday."),
    "20260107_1800": ("TomHill: I parked the van behind Harbour Street Bakery.",
                      "AnnaBerg: Who has the key?", "TomHill: Anna Berg, you have the key!"),
    "20260109_0900": ("AnnaBerg: Rehearsal moved to Saturday, says Sam.", "SamOrtiz: Yes, 4 PM in the old mill.",
                      "TomHill: I bring the drums."),
}  # fmt: skip


def write_log(folder: Path, sessions: dict[str, tuple[str, ...]]) -> Path:
    """Write sessions as LiHuaWorld logs."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, lines in sessions.items():
        text = "\n".join([f"Time: {stem[:11]}:{stem[11:]}", *lines])
        (folder / f"{stem}.txt").write_text(text, encoding="utf-8")
    return folder


def write_sms_backup(folder: Path) -> Path:
    """Write a backup of two text messages with Cy, whose owner it calls Me."""
    path = folder / "sms.xml"
    path.write_text(
        '<smses><sms address="+4915112345678" date="1700000000000" type="2" body="On my way" '
        'contact_name="Cy"/><sms address="+4915112345678" date="1700000060000" type="1" body="Good" '
        'contact_name="Cy"/></smses>',
        encoding="utf-8",
    )
    return path


def write_table(path: Path, *rows: tuple[str, str, str, str]) -> Path:
    """Write messages as a table: when they were sent, by whom, their texts, and their chats."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("sent_at", "sender", "text", "chat"), *rows])
    return path
