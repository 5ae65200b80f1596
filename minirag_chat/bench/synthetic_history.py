"""A made-up history of any size: people who write to each other for years, in groups and in pairs.

Words are drawn by Zipf's law from a made-up vocabulary, so that a few occur in many messages and most
in few. The text is meaningless: it is for measuring time and memory, never answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random

BEGIN = datetime(2021, 1, 4, 7, 30)
ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t tr v w z".split()
VOWELS = "a ai e ea i o oo ou u".split()
CODAS = ["", "", *"l m n nd r rk s st t".split()]
FUNCTION_WORDS = (
    "the to and a I you it is of in that for on we was at this have not but my with are be so do "
    "what just can will there if me all out from up when about your"
).split()
KINDS_OF_PLACE = "Street Park Hall Bridge Market Lake Garden School Harbour Museum".split()
TIMES = (
    *("tomorrow", "on Friday", "next week", "at 6 pm", "last Sunday", "on 3 May", "in two weeks"),
    *("this evening", "on 12 March 2023", "yesterday"),
)
WORDS_A_MESSAGE = 9  # on average, as in a chat of adults
PLANTED = 100  # messages that a question is asked about
TURNS = 12  # messages of a conversation, on average


@dataclass(frozen=True, slots=True)
class HistoryPlan:
    """How large a history is. One person, the first, takes part in every chat."""

    messages: int = 300_000
    people: int = 60
    groups: int = 12
    years: float = 5.0
    words: int = 30_000
    places: int = 2_000
    seed: int = 22


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The parts of messages. ``words`` are ordered by frequency; ``weights`` are cumulative shares."""

    people: tuple[str, ...]
    places: tuple[str, ...]
    words: tuple[str, ...]
    weights: tuple[float, ...]


def lexicon(plan: HistoryPlan) -> Lexicon:
    """The names and words of a history; the same for the same plan."""
    random = Random(plan.seed)  # noqa: S311 - no secret
    made = dict.fromkeys(FUNCTION_WORDS)
    while len(made) < plan.words:
        made[_word(random, random.choice((1, 1, 2, 2, 3)))] = None
    first, last = (_names(random, plan.people) for _ in range(2))
    stems = _names(random, max(plan.places // len(KINDS_OF_PLACE), 1))
    places = [f"{stem} {kind}" for stem in stems for kind in KINDS_OF_PLACE]
    return Lexicon(
        people=tuple(f"{a} {b}" for a, b in zip(first, last, strict=True)),
        places=tuple(places[: plan.places]),
        words=tuple(made),
        weights=tuple(accumulate(1 / (rank + 2.7) for rank in range(len(made)))),
    )


@dataclass(frozen=True, slots=True)
class Planted:
    """A message that answers a question: the only one with these words together."""

    question: str
    sender: str
    text: str


def planted(plan: HistoryPlan) -> list[Planted]:
    """``PLANTED`` messages, evenly spread over a history; each of their words is in others too."""
    random = Random(plan.seed + 3)  # noqa: S311 - no secret
    known = lexicon(plan)
    usual = known.words[500:5000] or known.words
    found = []
    for _ in range(PLANTED):
        who, place = random.choice(known.people), random.choice(known.places)
        one, two = random.sample(usual, 2)
        found.append(
            Planted(
                f"Where did {who} hide the {one} {two}?", who, f"I hid the {one} {two} at {place}."
            )
        )
    return found


def write_history(file: Path, plan: HistoryPlan) -> None:
    """Write a history as JSON Lines, which ``minirag-chat add`` reads."""
    with file.open("w", encoding="utf-8") as lines:
        for row in history(plan):
            lines.write(json.dumps(row) + "\n")


def history(plan: HistoryPlan) -> Iterator[dict[str, str]]:
    """The messages: one conversation after another, each in one chat."""
    random = Random(plan.seed + 1)  # noqa: S311 - no secret
    known = lexicon(plan)
    chats = _chats(random, plan, known)
    busy = list(accumulate(1 / (rank + 1) for rank in range(len(chats))))
    pause = timedelta(days=365.25 * plan.years) * TURNS / max(plan.messages, 1)
    begun, written = BEGIN, 0
    hidden = planted(plan)
    every = max(plan.messages // PLANTED, 1)
    while written < plan.messages:
        title, members = random.choices(chats, cum_weights=busy)[0]
        sent = begun
        for _ in range(min(random.randint(1, 2 * TURNS - 1), plan.messages - written)):
            text = message_text(random, known)
            sender = random.choice(members)
            if written % every == every // 2 and written // every < PLANTED:
                sender, text = hidden[written // every].sender, hidden[written // every].text
            yield {"chat": title, "sent_at": sent.isoformat(), "sender": sender, "text": text}
            sent += timedelta(seconds=random.randint(5, 240))
            written += 1
        begun += timedelta(seconds=round(pause.total_seconds() * random.uniform(0.2, 1.8)))


def questions(plan: HistoryPlan, count: int) -> list[str]:
    """Questions of several shapes: about a person, a place, a word, a time, an order.

    One in four has frequent words, and the person who takes part in all chats.
    """
    random = Random(plan.seed + 2)  # noqa: S311 - no secret
    known = lexicon(plan)
    owner = known.people[0]
    asked = []
    for number in range(count):
        who, other = random.sample(known.people, 2)
        place = random.choice(known.places)
        one, two = random.choices(known.words[200:], k=2)
        common, often = random.sample(known.words[len(FUNCTION_WORDS) :][:40], 2)
        month = f"{random.choice(('March', 'July', 'October'))} {random.randint(2021, 2025)}"
        shapes = (
            f"When did {who.split()[0]} go to {place}?",
            f"What did {who} say about {one}?",
            f"Where is the {common} of the {often}?",
            f"Who wanted to {one} with {other.split()[0]} in {month}?",
            f"Did {who.split()[0]} {one} before {other.split()[0]} {two}?",
            f"What happened at {place} last week?",
            f"Did {owner} not just {common} all about {often}?",
            f"What is the {one}?",
        )
        asked.append(shapes[number % len(shapes)])
    return asked


def message_text(random: Random, known: Lexicon) -> str:
    """A message's text: mostly words, sometimes a place, a person, a time or a question."""
    length = max(int(random.expovariate(1 / WORDS_A_MESSAGE)), 1)
    words = random.choices(known.words, cum_weights=known.weights, k=length)
    chance = random.random()
    if chance < 0.2:  # noqa: PLR2004 - one message in five names a place
        words += ["at", random.choice(known.places)]
    elif chance < 0.3:  # noqa: PLR2004 - one in ten a person
        words += ["with", random.choice(known.people).split()[0]]
    elif chance < 0.36:  # noqa: PLR2004 - about one in seventeen a time
        words.append(random.choice(TIMES))
    text = " ".join(words)
    return f"{text[0].upper()}{text[1:]}{random.choice(('.', '.', '', '?', '!'))}"


def _chats(random: Random, plan: HistoryPlan, known: Lexicon) -> list[tuple[str, list[str]]]:
    """Titles and members: groups, and the first person with each other one."""
    owner, *others = known.people
    groups = [
        (f"Group {n + 1}", [owner, *random.sample(others, min(random.randint(4, 20), len(others)))])
        for n in range(plan.groups)
    ]
    chats = groups + [(other, [owner, other]) for other in others]
    random.shuffle(chats)
    return chats


def _names(random: Random, count: int) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < count:
        made[_word(random, 2).capitalize()] = None
    return list(made)


def _word(random: Random, syllables: int) -> str:
    return "".join(
        random.choice(ONSETS) + random.choice(VOWELS) + random.choice(CODAS)
        for _ in range(syllables)
    )
