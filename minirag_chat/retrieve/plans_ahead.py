"""Messages with plans for a time that is still to come: they name its days, and nobody has written in it."""

from __future__ import annotations

from datetime import datetime
from functools import reduce

import numpy as np

from minirag_chat.retrieve.base import Search
from minirag_chat.store.arrays import Ids


def plans_ahead(search: Search) -> Ids:
    """The messages that name a day of the question's times that begin after the newest message, sorted."""
    newest = search.store.messages.extent()[1] or datetime.max
    ahead = [span for span in search.question.named_times if newest < span.start]
    found = (
        search.store.columns.naming_days(
            f"{span.start:%Y-%m-%d}", f"{span.end - datetime.resolution:%Y-%m-%d}"
        )
        for span in ahead
    )
    return reduce(np.union1d, found, np.array([], np.int64))
