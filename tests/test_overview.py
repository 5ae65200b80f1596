"""Overview questions: narrowed to what they ask about, and answered with messages that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log, write_table
from three_chats import memory_of, opened

from minirag_chat import Answer, ChatMemory, Settings
from minirag_chat.question import PlanContext, map_question
from minirag_chat.question.overview import as_overview
from minirag_chat.records import Filters, Question
from minirag_chat.summaries.overview import themes

NOW = datetime(2026, 6, 10)


def test_an_overview_cites_messages_of_several_conversations(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about?", history=())
    assert not answer.abstained
    assert len(answer.sources) >= 5
    assert len({s.message.session_id for s in answer.sources}) >= 3
    assert [s.number for s in answer.sources] == list(range(1, len(answer.sources) + 1))
    for line in answer.text.splitlines():
        assert line.startswith("- ")
        assert line.endswith("]")
    times = [source.sent_at for source in answer.sources]
    assert times == sorted(times)
    for line, source in zip(answer.text.splitlines(), answer.sources, strict=True):
        chat = source.message.chat
        assert (f"in “{chat}”" in line) is (chat != source.message.shown_sender), (
            "it is not repeated"
        )
    assert {node.type for node in answer.path.nodes} >= {"question", "topic", "message"}


def test_photos_of_a_day_are_shown_with_what_was_written(tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Dani.txt"
    chat.write_text(
        "14/10/2026, 09:00 - Nuria: is she here\n14/10/2026, 09:05 - Dani: YES\n"
        "15/10/2026, 18:15 - Dani: <Media omitted>\n15/10/2026, 18:15 - Dani: <Media omitted>\n"
        "16/10/2026, 10:00 - Dani: she sleeps\n16/10/2026, 10:01 - Dani: <Media omitted>\n",
        encoding="utf-8",
    )
    with memory_of(tmp_path, "Nuria", chat) as memory:
        photos = memory.ask("What did Dani send on 15 October 2026?", history=())
        assert photos.text == "- Dani, 15 October 2026, 18:15: “<Media omitted>” [1][2]"
        both = memory.ask("What did Dani send on 16 October 2026?", history=())
        assert [line.rpartition(" ")[2] for line in both.text.splitlines()] == ["[1]", "[2]"]
        none = memory.ask("What did Dani send on 17 October 2026?", history=())
        assert none.text == "Dani sent no messages on 17 October 2026."


@pytest.fixture
def by_themes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums up a few messages too, so that the tests of themes need no more."""
    monkeypatch.setattr("minirag_chat.summaries.overview.FEW", 0)


@pytest.mark.slow
def test_a_few_messages_are_all_shown_in_order_of_time_with_their_chats(tmp_path: Path) -> None:
    rows = [
        ("2024-03-11 20:00", "Ann", "The oars are lost.", "Boats"),
        ("2024-03-11 20:01", "Ben", "ok", "Boats"),
        ("2024-03-11 21:30", "Ann", "Is the lamp *still* broken?", "Home"),
        ("2024-03-12 08:00", "Ben", "The piano is here.", "Home"),
        *(
            (f"2024-04-01 10:{n:02}", "Ben", f"Soup number {n} is ready.", "Home")
            for n in range(21)
        ),
    ]
    with memory_of(tmp_path, "Ann", write_table(tmp_path / "chats.csv", *rows)) as memory:
        answer = memory.ask("What did we talk about on 11 March 2024?", history=())
        assert answer.text.splitlines() == [
            "- Ann, 11 March 2024, 20:00 in “Boats”: “The oars are lost.” [1]",
            "- Ben, 11 March 2024, 20:01 in “Boats”: “ok” [2]",
            "- Ann, 11 March 2024, 21:30 in “Home”: “Is the lamp *still* broken?” [3]",
        ]
        assert answer.confidence == 1
        assert {n.name for n in answer.path.nodes if n.type == "topic"} == {"Boats", "Home"}
        mine = memory.ask("What did I write on 11 March 2024?", history=())
        assert [source.number for source in mine.sources] == [1, 2]
        many = memory.ask("What did we talk about in April 2024?", history=())
        assert len(many.sources) < 21
        assert len(memory.ask("What did we talk about?", history=()).sources) <= 5


def test_what_was_deleted_or_is_only_emoji_is_no_news(tmp_path: Path) -> None:
    said = """\
01/03/2026, 09:00 - Nell: the pump is mended
01/03/2026, 09:01 - Nell: This message was deleted
01/03/2026, 09:02 - Nell: \U0001f384\U0001f62d
01/03/2026, 09:03 - Omar: \U0001f62d
01/03/2026, 09:04 - Nell: 7.30?
"""
    with opened(tmp_path, chats={"Allotment": said}, me="Omar") as memory:
        news = memory.ask("What's new with Nell?", history=())
        assert [one.message.text for one in news.sources] == ["the pump is mended", "7.30?"]
        mine = memory.ask("What did I write on 1 March 2026?", history=())
        assert [one.message.text for one in mine.sources] == ["\U0001f62d"], "there is nothing else"


def test_a_period_narrows_it(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about in March 2026?", history=())
    assert answer.sources
    assert {(s.sent_at.year, s.sent_at.month) for s in answer.sources} == {(2026, 3)}


def test_each_of_two_who_wrote_in_one_conversation_is_quoted(told: Told) -> None:
    memory = told(
        {
            "20260301_1000": (
                "Ann: I found a coffee machine on the market, a Jura for 180.",
                "Ben: Thanks for the cake, whoever made it.",
                "Cy: It was me, with the apples from the garden.",
            )
        }
    )
    answer = memory.ask("What did Ann and Ben write on 1 March?", history=())
    assert {source.sender for source in answer.sources} == {"Ann", "Ben"}, answer.text
    alone = memory.ask("What did Ben write on 1 March?", history=())
    assert {source.sender for source in alone.sources} == {"Ben"}


def test_a_person_narrows_it_to_conversations_with_them(sample: ChatMemory) -> None:
    person = sample.people()[2]
    answer = sample.ask(f"What are the main themes with {person.name}?", history=())
    sessions, _people = sample._store.columns.sessions_with([person.id])
    assert answer.sources
    assert all(s.message.session_id in sessions for s in answer.sources)


def test_two_people_narrow_it_to_conversations_of_both(told: Told, tmp_path: Path) -> None:
    memory = told({"20260101_1000": ("Ann: A new year.",)})
    chats = {
        "Crew": (
            "01/03/2026, 10:00 - Ann: The boat needs paint.", "01/03/2026, 10:02 - Bob: Blue paint.",
            "05/03/2026, 10:00 - Cy: Soup is ready.", "05/03/2026, 10:02 - Bob: Coming for soup.",
            "09/03/2026, 10:00 - Ann: The lamp is broken.", "09/03/2026, 10:02 - Cy: Poor lamp.",
        ),
        "Dora": ("02/03/2026, 10:00 - Dora: The piano is here.", "02/03/2026, 10:02 - Ann: A piano!"),
        "Bob": (
            "03/03/2026, 10:00 - Bob: Garden tomorrow?", "03/03/2026, 10:02 - Ann: Garden, yes.",
            "13/03/2026, 10:00 - Bob: The ladder is in the mill.",
        ),
    }  # fmt: skip
    for title, lines in chats.items():
        export = tmp_path / f"WhatsApp Chat with {title}.txt"
        export.write_text("\n".join(lines), encoding="utf-8")
        memory.add(export)

    def days(question: str) -> set[int]:
        return {s.sent_at.day for s in memory.ask(question, history=()).sources}

    assert days("What did Ann and Bob talk about?") == {1, 3, 13}
    assert days("What did Bob and Cy talk about?") == {5}
    assert days("What did Ann talk about?") == {1, 2, 3, 9}


def test_who_wrote_in_one_chat_and_not_to_each_other_is_quoted_there(
    told: Told, tmp_path: Path
) -> None:
    memory = told({"20250721_1000": ("Ben: Hello all.", "Ivy: Hello Ben.")})
    table = write_table(
        tmp_path / "boats.csv",
        ("2024-03-11 20:00", "Ann", "The oars are lost.", "Boats"),
        ("2024-03-11 20:01", "Ben", "We borrow some oars.", "Boats"),
        ("2025-03-10 20:00", "Ann", "The boat needs blue paint.", "Boats"),
        ("2025-03-20 20:00", "Ben", "The oars are in the shed.", "Boats"),
        ("2025-03-28 20:00", "Cy", "Nobody sings here.", "Boats"),
        ("2025-03-29 20:00", "Ann", "The soup is ready.", "Ann"),
    )
    memory.add(table)
    answer = memory.ask("What did Ann and Ben talk about in March?", history=())
    assert {s.sent_at.day for s in answer.sources} == {10, 20}


def test_news_of_somebody_who_was_silent_lately_are_their_last_ones(told: Told) -> None:
    memory = told({
        "20250110_1000": ("Ann: The boat needs blue paint.",),
        "20250310_1000": ("Ann: The oars are in the shed.", "Ben: Thank you for the oars."),
        "20250721_1000": ("Ben: Nobody sings here.",),
    })  # fmt: skip
    answer = memory.ask("What's new with Ann?", history=())
    assert [s.message.text for s in answer.sources] == ["The oars are in the shed."]


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did Ann tell me in May 2025?", 2),
        ("What did Ann say to me in May 2025?", 2),
        ("What did I say to Ann in May 2025?", 3),
    ],
)
def test_what_was_said_to_somebody_need_not_be_answered_at_once(
    told: Told, tmp_path: Path, question: str, day: int
) -> None:
    memory = told({"20250504_1000": ("Ben: Hello all.", "Ivy: Hello Ben.")})
    table = write_table(
        tmp_path / "ann.csv",
        ("2025-05-02 20:00", "Ann", "The boat needs paint.", "Ann"),
        ("2025-05-03 20:00", "Ivy", "I have blue paint.", "Ann"),
        ("2025-05-05 20:00", "Ann", "The soup is ready.", "Crew"),
        ("2025-05-05 20:01", "Ben", "Coming.", "Crew"),
    )
    memory.add(table)
    memory.set_me("Ivy")
    assert {s.sent_at.day for s in memory.ask(question, history=()).sources} == {day}


def test_what_i_missed_is_what_others_wrote_without_me(told: Told) -> None:
    memory = told({
        "20250503_1000": ("Ann: Hello.", "Ivy: Hello Ann."),
        "20250504_1000": ("Ann: The boat needs paint.", "Ben: Blue paint."),
    })  # fmt: skip
    memory.set_me("Ivy")
    for question in ("What did I miss today?", "What have I missed on 4 May 2025?"):
        answer = memory.ask(question, history=())
        assert {s.message.text for s in answer.sources} & {
            "The boat needs paint.", "Blue paint.",
        }, question  # fmt: skip


def test_a_time_without_messages_gives_silence(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about in 1999?", history=())
    assert answer.abstained
    assert answer.reason == "no_messages"


def test_a_model_writes_nothing_of_an_overview(sample: ChatMemory) -> None:
    model = ScriptedModel("Somebody baked buns for the feast.", stated=0.8)
    with ChatMemory.open(sample._store.path, sample.settings, chat_model=model) as memory:
        pieces = list(memory.stream("What are the main themes?", history=()))
    answer = pieces[-1]
    assert isinstance(answer, Answer)
    assert len(pieces) == 6  # five lines, one by one, and the answer
    assert "baked buns" not in answer.text
    for line, source in zip(answer.text.splitlines(), answer.sources, strict=True):
        assert source.quote in line


LOG = {
    "20230314_1000": ("GraceHill: The bakery opens at seven.", "TomBerg: Good to know."),
    "20240210_1000": ("MamaHill: Soup and bread are on the stove.", "GraceHill: I bring the cordial."),
    "20240220_1000": ("TomBerg: Hello!", "WillMay: The ferry leaves at noon on Sunday."),
    "20240428_1000": ("TomBerg: The clock tower is being painted.",),
    "20240512_1000": ("MayLind: Our garden has a new gate.", "TomBerg: Lovely."),
    "20250430_1000": ("NoraLee: Ferry tickets are booked.", "MamaHill: Thank you, dear."),
}  # fmt: skip
Told = Callable[..., ChatMemory]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    """Opens a memory of a log, with a word embedder."""
    with ExitStack() as opened:

        def tell(log: dict[str, tuple[str, ...]], model: ScriptedModel | None = None) -> ChatMemory:
            chosen = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
            memory = ChatMemory.open(chosen.db, chosen, embedder=WordEmbedder(), chat_model=model)
            opened.enter_context(memory)
            memory.add(write_log(tmp_path / "log", log))
            return memory

        yield tell


def quoted(memory: ChatMemory, question: str) -> set[str]:
    """Whose message of when is cited: "Grace 2024-02-10"."""
    answer = memory.ask(question, history=())
    return {f"{s.sender.split('H')[0]} {s.sent_at:%Y-%m-%d}" for s in answer.sources}


@pytest.mark.parametrize(
    "question",
    [
        "What did Grace write in February?",
        "What has Grace posted in February?",
        "What did Grace say in February?",
        "What was written by Grace in February?",
        "What did Grace tell Mama in February 2024?",
        "Tell me what Grace wrote in February",
    ],
)
def test_what_somebody_wrote_is_their_own_messages(told: Told, question: str) -> None:
    assert quoted(told(LOG), question) == {"Grace 2024-02-10"}


@pytest.mark.parametrize(
    "question",
    [
        "What did Grace and I write about in February?",
        "What did I talk about with Grace in February?",
        "What did we write to Grace in February?",
    ],
)
def test_what_was_written_with_somebody_is_whole_conversations(told: Told, question: str) -> None:
    found = as_overview(_mapped(told(LOG), question), PlanContext(datetime(2025, 4, 30)))
    assert found is not None
    assert [person.name for person in found.people] == ["GraceHill"]
    assert not found.quoted_speakers


@pytest.mark.parametrize(
    ("question", "people", "quoted_speakers", "times"),
    [
        ("What did May write in May?", [], ["MayLind"], 1),
        ("What did we talk about in May?", [], [], 1),
        ("What did we talk about with May?", ["MayLind"], [], 0),
        ("What did Will say in May?", [], ["WillMay"], 1),
        ("What did Grace say to Will in June?", ["WillMay"], ["GraceHill"], 1),
    ],
)
def test_names_that_are_words_are_told_from_them(
    told: Told, question: str, people: list[str], quoted_speakers: list[str], times: int
) -> None:
    found = as_overview(_mapped(told(LOG), question), PlanContext(datetime(2025, 4, 30)))
    assert found is not None
    assert [person.name for person in found.people] == people
    assert [person.name for person in found.quoted_speakers] == quoted_speakers
    assert len(found.times) == times


def _mapped(memory: ChatMemory, question: str) -> Question:
    return map_question(question, memory._store, datetime(2025, 4, 30), Filters())


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What happened on 14 March?", {"2023-03-14"}),
        ("What happened in February?", {"2024-02-10", "2024-02-20"}),
        ("What did Tom write in March?", {"2023-03-14"}),
        ("What happened on 14 March 2025?", set()),
        ("What happened last March?", set()),
        ("What happened two days ago?", set()),
        ("What happened on Sunday?", set()),
        ("What happened in August?", set()),
    ],
)
def test_a_year_that_was_guessed_steps_back_to_messages(
    told: Told, question: str, days: set[str]
) -> None:
    answer = told(LOG).ask(question, history=())
    assert {f"{s.sent_at:%Y-%m-%d}" for s in answer.sources} == days
    assert ("no messages" in answer.text) == (not days)


@pytest.mark.usefixtures("by_themes")
def test_few_conversations_all_appear_each_with_what_says_most(told: Told) -> None:
    answer = told(LOG).ask("What happened in February?", history=())
    assert [s.message.text for s in answer.sources] == [
        "Soup and bread are on the stove.",
        "The ferry leaves at noon on Sunday.",
    ]


def test_many_conversations_about_one_thing_are_shown_from_all_their_time(told: Told) -> None:
    log = {
        f"2024{month:02}10_1000": (
            f"AnnBerg: The boat needs paint number {month} on the lake.",
            f"TomHill: The boat and the lake can wait, tin {month} of paint is there.",
            "AnnBerg: paint",
        )
        for month in range(1, 13)
    }
    answer = told(log).ask("What did we talk about in 2024?", history=())
    months = [source.message.sent_at.month for source in answer.sources]
    assert len(months) >= 5
    assert min(months) <= 3
    assert max(months) >= 10
    assert not any(source.message.text == "paint" for source in answer.sources)


def test_what_says_most_is_shown_and_not_chatter(told: Told) -> None:
    chatter = (
        "AnnBerg: are you there", "TomHill: yes of course", "AnnBerg: you know which one, the one I mean",
        "TomHill: what time do we leave then", "AnnBerg: no idea, whenever you like", "TomHill: fine with me",
    )  # fmt: skip
    facts = {
        2: "TomHill: The plumber wants 340 euros for the cracked radiator.",
        6: "AnnBerg: Grandma broke her wrist on the frozen pond.",
        11: "TomHill: Our ferry to Harwich leaves on the 24th at 9.",
        15: "AnnBerg: Rosalind is pregnant with twins!",
        21: "TomHill: I passed the theory exam, 47 of 50 points.",
    }
    log = {
        f"202403{day:02}_1000": (*chatter[:3], *filter(None, [facts.get(day)]), *chatter[3:])
        for day in range(1, 29)
    }
    answer = told(log).ask("What did we talk about in March 2024?", history=())
    assert {source.message.sent_at.day for source in answer.sources} == {*facts}
    assert [f"{s.message.sender.replace(' ', '')}: {s.message.text}" for s in answer.sources] == [
        *facts.values()
    ]


def test_what_is_not_shown_of_a_long_message_does_not_count(told: Told) -> None:
    recipe = "melt butter, whisk eggs, sieve flour, chop walnuts, peel quinces, roast almonds, simmer honey"
    log = {
        f"202403{day:02}_1000": (
            f"AnnBerg: {'well you know how that is with this and that, ' * 4}{recipe}, {recipe}",
            f"TomHill: Grandma broke wrist number {day} on the frozen pond.",
        )
        for day in range(1, 29)
    }
    answer = told(log).ask("What did we talk about in March 2024?", history=())
    assert {source.message.sender for source in answer.sources} == {"TomHill"}


def test_conversations_that_are_few_are_listed_and_not_reports(sample: ChatMemory) -> None:
    question = "What did we talk about from 7 January 2026 to 8 January 2026?"
    answer = sample.ask(question, history=())
    span = Filters(since=datetime(2026, 1, 7), until=datetime(2026, 1, 9))
    allowed = sample._store.columns.allowed(span)
    assert allowed is not None
    inside = sample._store.messages.by_ids(allowed.tolist())
    sessions = {message.session_id for message in inside.values()}
    assert len(sessions) == len(answer.sources) > 1
    assert {s.message.session_id for s in answer.sources} == sessions


def test_an_overview_of_hours_has_what_was_said_in_them(told: Told, tmp_path: Path) -> None:
    memory = told({"20260101_0940": ("TomBerg: Happy new year.", "GraceHill: To you too.")})
    chat = tmp_path / "WhatsApp Chat with Grace.txt"
    chat.write_text(
        "13/04/2026, 17:10 - Tom Berg: Dinner first.\n"
        "13/04/2026, 18:20 - Grace Hill: On my way.\n"
        "13/04/2026, 19:30 - Tom Berg: The band plays.\n"
    )
    memory.add(chat)
    evening = memory.ask("What did we talk about on the evening of 13 April 2026?", history=())
    assert "The band plays" in evening.text
    assert "Dinner" not in evening.text


def test_an_overview_stopped_at_once_claims_nothing(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about?", history=(), cancelled=lambda: True)
    assert (answer.text, answer.abstained, answer.stopped) == ("", False, True)


def test_no_message_leads_two_lines(told: Told) -> None:
    memory = told(
        {
            f"202505{day:02}_1000": (
                "TomBerg: Ferry, garden and piano, as always.",
                "GraceHill: Is the ferry late?",
                f"TomBerg: Garden number {day} has a piano.",
            )
            for day in range(1, 9)
        }
    )
    answer = memory.ask("What happened in May?", history=())
    texts = [source.message.text for source in answer.sources]
    assert len(texts) == len(set(texts)) > 1
    found = themes(memory._store, _mapped(memory, "What happened in May?"))
    for place, theme in enumerate(found):
        for later in found[place + 1 :]:
            assert theme.messages[0].text not in {m.text for m in later.messages}


def test_a_quote_cites_only_what_it_quotes(sample: ChatMemory) -> None:
    answer = sample.ask("What did we talk about in March 2026?", history=())
    lines = answer.text.splitlines()
    assert len(answer.sources) == len(lines)
    for line, source in zip(lines, answer.sources, strict=True):
        assert source.message.text[:100].split("\n")[0] in line


@pytest.mark.usefixtures("by_themes")
def test_a_theme_is_not_named_after_a_contraction(tmp_path: Path) -> None:
    export = tmp_path / "WhatsApp Chat with Zoe.txt"
    export.write_text(
        "14/05/2024, 09:00 - Zoe: i dont mind the kayak\n14/05/2024, 09:01 - Ben: didn't we sell the kayak\n"
        "14/05/2024, 09:02 - Zoe: we dont sell it\n14/05/2024, 09:03 - Ben: ok, didn't know\n"
        "14/05/2024, 09:04 - Zoe: they dont have a kayak\n14/05/2024, 09:05 - Ben: didn't ask\n"
        "20/06/2024, 09:03 - Ben: good morning\n",
        encoding="utf-8",
    )
    settings = Settings(db=tmp_path / "chats.db", model="extractive", model_dir=tmp_path)
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(export)
        line = memory.ask("What did we talk about in May 2024?").text
    label = line.split("\u201c")[0]
    assert "kayak" in label
    assert "dont" not in label
    assert "didn" not in label


@pytest.mark.usefixtures("by_themes")
def test_a_theme_is_not_named_after_a_link(told: Told) -> None:
    link = "https://www.youtube.com/watch?v=wedding"
    memory = told({
        "20250503_1000": (
            f"Ann: {link}1", "Ben: Which song for the wedding?", f"Ann: {link}2",
            "Ben: The wedding waltz.", f"Ann: {link}3", "Ben: Or a wedding march instead.",
        ),
    })  # fmt: skip
    told_of = memory.ask("What did we talk about in May 2025?", history=()).text
    assert told_of.startswith("- wedding: Ben, 3 May 2025")


@pytest.mark.usefixtures("by_themes")
def test_a_theme_is_not_named_after_a_time_a_member_or_a_light_verb(told: Told) -> None:
    memory = told({
        "20250503_1000": (
            "AnnBerg: Ben is going to the regatta today", "BenHill: Ann, going by boat today?",
            "AnnBerg: Ben, the boat is going today", "BenHill: Ms Berg wants the boat",
            "AnnBerg: regatta, Mr Hill!", "BenHill: Ms Berg!", "AnnBerg: A regatta today, Ben?",
        ),
        "20250603_1000": ("BenHill: The oven is broken", "AnnBerg: Oh no"),
    })  # fmt: skip
    line = memory.ask("What did we talk about in May 2025?", history=()).text
    assert line.startswith(("- boat, regatta: ", "- regatta, boat: "))


@pytest.mark.usefixtures("by_themes")
def test_a_chinese_theme_leads_with_what_was_talked_about(told: Told) -> None:
    memory = told({
        "20250503_1000": (
            "Ann: 哈哈,好,行", "Ben: 我下周要搬家了",
            "Ann: 搬家的车找好了吗", "Ben: 哈哈,好,行",
            "Ann: 我可以帮你搬家",
        ),
        "20250504_1000": ("Ann: 哈哈,好,行", "Ben: 哈哈"),
        "20250505_1000": ("Ann: 哈哈,好,行", "Ben: 哈哈"),
    })  # fmt: skip
    told_of = memory.ask("What did we talk about on 3 May 2025?", history=()).text
    assert told_of.startswith("- 搬家"), told_of


@pytest.mark.parametrize(
    "question",
    [
        "Summarize the messages from Grace",
        "Summarize the messages from Grace in February",
        "Sum up all messages by Grace",
    ],
)
def test_messages_from_somebody_are_their_own(told: Told, question: str) -> None:
    assert {who.split()[0] for who in quoted(told(LOG), question)} == {"Grace"}


@pytest.mark.usefixtures("by_themes")
def test_a_line_has_a_title_only_if_its_message_speaks_of_it(told: Told) -> None:
    memory = told({
        "20260815_2240": (
            "Ann: ALL CLEAR", "Bob: clear!", "Ann: clear clear clear", "Bob: all clear then",
            "Ann: you are asleep on the roof of the boat with the lantern on", "Bob: clear",
        )
    })  # fmt: skip
    (line,) = memory.ask("What did we talk about in August 2026?", history=()).text.splitlines()
    assert "asleep on the roof" in line
    assert line.startswith("- Ann, 15 August 2026"), line


GERMAN = tuple(
    (f"2026-07-01 10:{minute:02}", who, text, "Familie")
    for minute, (who, text) in enumerate(
        [
            ("Jonas", "Dann fahr ich mit dem Zelt, wenn das Wetter dann noch gut ist."),
            ("Heike", "Beim Tanzkurs geht das Zelt nicht, aber beim Garten geht es."),
            ("Jonas", "Das Zelt ist alt, dann kaufen wir eben ein neues Zelt."),
            ("Heike", "Geht das nicht auch ohne Zelt? Beim letzten Mal hat es geregnet."),
        ],
        start=1,
    )
)


@pytest.mark.usefixtures("by_themes")
def test_common_words_of_other_languages_are_no_topics(tmp_path: Path) -> None:
    with memory_of(tmp_path, "Jonas", write_table(tmp_path / "chats.csv", *GERMAN)) as memory:
        text = memory.ask("Worüber haben wir im Juli gesprochen?", history=[]).text
    title = text.removeprefix("- ").partition(":")[0].casefold()
    assert "zelt" in title
    assert not {"dann", "geht", "beim"} & set(title.replace(",", " ").split())
