"""What people write in chats and once was misread: each line was wrong in an earlier version."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.answer.relative_dates import with_dates
from minirag_chat.extract.structure import mentions
from minirag_chat.names import PersonIndex
from minirag_chat.question.follow_up import follow_up
from minirag_chat.question.named_entities import people_in
from minirag_chat.question.shape import find_shape
from minirag_chat.records import Message
from minirag_chat.times import find_times

TUESDAY = datetime(2026, 3, 10, 12)
LOG = {
    "20260310_1000": (
        "AnnBerg: my boss offered Mark the job!", "Jo: ed has a bike, got it off a bloke, 180 euros",
        "Ed: jo is my sister", "Mum: dinner at seven", "MarkTill: Will do. May I bring ben?", "WillAsh: ok",
        "MayLin: the train to Brno leaves at 7 from platform 4", "BenHolt: Ann found a violin in the attic",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("misread")
    settings = Settings(db=folder / "c.db", model="extractive", model_dir=folder)
    with ChatMemory.open(
        folder / "c.db", settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
    ) as opened:
        opened.add(write_log(folder / "log", LOG))
        yield opened


@pytest.mark.parametrize(
    ("said", "sent_at", "read"),
    [
        ("I put the passport in the drawer on Sunday", TUESDAY, None),
        ("move is on 6 december, a saturday", datetime(2025, 11, 10, 12), None),
        ("see you on Sunday", TUESDAY, "see you on Sunday (15 March)"),
    ],
)
def test_a_day_that_is_not_certain_gets_no_date(
    said: str, sent_at: datetime, read: str | None
) -> None:
    assert with_dates(said, sent_at) == (read or said)


@pytest.mark.parametrize("text", ["We moved to Fall River", "She lives in Spring Valley"])
def test_a_place_is_no_season(text: str) -> None:
    assert find_times(text, TUESDAY) == ()


def test_a_season_is_one() -> None:
    assert [span.phrase for span in find_times("We moved last Fall", TUESDAY)] == ["last Fall"]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("It cost 15€ in all", "15€", "amount"),
        ("the bike was 249,99 € new", "249,99 €", "amount"),
        ("tickets 20 zł each", "20 zł", "amount"),
        ("he paid $1.5k", "$1.5k", "amount"),
        ("we went to Łódź", "Łódź", "place"),
        ("she flew to İstanbul", "İstanbul", "place"),
        ("мы поехали в Москва", "Москва", "topic"),
    ],
)
def test_amounts_and_names_of_all_europe(text: str, name: str, kind: str) -> None:
    message = Message(1, "Chat", "Ann", TUESDAY, text)
    found = mentions(message, PersonIndex({}), frozenset(), {})
    assert (name, kind) in {(m.name, m.type) for m in found}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How much was ed's bike?", ["Ed"]),
        ("what did jo say to mum?", ["Jo", "Mum"]),
        ("Will you come?", []),
        ("Will do", []),
        ("May I ask?", []),
        ("Mark the date", []),
        ("Will Ann come?", ["AnnBerg"]),
        ("Did Will come?", ["WillAsh"]),
        ("What does Mark do?", ["MarkTill"]),
    ],
)
def test_short_names_are_found_and_verbs_are_none(
    memory: ChatMemory, text: str, names: list[str]
) -> None:
    found = [
        memory._store.people.entity(owners[0]) for *_, owners in people_in(text, memory._store)
    ]
    assert [person.name for person in found if person] == names


def test_names_in_lower_case_are_linked_in_messages_too(memory: ChatMemory) -> None:
    said = {name: set(memory.neighbourhood(name).graph) for name in ("Ed", "Jo")}
    assert said["Ed"] & said["Jo"]


def test_whom_somebody_else_offered_the_job_is_read_and_not_reckoned(memory: ChatMemory) -> None:
    answer = memory.ask("Who offered Mark the job?", history=())
    assert "Ann Berg, who wrote" not in answer.text


def test_a_first_child_is_not_a_first_time() -> None:
    assert find_shape("When did Ann's first child start school?", [(9, 12)]) is None
    first = find_shape("When did Ann first visit Brno?", [(9, 12)])
    assert first is not None
    assert first.kind == "first"


@pytest.mark.parametrize("asked", ["which platform?", "How many euros?", "whose bike?"])
def test_a_question_without_a_verb_leans_on_the_one_before(memory: ChatMemory, asked: str) -> None:
    history = [("When does the train to Brno leave?", "At 7.")]
    said = follow_up(asked, history, memory._store, TUESDAY)
    assert said.context == ("When does the train to Brno leave?",)


def test_what_somebody_found_may_be_told_by_another(memory: ChatMemory) -> None:
    answer = memory.ask("What did Ann find in the attic?", history=())
    read = memory.models.loaded.asked[-1][-1].content
    assert "violin" in read, answer
