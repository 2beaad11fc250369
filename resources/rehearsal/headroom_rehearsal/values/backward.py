# SPDX-License-Identifier: Apache-2.0
"""Computing is off while autograd's own nodes run, and on in what they call of Python's: functions with a backward of their own, and
hooks of saved tensors, by which checkpointing computes a forward again."""

import functools

import torch

from .dispatch import turned


def watch() -> None:
    run = _turning(torch.autograd.graph._engine_run_backward, False)
    torch.autograd.graph._engine_run_backward = run
    torch.autograd._engine_run_backward = run
    node = torch.autograd.function.BackwardCFunction
    node.apply = _turning(node.apply, True)
    hooks = torch.autograd.graph.saved_tensors_hooks
    begin = hooks.__init__

    @functools.wraps(begin)
    def with_hooks(self, pack_hook, unpack_hook):
        begin(self, pack_hook, _turning(unpack_hook, True))

    hooks.__init__ = with_hooks


def _turning(function, is_on):
    @functools.wraps(function)
    def call(*args, **kwargs):
        with turned(is_on):
            return function(*args, **kwargs)

    return call
