"""bitsandbytes without torch's compiler, whose import takes 2 s of processor time before each first answer.

While it is imported, bitsandbytes gives ``torch.compile`` some functions that none of our layers calls.
Here they stay as they are. Has to be the first import of bitsandbytes, so inside ``offline()``.
"""

from __future__ import annotations

from typing import Any

import torch


def _as_it_is(function: Any = None, **_: object) -> Any:
    """In place of ``torch.compile``, as a decorator with or without options."""
    return (lambda given: given) if function is None else function


_compile = torch.compile
torch.compile = _as_it_is
try:
    from bitsandbytes import functional
    from bitsandbytes.nn import Linear4bit
finally:
    torch.compile = _compile

__all__ = ["Linear4bit", "functional"]
