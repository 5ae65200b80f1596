"""Follow-ups of questions about the messages themselves: of somebody else, of the other end, of the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from three_chats import asked, memory_of, opened

from minirag_chat import ChatMemory


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats")) as memory:
        yield memory


def test_a_follow_up_asks_the_same_of_somebody_else(chats: ChatMemory) -> None:
    first = asked(chats, "How many messages did Dana send?")
    answer = chats.ask("And Ollie?", history=[(first.question, first.text)])
    assert answer.text.startswith("Ollie sent 3 messages")


@pytest.mark.parametrize(
    ("first", "then", "begin"),
    [
        (
            "Who wrote most in Cabin Crew?",
            "and who wrote the least?",
            "Tom Reed [1] wrote the fewest in “Cabin Crew”",
        ),
        (
            "Who wrote most in May 2024?",
            "and the second?",
            "Ollie [1] and Tom Reed [2] wrote the second most from 1 May",
        ),
        ("How many messages did I send to Dana?", "and from Ollie?", "Ollie sent"),
        (
            "When did I last talk to Dana?",
            "and Ollie?",
            "The last message in \u201cOllie\u201d is from Tom Reed, Tuesday, 13 February 2024",
        ),
        (
            "Who wrote most in Cabin Crew?",
            "and in June 2025?",
            "Dana Fox [1] and Ollie [2] wrote equally much in “Cabin Crew” from",
        ),
        (
            "What was the last message?",
            "and the first one?",
            "The first message is from Ollie, Tuesday, 13 Feb",
        ),
        (
            "When did Dana last write?",
            "And first?",
            "The first message is from Dana Fox, Friday, 3 May 2024",
        ),
        ("Which month had the most messages?", "and the fewest?", "March 2024, April 2024"),
        (
            "How many messages did Dana send in May 2024?",
            "and in total?",
            "Dana Fox sent 4 messages, the",
        ),
        (
            "How many messages did Dana send from 1 to 9 May 2024?",
            "Altogether?",
            "Dana Fox sent 4 messages, the",
        ),
        (
            "Who wrote most on Fridays in Cabin Crew?",
            "And overall?",
            "Dana Fox [1] wrote the most in \u201cCabin Crew\u201d: 3 of 6",
        ),
        ("How many messages did Dana send?", "In total?", "Dana Fox sent 4 messages, the first"),
        (
            "Which month had the most messages?",
            "what about the second?",
            "February 2024 [1], July 2024 [2] and June 2025 [3] had the second",
        ),
        (
            "Who wrote most in Cabin Crew?",
            "Who wrote the fewest messages?",
            "Ollie [1] wrote the fewest: 3 of 11",
        ),
        (
            "Who wrote the second most?",
            "and the least?",
            "Ollie [1] wrote the fewest: 3 of 11 messages. Then",
        ),
        ("Who wrote the second most in Cabin Crew?", "and the third?", "Tom Reed [1] wrote the third"),
        ("Who wrote the second most?", "and the most?", "Dana Fox [1] and Tom Reed [2] wrote the most"),
        ("Who wrote the most?", "and the second fewest?", "Tom Reed [1] and Dana Fox [2] wrote the second fewest"),
    ],
)  # fmt: skip
def test_a_follow_up_asks_for_the_other_end(
    chats: ChatMemory, first: str, then: str, begin: str
) -> None:
    answer = chats.ask(then, history=[(first, "yes")])
    assert answer.text.startswith(begin), answer.text


@pytest.mark.parametrize(
    ("first", "then", "begin"),
    [
        ("How many messages in the Cabin Crew chat in May 2024?", "who wrote the most?",
         "Dana Fox [1] wrote the most in “Cabin Crew” from 1 May 2024 to 31 May 2024: 2 of 4"),
        ("How many messages in the Cabin Crew chat in May 2024?", "who wrote the most in June 2025?",
         "Dana Fox [1] and Ollie [2] wrote equally much in “Cabin Crew” from 1 June 2025"),
        ("How many messages in the Ollie chat in May 2024?", "who wrote the least in the Cabin Crew chat?",
         "Tom Reed [1] and Ollie [2] wrote the fewest in “Cabin Crew” from 1 May 2024 to 31 May 2024"),
        ("How many messages did Dana send in May 2024?", "and who wrote the most messages?",
         "Dana Fox [1] wrote the most from 1 May 2024 to 31 May 2024: 2 of 4"),
        ("How many messages were sent on Sundays?", "who wrote most?",
         "Ollie [1] and Tom Reed [2] wrote equally much on Sundays: 1 of 2"),
        ("How many messages did Dana and I exchange in 2024?", "who wrote more?",
         "Dana Fox [1] and Tom Reed [2] wrote equally much in “Dana Fox” from 1 January 2024"),
        ("Wie viele Nachrichten gibt es im Mai 2024?", "wer hat am meisten geschrieben?",
         "Dana Fox [1] wrote the most from 1 May 2024 to 31 May 2024: 2 of 4"),
        ("How many messages in the Cabin Crew chat in May 2024?", "who wrote the most messages?",
         "Dana Fox [1] and Tom Reed [2] wrote the most: 4 of 11"),
        ("How many messages in the Cabin Crew chat in May 2024?", "who wrote more, Ollie or me?",
         "Ollie [1] wrote the most in “Cabin Crew” and “Ollie”: 3 of 5"),
        ("When did Dana bring the bread in May 2024?", "who wrote the most?",
         "Dana Fox [1] and Tom Reed [2] wrote the most: 4 of 11"),
    ],
)  # fmt: skip
def test_who_wrote_most_is_asked_of_the_messages_before(
    chats: ChatMemory, first: str, then: str, begin: str
) -> None:
    answer = chats.ask(then, history=[(first, "yes")])
    assert answer.text.startswith(begin), answer.text


@pytest.mark.parametrize(
    ("earlier", "then", "begin"),
    [
        (["How many messages did Dana send?"], "when was the last one?", "The last message is from Dana Fox, Monday, 16 June 2025"),
        (["How many messages did Dana send in May 2024?"], "and who wrote the first one?",
         "The first message is from Dana Fox, Friday, 3 May 2024"),
        (["How many messages in the Cabin Crew chat in May 2024?"], "what was the last?",
         "The last message in “Cabin Crew” is from Dana Fox, Saturday, 4 May 2024"),
        (["How often did Dana say bread?"], "when was the last time?", "Dana Fox last wrote “bread” on 4 May 2024"),
        (["How many messages did Dana send?", "and Ollie?"], "both together?", "7 messages: Dana Fox (4) and Ollie (3)"),
        (["How many messages did Dana send?", "and Ollie?"], "who sent more?", "Dana Fox [1] wrote the most: 4 of 7"),
        (["How many messages did Ollie send in May 2024?", "and Dana?"], "so who has more?",
         "Dana Fox [1] wrote the most from 1 May 2024 to 31 May 2024: 2 of "),
        (["How many messages did Dana send?", "and Ollie?"], "How many did they write together?",
         "7 messages: Dana Fox (4) and Ollie (3)"),
        (["How many messages did Dana send?", "and Ollie?"], "Who wrote more of the two?",
         "Dana Fox [1] wrote the most: 4 of 7 messages."),
        (["Who is in the Cabin Crew chat?"], "Who wrote most there?", "Dana Fox [1] wrote the most in “Cabin Crew”"),
        (["How many messages are in Cabin Crew?"], "and who wrote the least in there?", "Tom Reed [1] wrote the fewest"),
        (["How many messages did Dana send?", "and Ollie?", "and both together?"], "which of them sent fewer?",
         "Ollie [1] wrote the fewest: 3 of 7"),
        (["How many messages did Ollie send?", "and Dana?"], "who sent the most messages?",
         "Dana Fox [1] and Tom Reed [2] wrote the most: 4 of 11"),
        (["How many messages did Dana send?", "and Ollie?", "and Tom?"], "and all combined?", "11 messages: Dana Fox (4)"),
        (["How many messages did Dana send?", "and Ollie?", "and both together?"], "when was the last one?",
         "The last message is from Dana Fox, "),
        (["How many messages did Dana send?"], "and how many in May 2024?", "Dana Fox sent 2 messages, the first on 3 May"),
        (["How many messages did Dana send?"], "how many from Ollie?", "Ollie sent 3 messages"),
        (["How many messages did Dana send?"], "When did she last write?", "The last message is from Dana Fox, "),
        (["How many messages did Ollie send?"], "and his longest message?", "The longest message is from Ollie"),
        (["Who wrote the most in Cabin Crew?"], "by how much?", "Dana Fox [1] wrote the most in “Cabin Crew”: 3 of 6"),
        (["Who wrote the most?", "by how much?"], "and the least?", "Ollie [1] wrote the fewest: 3 of 11"),
        (["How many messages in the Cabin Crew chat?"], "how many of them are mine?", "Tom Reed sent 1 message in \u201cCabin Crew\u201d"),
        (["How many messages in the Cabin Crew chat?"], "and from Dana?", "Dana Fox sent 3 messages in \u201cCabin Crew\u201d"),
        (["How many messages mention bread?"], "how many of them are from Dana?", "Dana Fox wrote \u201cbread\u201d 1 time"),
        (["How often did Dana say bread?"], "and soup?", "Dana Fox did not write \u201csoup\u201d"),
        (["How often did Dana say bread?"], "and 2025?", "Dana Fox did not write \u201cbread\u201d from 1 January 2025"),
        (["How often did Dana say bread?"], "and in May 2024?", "Dana Fox wrote \u201cbread\u201d 1 time from 1 May"),
        (["Who wrote the second most in Cabin Crew?"], "and the 3rd?", "Tom Reed [1] wrote the third"),
        (["What is the wifi password?"], "How many messages are there?", "11 messages: "),
        (["Who wrote the most?"], "apart from me?", "Dana Fox [1] wrote the most apart from Tom Reed: 4 of 7"),
        (["Who wrote the most in Cabin Crew?"], "and without Dana?", "Ollie [1] wrote the most apart from Dana Fox in"),
        (["Which chat has the most messages?"], "and the fewest?", "\u201cOllie\u201d [1] has the fewest messages: 2 of 11"),
        (["What was the longest silence between me and Dana?"], "and with Ollie?", "The longest silence in \u201cOllie\u201d"),
        (["Who wrote the most in the Dana Fox chat?"], "and in the cabin?", "Dana Fox [1] wrote the most in \u201cCabin Crew\u201d"),
        (["How many messages in May 2024?"], "from whom most?", "Dana Fox [1] wrote the most from 1 May"),
        (["How many messages did Dana send?"], "i mean Ollie", "Ollie sent 3 messages"),
        (["What did Dana say last?"], "and before that?", "The last 3 messages from Dana Fox"),
        (["Who texts first?"], "who else?", "Dana Fox [1] began the most"),
        (["Who have I known the longest?"], "and after that?", "The oldest first message is from Ollie"),
        (["Who have I known the longest?", "and after that?"], "and the second?", "The oldest first message is from Ollie"),
        (["Which chat has the most messages?"], "who comes next?", "\u201cCabin Crew\u201d [1] has the most"),
        (["Who is the quietest?"], "and the loudest?", "Dana Fox [1] and Tom Reed [2] wrote the most"),
    ],
)  # fmt: skip
def test_more_is_asked_of_what_was_counted(
    chats: ChatMemory, earlier: list[str], then: str, begin: str
) -> None:
    answer = chats.ask(then, history=[(question, "yes") for question in earlier])
    assert answer.text.startswith(begin), answer.text


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Where does Dana keep the key?", "when was the last one?"),
        ("Where does Dana keep the key?", "by how much?"),
        ("Where does Dana keep the key?", "who else?"),
        ("Where does Dana keep the key?", "both together?"),
        ("How many messages did Dana send?", "both together?"),
        ("How many messages did Dana send?", "when did she find the key?"),
        ("How many messages did Dana and Ollie send?", "when did she find it?"),
        ("Who wrote to Dana about the key?", "when did he last write?"),
        ("What is Dana's brother called?", "how many messages has he sent?"),
        ("How often did Dana mention Ollie?", "when did he last write?"),
        ("How often did Dana say bread?", "and Dad?"),
        ("How often did Dana say bread?", "and why?"),
        ("How often did Dana say bread?", "really?"),
    ],
)
def test_what_was_not_counted_is_looked_up(chats: ChatMemory, first: str, then: str) -> None:
    assert chats.ask(then, history=[(first, "yes")]).model != "none"


def test_who_sent_most_is_asked_of_the_files_before(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Zoe.txt"
    files = "".join(
        f"0{day}/07/2024, 09:00 - Zoe: IMG-{day}.jpg (file attached)\n" for day in (1, 2)
    )
    export.write_text(
        f"{files}03/07/2024, 09:00 - Tom Reed: IMG-3.jpg (file attached)\n"
        + "".join(f"04/08/2024, 09:0{n} - Tom Reed: hello\n" for n in range(3)),
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Tom Reed", export) as memory:
        photos = [("How many photos did I send in July 2024?", "1")]
        for then, begin in (
            (
                "who sent the most?",
                "Zoe [1] sent the most photos from 1 July 2024 to 31 July 2024: 2 of 3",
            ),
            ("and who sent the least?", "Tom Reed [1] sent the fewest photos from 1 July 2024"),
            ("who sent the most in August 2024?", "There are no photos from 1 August 2024"),
            (
                "who wrote the most?",
                "Zoe [1] wrote the most from 1 July 2024 to 31 July 2024: 2 of 3 messages",
            ),
            ("who sent the most messages?", "Tom Reed [1] wrote the most: 4 of 6 messages"),
            ("and videos?", "Tom Reed sent no videos from 1 July 2024"),
            ("and messages?", "Tom Reed sent 1 message, on 3 July 2024"),
            ("when was the last one?", "The last photo is from Tom Reed, Wednesday, 3 July 2024"),
        ):
            assert memory.ask(then, history=photos).text.startswith(begin), then
        assert asked(memory, "Did Zoe send more photos than Tom?").text.startswith(
            "Yes: Zoe [1] sent"
        )
        assert asked(memory, "Did Tom send more photos than Zoe?").text.startswith(
            "No: Zoe [1] sent"
        )


def test_a_letter_that_is_longer_in_lower_case_moves_no_word(tmp_path: Path) -> None:
    exports = {"Groß": "03/05/2024, 10:00 - Groß: bread and soup\n03/05/2024, 10:02 - Ann: great\n"}
    with opened(tmp_path, chats=exports, me="Ann") as memory:
        answer = memory.ask("and soup?", history=[("How often did Groß say bread?", "yes")])
    assert answer.text.startswith("Groß wrote “soup” 1 time"), answer.text
