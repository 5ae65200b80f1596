"""Follow-ups: one clean question where that can be, else what it leans on; what a conversation keeps."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from fakes import ScriptedModel
from growth import assert_by_length, processor_seconds
from places import write_log

from minirag_chat import ChatMemory
from minirag_chat.memory import preparing, question_text
from minirag_chat.memory.asking import Asking
from minirag_chat.memory.context import MemoryContext
from minirag_chat.question import PlanContext, carried, follow_up, make_plan, map_question
from minirag_chat.question.follow_up import MOST_HISTORY, FollowUp
from minirag_chat.records import Filters, Overview, Question

NOW = datetime(2026, 9, 20)
FAMILY = {
    "20260705_1000": ("Tom: I went to the dentist.", "Nora: Me too.", "Leo: I start at the bakery."),
    "20260706_1000": ("Mama: I visited Opa.", "Opa: What a party!", "Ylva: Hi", "Uncle Raj: Ok"),
    "20260707_1000": ("小雨: 我搬家了。", "安娜: 好的。"),
}  # fmt: skip


@pytest.fixture
def family(memory: ChatMemory, tmp_path: Path) -> ChatMemory:
    memory.add(write_log(tmp_path / "log", FAMILY))
    return memory


def taken(memory: ChatMemory, *asked: str) -> FollowUp:
    """How the last of some questions is taken."""
    *past, question = asked
    return follow_up(question, [(one, ".") for one in past], memory._store, NOW)


def for_certain(said: FollowUp) -> FollowUp:
    """How it is taken whatever is found for it."""
    return replace(said, possible=())


def mapped(memory: ChatMemory, said: FollowUp) -> Question:
    """What the engine makes of it."""
    question, before = (
        map_question(text, memory._store, NOW, Filters()) for text in (said.text, said.before)
    )
    return carried(question, before, fragment=said.fragment) if said.context else question


@pytest.mark.parametrize(
    ("question", "possible"),
    [
        ("Who paid the taxi?", True),
        ("Did anyone bring food?", True),
        ("Who paid Nora?", False),
        ("Who paid the taxi in July?", False),
    ],
)
def test_a_complete_question_may_lean_on_the_one_before_if_it_names_nobody_and_no_time(
    family: ChatMemory, question: str, possible: bool
) -> None:
    before = "Where did Tom go?"
    said = taken(family, before, question)
    assert said == FollowUp(question, possible=(before,) if possible else ())
    assert said.before == (before if possible else "")


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("Where is Tom going?", "Where is Nora?"),
        ("Who is Tom's boss?", "Who is Nora?"),
        ("When did Tom come?", "Where did Nora?"),
    ],
)
def test_a_complete_question_keeps_its_own_words(
    family: ChatMemory, before: str, question: str
) -> None:
    assert taken(family, before, question).text == question


@pytest.mark.parametrize(
    ("before", "question", "clean"),
    [
        ("How many times did Tom go to the dentist?", "And Nora?",
         "How many times did Nora go to the dentist?"),
        ("How many times did Mama visit Opa?", "And Nora?", "How many times did Nora visit Opa?"),
        ("When is Tom's birthday?", "What about Nora?", "When is Nora's birthday?"),
        ("When is Tom's birthday?", "And Nora's birthday?", "When is Nora's birthday?"),
        ("When is Tom's birthday?", "Nora?", "When is Nora's birthday?"),
        ("When is Tom's birthday?", "and nora", "When is nora's birthday?"),
        ("When is Tom's birthday?", "ok and Nora?", "When is Nora's birthday?"),
        ("When did Tom and Leo come?", "And Nora?", "When did Nora come?"),
        ("When did Tom, Leo and Mama come?", "And Nora and Opa?", "When did Nora and Opa come?"),
        ("When is Tom's birthday?", "Thanks! And Nora?", "When is Nora's birthday?"),
        ("Did Tom come?", "Did Leo?", "Did Leo come?"),
        ("When did Tom first mention biscuits?", "and when did leo?", "When did leo first mention biscuits?"),
        ("How often did Tom go to the dentist?", "How often did Nora?", "How often did Nora go to the dentist?"),
        ("Did she come?", "And Nora?", "Did Nora come?"),
        ("What did we buy for Tom?", "And for Nora?", "What did we buy for Nora?"),
        ("Did Tom go with Leo?", "And with Nora?", "Did Tom go with Nora?"),
        ("Wann kommt Tom?", "Und Nora?", "Wann kommt Nora?"),
        ("¿Cuándo viene Tom?", "¿Y Nora?", "¿Cuándo viene Nora?"),
        ("安娜什么时候搬家?", "小雨呢\uff1f", "小雨什么时候搬家?"),
        ("安娜什么时候搬家?", "那小雨呢?", "小雨什么时候搬家?"),
    ],
)  # fmt: skip
def test_another_person_takes_the_place_of_the_one(
    family: ChatMemory, before: str, question: str, clean: str
) -> None:
    assert taken(family, before, question) == FollowUp(clean)


@pytest.mark.parametrize(
    ("before", "question", "clean"),
    [
        ("What happened in July?", "And in August?", "What happened in August?"),
        ("What happened in July?", "What about August?", "What happened in August?"),
        ("What happened on Friday?", "And last week?", "What happened last week?"),
        ("Did Tom call before July?", "And since July?", "Did Tom call since July?"),
        ("Did Tom call?", "And in August?", "Did Tom call in August?"),
        ("What did Tom buy on Sunday?", "And at 6 pm?", "What did Tom buy on Sunday at 6 pm?"),
        ("Is Tom coming on Friday?", "And Nora on Sunday?", "Is Nora coming on Sunday?"),
        ("Did Tom call in May 2025?", "And in June?", "Did Tom call in June 2025?"),
        ("Did Tom call in May '25?", "And in June?", "Did Tom call in June 2025?"),
        ("Did Tom call in May?", "And in June '25?", "Did Tom call in June '25?"),
        ("Did Tom call in 2024?", "August?", "Did Tom call in August 2024?"),
        ("Did Tom call in May last year?", "And in June?", "Did Tom call in June 2025?"),
        ("Did Tom call since May 2025?", "And since June?", "Did Tom call since June 2025?"),
        ("Did Tom call in May 2025?", "And between June and August?",
         "Did Tom call between June and August 2025?"),
        ("Did Tom call in May 2025?", "And in June 2024?", "Did Tom call in June 2024?"),
        ("Did Tom call in May 2025?", "And last week?", "Did Tom call last week?"),
        ("Did Tom call since 2023?", "And in June?", "Did Tom call in June?"),
        ("Did Tom call in May 2025?", "And Nora in June?", "Did Nora call in June 2025?"),
    ],
)  # fmt: skip
def test_another_time_takes_the_place_of_the_one(
    family: ChatMemory, before: str, question: str, clean: str
) -> None:
    assert taken(family, before, question) == FollowUp(clean)


@pytest.fixture
def chats(family: ChatMemory, tmp_path: Path) -> ChatMemory:
    """The family, and three chats: one has a person's name, another several words."""
    for title in ("Cabin Crew", "Nora", "Club"):
        export = tmp_path / f"WhatsApp Chat with {title}.txt"
        lines = ("Nora: Hello from", "Tom: This is", "Zoe: That is", "Nora: And this is")
        rows = (f"0{day}/07/2026, 10:00 - {line} {title}" for day, line in enumerate(lines, 1))
        export.write_text("\n".join(rows), encoding="utf-8")
        family.add(export)
    return family


@pytest.mark.parametrize(
    ("before", "question", "clean"),
    [
        ("Did Tom call?", "And in the Nora chat?", "Did Tom call in the Nora chat?"),
        ("Who wrote most in Cabin Crew?", "And in Club?", "Who wrote most in Club chat?"),
        ("Who wrote most in the Cabin Crew chat?", "And Club?", "Who wrote most in Club chat?"),
        ("Summarize the Cabin Crew chat", "And the Nora chat?", "Summarize the Nora chat?"),
        ("Did Nora call in the Cabin Crew chat?", "And in the Nora chat?",
         "Did Nora call in the Nora chat?"),
        ("Did Nora call in the Cabin Crew chat in May?", "What about the Nora chat?",
         "Did Nora call in the Nora chat in May?"),
        ("Did Nora call in the Cabin Crew chat?", "And Tom in the Club group in May?",
         "Did Tom call in the Club group in May?"),
    ],
)  # fmt: skip
def test_another_chat_takes_the_place_of_the_one(
    chats: ChatMemory, before: str, question: str, clean: str
) -> None:
    assert taken(chats, before, question) == FollowUp(clean)


def test_a_person_with_the_name_of_a_chat_is_not_asked_about(chats: ChatMemory) -> None:
    before = "How many messages did Nora send in the Cabin Crew chat?"
    answer = chats.ask("And in the Nora chat?", history=[(before, ".")])
    assert answer.text.startswith("Nora sent 2 messages in “Nora”")
    answer = chats.ask("And in the Club chat?", history=[("How many messages did Nora send?", ".")])
    assert answer.text.startswith("Nora sent 2 messages in “Club”")


def test_a_chat_that_does_not_exist_is_no_person(chats: ChatMemory) -> None:
    before = "How many messages did Nora send in the Cabin Crew chat?"
    assert taken(chats, before, "And in the Zoe chat?").text == "And in the Zoe chat?"


@pytest.mark.parametrize(
    ("before", "question", "clean"),
    [
        ("When did Tom start?", "And where?", "Where did Tom start?"),
        ("How many times did Mama visit Opa?", "Since when?", "Since when did Mama visit Opa?"),
        ("Did Tom buy the Skoda?", "When exactly?", "When exactly did Tom buy the Skoda?"),
        ("Who came to the party?", "Who else?", "Who else came to the party?"),
        ("What did Nora buy?", "what else?", "What else did Nora buy?"),
    ],
)
def test_another_question_word_takes_the_place_of_the_one(
    family: ChatMemory, before: str, question: str, clean: str
) -> None:
    assert taken(family, before, question) == FollowUp(clean)


def test_another_month_takes_the_place_of_one_that_is_also_a_name(
    memory: ChatMemory, tmp_path: Path
) -> None:
    log = {"20260105_1000": ("Nora: I bought a hat.", "May Chen: Nice.")}
    memory.add(write_log(tmp_path / "log", log))
    said = taken(memory, "What did Nora buy in May?", "And in June?")
    assert said == FollowUp("What did Nora buy in June?")


@pytest.mark.parametrize("year", ["", " 2025"])
def test_a_fragment_of_an_overview_asks_for_its_own_time(family: ChatMemory, year: str) -> None:
    said = taken(family, f"What did we talk about in March{year}?", "And with Nora in May?")
    plan = make_plan(mapped(family, said), PlanContext(NOW, family._store.messages.titles()))
    assert isinstance(plan, Overview)
    assert [time.start for time in plan.question.times] == [datetime(int(year or "2026"), 5, 1)]
    assert [person.name for person in plan.question.people] == ["Nora"]


def test_substitutions_follow_each_other(family: ChatMemory) -> None:
    chain = "How many times did Tom call in May?", "And Nora?", "And in June?", "When?", "And Raj?"
    assert taken(family, *chain) == FollowUp("When did Raj call in June?")


@pytest.mark.parametrize(
    ("before", "question", "alone"),
    [
        (
            "How many times did Mama visit Opa?",
            "And who bought the Skoda?",
            "Who bought the Skoda?",
        ),
        ("What happened in July?", "And when did Tom get the job?", "When did Tom get the job?"),
        ("Did Tom come?", "But did Nora start?", "Did Nora start?"),
        ("小雨什么时候搬家?", "那么安娜什么时候来?", "安娜什么时候来?"),
        ("When did Tom call?", "And who came in July?", "Who came in July?"),
        ("When did Tom call?", "and who wrote most?", "Who wrote most?"),
        ("When did Tom call?", "and did everyone write?", "Did everyone write?"),
        ("When did Tom call?", "and what did we talk about?", "What did we talk about?"),
    ],
)
def test_a_full_question_is_asked_alone_though_it_goes_on(
    family: ChatMemory, before: str, question: str, alone: str
) -> None:
    assert for_certain(taken(family, before, question)) == FollowUp(alone)


@pytest.mark.parametrize(
    ("question", "taken_as"),
    [
        ("and who is coming?", "Who is coming?"),
        ("And why did Mama's plan fail?", None),
        ("And why was everyone late?", "Why was everyone late?"),
        ("so who brings the drinks?", "Who brings the drinks?"),
        ("and how many are coming?", "How many are coming?"),
        ("Und wer bringt die Getränke?", "Und wer bringt die Getränke?"),
        ("¿Y quién viene?", "¿Y quién viene?"),
        ("Et qui vient ?", "Et qui vient ?"),
        ("who is coming?", None),
        ("ok, who is coming?", None),
    ],
)
def test_a_question_behind_an_and_that_names_nobody_leans_on_the_one_before(
    family: ChatMemory, question: str, taken_as: str | None
) -> None:
    said = taken(family, "When is Tom's gig?", question)
    assert said.context == (("When is Tom's gig?",) if taken_as else ())
    assert not said.fragment
    assert said.text == (taken_as or said.text)
    chain = taken(family, "When is Tom's gig?", question, "How much is it?").context
    assert ("When is Tom's gig?" in chain) == bool(taken_as)


@pytest.mark.parametrize(
    "question",
    [
        "When did Leo start at the bakery?",
        "Where did Tom park?",
        "In which town did Tom stay?",
        "Who didn't come to York?",
        "Wohin zog Tom?",
        "Mit wem hat Tom gesprochen?",
        "What does Turalyon think about the suggestions?",
        "Who is Sam?",
        "When is the wedding?",
        "When did the plumber say he would come?",
        "Did Tom lose his keys?",
        "Who lost her keys?",
        "Who said that the lake is cold?",
        "Is there a bakery in York?",
        "Well, where did Leo park?",
        "Great Marlow is where in York?",
        "Did it rain in May?",
        "How long does it take to get to York?",
        "What game did Leo praise for its music?",
        "夏雨茶馆在哪条街?",
        "那家火锅店在哪里?",
        "那家火锅店在哪里呢?",
        "安娜什么时候搬家?",
        "アンナはいつ引っ越しますか?",
        "안나는언제이사해?",
        "Thanks",
    ],
)
def test_a_question_with_a_word_of_its_own_stands_alone(family: ChatMemory, question: str) -> None:
    assert for_certain(taken(family, "Who came?", question)) == FollowUp(question)
    assert for_certain(taken(family, "Did Tom call in July?", question)) == FollowUp(question)


@pytest.mark.parametrize(
    "question",
    [
        "And where?", "When?", "How long?", "how come?", "why not?", "where exactly?", "since when?",
        "Really?", "What about the drums?", "And there?", "Tom?", "With Nora?", "And Tom and Nora?",
        "什么时候?", "在哪里?", "那什么时候?", "那里昂呢?", "誰ですか?", "アンナは?", "Und wann?",
        "And who didn't?", "Who wasn\u2019t?", "For how many nights?", "In which chat?", "Und wohin?", "Und mit wem?",
        "Von wem?", "Und seit wann?", "Since when?", "Tell me more", "who helped?", "and how steep", "Und zum Boot?",
        "¿y su hermano?", "et le chien ?", "ok and the drums", "Oh, since when?", "Cool! What about the boat?",
    ],
)  # fmt: skip
def test_a_fragment_that_replaces_nothing_leans(family: ChatMemory, question: str) -> None:
    before = ("Who parked the van?",)
    assert taken(family, *before, question).context == before
    assert taken(family, *before, question).fragment
    assert taken(family, question) == FollowUp(question), "there is nothing to lean on"


@pytest.mark.parametrize(
    "question",
    [
        "Why did she do it?", "Where was it?", "How much did it cost per person?", "Who was there?",
        "When did they meet for the first time?", "Did she like Tom?", "Who told her?", "What happened?",
        "Who said that?", "Is that true?", "Who else came?", "Did anyone else come?", "How long did it take?",
        "Did Nora like it?", "他什么时候来?",
    ],
)  # fmt: skip
def test_a_question_that_points_back_leans_and_is_read_alone(
    family: ChatMemory, question: str
) -> None:
    before = ("When was the party?",)
    assert taken(family, *before, question) == FollowUp(question, before)


def test_a_chain_of_pronouns_keeps_where_it_began(family: ChatMemory) -> None:
    chain = ["When was Opa's party?", *["How much did it cost per person?"] * 7, "Who was there?"]
    said = taken(family, *chain, "Where was it?")
    assert said.context == (chain[0], *chain[-2:])


def test_a_follow_up_of_a_follow_up_leans_on_both(family: ChatMemory) -> None:
    said = taken(family, "When is the wedding?", "Who parked the van?", "And where?", "And when?")
    assert said.context == ("Who parked the van?", "And where?")
    assert taken(family, *["And?"] * 50, "And when?").context == ("And?", "And?", "And?")


def test_a_question_that_points_back_has_its_own_shape_and_time(family: ChatMemory) -> None:
    chain = "How many times did Tom and Nora go to Rome in July?", "Did she like it?"
    question = mapped(family, taken(family, *chain))
    assert question.text == " ".join(chain)
    assert (question.shape, question.times, question.yes_no) == (None, (), True)
    assert [person.name for person in question.people] == ["Tom", "Nora"], "she is one of them"


def test_who_a_follow_up_names_is_asked_about_and_nobody_else(family: ChatMemory) -> None:
    question = mapped(family, taken(family, "What did Tom think of it?", "Did Nora like it?"))
    assert [person.name for person in question.people] == ["Nora"]
    assert [person.name for person in question.speakers] == ["Nora"]


def test_a_fragment_keeps_the_people_and_the_time(family: ChatMemory) -> None:
    said = taken(family, "How many times did Tom bring the piano in July?", "And the drums?")
    question = mapped(family, said)
    assert [person.name for person in question.people] == ["Tom"]
    assert [time.start for time in question.times] == [datetime(2026, 7, 1)]
    assert question.shape is None, "a count of the piano and the drums was not asked for"
    assert mapped(family, taken(family, "Did Tom bring the piano?", "And the drums?")).yes_no
    assert not mapped(family, taken(family, "Did Tom bring it?", "why not?")).yes_no


def test_the_model_is_asked_the_clean_question_and_the_answer_names_what_was_asked(
    small: ChatMemory,
) -> None:
    small.ask("When is Sam's rehearsal?")
    answer = small.ask("And Tom?")
    assert answer.question == "And Tom?"
    model = small.models.loaded
    assert isinstance(model, ScriptedModel)
    prompt = model.asked[-1][-1].content
    assert "Question: When is Tom's rehearsal?" in prompt
    assert "Earlier question" not in prompt


@pytest.mark.slow
def test_an_overview_too_names_what_was_asked(small: ChatMemory) -> None:
    small.ask("What did we talk about in January?")
    answer = small.ask("And in February?")
    assert answer.question == "And in February?"


def test_a_conversation_keeps_questions_as_they_were_asked(small: ChatMemory) -> None:
    small.ask("Who parked the van?")
    small.ask("And  where?")
    assert [asked for asked, _answer in small.part(Asking).remembered()] == [
        "Who parked the van?",
        "And where?",
    ]
    small.ask("And when?")
    prompts = [turns[-1].content for turns in small.models.loaded.asked]
    assert "Earlier question: Who parked the van? And where?" in prompts[-1]


def test_an_overview_is_a_part_of_the_conversation(small: ChatMemory) -> None:
    small.ask("What did we talk about?")
    assert [asked for asked, _answer in small.part(Asking).remembered()] == [
        "What did we talk about?"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("run", ["and ", "tom ", "Tom ", "a", "it takes a ", "那", "x else ", "  "])
def test_hostile_runs_cost_time_by_their_length(family: ChatMemory, run: str) -> None:
    def seconds(length: int) -> float:
        asked = "When did Tom go in May?", (run * length)[:length], "And Nora in June?"
        return processor_seconds(lambda: taken(family, *asked))

    assert_by_length(seconds, 125)


def names(memory: ChatMemory, text: str) -> list[str]:
    found = map_question(text, memory._store, NOW, Filters()).people
    return [person.name for person in found]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("what did tom buy?", ["Tom"]),
        ("did tom call mama?", ["Tom", "Mama"]),
        ("when is the mama talk?", []),
        ("When did Raj come?", ["Uncle Raj"]),
        ("When did Uncle Raj come?", ["Uncle Raj"]),
        ("When did Uncle Tom come?", ["Tom"]),
        ("Wann ist Noras Geburtstag?", ["Nora"]),
        ("Does Toms Bruder kommen?", ["Tom"]),
        ("when is noras birthday", ["Nora"]),
        ("what did toms brother and the mamas bring", ["Tom"]),
        ("how many toms", []),
    ],
)
def test_people_are_named_in_other_ways_too(
    family: ChatMemory, text: str, named: list[str]
) -> None:
    assert names(family, text) == named


def test_a_common_word_is_no_name_in_lower_case(memory: ChatMemory, tmp_path: Path) -> None:
    said = ("Will Smith: Hi", "Otto: hi", "Rose: hello", "Dance Club: Friday")
    memory.add(write_log(tmp_path / "log", {"20260705_1000": said}))
    assert names(memory, "when will rose petals and otto arrive?") == ["Otto"]
    assert names(memory, "what did will smith say?") == ["Will Smith"]
    assert names(memory, "when is the dance?") == []
    assert names(memory, "When is the Dance?") == ["Dance Club"]


@pytest.mark.slow
def test_of_a_long_conversation_only_the_end_is_kept_and_looked_up(
    small: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def lookup_text(context: MemoryContext, question: str) -> str:
        looked.append(question)
        return question_text.lookup_text(context, question)

    monkeypatch.setattr(preparing, "lookup_text", lookup_text)
    history = [(f"Who has key {n}?", "Tom.") for n in range(1000)]
    answer = small.ask("And the drum?", history=history)
    assert sorted(looked) == sorted(["And the drum?", *(q for q, _ in history[-MOST_HISTORY:])])
    assert answer.question == "And the drum?"
    for n in range(MOST_HISTORY + 3):
        small.ask(f"Where is van {n}?")
    looked.clear()
    small.ask("Who is the tuner?")
    assert len(looked) == MOST_HISTORY + 1
