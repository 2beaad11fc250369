# SPDX-License-Identifier: Apache-2.0
"""Runs commands under a limit, hands on their lines as they come, and leaves none of them behind."""

import collections
import dataclasses
import os
import signal
import subprocess
import threading
import time

TAIL_LINES = 40
SECONDS_TO_END_WELL = 5  # after SIGTERM, in which `headroom run` keeps what it has


class Stopped(Exception):
    """The run was interrupted."""


@dataclasses.dataclass
class Ended:
    """How a command ended. `code` is negative where a signal ended it."""
    code: int
    seconds: float
    timed_out: bool
    output: str  # standard output, whole
    tail: str  # the last lines of standard error, or else of standard output

    def problem(self):
        """What went wrong in words; empty where it ended with 0."""
        if self.timed_out:
            return f"not done after {self.seconds:.0f} s"
        if self.code == 0:
            return ""
        how = f"signal {-self.code} ({signal.Signals(-self.code).name})" if self.code < 0 else f"exit code {self.code}"
        return f"{how}: {self.tail}" if self.tail else how


class Processes:
    """The commands that are running. For several threads."""

    def __init__(self, log):
        self._log = log
        self._lock = threading.RLock()  # a signal may come while it is held
        self._running = set()
        self._stopped = False

    def run(self, name, command, seconds, environment, on_line=None, folder=None):
        """Runs a command for at most `seconds`. `on_line` is given each line of standard output, without its end."""
        self._log.write(name, "$ " + " ".join(str(word) for word in command))
        begin = time.monotonic()
        try:
            process = self._start(command, environment, folder)
        except OSError as error:
            return Ended(127, 0.0, False, "", f"{command[0]}: {error.strerror}")
        output, errors = [], collections.deque(maxlen=TAIL_LINES)
        readers = [threading.Thread(target=self._read, args=(name, process.stdout, output.append, on_line)),
                   threading.Thread(target=self._read, args=(name, process.stderr, errors.append, None))]
        for reader in readers:
            reader.start()
        if self._stopped:  # since it was started
            _end(process)
        timed_out = self._wait(process, seconds)
        for reader in readers:
            reader.join(SECONDS_TO_END_WELL)
        with self._lock:
            self._running.discard(process)
        if self._stopped:
            raise Stopped
        tail = "\n".join(errors) or "\n".join(output[-TAIL_LINES:])
        return Ended(process.returncode, time.monotonic() - begin, timed_out, "\n".join(output), tail)

    def stop(self):
        """Ends all commands and starts no more; each `run` then raises Stopped."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            _signal(process, signal.SIGTERM)
        for process in running:
            _end(process)

    def _start(self, command, environment, folder):
        with self._lock:
            if self._stopped:
                raise Stopped
            process = subprocess.Popen([str(word) for word in command], env=environment, cwd=folder,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       text=True, errors="replace", start_new_session=True)
            self._running.add(process)
            return process

    def _read(self, name, stream, keep, on_line):
        with stream:
            for line in stream:
                line = line.rstrip("\n")
                keep(line)
                if on_line is None or not on_line(line):
                    self._log.write(name, line)

    @staticmethod
    def _wait(process, seconds):
        try:
            process.wait(timeout=max(seconds, 0.1))
            return False
        except subprocess.TimeoutExpired:
            _end(process)
            return True


def _signal(process, sign):
    try:
        os.killpg(process.pid, sign)
    except ProcessLookupError:
        pass


def _end(process):
    """Asks the process and what it started to end, and kills them where they do not."""
    for sign, patience in ((signal.SIGTERM, SECONDS_TO_END_WELL), (signal.SIGKILL, None)):
        _signal(process, sign)
        try:
            process.wait(timeout=patience)
            return
        except subprocess.TimeoutExpired:
            continue
