"""The seam between records and notebooks: a record says that it shows itself, not how."""

from __future__ import annotations


class Shown:
    """A record that shows itself in a notebook, as HTML, Markdown and plain text."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What IPython asks for; drawn lazily by the notebook's face."""
        from minirag_chat.show.rich import mimebundle

        return mimebundle(self)
