# SPDX-License-Identifier: Apache-2.0
"""Values that the host reads: single numbers, and sizes that operators read for their results."""

import ctypes
import threading

import torch

from .compute import how_tensor, put
from .dispatch import AFTER_READING, HOST, is_for_card, turned
from .known import GUESSED, UNKNOWN, joined
from .scalars import as_tensor

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


class assuming:
    """Within, on this thread, masks that are not known are those of floats that were put into an order."""

    def __enter__(self):
        _expected.assumes = True

    def __exit__(self, *_):
        _expected.assumes = False


def item_kernel(call, values):
    redispatch = call.operator.redispatch

    def kernel(keyset, tensor):
        if not is_for_card(keyset):
            return redispatch(keyset & AFTER_READING, as_tensor(tensor))
        how = how_tensor(tensor)
        values.card.answer_next_read(_item(values, tensor, how))
        try:
            return redispatch(keyset & AFTER_READING, tensor)
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
    # A number that was not computed is 1.0, as in the rules; of whole ones nothing can be said, and programs take sizes from them.
    is_float = tensor.is_floating_point() or tensor.is_complex()
    values.account.read("float" if is_float else UNKNOWN, "item", is_size=not is_float and tensor.dtype != torch.bool)
    return bytes_of(1 if is_float else 0, tensor.dtype)


def nonzero_kernel(call, values):
    """The operator counts, reads the count, and makes a result of that size."""
    redispatch = call.operator.redispatch

    def kernel(keyset, tensor, **kwargs):
        if not is_for_card(keyset):
            return redispatch(keyset & AFTER_READING, tensor, **kwargs)
        how = how_tensor(tensor)
        is_assumed = tensor.is_floating_point() or getattr(_expected, "assumes", False)
        rule = how or ("comparison" if is_assumed else UNKNOWN)
        values.account.read(rule, "nonzero", is_size=True)
        if how is UNKNOWN:
            indices = values.rules.assumed_indices(tensor)
        else:
            indices = torch.ops.aten.nonzero.default.redispatch(HOST, values.card.fetch(tensor))
        count = indices if isinstance(indices, int) else indices.shape[0]
        values.card.answer_next_read(bytes_of(count, torch.int32))
        result = redispatch(keyset & AFTER_READING, tensor, **kwargs)
        if values.card.withdraw_answer():
            values.account.guess("unknown", "nonzero does not read its size as it is known to", size=True)
        if not isinstance(indices, int):
            put(values.card, [result], [indices], rule)
        return result

    return kernel


def unique_kernel(call, values):
    """Their results have as many elements as the operator reads from the card."""
    redispatch = call.operator.redispatch

    def kernel(keyset, tensor, *args, **kwargs):
        if not is_for_card(keyset):
            return redispatch(keyset & AFTER_READING, tensor, *args, **kwargs)
        how = how_tensor(tensor)
        values.account.read(how, call.base, is_size=True)
        host = values.card.fetch(tensor) if how is not UNKNOWN else _zeros(tensor)
        results = call.operator.redispatch(HOST, host, *args, **kwargs)
        count = results[0].numel() if call.base != "unique_dim" else results[0].shape[args[0]]
        with values.account, expecting(_number_read(call.base, host, count)):
            values.card.answer_next_read(bytes_of(_number_read(call.base, host, count), torch.int32))
            outputs = redispatch(keyset & AFTER_READING, tensor, *args, **kwargs)
            values.card.withdraw_answer()
        put(values.card, outputs, results, how)
        return outputs

    return kernel


def _zeros(tensor):
    return torch.zeros(tensor.shape, dtype=tensor.dtype, device="cpu")


def _number_read(base, host, count):
    # Of booleans the operator counts those that are true; which of both occur follows from it.
    return int(host.sum()) if host.dtype == torch.bool and base in ("_unique", "_unique2") else count


def sized_kernel(call, values, size_argument):
    """The operators that it is made of read the size; where they cannot know it, that is said."""
    redispatch = call.operator.redispatch
    position = [argument.name for argument in call.operator._schema.arguments].index(size_argument)

    def kernel(keyset, tensor, *args, **kwargs):
        if not is_for_card(keyset):
            return redispatch(keyset & AFTER_READING, tensor, *args, **kwargs)
        how = how_tensor(tensor)
        given = kwargs.get(size_argument, args[position - 1] if len(args) >= position else None)
        values.account.read(how, call.base, is_size=not given)
        if how is UNKNOWN:
            # Never a size from memory that no kernel wrote.
            how = GUESSED
            put(values.card, [tensor], [_zeros(tensor)], how)
        with values.account, turned(True):
            return values.compute(call, how, keyset & AFTER_READING, (tensor, *args), kwargs)

    return kernel


def equal_kernel(call, values):
    redispatch = call.operator.redispatch

    def kernel(keyset, one, other):
        one, other = as_tensor(one), as_tensor(other)
        if not is_for_card(keyset):
            return redispatch(keyset & AFTER_READING, one, other)
        how = joined(how_tensor(one), how_tensor(other))
        is_equal = one is other or (how is not UNKNOWN and torch.equal(values.card.fetch(one), values.card.fetch(other)))
        floats = how is UNKNOWN and one.is_floating_point()
        values.account.read("comparison" if floats else how, "equal")
        with values.account, expecting(int(is_equal)):
            return redispatch(keyset & AFTER_READING, one, other)

    return kernel
