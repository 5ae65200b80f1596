"""What is installed beside this program, and by which command something is added."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement

from minirag_chat.errors import BadSetting

PROGRAM = "minirag-chat"
Way = Literal["uv", "pipx", "pip"]


def way(environment: Path | None = None) -> Way:
    """What made the environment that this runs in: ``uv tool``, ``pipx``, or anything else."""
    folder = environment or Path(sys.prefix)
    if (folder / "uv-receipt.toml").is_file():
        return "uv"
    return "pipx" if (folder / "pipx_metadata.json").is_file() else "pip"


def how_to_add(extra: str, environment: Path | None = None) -> str:
    """The command that adds an extra; it also works where the program came from a file."""
    return how_to_install(*_wanted_by(extra), named=f"{PROGRAM}[{extra}]", environment=environment)


def how_to_install(*wanted: str, named: str = "", environment: Path | None = None) -> str:
    """The command that adds packages. ``named`` is what pip takes for all of them."""
    each = " ".join(_quoted(one) for one in wanted) or _quoted(named)
    made_by = way(environment)
    if made_by == "pipx":
        return f"pipx inject {PROGRAM} {each}"
    if made_by == "uv" or find_spec("pip") is None:
        return f"uv pip install --python {_quoted(sys.executable)} {each}"
    return f"pip install {_quoted(named) if named else each}"


def need(library: str, extra: str, who: str) -> None:
    """Raise ``BadSetting`` if the library of an extra is missing; ``who`` is as in "Metrics need"."""
    if find_spec(library) is None:
        raise BadSetting(f"{who} a library that is not installed: run `{how_to_add(extra)}`.")


def installed(package: str) -> str | None:
    """The version of an installed package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _wanted_by(extra: str) -> tuple[str, ...]:
    """What an extra brings, as the package says; nothing where it is not installed."""
    try:
        all_of_them = [Requirement(text) for text in requires(PROGRAM) or ()]
    except PackageNotFoundError:
        return ()
    return tuple(
        str(one).partition(";")[0].strip()
        for one in all_of_them
        if one.marker
        and one.marker.evaluate({"extra": extra})
        and not one.marker.evaluate({"extra": ""})
    )


def _quoted(text: str) -> str:
    """In quotes where a shell wants them; these work in Windows' shells too."""
    return text if all(c.isalnum() or c in "-_./\\:=" for c in text) else f'"{text}"'
