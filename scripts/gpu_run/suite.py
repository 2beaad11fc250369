# SPDX-License-Identifier: Apache-2.0
"""One suite while it runs: its cases, within its limit."""

import concurrent.futures
import dataclasses
import fnmatch
import json
import pathlib
import time

# A record of a trial ends as it should with these (docs/contract.md); the others are failures.
GOOD_OUTCOMES = ("completed", "out_of_memory")
# `headroom run`: 4 means that a trial carries a flag, which is in its record.
RUN_ENDS_WELL = (0, 4)


@dataclasses.dataclass
class Setting:
    """What all suites of a run share."""
    pack: object
    device: str
    against: str  # the simulated device that `device` is compared with; "" where none is alike
    jobs: int
    trials: int
    seed: int
    only: str  # pattern of case names
    torch: pathlib.Path
    torch_version: str
    output: pathlib.Path
    scratch: pathlib.Path
    environment: dict
    processes: object

    @property
    def is_cuda(self):
        return self.device.startswith("cuda")


class Suite:
    """Cases are given to the results as they end. What the limit leaves no time for is cut short, not forgotten."""

    def __init__(self, setting, results, limit):
        self.setting = setting
        self.results = results
        self.limit = limit
        self._end = time.monotonic() + limit

    def left(self):
        return self._end - time.monotonic()

    def wanted(self, case):
        return fnmatch.fnmatchcase(case, self.setting.only)

    def headroom(self, *arguments):
        return [self.setting.pack.program("headroom"), *arguments]

    def begin(self, case):
        """Whether there is time for one more case; says so in the results where there is none."""
        if not self.wanted(case):
            return False
        if self.left() > 0:
            return True
        self.results.add(case, "cut_short", reason=f"not begun: the limit of the suite, {self.limit:.0f} s, was over")
        return False

    def run(self, case, command, on_line=None, limit=None, variables=None):
        """The command of a case, within what is left; nothing is added to the results."""
        seconds = self.left() if limit is None else min(limit, self.left())
        return self.setting.processes.run(f"{self.results.suite}/{case}", command, seconds,
                                          {**self.setting.environment, **(variables or {})}, on_line, self.setting.scratch)

    def ended(self, case, ended, well=(0,), **more):
        """Adds a case by how its command ended."""
        outcome = "cut_short" if ended.timed_out else "passed" if ended.code in well else "failed"
        reason = None if outcome == "passed" else ended.problem()
        self.results.add(case, outcome, seconds=round(ended.seconds, 3), exit_code=ended.code, reason=reason, **more)
        return outcome == "passed"

    def trials(self, case, *arguments, check=None, title=None):
        """`headroom run` with these arguments: a line for each trial, under `title` if it is not the case's, and one for
        the command."""
        if not self.begin(case):
            return
        workspace = self.setting.scratch / (case.replace(" ", "-").replace("/", "-") + ".db")
        command = self.headroom("run", *arguments, "--format", "jsonl", "--workspace", workspace)
        ended = self.run(case, command, lambda line: self._trial(title or case, line, check))
        self.ended(case, ended, RUN_ENDS_WELL)

    def records(self, case, command):
        """A command that prints records of its own as JSON lines."""
        if self.begin(case):
            self.ended(case, self.run(case, command, lambda line: self._record(case, line)))

    def side_by_side(self, tasks):
        """Carries out tasks without arguments, several at a time."""
        with concurrent.futures.ThreadPoolExecutor(self.setting.jobs) as pool:
            for done in [pool.submit(task) for task in tasks]:
                done.result()

    def _record(self, case, line):
        record = parsed(line)
        if record is not None:
            self.results.note(case, record=record)
        return record is not None

    def _trial(self, case, line, check):
        record = parsed(line)
        if record is None or record.get("schema") != "headroom.trial/1":
            return self._record(case, line)
        outcome, reason = outcome_of(record, check)
        self.results.add(f"{case}: {record['label']}", outcome, reason=reason, trial=record)
        return True


def parsed(line):
    """The JSON object of a line, or None."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def outcome_of(record, check):
    """(outcome, reason) of a trial's record; `check` returns what is wrong with one that ran, or None."""
    if record["outcome"] == "skipped":
        return "skipped", record["reason"]
    if record["outcome"] == "cancelled":  # by a limit or an interruption of gpu-run
        return "cut_short", record["reason"]
    if record["outcome"] not in GOOD_OUTCOMES:
        return "failed", f"{record['outcome']}: {record['reason']}"
    problem = check(record) if check else None
    return ("failed", problem) if problem else ("passed", None)
