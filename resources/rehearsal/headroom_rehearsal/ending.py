# SPDX-License-Identifier: Apache-2.0
"""How a process ends: by itself, by an exception, by os._exit, or by us once it has shown enough."""

import atexit
import os
import signal
import sys
import traceback

LOST_POWER = 128 + signal.SIGKILL


class Ending:
    def __init__(self, process):
        self._process = process
        self._leave = os._exit
        self._code = 0
        self._pid_told = None

    def hear(self):
        atexit.register(self.tell_of_exit)
        os._exit = self._left
        exit_by_sys = sys.exit

        def remembered_exit(status=None):
            self._code = 0 if status is None else status if isinstance(status, int) else 1
            exit_by_sys(status)

        sys.exit = remembered_exit

    def after_steps(self):
        """As on loss of power: no finally, no atexit. Ends even as the first process of a namespace, which no signal does."""
        self._tell("steps", None, None, end=False)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass  # closed or broken by the script
        os.kill(os.getpid(), signal.SIGKILL)
        self._leave(LOST_POWER)

    def tell_of_exit(self):
        error = getattr(sys, "last_value", None)
        if error is None:
            self._tell("exit", self._code, None, end=True)
        else:
            text = "".join(traceback.format_exception_only(type(error), error)).strip()
            self._tell("exception", 1, text, end=False, error=error)

    def _left(self, status):
        self._tell("exit", status, None, end=status == 0)
        self._leave(status)

    def _tell(self, reason, code, text, end, error=None):
        if self._pid_told == os.getpid() or self._is_silent():
            return
        self._pid_told = os.getpid()
        watch, values = self._process.watch, self._process.values
        if watch is not None:
            self._try(lambda: watch.end(end, error))
        if values is not None:
            self._try(values.tally)
        self._try(self._write_versions)
        self._process.records.write("end", reason=reason, exit_code=code, exception=text)

    def _write_versions(self):
        from headroom_rehearsal.versions import loaded_versions

        self._process.records.write("libraries", **loaded_versions(self._process.torch))

    def _try(self, part):
        """Each for itself: what one part cannot say does not keep the others from it."""
        try:
            part()
        except Exception:
            from headroom_rehearsal.process import tell_of_fault

            tell_of_fault(self._process.records)

    def _is_silent(self):
        """Workers of multiprocessing and forked children that never used the card."""
        if self._process.watch is not None:
            return False
        module = sys.modules.get("multiprocessing.process")
        is_worker = module is not None and module.parent_process() is not None
        return is_worker or os.getpid() != self._process.pid
