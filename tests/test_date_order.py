"""3/4/2026 is 3 April for some and 4 March for others: nobody is taken at a word that they did not say."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadQuestion, NotFound
from minirag_chat.records import Answer
from minirag_chat.times import NumericOrder, doubt, message_times, no_such_day, spelled_out
from minirag_chat.ui_text import MAY_HAVE_CHANGED

NOW = datetime(2026, 11, 27, 12)
ASKED = "What did Anna paint on 3/4/2026?"
TOLD = {
    "20260304_1000": ("AnnaBerg: Painted the fence today.", "KatyaMoor: Which colour?"),
    "20260403_1000": ("AnnaBerg: Painted the boat today.", "KatyaMoor: At last!"),
}


def ask(folder: Path, order: str) -> Answer:
    settings = Settings.make(db=folder / "chats.db", date_order=order, abstain_below=0)
    model = ScriptedModel()
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        memory.add(write_log(folder / "log", TOLD))
        return memory.ask(ASKED, history=[])


def days(answer: Answer) -> set[str]:
    return {node.detail[:10] for node in answer.path.nodes if node.type == "time"}


@pytest.mark.parametrize(("order", "day"), [("dmy", "2026-04-03"), ("mdy", "2026-03-04")])
def test_the_setting_says_which_day_is_meant(tmp_path: Path, order: str, day: str) -> None:
    answer = ask(tmp_path, order)
    assert day in days(answer)
    assert answer.question == ASKED
    assert not answer.note


def test_without_it_such_a_question_is_refused_with_both_days(tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match="may be 3 April 2026 or 4 March 2026: write the month"):
        ask(tmp_path, "")


def test_a_filter_that_may_be_two_days_is_refused_with_both(small: ChatMemory) -> None:
    with pytest.raises(NotFound, match="3 April 2026 or 4 March 2026: write it as"):
        small.ask("Where is the van?", since="3/4/2026")


def test_a_day_without_a_year_is_the_last_one_or_asked_about(small: ChatMemory) -> None:
    text = small.ask("How many messages on 31/10?").text
    assert text.startswith("There are no messages on 31 October 2025. Your messages begin on")
    with pytest.raises(BadQuestion, match="3/4 may be 3 April or 4 March: write the month"):
        small.ask("How many messages on 3/4?")


@pytest.mark.parametrize(
    ("text", "as_dmy", "as_mdy"),
    [
        ("on 1/2/26.", "on 1 February 2026.", "on 2 January 2026."),
        (
            "from 25/12/2025 to 5/5/2026",
            "from 25 December 2025 to 5 May 2026",
            "from 25 December 2025 to 5 May 2026",
        ),
        (
            "flat 3/4/2026/b, 13/13/2026",
            "flat 3/4/2026/b, 13/13/2026",
            "flat 3/4/2026/b, 13/13/2026",
        ),
        ("on 19/8?", "on 19 August?", "on 19 August?"),
        (
            "What was on 8/19 in the garden?",
            "What was on 19 August in the garden?",
            "What was on 19 August in the garden?",
        ),
        ("am 5/6", "am 5 June", "am 6 May"),
        ("since 1/12.", "since 1 December.", "since 12 January."),
        (
            "between 19/8 and 21/8?",
            "between 19 August and 21 August?",
            "between 19 August and 21 August?",
        ),
        ("on 19/8 or 2/9", "on 19 August or 2 September", "on 19 August or 9 February"),
        ("on 3/4/2026 and", "on 3 April 2026 and", "on 4 March 2026 and"),
        ("on 3.4.2026", "on 3 April 2026", "on 3 April 2026"),
        ("on 20260616?", "on 16 June 2026?", "on 16 June 2026?"),
        ("2026-06-16, 2026/6/7", "16 June 2026, 7 June 2026", "16 June 2026, 7 June 2026"),
        ("at 2026-06-16 13:00", "at 2026-06-16 13:00", "at 2026-06-16 13:00"),
        ("v1.2.2026, 20261399", "v1.2.2026, 20261399", "v1.2.2026, 20261399"),
        ("on 3/4/0000", "on 3/4/0000", "on 3/4/0000"),
        ('"meet on 3/4/2026"', '"meet on 3/4/2026"', '"meet on 3/4/2026"'),
        (
            'wrote "on 3/4/2026" on 1/2/26 and 2/3/26',
            'wrote "on 3/4/2026" on 1 February 2026 and 2 March 2026',
            'wrote "on 3/4/2026" on 2 January 2026 and 3 February 2026',
        ),
    ],
)
def test_dates_in_digits_are_spelled_out_in_the_order_asked_for(
    text: str, as_dmy: str, as_mdy: str
) -> None:
    assert (spelled_out(text, NOW, "dmy"), spelled_out(text, NOW, "mdy")) == (as_dmy, as_mdy)
    assert bool(doubt(text, NOW)) is (as_dmy != as_mdy)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("on 13/5/98?", "on 13 May 1998?"), ("am 24.12.99", "am 24 December 1999"),
        ("on 13/5/76?", "on 13 May 1976?"), ("on 13/5/75?", "on 13 May 2075?"),
    ],
)  # fmt: skip
def test_a_year_of_two_digits_is_at_most_half_a_century_away(text: str, written: str) -> None:
    assert spelled_out(text, NOW) == written


@pytest.mark.parametrize(
    "text",
    [
        "on 9/10 days", "open 24/7", "split it 50/50", "on 50/50?", "won 5/3", "from 7/10 to 9/10", "flat 3/4",
        "between 1/2 and 3/4 of it", "on 2/3 of them", "since 9/11", "on 1/2.5", "on 120/6", "on the 3/4", "on B20/6",
        "on 3/4 time",
    ],
)  # fmt: skip
def test_points_and_parts_are_no_dates(text: str) -> None:
    assert spelled_out(text, NOW, "dmy") == text
    assert not doubt(text, NOW)
    assert not no_such_day(text)


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What was said on 31.2.2026?", "31.2.2026"),
        ("What did Ann write on 31. 4.?", "31. 4."),
        ("Since 2026-02-30?", "2026-02-30"),
        ("How many messages since 2026-13-02?", "2026-13-02"),
        ("Who came on the 31st of June?", "31st of June"),
        ("Who came on February 29, 2025?", "February 29, 2025"),
        ("Who came on 30 Feb?", "30 Feb"),
        ("Who came on 31/6?", "31/6"),
        ("Who came on 31/02/2026, or 02/30/2026?", "31/02/2026"),
    ],
)
def test_a_day_that_no_calendar_has_is_said_to_be_missing(
    small: ChatMemory, question: str, missing: str
) -> None:
    with pytest.raises(BadQuestion, match=re.escape(f"No calendar has a {missing!r}")):
        small.ask(question)


@pytest.mark.parametrize(
    "question",
    [
        "What was said on 29 February 2024?", "Is 29.2. a Sunday?", "Who has version 31.2.1 or 30.2.5?",
        "Did 31 people come in February?", "What is at 31.2.5.1?", "Who paid 30.20?", "On 28.2.2026?",
        "Did April 30 work?", "In April 31 people came to the party, who?", "In February 30 years ago, who came?",
        "What did the 31 April posted say?", "What is in section 31.6.?", "Who has release 31.11. installed?",
        "What is in invoice 2026-13-02?", "Who wrote on 1403-04-31?", "What was on 29.2.2567?", 'Who wrote "see you on 31 June"?', "On 12/31/2026?",
        "Who came on 30 \u017fep?", "What does chapter 31 say about June?", "Is June 31:30 long?",
    ],
)  # fmt: skip
def test_other_numbers_are_no_missing_days(question: str) -> None:
    assert no_such_day(question) == ""


WRITTEN = {
    "dmy": "[04/03/2026, 10:00:00] Anna: Painted the fence today.\n[03/04/2026, 10:00:00] Anna: Painted the boat today.\n"
    "[25/04/2026, 10:00:00] Katya: At last!\n",
    "mdy": "[3/4/26, 10:00:00 AM] Anna: Painted the fence today.\n[4/3/26, 10:00:00 AM] Anna: Painted the boat today.\n"
    "[4/25/26, 10:00:00 AM] Katya: At last!\n",
    "": "[2026-03-04, 10:00:00] Anna: Painted the fence today.\n[2026-04-03, 10:00:00] Anna: Painted the boat today.\n",
}  # fmt: skip


def written_memory(folder: Path, *orders: str) -> ChatMemory:
    """A memory of one chat whose exports write dates in these orders."""
    settings = Settings.make(model="extractive", model_dir=folder, abstain_below=0)
    memory = ChatMemory.open(folder / "chats.db", settings, embedder=WordEmbedder())
    for order in orders:
        file = folder / f"WhatsApp Chat with Katya {order}.txt"
        file.write_text(WRITTEN[order])
        memory.add(file)
    return memory


@pytest.mark.parametrize(("order", "said"), [("dmy", "boat"), ("mdy", "fence")])
def test_the_order_that_an_export_proves_is_that_of_questions(
    tmp_path: Path, order: str, said: str
) -> None:
    with written_memory(tmp_path, order, "") as memory:
        assert said in memory.ask(ASKED, history=[]).text


@pytest.mark.parametrize("orders", [("",), ("dmy", "mdy")])
def test_exports_that_prove_no_order_or_both_decide_nothing(
    tmp_path: Path, orders: tuple[str, ...]
) -> None:
    with (
        written_memory(tmp_path, *orders) as memory,
        pytest.raises(BadQuestion, match="may be 3 April 2026 or 4 March 2026"),
    ):
        memory.ask(ASKED, history=[])


SENT = datetime(2026, 11, 30, 9)
MOVED = "Your appointment on 03/12/2026 has been moved to 07/12/2026 at 15:40 with Dr Lowe."


@pytest.mark.parametrize(
    ("text", "order", "named"),
    [
        (MOVED, "dmy", {"03/12/2026": "2026-12-03T00:00", "07/12/2026 at 15:40": "2026-12-07T15:40"}),
        (MOVED, "mdy", {"03/12/2026": "2026-03-12T00:00", "07/12/2026 at 15:40": "2026-07-12T15:40"}),
        (MOVED, None, {}),
        ("Be there at 15:40 on 07/12/2026", None, {}),
        ("On 25/12/2026 at 9:00", None, {"On 25/12/2026 at 9:00": "2026-12-25T09:00"}),
        ("Due 7/12/26, fee 1/2/3/4", "dmy", {"7/12/26": "2026-12-07T00:00"}),
        ("Mon 07/12/2026", "mdy", {"Mon 07/12/2026": "2026-12-07T00:00"}),
        ("7/12/26, then 1/2/27, then 24 December", "mdy", {
            "7/12/26": "2026-07-12T00:00", "1/2/27": "2027-01-02T00:00", "24 December": "2026-12-24T00:00",
        }),
    ],
)  # fmt: skip
def test_in_messages_such_a_date_is_read_where_the_order_is_known(
    text: str, order: NumericOrder | None, named: dict[str, str]
) -> None:
    found = message_times(text, SENT, order=order)
    told = {text[one.left : one.right]: f"{one.start:%Y-%m-%dT%H:%M}" for one in found}
    assert {key.removeprefix("On ") for key in told} == {key.removeprefix("On ") for key in named}
    assert [*told.values()] == [*named.values()]


@pytest.mark.parametrize(
    ("text", "named", "day"),
    [
        ("dentist moved to 7/12 at 15:40", "7/12 at 15:40", "2026-12-07T15:40"),
        ("rent is due 3/12, ok", "3/12", "2026-12-03T00:00"),
        ("the party is on 7/12!", "7/12", "2026-12-07T00:00"),
        ("w/c 7/12 I'm away, w/c 14/12 she is", "w/c 7/12", "2026-12-07T00:00"),
        ("lease runs until 5/1", "until 5/1", "2027-01-05T00:00"),
        ("I saw her on 3/10", "3/10", "2026-10-03T00:00"),
        ("fee due 12/25", "12/25", "2026-12-25T00:00"),
    ],
)
def test_without_a_year_it_is_the_near_day_in_that_order(text: str, named: str, day: str) -> None:
    first = next(message_times(text, SENT, order="dmy"))
    assert (text[first.left : first.right], f"{first.start:%Y-%m-%dT%H:%M}") == (named, day)


@pytest.mark.parametrize(
    "text",
    [
        "we're on 4/6 now", "I'm on 4/6.", "won 7/12 on the quiz", "9/10 would go again", "rated it 9/10 at 20:00",
        "cut it by 1/2", "3/4 at 20:00", "since 9/11", "on 24/7", "on 7/12 of them", "free on 5/6?", "flat 3/4",
        "7/12", "on 30/2", "on B7/12", "w/c 1/2/3",
    ],
)  # fmt: skip
def test_parts_scores_and_weekends_of_messages_are_no_such_dates(text: str) -> None:
    times = message_times(text, SENT, order="dmy")
    assert not [one for one in times if "/" in text[one.left : one.right]]


DAYS = {"dmy": ("03/12/2026", "07/12/2026"), "mdy": ("12/03/2026", "12/07/2026")}
TEACHING = {
    "dmy": "25/11/2026, 10:00 - Ann: Hello\n26/11/2026, 10:00 - Bob: Hi\n",
    "mdy": "11/25/26, 10:00 AM - Ann: Hello\n11/26/26, 10:00 AM - Bob: Hi\n",
}


def surgery_log(folder: Path, order: str) -> Path:
    """An appointment on 3 December that is moved to 7 December, written in an order."""
    old, new = DAYS[order]
    lines = (
        f"FishpondsSurgery: Your appointment with Dr Sharma is on {old} at 11:10.",
        f"FishpondsSurgery: Your appointment on {old} has been moved to {new} at 15:40 with Dr Lowe.",
    )
    return write_log(folder, {"20261130_0905": lines})


def surgery(
    folder: Path, written: str, *, taught: str = "", first: bool = True, setting: str = ""
) -> ChatMemory:
    """A memory with the surgery's messages, and before or after these a chat whose export has an order."""
    folder.mkdir(exist_ok=True)
    settings = Settings.make(db=folder / "chats.db", date_order=setting, model="extractive")
    memory = ChatMemory.open(settings.db, settings, embedder=WordEmbedder())
    files = [surgery_log(folder / "log", written)]
    if taught:
        chat = folder / "WhatsApp Chat with Bob.txt"
        chat.write_text(TEACHING[taught], encoding="utf-8")
        files.insert(0 if first else 1, chat)
    for file in files:
        memory.add(file)
    return memory


def planned(memory: ChatMemory, when: str = "on 7 December") -> str:
    return memory.ask(f"What is on {when}?", history=[]).text


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("order", ["dmy", "mdy"])
def test_what_is_planned_is_read_in_the_order_of_the_exports(
    tmp_path: Path, order: str, *, first: bool
) -> None:
    with surgery(tmp_path, order, taught=order, first=first) as memory:
        assert "For 7 December 2026" in planned(memory)
        assert "Dr Lowe" in planned(memory)
        assert "For 30 November" not in planned(memory, "today")
        assert MAY_HAVE_CHANGED in planned(memory, "on 3 December")
        assert DAYS[order][1] in planned(memory, "on 3 December")


def test_the_other_order_has_other_days(tmp_path: Path) -> None:
    with surgery(tmp_path, "dmy", taught="mdy") as memory:
        assert "For 7 December" not in planned(memory)


def test_the_setting_says_how_messages_are_read(tmp_path: Path) -> None:
    with surgery(tmp_path / "a", "dmy", setting="dmy") as memory:
        assert "For 7 December 2026" in planned(memory)
        with memory.beside(tmp_path / "b.db") as other:
            other.add(surgery_log(tmp_path / "more", "dmy"))
            assert "For 7 December 2026" in planned(other)
    with surgery(tmp_path / "c", "mdy", taught="dmy", setting="mdy") as memory:
        assert "For 7 December 2026" in planned(memory)


def test_without_an_order_neither_the_date_nor_its_hour_is_planned(tmp_path: Path) -> None:
    with surgery(tmp_path, "dmy") as memory:
        assert "For 7 December" not in planned(memory)
        assert "For 30 November" not in planned(memory, "today")
