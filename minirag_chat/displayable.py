"""The link between records and notebooks: a record can be displayed, but does not know how."""

from __future__ import annotations


class Displayable:
    """A record that shows itself in a notebook, as HTML, Markdown and plain text."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """IPython calls this; ``show.rich`` is imported only then."""
        from minirag_chat.show.rich import mimebundle

        return mimebundle(self)
