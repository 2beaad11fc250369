# SPDX-License-Identifier: Apache-2.0
"""Operators of other libraries: of what their own kernels write nobody hears, also where it goes into a tensor that was filled before
and would be taken for known."""

import torch

from .compute import forget_all, put
from .dispatch import AFTER_COMPUTING, COMPUTING, Library, Written, is_for_card, overload_of, turned, without_modes
from .reads import assuming

# Those whose kernels are PyTorch's, or are looked after elsewhere.
_OURS = ("aten", "c10d", "_c10d_functional", "fsdp", "prim", "prims")
_CHOOSING = ("torchvision::nms",)  # They keep some of what they are given, by floats.


class Foreign:
    """Kernels before theirs: at once for the operators that there are, and for those of libraries that are loaded later."""

    def __init__(self, values):
        self._values = values
        self._libraries = {}
        self._seen = set()
        self._replace_all()
        load = torch.ops.load_library

        def load_library(path):
            load(path)
            self._replace_all()

        torch.ops.load_library = load_library

    def _replace_all(self):
        for name in torch._C._dispatch_get_all_op_names():
            space = name.partition("::")[0]
            if space not in _OURS and name not in self._seen and _is_compiled(name):
                self._replace(name, space)

    def _replace(self, name, space):
        try:
            operator = overload_of(name)
        except (AttributeError, RuntimeError):
            return  # a kernel of an operator that nobody has declared
        self._seen.add(name)
        if space not in self._libraries:
            self._libraries[space] = Library(COMPUTING, space)
        self._libraries[space].replace(operator, self._kernel(operator))

    def _kernel(self, operator):
        if operator._schema.name in _CHOOSING:
            return choosing_kernel(operator, self._values)
        return foreign_kernel(operator)


def _is_compiled(name) -> bool:
    """Whether its kernel for the card is none in Python, which is made of operators that come through by themselves."""
    if not torch._C._dispatch_has_kernel_for_dispatch_key(name, "CUDA"):
        return False
    lines = torch._C._dispatch_dump(name).splitlines()
    return any(line.startswith("CUDA") and ".py:" not in line for line in lines)


def foreign_kernel(operator):
    written, redispatch = Written(operator), operator.redispatch

    def kernel(keyset, *args, **kwargs):
        if not is_for_card(keyset):
            return redispatch(keyset & AFTER_COMPUTING, *args, **kwargs)
        with turned(False):
            result = redispatch(keyset & AFTER_COMPUTING, *args, **kwargs)
        forget_all(written.pick(args, kwargs))
        return result

    return kernel


def choosing_kernel(operator, values):
    """Its result's size follows the rule for elements that floats put into an order."""
    foreign, name = foreign_kernel(operator), operator._schema.name.partition("::")[2]

    def kernel(keyset, *args, **kwargs):
        if not is_for_card(keyset):
            return foreign(keyset, *args, **kwargs)
        values.account.read("comparison", name)
        with values.account, assuming():
            result = foreign(keyset, *args, **kwargs)
        with without_modes():
            put(values.card, [result], [torch.arange(result.numel(), device="cpu") * _stride(args[0], result)], "comparison")
        return result

    return kernel


def _stride(given, kept) -> int:
    return max(1, given.shape[0] // max(1, kept.numel()))
