"""The models on the settings panel, and getting one from the page. No Gradio in here."""

from __future__ import annotations

from minirag_chat.memory.engine import ChatMemory
from minirag_chat.models import ModelStatus, find_card, get_model, list_models, machine
from minirag_chat.models.catalog import DEFAULT_ON_CPU, DEFAULT_ON_GPU, ModelCard
from minirag_chat.records import Cancelled, Report
from minirag_chat.show.page_html import box, button, segments
from minirag_chat.show.safe_text import in_html

THOUSAND = 1000  # MB make a GB, and millions of parameters a billion


def models_table(memory: ChatMemory) -> str:
    """What this machine can run: each model, whether it is here and fits, and how to get it."""
    wanted = memory.models.settings.model
    found = [status for status in list_models(memory.models.settings) if status.card.kind == "chat"]
    choice = [
        button("use", name, css="mc-segment", pressed=wanted == name, words=words)
        for name, words in (("auto", "Best installed"), ("extractive", "None, only quotes"))
    ]
    loaded = memory.models.loaded
    reads = loaded.name.split(" ")[0] if loaded else ""  # "name (4-bit, CPU)"
    rows = "".join(_row(status, wanted, reads) for status in found)
    return (
        f'<h3 class="mc-h3">Language model</h3><p class="mc-quiet">{in_html(machine().describe())}</p>'
        + segments("Which model", choice)
        + f'<ul class="mc-models">{rows}</ul>'
    )


def offer(memory: ChatMemory) -> str:
    """What the page says while there is no language model, with a button to get one."""
    if memory.models.loaded is not None or memory.models.settings.model != "auto":
        return ""
    info = memory.info()
    card = find_card(DEFAULT_ON_GPU if machine().gpu else DEFAULT_ON_CPU)
    if "no language model" not in info.model_reason:
        return ""
    words = f"Get a language model ({card.download_mb / THOUSAND:.1f} GB)"
    return box(
        "<b>No language model is installed yet.</b> Until one is, answers "
        "are quotes from your messages. A model is downloaded once and then runs on this machine: "
        f"{in_html(card.name)}, {in_html(card.licence)} licence. If Ollama or another model server "
        "runs here, the settings can use that.",
        button("get", card.name, css="mc-small mc-strong", words=words),
    )


def install(memory: ChatMemory, card: ModelCard, progress: Report, cancelled: Cancelled) -> None:
    """Download a model, check it, convert it, and use the best installed one from then on."""
    get_model(card, memory.models.settings.model_dir, progress, cancelled=cancelled)
    memory.use_model("auto")
    memory.warm_up()


def _row(status: ModelStatus, wanted: str, reads: str) -> str:
    card = status.card
    in_use = ' <span class="mc-quiet">in use</span>' if card.name == reads else ""
    download = "" if status.path else f"{card.download_mb / THOUSAND:.1f} GB download · "
    about = (
        f"{card.parameters / THOUSAND:.1f}B · {download}"
        f"{card.memory_gb:.1f} GB memory · {card.licence}"
    )
    if status.path and status.fits:
        act = button("use", card.name, f"Use {card.name}", css="mc-small",
                     pressed=wanted == card.name, words="Use")  # fmt: skip
    elif status.fits:
        act = button("get", card.name, f"Get {card.name}", css="mc-small", words="Get")
    else:
        act = f"<small>{in_html(status.why)}</small>"
    return f"<li><div><b>{in_html(card.name)}</b>{in_use}<small>{in_html(about)}</small></div>{act}</li>"
