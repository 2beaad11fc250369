# SPDX-License-Identifier: Apache-2.0
"""Numbers that operators take as tensors.

`x + 1` gives the operator a tensor that is marked as a number, so that it does not decide the result's dtype. Kernels in Python get
the number instead, and cannot hand it on. Autograd gives such a tensor back as it was saved; it can do so before our kernels stand
in its way, so that a stock of them is made then and filled with the numbers that come."""

import ctypes

import torch

_NUMBERS = (bool, int, float, complex)
_HOW_MANY = 256


class _Stock:
    """Tensors for numbers of one type, the one that was used first taken again when all are."""

    def __init__(self, number, c_type):
        # With the default dtype, which is the script's, a complex product may have no kernel.
        one = torch.ones((), dtype=torch.float64, device="cpu", requires_grad=True)
        self._tensors = [torch.mul(one, number).grad_fn._saved_other for _ in range(_HOW_MANY)]
        self._places = [(c_type * 2).from_address(tensor.data_ptr()) for tensor in self._tensors]
        self._found = {}
        self._next = 0

    def tensor(self, number):
        key = repr(number) if number == 0 else number  # 0.0 and -0.0 are equal
        found = self._found.get(key)
        return self._filled(key, number) if found is None else self._tensors[found]

    def _filled(self, key, number):
        at, self._next = self._next, (self._next + 1) % _HOW_MANY
        self._found = {old: i for old, i in self._found.items() if i != at}
        self._found[key] = at
        place = self._places[at]
        place[0] = number.real if isinstance(number, complex) else number
        if isinstance(number, complex):
            place[1] = number.imag
        return self._tensors[at]


def _stocks():
    with torch.inference_mode(False), torch.enable_grad():
        return {
            bool: _Stock(True, ctypes.c_bool),
            int: _Stock(1, ctypes.c_int64),
            float: _Stock(1.0, ctypes.c_double),
            complex: _Stock(1j, ctypes.c_double),
        }


_stock_of = _stocks()


def positions_of_tensors(operator):
    """None for operators of one tensor: that is never a number."""
    found = [i for i, argument in enumerate(operator._schema.arguments) if str(argument.type) == "Tensor" and not argument.kwarg_only]
    return found if len(found) > 1 else []


def with_tensors(args, positions):
    """The arguments with tensors for numbers in these positions."""
    for i in positions:
        if i < len(args) and isinstance(args[i], _NUMBERS):
            return [_as_tensor(a) if j in positions and isinstance(a, _NUMBERS) else a for j, a in enumerate(args)]
    return args


def _as_tensor(number):
    return _stock_of[type(number)].tensor(number)


def as_tensor(value):
    return _as_tensor(value) if isinstance(value, _NUMBERS) else value
