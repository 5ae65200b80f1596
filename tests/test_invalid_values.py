"""A value that is refused: what to give instead is said in plain words, on every face."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from minirag_chat import ChatMemory, Settings
from minirag_chat.cli import app
from minirag_chat.errors import BadSetting, MiniRagChatError
from minirag_chat.json_records import from_json
from minirag_chat.records import Person

RAW = ("Input should", "valid integer", "Value error", "parse", "Extra inputs", "Field required")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"method": "foo"}, "The setting 'method' is not valid: give 'hybrid', 'minirag', 'bm25', "),
        ({"paths": "many"}, "The setting 'paths' is not valid: give a whole number."),
        ({"hops": 9}, "The setting 'hops' is not valid: give at most 6."),
        ({"abstain_below": -1}, "The setting 'abstain_below' is not valid: give at least 0"),
        ({"public": "perhaps"}, "The setting 'public' is not valid: give true or false."),
        ({"postgres": "x"}, "is not valid: an address of PostgreSQL begins with postgresql://."),
        ({"magic": 1}, "The setting 'magic' is not valid: there is none of this name; the settings are db, "),
    ],
)  # fmt: skip
def test_a_setting_says_what_to_give(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetting) as refused:
        Settings.make(**given)
    assert sentence in str(refused.value)
    assert not [raw for raw in RAW if raw in str(refused.value)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "abc"), "give a whole number."),
        (("page", "--port", "99999"), "give at most 65535."),
        (("search", "hi", "-n", "0"), "give at least 1."),
        (("delete", "--message", "q"), "give a whole number."),
    ],
)
def test_a_command_says_what_to_give(words: tuple[str, ...], sentence: str) -> None:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    said = done.stderr.splitlines()[-1]
    if "is not a valid" in said or "is not in the range" in said:
        pytest.skip("this release of typer has words of its own")
    assert said.startswith("Error: Invalid value for ")
    assert said.endswith(f": {sentence}")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"people": "Marek"}, "The field 'people' is not valid: give a list; the fields are "),
        ({"people": [1.5]}, "The field 'people.0' is not valid: give text or a whole number; "),
        ({"question": 1}, "The field 'question' is not valid: give text; "),
        ({"question": None, "since": ["x"]}, "The field 'question' is not valid: give text; "),
        ({"who": 1}, "The field 'who' is not valid: there is none of this name; the fields are db, "),
    ],
)  # fmt: skip
def test_a_request_says_what_to_give(given: dict[str, Any], sentence: str) -> None:
    bodies = pytest.importorskip("minirag_chat_jupyter.request_bodies", exc_type=ImportError)
    body = json.dumps({"question": "Who?", **given}).encode()
    with pytest.raises(bodies.BadRequest) as refused:
        bodies.parsed(bodies.AskBody, body)
    assert sentence in str(refused.value)
    with pytest.raises(bodies.BadRequest, match="The body is not valid: give an object;"):
        bodies.parsed(bodies.AskBody, b"[]")
    with pytest.raises(
        bodies.BadRequest, match="The field 'question' is not valid: it is missing;"
    ):
        bodies.parsed(bodies.AskBody, b"{}")


def test_the_answer_of_an_older_server_says_which_field_it_lacks() -> None:
    with pytest.raises(MiniRagChatError) as refused:
        from_json(Person, {"id": 1})
    assert "Person (its field 'name' is not valid): update minirag-chat" in str(refused.value)


@pytest.mark.parametrize(
    ("option", "hint"), [("model", "Settings(model="), ("paths", "Settings(paths="), ("person", "")]
)
def test_an_option_that_a_question_does_not_have_is_refused_with_those_that_it_has(
    small: ChatMemory, option: str, hint: str
) -> None:
    for call in (small.ask, small.stream):
        with pytest.raises(BadSetting) as refused:
            call("Who?", **{option: "extractive"})
        said = str(refused.value)
        assert (
            f"A question has no option {option!r}: it takes method, people, chats, since, until"
            in said
        )
        assert hint in said
