"""The command ``minirag-chat``, also as ``python -m minirag_chat``."""

import sys

INTERRUPTED = 130  # the exit code that shells expect after Ctrl-C


def main() -> None:
    """Run a command. Ctrl-C while its modules are imported, which takes a second, ends it quietly."""
    try:
        from minirag_chat.cli import main as run
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
