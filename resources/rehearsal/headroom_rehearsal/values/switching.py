# SPDX-License-Identifier: Apache-2.0
"""Where computing has to be turned on and off.

It is off while autograd's own nodes run, and on in what they call of Python's: functions with a backward of their own, and
hooks of saved tensors, by which checkpointing computes a forward again. On, too, in the modes of a script, where PyTorch turns off all
keys above its own for modes."""

import functools
import types

import torch
import torch.utils._python_dispatch

from .dispatch import turned

_COMPILERS = ("torch._subclasses", "torch.fx", "torch._functorch", "torch._inductor", "torch._dynamo", "torch._higher_order_ops")


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
    _watch_modes(torch.utils._python_dispatch.TorchDispatchMode)


def _watch_modes(mode_class) -> None:
    enter = mode_class.__enter__

    @functools.wraps(enter)
    def with_handler(self):
        # Modes of PyTorch's own compilers work on tensors that stand for others.
        if not type(self).__module__.startswith(_COMPILERS) and "__torch_dispatch__" not in vars(self):
            self.__torch_dispatch__ = types.MethodType(_turning(type(self).__torch_dispatch__, True), self)
        return enter(self)

    mode_class.__enter__ = with_handler


def _turning(function, is_on):
    @functools.wraps(function)
    def call(*args, **kwargs):
        with turned(is_on):
            return function(*args, **kwargs)

    return call
