"""The account of an import on the page: everything that was read, guessed and left out."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from canned import HOSTILE

from minirag_chat import ChatMemory
from minirag_chat.errors import ImportFailed
from minirag_chat.records import Decision, ImportReport, Skipped
from minirag_chat.show.page_report import report
from minirag_chat.ui_text import on_the_page

EXPORT = """03/04/26, 18:05 - Nina Vale: The boat is blue. <This message was edited>
04/04/26, 18:06 - Tom Hill: Lovely name.
05/04/26, 18:07 - Tom Hill: IMG-1.jpg (file attached)
05/04/26, 19:06 - Messages and calls are end-to-end encrypted.
"""


def test_a_real_import_shows_its_doubt_its_zone_and_its_attachments(
    memory: ChatMemory, tmp_path: Path
) -> None:
    file = tmp_path / "WhatsApp Chat with Nina.txt"
    file.write_text(EXPORT, encoding="utf-8")
    shown = report(memory.add(file))
    assert "3 new messages" in shown
    assert "1 attachment (name kept, not its content)" in shown
    assert "Please check: WhatsApp Chat with Nina.txt: date order day first" in shown
    assert "3 messages could be read differently" in shown
    assert (
        "delete the chat, choose it under “How the next files are read”, and add the file again"
        in shown
    )
    assert "date_order" not in shown
    assert "minirag-chat" not in shown
    assert "<dt>Time zone</dt>" in shown
    assert "<dt>System lines</dt><dd>1, left out</dd>" in shown
    assert "Nina Vale, Tom Hill" in shown
    assert "3 Apr 2026 to 5 Apr 2026" in shown


def test_what_was_skipped_is_listed_with_line_and_reason() -> None:
    skipped = tuple(Skipped("a.csv", f"no sender {n}", n) for n in range(1, 60))
    shown = report(ImportReport(5, 3, 1, skipped=skipped, notes=("A note.",)))
    assert "2 known already" in shown
    assert "59 lines or files left out" in shown
    assert "a.csv, line 7: no sender 7" in shown
    assert "and 9 more" in shown
    assert "A note." in shown


def test_messages_that_were_edited_since_are_counted_apart() -> None:
    shown = report(ImportReport(5, 1, 1, messages_updated=2))
    assert "1 new message" in shown
    assert "2 updated" in shown
    assert "2 known already" in shown


def test_hostile_names_in_a_report_are_text() -> None:
    evil = HOSTILE[0]
    done = ImportReport(
        1, 1, 1, chats=(evil,), people=(evil,), formats={evil: 1}, files=1,
        first=datetime(2026, 4, 3), last=datetime(2026, 4, 3), skipped=(Skipped(evil, evil),),
        notes=(evil,), time_zone=evil,
        decisions=(Decision(evil, "encoding", evil, certain=True, option="encoding"),
                   Decision(evil, "date order", evil, certain=False, option=evil, messages=1)),
    )  # fmt: skip
    assert "<script" not in report(done)


def test_a_file_that_is_no_chat_is_refused_on_the_page_without_commands(
    memory: ChatMemory, tmp_path: Path
) -> None:
    file = tmp_path / "list.txt"
    file.write_text("milk\neggs\n", encoding="utf-8")
    with pytest.raises(ImportFailed) as raised:
        memory.add(file)
    assert "`minirag-chat" in str(raised.value), "as the command says it"
    said = on_the_page(str(raised.value))
    assert said == "list.txt was not recognised as a chat export: export the chat as its app does."


def test_a_second_self_is_joined_by_the_pencil_on_the_page() -> None:
    note = (
        "Me in this export is probably you, as Ann is: if so, `minirag-chat people merge Me Ann`."
    )
    said = "Me in this export is probably you, as Ann is: if so, join the two with the pencil beside the name."
    assert said in report(ImportReport(5, 1, 1, notes=(note,)))
