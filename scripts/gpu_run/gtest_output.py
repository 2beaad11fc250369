# SPDX-License-Identifier: Apache-2.0
"""Reads what a GoogleTest program prints, line by line: a case is known as soon as it has ended."""

import re

ENDED = re.compile(r"\[\s+(OK|FAILED|SKIPPED)\s+\] (\S+?)(?:, where .*)? \((\d+) ms\)$")
BEGAN = re.compile(r"^\[ RUN      \] (\S+)$")
OUTCOMES = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}
MOST_REASON_LINES = 40


class TestOutput:
    """Calls `ended(name, outcome, seconds, reason)` for each case; the reason is what it printed, where it did not pass."""

    def __init__(self, ended):
        self._ended = ended
        self.running = None  # the case that began and has not ended
        self.cases = 0
        self._lines = []

    def add(self, line):
        if began := BEGAN.match(line):
            self.running, self._lines = began.group(1), []
        elif (end := ENDED.search(line)) and self.running:
            self.cases += 1
            self.running = None
            outcome = OUTCOMES[end.group(1)]
            self._ended(end.group(2), outcome, int(end.group(3)) / 1000, "" if outcome == "passed" else self._reason())
        elif self.running:
            self._lines.append(line)

    def finish(self, problem, outcome):
        """The program is gone: a case that had begun ended with it."""
        if self.running:
            self.cases += 1
            self._ended(self.running, outcome, None, "\n".join(filter(None, [self._reason(), problem])))
            self.running = None

    def _reason(self):
        return "\n".join(self._lines[-MOST_REASON_LINES:])


def cases_of(listing):
    """Names of all cases from --gtest_list_tests."""
    cases, suite = [], ""
    for line in listing.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            cases.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return [case for case in cases if "DISABLED_" not in case]
