# SPDX-License-Identifier: Apache-2.0
"""What a run leaves behind: a JSON line for each thing that ended, at once, and the log of all commands."""

import collections
import json
import threading
import time

SCHEMA = "headroom.gpu-run/1"
OUTCOMES = ("passed", "failed", "skipped", "cut_short")
MOST_LOG_BYTES = 12 * 1024 * 1024
MOST_LINE = 2000


class Log:
    """log.txt: the commands and what they printed, beside what is in the results."""

    def __init__(self, path):
        self._file = open(path, "w", encoding="utf-8")
        self._lock = threading.Lock()
        self._left = MOST_LOG_BYTES

    def write(self, name, line):
        line = line if len(line) <= MOST_LINE else line[:MOST_LINE] + f" ... ({len(line)} characters)"
        with self._lock:
            if self._left > 0:
                self._left -= len(line) + len(name) + 3
                text = f"[{name}] {line}" if self._left > 0 else "The log ends here: it has grown too large."
                self._file.write(text + "\n")
                self._file.flush()

    def close(self):
        self._file.close()


class SuiteResults:
    """SUITE.jsonl. The first line says what was run, the last one how it ended: without it the run was cut off."""

    def __init__(self, folder, suite, header):
        self.suite = suite
        self.counts = collections.Counter()
        self.troubles = []  # (case, outcome, reason)
        self._begin = time.monotonic()
        self._lock = threading.Lock()
        self._file = open(folder / f"{suite}.jsonl", "w", encoding="utf-8")
        self._write({"schema": SCHEMA, "suite": suite, "case": "begin", **header})

    def add(self, case, outcome, **more):
        """A case that ended. `reason` among `more` says why, where it did not pass."""
        assert outcome in OUTCOMES, outcome
        with self._lock:
            self.counts[outcome] += 1
            if outcome in ("failed", "cut_short"):
                self.troubles.append((case, outcome, more.get("reason") or ""))
        self._write({"schema": SCHEMA, "suite": self.suite, "case": case, "outcome": outcome, **more})

    def note(self, case, **more):
        """Something to keep that is no case of its own."""
        self._write({"schema": SCHEMA, "suite": self.suite, "case": case, "outcome": None, **more})

    def end(self):
        counts = {outcome: self.counts[outcome] for outcome in OUTCOMES}
        self._write({"schema": SCHEMA, "suite": self.suite, "case": "end", "outcome": self.outcome(), "counts": counts,
                     "seconds": round(time.monotonic() - self._begin, 3)})
        self._file.close()

    def outcome(self):
        for worst in ("failed", "cut_short", "passed"):
            if self.counts[worst]:
                return worst
        return "skipped"

    def summary(self):
        """Lines for people: the counts, then what did not pass."""
        counts = ", ".join(f"{self.counts[outcome]} {outcome.replace('_', ' ')}" for outcome in OUTCOMES
                           if self.counts[outcome]) or "nothing was run"
        yield f"{self.suite:9} {self.outcome().replace('_', ' '):10} {counts}"
        for case, outcome, reason in self.troubles[:20]:
            yield f"  {outcome.replace('_', ' ')}: {case}: {(reason.splitlines() or ['no reason'])[-1][:200]}"
        if len(self.troubles) > 20:
            yield f"  and {len(self.troubles) - 20} more"

    def _write(self, line):
        with self._lock:
            if not self._file.closed:
                self._file.write(json.dumps(line) + "\n")
                self._file.flush()
