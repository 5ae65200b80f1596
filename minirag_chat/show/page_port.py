"""Whether the page can listen, asked before the seconds that its libraries take to import."""

from __future__ import annotations

import errno
import os
import socket

from minirag_chat.errors import BadSetting


def refuse_taken(host: str, port: int) -> None:
    """Raise ``BadSetting`` if another program listens there. What else is wrong is found when it starts."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # else connections of a page that has just ended would count
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise cannot_listen(host, port, error) from error


def cannot_listen(host: str, port: int | None, error: OSError) -> BadSetting:
    """What is said where the page cannot listen; without a port, at none of those that were tried."""
    # Gradio's own words, which are for programmers, come without one.
    why = f" ({error.strerror})" if error.strerror else ""
    return BadSetting(
        f"The page cannot listen on {host}{f', port {port}' if port else ''}{why}: "
        "choose another with --port or GRADIO_SERVER_PORT."
    )
