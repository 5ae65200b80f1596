""" "I" and "my" mean who asks, once that is known: twenty questions on both corpora, and what stays."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import ROOT, write_log
from stored import contents

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import NotFound
from minirag_chat.names import split_joined
from minirag_chat.question import about, is_first_person

IVY, MEILIN = "Ivy Kastani", "Meilin Zhou"
ON_OSSELMERE = [
    "What film did Tobias Fenn ask me to see?",
    "What kind of soup did Tobias Fenn leave at my door when I had the flu?",
    "What did I give Tobias Fenn for his birthday?",
    "When did Tobias Fenn and I plan to see the film?",
    "Did I agree to ride around the lake on the tandem?",
    "when did i move?",
    "Tell me what my landlord said.",
    "Can you remind me whom I owe money?",
    "Which of these books is mine?",
    "Am I allergic to nuts?",
]
ON_PLUM_RAIN = [
    "Who lent me the money for the tea house?",
    "What did I want to turn the old back door into?",
    "When did Wei Zhou last pay me back?",
    "I'd like to know when I've signed the lease.",
    "Wann bin ich umgezogen?",
    "Was hat mir meine Schwester geschickt?",
    "Sag mir, wann ich den Mietvertrag unterschrieben habe.",
    "我什么时候搬家的?",
    "我妈妈寄给我什么了?",
    "请告诉我谁借钱给我了。",
]


def _memory(folder: Path) -> ChatMemory:
    chosen = Settings(db=folder / "chats.db", model="extractive", model_dir=folder)
    return ChatMemory.open(chosen.db, chosen, embedder=WordEmbedder(), chat_model=ScriptedModel())


@pytest.fixture(scope="module")
def osselmere(
    sample_words_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("osselmere")
    shutil.copy(sample_words_file, folder)
    with _memory(folder) as opened:
        opened.set_me(IVY)
        yield opened


@pytest.fixture(scope="module")
def plum_rain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatMemory]:
    folder = tmp_path_factory.mktemp("plum-rain")
    with _memory(folder) as opened:
        opened.add(ROOT / "corpora" / "plum-rain" / "chats")
        opened.set_me(MEILIN)
        yield opened


@pytest.mark.parametrize("question", ON_OSSELMERE)
def test_the_question_is_about_ivy_where_ivy_asks(osselmere: ChatMemory, question: str) -> None:
    _is_about(osselmere, question, IVY)


@pytest.mark.parametrize("question", ON_PLUM_RAIN)
def test_the_question_is_about_meilin_where_meilin_asks(
    plum_rain: ChatMemory, question: str
) -> None:
    _is_about(plum_rain, question, MEILIN)


def _is_about(memory: ChatMemory, question: str, name: str) -> None:
    me = memory.me
    assert me is not None
    assert split_joined(me.name) == name
    explained = memory.explain(question, read=False)
    assert name in explained.question.text
    assert me.id in {person.id for person in explained.question.people}
    found = memory.retrieve(question)
    assert found == memory.retrieve(about(question, name)), "as if the name had been written"


def test_the_reader_is_asked_about_me_and_the_answer_shows_what_i_asked(
    osselmere: ChatMemory,
) -> None:
    model = ScriptedModel()
    with ChatMemory.open(
        osselmere.settings.db, osselmere.settings, embedder=WordEmbedder(), chat_model=model
    ) as asking:
        answer = asking.ask("What did I give Tobias Fenn for his birthday?", history=[])
        assert answer.question == "What did I give Tobias Fenn for his birthday?"
        shown = next(node for node in answer.path.nodes if node.type == "question")
        assert shown.name == answer.question
        assert "Ivy Kastani" in shown.detail, "hovering tells how it was taken"
        told = " ".join(turn.content for turns in model.asked for turn in turns)
        assert "What did Ivy Kastani give Tobias Fenn" in told
        assert "What did I give" not in told


def test_a_follow_up_leans_on_what_i_asked_before(osselmere: ChatMemory) -> None:
    before = [("When did I buy a bicycle?", "In May.")]
    model = ScriptedModel()
    with ChatMemory.open(
        osselmere.settings.db, osselmere.settings, embedder=WordEmbedder(), chat_model=model
    ) as asking:
        assert asking.ask("And Otis?", history=before).question == "And Otis?"
        told = " ".join(turn.content for turns in model.asked for turn in turns)
        assert "Question: When did Otis buy a bicycle?" in told


@pytest.mark.parametrize(
    "question",
    [
        "Did Ann say 'I love it'?",
        'Who wrote "my cat is gone"?',
        "谁说过“我爱你”?",
        "When did World War I end?",
        "What do we call our boat?",
        "我们去了哪里?",
        "Var bor Anna i Stockholm?",
        "¿Qué me regaló Ana?",
        "Tell me about the boat.",
        "Kannst du mir sagen, wer im Boot war?",
        "Who is coming, i.e. who said so?",
    ],
)
def test_what_is_not_about_the_one_who_asks_stays(question: str) -> None:
    assert about(question, "Ann") == question
    assert not is_first_person(question)


@pytest.mark.parametrize(
    ("question", "taken"),
    [
        ("Did Ann say “I love it” to me?", "Did Ann say “I love it” to Tom?"),
        ("Who did I tell that I'm moving?", "Who did Tom tell that Tom is moving?"),
        ("What's the name of my dog, and is it mine?", "What's the name of Tom's dog, and is it Tom's?"),
        ("Where do I live, and don't I pay rent?", "Where does Tom live, and doesn't Tom pay rent?"),
        ("Wann habe ich mir das Bein gebrochen?", "Wann hat Tom sich das Bein gebrochen?"),
        ("我的猫叫什么?", "Tom 的猫叫什么?"),
        ("Was hat mir die Reise gekostet?", "Was hat Tom die Reise gekostet?"),
        ("And me?", "And Tom?"),
        ("What did I do last week?", "What did Tom do last week?"),
        ("Did I have breakfast?", "Did Tom have breakfast?"),
        ("Can I have the address?", "Can Tom have the address?"),
        ("What did Ann and I do?", "What did Ann and Tom do?"),
        ("Who said yes and I have to go?", "Who said yes and Tom has to go?"),
        ("What do I have to bring, and do I do it?", "What does Tom have to bring, and does Tom do it?"),
        ("Haven't I paid?", "hasn't Tom paid?"),
        ("Didn't I move?", "Didn't Tom move?"),
        ("Won\u2019t I see Ann?", "Won\u2019t Tom see Ann?"),
        ("Why wouldn't I have it?", "Why wouldn't Tom have it?"),
        ("What I have and what I do", "What Tom has and what Tom does"),
    ],
)  # fmt: skip
def test_the_name_takes_the_place_of_the_first_person(question: str, taken: str) -> None:
    assert about(question, "Tom") == taken


def test_in_german_who_acts_stands_before_the_one_to_whom_it_is_done() -> None:
    asked = "Was hat mir Lena empfohlen?"
    assert about(asked, "Tom", [(12, 16)]) == "Was hat Lena Tom empfohlen?"


def test_a_person_called_my_love_stays_that_person(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(
        write_log(tmp_path / "log", {"20260105_1000": ("My Love: Soup?", "Tom Hill: Yes please.")})
    )
    memory.set_me("Tom Hill")
    asked = memory.explain("What did My Love ask me?", read=False).question
    assert asked.text == "What did My Love ask Tom Hill?"
    assert {person.name for person in asked.people} == {"My Love", "Tom Hill"}


def test_the_name_of_who_asks_is_no_part_of_another_name(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("Me: I moved.", "Megan: Where to?")}))

    def people(question: str) -> list[str]:
        return [person.name for person in memory.explain(question, read=False).question.people]

    assert people("When did Megan call?") == ["Megan"]
    assert people("When did I call Megan?") == ["Me", "Megan"]


def test_will_is_no_name_before_another_name_though_will_asks(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("Will: I moved.", "Megan: Oh?")}))
    memory.set_me("Will")

    def people(question: str) -> list[str]:
        return [person.name for person in memory.explain(question, read=False).question.people]

    assert people("Will Megan call?") == ["Megan"]
    assert people("Did I call Megan?") == ["Will", "Megan"]


def test_a_name_that_no_text_is_searched_for_can_be_mine(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(
        write_log(tmp_path / "log", {"20260105_1000": ("Zo 🌸: I moved.", "Tom: Where to?")})
    )
    memory.set_me("Zo 🌸")
    asked = memory.explain("When did I move?", read=False).question
    assert [person.name for person in asked.people] == ["Zo 🌸"]


def test_without_knowing_who_asks_the_answer_says_how_to_tell(small: ChatMemory) -> None:
    assert small.me is None
    assert "people --me" in small.ask("Where did I park the van?").note
    assert not small.ask("Who parked the van?").note
    assert not small.ask("How many messages do I have?").note, "they are the same, whoever asks"
    small.set_me("Tom Hill")
    assert not small.ask("Where did I park the van?").note
    small.set_me(None)
    assert not small.ask("Where did I park the van?").note, (
        "who says to be nobody is not asked again"
    )


def test_who_an_export_calls_me_is_who_asks(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("Me: I moved.", "Tom: Where to?")}))
    assert memory.me is not None
    assert memory.me.name == "Me"
    assert [person.name for person in memory.likely_me()] == ["Me", "Tom"]
    memory.set_me(None)
    assert memory.me is None, "nobody here, as was said"
    assert memory.likely_me() == []


def test_it_is_kept_and_follows_a_merge_and_a_new_name(small: ChatMemory) -> None:
    small.set_me("Sam Ortiz")
    small.merge_people("SamOrtiz", "TomHill")
    assert small.me is not None
    assert small.me.name == "TomHill"
    small.split_person("SamOrtiz")
    assert small.me.name == "SamOrtiz"
    small.replace_name("SamOrtiz", "Robin Vale")
    assert small.me.name == "Robin Vale"
    with ChatMemory.open(
        small.settings.db, small.settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
    ) as again:
        assert again.me is not None
        assert again.me.name == "Robin Vale"


def test_a_deleted_person_is_asked_for_again_and_comes_back_with_an_undo(small: ChatMemory) -> None:
    small.set_me("Sam Ortiz")
    small.delete(people=["Sam Ortiz"])
    assert small.me is None
    assert small.likely_me(), "it is asked again"
    small.restore()
    assert small.me is not None
    assert small.me.name == "SamOrtiz"


def test_a_chat_without_a_name_is_not_named_after_me(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("Ann: Soup?", "Tom: Yes please.")}))
    assert [chat.title for chat in memory.chats()] == ["Ann, Tom"]
    memory.set_me("Ann")
    assert [chat.title for chat in memory.chats()] == ["Tom"]


def test_a_name_that_nobody_has_changes_nothing(small: ChatMemory) -> None:
    small.set_me("Anna Berg")
    before = contents(small.settings.db.parent)
    with pytest.raises(NotFound, match="Nobody is called 'Ottoline'"):
        small.set_me("Ottoline")
    assert contents(small.settings.db.parent) == before
    assert small.me is not None


def test_a_private_character_in_a_question_does_no_harm(osselmere: ChatMemory) -> None:
    odd = "What did I give Tobias Fenn \ue0009\ue001 \ue002?"
    assert osselmere.retrieve(odd)
    answer = osselmere.ask("When did I move?", history=[(odd, "A lamp.")])
    assert answer.question == "When did I move?"
