"""Questions about the messages themselves: how many, the last one, who is in a chat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_table

from minirag_chat import Answer, ChatMemory, Settings
from minirag_chat.errors import BadQuestion

CHATS = {
    "Cabin Crew": """\
03/05/2024, 10:00 - Dana Fox: we have the cabin from friday
03/05/2024, 10:02 - Ollie: great
03/05/2024, 10:03 - Tom Reed: I bring the soup
04/05/2024, 10:03 - Dana Fox: and I bring bread
15/06/2025, 14:03 - Ollie: see you there
16/06/2025, 14:03 - Dana Fox: bye
""",
    "Dana Fox": """\
13/07/2024, 10:00 - Dana Fox: did you find the key
13/07/2024, 10:02 - Tom Reed: yes
13/07/2025, 10:02 - Tom Reed: are you home
""",
    "Ollie": """\
13/02/2024, 10:00 - Ollie: hello
13/02/2024, 10:02 - Tom Reed: hi
""",
}


def opened(folder: Path, model: ScriptedModel | None = None) -> ChatMemory:
    """A memory of the three chats, asked by Tom Reed."""
    settings = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    memory = ChatMemory.open(settings.db, settings, embedder=WordEmbedder(), chat_model=model)
    for title, text in CHATS.items():
        export = folder / f"WhatsApp Chat with {title}.txt"
        export.write_text(text, encoding="utf-8")
        memory.add(export)
    memory.set_me("Tom Reed")
    return memory


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    with opened(tmp_path_factory.mktemp("chats")) as memory:
        yield memory


def asked(memory: ChatMemory, question: str) -> Answer:
    return memory.ask(question, history=())


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
            "2 messages in “Ollie”: Ollie (1) and Tom Reed (1); the first on 13 February 2024 [1], the last on 13 February 2024 [2].",
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
            "who talks the most in the cabin crew group",
            "Dana Fox [1] wrote most in “Cabin Crew”: 3 of 6 messages. Then Ollie (2) [2] and Tom Reed (1) [3].",
        ),
        (
            "Who sent the most messages?",
            "Dana Fox [1] and Tom Reed [2] wrote most: 4 of 11 messages each. Then Ollie (3) [3].",
        ),
        (
            "Who wrote the most messages in May 2024?",
            "Dana Fox [1] wrote most from 1 May 2024 to 31 May 2024: 2 of 4 messages. Then Ollie (1) [2] and Tom Reed (1) [3].",
        ),
        (
            "Who wrote most until May 2024?",
            "Dana Fox [1], Ollie [2] and Tom Reed [3] wrote most until 31 May 2024: 2 of 6 messages each.",
        ),
        (
            "Who wrote the fewest messages in the Cabin Crew chat?",
            "Tom Reed [1] wrote fewest in “Cabin Crew”: 1 of 6 messages. Then Ollie (2) [2] and Dana Fox (3) [3].",
        ),
        (
            "Who wrote more, Dana or Ollie?",
            "Dana Fox [1] wrote most: 4 of 7 messages. Then Ollie (3) [2].",
        ),
        (
            "Which of us writes less, Ollie or me?",
            "Ollie [1] wrote fewest: 3 of 7 messages. Then Tom Reed (4) [2].",
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
            "Ollie [1] wrote fewest: 3 of 11 messages. Then Tom Reed (4) [2] and Dana Fox (4) [3].",
        ),
        (
            "who talks the least",
            "Ollie [1] wrote fewest: 3 of 11 messages. Then Tom Reed (4) [2] and Dana Fox (4) [3].",
        ),
        (
            "Who do I text the most?",
            "Most messages, in chats of two, are with: Dana Fox (3) [1] and Ollie (2) [2].",
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
            "2 messages: Dana Fox (1) and Tom Reed (1); the first on 13 July 2024 [1], the last on 13 July 2024 [2].",
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
            "3 messages: Dana Fox (1), Ollie (1) and Tom Reed (1); the first on 15 June 2025 [1], the last on 13 July 2025 [2].",
        ),
        (
            "How many messages were sent on the morning of 3 May 2024?",
            "3 messages: Dana Fox (1), Ollie (1) and Tom Reed (1); the first on 3 May 2024 [1], the last on 3 May 2024 [2].",
        ),
        ("how many msgs did I send in 2025", "Tom Reed sent 1 message, on 13 July 2025 [1]."),
        ("Which groups is Dana in?", "2 chats: “Cabin Crew” (3) [1] and “Dana Fox” (1) [2]."),
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
    ("question", "begin"),
    [
        (
            "Who writes most on Sundays?",
            "Ollie [1] and Tom Reed [2] wrote most on Sundays: 1 of 2 messages each.",
        ),
        (
            "Who wrote most on Saturdays in 2024?",
            "Dana Fox [1] wrote most on Saturdays from 1 January",
        ),
        (
            "How many messages did Dana send on weekends?",
            "Dana Fox sent 2 messages at weekends, the first",
        ),
        (
            "How many messages on Friday mornings?",
            "3 messages on Fridays between 06:00 and 12:00: ",
        ),
        (
            "How many messages did Tom send on a Saturday?",
            "Tom Reed sent 1 message on Saturdays, on 13 July",
        ),
        (
            "How many messages did Dana send at night?",
            "Dana Fox sent no messages between 22:00 and 06:00.",
        ),
        ("How many messages were sent after 10 am?", "11 messages after 10:00: Dana Fox (4)"),
        ("How many messages after 2 pm?", "2 messages after 14:00: "),
        (
            "Who wrote most before noon?",
            "Tom Reed [1] wrote most between 00:00 and 12:00: 4 of 9 messages.",
        ),
        (
            "How many messages between 10 and 11 am in 2025?",
            "Tom Reed sent 1 message between 10:00 and 11:00",
        ),
        (
            "What did Ollie last write in the morning?",
            "The last message between 06:00 and 12:00 is from Ollie",
        ),
        (
            "Wie viele Nachrichten hat Dana abends geschrieben?",
            "Dana Fox sent no messages after 18:00.",
        ),
        (
            "How many messages on 15 June 2025 after 2 pm?",
            "Ollie sent 1 message, on 15 June 2025 [1].",
        ),
        (
            "How many messages did Dana send after midnight?",
            "Dana Fox sent no messages between 00:00 and 06:00.",
        ),
        ("Wer schreibt samstags am meisten?", "Dana Fox [1] wrote most on Saturdays"),
        ("Did Dana write on Sundays?", "No: Dana Fox sent no messages on Sundays."),
    ],
)
def test_a_day_of_the_week_and_an_hour_are_those_of_the_messages(
    chats: ChatMemory, question: str, begin: str
) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(begin), answer.text


def test_a_friday_night_ends_on_saturday(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        nights = (
            "05/07/2024, 23:00",
            "06/07/2024, 01:00",
            "06/07/2024, 23:00",
            "07/07/2024, 13:00",
        )
        export = tmp_path / "WhatsApp Chat with Zoe.txt"
        export.write_text("".join(f"{at} - Zoe: late {at}\n" for at in nights), encoding="utf-8")
        memory.add(export)
        counted = asked(memory, "How many messages did Zoe send on Friday nights?")
        assert counted.text.startswith("Zoe sent 2 messages on Fridays between 22:00 and 06:00")
        assert [source.sent_at.day for source in counted.sources] == [5, 6]
        talk = asked(memory, "What did Zoe and I talk about after 10 pm?")
        assert "13:00" not in talk.text
        assert "01:00" in talk.text
        assert talk.note.startswith("Only from messages between 22:00 and 06:00")


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        (
            "Which month had the most messages?",
            "May 2024 [1] had most messages: 4 of 11 messages. Then",
        ),
        (
            "In which month did Ollie write most?",
            "February 2024 [1], May 2024 [2] and June 2025 [3] had",
        ),
        (
            "What was the busiest month in 2025?",
            "June 2025 [1] had most messages from 1 January 2025",
        ),
        (
            "Which day of the week is busiest?",
            "Friday [1] and Saturday [2] had most messages: 3 of 11",
        ),
        ("Which weekday is the quietest?", "Wednesday and Thursday had fewest messages: 0 of 11"),
        (
            "Which day had the most messages?",
            "Friday, 3 May 2024 [1] had most messages: 3 of 11 messages.",
        ),
        ("In which year did we write most?", "2024 [1] had most messages: 8 of 11 messages."),
        ("At what time of day do we write most?", "10:00 to 11:00 [1] had most messages: 9 of 11"),
        (
            "When do we write most?",
            "Friday [1] and Saturday [2] had most messages: 3 of 11 messages each.",
        ),
        ("Which month had the fewest messages?", "March 2024, April 2024, June 2024, August 2024"),
        (
            "In welchem Monat haben wir am meisten geschrieben?",
            "May 2024 [1] had most messages: 4 of 11",
        ),
        ("Welcher Monat hatte die meisten Nachrichten?", "May 2024 [1] had most messages"),
        ("In welchem Jahr gab es die meisten Nachrichten?", "2024 [1] had most messages"),
    ],
)
def test_the_busiest_time_is_counted(chats: ChatMemory, question: str, begin: str) -> None:
    answer = asked(chats, question)
    assert answer.text.startswith(begin), answer.text
    for source in answer.sources:
        assert f"[{source.number}]" in answer.text


@pytest.mark.parametrize(
    ("question", "end"),
    [
        (
            "How many messages did Dana send in May and in July 2024?",
            "That is 2 in May 2024 and 1 in July 2024.",
        ),
        ("How many messages were sent in 2023 and 2025?", "That is 0 in 2023 and 3 in 2025."),
        (
            "How many messages were sent on 3 and 5 May 2024?",
            "That is 3 on 3 May 2024 and 0 on 5 May 2024.",
        ),
    ],
)
def test_several_periods_are_counted_without_what_is_between(
    chats: ChatMemory, question: str, end: str
) -> None:
    answer = asked(chats, question)
    assert answer.text.endswith(end), answer.text


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
        "How often does Dana write?",
        "When did Dana last talk to Ollie?",
        "Who is in the cabin?",
        "What was the last thing we did?",
        "When did Dana last send a parcel?",
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
         "Ollie sent no messages from 1 January 2021 to 31 December 2021."),
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


def test_a_word_behind_an_article_is_nobodys_name(chats: ChatMemory) -> None:
    assert "Nobody" not in asked(chats, "What did we talk about in the evening?").note
    assert "Nobody is called 'Xaver'" in asked(chats, "What did Xaver write last?").note


def test_an_emoji_is_part_of_a_name(tmp_path: Path) -> None:
    table = tmp_path / "chats.csv"
    write_table(
        table,
        ("2025-03-14 09:00", "sam 🌵", "the kayak is here", "Boats"),
        ("2025-03-15 09:00", "🌙", "hello sam", "Boats"),
        ("2025-03-15 09:01", "Sam Hill", "hello moon", "Boats"),
    )
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(table)
        for me in ("sam 🌵", "🌙"):
            memory.set_me(me)
            counted = asked(memory, "How many messages did I send?")
            assert counted.text.startswith(f"{me} sent 1 message, ")
        memory.set_me("sam 🌵")
        wrote = asked(memory, "What did I write in March?")
        assert [source.sender for source in wrote.sources] == ["sam 🌵"]


def test_a_chat_that_is_not_there_is_not_all_chats(chats: ChatMemory) -> None:
    for question in (
        "How many messages are in the family chat?",
        "Who wrote most in the family group in May?",
        "What happened in the family chat in July 2024?",
        "How many people are in the climbing chat?",
        "Who is in the climbing chat?",
    ):
        with pytest.raises(BadQuestion, match=r"There is no chat '(family|climbing)'"):
            asked(chats, question)
    note = "There is no chat 'family'"
    assert asked(chats, "When did Tom bring the soup in the family chat?").note.startswith(note)
    assert not asked(chats, "When did Tom bring the soup in the group chat?").note


def test_a_person_who_is_not_there_is_named(chats: ChatMemory) -> None:
    for question in ("How many messages did Danah send?", "What did Danah say in July 2024?"):
        assert "'Danah': did you mean 'Dana Fox'?" in asked(chats, question).note
    assert not asked(chats, "What did Dana say about zeppelins?").note


def test_filters_of_the_page_apply(chats: ChatMemory) -> None:
    answer = chats.ask("How many people are in the group?", chats=["Cabin Crew"], history=())
    assert answer.text.startswith("3 people have written in “Cabin Crew”")
    answer = chats.ask("What was the last message?", people=["Ollie"], history=())
    assert [source.message.text for source in answer.sources] == ["see you there"]


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
            "Tom Reed [1] wrote fewest in “Cabin Crew”",
        ),
        (
            "Who wrote most in May 2024?",
            "and the second?",
            "Ollie [1] and Tom Reed [2] wrote second most from 1 May",
        ),
        (
            "Who wrote most in Cabin Crew?",
            "and in June 2025?",
            "Dana Fox [1] and Ollie [2] wrote most in “Cabin Crew” from",
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
            "Which month had the most messages?",
            "what about the second?",
            "February 2024 [1], July 2024 [2] and June 2025 [3] had second",
        ),
        (
            "Who wrote most in Cabin Crew?",
            "Who wrote the fewest messages?",
            "Ollie [1] wrote fewest: 3 of 11",
        ),
    ],
)
def test_a_follow_up_asks_for_the_other_end(
    chats: ChatMemory, first: str, then: str, begin: str
) -> None:
    answer = chats.ask(then, history=[(first, "yes")])
    assert answer.text.startswith(begin), answer.text


@pytest.mark.both_stores
def test_files_are_counted_by_their_kind_and_not_as_messages(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        unknown = asked(memory, "How many photos did Dana send?").text
        assert unknown == (
            "I cannot count the photos: no message has a file, and an export may leave files out."
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
                f"Zoe [1] sent most photos: 2 of 3 photos. Then Tom Reed (1) [2].{beside}",
            ),
            (
                "How many voice notes were sent?",
                f"Zoe sent 1 voice note, on 2 July 2024 [1].{beside}",
            ),
            ("How many links did Zoe send?", "Zoe sent 1 link, on 5 July 2024 [1]."),
            ("How many files did I send?", "Tom Reed sent 1 file, on 8 July 2024 [1]."),
            (
                "How many stickers did Zoe send in July 2024?",
                f"Zoe sent no stickers from 1 July 2024 to 31 July 2024.{beside}",
            ),
        ):
            assert asked(memory, question).text == text


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
        assert counted.startswith("Dana Fox [1] wrote most in “Cabin Crew”: 3 of 6")
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
    ("when", "number"),
    [("this Monday", "1 message, on 12 January 2026"), ("this winter", "3 messages")],
)
def test_this_monday_and_this_winter_have_begun(tmp_path: Path, when: str, number: str) -> None:
    export = tmp_path / "WhatsApp Chat with Zoe.txt"
    days = ("28/11/2025", "28/12/2025", "12/01/2026", "14/01/2026")
    export.write_text("".join(f"{day}, 09:00 - Zoe: hello\n" for day in days), encoding="utf-8")
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(export)
        counted = asked(memory, f"How many messages did Zoe send {when}?").text
        assert counted.startswith(f"Zoe sent {number}"), counted
        talk = asked(memory, f"What did we talk about {when}?")
        assert not talk.abstained, talk.text


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
            assert asked(memory, open_to_guess).model != "none"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Who never wrote in Cabin Crew on Sundays?",
            "Dana Fox and Tom Reed wrote nothing in “Cabin Crew” on Sundays; 1 of 3 people did.",
        ),
        (
            "Who didn't write in July 2024?",
            "Ollie wrote nothing from 1 July 2024 to 31 July 2024; 2 of 3 people did.",
        ),
        (
            "Who has not written anything in 2024?",
            "Nobody: all 3 people wrote from 1 January 2024 to 31 December 2024.",
        ),
        (
            "On how many days did Dana write?",
            "Dana Fox wrote on 4 days, the first on 3 May 2024 [1], the last on 16 June 2025 [2].",
        ),
        (
            "How many messages per year?",
            "11 messages: 2024 (8) and 2025 (3); on average 7.8 a year, from the first [1] to the last day [2].",
        ),
        (
            "How many messages does Ollie send a month on average in 2025?",
            "1 message from Ollie from 1 January 2025 to 31 December 2025: June 2025 (1).",
        ),
        (
            "Which chat has the most messages?",
            "3 chats: “Cabin Crew” (6) [1], “Dana Fox” (3) [2] and “Ollie” (2) [3].",
        ),
        (
            "What was the longest silence in Cabin Crew?",
            "The longest silence in “Cabin Crew” lasted 407 days and 4 hours: from 4 May 2024, 10:03 [1] to 15 June 2025, 14:03 [2].",
        ),
        (
            "How long was the longest time without messages in May 2024?",
            "The longest silence from 1 May 2024 to 31 May 2024 lasted 1 day: from 3 May 2024, 10:03 [1] to 4 May 2024, 10:03 [2].",
        ),
        (
            "Wer hat im Juli 2024 nie geschrieben?",
            "Ollie wrote nothing from 1 July 2024 to 31 July 2024; 2 of 3 people did.",
        ),
    ],
)
def test_rates_and_silences_are_counted(chats: ChatMemory, question: str, text: str) -> None:
    assert asked(chats, question).text == text


TITLED = ("Crag climbing club", "WG Sonnenallee", "Book club")


@pytest.fixture(scope="module")
def titled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("titled")
    settings = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        for n, title in enumerate(TITLED, start=1):
            lines = [
                f"0{day}/0{n}/2024, 1{n}:00 - Ann: {title} number {day}\n" for day in range(1, 4)
            ]
            export = folder / f"WhatsApp Chat with {title}.txt"
            export.write_text("".join(lines), encoding="utf-8")
            memory.add(export)
        yield memory


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Fasse die WG zusammen", "WG Sonnenallee"),
        ("Fasse den Chat WG Sonnenallee zusammen", "WG Sonnenallee"),
        ("Was gibt's Neues in der WG?", "WG Sonnenallee"),
        ("Wor\u00fcber haben wir in der WG geredet?", "WG Sonnenallee"),
        ("Wie viele Nachrichten gibt es in der WG?", "WG Sonnenallee"),
        ("Wer hat in der WG am meisten geschrieben?", "WG Sonnenallee"),
        ("Summarise the climbing group", "Crag climbing club"),
        ("Summarise the climbing club", "Crag climbing club"),
        ("What happened in the climbing club?", "Crag climbing club"),
    ],
)
def test_a_part_of_one_title_is_that_chat(titled: ChatMemory, question: str, title: str) -> None:
    answer = asked(titled, question)
    assert {source.chat for source in answer.sources} == {title}, answer.text


def test_a_part_of_several_titles_is_asked_about(titled: ChatMemory) -> None:
    for question in ("Summarise the club", "What's new in the club?"):
        with pytest.raises(BadQuestion, match="'Crag climbing club' and 'Book club'"):
            asked(titled, question)
    for question in ("Fasse das Boot zusammen", "Fasse den Januar zusammen", "Where is the club?"):
        assert {source.chat for source in asked(titled, question).sources} != {"Book club"}
