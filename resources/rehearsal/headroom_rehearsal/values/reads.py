# SPDX-License-Identifier: Apache-2.0
"""Values that the host reads: one number, a copy, and sizes that operators read for their results."""

import ctypes
import threading

import torch

from .compute import LARGEST, how_tensor, put
from .dispatch import AFTER, CARD, HOST
from .known import COMPUTED, UNKNOWN, forget, joined, remember
from .scalars import as_tensor

# The card carries copies of that many bytes by itself (profiling/rehearsal/memory/Memory.h).
_CARRIED_BYTES = 1 << 20

_expected = threading.local()


def bytes_of(number, dtype) -> bytes:
    value = torch.full((), number, dtype=dtype, device="cpu")
    return ctypes.string_at(value.data_ptr(), value.element_size())


class expecting:
    """Within, the operator that reads an unknown number on this thread gets this one."""

    def __init__(self, number):
        self._number = number

    def __enter__(self):
        _expected.number = self._number

    def __exit__(self, *_):
        _expected.number = None


def item_kernel(call, values):
    redispatch = call.operator.redispatch

    def kernel(keyset, tensor):
        if not keyset.has(CARD):
            return redispatch(keyset & AFTER, as_tensor(tensor))
        how = how_tensor(tensor)
        values.card.answer_next_read(_item(values, tensor, how))
        try:
            return redispatch(keyset & AFTER, tensor)
        finally:
            values.card.withdraw_answer()

    return kernel


def _item(values, tensor, how) -> bytes:
    expected = getattr(_expected, "number", None)
    if how is not UNKNOWN:
        values.account.read(how, "item")
        return values.card.item_bytes(tensor)
    if expected is not None:
        return bytes_of(expected, tensor.dtype)
    # A number that was not computed is 1.0, as in the rules; of whole ones nothing can be said.
    is_float = tensor.is_floating_point() or tensor.is_complex()
    values.account.read("float" if is_float else UNKNOWN, "item")
    return bytes_of(1 if is_float else 0, tensor.dtype)


def copy_kernel(call, values):
    """copy_: to the card values become known, within it they stay so, to the host they are read."""
    redispatch = call.operator.redispatch

    def kernel(keyset, destination, source, non_blocking=False):
        source = as_tensor(source)
        if not keyset.has(CARD):
            return redispatch(keyset & AFTER, destination, source, non_blocking)
        if destination.is_cuda:
            how, known = _source_values(values, source, destination)
            result = redispatch(keyset & AFTER, destination, source, non_blocking)
            _write(values, destination, source, known, how)
            return result
        if not source.is_cuda:
            return redispatch(keyset & AFTER, destination, source, non_blocking)
        with values.account:
            result = redispatch(keyset & AFTER, destination, source, non_blocking)
        _read(values, destination, source)
        return result

    return kernel


def _source_values(values, source, destination):
    """How the source is known, and its values on the host."""
    if source.is_cuda:
        how = how_tensor(source)
        if how is not UNKNOWN:
            return how, values.card.fetch(source)
        if destination.dtype == torch.bool and source.is_floating_point() and source.numel() <= LARGEST:
            return "comparison", torch.ones((), dtype=torch.bool, device="cpu")
        return UNKNOWN, None
    is_carried = destination.numel() * destination.element_size() <= _CARRIED_BYTES
    is_whole = not (destination.is_floating_point() or destination.is_complex())
    fits = is_whole and destination.numel() <= LARGEST
    return (COMPUTED, source) if (is_carried or fits) and source.layout == torch.strided else (UNKNOWN, None)


def _write(values, destination, source, known, how):
    try:
        if how is UNKNOWN or values.is_capturing():
            forget(destination)
            return
        values.card.store(destination, known)
        remember(destination, how)
    except (NotImplementedError, RuntimeError):
        pass  # sparse, or a subclass without storage


def _read(values, destination, source):
    """What the copy moved is right where the card carries it; here it is made so for all that is known."""
    how = how_tensor(source)
    if how is not UNKNOWN:
        values.account.read(how, "copy")
        values.host_copy.redispatch(HOST, destination, values.card.fetch(source))
        return
    is_float = source.is_floating_point() or source.is_complex()
    is_small = source.numel() <= LARGEST
    values.account.read("float" if is_float and is_small else UNKNOWN, "copy")
    if is_small and source.layout == torch.strided:
        values.host_fill.redispatch(HOST, destination, 1 if is_float else 0)


def nonzero_kernel(call, values):
    """The operator counts, reads the count, and makes a result of that size."""
    redispatch = call.operator.redispatch

    def kernel(keyset, tensor, **kwargs):
        if not keyset.has(CARD):
            return redispatch(keyset & AFTER, tensor, **kwargs)
        how = how_tensor(tensor)
        mask = values.card.fetch(tensor) if how is not UNKNOWN else values.assumed(tensor)
        rule = how or ("comparison" if tensor.is_floating_point() else UNKNOWN)
        values.account.read(rule, "nonzero", is_size=True)
        indices = _indices_of(mask, tensor)
        values.card.answer_next_read(bytes_of(indices.shape[0], torch.int32))
        result = redispatch(keyset & AFTER, tensor, **kwargs)
        if values.card.withdraw_answer():
            values.account.guess("unknown", "nonzero does not read its size as it is known to", size=True)
        put(values.card, [result], [indices], rule)
        return result

    return kernel


def _indices_of(mask, tensor):
    """By the host, or of the first so many where only how many is assumed."""
    if isinstance(mask, int):
        return torch.zeros((mask, tensor.dim()), dtype=torch.long, device="cpu")
    return torch.ops.aten.nonzero.default.redispatch(HOST, mask)


def unique_kernel(call, values):
    """Their results have as many elements as the operator reads from the card."""
    redispatch = call.operator.redispatch

    def kernel(keyset, tensor, *args, **kwargs):
        if not keyset.has(CARD):
            return redispatch(keyset & AFTER, tensor, *args, **kwargs)
        how = how_tensor(tensor)
        values.account.read(how, call.base, is_size=True)
        host = values.card.fetch(tensor) if how is not UNKNOWN else _all_the_same(tensor)
        results = call.operator.redispatch(HOST, host, *args, **kwargs)
        count = results[0].numel() if call.base != "unique_dim" else results[0].shape[args[0]]
        with values.account, expecting(_number_read(call.base, host, count)):
            values.card.answer_next_read(bytes_of(_number_read(call.base, host, count), torch.int32))
            outputs = redispatch(keyset & AFTER, tensor, *args, **kwargs)
            values.card.withdraw_answer()
        put(values.card, outputs, results, how)
        return outputs

    return kernel


def _all_the_same(tensor):
    return torch.zeros(tensor.shape, dtype=tensor.dtype, device="cpu")


def _number_read(base, host, count):
    # Of booleans the operator counts those that are true; which of both occur follows from it.
    return int(host.sum()) if host.dtype == torch.bool and base in ("_unique", "_unique2") else count


def sized_kernel(call, values, size_argument):
    """The operators that it is made of read the size; where they cannot know it, that is said."""
    redispatch = call.operator.redispatch
    position = [argument.name for argument in call.operator._schema.arguments].index(size_argument)

    def kernel(keyset, tensor, *args, **kwargs):
        if not keyset.has(CARD):
            return redispatch(keyset & AFTER, tensor, *args, **kwargs)
        how = how_tensor(tensor)
        given = kwargs.get(size_argument, args[position - 1] if len(args) >= position else None)
        values.account.read(how, call.base, is_size=not given)
        with values.account:
            return values.compute(call, how, keyset & AFTER, (tensor, *args), kwargs)

    return kernel


def equal_kernel(call, values):
    redispatch = call.operator.redispatch

    def kernel(keyset, one, other):
        one, other = as_tensor(one), as_tensor(other)
        if not keyset.has(CARD):
            return redispatch(keyset & AFTER, one, other)
        how = joined(how_tensor(one), how_tensor(other))
        is_equal = one is other or (how is not UNKNOWN and torch.equal(values.card.fetch(one), values.card.fetch(other)))
        floats = how is UNKNOWN and one.is_floating_point()
        values.account.read("comparison" if floats else how, "equal")
        with values.account, expecting(int(is_equal)):
            return redispatch(keyset & AFTER, one, other)

    return kernel
