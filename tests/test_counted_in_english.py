"""Questions about the messages in other languages are counted if their English translation has such a form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from three_chats import CHATS

from minirag_chat import Answer, ChatMemory, Settings
from minirag_chat.prompts import prompt
from minirag_chat.question import may_ask_about_messages, with_names, with_placeholders
from minirag_chat.records import PersonSpan, Turn


class Translator(ScriptedModel):
    """A scripted model with translations; it keeps what it was told to translate."""

    def __init__(self) -> None:
        super().__init__("great [1]")
        self.translations: dict[str, str] = {}
        self.translated: list[str] = []

    def reply(self, turns: Sequence[Turn]) -> str:
        if turns[0].content != prompt("translate"):
            return super().reply(turns)
        asked = turns[1].content.split("\n\n")[-1]
        self.translated.append(asked)
        return self.translations.get(asked, asked)


@pytest.fixture
def model() -> Translator:
    return Translator()


@pytest.fixture
def memory(tmp_path: Path, model: Translator) -> Iterator[ChatMemory]:
    settings = Settings(db=tmp_path / "chats.db", model_dir=tmp_path)
    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=model
    ) as opened:
        for title, text in CHATS.items():
            export = tmp_path / f"WhatsApp Chat with {title}.txt"
            export.write_text(text, encoding="utf-8")
            opened.add(export)
        opened.set_me("Tom Reed")
        yield opened


def asked(memory: ChatMemory, question: str) -> Answer:
    return memory.ask(question, history=())


def test_it_is_counted_with_the_names_of_the_question(
    memory: ChatMemory, model: Translator
) -> None:
    model.translations["\u00bfCu\u00e1ntos mensajes ha escrito Person1?"] = (
        "How many messages has Person1 written?"
    )
    answer = asked(memory, "\u00bfCu\u00e1ntos mensajes ha escrito Dana?")
    assert answer.text.startswith("Dana Fox sent 4 messages")
    assert answer.question == "\u00bfCu\u00e1ntos mensajes ha escrito Dana?"
    assert answer.note == "Understood as \u201cHow many messages has Dana written?\u201d."
    assert "translate" in answer.timings


@pytest.mark.parametrize(
    "translation",
    [
        "How many messages has Danielle written?",  # the name is lost
        "How many messages has Person1 written to Person1?",
        "How many messages about the cabin has Person1 written?",  # asks for more
        "",
    ],
)
def test_what_is_not_certain_is_looked_up_as_it_is(
    memory: ChatMemory, model: Translator, translation: str
) -> None:
    model.translations["\u00bfCu\u00e1ntos mensajes ha escrito Person1?"] = translation
    answer = asked(memory, "\u00bfCu\u00e1ntos mensajes ha escrito Dana?")
    assert answer.model != "none", answer.text
    assert "Understood" not in answer.note


def test_a_translation_with_another_time_is_not_counted(
    memory: ChatMemory, model: Translator
) -> None:
    question = "Combien de messages a \u00e9crits Person1 le 3 mai 2024 ?"
    for day, counted in (("March 3, 2024", False), ("May 3, 2024", True)):
        model.translations[question] = f"How many messages did Person1 write on {day}?"
        answer = asked(memory, question.replace("Person1", "Dana"))
        assert (answer.model == "none") == counted, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many messages did Dana send?",
        "Who has the key to the group room?",
        "Wer hat am meisten geschrieben?",  # known without a model
        "\u00bfD\u00f3nde est\u00e1 la llave?",
    ],
)
def test_other_questions_cost_no_translation(
    memory: ChatMemory, model: Translator, question: str
) -> None:
    asked(memory, question)
    assert not [text for text in model.translated if "Person" in text or question in text]


@pytest.mark.parametrize(
    ("question", "may"),
    [
        ("Quem mandou mais mensagens?", True),
        ("R\u00e9sume la conversation", True),
        ("Chi ha scritto pi\u00f9 messaggi?", True),
        ("Hoeveel berichten heeft Sanne gestuurd?", True),
        (
            "\u041a\u0442\u043e \u043d\u0430\u043f\u0438\u0441\u0430\u043b \u0431\u043e\u043b\u044c\u0448\u0435 \u0432\u0441\u0435\u0433\u043e \u0441\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u0439?",
            True,
        ),
        ("Quanto costa il campo?", False),
        ("Who wrote the report about the group?", False),
    ],
)
def test_few_questions_are_worth_a_translation(question: str, may: bool) -> None:
    assert may_ask_about_messages(question) == may


def test_names_are_kept_from_the_translator() -> None:
    text = "\u00bfQui\u00e9n escribe m\u00e1s, Ana o Eva?"
    places = [(text.index(name), text.index(name) + 3) for name in ("Eva", "Ana")]
    spans = [PersonSpan(*place, (number,)) for number, place in enumerate(places)]
    hidden, names = with_placeholders(text, spans)
    assert hidden == "\u00bfQui\u00e9n escribe m\u00e1s, Person1 o Person2?"
    assert (
        with_names("Who writes more, Person1 or Person2?", names) == "Who writes more, Ana or Eva?"
    )
    assert not with_names("Who writes more, Person1 or Eva?", names)
