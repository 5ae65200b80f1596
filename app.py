"""Start the page: your database (MINIRAG_CHAT_DB) or, while that is empty, the sample corpora."""

import os
from pathlib import Path
from threading import Thread

from minirag_chat.engine import ChatMemory
from minirag_chat.settings import Settings
from minirag_chat.show.page import launch

if __name__ == "__main__":
    settings, suggested = Settings.make(), []
    memory = ChatMemory.open(settings.db)
    if not memory.info().messages:  # samples get a database of their own, never yours
        memory = ChatMemory.open(settings.db.with_name("sample.db"))
        for log in sorted(Path(__file__).parent.glob("corpora/*/log")):
            memory.add(log)  # adds nothing the second time
        suggested = [
            "Where is the spare key?",
            "What is the secret ingredient in Ottoline's cinnamon buns?",
        ]
    Thread(target=memory.warm_up, daemon=True).start()  # the page is there while it loads
    launch(memory, settings, suggested=suggested, open_browser="SPACE_ID" not in os.environ)
