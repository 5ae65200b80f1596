"""Checks whether installed models have changed since their installation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from minirag_chat.models.catalog import ModelCard
from minirag_chat.models.checksums import RECORD, digest, names_in, published, read_list
from minirag_chat.models.choose import list_models
from minirag_chat.records import Progress, Report
from minirag_chat.settings import Settings

State = Literal["as it should be", "differs", "not recorded"]


@dataclass(frozen=True, slots=True)
class Verified:
    """An installed model, and whether its files are unchanged. ``wrong`` names files that are not."""

    name: str
    path: Path
    state: State
    files: int
    wrong: tuple[str, ...] = ()


def verify_models(settings: Settings, report: Report = lambda _: None) -> tuple[Verified, ...]:
    """Read every file of the installed models, and compare its SHA-256."""
    here = [(each.card, each.path) for each in list_models(settings) if each.path is not None]
    found = []
    for done, (card, folder) in enumerate(here):
        report(Progress("reading models", done, len(here)))
        found.append(_verified(card, folder))
    report(Progress("reading models", len(here), len(here)))
    return tuple(found)


def _verified(card: ModelCard, folder: Path) -> Verified:
    recorded: Mapping[str, str] = read_list(folder / RECORD).get("files", {})
    known = {**recorded, **published(card, folder)}
    if not known:
        return Verified(card.name, folder, "not recorded", 0)
    there = names_in(folder)
    wrong = [name for name in known if name not in there or digest(folder / name) != known[name]]
    wrong += [name for name in there if recorded and name not in known]
    return Verified(
        card.name, folder, "differs" if wrong else "as it should be", len(known), tuple(wrong)
    )
