# SPDX-License-Identifier: Apache-2.0
"""Values of the card that is not there, on which kernels compute nothing.

Small tensors of integers and truths are computed on the host, by rule or not known at all, and it is told which of these a program
read. `install` is called after torch was imported and before CUDA is used; `tally` counts the reads."""

import os

import torch

from . import compute, dispatch, operators, reads
from .account import Account
from .card import Card
from .known import COMPUTED, UNKNOWN
from .rules import Rules

_ASSUMPTIONS = ("balanced", "all", "none")
_installed = None


class Values:
    """What the kernels share."""

    is_capturing = staticmethod(compute.is_capturing)

    def __init__(self, records):
        assume = os.environ.get("HEADROOM_REHEARSAL_ASSUME", _ASSUMPTIONS[0])
        if assume not in _ASSUMPTIONS:
            raise ValueError(f"HEADROOM_REHEARSAL_ASSUME is {assume}, not one of {', '.join(_ASSUMPTIONS)}")
        self._assume = assume
        self.card = Card()
        self.account = Account(records)
        self.rules = Rules(self.card, self.account, assume)
        self.host_copy = torch.ops.aten.copy_.default
        self.host_fill = torch.ops.aten.fill_.Scalar
        self._libraries = []

    def compute(self, call, how, keyset, args, kwargs):
        """The card's kernel for what it asks of the allocator, the host's for the values."""
        is_known = how is not UNKNOWN and not compute.is_capturing()
        host_args, host_kwargs = call.on_host(self.card, args, kwargs) if is_known else ((), {})
        result = call.operator.redispatch(keyset, *args, **kwargs)
        outputs = call.outputs(args, kwargs, result)
        if not is_known or any(output.numel() > compute.LARGEST for output in outputs):
            compute.forget_all(outputs)
            return result
        results = compute.host_results(call, host_args, host_kwargs)
        if results is None:
            compute.forget_all(outputs)
        else:
            compute.put(self.card, outputs, results, how)
        return result

    def follow(self, rule, call, args, kwargs, result):
        if not compute.is_capturing():
            rule(call, args, kwargs, call.outputs(args, kwargs, result))

    def assumed(self, tensor):
        """A mask, or how many are chosen where that is too large to be made."""
        return self.rules.assumed_mask(tensor.shape)

    def install(self):
        library = dispatch.Library("aten")
        self._libraries.append(library)
        for operator in list(dispatch.overloads()):
            kernel = self._kernel(compute.Call(operator))
            if kernel is not None:
                library.replace(operator, kernel)

    def _kernel(self, call):
        base = call.base
        if call.operator._schema.name in _READERS:
            return _READERS[call.operator._schema.name](call, self)
        if base in operators.UNIQUES and not call.written:
            return reads.unique_kernel(call, self)
        if base in operators.SIZED_BY_OTHERS:
            name = operators.SIZED_BY_OTHERS[base]
            has_size = any(argument.name == name for argument in call.operator._schema.arguments)
            return reads.sized_kernel(call, self, name) if has_size and not call.written else None
        if base in operators.SCALER:
            return self.rules.scaler_kernel(call)
        rule = self.rules.rule_of(base)
        if base in operators.RANDOM or base == "multinomial":
            return compute.ruled_kernel(call, self, rule)
        if rule is not None or base in operators.COMPUTED or base in operators.FILLS:
            return compute.computed_kernel(call, self, rule)
        return compute.forgetting_kernel(call) if call.written else None


_READERS = {
    "aten::_local_scalar_dense": reads.item_kernel,
    "aten::copy_": reads.copy_kernel,
    "aten::nonzero": reads.nonzero_kernel,
    "aten::equal": reads.equal_kernel,
}


def install(records):
    """`records.write(name, **keys)` writes one record."""
    global _installed
    if _installed is None:
        _installed = Values(records)
        _installed.install()


def tally() -> dict:
    """How many reads of device values were computed, by rule and unknown; writes the guesses since the last call."""
    return _installed.account.tally() if _installed else {"computed": 0, "by_rule": 0, "unknown": 0}
