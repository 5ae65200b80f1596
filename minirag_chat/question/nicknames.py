"""“Mum” in a question, if the asker said once whom they call so."""

from __future__ import annotations

import re
from collections.abc import Mapping


def with_nicknames(question: str, names: Mapping[str, str]) -> str:
    """``question`` with people's names in place of their nicknames, also of "my mum" and "mums"."""
    if not names:
        return question
    known = {nickname.casefold(): name for nickname, name in names.items()}
    each = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    form = rf"(?<!\w)(?:(?:my|our|mein(?:e[rnms]?)?|unser(?:e[rnms]?)?)\s+)?({each})(['\u2019]?s)?(?!\w)"

    def named(found: re.Match[str]) -> str:
        return known[found[1].casefold()] + ("'s" if found[2] else "")

    return re.sub(form, named, question, flags=re.IGNORECASE)
