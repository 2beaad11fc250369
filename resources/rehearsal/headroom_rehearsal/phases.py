# SPDX-License-Identifier: Apache-2.0
"""Which part of training a script is in, from what it calls seldom: nothing is hooked that runs for every operation."""

import functools
import sys
import time

from headroom_rehearsal.process import tell_of_fault

MOST_RECORDS = 20000
MOST_WAITS = 200  # modules called before the first that trains


class Phases:
    def __init__(self, torch, records, enter):
        """enter(phase) is called before a phase begins."""
        self._torch = torch
        self._records = records
        self._entering = enter
        self._written = 0
        self._begun = []  # (phase, steps before it, when): as the clock of torch's memory history has it
        self._seen_savers = set()
        self.is_active = True  # not in a forked child, nor after a fault
        self.current = "load"
        self.backwards = 0  # running, one within the other where checkpoints are recomputed
        self.has_backward = False  # since the last step
        self.ever_backward = False
        self.after_backward = lambda: None
        self.evaluated = False
        self.saved = False
        self.trained = lambda module: False  # whether an optimizer has parameters of it
        self.steps = lambda: 0  # that are finished
        self.held = dict  # memory at this moment, as a record has it

    def install(self):
        self._records.write("phase", phase=self.current)
        self._note()
        self._wrap_backward()
        self._await_forward()
        self._wrap_train()
        self._wrap_save()

    def guarded(self, part, *arguments):
        """Within the script's own calls: a fault of the agent ends its watch, not the script."""
        if not self.is_active:
            return None
        try:
            return part(*arguments)
        except Exception:
            self.is_active = False
            tell_of_fault(self._records)
            return None

    def enter(self, phase):
        self.guarded(self._enter, phase)

    def _enter(self, phase):
        self._wrap_other_savers()
        if phase == self.current:
            return
        self._entering(phase)
        self.current = phase
        self._note()
        self._written += 1
        if self._written <= MOST_RECORDS:
            self._records.write("phase", phase=phase, **self.held())

    def _note(self):
        if len(self._begun) < MOST_RECORDS:
            self._begun.append((self.current, self.steps(), time.time_ns() // 1000))

    def annotations(self):
        """The phases so far, in the form in which torch's snapshots have annotations, with the step of each."""
        ends = [at for _, _, at in self._begun[1:]] + [time.time_ns() // 1000]
        for (phase, step, at), end in zip(self._begun, ends):
            number = step + 1 if phase != "load" else -1
            yield {"name": phase, "stage": "START", "time_us": at, "device": 0, "step": number}
            yield {"name": phase, "stage": "END", "time_us": end, "device": 0, "step": number}

    def _wrap_backward(self):
        autograd = self._torch.autograd
        real = autograd.backward

        @functools.wraps(real)
        def backward(*arguments, **options):
            self.backwards += 1
            self.has_backward = self.ever_backward = True
            self.enter("backward")
            try:
                return real(*arguments, **options)
            finally:
                self.backwards -= 1
                if self.backwards == 0:
                    self.enter("forward")
                    self.guarded(self.after_backward)

        autograd.backward = backward

    def watched_closure(self, real):
        @functools.wraps(real)
        def closure(*arguments, **options):
            self.enter("forward")
            try:
                return real(*arguments, **options)
            finally:
                self.enter("optimizer")

        return closure

    def _await_forward(self):
        """Loading ends with the first module that is called in order to train it; then modules are as they were."""
        module = self._torch.nn.Module
        real = module.__call__
        waits = [MOST_WAITS]

        def call(self_, *arguments, **options):
            module.__call__ = real
            if self.current != "load":
                return real(self_, *arguments, **options)
            if self_.training and self._torch.is_grad_enabled():
                self.enter("forward")
                return real(self_, *arguments, **options)
            waits[0] -= 1
            try:
                return real(self_, *arguments, **options)
            finally:
                if waits[0] > 0 and self.current == "load":
                    module.__call__ = call

        module.__call__ = call

    def _wrap_train(self):
        module = self._torch.nn.Module
        real = module.train
        depth = [0]

        @functools.wraps(real)
        def train(self_, mode=True):
            if depth[0] == 0:
                self._switch(self_, mode)
            depth[0] += 1
            try:
                return real(self_, mode)
            finally:
                depth[0] -= 1

        module.train = train

    def _switch(self, module, trains):
        if trains and self.current == "evaluation":
            self.enter("forward")
        elif not trains and self.current != "evaluation" and self.trained(module):
            self.evaluated = True
            self.enter("evaluation")

    def _wrap_save(self):
        self._torch.save = self._saving(self._torch.save)

    def _wrap_other_savers(self):
        """Below what scripts have imported by name; loaded only once they need it."""
        for module_name, name in (("safetensors.torch", "serialize_file"), ("torch.distributed.checkpoint", "save")):
            module = sys.modules.get(module_name)
            if module is not None and module_name not in self._seen_savers and hasattr(module, name):
                self._seen_savers.add(module_name)
                setattr(module, name, self._saving(getattr(module, name)))

    def _saving(self, real):
        @functools.wraps(real)
        def save(*arguments, **options):
            before = self.current
            self.saved = self.saved or self.ever_backward
            self.enter("saving")
            try:
                return real(*arguments, **options)
            finally:
                self.enter(before)

        return save
