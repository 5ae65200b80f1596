"""deploy/: what compose.yaml starts exists in our program, no password is in it, and nothing listens for others."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from places import ROOT
from postgres_server import PostgresServer, programs
from pydantic_settings import SettingsConfigDict
from typer.testing import CliRunner

from minirag_chat.cli import app
from minirag_chat.settings import PREFIX, Settings
from minirag_chat.store.postgres.users import Users

DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
NGINX = (DEPLOY / "nginx.conf").read_text("utf-8")
PAGES = ("page-1", "page-2")
OURS = (*PAGES, "worker")


def test_it_has_what_it_says() -> None:
    assert set(SERVICES) == {"proxy", *OURS, "reader", "postgres"}
    assert SERVICES["worker"]["deploy"]["replicas"] == 2
    for name in OURS:
        assert SERVICES[name]["build"]["context"] == "..", "our own Dockerfile"
    for name, service in SERVICES.items():
        assert name in OURS or re.fullmatch(r"[\w/-]+:v?[\w.-]*\d[\w.-]*", service["image"]), (
            "an image of a known version"
        )
        assert name in PAGES or service["healthcheck"]["test"], "pages: the Dockerfile says it"


def test_every_setting_in_it_is_one_of_ours_and_has_a_value_that_is_taken() -> None:
    for name in OURS:
        given = SERVICES[name]["environment"]
        assert all(key.startswith(PREFIX) for key in given)
        values = {key.removeprefix(PREFIX).lower(): value for key, value in given.items()}
        chosen = Settings.make(**values)
        assert (chosen.metrics, chosen.log, chosen.answers_at_once) == (True, "json", 4)
        assert set(PAGES) <= chosen.hosts, "whoever reads the numbers asks them by these names"
    reader = SERVICES["reader"]["command"]
    served = reader[reader.index("--served-model-name") + 1]
    assert SERVICES["page-1"]["environment"]["MINIRAG_CHAT_SERVER_MODEL"] == served


def test_its_commands_have_the_options_that_they_are_given() -> None:
    program, *arguments = SERVICES["worker"]["command"]
    assert program == "minirag-chat"
    help_page = CliRunner().invoke(app, [arguments[0], "--help"]).output
    for option in (argument for argument in arguments if argument.startswith("--")):
        assert option in help_page
    port = arguments[arguments.index("--metrics") + 1]
    assert f"127.0.0.1:{port}/metrics" in SERVICES["worker"]["healthcheck"]["test"][-1]


def test_passwords_are_files_and_none_is_in_it() -> None:
    assert {name: kept["file"] for name, kept in COMPOSE["secrets"].items()} == {
        name: f"secrets/{name}"
        for name in ("postgres_password", "chats_password", "minirag_chat_postgres")
    }
    for name in OURS:
        assert SERVICES[name]["secrets"] == ["minirag_chat_postgres"]
    text = (DEPLOY / "compose.yaml").read_text("utf-8") + (DEPLOY / "postgres.sh").read_text(
        "utf-8"
    )
    assert not re.search(r"PASSWORD: |://\w+:\w+@|PASSWORD '\w", text)
    assert "deploy/secrets/" in (ROOT / ".gitignore").read_text("utf-8")


def test_this_machine_alone_reaches_it_and_what_has_messages_reaches_nobody() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"proxy": ["127.0.0.1:${CHAT_PORT:-8080}:80"]}
    assert COMPOSE["networks"]["inside"]["internal"] is True
    for name in (*OURS, "reader", "postgres"):
        assert SERVICES[name]["networks"] == ["inside"]


def test_the_proxy_knows_the_pages_and_takes_files_as_large_as_a_page_does() -> None:
    port = re.search(r"GRADIO_SERVER_PORT=(\d+)", (ROOT / "Dockerfile").read_text("utf-8"))
    assert port is not None
    assert re.findall(r"server (\S+?) ", NGINX) == [f"{page}:{port[1]}" for page in PAGES]
    most = re.search(r"client_max_body_size (\d+)m;", NGINX)
    assert most is not None
    assert int(most[1]) > Settings.model_fields["max_file_mb"].default


def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    here = NGINX.replace("page-1:", "127.0.0.1:").replace("page-2:", "127.0.0.1:")
    (tmp_path / "chats.conf").write_text(here, "utf-8")
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; events {{}} http {{ include {tmp_path}/chats.conf; }}", "utf-8"
    )
    done = subprocess.run(
        [nginx, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_setting_may_be_a_file_and_the_environment_goes_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class InContainer(Settings):
        model_config = SettingsConfigDict(secrets_dir=tmp_path)

    (tmp_path / "minirag_chat_postgres").write_text("postgresql://chats:x1@postgres/chats\n")
    (tmp_path / "another_secret").write_text("of another program")
    assert InContainer.make().place == "postgresql://chats:x1@postgres/chats"
    assert "x1" not in repr(InContainer.make())
    monkeypatch.setenv("MINIRAG_CHAT_POSTGRES", "postgresql://elsewhere/chats")
    assert InContainer.make().place == "postgresql://elsewhere/chats"


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_the_passwords_are_made_once_and_are_three_files(tmp_path: Path) -> None:
    shutil.copy(DEPLOY / "secrets.sh", tmp_path)

    def made() -> dict[str, str]:
        subprocess.run(["sh", "secrets.sh"], cwd=tmp_path, check=True)
        return {file.name: file.read_text() for file in (tmp_path / "secrets").iterdir()}

    first = made()
    assert set(first) == set(COMPOSE["secrets"])
    assert len({*first.values()}) == 3
    assert all(len(password) >= 48 for password in first.values())
    assert first["chats_password"] in first["minirag_chat_postgres"]
    assert (tmp_path / "secrets").stat().st_mode & 0o077 == 0
    assert made() == first


@pytest.mark.process
def test_the_database_is_made_for_a_user_who_is_no_superuser(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    import psycopg

    found = programs()
    assert found is not None
    script = (DEPLOY / "postgres.sh").read_text("utf-8")
    (tmp_path / "chats_password").write_text("it's a secret")
    server = {"PGHOST": str(postgres.folder), "PGPORT": "5599", "POSTGRES_USER": "tests"}
    with psycopg.connect(postgres._at("postgres"), autocommit=True) as link:
        row = link.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone()
        if row is None:  # pgvector's own image has it
            script = script.replace("CREATE EXTENSION IF NOT EXISTS vector;", "")
        subprocess.run(
            ["sh", "-c", script], check=True, capture_output=True,
            env={"PATH": f"{found}:/usr/bin:/bin", "SECRETS": str(tmp_path), **server},
        )  # fmt: skip
        try:
            role = (
                "SELECT rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = 'chats'"
            )
            assert link.execute(role).fetchone() == (False, False, False)
            owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'chats'"
            assert link.execute(owner).fetchone() == ("chats",)
            address = f"postgresql://chats@/chats?host={postgres.folder}&port=5599"
            with Users.open(address) as users:
                assert users.add("ann", "correct horse battery"), "it may make users"
        finally:
            link.execute("DROP DATABASE chats")
            link.execute("DROP ROLE chats")
