"""A notebook in a process of its own: connects, asks on a word, says when it was queued and answered."""

from __future__ import annotations

import json
import sys
import time

import psutil

from minirag_chat import ChatMemory


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


_, db, url, token, question = sys.argv
with ChatMemory.connect(db, url=url, token=token) as memory:
    memory._client.event_hooks["response"].append(lambda _: say("queued"))
    say("ready")
    sys.stdin.readline()
    begun = time.monotonic()  # the machine's, so that processes can be compared
    answer = memory.ask(question)
    told = {
        "text": answer.text, "model": answer.model, "begun": begun, "ended": time.monotonic(),
        "bytes": psutil.Process().memory_info().rss, "torch": "torch" in sys.modules,
    }  # fmt: skip
    say(json.dumps(told))
