"""Questions about the messages themselves: how many, the last one, who is in a chat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import ScriptedModel
from places import write_table
from three_chats import asked, memory_of, opened

from minirag_chat import ChatMemory
from minirag_chat.errors import BadQuestion


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats")) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "How many messages did Dana send?",
            "Dana Fox sent 4 messages, the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "how many messages did dana send in the cabin crew chat in may 2024",
            "Dana Fox sent 2 messages in “Cabin Crew”, the first on 3 May 2024 [1], the last on 4 May 2024 [2].",
        ),
        (
            "How many messages have Dana and I sent in Cabin Crew?",
            "4 messages in “Cabin Crew”: Dana Fox (3) and Tom Reed (1); the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "How many messages did Dana and I exchange?",
            "3 messages in “Dana Fox”: Tom Reed (2) and Dana Fox (1); the first on 13 July 2024 [1], the last on 13 July 2025 [2].",
        ),
        (
            "How many messages did I exchange with Ollie?",
            "2 messages in “Ollie”: Ollie (1) and Tom Reed (1); both on 13 February 2024 [1][2].",
        ),
        (
            "How many messages did Dana and Ollie send each other?",
            "5 messages in “Cabin Crew”: Dana Fox (3) and Ollie (2); the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "How many messages did I send to Dana in 2025?",
            "Tom Reed sent 1 message in “Dana Fox”, on 13 July 2025 [1].",
        ),
        (
            "How many messages did Dana get from Ollie?",
            "Ollie sent 2 messages in “Cabin Crew”, the first on 3 May 2024 [1], the last on 15 June 2025 [2].",
        ),
        (
            "How many messages do I have?",
            "11 messages: Dana Fox (4), Tom Reed (4) and Ollie (3); the first on 13 February 2024 [1], the last on 13 July 2025 [2].",
        ),
        (
            "How many messages does Dana have?",
            "Dana Fox sent 4 messages, the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "list all chats",
            "3 chats: “Cabin Crew” (6) [1], “Dana Fox” (3) [2] and “Ollie” (2) [3].",
        ),
        (
            "Show me my chats",
            "3 chats: “Cabin Crew” (6) [1], “Dana Fox” (3) [2] and “Ollie” (2) [3].",
        ),
        (
            "Which chats do I have?",
            "3 chats: “Cabin Crew” (6) [1], “Dana Fox” (3) [2] and “Ollie” (2) [3].",
        ),
        (
            "who talks the most in the cabin crew group",
            "Dana Fox [1] wrote the most in “Cabin Crew”: 3 of 6 messages. Then Ollie (2) [2] and Tom Reed (1) [3].",
        ),
        (
            "Who sent the most messages?",
            "Dana Fox [1] and Tom Reed [2] wrote the most: 4 of 11 messages each. Then Ollie (3) [3].",
        ),
        (
            "Who wrote the most messages in May 2024?",
            "Dana Fox [1] wrote the most from 1 May 2024 to 31 May 2024: 2 of 4 messages. Then Ollie (1) [2] and Tom Reed (1) [3].",
        ),
        (
            "who wrote most between 1 and 15 May 2024",
            "Dana Fox [1] wrote the most from 1 May 2024 to 15 May 2024: 2 of 4 messages. Then Ollie (1) [2] and Tom Reed (1) [3].",
        ),
        (
            "How many messages between 4 and 15 May 2024?",
            "Dana Fox sent 1 message, on 4 May 2024 [1].",
        ),
        (
            "Who wrote most until May 2024?",
            "Dana Fox [1], Ollie [2] and Tom Reed [3] wrote equally much until 31 May 2024: 2 of 6 messages each.",
        ),
        (
            "Who wrote the fewest messages in the Cabin Crew chat?",
            "Tom Reed [1] wrote the fewest in “Cabin Crew”: 1 of 6 messages. Then Ollie (2) [2] and Dana Fox (3) [3].",
        ),
        (
            "Who wrote more, Dana or Ollie?",
            "Dana Fox [1] wrote the most: 4 of 7 messages. Then Ollie (3) [2].",
        ),
        (
            "Which of us writes less, Ollie or me?",
            "Tom Reed [1] wrote the fewest in “Cabin Crew” and “Ollie”: 2 of 5 messages. Then Ollie (3) [2].",
        ),
        (
            "Who wrote on 3 May 2024?",
            "3 people have written on 3 May 2024: Dana Fox (1) [1], Ollie (1) [2] and Tom Reed (1) [3].",
        ),
        (
            "Did Dana write anything in July 2024?",
            "Yes: Dana Fox sent 1 message, on 13 July 2024 [1].",
        ),
        (
            "Who wrote until 10:02 on 3 May 2024?",
            "1 person has written on 3 May 2024 between 00:00 and 10:02: Dana Fox (1) [1].",
        ),
        (
            "How many chats am I in?",
            "3 chats: “Dana Fox” (2) [1], “Cabin Crew” (1) [2] and “Ollie” (1) [3].",
        ),
        (
            "Wie viele Nachrichten hat Dana im Mai 2024 geschrieben?",
            "Dana Fox sent 2 messages, the first on 3 May 2024 [1], the last on 4 May 2024 [2].",
        ),
        (
            "Wer hat am wenigsten geschrieben?",
            "Ollie [1] wrote the fewest: 3 of 11 messages. Then Tom Reed (4) [2] and Dana Fox (4) [3].",
        ),
        (
            "who talks the least",
            "Ollie [1] wrote the fewest: 3 of 11 messages. Then Tom Reed (4) [2] and Dana Fox (4) [3].",
        ),
        (
            "Who do I text the most?",
            "Most messages, in chats of two, are with: Dana Fox (3) [1] and Ollie (2) [2].",
        ),
        ("who am i", "You are Tom Reed."),
        ("Am I Tom?", "You are Tom Reed."),
        (
            "What percent of messages are mine?",
            "Tom Reed wrote 36% of the messages: 4 of 11, the first on 13 February 2024 [1], the last on 13 July 2025 [2].",
        ),
        (
            "What percentage of the messages did we write?",
            "Everybody wrote 100% of the messages: 11 of 11, the first on 13 February 2024 [1], the last on 13 July 2025 [2].",
        ),
        ("Did Dana, Ollie and Tom send a link?", "No: Dana Fox, Ollie and Tom Reed sent no links."),
        (
            "what share of the messages in Cabin Crew did Dana send",
            "Dana Fox wrote 50% of the messages in “Cabin Crew”: 3 of 6, the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "who am I talking to most",
            "Most messages, in chats of two, are with: Dana Fox (3) [1] and Ollie (2) [2].",
        ),
        (
            "Did I talk more with Ollie or Dana?",
            "Most messages, in chats of two, are with: Dana Fox (3) [1] and Ollie (2) [2].",
        ),
        (
            "Who do I write to more, Ollie or Tom?",
            "Most messages from Tom Reed, in chats of two, are to: Ollie (1) [1].",
        ),
        (
            "Do I write more to Dana or to Ollie?",
            "Most messages from Tom Reed, in chats of two, are to: Dana Fox (2) [1] and Ollie (1) [2].",
        ),
        (
            "How many messages did Dana write compared to Ollie?",
            "Dana Fox [1] wrote the most: 4 of 7 messages. Then Ollie (3) [2].",
        ),
        (
            "Who is in the Cabin Crew chat?",
            "3 people have written in “Cabin Crew”: Dana Fox (3) [1], Ollie (2) [2] and Tom Reed (1) [3].",
        ),
        (
            "Who wrote in the Cabin Crew channel?",
            "3 people have written in “Cabin Crew”: Dana Fox (3) [1], Ollie (2) [2] and Tom Reed (1) [3].",
        ),
        (
            "how many messages in total",
            "11 messages: Dana Fox (4), Tom Reed (4) and Ollie (3); the first on 13 February 2024 [1], the last on 13 July 2025 [2].",
        ),
        (
            "How many messages in July 2024?",
            "2 messages: Dana Fox (1) and Tom Reed (1); both on 13 July 2024 [1][2].",
        ),
        (
            "How often did Dana write in May 2024?",
            "Dana Fox sent 2 messages, the first on 3 May 2024 [1], the last on 4 May 2024 [2].",
        ),
        (
            "how many times did ollie text me",
            "Ollie sent 1 message in “Ollie”, on 13 February 2024 [1].",
        ),
        (
            "How many messages were sent in June and July 2025?",
            "3 messages in June 2025 and in July 2025: Dana Fox (1), Ollie (1) and Tom Reed (1); the first on 15 June 2025 [1], the last on 13 July 2025 [2]. That is 2 in June 2025 and 1 in July 2025.",
        ),
        (
            "How many messages were sent on the morning of 3 May 2024?",
            "3 messages: Dana Fox (1), Ollie (1) and Tom Reed (1); all on 3 May 2024 [1][2].",
        ),
        ("how many msgs did I send in 2025", "Tom Reed sent 1 message, on 13 July 2025 [1]."),
        ("Which chats is Dana in?", "2 chats: “Cabin Crew” (3) [1] and “Dana Fox” (1) [2]."),
        ("Which groups is Dana in?", "1 group: “Cabin Crew” (3) [1]."),
        (
            "who usually texts first?",
            "Dana Fox [1] began the most conversations: 4 of 7 conversations. Then Ollie (2) [2] and Tom Reed (1) [3].",
        ),
        (
            "Who texts first, Dana or me?",
            "Dana Fox [1] and Tom Reed [2] began the most conversations in “Dana Fox”: 1 of 2 conversations each.",
        ),
        (
            "Who starts most of our conversations in 2025?",
            "Ollie [1], Dana Fox [2] and Tom Reed [3] began the most conversations from 1 January 2025 to 31 December 2025: 1 of 3 conversations each.",
        ),
        (
            "When did Dana write in May 2024?",
            "Dana Fox wrote on 2 days from 1 May 2024 to 31 May 2024: Friday, 3 May 2024 (1) [1] and Saturday, 4 May 2024 (1) [2].",
        ),
        (
            "On which days did Dana write to me?",
            "Dana Fox wrote 1 message in “Dana Fox” on Saturday, 13 July 2024, at 10:00 [1].",
        ),
        (
            "When did we write on 3 May 2024?",
            "Somebody wrote 3 messages on Friday, 3 May 2024, the first at 10:00 [1], the last at 10:03 [2].",
        ),
        (
            "When did Ollie write in the Cabin Crew chat in June 2025?",
            "Ollie wrote 1 message in “Cabin Crew” on Sunday, 15 June 2025, at 14:03 [1].",
        ),
        (
            "Wann hat Dana im Mai 2024 geschrieben?",
            "Dana Fox wrote on 2 days from 1 May 2024 to 31 May 2024: Friday, 3 May 2024 (1) [1] and Saturday, 4 May 2024 (1) [2].",
        ),
        (
            "How often does Dana write?",
            "4 messages from Dana Fox: 2024 (3) and 2025 (1); on average 3.6 a year, from the first [1] to the last day [2].",
        ),
        (
            "How often do we write in the Cabin Crew chat?",
            "6 messages in “Cabin Crew”: 2024 (4) and 2025 (2); on average 5.3 a year, from the first [1] to the last day [2].",
        ),
        (
            "Wie oft schreibt Dana?",
            "4 messages from Dana Fox: 2024 (3) and 2025 (1); on average 3.6 a year, from the first [1] to the last day [2].",
        ),
        (
            "Wie viele Nachrichten schreibt Dana pro Jahr?",
            "4 messages from Dana Fox: 2024 (3) and 2025 (1); on average 3.6 a year, from the first [1] to the last day [2].",
        ),
        (
            "Did Dana write more than Ollie?",
            "Yes: Dana Fox [1] wrote the most: 4 of 7 messages. Then Ollie (3) [2].",
        ),
        (
            "Did Ollie write more than Dana?",
            "No: Dana Fox [1] wrote the most: 4 of 7 messages. Then Ollie (3) [2].",
        ),
        (
            "Did Ollie write less than Dana?",
            "Yes: Ollie [1] wrote the fewest: 3 of 7 messages. Then Dana Fox (4) [2].",
        ),
        (
            "Did I write more than Dana?",
            "No: Dana Fox [1] wrote the most in “Cabin Crew” and “Dana Fox”: 4 of 7 messages. Then Tom Reed (3) [2].",
        ),
        (
            "Hat Ollie mehr geschrieben als Dana?",
            "Dana Fox [1] wrote the most: 4 of 7 messages. Then Ollie (3) [2].",
        ),
        ("how many groups?", "1 group: “Cabin Crew” (6) [1]."),
        (
            "most active chat",
            "“Cabin Crew” [1] has the most messages: 6 of 11 messages. Then “Dana Fox” (3) [2] and “Ollie” (2) [3].",
        ),
        (
            "How many chats?",
            "3 chats: “Cabin Crew” (6) [1], “Dana Fox” (3) [2] and “Ollie” (2) [3].",
        ),
        (
            "how many people?",
            "3 people have written: Dana Fox (4) [1], Tom Reed (4) [2] and Ollie (3) [3].",
        ),
        (
            "list all people",
            "3 people have written: Dana Fox (4) [1], Tom Reed (4) [2] and Ollie (3) [3].",
        ),
        (
            "Who is in my chats?",
            "3 people have written: Dana Fox (4) [1], Tom Reed (4) [2] and Ollie (3) [3].",
        ),
        (
            "How far back do Dana's messages go?",
            "Dana Fox sent 4 messages, the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "What period do my messages cover?",
            "11 messages: Dana Fox (4), Tom Reed (4) and Ollie (3); the first on 13 February 2024 [1], the last on 13 July 2025 [2].",
        ),
    ],
)
def test_messages_are_counted(chats: ChatMemory, question: str, text: str) -> None:
    answer = asked(chats, question)
    assert answer.text == text
    assert not answer.abstained
    assert [source.number for source in answer.sources] == sorted(
        {int(part[0]) for part in text.split("[")[1:]}
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Did everyone write on 15 June 2025?",
         "No: Dana Fox and Tom Reed sent no messages on 15 June 2025. Ollie sent 1 message, on 15 June 2025 [1]."),
        ("Did all of us write in the Dana Fox chat in 2025?",
         "No: Dana Fox sent no messages in “Dana Fox” from 1 January 2025 to 31 December 2025. Tom Reed sent 1"),
        ("Did we all write in the Dana Fox chat in July 2024?",
         "Yes: 2 messages in “Dana Fox”: Dana Fox (1) and Tom Reed (1)"),
        ("Has everybody written in the Cabin Crew chat?", "Yes: 6 messages in “Cabin Crew”: "),
        ("Did everyone write on 1 May 2024?", "No: There are no messages on 1 May 2024."),
        ("Did everyone write to me on 3 May 2024?", "Yes: 2 messages: Dana Fox (1) and Ollie (1)"),
        ("Did Dana and Ollie write in July 2024?",
         "No: Ollie sent no messages from 1 July 2024 to 31 July 2024. Dana Fox sent 1 message, on 13 July 2024 [1]."),
        ("Did both Dana and Ollie write on 3 May 2024?", "Yes: 2 messages: Dana Fox (1) and Ollie (1); both on"),
        ("Did Dana and Ollie both write in July 2024?", "No: Ollie sent no messages"),
        ("Did Dana and I write to each other in 2025?",
         "No: Dana Fox sent no messages in “Dana Fox” from 1 January 2025 to 31 December 2025. Tom Reed sent 1"),
        ("Did Dana and I write to each other in July 2024?", "Yes: 2 messages in “Dana Fox”"),
        ("Did Dana or Ollie write in July 2024?", "Yes: 1 message: Dana Fox (1) and Ollie (0)"),
        ("Did either Dana or Ollie write in July 2024?", "Yes: 1 message: Dana Fox (1) and Ollie (0)"),
        ("Did anyone write on 15 June 2025?", "Yes: Ollie sent 1 message"),
        ("Did anybody write on 15 June 2025?", "Yes: Ollie sent 1 message"),
        ("Did people write on 15 June 2025?", "Yes: Ollie sent 1 message"),
        ("Did they write on 15 June 2025?", "Yes: Ollie sent 1 message"),
        ("How many messages did everyone send on 15 June 2025?", "Ollie sent 1 message"),
    ],
)  # fmt: skip
def test_yes_to_everyone_or_to_several_names_is_of_all_of_them(
    chats: ChatMemory, question: str, text: str
) -> None:
    assert asked(chats, question).text.startswith(text), asked(chats, question).text


def test_all_who_are_named_have_to_pass_the_filter(chats: ChatMemory) -> None:
    only = chats.ask("Did Dana and Ollie write in May 2024?", history=(), people=["Dana Fox"])
    assert only.text == "No: The filter leaves only messages from Dana Fox, and none from Ollie."


def test_what_somebody_wrote_to_me_is_not_my_own(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        got = asked(memory, "How many messages did I get in May 2024?").text
        assert (
            got
            == "3 messages: Dana Fox (2) and Ollie (1); the first on 3 May 2024 [1], the last on 4 May 2024 [2]."
        )
        assert asked(memory, "How many messages did Dana get in May 2024?").model != "none"
        assert asked(memory, "Did anyone write to me on 13 July 2025?").text.startswith("No: ")
        last = asked(memory, "What was the last message to me?")
        assert [source.message.text for source in last.sources] == ["bye"]
        memory.set_me("Ollie")
        assert asked(memory, "Did anyone write to me on 13 July 2025?").text.startswith("Yes: Tom")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What did Ollie write last?", "see you there"),
        ("what was ollie's last message", "see you there"),
        ("What's the last message Ollie sent?", "see you there"),
        ("show me Ollie's last message", "see you there"),
        ("When did I last hear from Ollie?", "see you there"),
        ("When was the last time Ollie texted me?", "hello"),
        ("When did Ollie first write?", "hello"),
        ("What was the first message in the Cabin Crew chat?", "we have the cabin from friday"),
        ("What was the last message in May 2024?", "and I bring bread"),
        ("What did Dana last say to me?", "did you find the key"),
        ("When did I last text Dana?", "are you home"),
        ("When did Ollie and I last talk?", "hi"),
        ("When was the last time I talked to Dana?", "are you home"),
        ("Who wrote the last message?", "are you home"),
        ("When was the first message sent?", "hello"),
        ("last message Ollie", "see you there"),
        ("last message ollie in the Ollie chat", "hello"),
        ("Ollie last message", "see you there"),
        ("last message to Ollie", "hi"),
        ("last message with Ollie", "hi"),
        ("How long ago was the last message?", "are you home"),
        ("how long ago was the last message in the Ollie chat", "hi"),
        ("How long ago was Ollie's last message?", "see you there"),
        ("How long ago did Ollie write to me?", "hello"),
        ("How long is it since the last message from Ollie?", "see you there"),
        ("Wie lange ist die letzte Nachricht von Ollie her?", "see you there"),
    ],
)
def test_the_first_or_last_message_is_found_by_its_time(
    chats: ChatMemory, question: str, text: str
) -> None:
    answer = asked(chats, question)
    assert [source.message.text for source in answer.sources] == [text]
    assert f"“{text}” [1]." in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "What did Dana say about the bread last?",
        "How many messages did Dana send about bread?",
        "How often did Dana write about bread?",
        "How often does Dana go skiing?",
        "How often does Dana write about bread?",
        "When did Dana write the report?",
        "When did Dana write about the bread?",
        "Who stays up latest?",
        "How long ago was the party?",
        "When did Dana last talk to Ollie?",
        "Who is in the cabin?",
        "What was the last thing we did?",
        "When did Dana last send a parcel?",
        "Did we both write in May 2024?",
        "Did everyone but Dana write in May 2024?",
        "Did Ollie send the parcel?",
        "Who wrote the letter?",
        "How many people are coming to the cabin?",
        "How many messages about bread?",
        "What did Dana say about Sundays?",
        "What did Dana say about Sundays and nights?",
        "How many messages were sent early in the morning?",
        "How many messages were sent on 3 May 2024 at 10:02?",
        "Who wrote about the Cabin Crew chat?",
        "Who cooks the most?",
        "What did persona last say?",
        "How many messages did persona send?",
        "How many messages did persona send to Dana?",
        "How many messages did \ue004 send to Dana?",
    ],
)
def test_what_asks_for_more_is_looked_up(chats: ChatMemory, question: str) -> None:
    assert asked(chats, question).model != "none"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many messages did Ollie send in 2021?",
         ("Ollie sent no messages from 1 January 2021 to 31 December 2021. "
          "Your messages begin on 13 February 2024.")),
        ("Did Ollie write in August 2025?",
         "No: Ollie sent no messages from 1 August 2025 to 31 August 2025. Your messages end on 13 July 2025."),
        ("How many messages in March 2022 and in May 2023?",
         "There are no messages in March 2022 and in May 2023. Your messages begin on 13 February 2024."),
        ("How many messages did Dana and Ollie send in July 2024?",
         "1 message: Dana Fox (1) and Ollie (0); on 13 July 2024 [1]."),
        ("What did Ollie last write in the Dana Fox chat?", "Ollie sent no messages in “Dana Fox”."),
        ("Who wrote on 1 May 2024?", "There are no messages on 1 May 2024."),
        ("Did Ollie write in July 2024?",
         "No: Ollie sent no messages from 1 July 2024 to 31 July 2024."),
        ("Who wrote on 13 July 2024 after 6 pm?", "There are no messages on 13 July 2024 after 18:00."),
        (
            "How many messages did Dana send on the morning of 15 June 2025?",
            "Dana Fox sent no messages on 15 June 2025 between 06:00 and 12:00.",
        ),
    ],
)  # fmt: skip
def test_zero_is_a_number(chats: ChatMemory, question: str, text: str) -> None:
    answer = asked(chats, question)
    assert answer.text == text
    assert not answer.abstained


def test_words_of_another_day_are_not_those_of_the_day_asked_for(chats: ChatMemory) -> None:
    silent = asked(chats, "What did Ollie say about the cabin on 5 May 2024?")
    assert silent.shown
    assert "Ollie wrote nothing on 5 May 2024: these messages are from other days." in silent.note
    for question in (
        "What did Dana say about the bread on 4 May 2024?",
        "What did Dana say about the bread in May 2024?",
        "When did Dana bring the bread?",
    ):
        assert not asked(chats, question).note, question


def test_filters_of_the_page_apply(chats: ChatMemory) -> None:
    answer = chats.ask("How many people are in the group?", chats=["Cabin Crew"], history=())
    assert answer.text.startswith("3 people have written in “Cabin Crew”")
    answer = chats.ask("What was the last message?", people=["Ollie"], history=())
    assert [source.message.text for source in answer.sources] == ["see you there"]


@pytest.mark.parametrize(
    ("question", "only", "text"),
    [
        ("How many messages did Dana send?", {"people": ["Ollie"]},
         "The filter leaves only messages from Ollie, and none from Dana Fox."),
        ("Did Dana write anything?", {"people": ["Ollie"]},
         "No: The filter leaves only messages from Ollie, and none from Dana Fox."),
        ("Who wrote most in the Cabin Crew chat?", {"chats": ["Ollie"]},
         "The filter leaves only messages in \u201cOllie\u201d, and none in \u201cCabin Crew\u201d."),
        ("Who wrote most in the Ollie chat?", {"chats": ["Cabin Crew"]},
         "The filter leaves only messages in \u201cCabin Crew\u201d, and none in \u201cOllie\u201d."),
        ("Who is in the Ollie chat?", {"chats": ["Cabin Crew"]},
         "The filter leaves only messages in \u201cCabin Crew\u201d, and none in \u201cOllie\u201d."),
        ("How many messages did Ollie and Dana exchange?", {"chats": ["Ollie"]},
         "Dana Fox and Ollie have not both written in \u201cOllie\u201d."),
    ],
)  # fmt: skip
def test_a_filter_that_leaves_nothing_is_named(
    chats: ChatMemory, question: str, only: dict[str, list[str]], text: str
) -> None:
    answer = chats.ask(question, history=(), **only)  # type: ignore[arg-type]
    assert (answer.text, answer.question) == (text, question)


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("On how many days did Zoe and I talk?", "Zoe and Tom Reed wrote on 1 day in \u201cZoe\u201d, on 1"),
        ("How many days did Zoe and I write?", "Zoe and Tom Reed wrote on 3 days, the first on 14"),
        ("Which day did Zoe and I text most?",
         "Monday, 14 July 2025 [1] had the most messages from Zoe and Tom Reed in \u201cZoe\u201d: 2 of 2"),
        ("Which month did I talk most to Zoe?", "July 2025 [1] had the most messages from Zoe and Tom Reed in \u201cZoe\u201d"),
        ("Did Zoe and I text on 15 July 2025?", "No: Zoe and Tom Reed sent no messages in \u201cZoe\u201d on 15 July 2025."),
        ("Did Zoe and Pat text each other?", "No: Zoe and Pat have not both written"),
        ("How many messages did Zoe and Pat exchange?", "Zoe and Pat have not both written in one chat."),
        ("Who texts more, Zoe or me?", "Zoe [1] and Tom Reed [2] wrote equally much in “Zoe” and “Boats”: 2 of 4 messages each."),
        ("Which day did I text most to Zoe?", "Monday, 14 July 2025 [1] had the most messages from Tom Reed in"),
    ],
)  # fmt: skip
def test_those_who_talk_do_so_in_the_chats_that_they_share(
    tmp_path: Path, question: str, begin: str
) -> None:
    table = tmp_path / "chats.csv"
    write_table(
        table,
        ("2025-07-14 09:00", "Zoe", "the kayak is here", "Zoe"),
        ("2025-07-14 09:10", "Tom Reed", "good", "Zoe"),
        ("2025-07-15 09:00", "Zoe", "hello all", "Boats"),
        ("2025-07-16 09:01", "Tom Reed", "hello Zoe", "Boats"),
        ("2025-07-15 09:02", "Ollie", "hello both", "Boats"),
        ("2025-07-15 09:02", "Pat", "hello", "Pat"),
        ("2025-07-15 09:03", "Ollie", "hello", "Pat"),
    )
    with memory_of(tmp_path, "Tom Reed", table) as memory:
        assert asked(memory, question).text.startswith(begin), asked(memory, question).text


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("When did Pat last write to me?",
         "The last message in “Quiz” and “Boats” is from Pat, Wednesday, 16 July 2025, 09:00, in “Boats”:"),
        ("When did I last talk with Pat?",
         "The last message in “Quiz” and “Boats” is from Pat, Wednesday, 16 July 2025, 09:00, in “Boats”:"),
        ("How many messages did Pat send me?", "Pat sent 3 messages in “Quiz” and “Boats”, the first on 14"),
        ("How many messages did Pat send me in the Quiz chat?", "Pat sent 1 message in “Quiz”, on 14 July"),
        ("When did Zoe last write to me?", "The last message in “Zoe” is from Zoe, Sunday, 13 July 2025, 09:00:"),
        ("How many messages did Zoe, Pat and I exchange?", "3 messages in “Quiz”: "),
    ],
)  # fmt: skip
def test_what_is_written_to_somebody_stands_in_their_own_chat_or_in_all_that_they_share(
    tmp_path: Path, question: str, begin: str
) -> None:
    table = tmp_path / "chats.csv"
    write_table(
        table,
        ("2025-07-13 09:00", "Zoe", "the kayak is here", "Zoe"),
        ("2025-07-13 08:00", "Tom Reed", "hello", "Zoe"),
        ("2025-07-14 09:00", "Pat", "hello all", "Quiz"),
        ("2025-07-14 09:01", "Tom Reed", "hello both", "Quiz"),
        ("2025-07-12 09:01", "Zoe", "hello three", "Quiz"),
        ("2025-07-15 09:00", "Pat", "hello", "Boats"),
        ("2025-07-16 09:00", "Pat", "again", "Boats"),
        ("2025-07-15 09:02", "Tom Reed", "good", "Boats"),
        ("2025-07-17 09:02", "Ollie", "fine", "Boats"),
        ("2025-07-17 09:03", "Ann", "fine", "Boats"),
    )
    with memory_of(tmp_path, "Tom Reed", table) as memory:
        assert asked(memory, question).text.startswith(begin), asked(memory, question).text


@pytest.mark.both_stores
def test_files_are_counted_by_their_kind_and_not_as_messages(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        unknown = asked(memory, "How many photos did Dana send?")
        assert unknown.reason == "not_recorded"
        assert unknown.text == (
            "I cannot count or show the photos: no message has a file, and an export may leave files out."
        )
        export = tmp_path / "WhatsApp Chat with Zoe.txt"
        said = ("IMG-1.jpg (file attached)", "PTT-1.opus (file attached)", "<Media omitted>", "IMG-2.jpg (file attached)",
                "look: https://example.org/boat")  # fmt: skip
        lines = (f"0{day}/07/2024, 09:00 - Zoe: {text}\n" for day, text in enumerate(said, start=1))
        export.write_text(
            "".join(lines) + "08/07/2024, 09:00 - Tom Reed: IMG-3.jpg (file attached)\n",
            encoding="utf-8",
        )
        memory.add(export)
        beside = " Of 1 other file the export does not say the kind."
        for question, text in (
            (
                "How many photos did Zoe send?",
                f"Zoe sent 2 photos, the first on 1 July 2024 [1], the last on 4 July 2024 [2].{beside}",
            ),
            (
                "Who sent the most pictures?",
                f"Zoe [1] sent the most photos: 2 of 3 photos. Then Tom Reed (1) [2].{beside}",
            ),
            (
                "How many voice notes were sent?",
                f"Zoe sent 1 voice note, on 2 July 2024 [1].{beside}",
            ),
            ("How many links did Zoe send?", "Zoe sent 1 link, on 5 July 2024 [1]."),
            ("How many files did I send?", "Tom Reed sent 1 file, on 8 July 2024 [1]."),
            (
                "How many stickers did Tom send in July 2024?",
                "Tom Reed sent no stickers from 1 July 2024 to 31 July 2024.",
            ),
        ):
            assert asked(memory, question).text == text
        unclear = asked(memory, "How many stickers did Zoe send in July 2024?")
        assert (unclear.reason, unclear.text) == (
            "not_recorded",
            (
                "I cannot count or show the stickers from Zoe from 1 July 2024 to 31 July 2024: of 1 file the export "
                "does not say the kind."
            ),
        )


def test_a_photo_tells_when_somebody_wrote_and_not_what(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        later = tmp_path / "WhatsApp Chat with Zoe.txt"
        later.write_text(
            "14/07/2025, 09:00 - Zoe: the kayak is here\n15/07/2025, 09:00 - Zoe: <Media omitted>\n",
            encoding="utf-8",
        )
        memory.add(later)
        assert "“the kayak is here” [1]" in asked(memory, "What did Zoe write last?").text
        assert "15 July 2025" in asked(memory, "When did Zoe last write?").text


def test_a_deleted_message_is_not_what_somebody_wrote(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        later = tmp_path / "WhatsApp Chat with Zoe.txt"
        later.write_text(
            "14/07/2025, 09:00 - Zoe: The rent is 900 euros\n"
            "15/07/2025, 09:00 - Zoe: This message was deleted\n",
            encoding="utf-8",
        )
        memory.add(later)
        assert "“The rent is 900 euros” [1]" in asked(memory, "What did Zoe write last?").text
        assert "15 July 2025" in asked(memory, "When did Zoe last write?").text


def test_a_chat_in_which_i_never_answered_is_with_me(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        later = tmp_path / "chats.csv"
        write_table(
            later,
            ("2025-07-14 09:00", "Zoe", "the kayak is here", "Zoe"),
            ("2025-07-15 09:00", "Zoe", "hello all", "Boats"),
            ("2025-07-15 09:01", "Tom Reed", "hello Zoe", "Boats"),
            ("2025-07-15 09:02", "Ollie", "hello both", "Boats"),
        )
        memory.add(later)
        counted = asked(memory, "How many messages did Zoe send me?")
        assert counted.text == "Zoe sent 1 message in “Zoe”, on 14 July 2025 [1]."
        last = asked(memory, "What did Zoe write to me last?")
        assert [source.message.text for source in last.sources] == ["the kayak is here"]


@pytest.mark.both_stores
def test_both_stores_count_alike_and_no_model_is_asked(tmp_path: Path) -> None:
    model = ScriptedModel("Dana sent a hundred messages.")
    with opened(tmp_path, model) as memory:
        counted = asked(memory, "Who sent the most messages in the Cabin Crew group?").text
        assert counted.startswith("Dana Fox [1] wrote the most in “Cabin Crew”: 3 of 6")
        assert (
            asked(memory, "What did Ollie write last?").sources[0].message.text == "see you there"
        )
        memory.delete_chat("Cabin Crew")
        assert asked(memory, "How many messages did Dana send?").text.startswith("Dana Fox sent 1 ")
        assert asked(memory, "How many messages did Tom send on Sundays?").text.startswith(
            "Tom Reed sent 1 "
        )
        assert asked(memory, "Which day of the week is busiest?").text.startswith(
            "Tuesday [1] and Sat"
        )
        assert not model.asked


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("How many messages did Dana send to Tom?", "How many messages did Dana send me?"),
        ("How many messages did Tom get from Ollie?", "How many messages did I get from Ollie?"),
        ("How many messages did Tom send to Ollie?", "How many messages did I send to Ollie?"),
        ("What did Dana last say to Tom?", "What did Dana last say to me?"),
    ],
)
def test_what_was_sent_to_me_is_the_same_whoever_asks(
    tmp_path: Path, named: str, said: str
) -> None:
    with opened(tmp_path) as memory:
        mine = asked(memory, said)
        memory.set_me("Ollie")
        assert "Dana Fox”" in mine.text or "Ollie”" in mine.text, "of the chat of two"
        assert asked(memory, named).text == mine.text


def test_a_name_that_two_people_have_means_both_and_the_answer_says_who(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        later = tmp_path / "WhatsApp Chat with Quiz.txt"
        later.write_text(
            "14/07/2025, 09:00 - Tom Beck: who has the buzzer\n15/07/2025, 09:00 - Ollie: me\n",
            encoding="utf-8",
        )
        memory.add(later)
        counted = asked(memory, "How many messages did Tom send?")
        assert counted.text.startswith("5 messages: Tom Reed (4) and Tom Beck (1);")
        last = asked(memory, "When did Tom last write?")
        assert last.text.startswith("The last message is from Tom Beck, Monday, 14 July 2025")
        assert asked(memory, "How many messages did Tom Beck send?").text.startswith(
            "Tom Beck sent 1"
        )
        for open_to_guess in ("How many messages did Ollie send to Tom?", "Which chats is Tom in?"):
            with pytest.raises(BadQuestion, match="'Tom Reed' and 'Tom Beck': ask with the whole"):
                asked(memory, open_to_guess)


@pytest.mark.both_stores
def test_the_latest_time_of_a_night_is_not_the_last_night(tmp_path: Path) -> None:
    table = tmp_path / "chats.csv"
    write_table(
        table,
        ("2025-03-03 01:40", "Zoe", "still up", "Boats"),
        ("2025-03-04 06:10", "Pat", "good morning", "Boats"),
        ("2025-03-04 23:10", "Pat", "good night", "Boats"),
        ("2025-03-05 22:10", "Zoe", "hello", "Boats"),
        ("2025-03-06 23:59", "Tom Reed", "hello", "Tom"),
        ("2025-03-06 12:59", "Ann", "hello", "Ann"),
    )
    with memory_of(tmp_path, "Tom Reed", table) as memory:
        text = (
            "Zoe wrote latest at night, at 01:40 on 3 March 2025 [1]. Then Tom Reed at 23:59 on 6 March 2025 [2] "
            "and Pat at 23:10 on 4 March 2025 [3]."
        )
        for question in (
            "Who wrote latest at night?",
            "whos the night owl",
            "who writes the latest at night",
            "Wer schreibt nachts am sp\u00e4testen?",
        ):
            assert asked(memory, question).text == text, question
        only = asked(memory, "Who wrote latest at night in the Boats chat on 5 March 2025?")
        assert (
            only.text
            == "Zoe wrote latest at night in \u201cBoats\u201d on 5 March 2025, at 22:10 on 5 March 2025 [1]."
        )
        assert asked(memory, "Who wrote latest at night in the Ann chat?").text.startswith(
            "Nobody wrote"
        )
        last = asked(memory, "Who wrote the last message at night?")
        assert [source.message.text for source in last.sources] == ["hello"]


def test_of_many_chats_a_few_are_named(tmp_path: Path) -> None:
    table = tmp_path / "chats.csv"
    rows = [
        (f"2025-07-1{n} 09:0{who}", name, "hello", f"Club {n}")
        for n in range(8)
        for who, name in enumerate(("Zoe", "Tom Reed", "Pat"))
    ]
    write_table(table, *rows)
    with memory_of(tmp_path, "Tom Reed", table) as memory:
        assert asked(memory, "When did Zoe last write to me?").text == (
            "The last message in “Club 0”, “Club 1”, “Club 2”, “Club 3”, “Club 4” and 3 more chats is from Zoe, "
            "Thursday, 17 July 2025, 09:00, in “Club 7”: “hello” [1]."
        )


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        (
            "letzte Nachricht von Dana",
            "The last message is from Dana Fox, Monday, 16 June 2025, 14:03",
        ),
        (
            "die erste nachricht von ollie",
            "The first message is from Ollie, Tuesday, 13 February 2024",
        ),
        (
            "wie viele nachrichten im mai 2024",
            "4 messages: Dana Fox (2), Ollie (1) and Tom Reed (1);",
        ),
        ("wie viele nachrichten sind nicht von mir", "7 messages: Dana Fox (4) and Ollie (3);"),
        ("wie viele nachrichten enthalten suppe", "Nobody wrote \u201csuppe\u201d."),
        ("welcher monat war am aktivsten", "May 2024 [1] had the most messages: 4 of 11 messages."),
        ("alles, was ollie im mai 2024 gesagt hat", "1 message from Ollie from 1 May 2024"),
        ("Such mal die letzten zwei Nachrichten von Ollie", "The last 2 messages from Ollie:"),
        (
            "Wer hat schon am wenigsten geschrieben?",
            "Ollie [1] wrote the fewest: 3 of 11 messages.",
        ),
        ("Lies die Links von Dana", "There are no links from Dana Fox."),
    ],
)
def test_short_german_questions_are_known(chats: ChatMemory, question: str, begins: str) -> None:
    assert asked(chats, question).text.startswith(begins)
