# SPDX-License-Identifier: Apache-2.0
"""Operators that take others, which PyTorch dispatches in Python: loaded before and after our package."""

import json

import torch
from torch._ops import HigherOrderOperator
from torch._prims.rng_prims import run_and_save_rng_state, run_with_rng_state

from compared_with_host import Records
from headroom_rehearsal import values

values.install(Records())


class Twice(HigherOrderOperator):
    def __init__(self):
        super().__init__("headroom_twice")

    def __call__(self, function, *arguments):
        return super().__call__(function, *arguments)


twice = Twice()
twice.py_impl(torch._C.DispatchKey.AutogradCUDA)(lambda function, *arguments: function(*arguments) * 2)

numbers = torch.tensor([2, 3]).cuda()
state, product = run_and_save_rng_state(torch.ops.aten.mul.Tensor, numbers, numbers)
again = run_with_rng_state(state, torch.ops.aten.mul.Tensor, numbers, numbers)
print(json.dumps([product.tolist(), again.tolist(), twice(torch.square, numbers).tolist()]))
