"""Language models and embedders: protocols, adapters, the catalog, and getting one.

The names below are what the layers above use; torch and its libraries load with a model, not here.
"""

from minirag_chat.models.catalog import CATALOG, ModelCard, find_card
from minirag_chat.models.choose import (
    ChosenModel,
    Machine,
    ModelStatus,
    choose_model,
    list_models,
    load_chat_model,
    machine,
)
from minirag_chat.models.embedder import load_embedder
from minirag_chat.models.fetch import get_model
from minirag_chat.models.ranker import load_ranker
from minirag_chat.models.verify import verify_models

__all__ = [
    "CATALOG",
    "ChosenModel",
    "Machine",
    "ModelCard",
    "ModelStatus",
    "choose_model",
    "find_card",
    "get_model",
    "list_models",
    "load_chat_model",
    "load_embedder",
    "load_ranker",
    "machine",
    "verify_models",
]
