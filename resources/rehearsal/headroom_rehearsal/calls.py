# SPDX-License-Identifier: Apache-2.0
"""Calls of the card: which it refused, from which lines, and how many kernels it ran."""

import ctypes

from headroom_rehearsal import frames

MOST_PLACES = 100


class Calls:
    """The substitute's own functions (profiling/rehearsal/runtime/Refusal.cpp)."""

    def __init__(self, records):
        self._records = records
        self._library = ctypes.CDLL(None)
        self._library.headroomCardLaunches.restype = ctypes.c_ulonglong
        self._told = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(self._refused)
        self._known = set()

    def install(self):
        self._library.headroomCardOnRefusal(self._told)

    def end(self):
        """A library that is taken down after this Python must not call into it."""
        self._library.headroomCardOnRefusal(None)

    def launches(self):
        return self._library.headroomCardLaunches()

    def _refused(self, name):
        """Called by the card in the thread that asks, before it answers. The ledger counts them all."""
        function, where = name.decode(), frames.here()
        known = (function, tuple((place["file"], place["line"]) for place in where))
        if known not in self._known and len(self._known) < MOST_PLACES:
            self._known.add(known)
            self._records.write("refused", function=function, where=where)
