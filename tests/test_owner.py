"""Who asks is known without a question where the export says whose it is."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from places import write_sms_backup

from minirag_chat import ChatMemory
from minirag_chat.cli.people import who_is_asked
from minirag_chat.show import page_me
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions

pytestmark = pytest.mark.both_stores


def telegram_message(number: int, account: int, name: str, text: str) -> dict[str, Any]:
    return {"id": number, "type": "message", "date": f"2024-03-{number:02}T10:00:00", "from": name,
            "from_id": f"user{account}", "text": text}  # fmt: skip


def telegram_chat(other: int = 7) -> dict[str, Any]:
    said = [telegram_message(1, 7, "Bob", "Where is the kite?"), telegram_message(2, 5, "Ann Hill", "At Mill Lane.")]  # fmt: skip
    return {"name": "Bob", "type": "personal_chat", "id": other, "messages": said}


def written(folder: Path, document: object, name: str = "result.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


WHOLE = {
    "about": "Here is the data you requested from Telegram.",
    "personal_information": {"user_id": 5, "first_name": "Annie"},
    "chats": {"about": "", "list": [
        telegram_chat(),
        {"name": "Boats", "type": "private_group", "id": 9, "messages": [
            telegram_message(3, 5, "Ann Hill", "Who has oars?"), telegram_message(4, 8, "Zoe", "Me.")]},
    ]},
}  # fmt: skip
MESSENGER = {
    "participants": [{"name": "Bob"}, {"name": "Ann Hill"}], "title": "Bob",
    "messages": [{"sender_name": n, "timestamp_ms": 1640000001000, "content": "hi"} for n in ("Bob", "Ann Hill")],
}  # fmt: skip
CHATLAB = {
    "chatlab": {"version": "0.0.2"}, "meta": {"name": "boats", "platform": "qq", "type": "group", "ownerId": "5"},
    "members": [{"platformId": "7", "accountName": "Bob"}, {"platformId": "5", "accountName": "Ann Hill"}],
    "messages": [{"sender": s, "timestamp": 1640000001, "type": 0, "content": "hi"} for s in ("5", "7")],
}  # fmt: skip


@pytest.mark.parametrize("document", [WHOLE, telegram_chat(), MESSENGER, CHATLAB])
def test_who_exported_a_chat_need_not_say_who_they_are(
    memory: ChatMemory, tmp_path: Path, document: dict[str, Any]
) -> None:
    report = memory.add(written(tmp_path, document))
    assert memory.me is not None
    assert memory.me.name == "Ann Hill"
    assert memory.likely_me() == []
    assert any("You are taken to be Ann Hill" in note for note in report.notes)


def test_an_export_that_does_not_say_whose_it_is_asks(memory: ChatMemory, tmp_path: Path) -> None:
    group = telegram_chat() | {"type": "private_group"}
    report = memory.add(written(tmp_path, group))
    assert memory.me is None
    assert {p.name for p in memory.likely_me()} == {"Ann Hill", "Bob"}
    assert not any("You are" in note for note in report.notes)


@pytest.mark.parametrize("me_first", [True, False])
def test_me_and_the_owner_whom_an_export_names_are_one_person(
    memory: ChatMemory, tmp_path: Path, me_first: bool
) -> None:
    exports = [write_sms_backup(tmp_path), written(tmp_path, WHOLE)]
    first, second = exports if me_first else exports[::-1]
    memory.add(first)
    report = memory.add(second)
    assert any(
        "one person now; undo with `minirag-chat people split Me`" in n for n in report.notes
    )
    assert memory.me is not None
    assert (memory.me.name, set(memory.me.spellings)) == ("Ann Hill", {"Ann Hill", "Me"})
    memory.split_person("Me")
    memory.add(second)
    assert "Me" in named(memory), "what was split off stays so"


def test_me_is_suggested_to_be_who_asks(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(written(tmp_path, WHOLE))
    memory.set_me("Zoe")
    memory.add(write_sms_backup(tmp_path))
    [merge] = [s for s in memory.suggest_people() if s.action == "merge"]
    assert (merge.spelling, merge.into) == ("Me", "Zoe")


def test_what_a_person_said_of_who_they_are_stands(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(written(tmp_path, telegram_chat() | {"type": "private_group"}))
    memory.set_me("Bob")
    memory.add(written(tmp_path, WHOLE, "all.json"))
    assert memory.me is not None
    assert memory.me.name == "Bob"
    memory.set_me(None)
    memory.add(written(tmp_path, MESSENGER, "message_1.json"))
    assert memory.me is None


def test_two_owners_in_one_folder_are_asked_about(memory: ChatMemory, tmp_path: Path) -> None:
    folder = tmp_path / "both"
    folder.mkdir()
    written(folder, telegram_chat())
    written(folder, MESSENGER | {"title": "Ann Hill"}, "message_1.json")
    memory.add(folder)
    assert memory.me is None


# --- "Me", "You" and the name in other exports are one person ---------------------------------------


def imessage(folder: Path, other: str = "Luka") -> Path:
    path = folder / f"{other}.txt"
    at = "Oct 07, 2025  3:5{}:00 PM\n{}\n{}\n"
    said = ((0, "Me", "did you eat lunch"), (8, other, "ye"), (9, "Me", "good"))
    path.write_text("\n".join(at.format(*row) for row in said), encoding="utf-8")
    return path


def whatsapp(folder: Path, *names: str, file: str = "WhatsApp Chat with the boats.txt") -> Path:
    lines = [
        f"0{n}/09/2025, 19:00 - {name}: I bring {n} oars\n" for n, name in enumerate(names * 2, 1)
    ]
    (folder / file).write_text("".join(lines), encoding="utf-8")
    return folder / file


def table(folder: Path, own: str) -> Path:
    rows = (f"2025-08-0{n} 10:00,{who},{way},oar {n}\n"
            for n, (who, way) in enumerate([(own, "sent"), ("Zoe", "received"), (own, "sent")], 1))  # fmt: skip
    path = folder / "table.csv"
    path.write_text("date,sender,direction,text\n" + "".join(rows), encoding="utf-8")
    return path


def named(memory: ChatMemory) -> dict[str, int]:
    return {person.name: person.messages for person in memory.people()}


def test_who_says_who_they_are_becomes_one_with_what_exports_call_them(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(imessage(tmp_path))
    memory.add(whatsapp(tmp_path, "Dora", "Huw"))
    [called] = memory.only_called()
    assert (called.name, called.platforms) == ("Me", ("imessage",))
    likely = [person.name for person in memory.likely_me()]
    assert set(likely[:2]) == {"Dora", "Huw"}, "Luka writes to Me, so is not who is called so"
    me = memory.set_me("Dora")
    assert me is not None
    assert (me.name, set(me.spellings)) == ("Dora", {"Dora", "Me"})
    assert named(memory) == {"Dora": 4, "Huw": 2, "Luka": 1}
    assert memory.only_called() == []
    memory.split_person("Me")
    assert named(memory) == {"Me": 2, "Dora": 2, "Huw": 2, "Luka": 1}
    memory.set_me("Dora")
    assert "Me" in named(memory), "what was split off stays so"


def test_somebody_called_me_where_no_owner_is_marked_is_not_joined(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(whatsapp(tmp_path, "Dora", "Me", "Huw"))
    assert memory.only_called() == []
    memory.set_me("Dora")
    assert set(named(memory)) == {"Dora", "Me", "Huw"}
    memory.add(imessage(tmp_path))
    memory.set_me("Dora")
    assert "Me" in named(memory), "one and the same name may be two people: it is not decided here"


def test_me_where_no_owner_is_marked_is_asked_about(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(written(tmp_path, WHOLE))
    report = memory.add(whatsapp(tmp_path, "Dora", "Me", "Huw"))
    assert any("Me is perhaps you, as Ann Hill is: if so, `minirag-chat people merge Me 'Ann Hill'`" in note
               for note in report.notes)  # fmt: skip
    assert [other.name for other in memory.may_be_me_too()] == ["Me"]
    memory.keep_apart("Me", "Ann Hill")
    assert memory.may_be_me_too() == []


@pytest.mark.parametrize("own", ["You", "Ich", "Self"])
def test_two_words_for_the_owner_are_one_person(
    memory: ChatMemory, tmp_path: Path, own: str
) -> None:
    memory.add(table(tmp_path, own))
    assert memory.me is not None
    assert memory.me.name == own
    assert memory.likely_me() == [], "everybody else writes to the owner: there is nothing to ask"
    report = memory.add(imessage(tmp_path))
    assert any("are both what exports call you" in note for note in report.notes)
    assert set(memory.me.spellings) == {own, "Me"}
    memory.add(whatsapp(tmp_path, "Dora", "Huw"))
    memory.set_me("Dora")
    assert memory.me is not None
    assert set(memory.me.spellings) == {"Dora", own, "Me"}


def test_a_table_without_directions_marks_nobody(memory: ChatMemory, tmp_path: Path) -> None:
    path = table(tmp_path, "You")
    path.write_text(path.read_text().replace("direction", "mood"), encoding="utf-8")
    memory.add(path)
    assert memory.only_called() == []
    memory.add(whatsapp(tmp_path, "Dora", "Huw"))
    memory.set_me("Dora")
    assert "You" in named(memory)


# --- owners of several names ------------------------------------------------------------------------

ASKED = "How many messages did I send?"


def of_owner(folder: Path, owner: str, other: str, day: int = 1) -> Path:
    """A direct chat of Telegram, which names its owner."""
    said = [
        telegram_message(day, 7, other, "Where is the kite?"),
        telegram_message(day, 5, owner, "At home."),
    ]
    chat = {
        "name": other,
        "type": "personal_chat",
        "id": 7 if day == 1 else 70 + day,
        "messages": said,
    }
    if day != 1:
        for message in said:
            message["from_id"] = f"user{70 + day}" if message["from"] == other else "user5"
    return written(folder, chat, f"{owner}.json")


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_owner_of_several_exports_is_one_person_in_any_order(
    memory: ChatMemory, tmp_path: Path, order: tuple[int, ...]
) -> None:
    exports = [
        of_owner(tmp_path, "Fi Okafor", "Bob"),
        of_owner(tmp_path, "Fiona Okafor", "Zoe", day=2),
        write_sms_backup(tmp_path),
    ]
    for place in order:
        memory.add(exports[place])
    assert memory.me is not None
    assert memory.me.name == "Fiona Okafor", "the fuller name"
    assert set(memory.me.spellings) == {"Fiona Okafor", "Fi Okafor", "Me"}
    assert memory.may_be_me_too() == []
    answer = memory.ask(ASKED)
    assert answer.confidence == 1
    assert str(memory.me.messages) in answer.text


def test_owners_of_other_names_are_asked_about_and_not_counted_until_then(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(of_owner(tmp_path, "Fiona Okafor", "Bob"))
    report = memory.add(of_owner(tmp_path, "Kittiwake", "Zoe", day=2))
    assert any("Kittiwake is perhaps you, as Fiona Okafor is" in note for note in report.notes)
    assert memory.me is not None
    assert memory.me.name == "Fiona Okafor"
    assert [other.name for other in memory.may_be_me_too()] == ["Kittiwake"]
    answer = memory.ask(ASKED)
    assert "is counted as Fiona Okafor, without Kittiwake" in answer.note
    assert "`minirag-chat people merge Kittiwake 'Fiona Okafor'`" in answer.note
    assert answer.confidence < 1
    assert memory.ask("And in March 2024?").confidence < 1, "the same person is meant"
    assert "is counted as" not in memory.ask("What are the plans for May?").note, "of nobody"
    assert "is counted as" not in memory.ask("Who wrote the most messages?").note, "of all"
    everybody = memory.ask("How many messages are there?")
    assert (everybody.note, everybody.confidence) == ("", 1)
    memory.merge_people("Kittiwake", "Fiona Okafor")
    assert (memory.ask(ASKED).note, memory.ask(ASKED).confidence) == ("", 1)
    memory.split_person("Kittiwake")
    assert memory.may_be_me_too() == [], "what was split off is not asked about"


def test_an_owner_of_another_name_may_be_somebody_else(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(of_owner(tmp_path, "Fiona Okafor", "Bob"))
    memory.add(of_owner(tmp_path, "Kittiwake", "Zoe", day=2))
    memory.keep_apart("Kittiwake", "Fiona Okafor")
    assert memory.may_be_me_too() == []
    assert memory.ask(ASKED).confidence == 1


def test_a_name_that_no_export_calls_its_owner_is_asked_about_if_it_fits(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(of_owner(tmp_path, "Fi Okafor", "Bob"))
    memory.add(whatsapp(tmp_path, "Fiona Okafor", "Huw", "fionao"))
    assert {one.name for one in memory.may_be_me_too()} == {"Fiona Okafor"}
    assert "without Fiona Okafor" in memory.ask(ASKED).note


def test_owners_who_write_to_each_other_are_two_people(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(of_owner(tmp_path, "Fi Okafor", "Fiona Okafor"))
    chat = telegram_chat() | {"name": "Fi Okafor", "id": 5, "messages": [
        telegram_message(1, 7, "Fiona Okafor", "Where is the kite?"),
        telegram_message(1, 5, "Fi Okafor", "At home."),
    ]}  # fmt: skip
    memory.add(written(tmp_path, chat, "her.json"))
    assert {"Fi Okafor", "Fiona Okafor"} <= set(named(memory))
    assert memory.me is None
    assert len(memory.likely_me()) == 2


def test_while_only_me_is_known_an_answer_says_what_is_not_counted(
    memory: ChatMemory, tmp_path: Path
) -> None:
    memory.add(imessage(tmp_path))
    memory.add(whatsapp(tmp_path, "Dora", "Huw"))
    answer = memory.ask(ASKED)
    assert "your name in the other chats is not known" in answer.note
    assert answer.confidence < 1
    memory.set_me("Dora")
    assert (memory.ask(ASKED).note, memory.ask(ASKED).confidence) == ("", 1)


def test_the_command_line_and_the_page_ask(memory: ChatMemory, tmp_path: Path) -> None:
    memory.add(of_owner(tmp_path, "Fiona Okafor", "Bob"))
    memory.add(of_owner(tmp_path, "Kittiwake", "Zoe", day=2))
    asked = who_is_asked(memory)
    assert "Is Kittiwake you too" in asked
    assert "people merge Kittiwake 'Fiona Okafor'" in asked
    sessions = Sessions(memory)
    commands, tab = Commands(sessions), sessions.tab("one")
    assert "Are you Kittiwake too?" in page_me.question(tab)
    (other,) = memory.may_be_me_too()
    told = commands.do(tab, "metoo", str(other.id))
    assert told is not None
    assert "Kittiwake is now Fiona Okafor" in str(told["text"])
    assert page_me.question(tab) == who_is_asked(memory) == ""
    memory.split_person("Kittiwake")
    assert "changed" in str(commands.do(tab, "notme", str(other.id)))
