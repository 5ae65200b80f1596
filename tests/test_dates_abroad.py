"""Dates, ranges and days of questions in Spanish, French, Italian, Portuguese, Dutch and German."""

from __future__ import annotations

from datetime import datetime

import pytest

from minirag_chat.times import doubt, find_times, question_window, spelled_out

NEWEST = datetime(2026, 11, 27, 12)
"""A Friday."""


def window(question: str) -> tuple[str | None, str | None]:
    """The first and the last day, which is not of it any more, that filter messages."""
    since, until = question_window(spelled_out(question, NEWEST), NEWEST)[:2]
    return since and f"{since:%Y-%m-%d}", until and f"{until:%Y-%m-%d}"


OPEN = """
¿Qué dijo Ana antes del 5 de abril?              |            | 2026-04-05
¿Qué dijo Ana antes del día 5 de abril?          |            | 2026-04-05
¿Qué dijo Ana después del 5 de abril?            | 2026-04-06 |
¿Qué dijo Ana despues del 5 de abril?            | 2026-04-06 |
¿Qué dijo Ana desde el 5 de abril?               | 2026-04-05 |
¿Qué dijo Ana hasta el 5 de abril?               |            | 2026-04-06
¿Qué dijo Ana desde abril de 2026?               | 2026-04-01 |
¿Qué dijo Ana desde abril?                       | 2026-04-01 |
¿Qué dijo Ana a partir del 5 de abril?           | 2026-04-05 |
Qu'a dit Anne avant le 12 octobre ?              |            | 2026-10-12
Qu'a dit Anne après le 12 octobre ?              | 2026-10-13 |
Qu'a dit Anne apres le 12 fevrier ?              | 2026-02-13 |
Qu'a dit Anne depuis le 12 octobre ?             | 2026-10-12 |
Qu'a dit Anne jusqu'au 12 octobre ?              |            | 2026-10-13
Qu'a dit Anne jusqu\u2019au 12 octobre ?              |            | 2026-10-13
Qu'a dit Anne depuis mars ?                      | 2026-03-01 |
Cosa ha detto Anna prima del 6 ottobre?          |            | 2026-10-06
Cosa ha detto Anna dopo il 6 ottobre?            | 2026-10-07 |
Cosa ha detto Anna dal 6 ottobre?                | 2026-10-06 |
Cosa ha detto Anna dall'8 ottobre?               | 2026-10-08 |
Cosa ha detto Anna fino al 6 ottobre?            |            | 2026-10-07
O que disse Ana antes de 5 de outubro?           |            | 2026-10-05
O que disse Ana depois de 5 de outubro?          | 2026-10-06 |
O que disse Ana desde 5 de outubro?              | 2026-10-05 |
O que disse Ana até 5 de outubro?                |            | 2026-10-06
O que disse Ana ate 5 de outubro?                |            | 2026-10-06
O que disse Ana desde outubro de 2026?           | 2026-10-01 |
Wat zei Anna voor 18 september?                  |            | 2026-09-18
Wat zei Anna na 18 september?                    | 2026-09-19 |
na 18 september                                  | 2026-09-19 |
Wat is er gezegd na 18 september?                | 2026-09-19 |
Wat zei Anna sinds 18 september?                 | 2026-09-18 |
Wat zei Anna vanaf 18 oktober?                   | 2026-10-18 |
Wat zei Anna tot 18 september?                   |            | 2026-09-19
Was schrieb Anna ab dem 20. März?                | 2026-03-20 |
"""

CLOSED = """
¿Qué dijo Ana del 3 al 5 de abril?               | 2026-04-03 | 2026-04-06
¿Qué dijo Ana entre el 3 y el 5 de abril?        | 2026-04-03 | 2026-04-06
¿Qué dijo Ana entre el 30 de marzo y el 5 de abril? | 2026-03-30 | 2026-04-06
¿Qué dijo Ana desde el 3 hasta el 5 de abril de 2025? | 2025-04-03 | 2025-04-06
¿Qué dijo Ana entre abril y junio?               | 2026-04-01 | 2026-07-01
¿Qué dijo Ana de noviembre a febrero de 2026?    | 2025-11-01 | 2026-03-01
Qu'a dit Anne du 3 au 12 octobre ?               | 2026-10-03 | 2026-10-13
Qu'a dit Anne du 1er au 12 août ?                | 2026-08-01 | 2026-08-13
Qu'a dit Anne entre le 3 et le 12 octobre ?      | 2026-10-03 | 2026-10-13
Qu'a dit Anne d'avril à juin ?                   | 2026-04-01 | 2026-07-01
Cosa ha detto Anna tra il 3 e il 6 ottobre?      | 2026-10-03 | 2026-10-07
Cosa ha detto Anna dal 3 al 6 ottobre?           | 2026-10-03 | 2026-10-07
Cosa ha detto Anna dal 28 settembre al 6 ottobre? | 2026-09-28 | 2026-10-07
O que disse Ana entre 5 e 18 de outubro?         | 2026-10-05 | 2026-10-19
O que disse Ana de 5 a 18 de outubro?            | 2026-10-05 | 2026-10-19
Wat zei Anna tussen 3 en 10 september?           | 2026-09-03 | 2026-09-11
Wat zei Anna van 3 tot 10 september?             | 2026-09-03 | 2026-09-11
Wat zei Anna van 3 t/m 10 oktober?               | 2026-10-03 | 2026-10-11
"""

SINGLE = """
¿Qué dijo Ana el 5 de abr?                       | 2026-04-05 | 2026-04-06
¿Qué dijo Ana el 5 de abril del 2025?            | 2025-04-05 | 2025-04-06
¿Qué dijo Ana en el mes de abril?                | 2026-04-01 | 2026-05-01
Qu'a dit Anne le 1er novembre ?                  | 2026-11-01 | 2026-11-02
Qu'a dit Anne le 3 aout ?                        | 2026-08-03 | 2026-08-04
Qu'a dit Anne en decembre 2025 ?                 | 2025-12-01 | 2026-01-01
Cosa ha detto Anna in ottobre?                   | 2026-10-01 | 2026-11-01
Cosa ha detto Anna a ottobre?                    | 2026-10-01 | 2026-11-01
Cosa ha detto Anna nel mese di ottobre?          | 2026-10-01 | 2026-11-01
O que disse Ana no dia 5 de marco?               | 2026-03-05 | 2026-03-06
Quem riu no dia 5 de abril depois do jantar?     | 2026-04-05 | 2026-04-06
Wer kam am 3. Mai?                               | 2026-05-03 | 2026-05-04
O que disse Ana em outubro?                      | 2026-10-01 | 2026-11-01
Wat zei Anna op 20 okt?                          | 2026-10-20 | 2026-10-21
Wat zei Anna in oktober?                         | 2026-10-01 | 2026-11-01
Wat zei Anna in maart?                           | 2026-03-01 | 2026-04-01
Was schrieb Anna im maerz?                       | 2026-03-01 | 2026-04-01
Was schrieb Anna im Sept.?                       | 2026-09-01 | 2026-10-01
Was schrieb Anna am ersten März?                 | 2026-03-01 | 2026-03-02
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.splitlines() if line]


@pytest.mark.parametrize("row", rows(OPEN + CLOSED + SINGLE), ids=lambda row: row[0])
def test_a_question_in_another_language_filters_as_an_english_one(row: list[str]) -> None:
    question, since, until = row
    assert window(question) == (since or None, until or None)


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué dijo Ana desde ayer?", "¿Qué pasó dos días después del 5 de abril?",
        "¿Fue antes o después del 5 de abril?", "Wat zei hij twee dagen na 18 september?",
        "Que s'est-il passé la veille du concert ?", "¿Quién vino antes de Julio?",
        "Who knows Marco?", "Marco de Berlin", "Who saw the rover in Mars?", "We ate in Julio",
        "Het feest na de vakantie", "Chi ha visto Marco dopo Luca?", "de 5 a 18 anos",
        "What is da May thing?", "Who sang in Mei?", "They won the 2 set match",
        "¿Por qué se movió la cena del 3 al 5 de abril?",
        "Pourquoi le diner a ete deplace du 3 au 5 avril ?", "Perché è stata spostata dal 3 al 5 ottobre?",
        "Waarom is het verplaatst van 3 naar 5 mei?", "Waarom ging dat van 3 naar 5 september?",
        "Wat is er op 20 december?", "Wat is er gepland op 20 december?",
    ],
)  # fmt: skip
def test_what_is_no_certain_date_of_another_language_does_not_filter(question: str) -> None:
    assert window(question) == (None, None)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("We ate 5 October pancakes", ["5 October"]),
        ("na 18 September is better", ["18 September"]),
        ("the dal 6 people ate in May", ["May"]),
        ("from 3 to 10 September", ["3 to 10 September"]),
    ],
)
def test_english_words_open_no_range_of_another_language(text: str, phrases: list[str]) -> None:
    assert [found.phrase for found in find_times(text, NEWEST)] == phrases


IN_DIGITS = """
Was schrieb Anna am 10.03.26?                    | 2026-03-10 | 2026-03-11
Was schrieb Anna am 3.4.26?                      | 2026-04-03 | 2026-04-04
What did Anna write on 8.9.                      | 2026-09-08 | 2026-09-09
what did Anna write on 8.9.?                     | 2026-09-08 | 2026-09-09
Was schrieb Anna vom 3.4.26 bis 5.4.26?          | 2026-04-03 | 2026-04-06
Wat zei Anna op 27-09-2026?                      | 2026-09-27 | 2026-09-28
Wat zei Anna op 5-9-2026?                        | 2026-09-05 | 2026-09-06
Wat zei Anna 27-09-2026?                         | 2026-09-27 | 2026-09-28
Wat zei Anna op 5/4?                             | 2026-04-05 | 2026-04-06
Qu'a dit Anne le 12-11-2026 ?                    | 2026-11-12 | 2026-11-13
Qu'a dit Anne le 12/11 ?                         | 2026-11-12 | 2026-11-13
Qu'a dit Anne avant le 12/11 ?                   |            | 2026-11-12
Qu'a dit Anne du 3/4 au 5/4 ?                    | 2026-04-03 | 2026-04-06
¿Qué dijo Ana el 5/4?                            | 2026-04-05 | 2026-04-06
¿Qué dijo Ana el 5/4 sobre la cena?              | 2026-04-05 | 2026-04-06
¿Qué dijo Ana el 05/04/2025?                     | 2025-04-05 | 2025-04-06
¿Qué dijo Ana antes del 5/4?                     |            | 2026-04-05
¿Qué dijo Ana del 3/4 al 5/4?                    | 2026-04-03 | 2026-04-06
Cosa ha detto Anna il 5/4?                       | 2026-04-05 | 2026-04-06
Cosa ha detto Anna dal 3/4 al 5/4?               | 2026-04-03 | 2026-04-06
O que disse Ana em 5/4?                          | 2026-04-05 | 2026-04-06
"""


@pytest.mark.parametrize("row", rows(IN_DIGITS), ids=lambda row: row[0])
def test_a_date_in_digits_has_its_day_first_where_the_words_around_it_say_so(
    row: list[str],
) -> None:
    question, since, until = row
    assert window(question) == (since or None, until or None)
    assert not doubt(question, NEWEST)


@pytest.mark.parametrize(
    "question",
    [
        "Does it run on 20.04.26?", "Which kernel is 5.10.26?", "Ubuntu 22.04.03", "le 3/4 des gens",
        "el 3/4 de los votos", "Who called 12-11-2026?", "What happened on 5/4?", "the model 5/4",
        "am 31.02.26", "op 31-02-2026", "Is it 27-09-26?", "le 9/11", "Who wrote 3/4/2026?",
    ],
)  # fmt: skip
def test_digits_that_may_be_no_date_or_another_one_stay(question: str) -> None:
    assert spelled_out(question, NEWEST) == question


NEAR = """
Cosa ha detto Anna la settimana scorsa?          | 2026-11-16 | 2026-11-23
Qu'a dit Anne il y a deux semaines ?             | 2026-11-09 | 2026-11-16
Qu'a dit Anne hier ?                             | 2026-11-26 | 2026-11-27
Was schrieb Anna vor zwei Wochen?                | 2026-11-09 | 2026-11-16
Was schrieb Anna in den letzten zwei Wochen?     | 2026-11-13 | 2026-11-28
Was schrieb Anna letzten Montag?                 | 2026-11-23 | 2026-11-24
Was schrieb Anna im Frühling?                    | 2026-03-01 | 2026-06-01
Wo waren wir im Winter?                          | 2025-12-01 | 2026-03-01
Was hat Anna im Sommer gegessen?                 | 2026-06-01 | 2026-09-01
Was schrieb Anna am Wochenende?                  | 2026-11-21 | 2026-11-23
¿Qué dijo Ana hace dos semanas?                  | 2026-11-09 | 2026-11-16
Wat zei Anna twee weken geleden?                 | 2026-11-09 | 2026-11-16
"""


@pytest.mark.parametrize("row", rows(NEAR), ids=lambda row: row[0])
def test_a_time_near_today_is_read_as_its_english(row: list[str]) -> None:
    question, since, until = row
    assert window(question) == (since or None, until or None)


@pytest.mark.parametrize(
    "text",
    [
        "Wer wohnt hier?", "hier", "Was ist hier los?", "por la mañana", "vor zwei Leuten", "im Winterschlaf",
        "letzten Endes", "Er kam vor allem", "il y a deux chats", "Was ist am Wochenende geplant?", "Was machen wir im Sommer?",
        "Wer kommt im Winter?", "letzten Montag des Monats", "hace dos semanas que vive aquí",
        "in den letzten zwei Wochen des Jahres", "the last two weken",
    ],
)  # fmt: skip
def test_no_time_is_read_where_its_words_mean_something_else(text: str) -> None:
    assert not find_times(text, NEWEST)


def test_the_summer_of_a_message_may_be_the_next_or_the_last() -> None:
    assert not find_times("Im Sommer am Wochenende", NEWEST, prefer="future")


def test_winter_is_an_english_word_too() -> None:
    winter = (datetime(2025, 12, 1), datetime(2026, 3, 1))
    for text in ("Who came in winter?", "Wer kam im Winter?", "What did we do last winter"):
        (span,) = find_times(text, datetime(2026, 4, 9))
        assert (span.start, span.end) == winter, text
