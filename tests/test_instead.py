"""Who somebody is where no message says it, and the news of a thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, opened

from minirag_chat import Answer, ChatMemory
from minirag_chat.answer.instead import told_instead
from minirag_chat.question import map_question
from minirag_chat.records import Filters, ReasoningPath, Source

CHATS = {
    "Joy Adeyemi": """\
06/10/2025, 19:12 - Joy Adeyemi: Good evening Colm, this is Joy from Border Care
07/10/2025, 10:15 - Joy Adeyemi: All fine, she had porridge
08/10/2025, 10:15 - Colm: thank you
""",
    "Soot Tarts": """\
02/10/2025, 20:00 - Tyler: who has the hall key
02/10/2025, 20:01 - Colm: me
03/10/2025, 20:01 - Priya: Tyler is our drummer from Ludlow
03/10/2025, 20:02 - Colm: right
04/10/2025, 09:00 - Tyler: brewery wants us on the 11th
05/10/2025, 09:00 - Priya: the brewerys stage is tiny
06/10/2025, 09:00 - Priya: brewery moved us to the 12th
""",
}
OF_JOY = """\
Whether a message says who Joy Adeyemi is, I am not sure. Joy Adeyemi wrote 2 messages in “Joy Adeyemi”, \
the first on 6 October 2025 [1], the last on 7 October 2025 [2].

- Joy Adeyemi, 6 October 2025, 19:12: “Good evening Colm, this is Joy from Border Care” [1]
- Joy Adeyemi, 7 October 2025, 10:15: “All fine, she had porridge” [2]"""


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("writers"), chats=CHATS, me="Colm") as memory:
        yield memory


@pytest.mark.parametrize("question", ["Who is Joy Adeyemi?", "who is joy", "who's Joy?"])
def test_where_nobody_says_it_the_messages_are_counted(chats: ChatMemory, question: str) -> None:
    sure = chats.tuned(abstain_below=1.0).ask(question, history=())
    assert sure.text == OF_JOY
    assert sure.confidence < 0.5, "that says who wrote what, and not who this is"
    assert (sure.abstained, len(sure.sources)) == (False, 2)


def test_what_a_message_says_of_somebody_is_the_answer(chats: ChatMemory) -> None:
    assert "Tyler is our drummer" in asked(chats.tuned(abstain_below=0.0), "Who is Tyler?").text


@pytest.mark.parametrize(
    ("said", "quoted", "confidence", "stays"),
    [
        ("keith here, the plumber", True, 0.66, True),
        ("I work as a nurse", True, 0.66, True),
        ("floor", True, 0.66, False),  # chatter
        ("floor", False, 0.66, True),
        ("floor", False, 0.4, False),
    ],
)
def test_a_likely_answer_stays_unless_it_quotes_chatter(
    tmp_path: Path, said: str, quoted: bool, confidence: float, stays: bool
) -> None:
    export = f"06/10/2025, 19:12 - Keith: {said}\n06/10/2025, 19:13 - Colm: ok\n"
    with opened(tmp_path, chats={"Keith": export}, me="Colm") as memory:
        store = memory._store
        with store.reading():
            (message,) = [one for one in store.messages.by_ids([1, 2]).values() if one.text == said]
            question = map_question("Who is Keith?", store, message.sent_at, Filters())
        answer = Answer(
            question.text, said, abstained=False, confidence=confidence, reason=None,
            sources=(Source(1, message, said),), closest=(), path=ReasoningPath(), timings={}, model="",
        )  # fmt: skip
        told = told_instead(store, question, answer, quoted=quoted, changed=False)
        assert (told is answer) is stays


@pytest.mark.parametrize("changed", [True, False])
def test_an_answer_that_may_have_changed_stays(chats: ChatMemory, changed: bool) -> None:
    store = chats._store
    with store.reading():
        newest = store.messages.extent()[1]
        assert newest
        question = map_question("What's new with the brewery?", store, newest, Filters())
    answer = Answer(
        question.text, "This may have changed", abstained=False, confidence=0.4, reason=None,
        sources=(), closest=(), path=ReasoningPath(), timings={}, model="",
    )  # fmt: skip
    told = told_instead(store, question, answer, quoted=False, changed=changed)
    assert (told is answer) is changed


@pytest.mark.parametrize(
    "question", ["Who is Joy married to?", "Who is Ann?", "Who is late?", "Who is in the band?"]
)
def test_other_questions_are_not_about_a_writer(chats: ChatMemory, question: str) -> None:
    assert "a message says who" not in asked(chats, question).text


NEWS = """\
3 messages with “brewery” or “brewerys”:

Tyler, 4 October 2025, 09:00 in “Soot Tarts”: “brewery wants us on the 11th” [1]

Priya, 5 October 2025, 09:00 in “Soot Tarts”: “the brewerys stage is tiny” [2]

Priya, 6 October 2025, 09:00 in “Soot Tarts”: “brewery moved us to the 12th” [3]"""


@pytest.mark.parametrize(
    "question",
    [
        "What's the latest on the brewery?",
        "any news about the brewery",
        "catch me up on the brewery",
        "How is the brewery doing these days?",
        "tell me about the brewery",
        "What do we know about the brewery?",
    ],
)
def test_of_the_news_of_a_thing_the_last_messages_are_listed(
    chats: ChatMemory, question: str
) -> None:
    answer = chats.tuned(abstain_below=1.0).ask(question, history=())
    assert (answer.text, answer.confidence) == (NEWS, 0.5)


@pytest.mark.parametrize(
    ("thing", "confidence"),
    [
        ("cooker", 0.5),  # who wrote of it may have called it something else elsewhere
        ("gig", 1.0),
    ],
)
def test_a_list_of_few_messages_is_as_unsure_as_an_overview(
    tmp_path: Path, thing: str, confidence: float
) -> None:
    export = "".join(f"0{day}/10/2025, 19:12 - Keith: the gig, part {day}\n" for day in range(1, 5))
    export += "06/10/2025, 19:13 - Colm: new cooker\n07/10/2025, 19:13 - Colm: that cooker\n"
    with opened(tmp_path, chats={"Keith": export}, me="Colm") as memory:
        silent = memory.tuned(abstain_below=1.0)
        assert silent.ask(f"Tell me about the {thing}", history=()).confidence == confidence


@pytest.mark.parametrize(
    "question", ['Who is "brewery"?', "what's “brewery”?", 'Where is the "brewery"?']
)
def test_of_a_name_in_quotation_marks_the_last_messages_are_listed(
    chats: ChatMemory, question: str
) -> None:
    answer = chats.tuned(abstain_below=1.0).ask(question, history=())
    assert (answer.text, answer.confidence) == (NEWS, 0.5)


@pytest.mark.parametrize(
    "question", ["How is that going?", "What's the latest on the moon?", "Any news about her?"]
)
def test_without_a_thing_or_a_message_with_it_nothing_is_listed(
    chats: ChatMemory, question: str
) -> None:
    assert chats.tuned(abstain_below=1.0).ask(question, history=()).abstained


@pytest.mark.parametrize(
    "question",
    ["What did Priya say about the brewery?", "what has priya told us about the brewery"],
)
def test_of_what_somebody_said_of_a_thing_their_messages_are_listed(
    chats: ChatMemory, question: str
) -> None:
    answer = chats.tuned(abstain_below=1.0).ask(question, history=())
    assert answer.text.startswith("2 messages with “brewery” or “brewerys” from Priya:")
    assert [one.message.sender for one in answer.sources] == ["Priya", "Priya"]
    assert not answer.abstained


@pytest.mark.parametrize(
    "question",
    [
        "What did Priya say about the harvest?",
        "What did Priya say about it?",
        "What did she say of it?",
    ],
)
def test_what_somebody_never_said_stays_unanswered(chats: ChatMemory, question: str) -> None:
    assert chats.tuned(abstain_below=1.0).ask(question, history=()).abstained


def test_a_filter_that_leaves_no_message_of_theirs_leaves_the_answer(chats: ChatMemory) -> None:
    answer = chats.ask("Who is Joy?", history=(), since="2025-10-20", until="2025-10-30")
    assert "a message says who" not in answer.text
