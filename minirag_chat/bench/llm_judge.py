"""The paper's judge: a strong language model, on any OpenAI-compatible server.

It gets the question, the gold answer and the answer, and replies with one word. Verdicts are stored in
``judged.jsonl`` beside the answers; each answer is judged only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from minirag_chat.bench.judge import Verdict
from minirag_chat.bench.run_output import Answered, appending, read_rows
from minirag_chat.bench.verdicts import VERDICTS
from minirag_chat.lazy_patterns import lazy
from minirag_chat.models.protocols import ChatModel
from minirag_chat.records import Progress, Report, Turn, silent
from minirag_chat.ui_text import one_line

FILE = "judged.jsonl"
LONGEST = 16  # tokens: one word, with room for a leading space or punctuation
_VERDICT = lazy("|".join(VERDICTS))
TASK = (
    "You compare an answer with the reference answer to the same question. Say right where the "
    "answer gives what the reference gives, in whatever words or format; more detail does no harm "
    "as long as nothing contradicts the reference. Say wrong where it gives something else. Say "
    "irrelevant where it gives no answer: it says that it does not know, or only repeats the "
    "question. Where the reference is 'Insufficient information', an answer that says so is right "
    "and any other is wrong. Reply with one word: right, wrong or irrelevant."
)


def judge_by_model(
    out: Path, answers: Sequence[Answered], model: ChatModel, progress: Report = silent
) -> dict[str, Verdict]:
    """The model's verdict on each answer, by id; one that cannot be parsed is left out.

    Silence is judged by rule. Raises ``ModelServerError``; verdicts so far are kept.
    """
    known = read_judged(out, model.name)
    found: dict[str, Verdict] = {}
    with appending(out / FILE) as to:
        for done, answered in enumerate(answers):
            progress(Progress("judge", done, len(answers)))
            verdict = known.get((answered.id, answered.hash))
            if verdict is None and not answered.abstained:
                verdict = _ask(model, answered)
                row = {"id": answered.id, "hash": answered.hash, "verdict": verdict}
                to.add({**row, "judge": model.name})
            if verdict is not None:
                found[answered.id] = verdict
    progress(Progress("judge", len(answers), len(answers)))
    return found


def read_judged(out: Path, judge: str) -> dict[tuple[str, str], Verdict]:
    """The stored verdicts of this judge, by id and hash of the answer."""
    return {
        (row["id"], row["hash"]): row["verdict"]
        for row in read_rows(out / FILE)
        if row.get("judge") == judge and row.get("verdict") in VERDICTS
    }


def judges(out: Path) -> list[str]:
    """The models that have judged answers of this run."""
    return list(dict.fromkeys(str(row.get("judge", "")) for row in read_rows(out / FILE)))


def _ask(model: ChatModel, answered: Answered) -> Verdict | None:
    # each on one line, so that an answer cannot look like an instruction or a reference
    case = (
        f"Question: {one_line(answered.question)}\nReference answer: {one_line(answered.gold)}\n"
        f"Answer: {one_line(answered.answer)}"
    )
    turns = (Turn("system", TASK), Turn("user", case))
    said = _VERDICT.search("".join(model.stream(turns, max_new_tokens=LONGEST)).casefold())
    return cast("Verdict", said.group()) if said else None
