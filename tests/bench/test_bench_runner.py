"""A run asks each question once, survives a stop, refuses to mix, and leaves the index as it is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import ScriptedModel, WordEmbedder
from growth import assert_by_length, processor_seconds
from small_corpus import QUESTIONS, run_small, write_corpus

from minirag_chat import ChatMemory, Settings
from minirag_chat.bench.dataset import Dataset, load_dataset
from minirag_chat.bench.report import read_run, write_report
from minirag_chat.bench.run_conditions import FACES, INDEXERS, PACKAGE, code_hash, index_key
from minirag_chat.bench.run_output import Answered, Retrieved, appending, read_lines
from minirag_chat.bench.runner import Plan, run
from minirag_chat.bench.stored import remove_sessions
from minirag_chat.errors import BadSetting, ImportFailed, NotFound
from minirag_chat.records import Progress
from minirag_chat.store import Store

Make = Callable[..., Plan]


def answers(plan: Plan, name: str = "answers.jsonl") -> list[Answered]:
    return read_lines(plan.out / name, Answered)


def test_every_question_is_asked_and_its_evidence_ranked(plan: Make) -> None:
    done = plan()
    run_small(done)
    assert [a.id for a in answers(done)] == ["1", "2", "3", "4", "5"]
    ranks = {(r.id, r.method): r.ranks for r in read_lines(done.out / "retrieval.jsonl", Retrieved)}
    assert set(ranks) == {(i, m) for i in "1234" for m in ("hybrid", "bm25")}  # 5 has no evidence
    assert ranks["1", "bm25"][0] == 1
    assert len(ranks["3", "hybrid"]) == 2  # two sessions hold its answer
    said = read_lines(done.out / "retrieval.jsonl", Retrieved)
    assert all(row.message_ranks and max(row.message_ranks) >= 1 for row in said)


def test_what_an_answer_took_is_written_down(plan: Make) -> None:
    done = plan("answers")
    run_small(done)
    first = answers(done)[0]
    assert first.prompt_tokens > 20
    assert first.read_tokens >= first.prompt_tokens
    assert {"retrieve", "total"} <= set(first.timings)
    assert first.cited is True
    assert answers(done)[4].cited is None  # no evidence, so nothing to cite


@pytest.mark.slow
def test_a_stop_loses_nothing_and_the_rest_is_asked_later(plan: Make) -> None:
    class Stopping(ScriptedModel):
        def stream(self, *args: object, **options: object) -> Iterator[str]:
            if len(self.asked) == 2:
                raise KeyboardInterrupt
            return super().stream(*args, **options)

    half = plan("answers")
    with pytest.raises(KeyboardInterrupt):
        run_small(half, Stopping("Walter Quint."))
    assert len(answers(half)) == 2
    with (half.out / "answers.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "3", "type": "Mul')  # what kill -9 leaves of a line
    later = run_small(half)
    assert [a.id for a in answers(half)] == ["1", "2", "3", "4", "5"]
    assert len(later.asked) == 3
    again = run_small(half)
    assert again.asked == []


@pytest.mark.slow
def test_a_model_that_was_given_is_not_closed(plan: Make) -> None:
    assert run_small(plan("answers", "removed")).closed is False


def test_answers_of_other_settings_are_not_mixed(plan: Make, settings: Settings) -> None:
    run_small(plan("answers"))
    other = settings.model_copy(update={"evidence_tokens": 100})
    with pytest.raises(BadSetting, match=r"different: settings.*--out.*--again"):
        run_small(plan("answers", chosen=other))


def test_a_larger_draw_of_the_same_seed_goes_on_where_a_smaller_one_ended(
    plan: Make, corpus: Dataset
) -> None:
    run_small(plan("answers", data=corpus.chosen(count=2, seed=3)))
    larger = plan("answers", data=corpus.chosen(count=4, seed=3))
    assert len(run_small(larger).asked) == 2
    assert len(answers(larger)) == 4


@pytest.mark.slow
def test_without_the_evidence_its_text_cannot_be_cited_and_the_index_stays(plan: Make) -> None:
    done = plan("answers", "removed")
    model = run_small(done)
    with_evidence, without = model.asked[:5], model.asked[5:]
    assert "Walter Quint" in with_evidence[0][1].content
    assert [a.id for a in answers(done, "removed.jsonl")] == ["1", "2", "3", "4"]
    assert all("Walter Quint" not in turns[1].content for turns in without[:3])
    assert any("Rehearsal" in turns[1].content for turns in without[:3])  # the rest is there
    assert not (done.out / "removed.db").exists()
    (database,) = done.cache.rglob("chats.db")
    with ChatMemory.open(database, done.settings, embedder=WordEmbedder()) as memory:
        assert memory.info().messages == 9


@pytest.mark.slow
def test_a_second_run_shares_the_index(plan: Make) -> None:
    steps: list[str] = []

    def note(progress: Progress) -> None:
        steps.append(progress.step)

    for out in ("one", "two"):
        steps.clear()
        run(
            plan("answers", out=out),
            progress=note,
            embedder=WordEmbedder(),
            chat_model=ScriptedModel(),
        )
    assert set(steps) == {"answers"}


@pytest.mark.parametrize("name", [*INDEXERS, *FACES])
def test_what_shapes_an_index_is_named_as_it_is_called(name: str) -> None:
    assert (PACKAGE / name).exists()


def test_changed_chunking_makes_a_new_index_and_a_changed_answer_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: Dataset, settings: Settings
) -> None:
    shutil.copytree(PACKAGE, tmp_path / "package")
    monkeypatch.setattr("minirag_chat.bench.run_conditions.PACKAGE", tmp_path / "package")
    before = index_key(corpus, settings)
    (tmp_path / "package" / "answer" / "readers.py").write_text("# changed")
    assert index_key(corpus, settings) == before
    (tmp_path / "package" / "ingest" / "derive.py").write_text("# changed")
    assert index_key(corpus, settings) != before


@pytest.mark.parametrize("name", ["code.py", "weights.safetensors"])
def test_changed_code_or_weights_make_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("minirag_chat.bench.run_conditions.PACKAGE", tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / name).write_bytes(b"before")
    before = code_hash()
    (tmp_path / "models" / name).write_bytes(b"after")
    assert code_hash() != before


REPLIED = """{"name": "Vans", "type": "personal_chat", "id": 7, "messages": [
 {"id": 1, "type": "message", "date": "2026-03-01T10:00:00", "date_unixtime": "1772359200", "from": "Pia", "from_id": "user1", "text": "The van costs 900 euros."},
 {"id": 2, "type": "message", "date": "2026-03-05T10:00:00", "date_unixtime": "1772704800", "from": "Tom", "from_id": "user2", "text": "Sold!", "reply_to_message_id": 1},
 {"id": 3, "type": "message", "date": "2026-03-09T10:00:00", "date_unixtime": "1773050400", "from": "Tom", "from_id": "user2", "text": "Another day."}
]}"""


def test_no_vector_is_left_of_evidence_that_a_reply_repeats(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "result.json").write_text(REPLIED, encoding="utf-8")
    with ChatMemory.open(settings.db, settings, embedder=WordEmbedder()) as memory:
        memory.add(tmp_path / "result.json")
        first, reply, other = memory.messages()
    with Store.open(settings.db) as store:
        assert store.index.without_vector() == []
        remove_sessions(store, [first.session_id])
        (without,) = store.index.without_vector()
        assert store.index.members([without]) == {without: [reply.id]}
        assert store.messages.by_ids([first.id, other.id]).keys() == {other.id}
        assert not store.wiping.due(), "a copy for one question is deleted, not wiped"


@pytest.mark.slow
@pytest.mark.parametrize("breaks", ["\u2028", "\x85"])
def test_an_answer_with_an_odd_line_break_is_kept(plan: Make, breaks: str) -> None:
    done = plan("answers")
    first = run_small(done, ScriptedModel(f"Walter{breaks}Quint."))
    kept = answers(done)
    assert len(kept) == 5
    assert any(breaks in answer.answer for answer in kept)
    assert first.asked
    assert not run_small(done).asked


def test_of_two_answers_to_a_question_the_later_one_counts(plan: Make) -> None:
    done = plan()
    run_small(done)
    kept = answers(done)
    found = read_lines(done.out / "retrieval.jsonl", Retrieved)
    with appending(done.out / "answers.jsonl") as to:
        to.add(replace(kept[0], answer="Someone else."))
    assert [a.id for a in answers(done)] == [a.id for a in kept]
    assert answers(done)[0].answer == "Someone else."
    assert {r.method for r in found} == {"hybrid", "bm25"}


@pytest.mark.slow
def test_the_report_says_all_that_shaped_it(plan: Make) -> None:
    done = plan("retrieval", "answers", "removed")
    run_small(done)
    text = write_report(read_run(done.out)).read_text(encoding="utf-8")
    for heading in ("## Index", "## Retrieval", "## Answers", "## Speed", "## Evidence removed"):
        assert heading in text
    facts = json.loads((done.out / "run.json").read_text(encoding="utf-8"))
    assert {"machine", "versions", "settings", "commit", "seed", "date", "model"} <= set(facts)
    assert len(facts["model"]["hash"]) == 16
    assert "server_key" not in facts["settings"]
    figures = json.loads((done.out / "figures.json").read_text(encoding="utf-8"))
    assert figures["answers"]["rules"]["n"] == 5
    assert figures["index"]["messages"] == 9
    assert {"messages", "full text", "vectors", "graph"} <= set(figures["index"]["bytes"])


@pytest.mark.parametrize(
    "columns",
    [
        ("Id", "Question", "Gold Answer", "Evidence", "Type"),
        ("id", "question", "answer", "evidence", "type"),
        ("ID", "question", "Gold answer", "EVIDENCE", "Type"),
    ],
)
def test_both_layouts_of_the_questions_are_read(tmp_path: Path, columns: tuple[str, ...]) -> None:
    corpus = load_dataset(write_corpus(tmp_path / "c", columns=columns))
    assert [q.type for q in corpus.questions] == ["Single", "Single", "Multi", "YesNo", "Null"]
    assert [len(q.evidence) for q in corpus.questions] == [1, 1, 2, 1, 0]
    assert corpus.questions[1].evidence[0].hour == 10  # "Time: 20260105_1000", without the colon


def test_questions_without_ids_and_types_are_numbered(tmp_path: Path) -> None:
    rows = [row[1:4] for row in QUESTIONS]
    folder = write_corpus(tmp_path / "c", rows, ("Question", "Gold Answer", "Evidence"))
    corpus = load_dataset(folder)
    assert [q.id for q in corpus.questions] == ["1", "2", "3", "4", "5"]
    assert corpus.questions[4].type == "Null"


def test_what_is_missing_is_said_with_the_way_out(tmp_path: Path, corpus: Dataset) -> None:
    with pytest.raises(NotFound, match=r"no folder: name one with questions\.csv"):
        load_dataset(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ImportFailed, match=r"has no questions\.csv: put one there"):
        load_dataset(tmp_path / "empty")
    (tmp_path / "empty" / "questions.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(ImportFailed, match="put the exports in"):
        load_dataset(tmp_path / "empty")
    (tmp_path / "empty" / "log").mkdir()
    with pytest.raises(ImportFailed, match="no column for the question"):
        load_dataset(tmp_path / "empty")
    with pytest.raises(NotFound, match="the types are Single, Multi, YesNo, Null"):
        corpus.chosen(types=["Riddle"])
    twice = write_corpus(tmp_path / "twice", [QUESTIONS[0], QUESTIONS[0]])
    with pytest.raises(ImportFailed, match="'1' twice"):
        load_dataset(twice)


@pytest.mark.slow
def test_many_questions_are_read_in_time_linear_in_their_number(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        rows = [(str(number), *QUESTIONS[0][1:]) for number in range(count)]
        folder = tmp_path / f"{count}"
        many = folder if folder.exists() else write_corpus(folder, rows)
        return processor_seconds(lambda: load_dataset(many))

    assert_by_length(seconds, 600)
    assert len(load_dataset(tmp_path / "19200").questions) == 19_200


def test_a_draw_is_the_same_each_time_and_in_the_order_of_the_file(corpus: Dataset) -> None:
    drawn = corpus.chosen(count=3, seed=7)
    assert drawn.questions == corpus.chosen(count=3, seed=7).questions
    ids = [q.id for q in drawn.questions]
    assert ids == sorted(ids)
    assert [q.type for q in corpus.chosen(types=["null"]).questions] == ["Null"]
