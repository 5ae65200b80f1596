"""A run of one character, anywhere in an export, costs time by its length; whatever is long is bounded."""

from __future__ import annotations

import contextlib
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from dialects import spoken, write
from golden import GOLDEN, TALK, main_file, sender_in
from growth import assert_by_length, processor_seconds

from minirag_chat.errors import ImportFailed
from minirag_chat.importers import ImportOptions, stream_export
from minirag_chat.importers.limits import LARGEST_PART, LONGEST_LINE, LONGEST_NAME, LONGEST_TEXT
from minirag_chat.records import ParsedChat, ParsedExport, ParsedMessage

# What begins or ends something in one format or another, or could where a pattern is careless.
RUNS = (
    *"[](){}<>|,;:\"'\\/&#.!@*=+-~_^%$1x \t\n\u200e\u0301\u4e2d\u5e74\U0001f600",
    *("[1]", "[](/", "](/", "(- ", "(( ", "> ", "- ", ": ", "1/", "1.", "12:", "a_", "a.b ", "_1"),
    *(
        "&#1;",
        "&amp;",
        "<a ",
        "<div>",
        '<div class="bubble">',
        "\u200e<",
        "<edited",
        "<title>",
        "{}",
    ),
    *("at ", "mars ", "[1] ", "Edited ", '"guild":{', '"timestamp_ms":', 'class="message"', "\n\n"),
)
SHARE = 3
"""Each format meets every third run, the next one the next third: all runs meet a third of the formats."""
LENGTH = 12_000
MOST_TIMES = 50
"""Times the median of the runs; a newline, which begins as many lines, has at most 25 of them."""


def splices(name: str, run: str) -> Iterator[bytes]:
    """The export with the run at the date, sender and text of a message, and at its beginning."""
    _, text = main_file(name)
    long = (run * LENGTH)[:LENGTH]
    places = {0}
    for mark in ("Ann Miller", "Shall we", "meet at 7", ":05", "18:05", "2021", "Dec"):
        at = text.find(mark)
        places |= {at, at + len(mark)} if at >= 0 else set()
    for place in sorted(places):
        yield (text[:place] + long + text[place:]).encode("utf-8", "replace")


def seconds(folder: Path, name: str, run: str) -> float:
    """Processor time to read the export with the run in each place."""
    path, _ = main_file(name)
    given = write(folder, GOLDEN[name](TALK))
    spent = 0.0
    for data in splices(name, run):
        (folder / path).write_bytes(data)
        spent += processor_seconds(lambda: streamed(given, name))
    return spent


def streamed(path: Path, name: str = "") -> None:
    with contextlib.suppress(ImportFailed):
        for _ in stream_export(path, ImportOptions(time_zone="UTC", format=name or None)):
            pass


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_no_long_run_costs_much_more_time_than_the_others(name: str, tmp_path: Path) -> None:
    # what is no date is sought in all languages, which costs the table the same each time
    share = 8 if name == "table" else SHARE
    runs = RUNS[list(GOLDEN).index(name) % share :: share]
    seconds(tmp_path, name, runs[0])
    spent = {run: seconds(tmp_path, name, run) for run in runs}
    most = MOST_TIMES * median(spent.values()) + 0.1
    again = [run for run, took in spent.items() if took > most]
    assert [
        run for run in again if min(seconds(tmp_path, name, run) for _ in range(2)) > most
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "run"),
    [
        ("[2021-12-31, 18:05] Ann: ", "["),
        ("[2021-12-31, 18:05] Ann: ", "[](/"),
        ("12/31/21, 18:05 - Ann: <edited>", "\n"),
        ("12/31/21, 18:05 - Ann: ", "<edited"),
        ("12/31/21\u200e", "\u200e"),
        ('[LINE] Chat history with Ann\n2021/12/31\n18:05\tAnn\t"so', "\n2021/12/31"),
        ("Time: 20211231_18:05\nAnn: hello\n", "{n}a: x\n"),
    ],
)
def test_what_was_once_slow_costs_time_by_its_length(head: str, run: str, tmp_path: Path) -> None:
    def took(length: int) -> float:
        path = tmp_path / "chat.txt"
        runs = (
            run.replace("{n}", chr(0x4E00 + n % 9000) + chr(0x4E00 + n // 9000))
            for n in range(length)
        )
        path.write_text(head + "".join(runs) + ">", encoding="utf-8")
        return processor_seconds(lambda: streamed(path))

    assert_by_length(took, 800)


# --- what is too long ----------------------------------------------------------------------------------


def imported(path: Path, **options: str) -> tuple[list[ParsedMessage], list[ParsedExport]]:
    messages: list[ParsedMessage] = []
    accounts: list[ParsedExport] = []
    for _, piece in stream_export(path, ImportOptions(time_zone="UTC", **options)):
        if isinstance(piece, ParsedChat):
            messages += piece.messages
        elif isinstance(piece, ParsedExport):
            accounts.append(piece)
    messages.sort(key=lambda m: m.sent_at)  # an export with the newest first comes in pieces
    return messages, accounts


@pytest.mark.parametrize("name", sorted(set(GOLDEN) - {"table", "wechat", "linkedin"}))
@pytest.mark.parametrize(
    "length",
    [LONGEST_TEXT + 1_000, pytest.param(LARGEST_PART + LONGEST_LINE, marks=pytest.mark.slow)],
)
def test_a_message_too_long_is_cut_and_the_report_says_so(
    name: str, length: int, tmp_path: Path
) -> None:
    by_line = name in ("signal", "signal-json", "sms-lines", "mattermost")
    if length > LONGEST_LINE and (by_line or name in ("sms", "google-voice") or "-html" in name):
        pytest.skip("the test below")
    said = "sea " * (length // 4)
    talk = (TALK[0], (TALK[1][0], "Bob", said), *TALK[2:])
    given = write(tmp_path, GOLDEN[name](talk))
    messages, accounts = imported(given)
    senders = [spoken(context, m.sender) for context in accounts[:1] for m in messages]
    assert senders == [spoken(accounts[0], sender_in(name, who)) for _, who, _ in talk]
    assert len(messages[1].text) <= LONGEST_TEXT
    assert said.startswith(messages[1].text[: LONGEST_TEXT - 1_000])
    assert messages[2].text == talk[2][2]
    (note,) = (note for a in accounts for note in a.notes if "were cut there" in note)
    left_out = int(note.split(": ")[1].split(" ")[0].replace(",", ""))
    assert abs(left_out - (len(said) - LONGEST_TEXT)) <= 1_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "signal",
        "signal-json",
        "telegram-html",
        "imessage-html",
        "discord-html",
        "google-voice",
        "sms",
        "sms-lines",
        "mattermost",
        "table",
        "linkedin",
    ],
)
def test_what_is_far_too_long_is_named_and_the_others_stay(name: str, tmp_path: Path) -> None:
    last = (TALK[-1][0], "Bob", "x" * (LARGEST_PART + LONGEST_LINE))
    messages, accounts = imported(write(tmp_path, GOLDEN[name]((*TALK, last))))
    assert [m.text for m in messages][: len(TALK)] == [said for _, _, said in TALK]
    assert any(context.skipped for context in accounts)


def test_a_long_name_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    path.write_text(f"date,sender,text,chat\n2021-12-31 18:05,{'Ann ' * 999},hi,{'Sea ' * 999}\n")
    [message], _ = imported(path)
    assert len(message.sender) <= LONGEST_NAME


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["y", "so it be \U0001f600", "x\n"])
def test_a_very_long_message_takes_little_memory(unit: str, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    with path.open("w", encoding="utf-8") as file:
        file.write("12/31/21, 18:05 - Ann: ")
        for _ in range(2):
            file.write(unit * (250_000 // len(unit)))
        file.write("\n12/31/21, 18:06 - Bob: ok\n")
    tracemalloc.start()
    messages, _ = imported(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [m.sender for m in messages] == ["Ann", "Bob"]
    assert peak < 10_000_000, "a list of the lines would have more"
