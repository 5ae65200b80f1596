"""Write requirements.txt, which a Hugging Face Space installs, from pyproject.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def requirements() -> str:
    """The package's dependencies, as pip reads them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = sorted(project["dependencies"])
    head = "# Made from pyproject.toml by .ci/requirements.py: change it there.\n"
    return head + "\n".join(wanted) + "\n"


if __name__ == "__main__":
    (ROOT / "requirements.txt").write_text(requirements(), encoding="utf-8")
