# SPDX-License-Identifier: Apache-2.0
"""The store by which ranks find each other, answered for those that are not there: they do what this one does."""

import re
import threading
from datetime import timedelta

_NUMBERS = re.compile(r"\d+")
# By which ProcessGroupNCCL asks for what a lower rank has made: "0", "1:2", "UniqueNCCLID:1", behind the group's prefix.
_NCCL_ID = re.compile(r"(^|/)(\d+(:\d+)?|UniqueNCCLID:\d+)$")
_NCCL_ID_BYTES = 128


class AbsentRank(RuntimeError):
    """What only a rank could say that is not rehearsed."""


class Keys:
    """What this rank has put into the store; of what others would have put there, its own at the same place."""

    def __init__(self, size):
        self._size = size
        self._lock = threading.RLock()
        self._values = {}  # in the order in which they came

    def set(self, key, value):
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = _bytes(value)

    def get(self, key):
        with self._lock:
            found = self._values.get(key)
            return self._of_others(key) if found is None else found

    def add(self, key, amount):
        """As many add as there are ranks, so that who counts them finds all."""
        with self._lock:
            total = int(self._values.get(key, b"0")) + amount * self._size
            self.set(key, str(total))
            return total

    def append(self, key, value):
        with self._lock:
            self.set(key, self._values.get(key, b"") + _bytes(value))

    def compare_set(self, key, expected, desired):
        with self._lock:
            found = self._values.get(key)
            if found is None and _bytes(expected):
                return _bytes(expected)
            if found is None or found == _bytes(expected):
                self.set(key, desired)
            return self._values[key]

    def has(self, key):
        with self._lock:
            return key in self._values or self._twin(key) is not None

    def delete(self, key):
        with self._lock:
            return self._values.pop(key, None) is not None

    def __len__(self):
        return len(self._values)

    def _twin(self, key):
        """The last of its own keys that differs from this one in numbers alone."""
        shape = _NUMBERS.sub("#", key)
        same = (own for own in reversed(self._values) if _NUMBERS.sub("#", own) == shape)
        return next(same, None) if "#" in shape else None

    def _of_others(self, key):
        twin = self._twin(key)
        if twin is not None:
            return self._values[twin]
        if _NCCL_ID.search(key):
            return bytes(_NCCL_ID_BYTES)
        raise AbsentRank("only a rank that is not rehearsed would set the key %r of the store" % key)


def _bytes(value):
    return value if isinstance(value, bytes) else bytes(value) if isinstance(value, (bytearray, list)) else str(value).encode()


_kept = []  # torch forgets the half of a store that is Python's when only its own half is held


def store_class(dist, size):
    """In the place of torch's stores, whatever they are told of hosts and files."""

    class Store(dist.Store):
        def __init__(self, *arguments, **options):
            super().__init__()
            names = ("host_name", "port", "world_size")
            given = {**dict(zip(names, arguments)), **options}
            self.host = str(given.get("host_name", "localhost"))
            port = given.get("port")
            self.port = port if isinstance(port, int) and port else 29500
            self.libuvBackend = True
            self._keys = Keys(size)
            self._timeout = timedelta(seconds=300)
            _kept.append(self)

        def set(self, key, value):
            self._keys.set(key, value)

        def get(self, key):
            return self._keys.get(key)

        def add(self, key, amount):
            return self._keys.add(key, amount)

        def append(self, key, value):
            self._keys.append(key, value)

        def compare_set(self, key, expected, desired):
            return self._keys.compare_set(key, expected, desired)

        def check(self, keys):
            return all(self._keys.has(key) for key in keys)

        def wait(self, keys, timeout=None):
            """Nobody is waited for."""

        def multi_get(self, keys):
            return [self._keys.get(key) for key in keys]

        def multi_set(self, keys, values):
            for key, value in zip(keys, values):
                self._keys.set(key, value)

        def delete_key(self, key):
            return self._keys.delete(key)

        def num_keys(self):
            return len(self._keys)

        def has_extended_api(self):
            return True

        def set_timeout(self, timeout):
            self._timeout = timeout

        @property
        def timeout(self):
            return self._timeout

        def clone(self):
            return self

        # By these names torch's own half calls them.
        deleteKey, getNumKeys = delete_key, num_keys

    return Store
