# SPDX-License-Identifier: Apache-2.0
"""What is watched in a process from its first use of the card on."""

from headroom_rehearsal import frames
from headroom_rehearsal.calls import Calls
from headroom_rehearsal.history import History
from headroom_rehearsal.peaks import Peaks
from headroom_rehearsal.phases import Phases
from headroom_rehearsal.steps import Steps

NO_PEAKS = ("allocated_bytes", "active_bytes", "reserved_bytes", "step", "phase", "retries", "ooms")


class Watch:
    def __init__(self, process):
        self._process = process
        torch, self._records = process.torch, process.records
        count = torch.cuda.device_count()
        backend = torch.cuda.get_allocator_backend()
        self._records.write("device", count=count, name=torch.cuda.get_device_name(0), backend=backend)
        self._is_native = backend == "native"
        self.history = History(torch, self._records)
        self.calls = Calls(self._records)
        self.peaks = Peaks(torch, count if self._is_native else 0)
        self.phases = Phases(torch, self._records, lambda phase: self.steps.entering(phase))
        self.steps = Steps(torch, self._records, self.peaks, self.phases)
        self.steps.at_limit = process.ending.after_steps
        self.phases.steps = lambda: self.steps.count
        self.phases.held = self.peaks.now
        self.history.annotations = self.phases.annotations

    def begin(self):
        if self._is_native:
            self.history.begin()
            self.peaks.install()
        self.calls.install()
        self.phases.install()
        self.steps.install()

    def end(self, ended_by_itself, error):
        self.calls.end()
        self._tell_of_failure(error)
        if self._is_native:
            self.steps.write_peaks()
            self._write_snapshot(error)
        else:
            self._records.write("peak", device=0, **dict.fromkeys(NO_PEAKS))
        self._records.write("covered", steps=self.steps.count, evaluation=self.phases.evaluated,
                            saving=self.phases.saved, end=ended_by_itself, launches=self.calls.launches())

    def _tell_of_failure(self, error):
        """Other allocators, and CUDA's own libraries, run out of memory without a word to torch's."""
        if error is not None and is_out_of_memory(error) and self.history.last_failure is None:
            self._records.write("out_of_memory", requested_bytes=None, free_bytes=None, where=frames.of_error(error))

    def _write_snapshot(self, error):
        """Where out of memory ended it, the snapshot of that moment says more."""
        if error is not None and is_out_of_memory(error) and self.history.last_failure is not None:
            return
        largest = max(self.peaks.devices.values(), key=lambda peaks: peaks.run["allocated"], default=None)
        self.history.write_snapshot(0 if largest is None else largest.index)


def is_out_of_memory(error):
    return "OutOfMemory" in type(error).__name__ or "out of memory" in str(error)
