"""People on the page: one person under two names, two under one, and a new name for somebody."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from canned import HOSTILE

from minirag_chat import ChatMemory
from minirag_chat.show import page_views
from minirag_chat.show.page_commands import Commands
from minirag_chat.show.page_sessions import Sessions
from minirag_chat.show.page_tabs import Tab


@pytest.fixture
def people(memory: ChatMemory, tmp_path: Path) -> ChatMemory:
    """Tom Hill, who is "Tommy" in another chat, and others."""
    chats = {
        "Boats": ("Tom Hill", "Olga Prizzle"),
        "Tents": ("Tommy Hill", "Nina Vale"),
        HOSTILE[0].replace("/", "")[:30]: (HOSTILE[0], "Nina Vale"),
    }
    for title, (one, other) in chats.items():
        file = tmp_path / f"WhatsApp Chat with {title}.txt"
        file.write_text(
            f"14/03/26, 18:05 - {one}: The boat is blue\n14/03/26, 18:06 - {other}: {title}, yes\n",
            encoding="utf-8",
        )
        memory.add(file)
    return memory


def named(memory: ChatMemory, name: str) -> str:
    return next(str(one.id) for one in memory.people() if one.name == name)


def box(sessions: Sessions, tab: Tab) -> str:
    return page_views.middle(sessions, tab)["chips"]


def pressed(shown: str, do: str) -> str:
    """The value of the first button that does this."""
    found = re.search(rf'data-do="{do}" data-value="([^"]*)"', shown)
    assert found is not None
    return html.unescape(found[1])


def test_two_names_are_joined_after_a_second_press_and_split_again(people: ChatMemory) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    lists = page_views.left(sessions, tab)["lists"]
    tommy, tom = named(people, "Tommy Hill"), named(people, "Tom Hill")
    assert f'data-do="someone" data-value="{tommy}"' in lists
    commands.do(tab, "someone", tommy)
    assert "1 message" in box(sessions, tab)
    assert "becomes" not in box(sessions, tab), "nobody is chosen yet"
    commands.do(tab, "sameas", tom)
    assert "Join: Tommy Hill becomes Tom Hill" in box(sessions, tab)
    assert len(people.people()) == 5, "nothing is done yet"
    commands.do(tab, "sameas", "")
    assert "becomes" not in box(sessions, tab)
    commands.do(tab, "sameas", tom)
    told = commands.do(tab, "join", tom)
    assert told is not None
    assert "Tommy Hill is now Tom Hill" in str(told["text"])
    assert {one.name: one.messages for one in people.people()}["Tom Hill"] == 2
    commands.do(tab, "someone", tom)
    assert "Split off Tommy Hill" in box(sessions, tab)
    commands.do(tab, "apart", "Tommy Hill")
    assert {one.name: one.messages for one in people.people()}["Tommy Hill"] == 1


def test_names_that_may_be_one_person_are_found_and_what_was_decided_is_not_asked_again(
    people: ChatMemory,
) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "alike", "")
    shown = box(sessions, tab)
    assert "may be" in shown
    assert 'data-do="onepair"' in shown
    commands.do(tab, "twopair", pressed(shown, "twopair"))
    assert "No two names look like one person" in box(sessions, tab)
    assert not people.suggest_people(), "also on the command line"
    commands.do(tab, "closeperson", "")
    assert "No two names" not in box(sessions, tab)
    assert len(people.people()) == 5


def test_a_found_pair_is_joined_by_its_button(people: ChatMemory) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "alike", "")
    value = pressed(box(sessions, tab), "onepair")
    commands.do(tab, "onepair", value)
    assert len(people.people()) == 4
    assert any(len(one.spellings) == 2 for one in people.people())
    told = commands.do(tab, "onepair", value)
    assert told is not None
    assert "decided meanwhile" in str(told["text"]), "pressed twice"
    assert len(people.people()) == 4


def test_what_is_said_of_one_pair_is_not_said_of_others(people: ChatMemory, tmp_path: Path) -> None:
    file = tmp_path / "WhatsApp Chat with Boots.txt"
    file.write_text("14/03/26, 18:05 - Tomy Hill: hi\n14/03/26, 18:06 - Nina Vale: yes\n", "utf-8")
    people.add(file)
    before = {frozenset((one.spelling, one.into)) for one in people.suggest_people()}
    people.keep_apart("Tommy Hill", "Tom Hill")
    after = {frozenset((one.spelling, one.into)) for one in people.suggest_people()}
    assert before - after == {frozenset(("Tommy Hill", "Tom Hill"))}
    assert after


def test_the_box_shows_no_name_that_is_gone(people: ChatMemory) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "alike", "")
    assert "Tommy" in box(sessions, tab)
    people.delete(everything=True)
    assert "Tommy" not in box(sessions, tab)


def test_a_join_that_is_no_longer_chosen_joins_nobody(people: ChatMemory) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    tom = named(people, "Tom Hill")
    commands.do(tab, "someone", named(people, "Nina Vale"))
    commands.do(tab, "sameas", tom)
    commands.do(tab, "sameas", "")
    told = commands.do(tab, "join", tom)
    assert told is not None
    assert "choice changed" in str(told["text"])
    assert len(people.people()) == 5


def test_a_nickname_is_given_used_and_removed(people: ChatMemory) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    commands.do(tab, "someone", named(people, "Olga Prizzle"))
    commands.do(tab, "nickname", "<b>mum</b>")
    commands.do(tab, "nickname", "mum")
    shown = box(sessions, tab)
    assert "Remove mum" in shown
    assert "<b>mum" not in shown
    assert people.ask("How many messages did my mum send?").text.startswith("Olga Prizzle sent 1")
    told = commands.do(tab, "nickname", "Tom Hill")
    assert told is not None
    assert "Somebody else is called Tom Hill" in str(told["text"])
    commands.do(tab, "nonickname", "mum")
    assert list(people.nicknames()) == ["<b>mum</b>"]


def test_hostile_names_are_text_in_the_boxes(people: ChatMemory) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    for one in people.people():
        commands.do(tab, "someone", str(one.id))
        other = next(p for p in people.people() if p.id != one.id)
        commands.do(tab, "sameas", str(other.id))
        shown = box(sessions, tab)
        assert "Replace the name everywhere" in shown
        assert HOSTILE[0] not in shown


@pytest.mark.parametrize(
    ("word", "value"),
    [("someone", "999"), ("someone", "x"), ("join", "1"), ("apart", "0"), ("onepair", "0"),
     ("twopair", "7"), ("rename", "Person 7"), ("sameas", "999"), ("nickname", "mum"), ("nonickname", "0")],
)  # fmt: skip
def test_a_press_for_what_is_gone_changes_nothing_and_says_so(
    people: ChatMemory, word: str, value: str
) -> None:
    sessions = Sessions(people)
    commands, tab = Commands(sessions), sessions.tab("one")
    before = people.people()
    told = commands.do(tab, word, value)
    assert told is not None
    assert told["do"] == "say"
    assert people.people() == before


def test_a_sample_has_no_box(people: ChatMemory) -> None:
    with people.beside(":memory:") as own:
        sessions = Sessions(own, [("Sample", people)], public=True)
        commands, tab = Commands(sessions), sessions.tab("one")
        told = commands.do(tab, "someone", named(people, "Tom Hill"))
        assert told is not None
        assert "cannot be changed" in str(told["text"])
        assert box(sessions, tab) == ""
