# SPDX-License-Identifier: Apache-2.0
"""One process that has loaded torch: what is watched from its first use of the card to its end."""

import importlib
import os
import sys
import traceback

from headroom_rehearsal.ending import Ending


class Process:
    def __init__(self, torch, records):
        self.torch = torch
        self.pid = os.getpid()
        self.records = records
        self.ending = Ending(self)
        self.watch = None  # from the first use of the card
        self.values = install_values(records)

    def wait_for_card(self):
        """torch runs what is queued when it first initialises CUDA, in whichever thread, before it allocates."""
        self.torch.cuda._queued_calls.append((self.begin, []))
        self.ending.hear()
        show_where_before(os.environ.get("HEADROOM_REHEARSAL_DEADLINE"))
        os.register_at_fork(after_in_child=self.forked)

    def begin(self):
        try:
            from headroom_rehearsal.watch import Watch

            self.watch = Watch(self)
            self.watch.begin()
        except Exception:
            tell_of_fault(self.records)

    def forked(self):
        """CUDA is lost in a child of a process that used it; others begin anew when they use it."""
        self.records.forked()
        if self.watch is not None:
            self.watch.phases.is_active = False
            self.watch = None


def show_where_before(deadline):
    """Shortly before time is over, who waits is shown in which lines the script is. Python's own watchdog waits beside it; a script that sets
    it for itself keeps it."""
    if not deadline:
        return
    import faulthandler
    import time

    left = float(deadline) - time.monotonic()
    if left > 0:
        faulthandler.dump_traceback_later(left - min(2.0, left / 10), file=2)


def tell_of_fault(records):
    """A fault of the agent is said, and the user's script goes on."""
    text = traceback.format_exc()
    sys.stderr.write("headroom rehearse: the agent failed\n" + text)
    records.write("problem", reason="agent_failed", found=text)


def install_values(records):
    """The package that computes small values, where it is there."""
    try:
        values = importlib.import_module("headroom_rehearsal.values")
    except ModuleNotFoundError as error:
        if error.name != "headroom_rehearsal.values":
            raise
        return None
    values.install(records)
    return values
