# SPDX-License-Identifier: Apache-2.0
"""What the supervisor reads: one file a process, one line a record, whole however the process ends."""

import os
import time


class Records:
    def __init__(self, folder):
        self._folder = os.path.join(folder, "records")
        self._held = []
        self._file = None
        self._written = 0  # of those held

    def hold(self, kind, /, **values):
        """A record that is written only before others: processes that never use the card write nothing."""
        self._held.append((kind, values, _now()))

    def write(self, kind, /, **values):
        self.write_held()
        self._put(kind, values, _now())

    def write_held(self):
        while self._written < len(self._held):
            self._written += 1
            self._put(*self._held[self._written - 1])

    def forked(self):
        """In a child: a file of its own, which begins as the parent's did."""
        if self._file is not None:
            os.close(self._file)
        self._file = None
        self._written = 0

    def _put(self, kind, values, at):
        import json

        line = {"record": kind, "pid": os.getpid(), "time_us": at, "rank": _rank()}
        line.update(values)
        # Names of files need not be Unicode; a reader of JSON refuses half a pair.
        text = json.dumps(line, ensure_ascii=False, default=str) + "\n"
        if self._file is None:
            self._file = self._opened()
        os.write(self._file, text.encode("utf-8", "replace"))

    def _opened(self):
        path = os.path.join(self._folder, "%d.jsonl" % os.getpid())
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def _now():
    return time.monotonic_ns() // 1000


def _rank():
    text = os.environ.get("RANK", "0")
    return int(text) if text.isdigit() else 0
