"""Which names may be one person's, and which is the fuller one."""

from __future__ import annotations

import pytest

from minirag_chat.store.same_names import is_fuller, may_be_one


@pytest.mark.parametrize(
    ("fuller", "poorer"),
    [
        ("Rui Tavares", "Rui T."),
        ("Caoimhe Byrne", "Caoimhe 🏥"),
        ("Caoimhe Byrne", "Caoimhe"),
        ("Larissa Prado", "Lari Prado"),
        ("Larissa Prado", "larip"),
        ("Ann", "ann_h92"),
        ("Ann Hill", "+353 86 015 7742"),
        ("+353 86 015 7742", "Me"),
        ("Padraig Nolan", "Padraig HCA"),
        ("Ann Hill", "Ann Hill 🌵"),
        ("ANN HILL", "Ann"),
        ("王伟", "user_77"),
        ("Seán O'Dowd", "Seán"),
    ],
)
def test_the_name_that_says_more_is_fuller(fuller: str, poorer: str) -> None:
    assert is_fuller(fuller, poorer) is True
    assert is_fuller(poorer, fuller) is False


@pytest.mark.parametrize(("one", "other"), [("Ann Hill", "Bob Wood"), ("Ann", "Bob")])
def test_of_two_equally_full_names_neither_is_fuller(one: str, other: str) -> None:
    assert is_fuller(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lari Prado", "Larissa Prado"),
        ("Larissa P.", "Larissa Prado"),
        ("Lari", "Larissa Prado"),
        ("larip", "Larissa Prado"),
        ("larip", "Lari Prado"),
        ("lari_prado92", "Larissa Prado"),
        ("lprado", "Larissa Prado"),
        ("Larissa Prado 🌵", "larissa prado"),
        ("Me", "Larissa Prado"),
        ("Ich", "You"),
        ("Zoë Àbel", "Zoe Abel"),
    ],
)
def test_names_that_may_be_one(one: str, other: str) -> None:
    assert may_be_one(one, other)
    assert may_be_one(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bruna Prado", "Larissa Prado"),
        ("Larissa Souza", "Larissa Prado"),
        ("Larissa S.", "Larissa Prado"),
        ("Kittiwake", "Larissa Prado"),
        ("lara", "Larissa Prado"),
        ("Fiona McLeod", "Fiach McLeod"),
        ("+353 86 015 7742", "Larissa Prado"),
        ("🌵", "Larissa Prado"),
        ("Li", "Lisa Prado"),
        ("fionao", "Fi Okafor"),
    ],
)
def test_names_that_are_two(one: str, other: str) -> None:
    assert not may_be_one(one, other)
    assert not may_be_one(other, one)
