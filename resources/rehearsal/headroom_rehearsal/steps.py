# SPDX-License-Identifier: Apache-2.0
"""Borders of steps: one call of the optimizer that steps first."""

import functools
import os
import time
import weakref

from headroom_rehearsal.tensors import TensorRanges


def untraced(guarded, watch):
    """A hook that torch.compile calls as it is, where a script compiles the optimizer's step, instead of tracing it."""

    def hook(optimizer, arguments, options):
        return guarded(watch, optimizer, arguments, options)

    hook._torchdynamo_disable = True  # what torch.compiler.disable sets, without loading the compiler
    return hook


class Steps:
    def __init__(self, torch, records, peaks, phases):
        self._torch = torch
        self._records = records
        self._peaks = peaks
        self._phases = phases
        self._first = None  # weak: another one takes over where it is dropped
        self._seen = weakref.WeakSet()
        self._is_due = False  # at the end of a backward that steps by itself
        self._began = time.perf_counter()
        self._event = None
        self._ranges = TensorRanges(torch, records)
        self.count = 0
        self.limit = int(os.environ.get("HEADROOM_REHEARSAL_STEPS") or 0)
        self.at_limit = lambda: None

    def install(self):
        from torch.optim import optimizer

        optimizer.register_optimizer_step_pre_hook(untraced(self._phases.guarded, self._before_step))
        optimizer.register_optimizer_step_post_hook(untraced(self._phases.guarded, self._after_step))
        self._never_skip()
        self._phases.after_backward = self._after_backward
        self._phases.trained = self._has_parameters_of

    def _never_skip(self):
        """No kernel has looked for infinities, so what a scaler would read of them is whatever was there before."""
        scaler = self._torch.amp.grad_scaler.GradScaler

        @functools.wraps(scaler._maybe_opt_step)
        def step(self_, optimizer, state, *arguments, **options):
            return optimizer.step(*arguments, **options)

        scaler._maybe_opt_step = step

    def entering(self, phase):
        """Where the phases change: what came before belongs to the phase that ends."""
        if self._phases.current == "load":
            self._begin_step(phase)
        else:
            self._peaks.note((self.count + 1, phase))

    def _begin_step(self, phase):
        self._peaks.begin_step((self.count + 1, phase))
        self._began = time.perf_counter()
        self._event = self._event_now()

    def _before_step(self, optimizer, arguments, options):
        if self._is_unreal():
            return None
        if self._first is None or self._first() is None:
            self._first = weakref.ref(optimizer)
        self._phases.enter("optimizer")
        return self._with_watched_closure(arguments, options)

    def _with_watched_closure(self, arguments, options):
        """A closure computes the loss within the step. torch takes the arguments that a hook returns."""
        if len(arguments) > 1 and callable(arguments[1]):
            return (arguments[0], self._phases.watched_closure(arguments[1])) + arguments[2:], options
        if callable(options.get("closure")):
            return arguments, {**options, "closure": self._phases.watched_closure(options["closure"])}
        return None

    def _after_step(self, optimizer, *_):
        if self._is_unreal():
            return
        if optimizer not in self._seen:
            self._seen.add(optimizer)
            self._ranges.write(optimizer)
        is_within = self._phases.backwards > 0
        if self._first is not None and self._first() is optimizer and self._is_new():
            self._is_due = True
            if not is_within:
                self._border()
        self._phases.enter("backward" if is_within else "forward")

    def _is_new(self):
        """Some step each group of parameters by itself: one backward, one step. Who never calls backward has one a call."""
        return self._phases.has_backward or not self._phases.ever_backward

    def _after_backward(self):
        if self._is_due:
            self._border()

    def _border(self):
        self._is_due = False
        self._phases.has_backward = False
        self.count += 1
        self._peaks.note()
        event = self._event_now()
        now = time.perf_counter()
        self._records.write("step", step=self.count, host_seconds=now - self._began,
                            device_seconds=self._seconds_between(self._event, event), **self._peaks.of_step())
        self.write_peaks()
        if self.count == self.limit:
            self.at_limit()
        self._peaks.begin_step((self.count + 1, self._phases.current))
        self._began, self._event = now, event

    def write_peaks(self):
        self._peaks.note()
        for peaks in self._peaks.devices.values():
            self._records.write("peak", **peaks.record())

    def _has_parameters_of(self, module):
        stepped = {id(parameter) for optimizer in self._seen for group in optimizer.param_groups
                   for parameter in group["params"]}
        return any(id(parameter) in stepped for parameter in module.parameters())

    def _is_unreal(self):
        """Compilers trace steps, graphs record them."""
        return self._torch.compiler.is_compiling() or self._torch.cuda.is_current_stream_capturing()

    def _event_now(self):
        event = self._torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def _seconds_between(self, begin, end):
        if begin is None or begin.device != end.device:
            return None
        end.synchronize()
        return begin.elapsed_time(end) / 1000
