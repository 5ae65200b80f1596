"""The prompts, one text file each, read once.

========================  =================================================================================
``read``                  what a reader with a trained adapter is told (``answer/prompt.py``). The adapter was
                          trained on these words: another text needs another training (``training/``)
``system``, ``answer``,   the same for any other model, and for questions for yes or no; ``system`` is
``answer_yes_no``         also what any model is told first that judges events or writes overviews
``or_silence``            for a model server whose probabilities cannot be seen: it may say "not stated"
``stated``, ``happened``  asked for the probability that the messages state the answer, or show an event
``translate``             a question in the language of the messages (``question/translation.py``)
``summary``               a summary of messages (``summaries/summarise.py``)
``extract_chunk``,        entities and relationships of a chunk, extracted by a model (``extract/slm/``)
``extract_chunk_example``
========================  =================================================================================
"""

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> str:
    """The text of ``<name>.txt``."""
    return files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").strip()
