# SPDX-License-Identifier: Apache-2.0
"""Computes on the host what a kernel of the card would have written, where all that it reads is known."""

import torch

from .dispatch import AFTER_COMPUTING, HOST, PLAIN, Written, flat, is_for_card, is_plain, turned, without_modes
from .known import COMPUTED, UNKNOWN, forget, how_known, joined, remember
from .operators import FILLS, RANDOM, base_name
from .scalars import positions_of_tensors, with_tensors

# Elements. Values that programs branch on are small; more would cost more time than it is worth.
LARGEST = 4 << 20
LARGEST_FLOATS = 1 << 20


def is_small(tensor) -> bool:
    return tensor.numel() <= (LARGEST_FLOATS if tensor.is_floating_point() or tensor.is_complex() else LARGEST)


def how_tensor(tensor):
    """UNKNOWN also for what has no storage and what is too large to be computed with."""
    if type(tensor) not in PLAIN:
        return UNKNOWN
    try:
        how = how_known(tensor)
        return how if how is UNKNOWN or is_small(tensor) else UNKNOWN
    except (NotImplementedError, RuntimeError):
        return UNKNOWN


def how_all(values):
    """How what these arguments determine is known: what lies on the host always is."""
    how = COMPUTED
    for value in values:
        if isinstance(value, torch.Tensor):
            one = how_tensor(value) if value.is_cuda else COMPUTED
        elif isinstance(value, (list, tuple)):
            one = how_all(value)
        else:
            continue
        if one is UNKNOWN:
            return UNKNOWN
        if one != how:
            how = joined(how, one)
    return how


def forget_all(tensors) -> None:
    for tensor in tensors:
        if tensor.is_cuda and is_plain(tensor):
            try:
                forget(tensor)
            except (NotImplementedError, RuntimeError):
                pass  # sparse: it has no storage of its own


def _begins_with_number(operator) -> bool:
    arguments = operator._schema.arguments
    return bool(arguments) and arguments[0].type.kind() == "NumberType"


def _alone(operator):
    """Calls an operator whose own kernel makes a tensor of its number, on the card and marked as a number (pow(2, x)): kernels in
    Python cannot be given that, so what it calls in turn does not come to ours. Its result is judged as a whole."""

    def redispatch(keyset, *args, **kwargs):
        with turned(False):
            return operator.redispatch(keyset, *args, **kwargs)

    return redispatch


class Call:
    """One call of an operator, with what it means for values."""

    def __init__(self, operator):
        self.operator = operator
        self.redispatch = _alone(operator) if _begins_with_number(operator) else operator.redispatch
        self.base = base_name(operator)
        self.written = Written(operator)
        self.tensor_positions = positions_of_tensors(operator)
        # Its result does not depend on what was there.
        self.overwrites = self.written.is_out or self.base in FILLS or self.base in RANDOM

    def inputs(self, args, kwargs):
        """The arguments that a result depends on."""
        if not self.overwrites:
            return [*args, *kwargs.values()]
        kept = [a for i, a in enumerate(args) if i not in self.written.positions]
        return kept + [a for name, a in kwargs.items() if name not in self.written.names]

    def outputs(self, args, kwargs, result):
        if self.written:
            return self.written.pick(args, kwargs)
        return list(flat(result if isinstance(result, (list, tuple)) else [result]))

    def on_host(self, card, args, kwargs, stand_in=None):
        """The arguments, each tensor of the card's as one of the host; `stand_in` makes those that are not known."""
        written = self.written

        def host(value, is_overwritten):
            if isinstance(value, torch.Tensor):
                return self._host_tensor(card, value, is_overwritten, stand_in) if value.is_cuda else value
            if isinstance(value, (list, tuple)):
                return [host(v, is_overwritten) for v in value]
            return torch.device("cpu") if isinstance(value, torch.device) else value

        overwrites = self.overwrites
        return (
            [host(a, overwrites and i in written.positions) for i, a in enumerate(args)],
            {name: host(a, overwrites and name in written.names) for name, a in kwargs.items()},
        )

    @staticmethod
    def _host_tensor(card, tensor, is_overwritten, stand_in):
        if is_overwritten:
            return torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu")
        if stand_in is not None and how_tensor(tensor) is UNKNOWN:
            return stand_in(tensor)
        return card.fetch(tensor)


def put(card, outputs, values, how) -> None:
    """Writes results; what has another shape or is too large is not known."""
    for output, value in zip(outputs, values):
        if output is None or not output.is_cuda or not is_plain(output):
            continue
        if how is not UNKNOWN and output.shape == value.shape and output.numel() <= LARGEST:
            card.store(output, value)
            remember(output, how)
        else:
            forget_all([output])


def host_results(call, args, kwargs):
    """What the host's kernel makes of these arguments of the host; None where it refuses them."""
    try:
        result = call.operator.redispatch(HOST, *args, **kwargs)
    except (RuntimeError, IndexError, ValueError, NotImplementedError, TypeError):
        return None
    return call.outputs(args, kwargs, result)


_PLACED = {  # How a mask gets true wherever the operator writes.
    "scatter": lambda mask, dim, index, *_: mask.scatter_(dim, index, True),
    "index_copy": lambda mask, dim, index, *_: mask.index_fill_(dim, index, True),
    "_index_put_impl_": lambda mask, indices, *_: mask.index_put_(indices, torch.ones((), dtype=torch.bool, device="cpu")),
}


def how_placed(call, card, args, kwargs):
    """How the result of an operator that writes where it is told is known if it writes everywhere, whatever was there: so permutations are
    inverted."""
    place, how = _PLACED.get(call.base), how_all([*args[1:], *kwargs.values()])
    accumulates = "reduce" in kwargs or kwargs.get("accumulate") or (call.base == "_index_put_impl_" and True in args[3:4])
    if place is None or how is UNKNOWN or accumulates or call.written.is_out or not (is_plain(args[0]) and is_small(args[0])):
        return UNKNOWN
    with without_modes():
        (_, *host_args), _ = call.on_host(card, [None, *args[1:]], {})
        mask = torch.zeros(args[0].shape, dtype=torch.bool, device="cpu")
        return how if bool(place(mask, *host_args).all()) else UNKNOWN


def is_capturing() -> bool:
    # What a graph computes is computed when it is launched, which nobody sees here.
    return torch._C._cuda_isCurrentStreamCapturing()


def computed_kernel(call, values, rule=None):
    """The operator, and its values where they are known; `rule` makes those of floats that are not."""
    redispatch, positions = call.redispatch, call.tensor_positions
    overwrites, writes, places = call.overwrites, bool(call.written), call.base in _PLACED

    def kernel(keyset, *args, **kwargs):
        if positions:
            args = with_tensors(args, positions)
        if not is_for_card(keyset):
            return redispatch(keyset & AFTER_COMPUTING, *args, **kwargs)
        how = how_all(call.inputs(args, kwargs) if overwrites or kwargs else args)
        if how is UNKNOWN and places:
            how = how_placed(call, values.card, args, kwargs)
        if how is not UNKNOWN:
            return values.compute(call, how, keyset & AFTER_COMPUTING, args, kwargs)
        result = redispatch(keyset & AFTER_COMPUTING, *args, **kwargs)
        if writes:
            forget_all(call.written.pick(args, kwargs))
        if rule is not None:
            values.follow(rule, call, args, kwargs, result)
        return result

    return kernel


def ruled_kernel(call, values, rule):
    """An operator whose values follow a rule, whatever is known of what it reads."""
    redispatch, positions = call.redispatch, call.tensor_positions

    def kernel(keyset, *args, **kwargs):
        args = with_tensors(args, positions)
        result = redispatch(keyset & AFTER_COMPUTING, *args, **kwargs)
        if is_for_card(keyset):
            forget_all(call.written.pick(args, kwargs))
            values.follow(rule, call, args, kwargs, result)
        return result

    return kernel


def forgetting_kernel(call):
    """An operator that writes into what it is given, and is not computed."""
    redispatch, positions = call.redispatch, call.tensor_positions

    def kernel(keyset, *args, **kwargs):
        args = with_tensors(args, positions)
        result = redispatch(keyset & AFTER_COMPUTING, *args, **kwargs)
        if is_for_card(keyset):
            forget_all(call.written.pick(args, kwargs))
        return result

    return kernel
