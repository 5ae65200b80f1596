"""The trained ranker puts the messages that state the answer first; a fake one shows where it counts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes import PreferringRanker, ScriptedModel, WordEmbedder
from places import write_log

from minirag_chat import ChatMemory, Settings
from minirag_chat.memory.finding import Finding
from minirag_chat.models.catalog import BUNDLED
from minirag_chat.models.loaded import LoadedModels
from minirag_chat.models.ranker import load_ranker
from minirag_chat.records import STATES, Filters
from minirag_chat.retrieve import METHODS, prompt_order

pytestmark = pytest.mark.slow

TALK = {
    "20260105_1000": ("Ann: Who feeds the cat while the cat is home alone?", "Ben: Me, at six."),
    "20260119_1800": ("Ann: The cat sleeps on the cat tree.", "Ben: That cat!"),
}
QUESTION = "When is the cat fed?"


@pytest.fixture
def ranked(tmp_path: Path) -> Iterator[ChatMemory]:
    """Some talk, and a ranker that wants the message with "at six" and nothing else."""
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    models = LoadedModels(settings, WordEmbedder(), ScriptedModel(), PreferringRanker("at six"))
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", TALK))
        yield memory


def test_what_the_ranker_prefers_is_read_and_returned_first(ranked: ChatMemory) -> None:
    assert ranked.explain(QUESTION, read=False).evidence[0].message.text == "Me, at six."
    assert ranked.retrieve(QUESTION)[0].message.text == "Me, at six."


def test_what_the_ranker_prefers_is_shown_as_the_closest_of_a_silent_answer(
    ranked: ChatMemory,
) -> None:
    answer = ranked.tuned(abstain_below=1.0).ask(QUESTION, history=[])
    assert answer.abstained
    assert answer.closest[0].message.text == "Me, at six."


def test_the_ranker_can_be_left_out_to_measure_it(ranked: ChatMemory) -> None:
    plain = ranked.tuned(without=["ranker"])
    assert plain.explain(QUESTION, read=False).evidence[0].message.text != "Me, at six."


def test_no_message_is_lost_or_doubled_by_the_new_order(ranked: ChatMemory) -> None:
    def found(memory: ChatMemory) -> list[str]:
        evidence = memory.explain(QUESTION, k=99, read=False).evidence
        return sorted(item.message.text for item in evidence)

    assert found(ranked) == found(ranked.tuned(without=["ranker"]))


CHATS = """\
sent_at,sender,text,chat
2026-03-01 11:00,Cy,Can you plaster the wall on Monday?,Kitchen
2026-03-09 11:00,Dee,ok that makes 95 each,Kitchen
2026-03-01 12:00,Eve,Practice is at six.,Choir
2026-03-09 12:00,Flo,ok that makes 12 each,Choir
2026-03-01 10:00,Ann,Who is in for the cabin?,Weekend
2026-03-02 10:00,Ben,The cabin has two bedrooms and a stove.,Weekend
2026-03-09 10:00,Ben,ok that makes 78 each,Weekend
"""


def test_a_message_counts_for_what_its_chat_is_about(tmp_path: Path) -> None:
    """Of three that say as much, in conversations without a word of the question."""
    (tmp_path / "chats.csv").write_text(CHATS, encoding="utf-8")
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0, chunk_messages=1)
    models = LoadedModels(settings, WordEmbedder(), ScriptedModel(), PreferringRanker("each"))

    def order(memory: ChatMemory) -> list[str]:
        return [found.message.chat for found in memory.retrieve("How much is the cabin?")]

    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(tmp_path / "chats.csv")
        assert order(memory)[0] == "Weekend"
        assert order(memory.tuned(without=["chats"]))[0] != "Weekend"


def test_many_messages_that_answer_as_well_are_all_read(tmp_path: Path) -> None:
    """A list that is told one by one: its messages take more than the usual budget."""
    days = [f"202601{day:02}_1000" for day in range(5, 17)]
    told = {
        day: (
            f"Ann: at six the {n}th bird at the feeder was one that I had not seen in all these years",
            "Ben: and here nothing, though I sat at the window for the whole of the morning again",
        )
        for n, day in enumerate(days)
    }
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0, evidence_tokens=200)
    model = ScriptedModel()
    models = LoadedModels(settings, WordEmbedder(), model, PreferringRanker("at six"))

    def read(memory: ChatMemory) -> tuple[int, int]:
        memory.ask("Which birds did Ann see at the feeder?", history=[])
        shown = model.asked[-1][-1].content
        return shown.count("at six"), shown.count("here nothing")

    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", told))
        more, others = read(memory)
        fewer, _ = read(memory.tuned(without=["close"]))
    assert fewer < more, "beyond the budget, but not more than two of them"
    assert others <= 1, "what is not as good does not get the room"
    assert more <= 2 * fewer + 1


def test_a_date_in_digits_is_ranked_as_messages_are_dated(tmp_path: Path) -> None:
    """Words of the question are compared with "Tuesday 16 June 2026", which "20260616" has none of."""
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    ranker = PreferringRanker("at six")
    models = LoadedModels(settings, WordEmbedder(), ScriptedModel(), ranker)
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", TALK))
        answer = memory.ask("Who feeds the cat on 20260105?", history=[])
    assert set(ranker.questions) == {"Who feeds the cat on 5 January 2026?"}
    assert answer.question == "Who feeds the cat on 20260105?"
    asked = [node.name for node in answer.path.nodes if node.type == "question"]
    assert asked == ["Who feeds the cat on 20260105?"]


WEEKS = {
    "20260105_1000": ("Ann: The cellar is damp again.", "Ben: I called the plumber about it."),
    "20260112_1000": ("Ann: The cellar is still damp!", "Ben: The plumber comes at six."),
}


@pytest.mark.parametrize(
    ("when", "first"),
    [
        ("", "The plumber comes at six."),  # what the ranker prefers
        ("on 5 January 2026", "I called the plumber about it."),
        ("on 20260105", "I called the plumber about it."),
        ("on Monday", "The plumber comes at six."),  # of a plan, as likely as of the conversation
    ],
)
def test_a_day_with_its_year_is_the_day_of_the_conversation(
    tmp_path: Path, when: str, first: str
) -> None:
    settings = Settings(db=tmp_path / "chats.db")
    models = LoadedModels(
        settings, WordEmbedder(), ScriptedModel(), PreferringRanker("at six", 3.0)
    )
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", WEEKS))
        assert (
            memory.retrieve(f"What did Ben say about the plumber {when}?")[0].message.text == first
        )


def test_of_a_long_message_the_ranker_reads_the_part_with_the_words_of_the_question(
    tmp_path: Path,
) -> None:
    filler = "We were at the lake and the weather was fine, as it mostly is in these weeks. " * 8
    long = f"{filler}The spare key is under the blue flowerpot. {filler}"
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    ranker = PreferringRanker("flowerpot")
    models = LoadedModels(settings, WordEmbedder(), ScriptedModel(), ranker)
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", {"20260105_1000": (f"Ann: {long}", "Ben: ok")}))
        found = memory.retrieve("Where is the spare key?")
        assert found[0].message.text == long.strip()
        assert any("flowerpot" in passage for passage in ranker.passages)
        memory.retrieve("Who is Zoltan?")
    shown = [passage for passage in ranker.passages[-2:] if "Ann: We were" in passage]
    assert shown, "without a word of the question, its beginning"
    assert max(map(len, ranker.passages)) < 700


def test_what_scores_far_below_the_best_is_not_read(tmp_path: Path) -> None:
    """One message clearly answers, so the model need not read the twenty others that would fit."""
    told = {
        f"202603{day:02}_1000": (f"Ann: The boat was painted again, coat number {day}.",)
        for day in range(1, 21)
    }
    told["20260405_1000"] = ("Ann: At six Ben painted the boat green.",)
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    model = ScriptedModel()
    models = LoadedModels(settings, WordEmbedder(), model, PreferringRanker("At six"))

    def read(memory: ChatMemory) -> str:
        memory.ask("Who painted the boat?", history=[])
        return model.asked[-1][-1].content

    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", told))
        assert "At six Ben" in read(memory)
        assert "coat number" not in read(memory)
        assert read(memory.tuned(without=["cutoff"])).count("coat number") > 5


def test_it_reads_a_message_with_its_day_its_sender_and_what_came_before(
    ranked: ChatMemory,
) -> None:
    ranked.explain(QUESTION, read=False)
    ranker = ranked.models.ranker()
    assert isinstance(ranker, PreferringRanker)
    assert (
        "Monday 5 January 2026, Ben: Me, at six. | after "
        "Ann: Who feeds the cat while the cat is home alone?"
    ) in ranker.passages
    assert "Monday 19 January 2026, Ann: The cat sleeps on the cat tree." in ranker.passages


def ordered(memory: ChatMemory, question: str) -> list[str]:
    """The messages that are found for a question, best first."""
    return [found.message.text for found in memory.retrieve(question)]


def test_a_message_is_also_ranked_as_a_reply_to_one_a_little_before(tmp_path: Path) -> None:
    """Between what is sold and its price stands the question for it; the next day is another matter."""
    talk = {
        "20260105_1000": (
            "Ann: I sold the old sofa", "Ben: nice", "Ben: how much?", "Ann: 60 in cash",
        ),
        "20260106_1000": ("Ann: 60 in coins", "Ben: ok"),
    }  # fmt: skip
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    ranker = PreferringRanker(" | after Ann: I sold the old sofa")
    models = LoadedModels(settings, WordEmbedder(), ScriptedModel(), ranker)
    asked = "How much did Ann get for the old sofa?"
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", talk))
        assert "60 in cash" in ordered(memory, asked)[:3]
        read_as = [text for text in ranker.passages if text.endswith("I sold the old sofa")]
        assert "Monday 5 January 2026, Ann: 60 in cash | after Ann: I sold the old sofa" in read_as
        assert not any("in coins" in text for text in read_as)
        assert "60 in cash" not in ordered(memory.tuned(without=["replies"]), asked)[:3]
        states = memory.explain(asked, read=False).evidence[0].signals[STATES]
        assert states == 50


REPLIED = """{"name": "Flat", "type": "private_group", "id": 7, "messages": [
 {"id": 1, "type": "message", "date": "2026-03-01T10:00:00", "date_unixtime": "1772359200",
  "from": "Ann", "from_id": "user1", "text": "Who has the key of the cellar?"},
 {"id": 2, "type": "message", "date": "2026-03-01T10:01:00", "date_unixtime": "1772359260",
  "from": "Cy", "from_id": "user3", "text": "And who buys milk?"},
 {"id": 3, "type": "message", "date": "2026-03-02T10:01:00", "date_unixtime": "1772445660",
  "from": "Cy", "from_id": "user3", "text": "I am ill"},
 {"id": 4, "type": "message", "date": "2026-03-02T10:02:00", "date_unixtime": "1772445720",
  "from": "Ben", "from_id": "user2", "text": "that is me", "reply_to_message_id": 1}]}"""


def test_a_reply_is_ranked_with_the_message_that_it_quotes(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text(REPLIED, encoding="utf-8")
    settings = Settings(db=tmp_path / "chats.db", abstain_below=0.0)
    ranker = PreferringRanker("that is me | after Ann: Who has the key of the cellar?")
    models = LoadedModels(settings, WordEmbedder(), ScriptedModel(), ranker)
    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(tmp_path / "result.json")
        assert ordered(memory, "Who has the key?")[0] == "that is me"
        assert ordered(memory.tuned(without=["replies"]), "Who has the key?")[0] != "that is me"


def test_scores_that_are_all_alike_leave_the_order_as_it_was(ranked: ChatMemory) -> None:
    models = LoadedModels(ranked.settings, WordEmbedder(), ScriptedModel(), PreferringRanker("zzz"))
    with ChatMemory.open(ranked.settings.db, ranked.settings, models=models) as same:
        plain = ranked.tuned(without=["ranker"])
        assert [e.message.id for e in same.explain(QUESTION, read=False).evidence] == [
            e.message.id for e in plain.explain(QUESTION, read=False).evidence
        ]


def test_the_packages_ranker_tells_the_answer_from_talk_about_the_same_thing() -> None:
    ranker = load_ranker(Settings())
    assert ranker is not None
    passages = (
        "Monday 2 March 2026, Kim: how is the cat | after Ben: hi",
        "Monday 2 March 2026, Ben: she weighs 4.2 kilos, says the vet | after Kim: how is the cat",
        "Monday 2 March 2026, Kim: our dog is at the vet too",
    )
    scores = ranker.scores("What does Ben's cat weigh?", passages)
    assert scores.shape == (3,)
    assert scores.argmax() == 1
    assert (ranker.scores("What does Ben's cat weigh?", passages) == scores).all(), "kept as read"
    other = ranker.scores("Which film did Kim see in Lisbon?", passages)
    assert other.max() < scores.max(), "nothing here says that"


@pytest.mark.model
@pytest.mark.parametrize(
    ("before", "follow_up", "said"),
    [
        ("What was the swan pedalo called before the crew renamed it?", "and the head?", "Kevin"),
        ("For how much did Ivy sell the orange bicycle?", "why did she keep the basket", "granny"),
    ],
)
def test_a_follow_up_is_not_answered_by_what_answered_the_question_before(
    sample: ChatMemory, before: str, follow_up: str, said: str
) -> None:
    answer = sample.ask(follow_up, history=[(before, "It is in the messages.")])
    assert said in answer.text


@pytest.mark.model
@pytest.mark.parametrize(
    ("before", "question", "said"),
    [
        ("What nut is Tobias Klee allergic to?", "what are the symptoms?", "I'm allergic to"),
        (
            "What was the total of the first vet bill for the cat?",
            "what is each persons share?",
            "53 each",
        ),
        ("What nut is Tobias Klee allergic to?", "how deep is the water?", "It's a public toilet"),
    ],
    ids=["of the same", "of the same too", "another one"],
)
def test_a_question_that_names_nobody_is_read_with_the_one_before_where_its_answer_is_there(
    sample: ChatMemory, before: str, question: str, said: str
) -> None:
    earlier = sample.ask(before, history=())
    answer = sample.ask(question, history=[(before, earlier.text)])
    assert any(said in source.message.text for source in answer.sources), answer.text
    alone = sample.ask(question, history=())
    assert (f"follow-up of \u201c{before}\u201d" in answer.note) == (answer.text != alone.text)


@pytest.mark.model
@pytest.mark.parametrize("before", ["What are the plans for June?", "Who wrote the most messages?"])
def test_a_question_is_not_read_with_one_about_many_conversations(
    sample: ChatMemory, before: str
) -> None:
    question = "how deep is the water?"
    alone = sample.ask(question, history=())
    earlier = sample.ask(before, history=())
    assert sample.ask(question, history=[(before, earlier.text)]).text == alone.text


@pytest.mark.model
def test_a_question_is_not_read_with_one_whose_answer_is_unknown_here(sample: ChatMemory) -> None:
    before, question = "What nut is Tobias Klee allergic to?", "what are the symptoms?"
    alone = sample.ask(question, history=())
    assert sample.ask(question, history=[(before, "It is walnuts.")]).text == alone.text


def test_embedders_without_a_ranker_of_their_own_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("loaded", "ranker"):  # as if both were on this machine
        name = f"minirag_chat.models.{module}.embedder_name"
        monkeypatch.setattr(name, lambda _settings, made_by=None: made_by or BUNDLED)
    models = LoadedModels(Settings())
    ranker = models.ranker()
    assert ranker is not None
    assert models.ranker("qwen3-embedding-0.6b") is ranker, "not in memory twice"


def test_the_packages_ranker_serves_every_memory_that_is_opened(
    tmp_path: Path, small_log: Path
) -> None:
    with ChatMemory.open(tmp_path / "chats.db", Settings(db=tmp_path / "chats.db")) as memory:
        memory.add(small_log)
        found = memory.explain("What is the piano tuner called?", read=False).evidence
        assert STATES in found[0].signals


def test_the_ranker_by_torch_imports_bitsandbytes_only_where_the_hub_is_refused() -> None:
    """Its import asks the hub for a kernel where it can, and complains on the screen where not."""
    program = """
import os, sys
from pathlib import Path

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "bitsandbytes":
            print("refused" if os.environ.get("HF_HUB_OFFLINE") == "1" else "asked")

sys.meta_path.insert(0, Watch())
from minirag_chat.models import ranker as ranking
from minirag_chat.models.ranker import load_ranker
from minirag_chat.settings import Settings

ranking.without_torch = lambda: False
ranker = load_ranker(Settings(model_dir=Path(".")))
ranker.scores("Who?", ["Ann."])
"""
    plain = {name: value for name, value in os.environ.items() if name != "HF_HUB_OFFLINE"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=plain
    )
    assert set(done.stdout.split()) == {"refused"}
    assert "kernels" not in done.stderr


def test_what_follows_the_best_message_is_read_with_it_where_filters_allow(tmp_path: Path) -> None:
    told = {
        f"202603{day:02}_1000": (
            f"AnnaBerg: The lake was cold on walk number {day}.",
            f"TomHill: Like every lake on walk number {day + 40}.",
        )
        for day in range(1, 29)
    }
    told["20260401_1000"] = (
        "TomHill: Morning.",
        "AnnaBerg: Which day for the lake trip?",
        "TomHill: ok the 20th then",
    )
    settings = Settings(
        db=tmp_path / "chats.db", abstain_below=0.0, evidence_tokens=150,
        chunk_messages=1, chunk_overlap=0,
    )  # fmt: skip
    model = ScriptedModel()
    models = LoadedModels(settings, WordEmbedder(), model, PreferringRanker("trip? | after"))

    def read(memory: ChatMemory, **options: Any) -> str:
        memory.ask("When is the lake trip?", history=[], **options)
        return model.asked[-1][-1].content

    with ChatMemory.open(settings.db, settings, models=models) as memory:
        memory.add(write_log(tmp_path / "log", told))
        assert "ok the 20th" in read(memory)
        assert "ok the 20th" not in read(memory.tuned(without=["neighbours"]))
        assert "ok the 20th" not in read(memory, people=["AnnaBerg"])
        with memory._store.reading():
            search = memory.part(Finding).search_for_lookup("When is the lake trip?", Filters())
            found = prompt_order(search, METHODS["hybrid"](search))
            inside = memory._store.index.members([item.chunk_id for item in found])
        for item in found:  # the path draws a message in its chunk
            assert item.message.id in inside[item.chunk_id]
