# SPDX-License-Identifier: Apache-2.0
_before, _after = [], []


def register_optimizer_step_pre_hook(hook):
    _before.append(hook)


def register_optimizer_step_post_hook(hook):
    _after.append(hook)


class Optimizer:
    def __init__(self, parameters, act=lambda: None):
        self.param_groups = [{"params": list(parameters)}]
        self.state = {}
        self._act = act

    def step(self, closure=None):
        arguments, options = (self, closure), {}
        for hook in _before:
            arguments, options = hook(self, arguments, options) or (arguments, options)
        if arguments[1] is not None:
            arguments[1]()
        self._act()
        for hook in _after:
            hook(self, arguments, options)
