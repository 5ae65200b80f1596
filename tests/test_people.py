"""One person in several apps: suggestions with evidence, merging and parting that can be undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import ScriptedModel, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.errors import BadSetting, NotFound
from minirag_chat.ui_text import on_the_page

pytestmark = pytest.mark.both_stores


def whatsapp(folder: Path, name: str, *lines: str) -> Path:
    path = folder / f"WhatsApp Chat with {name}.txt"
    path.write_text(
        "\n".join(f"{n:02}/02/2024, 10:0{n % 10} - {line}" for n, line in enumerate(lines, 13)),
        encoding="utf-8",
    )
    return path


def telegram(folder: Path, title: str, *said: tuple[str, str]) -> Path:
    path = folder / f"{title}.json"
    messages = [
        {"id": n, "type": "message", "date": f"2024-03-{n:02}T10:00:00", "from": who, "text": text}
        for n, (who, text) in enumerate(said, 1)
    ]
    path.write_text(
        json.dumps({"name": title, "type": "personal_chat", "id": title, "messages": messages}),
        encoding="utf-8",
    )
    return path


@pytest.fixture
def two_apps(memory: ChatMemory, tmp_path: Path) -> ChatMemory:
    memory.add(whatsapp(tmp_path, "Zoë", "Zoë Laurent: The ferry is at nine.", "Tom: ok",
                        "Zoë Laurent: Bring the oars.", "Tom: yes"))  # fmt: skip
    memory.add(
        telegram(tmp_path, "boats", ("Laurent Zoe", "The oars are at Mill Lane."), ("Tom", "good"))
    )
    return memory


def names(memory: ChatMemory) -> set[str]:
    return {person.name for person in memory.people()}


def test_a_name_in_two_apps_is_suggested_with_evidence(two_apps: ChatMemory) -> None:
    best = two_apps.suggest_people()[0]
    assert (best.action, {best.spelling, best.into}) == ("merge", {"Zoë Laurent", "Laurent Zoe"})
    told = " ".join(best.evidence)
    assert "same words" in told
    assert "both write with Tom" in told
    assert "telegram" in told
    assert "whatsapp" in told
    assert names(two_apps) == {"Zoë Laurent", "Laurent Zoe", "Tom"}, "nothing is merged unasked"


def test_answers_follow_a_merge_and_its_undoing(two_apps: ChatMemory) -> None:
    two_apps.merge_people("Laurent Zoe", "Zoë Laurent")
    asked: dict[str, Any] = {"people": ["Zoë Laurent"], "k": 10}
    texts = {found.message.text for found in two_apps.retrieve("Where are the oars?", **asked)}
    assert {"The oars are at Mill Lane.", "Bring the oars."} <= texts
    assert not [s for s in two_apps.suggest_people() if s.action == "merge"]
    two_apps.split_person("Laurent Zoe")
    texts = {found.message.text for found in two_apps.retrieve("Where are the oars?", **asked)}
    assert "Bring the oars." in texts
    assert all(
        found.message.sender != "Zoë Laurent" or "Mill Lane" not in found.message.text
        for found in two_apps.retrieve("Where are the oars?", **asked)
    )


def test_full_text_and_graph_follow_a_merge_and_its_undoing(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "Kay", "Kay Winter: The ferry is at nine.", "Tom: ok"))
    memory.add(telegram(tmp_path, "boats", ("kw1984", "The oars are wet."), ("Tom", "dry them")))

    def found(name: str) -> set[str]:
        return {e.message.text for e in memory.search(name)}

    def wrote(name: str) -> set[str]:
        return {text for text in found(name) if text.startswith("The")}

    assert wrote("Kay Winter") == {"The ferry is at nine."}
    memory.merge_people("kw1984", "Kay Winter")
    both = {"The ferry is at nine.", "The oars are wet."}
    assert wrote("Kay Winter") == wrote("kw1984") == both
    assert both <= {e.message.text for e in memory.retrieve("Kay Winter", "bm25", k=4)}
    with memory._store.reading():
        person = memory._store.people.spelling_id("Kay Winter")
        named = memory._store.graph.naming([person or 0])
        assert {m for _, m in named} == {person}, (
            "what is said by either spelling is tied to one person"
        )
        assert len(named) == 2
    memory.split_person("kw1984")
    assert wrote("Kay Winter") == {"The ferry is at nine."}
    assert wrote("kw1984") == {"The oars are wet."}


def test_a_merge_holds_on_later_imports(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(
        telegram(tmp_path, "boats", ("kw1984", "The oars are wet."), ("Kay Winter", "Dry them."))
    )
    memory.merge_people("kw1984", "Kay Winter")
    memory.add(telegram(tmp_path, "more", ("kw1984", "The mast is new."), ("Tom", "ok")))
    assert "The mast is new." in {e.message.text for e in memory.search("Kay Winter")}
    assert {p.name for p in memory.people()} == {"Kay Winter", "Tom"}
    memory.split_person("kw1984")
    memory.add(telegram(tmp_path, "third", ("kw1984", "The sail is torn."), ("Tom", "oh")))
    assert {p.name for p in memory.people()} == {"Kay Winter", "kw1984", "Tom"}


def test_a_merge_of_merged_people_can_be_undone_step_by_step(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "All", "Ann: a", "Annie: b", "A. Miller: c", "Miller Ann: d"))
    memory.merge_people("Annie", "Ann")
    memory.merge_people("A. Miller", "Annie")
    memory.merge_people("Ann", "Miller Ann")
    assert names(memory) == {"Miller Ann"}
    memory.split_person("Ann")
    assert {p.name: set(p.spellings) for p in memory.people()} == {
        "Miller Ann": {"Miller Ann"}, "Ann": {"Ann", "Annie", "A. Miller"},
    }  # fmt: skip


def test_who_was_merged_follows_when_the_other_is_found_to_be_a_third(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "All", "Tommy: a", "Tom: b", "Ann: c"))
    memory.merge_people("Tommy", "Tom")
    memory.add(telegram(tmp_path, "boats", ("Tom Berger", "Hello."), ("Ann", "Hi.")))
    assert names(memory) == {"Tom Berger", "Ann"}
    memory.split_person("Tommy")
    assert names(memory) == {"Tom Berger", "Tommy", "Ann"}


def test_a_name_is_not_merged_with_itself(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(whatsapp(tmp_path, "All", "Tom: a", "Ann: b"))
    with pytest.raises(BadSetting, match="one spelling"):
        memory.merge_people("Ann", "Ann")
    assert names(memory) == {"Ann", "Tom"}


def test_how_to_give_a_new_name_is_told(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(whatsapp(tmp_path, "All", "+1 503 555 0142: a", "Ann: b"))
    with pytest.raises(NotFound, match=r"--person '\+1 503 555 0142' --replace-by Sam`"):
        memory.merge_people("+1 503 555 0142", "Sam")
    with pytest.raises(NotFound, match="Nobody is called 'Sam'") as raised:
        memory.merge_people("Sam", "Ann")
    assert "--replace-by" not in str(raised.value)


def test_a_first_name_is_enough_to_merge_and_split(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(
        whatsapp(tmp_path, "All", "Jo O'Brien: a", "Marek Nowak: b", "Ann Lee: c", "Ann Roe: d")
    )
    assert memory.merge_people("Jo", "marek") == ("Jo O'Brien", "Marek Nowak")
    assert names(memory) == {"Marek Nowak", "Ann Lee", "Ann Roe"}
    assert memory.split_person("jo") == ("Jo O'Brien", True)
    assert names(memory) == {"Jo O'Brien", "Marek Nowak", "Ann Lee", "Ann Roe"}
    for refused in (
        lambda: memory.merge_people("Ann", "Jo"),
        lambda: memory.merge_people("Jo", "Ann"),
        lambda: memory.split_person("Ann"),
        lambda: memory.preview_delete(people=["Ann"]),
        lambda: memory.preview_name("Ann", "Person 7"),
    ):
        with pytest.raises(NotFound, match="write one of Ann Lee, Ann Roe") as raised:
            refused()
        assert "--replace-by" not in str(raised.value)
    for misspelled in (
        lambda: memory.merge_people("Marrek", "Jo"),
        lambda: memory.split_person("Marrek"),
        lambda: memory.preview_delete(people=["Marrek"]),
        lambda: memory.preview_name("Marrek", "Person 7"),
    ):
        with pytest.raises(NotFound, match="did you mean 'Marek Nowak'"):
            misspelled()


def test_what_is_split_says_whether_it_was_joined(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(whatsapp(tmp_path, "All", "kw1984: a", "Kay Winter: b", "Ann: c"))
    memory.merge_people("kw1984", "Kay Winter")
    assert memory.split_person("kw1984") == ("kw1984", True)
    assert memory.split_person("kw1984") == ("kw1984", False)


def test_the_name_that_is_shown_is_not_split_off(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(whatsapp(tmp_path, "All", "kw1984: a", "Kay Winter: b", "Ann: c"))
    memory.merge_people("kw1984", "Kay Winter")
    with pytest.raises(BadSetting, match="split off another one: kw1984"):
        memory.split_person("Kay Winter")
    memory.split_person("kw1984")
    assert names(memory) == {"Kay Winter", "kw1984", "Ann"}


def test_a_spelling_can_be_made_the_name_that_is_shown(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(whatsapp(tmp_path, "All", "kw1984: a", "Kay Winter: b", "Ann: c"))
    memory.merge_people("Kay Winter", "kw1984")
    memory.merge_people("kw1984", "Kay Winter")
    assert {p.name: p.spellings for p in memory.people()} == {
        "Kay Winter": ("Kay Winter", "kw1984"), "Ann": ("Ann",),
    }  # fmt: skip
    assert {m.text for m in memory.messages(people=["kw1984"])} == {"a", "b"}
    memory.split_person("kw1984")
    assert names(memory) == {"Kay Winter", "kw1984", "Ann"}


def test_short_names_of_short_names_are_one_person(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(whatsapp(tmp_path, "All", "Mary: a", "Mary Ann: b", "Maryann Smith: c"))
    assert {p.name: set(p.spellings) for p in memory.people()} == {
        "Maryann Smith": {"Mary", "Mary Ann", "Maryann Smith"}
    }


def test_a_first_name_and_a_longer_name_that_talk_to_each_other_are_two_people(
    memory: ChatMemory, tmp_path: Path
) -> None:
    club = tmp_path / "club.csv"
    club.write_text(
        "sent_at,sender,text,chat\n"
        "2026-01-05 10:00,Ann,I am vegan,Club\n"
        "2026-01-05 10:30,Ivy,Who else comes?,Club\n"
        "2026-01-05 11:00,Ann Lee,I eat meat,Club\n",
        encoding="utf-8",
    )
    memory.add(club)
    assert names(memory) == {"Ann", "Ann Lee", "Ivy"}
    assert {m.text for m in memory.messages(people=["Ann Lee"])} == {"I eat meat"}
    assert memory.preview_delete(people=["Ann Lee"]).messages == 1
    memory.add(telegram(tmp_path, "boats", ("Ann", "The oars are wet."), ("Tom", "Dry them.")))
    assert names(memory) == {"Ann", "Ann Lee", "Ivy", "Tom"}, "later imports know it too"
    memory.merge_people("Ann", "Ann Lee")
    assert names(memory) == {"Ann Lee", "Ivy", "Tom"}


def test_a_later_conversation_of_a_first_name_with_the_longer_name_parts_them(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(telegram(tmp_path, "boats", ("Ann", "The oars are wet."), ("Tom", "Dry them."),
                        ("kw1984", "They are dry.")))  # fmt: skip
    memory.merge_people("kw1984", "Ann")
    memory.add(whatsapp(tmp_path, "Lee", "Ann Lee: The mast is new.", "Ivy: Good."))
    assert names(memory) == {"Ann Lee", "Ivy", "Tom"}
    log = {"20260105_1000": ("AnnLee: Are you there?", "Ann: I am.", "AnnLee: Good.")}
    report = memory.add(write_log(tmp_path / "log", log))
    assert any(note.startswith("Ann is no longer taken to be Ann Lee;") for note in report.notes)
    assert {p.name: p.messages for p in memory.people()} == {
        "Ann": 3, "Ann Lee": 3, "Ivy": 1, "Tom": 1,
    }, "and who was merged with the first name follows it"  # fmt: skip


def test_a_second_longer_name_parts_a_first_name_from_the_other_and_says_so(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(telegram(tmp_path, "boats", ("Ann", "The oars are wet."), ("Tom", "Dry them.")))
    linked = memory.add(whatsapp(tmp_path, "Lee", "Ann Lee: The mast is new.", "Ivy: Good."))
    assert any(note.startswith("Ann was taken to be Ann Lee;") for note in linked.notes)
    report = memory.add(whatsapp(tmp_path, "Hill", "Ann Hill: The sail is old.", "Ivy: Bad."))
    assert names(memory) == {"Ann", "Ann Lee", "Ann Hill", "Ivy", "Tom"}
    [note] = [note for note in report.notes if "no longer" in note]
    assert note.startswith("Ann is no longer taken to be Ann Lee; `minirag-chat people merge`")
    assert "the pencil beside the name" in on_the_page(note)
    assert not any(
        "no longer" in note
        for note in memory.add(whatsapp(tmp_path, "Lee", "Ann Lee: It is.", "Ivy: Oh.")).notes
    ), "it is said once"


def test_merged_names_that_talk_to_each_other_are_suggested_to_be_two(
    memory: ChatMemory, tmp_path: Path
) -> None:
    log = {
        "20260105_1000": ("WolfgangSchulz: Hi.", "Wolfgang: Hi yourself.", "WolfgangSchulz: Ha."),
        "20260106_1000": ("WolfgangSchulz: Coming?", "Wolfgang: Yes."),
    }
    memory.add(write_log(tmp_path / "log", log))
    memory.merge_people("Wolfgang", "WolfgangSchulz")
    assert len(memory.people()) == 1
    [suggestion] = [s for s in memory.suggest_people() if s.action == "split"]
    assert (suggestion.spelling, suggestion.into) == ("Wolfgang", "WolfgangSchulz")
    assert "2 of the same conversations" in suggestion.evidence[0]


def test_two_people_of_one_chat_are_not_suggested_for_a_first_name(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "All", "Ann Miller: a", "Ann Baker: b", "Ann Miller: c"))
    assert memory.suggest_people() == []


def test_telephone_numbers_are_one_however_they_are_written(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "A", "+49 151 2345678: hello", "Tom: hi"))
    memory.add(telegram(tmp_path, "B", ("0151-2345678", "there"), ("Tom", "ok")))
    assert "telephone" in memory.suggest_people()[0].evidence[0]


@pytest.mark.sqlite_file
def test_the_command_prints_what_to_type(settings: Settings, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from minirag_chat.cli import app

    with ChatMemory.open(
        settings.db, settings, embedder=WordEmbedder(), chat_model=ScriptedModel()
    ) as memory:
        memory.add(whatsapp(tmp_path, "Zoë", "Zoë Laurent: a", "Tom: b", "Zoë Laurent: c"))
        memory.add(telegram(tmp_path, "boats", ("Laurent Zoe", "c"), ("Tom", "d")))
    result = CliRunner().invoke(app, ["--db", str(settings.db), "people", "suggest"])
    assert result.exit_code == 0
    assert f"minirag-chat --db {settings.db} people merge 'Laurent Zoe' 'Zoë Laurent'" in " ".join(
        result.stdout.split()
    )


def test_a_person_is_found_without_accents_and_a_chat_by_any_part_of_its_title(
    memory: ChatMemory, tmp_path: Path
) -> None:
    table = tmp_path / "wg.csv"
    table.write_text(
        "sent_at,sender,text,chat\n"
        "2026-01-05 10:00,Sofía Martín 🌙,The studio is called Barro,WG Lindenstraße\n"
        "2026-01-05 10:01,Łukasz,ok,WG Lindenstraße\n",
        encoding="utf-8",
    )
    memory.add(table)
    for person in ("Sofia", "martin", "sofía martín 🌙"):
        found = memory.search("studio", people=[person])
        assert [evidence.message.sender for evidence in found] == ["Sofía Martín 🌙"], person
    for chat in ("linden", "WG", "lindenstrasse"):
        assert len(memory.search("studio", chats=[chat])) == 1, chat
    with pytest.raises(NotFound, match="Nobody is called 'Zofia'"):
        memory.search("studio", people=["Zofia"])


@pytest.mark.slow
def test_a_name_is_shown_as_its_app_writes_it(memory: ChatMemory, tmp_path: Path) -> None:
    """Joined names are parted for the one format that joins them, and for no other."""
    memory.add(whatsapp(tmp_path, "dentist", "SmileDent: Your check-up is on Monday.", "DeShawn: Thanks!",
                        "RoyalMail: A parcel for you.", "SmileDent: Bring the papers."))  # fmt: skip
    memory.add(write_log(tmp_path / "log", {"20260105_1000": (
        "WolfgangSchulz: The kite is in the attic.", "LiHua: Which attic, WolfgangSchulz?")}))  # fmt: skip
    shown = {person.shown_name for person in memory.people()}
    assert shown == {"SmileDent", "DeShawn", "RoyalMail", "Wolfgang Schulz", "Li Hua"}
    assert {m.shown_sender for m in memory.messages()} == shown
    assert "Wolfgang" in " ".join(chat.title for chat in memory.chats())
    drawn = memory.ask("Who brings the papers of SmileDent?").path
    assert drawn is not None
    assert not any("Smile Dent" in node.name for node in drawn.nodes)


@pytest.mark.parametrize(
    "name", ["WolfgangSchulz", "Wolfgang Schulz", "wolfgang schulz", "Wolfgang"]
)
def test_a_joined_name_is_found_however_it_is_asked_for(
    memory: ChatMemory, tmp_path: Path, name: str
) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": (
        "WolfgangSchulz: The kite is in the attic.", "LiHua: Which attic?")}))  # fmt: skip
    found = memory.explain(f"Where is the kite of {name}?", read=False).question.people
    assert [person.shown_name for person in found] == ["Wolfgang Schulz"]
    assert [m.text for m in memory.messages(people=[name])] == ["The kite is in the attic."]


def test_a_name_that_another_app_has_too_is_shown_as_it_is_there(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(write_log(tmp_path / "log", {"20260105_1000": ("DeShawn: Hello.", "LiHua: Hi.")}))
    memory.add(whatsapp(tmp_path, "DeShawn", "DeShawn: The kite is in the attic.", "Ann: Thanks!"))
    assert {p.shown_name for p in memory.people()} == {"DeShawn", "Li Hua", "Ann"}


def test_no_first_name_is_cut_from_a_name_that_is_one_word(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "post", "RoyalMail: A parcel for you.", "Ann: Was it the royal one?",
                        "Royal: No, mine."))  # fmt: skip
    assert names(memory) == {"RoyalMail", "Ann", "Royal"}
    assert [p.name for p in memory.explain("What does Royal say?", read=False).question.people] == [
        "Royal"
    ]


def test_a_first_name_that_two_people_of_other_last_names_have_suggests_nothing(
    memory: ChatMemory, tmp_path: Path
) -> None:
    for name in ("Sam Okafor", "Sam Whitley"):
        chat = tmp_path / f"WhatsApp Chat with {name}.txt"
        chat.write_text(f"01/02/26, 10:00 - {name}: hi\n01/02/26, 10:01 - Kim: yes\n", "utf-8")
        memory.add(chat)
    assert memory.suggest_people() == []


@pytest.mark.parametrize(
    ("one", "other", "suggested"),
    [("Fi McLeod", "Fiona McLeod", True), ("Fiach McLeod", "Fiona McLeod", False)],
)
def test_a_short_form_of_the_first_name_with_the_same_last_name_is_suggested(
    memory: ChatMemory, tmp_path: Path, one: str, other: str, suggested: bool
) -> None:
    memory.add(whatsapp(tmp_path, "A", f"{one}: hello", "Tom: hi"))
    memory.add(telegram(tmp_path, "B", (other, "there"), (other, "it rains"), ("Tom", "ok")))
    found = [(s.spelling, s.into) for s in memory.suggest_people() if "Tom" not in s.spelling]
    assert found == ([(one, other)] if suggested else [])


@pytest.mark.parametrize(
    ("one", "other", "into"),
    [
        ("Rui T.", "Rui Tavares", "Rui Tavares"),
        ("Caoimhe \U0001f3e5", "Caoimhe Byrne", "Caoimhe Byrne"),
        ("larip", "Larissa Prado", "Larissa Prado"),
        ("Padraig HCA", "Padraig Nolan", "Padraig Nolan"),
        ("Shanice Ward 7", "Shanice Okoye", "Shanice Okoye"),
    ],
)
def test_the_fuller_name_is_kept_whoever_writes_more(
    memory: ChatMemory, tmp_path: Path, one: str, other: str, into: str
) -> None:
    memory.add(whatsapp(tmp_path, "A", *(f"{one}: hello {n}" for n in range(5)), "Bo Ek: hi"))
    memory.add(telegram(tmp_path, "B", (other, "there"), ("Ida Lund", "ok")))
    found = [(s.spelling, s.into) for s in memory.suggest_people()]
    assert found == [(one, into)]
    memory.merge_people(into, one)
    assert one in names(memory), "the user chose the other name"


def test_a_note_beside_a_first_name_is_no_evidence_alone(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "A", "Padraig HCA: hello", "Bo Ek: hi"))
    memory.add(whatsapp(tmp_path, "B", "Padraig Nolan: hello", "Ida Lund: hi"))
    assert memory.suggest_people() == [], "in the same app one contact has one name"
    memory.add(telegram(tmp_path, "C", ("Padraig Nolan", "there"), ("Ida Lund", "ok")))
    memory.add(telegram(tmp_path, "D", ("Padraig Walsh", "there"), ("Ida Lund", "ok")))
    assert memory.suggest_people() == [], "which of the two?"
