# SPDX-License-Identifier: Apache-2.0
"""torch's own memory history, its snapshots, and out of memory where it is raised."""

import os

from headroom_rehearsal import frames

MOST_ENTRIES = 1000000  # a few steps of a large model take some 100,000; the oldest go first
MOST_FAILURES = 100


class History:
    def __init__(self, torch, records):
        self._torch = torch
        self._records = records
        self._folder = os.path.join(os.environ["HEADROOM_REHEARSAL"], "snapshots")
        self._snapshots = 0
        self._failures = 0
        self.annotations = lambda: []  # what is said beside torch's own: the phases
        self.last_failure = None  # what the last one asked for

    def begin(self):
        memory = self._torch.cuda.memory
        # Not "all": torch then looks at the stack when memory is freed, too, and loses the exception that is on its way then,
        # such as the one by which a checkpoint stops computing again.
        memory._record_memory_history(enabled="all", context="alloc", stacks="python", max_entries=MOST_ENTRIES)
        # A script that records on its own finds all that it wants, and must not end ours.
        memory._record_memory_history = lambda *arguments, **options: None
        self._torch._C._cuda_attach_out_of_memory_observer(self._failed)

    def write_snapshot(self, device):
        import pickle

        self._snapshots += 1
        name = "%d-%d.pickle" % (os.getpid(), self._snapshots)
        os.makedirs(self._folder, exist_ok=True)
        snapshot = self._torch.cuda.memory._snapshot()
        snapshot["external_annotations"] = list(snapshot.get("external_annotations", ())) + list(self.annotations())
        with open(os.path.join(self._folder, name), "wb") as sink:
            pickle.dump(snapshot, sink)
        self._records.write("snapshot", file=name, device=device)

    def _failed(self, device, requested, _, free):
        """Called by torch just before it raises, in whichever thread asks."""
        self._failures += 1
        self.last_failure = requested
        if self._failures > MOST_FAILURES:
            return
        self._records.write("out_of_memory", requested_bytes=requested, free_bytes=free, where=frames.here())
        if self._failures == 1:
            self.write_snapshot(device)
