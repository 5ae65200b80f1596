"""What is asked of days still to come is found in the messages that plan them, however these write the day."""

from __future__ import annotations

from pathlib import Path

import pytest
from three_chats import memory_of

from minirag_chat import ChatMemory
from minirag_chat.memory.finding import Finding
from minirag_chat.records import Filters
from minirag_chat.retrieve.plans_ahead import plans_ahead, plans_over

CHAT = """\
11/12/2025, 10:00 - Kim: december again, so much to plan
12/12/2025, 10:01 - Lou: what is planned for december
24/12/2025, 12:00 - Kim: happy december to all
16/11/2026, 16:01 - Kim: dinner with the choir, fri 11 dec at seven
17/11/2026, 09:15 - Lou: the boiler man comes on the 3rd of next month
20/11/2026, 09:20 - Kim: my sister moved here in march
21/11/2026, 09:30 - Lou: she was planning that for ages
"""


@pytest.fixture
def plans(tmp_path: Path) -> ChatMemory:
    """Two people who write in December 2025 and in November 2026."""
    export = tmp_path / "WhatsApp Chat with Kim.txt"
    export.write_text(CHAT, encoding="utf-8")
    return memory_of(tmp_path, "Lou", export)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is planned for 11 December?", "dinner with the choir"),
        ("What do I have on the 11th of December?", "dinner with the choir"),
        ("What is happening on 3 December?", "the boiler man"),
    ],
)
def test_a_day_to_come_is_looked_for_in_what_is_planned(
    plans: ChatMemory, question: str, first: str
) -> None:
    assert plans.retrieve(question)[0].message.text.startswith(first)


def test_a_month_to_come_brings_its_plans_before_the_same_month_last_year(
    plans: ChatMemory,
) -> None:
    found = [
        evidence.message.text[:6] for evidence in plans.retrieve("What is coming up in December?")
    ]
    assert {*found[:2]} == {"dinner", "the bo"}


def test_a_day_that_is_over_is_looked_for_as_before(plans: ChatMemory) -> None:
    found = plans.retrieve("What did Kim write on 24 December 2025?")
    assert found[0].message.text == "happy december to all"


@pytest.mark.parametrize("me", ["Lou", "Lou Vasquez-Lind", "Lou O'Brien"])
@pytest.mark.parametrize(
    "question",
    [
        "What do I have on 11 December?",
        "Do I have anything on 11 December?",
        "Am I free on the 11th of December?",
        "what am i doing on 11 december",
        "am I busy on Friday 11 December?",
    ],
)
def test_what_the_asker_has_on_a_day_is_listed_whatever_their_name(
    tmp_path: Path, me: str, question: str
) -> None:
    export = tmp_path / "WhatsApp Chat with Kim.txt"
    export.write_text(CHAT.replace("Lou:", f"{me}:"), encoding="utf-8")
    with memory_of(tmp_path, me, export) as memory:
        text = memory.ask(question).text
    assert text.startswith("- For 11 December 2026: Kim, 16 November 2026"), text
    assert "boiler" not in text


SHIFTS = """\
03/11/2026, 10:00 - Kim: rehearsal on the 5th, bring the notes
10/11/2026, 10:00 - Lou: that was a loud rehearsal
16/11/2026, 10:00 - Kim: she wants her 40 by friday
16/11/2026, 10:05 - Lou: and rehearsal again on 2 december
"""
OVER, DUE = "rehearsal on the 5th, bring the notes", "she wants her 40 by friday"


@pytest.mark.parametrize(
    ("question", "ahead", "over"),
    [
        ("What do I have to pay this week?", [DUE], []),
        ("What did I have to pay this week?", [], []),
        ("Who was late this week?", [], []),
        ("When is our next rehearsal?", [], [OVER]),
        ("Which rehearsals are coming up?", [], [OVER]),
        ("When was our next rehearsal?", [], []),
        ("When is the rehearsal next to the church?", [], []),
    ],
)
def test_a_question_for_what_is_to_come_knows_what_is_over(
    tmp_path: Path, question: str, ahead: list[str], over: list[str]
) -> None:
    export = tmp_path / "WhatsApp Chat with Kim.txt"
    export.write_text(SHIFTS, encoding="utf-8")
    with memory_of(tmp_path, "Lou", export) as memory:
        finding = memory.part(Finding)
        with memory._store.reading():
            search = finding.search_for_lookup(question, Filters())
            found = [*plans_ahead(search).tolist()], [*plans_over(search).tolist()]
            texts = [[*search.store.messages.by_ids(ids).values()] for ids in found]
    assert [[message.text for message in said] for said in texts] == [ahead, over]
