"""Canned answers and paths, calm and hostile, and a hand-written memory that gives them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from minirag_chat.records import Answer, Message, PathEdge, PathNode, ReasoningPath, Source
from minirag_chat.show.page_tabs import Exchange, Tab

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "</script><script>alert(3)</script>",
    "line\u2028separator\u2029alert(4)",
    "back\\slash \\u003cscript\\u003e \\' \\\" \\",
    "\"]);alert(5);//'`${alert(6)}",
    "\u202egnp.exe\u202c right to left \u2067!",
    '" onmouseover="alert(7)" href="javascript:alert(8)',
    "![pixel](https://evil.example/pixel.png) [link](http://evil.example/)",
    "https://evil.example/track?HTTP://x",
    "{{ 7*7 }} {% raw %} $title ${title} <!-- --> ]]>",
    "مرحبا بالعالم 你好世界 👩‍👩‍👧 \ud800 \x00\x07",
)

CHAT = "Basement"
WHEN = datetime.fromisoformat("2026-02-21T14:05")


def message(number: int, sender: str, text: str) -> Message:
    return Message(number, CHAT, sender, WHEN.replace(minute=number % 60), text)


SAID = (
    message(11, "Wolfgang Schulz", "I will come to the basement on Saturday for the first time!"),
    message(12, "Li Hua", "Great, Wolfgang. Saturday 21 February then, bring the cables."),
    message(13, "Jennifer Moore", "See you both in the basement on Saturday."),
)


def calm_path() -> ReasoningPath:
    """What the engine gives: question → entities → linked entities → passages → messages."""
    nodes = [
        PathNode("q", "question", "When did Wolfgang first come to the basement?"),
        PathNode("e1", "person", "Wolfgang Schulz", "Named in the question."),
        PathNode("e2", "place", "basement", "Named in the question."),
        PathNode("e3", "person", "Li Hua", "Great, Wolfgang. Saturday 21 February then."),
        PathNode("e4", "time", "Saturday 21 February 2026", "Saturday, seen from the message."),
        PathNode("e5", "chat", CHAT, "A group of three."),
        PathNode("e6", "topic", "cables", "Bring the cables."),
        PathNode("c1", "chunk", "21 Feb 2026, 14:05", "Three messages."),
        *(
            PathNode(f"m{m.id}", "message", f"[{n}] {m.sender}, 21 Feb 2026", m.text, m.id)
            for n, m in enumerate(SAID, 1)
        ),
    ]
    edges = [
        PathEdge("q", "e1", "names", 3.0),
        PathEdge("q", "e2", "names", 3.0),
        PathEdge("e1", "e3", "talks with", 2.0),
        PathEdge("e1", "e4", "said with", 5.0),
        PathEdge("e2", "e5", "said in", 1.0),
        PathEdge("e2", "c1", "in", 1.0),
        PathEdge("e3", "e6", "says", 0.5),
        PathEdge("e4", "m11", "I will come to the basement on Saturday", 4.0),
        PathEdge("e4", "m12", "Saturday 21 February then", 5.0),
        PathEdge("e5", "m13", "sent in", 1.0),
        PathEdge("c1", "m13", "part of", 1.0),
        PathEdge("e3", "m12", "sent by", 2.0),
    ]
    return ReasoningPath(tuple(nodes), tuple(edges))


def hostile_path() -> ReasoningPath:
    """Every string of ``HOSTILE`` as id, name, detail and label."""
    question = PathNode(HOSTILE[0], "question", HOSTILE[0], HOSTILE[2])
    types = ("person", "link", "topic", "message", "chunk", "title")
    nodes = [
        PathNode(f"n{i}{text}", types[i % 6], text, text, i if types[i % 6] == "message" else None)
        for i, text in enumerate(HOSTILE)
    ]
    edges = [PathEdge(question.id, node.id, node.name, float(i)) for i, node in enumerate(nodes)]
    return ReasoningPath((question, *nodes), tuple(edges))


def large_path(entities: int = 90) -> ReasoningPath:
    """A question, 3 entities of it, 5 cited messages with a neighbour each, and ``entities``."""
    nodes = [PathNode("q", "question", "Question?")]
    edges = []
    for i in range(3):
        nodes.append(PathNode(f"s{i}", "person", f"Seed {i}"))
        edges.append(PathEdge("q", f"s{i}", "names", 0.0))
    for i in range(entities):
        nodes.append(PathNode(f"e{i}", "topic", f"Entity {i}"))
        edges.append(PathEdge(f"s{i % 3}", f"e{i}", "with", float(i)))
    for i in range(5):
        nodes.append(PathNode(f"m{i}", "message", f"Message {i}", "Text.", i))
        edges.append(PathEdge(f"e{i}", f"m{i}", "says", 0.1))
    return ReasoningPath(tuple(nodes), tuple(edges))


def sources(*messages: Message) -> tuple[Source, ...]:
    return tuple(Source(n, m, m.text[:40]) for n, m in enumerate(messages, 1))


def answered(question: str, *, stopped: bool = False) -> Answer:
    text = "Saturday 21 February 2026 [1], as Li Hua confirms [2]."
    return Answer(
        question, text, abstained=False, confidence=0.82, reason=None, sources=sources(*SAID),
        closest=(), path=calm_path(), timings={"question": 0.004, "retrieve": 0.061, "answer": 3.2},
        model="canned", stopped=stopped, signals={"coverage": 0.91, "p_supported": 0.84},
    )  # fmt: skip


def abstention(question: str) -> Answer:
    return Answer(
        question, "Your messages do not say.", abstained=True, confidence=0.12, reason="not_stated",
        sources=(), closest=sources(*SAID[:2]), path=ReasoningPath(), timings={"retrieve": 0.05},
        model="canned",
    )  # fmt: skip


def hostile_answer(question: str) -> Answer:
    said = [message(20 + i, text, text) for i, text in enumerate(HOSTILE)]
    return Answer(
        question, "\n".join(HOSTILE), abstained=False, confidence=0.5, reason=None,
        sources=sources(*said), closest=(), path=hostile_path(), timings={HOSTILE[1]: 1.0},
        model=HOSTILE[0],
    )  # fmt: skip


class FakeMemory:
    """Answers by a word in the question: "hostile", "unknown", "slow" (never ends), or calmly."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[tuple[str, str], ...]]] = []
        self.heard_stop = False
        self.working = False

    def stream(
        self,
        question: str,
        *,
        history: Sequence[tuple[str, str]] = (),
        cancelled: Callable[[], bool] = lambda: False,
        **options: object,
    ) -> Iterator[str | Answer]:
        self.asked.append((question, tuple(history)))
        if "slow" in question:
            yield from self._slow(question, cancelled)
            return
        make = answered
        if "hostile" in question:
            make = hostile_answer
        if "unknown" in question:
            make = abstention
        answer = make(question)
        answer = replace(answer, timings={**answer.timings, "first_words": 0.02})
        for word in answer.text.split(" "):
            time.sleep(0.02)
            yield word + " "
        yield answer

    def _slow(self, question: str, cancelled: Callable[[], bool]) -> Iterator[str | Answer]:
        self.working = True
        try:
            for count in range(600):
                if cancelled():
                    self.heard_stop = True
                    break
                time.sleep(0.05)
                yield f"piece{count} "
            yield answered(question, stopped=True)
        finally:  # told to stop, or closed because the reader has left
            self.working = False


def asked(tab: Tab, question: str = "Who is the piano tuner?") -> Exchange:
    answer = tab.tuned_memory().ask(question)
    tab.exchanges.append(Exchange(question, answer.text, answer))
    tab.picked = len(tab.exchanges) - 1
    return tab.exchanges[-1]
