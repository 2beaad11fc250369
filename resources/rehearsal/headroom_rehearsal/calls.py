# SPDX-License-Identifier: Apache-2.0
"""Calls of the card: which it refused, from which lines, and how many kernels it ran."""

import ctypes

from headroom_rehearsal import frames

MOST_PLACES = 100


class Calls:
    """The substitute's own functions (profiling/rehearsal/runtime/Refusal.cpp)."""

    def __init__(self, records):
        self._records = records
        library = ctypes.CDLL(None)
        # Not there in a card of an older build: then nothing is told of calls.
        self._listen = getattr(library, "headroomCardOnRefusal", None)
        self._count = getattr(library, "headroomCardLaunches", None)
        self._told = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(self._refused)
        self._known = set()

    def install(self):
        if self._listen is not None:
            self._listen(self._told)

    def end(self):
        """A library that is taken down after this Python must not call into it."""
        if self._listen is not None:
            self._listen(None)

    def launches(self):
        if self._count is None:
            return None
        self._count.restype = ctypes.c_ulonglong
        return self._count()

    def _refused(self, name):
        """Called by the card in the thread that asks, before it answers. The ledger counts them all."""
        function, where = name.decode(), frames.here()
        known = (function, tuple((place["file"], place["line"]) for place in where))
        if known not in self._known and len(self._known) < MOST_PLACES:
            self._known.add(known)
            self._records.write("refused", function=function, where=where)
