"""Questions about how long people take to reply."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from places import SMALL, write_log, write_table
from three_chats import asked, memory_of
from typer.testing import CliRunner

from minirag_chat import ChatMemory
from minirag_chat.cli import app
from minirag_chat.show import page_log
from minirag_chat.show.flag import flag_of
from minirag_chat.show.page_tabs import Exchange

ANN, BEN = (3, 1, 4, 30, 2, 5), (20, 60, 45, 2 * 24 * 60, 90, 50)
"""Minutes after which they answer Tom; one of them is no reply any more."""


def opened(folder: Path) -> ChatMemory:
    """Tom's chats with Ann and Ben, and one with Cy, who answers three times."""
    rows = []
    at = datetime(2024, 3, 1, 12)
    for name, minutes in (("Ann", ANN), ("Ben", BEN), ("Cy", (1, 1, 1))):
        for n, later in enumerate(minutes):
            asks = at + timedelta(days=4 * n)
            answers = asks + timedelta(minutes=later)
            rows += [
                (f"{asks:%Y-%m-%d %H:%M}", "Tom", f"are you there {n}", name),
                (f"{answers:%Y-%m-%d %H:%M}", name, f"yes {later}", name),
                (f"{answers:%Y-%m-%d %H:%M}", name, "now", name),
            ]
    return memory_of(folder, "Tom", write_table(folder / "chats.csv", *rows))


@pytest.fixture(scope="module")
def repliers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("repliers")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "begin", "cited"),
    [
        ("Who replies fastest?", ("Ann (6 replies) [1] replies fastest: after 3 minutes, the median. "
         "Then Ben (50 minutes, 5) [2]."), ["yes 3", "yes 50"]),
        ("Who is the slowest to answer?", ("Ben (5 replies) [1] replies slowest: after 50 minutes, the median. "
         "Then Ann (3 minutes, 6) [2]."), ["yes 50", "yes 3"]),
        ("who takes ages to answer", "Ben (5 replies) [1] replies slowest: after 50 minutes", ["yes 50", "yes 3"]),
        ("who is bad at answering", "Ben (5 replies) [1] replies slowest: after 50 minutes", ["yes 50", "yes 3"]),
        ("whos fastest at replying", "Ann (6 replies) [1] replies fastest: after 3 minutes", ["yes 3", "yes 50"]),
        ("Who takes longest to reply to me?", "Ben (5 replies) [1] replies slowest to Tom: after 50 minutes",
         ["yes 50", "yes 3"]),
        ("How long does Ann take to reply to me?", ("Ann takes 3 minutes to reply to Tom, the median of 6 "
         "replies [1]. A reply is the next message in a chat after one from Tom, within a day."), ["yes 3"]),
        ("How fast does Ben usually answer?", "Ben takes 50 minutes to reply, the median of 5 replies [1].",
         ["yes 50"]),
        ("What is Ann's average response time?", "Ann takes 3 minutes to reply, the median", ["yes 3"]),
        ("How long does Cy take to reply?", "Cy has fewer than 5 replies, too few to say", []),
        ("Wer antwortet am langsamsten?", "Ben (5 replies) [1] replies slowest: after 50 minutes",
         ["yes 50", "yes 3"]),
        ("Who replies fastest to Cy?", "Nobody has 5 replies to Cy, too few to say", []),
        ("How long do I take to reply to Ann?", "Tom has fewer than 5 replies to Ann, too few", []),
    ],
)  # fmt: skip
def test_the_median_time_is_that_of_the_next_message_after_somebody_elses(
    repliers: ChatMemory, question: str, begin: str, cited: list[str]
) -> None:
    answer = asked(repliers, question)
    assert answer.text.startswith(begin), answer.text
    assert [source.message.text for source in answer.sources] == cited
    if cited[1:]:
        assert answer.text.endswith(" fewer than 5."), answer.text


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("who replies faster ann or ben", "Ann (6 replies) [1] replies fastest: after 3"),
        ("does Ann reply faster than Ben", "Yes: Ann (6 replies) [1] replies fastest: after 3"),
        ("do I reply faster than Ben?", "Ben (5 replies) [1] replies fastest: after 50"),
        ("who replies faster me or ben", "Ben (5 replies) [1] replies fastest: after 50"),
        ("who is slower to answer, ann or ben", "Ben (5 replies) [1] replies slowest: after 50"),
        ("who is slower to answer ann or ben", "Ben (5 replies) [1] replies slowest: after 50"),
        (
            "who answers me faster, ann or ben?",
            "Ann (6 replies) [1] replies fastest to Tom: after 3",
        ),
        (
            "who replies fastest to ann or ben?",
            "Nobody has 5 replies to Ann and Ben",
        ),
    ],
)
def test_those_of_whom_one_is_asked_for_are_compared(
    repliers: ChatMemory, question: str, begin: str
) -> None:
    answer = asked(repliers, question)
    assert answer.text.startswith(begin), answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How long does Ann take to answer the phone?",
        "Who replied fastest to the invitation?",
        "How long did it take Ann to reply about the roof?",
    ],
)
def test_what_asks_for_one_reply_is_looked_up(repliers: ChatMemory, question: str) -> None:
    assert asked(repliers, question).model != "none"


def test_the_other_end_is_asked_for_after_it(repliers: ChatMemory) -> None:
    earlier = [("Who replies fastest?", "Ann")]
    answer = repliers.ask("And the slowest?", history=earlier)
    assert answer.text.startswith("Ben (5 replies) [1] replies slowest")


def test_an_export_with_one_time_for_a_conversation_says_nothing_of_replies(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(write_log(tmp_path / "log", SMALL))
    answer = asked(memory, "Who replies fastest?")
    assert answer.text.startswith("I cannot say how long replies take: the export has one time")
    assert not answer.sources
    assert (answer.abstained, answer.reason) == (True, "not_recorded")
    assert "confidence" not in flag_of(answer)[1]
    shown = page_log.log([Exchange(answer.question, text="", answer=answer)], 0)
    assert "the export has one time" in shown
    typed = ["--db", str(tmp_path / "chats.db"), "ask", answer.question, "--model", "extractive"]
    said = CliRunner().invoke(app, typed, env={"COLUMNS": "200"}).stdout
    assert said.count("I cannot say how long") == 1
    assert "closest" not in said


@pytest.mark.both_stores
def test_both_stores_measure_replies_alike(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        assert asked(memory, "Who replies fastest?").text.startswith("Ann (6 replies) [1] replies")
