# SPDX-License-Identifier: Apache-2.0
"""What the agent needs of torch, computing nothing, so that its rules are tested where Python has no torch.

Memory is a number that `allocate` and `free` move. version.py is written by the test.
"""

from . import _C, amp, autograd, compiler, cuda, nn, optim, version  # noqa: F401
from .version import __version__  # noqa: F401


class Tensor:
    def backward(self):
        autograd.backward(self)


def is_grad_enabled():
    return True


def save(thing, path):
    del thing, path


def allocate(size):
    cuda._lazy_init()
    _C.move(size)


def free(size):
    _C.move(-size)

