"""Resolves the name given to merge or split people to one spelling; a first name is enough."""

from __future__ import annotations

from minirag_chat.memory.deletion_scope import one_person
from minirag_chat.memory.filters import name_forms
from minirag_chat.names import without_accents
from minirag_chat.store import Store


def spelling_meant(store: Store, name: str) -> str:
    """``name`` where it is a spelling; else the only one with it, of the only person whom it means.

    Where several spellings of that person have it, the name that is shown. Raises ``NotFound`` with the
    closest name, or with the people who are called so.
    """
    if store.people.spelling_id(name) is not None or store.people.written(name) is not None:
        return name
    spellings = store.people.spellings()[one_person(store, name)]
    forms = [(*name_forms(one), *name_forms(store.people.shown(one))) for one in spellings]
    wanted = without_accents(name)
    having = [one for one, those in zip(spellings, forms, strict=True) if wanted in those]
    return having[0] if len(having) == 1 else spellings[0]
