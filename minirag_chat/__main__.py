"""``python -m minirag_chat``."""

from minirag_chat.cli import main

main()
