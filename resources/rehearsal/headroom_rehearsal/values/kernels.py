# SPDX-License-Identifier: Apache-2.0
"""Which operator gets which kernel of ours, and what these share."""

import os

import torch

from . import collectives, compute, copies, dispatch, dynamo, operators, reads, switching
from .card import Card
from .foreign import Foreign
from .known import UNKNOWN, watch_resizing
from .rules import Rules

_ASSUMPTIONS = ("balanced", "all", "none")


class Values:
    """What the kernels share."""

    is_capturing = staticmethod(compute.is_capturing)

    def __init__(self, account):
        assume = os.environ.get("HEADROOM_REHEARSAL_ASSUME", _ASSUMPTIONS[0])
        if assume not in _ASSUMPTIONS:
            raise ValueError(f"HEADROOM_REHEARSAL_ASSUME is {assume}, not one of {', '.join(_ASSUMPTIONS)}")
        self.card = Card()
        self.account = account
        self.rules = Rules(self.card, account, assume)
        self.host_copy = torch.ops.aten.copy_.default
        self.host_fill = torch.ops.aten.fill_.Scalar

    def compute(self, call, how, keyset, args, kwargs):
        """The card's kernel for what it asks of the allocator, the host's for the values."""
        is_known = how is not UNKNOWN and not compute.is_capturing()
        if is_known:
            with dispatch.without_modes():
                host_args, host_kwargs = call.on_host(self.card, args, kwargs)
        result = call.redispatch(keyset, *args, **kwargs)
        outputs = call.outputs(args, kwargs, result)
        if not is_known or any(output.numel() > compute.LARGEST for output in outputs):
            compute.forget_all(outputs)
            return result
        with dispatch.without_modes():
            results = compute.host_results(call, host_args, host_kwargs)
            if results is None:
                compute.forget_all(outputs)
            else:
                compute.put(self.card, outputs, results, how)
        return result

    def follow(self, rule, call, args, kwargs, result):
        outputs = call.outputs(args, kwargs, result)
        if compute.is_capturing() or not all(dispatch.is_plain(output) for output in outputs):
            return
        with dispatch.without_modes():
            rule(call, args, kwargs, outputs)

    def install(self):
        dynamo.skip_ours()
        watch_resizing()
        switching.watch()
        reading = dispatch.Library(dispatch.READING)
        computing = dispatch.Library(dispatch.COMPUTING)
        self._foreign = Foreign(self)
        messages = dispatch.Library(dispatch.COMPUTING, "c10d")
        self._libraries = [reading, computing, messages]
        for operator in collectives.operators():
            messages.replace(operator, collectives.collective_kernel(operator))
        for operator in list(dispatch.overloads(operators.may_matter, _FOR_ALL_DEVICES)):
            call = compute.Call(operator)
            if (kernel := self._reading(call)) is not None:
                reading.replace(operator, kernel)
            elif (kernel := self._computing(call)) is not None:
                computing.replace(operator, kernel)

    def _reading(self, call):
        base = call.base
        if call.operator._schema.name in _READERS:
            return _READERS[call.operator._schema.name](call, self)
        if call.written:
            return None
        if base in operators.UNIQUES:
            return reads.unique_kernel(call, self)
        name = operators.SIZED_BY_OTHERS.get(base)
        has_size = name and any(argument.name == name for argument in call.operator._schema.arguments)
        return reads.sized_kernel(call, self, name) if has_size else None

    def _computing(self, call):
        base = call.base
        if call.operator._schema.name == "aten::copy_":
            return copies.copy_kernel(call, self)
        if base in operators.SCALER:
            return self.rules.scaler_kernel(call)
        rule = self.rules.rule_of(base)
        if base in operators.RANDOM or base == "multinomial":
            return compute.ruled_kernel(call, self, rule)
        if rule is not None or base in operators.COMPUTED or base in operators.FILLS:
            return compute.computed_kernel(call, self, rule)
        return compute.forgetting_kernel(call) if call.written else None


_FOR_ALL_DEVICES = ("copy_",)
_READERS = {
    "aten::_local_scalar_dense": reads.item_kernel,
    "aten::nonzero": reads.nonzero_kernel,
    "aten::equal": reads.equal_kernel,
}
