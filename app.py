"""Start the chat page: your messages (MINIRAG_CHAT_DB) and the sample corpora. Also a Space's entry."""

import importlib.util
from pathlib import Path

from minirag_chat.show.page_start import start

if importlib.util.find_spec(
    "spaces"
):  # ZeroGPU starts only what asks for its GPU; we read on the CPU
    import spaces

    spaces.GPU(lambda: None)

if __name__ == "__main__":
    start(Path(__file__).parent / "corpora")
