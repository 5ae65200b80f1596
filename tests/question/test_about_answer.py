"""“Who said that?” is answered with the messages of the answer before, and by no model."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import ScriptedModel
from three_chats import memory_of, opened

from minirag_chat import ChatMemory
from minirag_chat.memory.given_answers import MOST, GivenAnswers
from minirag_chat.question import asks_about_answer

FERRY = """\
03/05/2024, 10:00 - Kim: any idea how we get to the island
03/05/2024, 10:01 - Lou: the ferry costs 18 euros
03/05/2024, 10:04 - Kim: each?
03/05/2024, 10:05 - Lou: yes, with the bike 24
09/08/2024, 19:30 - Kim: did the bakery ever open again
"""


def ferry(folder: Path, model: ScriptedModel | None = None) -> ChatMemory:
    """A chat of two about a ferry."""
    export = folder / "WhatsApp Chat with Kim.txt"
    export.write_text(FERRY, encoding="utf-8")
    return memory_of(folder, "Lou", export, model=model)


@pytest.mark.parametrize(
    ("text", "aspect"),
    [("Who said that?", "sources"), ("ok, and who wrote this exactly?", "sources"), ("says who", "sources"),
     ("When did she say that?", "sources"), ("in which chat?", "sources"), ("And in what group was that?", "sources"),
     ("How do you know that?", "sources"), ("where did you get that from", "sources"), ("source?", "sources"),
     ("Can you show me the message please?", "sources"), ("show it to me", "sources"), ("quote it", "sources"),
     ("\u00bfC\u00f3mo lo sabes?", "sources"), ("Wer hat das gesagt?", "sources"), ("\u8c01\u8bf4\u7684\uff1f", "sources"),
     ("Are you sure?", "certainty"), ("no really??", "certainty"), ("is that right?", "certainty"),
     ("tell me more", "context"), ("More details, please!", "context"), ("explain", "context"),
     ("what\u2019s the context?", "context"), ("can you explain that?", "context")],
)  # fmt: skip
def test_what_asks_about_the_answer_is_known(text: str, aspect: str) -> None:
    assert asks_about_answer(text) == aspect


@pytest.mark.parametrize(
    "text",
    ["Who said sorry?", "Who told Ann?", "who said that the party is off?", "where was that?", "when was that?",
     "Where is Ann from?", "which chat is the longest?", "show me the photos", "tell me more about the wedding",
     "Is it true that Ben moved?", "How sure is Ben about the job?", "what did Ann write exactly?", "and Ben?",
     "why?", "who sent it?", "when was it sent?", "who is it from?", "where is it from?", "which group was it?",
     "where does it come from?", "who wrote it?", "how much was it?", "explain the plan", "", "?", "really " * 4000],
)  # fmt: skip
def test_what_asks_about_messages_is_none(text: str) -> None:
    assert asks_about_answer(text) is None


def test_who_said_that_names_the_writer_the_chat_and_the_time_of_what_was_cited(
    tmp_path: Path,
) -> None:
    model = ScriptedModel("The ferry costs 18 euros.")
    with ferry(tmp_path, model) as memory:
        first = memory.ask("How much does the ferry cost?")
        read = len(model.asked)
        answer = memory.ask("Who said that?")
        assert (
            "Lou wrote in \u201cKim\u201d on Friday 3 May 2024 at 10:01: \u201cthe ferry costs 18 euros\u201d [1]"
            in answer.text
        )
        assert [source.message_id for source in answer.sources] == [
            source.message_id for source in first.sources
        ]
        assert not answer.abstained
        assert len(model.asked) == read, "nothing has to be read again"


def test_how_sure_it_is_is_said_of_the_answer_before(tmp_path: Path) -> None:
    with ferry(tmp_path, ScriptedModel("The ferry costs 18 euros.")) as memory:
        first = memory.ask("How much does the ferry cost?")
        answer = memory.ask("Are you sure?")
        assert f"put at {round(100 * first.confidence)}%" in answer.text
        assert answer.confidence == first.confidence
        memory.ask("How many messages did Lou write?")
        assert "counted or compared in your messages by code" in memory.ask("really?").text


def test_more_shows_what_was_written_around_it_and_nothing_of_another_day(tmp_path: Path) -> None:
    with ferry(tmp_path, ScriptedModel("The ferry costs 18 euros.")) as memory:
        memory.ask("How much does the ferry cost?")
        answer = memory.ask("tell me more")
        texts = [source.message.text for source in answer.sources]
        assert texts == [line.split(": ", 1)[1] for line in FERRY.splitlines()[:-1]]
        assert "10:05 Lou: \u201cyes, with the bike 24\u201d [4]" in answer.text
        assert "In \u201cKim\u201d on Friday 3 May 2024:" in answer.text


def test_of_an_answer_that_was_not_given_the_closest_are_shown_as_such(tmp_path: Path) -> None:
    with ferry(tmp_path, ScriptedModel("42", stated=0.01)) as memory:
        first = memory.ask("What does the bakery charge for the ferry cake?")
        assert first.abstained
        answer = memory.ask("show me the messages")
        assert answer.abstained
        assert answer.reason == first.reason
        assert answer.text.startswith("I gave no answer.")
        assert [s.message_id for s in answer.closest] == [s.message_id for s in first.closest]


def test_the_next_question_follows_the_one_before_it(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.ask("How many messages did Ollie write in 2024?")
        memory.ask("How do you know?")
        memory.ask("in which chat?")
        assert "1 message" in memory.ask("And in 2025?").text


def test_a_face_that_sends_the_conversation_is_answered_too_also_under_other_settings(
    tmp_path: Path,
) -> None:
    with ferry(tmp_path, ScriptedModel("The ferry costs 18 euros.")) as memory:
        first = memory.tuned(abstain_below=0.1).ask("How much does the ferry cost?", history=())
        history = [("  How much does the  ferry cost?", first.text)]
        answer = memory.tuned(abstain_below=0.3).ask("who said that?", history=history)
        assert "Lou wrote" in answer.text
        answer = memory.ask("who said that?", history=[("How much does the ferry cost?", "12")])
        assert "Lou wrote in" not in answer.text, "that answer was not given here"


def test_a_message_that_was_deleted_meanwhile_is_not_shown_again(tmp_path: Path) -> None:
    with ferry(tmp_path, ScriptedModel("The ferry costs 18 euros.")) as memory:
        first = memory.ask("How much does the ferry cost?")
        history = [("How much does the ferry cost?", first.text)]
        memory.delete(messages=[source.message_id for source in first.sources])
        answer = memory.ask("who said that?", history=history)
        assert "wrote in" not in answer.text
        gone = {source.message_id for source in first.sources}
        assert gone.isdisjoint(source.message_id for source in answer.shown)


def test_without_an_answer_before_it_is_a_question_like_any_other(tmp_path: Path) -> None:
    with ferry(tmp_path) as memory:
        assert "wrote in" not in memory.ask("Who said that?").text


def test_only_the_latest_answers_are_remembered(tmp_path: Path) -> None:
    with ferry(tmp_path) as memory:
        answer = memory.ask("How many messages did Lou write?")
    given = GivenAnswers()
    for number in range(MOST + 1):
        given.add(f"question {number}", answer)
    assert given.find("question 0", answer.text) is None
    found = given.find(f"question {MOST}", answer.text)
    assert found is not None
    assert found.message_ids == tuple(source.message_id for source in answer.sources)
