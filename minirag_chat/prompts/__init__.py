"""The prompts, one text file each, read once."""

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> str:
    """The text of ``<name>.txt``."""
    return files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").strip()
