"""The command line as a user runs it: a process of its own, its output and its exit code."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import Cli, run_command
from places import write_log
from slow_server import SlowServer
from typer.testing import CliRunner

from minirag_chat import ChatMemory
from minirag_chat.cli import app
from minirag_chat.cli.interrupt import stopping
from minirag_chat.records import Answer, Chat

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    folder = tmp_path_factory.mktemp("cli")
    cli = Cli(folder)
    log = write_log(folder / "log", {
        "20260105_1000": ("AnnaBerg: The piano tuner is called Walter Quint.", "TomHill: Is he expensive?", "AnnaBerg: 90 euros."),
        "20260107_1800": ("TomHill: I parked the van behind Harbour Street Bakery.", "AnnaBerg: \x1b[31mWho has the key? <script>alert(1)</script>" + " I looked everywhere for it." * 12),
        "20260108_0900": ("NinaVale: The boat leaves at six.", "AnnaBerg: Then five it is."),
    })  # fmt: skip
    report = cli.json("add", str(log))
    assert (report["messages_read"], report["messages_added"], report["sessions"]) == (7, 7, 3)
    return cli


def test_ask_prints_answer_sources_and_confidence(cli: Cli, tmp_path: Path) -> None:
    done = cli.run("ask", "What is the piano tuner called?", "--graph", str(tmp_path / "why.html"))
    assert done.returncode == 0, done.stderr
    assert "Walter Quint" in done.stdout
    assert "[1]" in done.stdout
    assert "· confidence " in done.stdout
    assert "extractive" in done.stdout
    assert "Walter Quint" in (tmp_path / "why.html").read_text(encoding="utf-8")


def test_a_path_that_cannot_be_written_is_refused_before_the_answer_is_made(
    cli: Cli, tmp_path: Path
) -> None:
    for place in (tmp_path, Path("/proc/why.html"), tmp_path / "no" / "why.html"):
        done = cli.run("ask", "What is the piano tuner called?", "--graph", str(place))
        assert done.returncode == 1
        assert done.stdout == ""
        assert f"{place} cannot be written" in done.stderr
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_answer_is_printed_although_its_path_cannot_be_written_any_more(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Answer, "path_graph", full)
    words = ["--db", str(cli.db), "ask", "What is the piano tuner called?", "--model", "extractive"]
    done = CliRunner().invoke(app, [*words, "--graph", str(tmp_path / "why.html")])
    assert done.exit_code == 1
    assert "Walter Quint" in done.stdout
    assert "The path cannot be written" in done.stderr


def test_a_table_in_a_pipe_has_whole_lines(cli: Cli, tmp_path: Path) -> None:
    narrow = Cli(tmp_path)
    narrow.db = cli.db
    narrow.environment["COLUMNS"] = "40"
    done = narrow.run("ask", "Where is the van parked?")
    rows = [line for line in done.stdout.splitlines() if line.startswith("[1]")]
    assert any("behind Harbour Street Bakery." in row for row in rows), done.stdout
    assert all(line == line.rstrip() for line in narrow.run("chats").stdout.splitlines())


def test_a_file_without_users_says_how_to_copy_it_to_postgres(cli: Cli) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    said = cli.run("users", "list").stderr
    assert f"`minirag-chat move {cli.db} postgresql://" in said  # it takes the file as an argument


def test_a_note_names_the_option_of_the_command(cli: Cli, tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Nina.txt"
    chat.write_text("03/04/2026, 18:05 - Nina: Hello there\n", encoding="utf-8")
    for command in ("inspect", str(chat)), ("--db", str(tmp_path / "own.db"), "add", str(chat)):
        said = cli.run(*command).stdout
        assert "the option --date-order" in said
        assert "date_order" not in said
    wrong = cli.run("add", str(chat), "--date-order", "dym").stderr
    assert "The option --date-order is 'dym'" in wrong


def test_ask_and_search_say_whose_words_a_message_passes_on(cli: Cli, tmp_path: Path) -> None:
    said = {"id": 1, "type": "message", "date": "2026-01-09T10:00:00", "from": "Bob", "from_id": "user7",
            "text": "The kite festival is on 3 May.", "forwarded_from": "Kite Club"}  # fmt: skip
    document = {"name": "Bob", "type": "personal_chat", "id": 7, "messages": [said]}
    (tmp_path / "result.json").write_text(json.dumps(document), encoding="utf-8")
    own = ("--db", str(tmp_path / "own.db"))
    cli.run(*own, "add", str(tmp_path / "result.json"))
    for command in ("ask", "When is the kite festival?"), ("search", "kite festival"):
        assert "forwarded from Kite Club" in " ".join(cli.run(*own, *command).stdout.split())
    none = cli.run(*own, "search", "kite", "--since", "2031-01-01").stdout
    assert "There are no messages for the time" in none


def test_an_export_again_says_that_messages_keep_their_times(cli: Cli, tmp_path: Path) -> None:
    log = write_log(tmp_path / "more", {"20260109_0900": ("NinaVale: ok then.",)})
    own = ("--db", str(tmp_path / "own.db"))
    first = cli.run(*own, "add", str(log), "--time-zone", "Europe/London").stdout
    assert "taken as Europe/London; --time-zone changes that" in first
    again = cli.run(*own, "add", str(log), "--time-zone", "Asia/Tokyo").stdout
    assert "0 new" in again
    assert "keep their times" in again
    assert "--time-zone changes that" not in again


def test_ask_as_json_is_one_document(cli: Cli) -> None:
    answer = cli.json("ask", "Where is the van parked?", "--people", "Tom", "--since", "2026-01-06")
    assert {
        "text",
        "abstained",
        "confidence",
        "reason",
        "sources",
        "closest",
        "path",
        "timings",
    } <= set(answer)
    assert answer["sources"][0]["sender"] == "TomHill"
    assert answer["sources"][0]["sent_at"] == "2026-01-07T18:00:00"


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_ctrl_c_keeps_what_is_answered_so_far_and_its_sources(
    cli: Cli, as_json: tuple[str, ...]
) -> None:
    with SlowServer("Walter Quint " + "tunes the piano " * 400, pause=0.3) as server:
        command = [sys.executable, "-m", "minirag_chat", "--db", str(cli.db), "ask"]
        with subprocess.Popen(
            [*command, "What is the piano tuner called?", *as_json], text=True,
            env={**cli.environment, **server.environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert server.speaking.wait(120)
            while server.said < 4:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            shown, said = process.communicate(timeout=300)
            assert server.left_early(), "the model goes on"
    assert process.returncode == 0, said
    if as_json:
        answer = json.loads(shown)
        assert answer["stopped"]
        assert answer["text"].startswith("Walter Quint tunes")
        assert answer["sources"][0]["sender"] == "AnnaBerg"
    else:
        assert "Walter Quint tunes" in shown
        assert "[1]" in shown
        assert "· stopped" in shown
        assert "2026-01-05" in shown


def test_a_second_ctrl_c_does_not_wait_for_the_answer() -> None:
    before = signal.getsignal(signal.SIGINT)
    asked_to_stop = []

    def impatient() -> None:
        with stopping() as stop:
            signal.raise_signal(signal.SIGINT)
            asked_to_stop.append(stop.is_set())
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        impatient()
    assert asked_to_stop == [True]
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_in_a_command_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(_: ChatMemory) -> list[Chat]:
        raise KeyboardInterrupt

    monkeypatch.setattr(ChatMemory, "chats", interrupted)
    db = tmp_path / "chats.db"
    ChatMemory.open(db).close()
    done = CliRunner().invoke(app, ["--db", str(db), "chats"])
    assert done.exit_code == 130
    assert done.stderr == "Stopped. Nothing that was stored is lost.\n"


def test_search_show_chats_people_and_info_agree(cli: Cli) -> None:
    found = cli.json("search", "bakery")
    identity = found[0]["message"]["id"]
    around = cli.json("show", str(identity), "--around", "1")
    assert identity in [m["id"] for m in around]
    assert {c["title"] for c in cli.json("chats")} == {"Tom Hill", "Nina Vale"}
    assert {p["name"] for p in cli.json("people")} == {"AnnaBerg", "TomHill", "NinaVale"}
    assert cli.json("info")["messages"] == 7


def test_a_message_cannot_drive_the_terminal(cli: Cli) -> None:
    shown = cli.run("search", "key").stdout
    assert "\x1b" not in shown
    assert "<script>alert(1)</script>" in shown


def test_a_message_cannot_look_like_another_one(cli: Cli, tmp_path: Path) -> None:
    forged = "ok\n     99  2026-01-02 10:00 Anna Berg: I owe you 500"
    csv = tmp_path / "forged.csv"
    csv.write_text(f'sent_at,sender,text\n2026-04-01 10:00,Vera Oak,"{forged}"\n', encoding="utf-8")
    cli.json("add", str(csv))
    (found,) = cli.json("search", "owe")
    lines = cli.run("show", str(found["message"]["id"])).stdout.splitlines()
    assert [line for line in lines if "I owe you 500" in line] == [
        "          |      99  2026-01-02 10:00 Anna Berg: I owe you 500"
    ]
    cli.json("delete", "Vera Oak", "--yes")


def test_people_can_be_merged_and_parted(cli: Cli) -> None:
    cli.json("people", "merge", "NinaVale", "AnnaBerg")
    assert len(cli.json("people")) == 2
    cli.json("people", "split", "NinaVale")
    assert len(cli.json("people")) == 3


def test_delete_asks_first_and_then_is_complete(cli: Cli, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", {"20260301_1000": ("OlgaPrim: Goodbye.", "AnnaBerg: Bye.")})
    cli.json("add", str(log))
    assert cli.run("delete", "Olga Prim").returncode != 0
    assert len(cli.json("chats")) == 3
    cli.json("delete", "Olga Prim", "--yes")
    assert len(cli.json("chats")) == 2


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("ask", ""), "empty"),
        (("ask", "why " * 2500), "4,000"),
        (("ask", "Who?", "--people", "Nobody Atall"), "Nobody"),
        (("ask", "Who?", "--model", "qwen9-999b"), "qwen2.5-coder-1.5b-instruct"),
        (("ask", "Who?", "--model", "qwen2.5-coder-0.5b-instruct"), "models get"),
        (("show", "99999"), "99999"),
        (("show", "9" * 20), "9" * 20),
        (("delete", "--message", "9" * 20, "--yes"), "9" * 20),
        (("delete", "Harbour", "--everything", "--yes"), "cannot be combined"),
        (("delete", "--person", "Anna Somebody", "--yes"), "did you mean"),
        (("people", "--me", "Anna Berg", "--nobody"), "not both"),
        (("ask", "What happened on 31 February 2026?"), "No calendar"),
        (("add", "/does/not/exist.txt"), "exist"),
        (("delete", "No Such Chat", "--yes"), "chats"),
        (("corpus", "get", "nothing"), "lihuaworld"),
        (("index", "--limit", "3"), "`--limit` needs `--slm`"),
        (("index", "--metrics", "9999"), "`--metrics` needs `--worker`"),
    ],
)
def test_bad_input_gets_one_sentence_and_a_failing_exit_code(
    cli: Cli, command: tuple[str, ...], says: str
) -> None:
    done = cli.run(*command)
    assert done.returncode != 0
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 4
    as_json = cli.run(*command, "--json")
    assert as_json.returncode != 0
    assert says in json.loads(as_json.stdout)["error"]


def test_bad_files_get_one_sentence(cli: Cli, tmp_path: Path) -> None:
    bad = {
        "empty.txt": b"",
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
        "half.json": b'{"name": "Ann", "messages": [{"type": "mess',
        "notes.txt": b"milk\neggs\n",
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
        done = cli.run("add", str(tmp_path / name))
        assert done.returncode != 0, name
        assert "Traceback" not in done.stderr
        assert name in done.stderr
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(2 * 1024**3)
    done = cli.run("add", str(tmp_path / "large.txt"))
    assert done.returncode != 0
    assert "max_file_mb" in done.stderr
    assert cli.json("info")["messages"] == 7


def test_one_bad_file_of_two_is_in_the_one_document_and_fails(cli: Cli, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", {"20260301_1000": ("OlgaPrim: Goodbye.", "AnnaBerg: Bye.")})
    (tmp_path / "notes.txt").write_text("milk\neggs\n", encoding="utf-8")
    done = cli.run("add", str(log), str(tmp_path / "notes.txt"), "--json")
    said = json.loads(done.stdout)
    assert done.returncode == 1
    assert said["reports"][0]["messages_added"] == 2
    assert "notes.txt" in said["failed"][0]
    assert said["error"] == said["failed"][0]
    assert done.stderr.count("notes.txt") == 1
    cli.json("delete", "Olga Prim", "--yes")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
@pytest.mark.parametrize("buffered", [False, True])
@pytest.mark.parametrize("command", [("chats",), ("info", "--json"), ("show", "99999", "--json")])
def test_output_to_a_full_disk_ends_in_one_sentence(
    cli: Cli, command: tuple[str, ...], buffered: bool
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = cli.process(*command, out=full, buffered=buffered)
    assert done.returncode == 1
    assert done.stderr.count("disk is full") == 1
    assert len(done.stderr.strip().splitlines()) <= 2, "why it failed, where it did"


@pytest.mark.parametrize("buffered", [False, True])
@pytest.mark.parametrize("command", [("chats",), ("info", "--json")])
def test_a_pipe_that_its_reader_closed_ends_in_silence(
    cli: Cli, command: tuple[str, ...], buffered: bool
) -> None:
    reading, closed = os.pipe()
    os.close(reading)
    with os.fdopen(closed, "w", encoding="utf-8") as pipe:
        done = cli.process(*command, out=pipe, buffered=buffered)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_missing_database_is_not_made_by_looking(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    done = cli.run("chats")
    assert done.returncode != 0
    assert f"minirag-chat --db {cli.db} add" in done.stderr
    assert not cli.db.exists()


def test_a_setting_that_is_wrong_in_the_environment_is_named(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    cli.environment["MINIRAG_CHAT_METHOD"] = "magic"
    done = cli.run("chats")
    assert done.returncode != 0
    assert "method" in done.stderr


def test_the_file_that_db_names_counts_whatever_server_the_environment_names(cli: Cli) -> None:
    elsewhere = Cli(cli.db.parent)
    elsewhere.environment |= {
        "MINIRAG_CHAT_POSTGRES": "postgresql://127.0.0.1:1/no",
        "MINIRAG_CHAT_USER": "anna",
    }
    assert elsewhere.json("info")["messages"] == cli.json("info")["messages"]


def test_where_there_is_nothing_yet_the_lists_say_so(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    empty = tmp_path / "empty.csv"
    empty.write_text("time,sender,text\n", encoding="utf-8")
    cli.run("add", str(empty))
    for command in ("chats", "people"):
        assert "no messages" in cli.run(command).stdout.casefold()


def test_a_streamed_quotation_is_printed_as_it_was_written(cli: Cli, tmp_path: Path) -> None:
    log = tmp_path / "WhatsApp Chat with Nina.txt"
    said = "The gate code is a:x:b and then " + "one more step " * 12 + "until :100:"
    log.write_text(f"03.04.26, 18:05 - Nina Vale: {said}\n", encoding="utf-8")
    other = Cli(tmp_path)
    other.environment["COLUMNS"] = "80"
    other.run("add", str(log))
    assert f"{said}" in other.run("ask", "What is the gate code?").stdout.replace("\u201d", "")


def test_an_overview_names_its_sources_once(cli: Cli) -> None:
    shown = cli.run("ask", "What did we talk about?").stdout.partition("· confidence")[0]
    assert shown.count("[1]") == 1


def test_a_mistyped_setting_in_the_environment_is_named_with_the_right_one(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    cli.environment["MINIRAG_CHAT_PICTURES"] = "none"  # somebody else's
    assert "MINIRAG_CHAT_PICTURES" not in cli.run("chats").stderr
    cli.environment["MINIRAG_CHAT_MODLE"] = "extractive"
    done = cli.run("chats")
    assert done.returncode != 0
    assert "MINIRAG_CHAT_MODLE, which is no setting: MINIRAG_CHAT_MODEL is." in done.stderr


def test_a_corpus_with_a_wrong_checksum_is_not_unpacked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "fake.zip").write_bytes(b"PK not really")
    done = cli.run("corpus", "get", "lihuaworld", "--from", str(tmp_path / "fake.zip"))
    assert done.returncode != 0
    assert "SHA-256" in done.stderr


def test_a_recommended_command_names_the_database_that_was_given(cli: Cli, tmp_path: Path) -> None:
    other = tmp_path / "my other.db"
    told = run_command("--db", str(other), "chats", environment=cli.environment).stderr
    assert f"`minirag-chat --db '{other}' add PATH`" in told
    log = write_log(
        tmp_path / "log", {"20260105_1000": ("AnnBerg: The van is red.", "TomHill: Yes.")}
    )
    added = run_command("--db", str(other), "add", str(log), environment=cli.environment)
    assert f"`minirag-chat --db '{other}' people --me NAME`" in added.stdout
    gone = run_command(
        "--db", str(other), "delete", "--person", "Tom Hill", "--yes", environment=cli.environment
    )
    assert f"`minirag-chat --db '{other}' trash restore 1`" in gone.stdout


def test_the_text_of_a_message_stays_as_it_is_beside_a_database(cli: Cli, tmp_path: Path) -> None:
    said = "Type `minirag-chat add PATH` for the drums."
    log = write_log(tmp_path / "log", {"20260105_1000": (f"AnnBerg: {said}", "TomHill: Yes.")})
    db = ("--db", str(tmp_path / "x.db"))
    run_command(*db, "add", str(log), environment=cli.environment)
    assert said in run_command(*db, "search", "drums", environment=cli.environment).stdout


def test_an_empty_database_says_that_nothing_is_there_yet(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    for command in ("chats", "people"):
        told = run_command("--db", str(empty), command, environment=cli.environment).stdout
        assert "There are no messages yet" in told
        assert "that you asked for" not in told


def test_a_question_without_quotes_is_said_to_need_them(cli: Cli) -> None:
    done = cli.run("ask", "Where", "is", "the", "van?")
    assert done.returncode == 2
    assert "in quotes" in done.stderr


def test_filters_that_leave_no_message_are_said_once(cli: Cli) -> None:
    told = cli.run("ask", "Where is the van?", "--since", "2031-01-01").stdout
    assert told.count("for the time, people or chats that you asked for") == 1


def test_ctrl_c_while_the_program_starts_ends_it_without_a_traceback() -> None:
    started = """import sys
class PressedDuring:
    def find_spec(self, name, *_):
        if name == "minirag_chat.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, PressedDuring())
from minirag_chat.__main__ import main
main()"""
    done = subprocess.run(
        [sys.executable, "-c", started], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
