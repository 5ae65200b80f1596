"""Questions in another language than the messages: they are looked for in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder

from minirag_chat import ChatMemory, Settings
from minirag_chat.prompts import prompt
from minirag_chat.question import foreign_language, languages_of, translated
from minirag_chat.records import Turn

GERMAN = [
    ("Jonas", "Hast du gestern noch den neuen Film im Kino gesehen?"),
    ("Lena", "Ja, aber er war mir ehrlich gesagt viel zu lang und zu laut"),
    ("Jonas", "Schade, ich wollte am Wochenende mit meiner Schwester hingehen"),
    ("Lena", "Der Schlüssel für das Gartenhaus liegt unter dem blauen Blumentopf"),
    ("Jonas", "Gut zu wissen, dann hole ich morgen früh die Leiter ab"),
    ("Lena", "Vergiss bitte nicht, dass wir am Abend bei meinen Eltern essen"),
    ("Jonas", "Natürlich nicht, ich bringe einen Kuchen mit"),
    ("Lena", "Am besten ohne Nüsse, mein Vater verträgt sie nicht"),
]
KEY = GERMAN[3][1]
ASKED = "Where can I find the key to the summer house?"
IN_GERMAN = "Wo finde ich den Schlüssel zum Gartenhaus?"


class Translator(ScriptedModel):
    """A scripted model that gives ``translation`` where it is told to translate."""

    def __init__(self, translation: str = IN_GERMAN) -> None:
        super().__init__("Unter dem blauen Blumentopf.")
        self.translation = translation
        self.translated: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def reply(self, turns: Sequence[Turn]) -> str:
        if turns[0].content != prompt("translate"):
            return super().reply(turns)
        self.translated.append(turns[1].content)
        self.meanwhile()
        return self.translation


def memory_of(tmp_path: Path, reader: ScriptedModel, **settings: object) -> ChatMemory:
    """A memory of the German messages, with other words before and after them."""
    filler = [
        ("Jonas", f"Heute war es bei der Arbeit wieder ziemlich ruhig, Tag {n}") for n in range(30)
    ]
    lines = [
        f"[{3 + n // 20:02d}.02.26, {8 + n % 20 // 4:02d}:{n % 4 * 10:02d}:00] {who}: {text}"
        for n, (who, text) in enumerate([*filler, *GERMAN, *filler])
    ]
    chat = tmp_path / "WhatsApp Chat with Lena.txt"
    chat.write_text("\n".join(lines), encoding="utf-8")
    made = Settings.make(method="hybrid", abstain_below=0, **settings)
    memory = ChatMemory.open(
        tmp_path / "chats.db", made, embedder=WordEmbedder(), chat_model=reader
    )
    memory.add(chat)
    return memory


def test_a_question_is_looked_for_in_the_language_of_the_messages_too(tmp_path: Path) -> None:
    model = Translator()
    with memory_of(tmp_path, model) as memory:
        answer = memory.ask(ASKED)
        assert KEY in model.asked[-1][1].content  # the reader got the message
        assert answer.sources[0].message.text == KEY
        assert answer.question == ASKED
        assert ASKED in model.asked[-1][1].content  # and the question as it was asked
        assert IN_GERMAN not in model.asked[-1][1].content
        assert f"\u201c{IN_GERMAN}\u201d" in answer.note
        assert answer.timings["translate"] >= 0
    assert "German" in model.translated[0]
    assert ASKED in model.translated[0]


@pytest.mark.parametrize(
    "question",
    [
        IN_GERMAN,
        "Was hat Lena über den Film gesagt?",
        "Who writes the most?",  # counted, not looked up
        "What did we talk about?",  # an overview
    ],
)
def test_other_questions_are_not_translated(tmp_path: Path, question: str) -> None:
    model = Translator()
    with memory_of(tmp_path, model) as memory:
        answer = memory.ask(question)
    assert not model.translated
    assert "Also looked for" not in answer.note
    assert "translate" not in answer.timings


@pytest.mark.parametrize("settings", [{"without": "translation"}, {"model": "extractive"}])
def test_translation_can_be_switched_off(tmp_path: Path, settings: dict[str, object]) -> None:
    model = Translator()
    with memory_of(tmp_path, model, **settings) as memory:
        memory.ask(ASKED)
    assert not model.translated


def test_a_model_chosen_later_translates(tmp_path: Path) -> None:
    model = Translator()
    with memory_of(tmp_path, model, model="extractive") as memory:
        memory.models.settings = memory.settings.model_copy(update={"model": "auto"})
        memory.ask(ASKED)
    assert model.translated


def test_a_follow_up_is_translated_as_the_question_that_it_stands_for(tmp_path: Path) -> None:
    model = Translator()
    with memory_of(tmp_path, model) as memory:
        memory.ask("When is Lena eating with her parents?")
        memory.ask("And Jonas?")
    assert "When is Jonas eating with her parents?" in model.translated[1]


def test_stopping_while_the_question_is_translated_ends_the_answer(tmp_path: Path) -> None:
    model = Translator()
    with memory_of(tmp_path, model) as memory:
        answer = memory.ask(ASKED, cancelled=lambda: bool(model.translated))
    assert answer.stopped
    assert not answer.text
    assert "Also looked for" not in answer.note  # a part of the translation


def test_what_is_deleted_while_the_question_is_translated_is_not_found(tmp_path: Path) -> None:
    model = Translator()
    with memory_of(tmp_path, model) as memory:
        model.meanwhile = lambda: memory.delete(people=["Lena"])
        answer = memory.ask(ASKED)
    assert all(source.sender == "Jonas" for source in (*answer.sources, *answer.closest))
    assert all(KEY not in turn.content for turns in model.asked for turn in turns)


@pytest.mark.parametrize("translation", ["", "  \n ", ASKED])
def test_without_a_translation_the_question_is_asked_as_it_stands(
    tmp_path: Path, translation: str
) -> None:
    with memory_of(tmp_path, Translator(translation)) as memory:
        answer = memory.ask(ASKED)
    assert "Also looked for" not in answer.note


def test_only_the_translation_is_taken_of_a_reply() -> None:
    model = Translator("\u201cWo ist der Schlüssel?\u201d\n(The word can also mean a wrench.)")
    assert translated("Where is the key?", "de", model) == "Wo ist der Schlüssel?"
    assert not translated("and Ray?", "en", Translator("And Ray?")), "the same"


def test_languages_of_messages_and_questions() -> None:
    chinese = "你昨天去看电影了吗?\n没有,我在家里做饭\n那我们周末一起去吧"
    english = (
        "did you get the tickets for saturday yet?\nyes, they are on the kitchen table\nbrilliant"
    )
    german = "\n".join(text for _who, text in GERMAN)
    assert languages_of([german]) == ("de",)
    assert languages_of([english] * 6 + [chinese] * 4 + [german, "", " "]) == ("en", "zh")
    assert languages_of([]) == ()
    both = ("en", "zh")
    assert foreign_language("Where are the tickets for Saturday?", both, ()) is None
    assert foreign_language("电影票在哪里?", both, ()) is None
    assert foreign_language("Wo liegen die Karten für Samstag?", both, ()) == "en"
    assert foreign_language("Where are the tickets for Saturday?", ("zh",), ()) == "zh"
    assert foreign_language("Where are the tickets for Saturday?", ("en",), ()) is None
    assert foreign_language("Where are the tickets for Saturday?", (), ()) is None


@pytest.mark.parametrize(
    ("question", "name", "language"),
    [
        ("and Ray?", "", None),
        ("and Callum?", "", None),
        ("and Yuki?", "", None),
        ("Tom?", "", None),
        ("caravan?", "", None),
        ("\u0141ukasz gig?", "\u0141ukasz", None),
        ("\u0141ukasz gdzie jest klucz?", "\u0141ukasz", "en"),
        ("Wer kommt?", "", "en"),
        ("Qui vient ?", "", "en"),
        ("Quand ?", "", "en"),
        ("Chi viene?", "", "en"),
        ("谁来?", "", "en"),
        ("когда?", "", "en"),
    ],
)
def test_a_name_or_a_single_word_is_no_evidence_of_a_language(
    question: str, name: str, language: str | None
) -> None:
    names = [(0, len(name))] if name else []
    assert foreign_language(question, ("en",), names) == language


ITALIAN = (
    "Ciao, hai già comprato il pane per stasera?",
    "Sì, l'ho preso al forno vicino alla stazione",
    "Perfetto, allora passo io a prendere il vino",
    "Le chiavi di scorta le ho date alla signora del terzo piano",
    "Va bene, le chiedo se posso ritirarle domani mattina",
)


@pytest.mark.slow
def test_a_language_of_one_small_chat_is_one_of_the_messages(tmp_path: Path) -> None:
    model = Translator("Who has the spare keys?")
    english = [f"The meeting about the new office went on for {n} hours today" for n in range(240)]
    chats = {"Work": english, "Luisa": ITALIAN * 6}
    for title, texts in chats.items():
        lines = (
            f"[{1 + n // 20:02d}.02.26, {8 + n % 20 // 4:02d}:{n % 4 * 10:02d}:00] {title}: {text}"
            for n, text in enumerate(texts)
        )
        (tmp_path / f"WhatsApp Chat with {title}.txt").write_text(
            "\n".join(lines), encoding="utf-8"
        )
    made = Settings.make(method="hybrid", abstain_below=0)
    with ChatMemory.open(
        tmp_path / "c.db", made, embedder=WordEmbedder(), chat_model=model
    ) as memory:
        memory.add(tmp_path)
        memory.ask("Chi ha le chiavi di scorta della casa?", history=())
        assert not model.translated
        memory.ask("Who has the spare keys of the house?", chats=["Luisa"], history=())
        assert "Italian" in model.translated[0], "in this chat nobody writes English"
