# SPDX-License-Identifier: Apache-2.0
"""The largest that was ever taken of each device, whatever a script resets, and within each step.

Steps are told apart by resetting torch's own peaks at their borders; scripts are shown theirs all the same.
"""


class DevicePeaks:
    def __init__(self, index):
        self.index = index
        self.run = {"allocated": 0, "active": 0, "reserved": 0}
        self.step = {"allocated": 0, "reserved": 0}
        self.at = (0, "load")
        self.hidden = {}  # peaks since the script's last reset that torch has forgotten for us
        self.dropped = {"num_alloc_retries": 0, "num_ooms": 0}  # counts that the script has reset
        self.counts = dict(self.dropped)
        self.now = {"allocated": 0, "reserved": 0}

    def note(self, stats, at):
        seen = {name: stats[name + "_bytes"]["all"]["peak"] for name in self.run}
        if seen["allocated"] > self.run["allocated"]:
            self.at = at
        for name, value in seen.items():
            self.run[name] = max(self.run[name], value)
        for name in self.step:
            self.step[name] = max(self.step[name], seen[name])
        for name in self.counts:
            self.counts[name] = self.dropped[name] + stats[name]
        self.now = {name: stats[name + "_bytes"]["all"]["current"] for name in self.now}

    def record(self):
        step, phase = self.at
        return {"device": self.index, "allocated_bytes": self.run["allocated"], "active_bytes": self.run["active"],
                "reserved_bytes": self.run["reserved"], "step": step, "phase": phase,
                "retries": self.counts["num_alloc_retries"], "ooms": self.counts["num_ooms"]}


def merge_peaks(stats, hidden):
    """The larger peak of each, into stats; both as torch nests them."""
    for name, value in hidden.items():
        if isinstance(value, dict):
            merge_peaks(stats.setdefault(name, {}), value)
        elif name == "peak":
            stats[name] = max(stats.get(name, 0), value)


class Peaks:
    """Takes the place of the functions by which torch reads and resets its statistics."""

    def __init__(self, torch, count):
        self._torch = torch
        self._count = count
        self._read = torch._C._cuda_memoryStats
        self._reset = torch._C._cuda_resetPeakMemoryStats
        self._clear = torch._C._cuda_resetAccumulatedMemoryStats
        self._now = (0, "load")
        self.devices = {}

    def install(self):
        native = self._torch._C
        native._cuda_memoryStats = self._shown
        native._cuda_resetPeakMemoryStats = self._reset_by_script
        native._cuda_resetAccumulatedMemoryStats = self._clear_by_script
        # From 2.9 on scripts may ask the accelerator instead, which is the same device.
        for name, by_script in (("_accelerator_getDeviceStats", self._shown),
                                ("_accelerator_resetPeakStats", self._reset_by_script),
                                ("_accelerator_resetAccumulatedStats", self._clear_by_script)):
            if hasattr(native, name):
                setattr(native, name, by_script)

    def note(self, at=None):
        """What came up to now happened at (step, phase); from now on it is `at`."""
        for device in range(self._count):
            self._note(device)
        if at is not None:
            self._now = at

    def begin_step(self, at):
        self.note(at)
        for device, peaks in self.devices.items():
            merge_peaks(peaks.hidden, self._read(device))
            self._reset(device)
            peaks.step = dict.fromkeys(peaks.step, 0)
            peaks.note(self._read(device), at)

    def of_step(self):
        """Of the device that took most."""
        steps = [peaks.step for peaks in self.devices.values()]
        return {name + "_bytes": max([step[name] for step in steps], default=0) for name in ("allocated", "reserved")}

    def now(self):
        """What the device with most of it holds, when it was last noted."""
        fullest = max((peaks.now for peaks in self.devices.values()), key=lambda held: held["reserved"], default={})
        return {name + "_bytes": value for name, value in fullest.items()}

    def _note(self, device):
        stats = self._read(device)
        if device in self.devices or stats["reserved_bytes"]["all"]["peak"] > 0 or stats["num_ooms"] > 0:
            self.devices.setdefault(device, DevicePeaks(device)).note(stats, self._now)

    def _shown(self, device):
        stats = self._read(device)
        if device in self.devices:
            merge_peaks(stats, self.devices[device].hidden)
        return stats

    def _reset_by_script(self, device):
        self._note(device)
        if device in self.devices:
            self.devices[device].hidden = {}
        return self._reset(device)

    def _clear_by_script(self, device):
        self._note(device)
        if device in self.devices:
            self.devices[device].dropped = dict(self.devices[device].counts)
        return self._clear(device)
