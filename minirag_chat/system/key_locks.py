"""A lock for each key: what is slow for one key keeps nobody waiting who wants another."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from weakref import WeakValueDictionary


class KeyLocks:
    """Locks by key, each kept only while somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()
        self._lock = Lock()

    def of(self, key: Hashable) -> Lock:
        """The lock of a key: ``with locks.of(key):``."""
        with self._lock:
            return self._locks.setdefault(key, Lock())
