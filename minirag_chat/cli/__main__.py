"""``python -m minirag_chat.cli``."""

from minirag_chat.cli import main

main()
