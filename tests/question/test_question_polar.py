"""Which questions yes or no answers."""

from __future__ import annotations

import pytest

from minirag_chat.question.yes_no import is_yes_no


@pytest.mark.parametrize(
    "question",
    [
        "Did Ann come?",
        "Did Ann or Ben call?",
        "Are two or three days enough?",
        "Did Nora leave for one reason or another?",
        "Is it true that Ann sold the car or the bike?",
        "And did she come?",
        "Was the hall painted?",
        "Was Ann there?",
        "Is breakfast included?",
        "Do dogs come along?",
        "Can you tell me if Ann is moving?",
        "Do you know whether Ben lives in York?",
        "Can anyone park there?",
        "Would Ann say what she thinks?",
        "Can you swim in the lake?",
        "Isn't Ann coming?",
        "Didn\u2019t Ben pay?",
        "Am I invited?",
        "Must Ann pay?",
        "Is Ann coming or not?",
        'Did Ann say "tea or coffee"?',
        "Did Ann pay 50 euros or more?",
        "Has Ann ever been to Rome or Paris?",
        "Is there any milk or bread left?",
    ],
)
def test_yes_or_no_answers_it(question: str) -> None:
    assert is_yes_no(question, ())


@pytest.mark.parametrize(
    "question",
    [
        "When did Ann come?",
        "Can you tell me when Ann is moving?",
        "Could you please tell me who came if it rained?",
        "Do you know where Ben lives?",
        "Do you happen to remember what Ann said?",
        "Could somebody tell me why Ann left?",
        "Can you list the guests?",
        "Does anyone know when Ann moves?",
        "Can anyone tell me the price?",
        "Was hat Anna bekommen?",
        "Was isst Ben gern?",
        "Do que a Ana gosta?",
        "Island or mainland?",
        "Does Ann live in Rome or Paris?",
        "Was the party in May or June?",
        "Is dinner at six or at seven?",
        "Can you tell me if Ann lives in Rome or in Paris?",
    ],
)
def test_it_wants_more_than_yes_or_no(question: str) -> None:
    assert not is_yes_no(question, ())


@pytest.mark.parametrize(
    ("question", "name", "yes_no"),
    [
        ("Will is moving when?", "Will", False),
        ("Will told Ann what?", "Will", False),
        ("Will Smith said what?", "Will Smith", False),
        ("Will Ann come?", "Will", True),
        ("Will he come?", "Will", True),
    ],
)
def test_a_person_called_will_may_stand_first(question: str, name: str, yes_no: bool) -> None:
    assert is_yes_no(question, [(0, len(name))]) is yes_no
