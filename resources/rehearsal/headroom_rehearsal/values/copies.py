# SPDX-License-Identifier: Apache-2.0
"""Copies: to the card values become known, within it they stay so, to the host they are read."""

import torch

from .compute import LARGEST, how_tensor
from .dispatch import AFTER_COMPUTING, HOST, is_for_card, is_plain, without_modes
from .known import COMPUTED, UNKNOWN, forget, remember
from .scalars import as_tensor

# The card carries copies of that many bytes by itself (profiling/rehearsal/memory/Memory.h).
CARRIED_BYTES = 1 << 20


def copy_kernel(call, values):
    redispatch = call.operator.redispatch

    def kernel(keyset, destination, source, non_blocking=False):
        source = as_tensor(source)
        if not is_for_card(keyset) or not is_plain(destination) or not is_plain(source):
            return redispatch(keyset & AFTER_COMPUTING, destination, source, non_blocking)
        if destination.is_cuda:
            with without_modes():
                how, known = _source_values(values, source, destination)
            result = redispatch(keyset & AFTER_COMPUTING, destination, source, non_blocking)
            with without_modes():
                _write(values, destination, known, how)
            return result
        if not source.is_cuda or destination.is_meta:
            return redispatch(keyset & AFTER_COMPUTING, destination, source, non_blocking)
        with values.account:
            result = redispatch(keyset & AFTER_COMPUTING, destination, source, non_blocking)
        with without_modes():
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
        classes = values.rules.classes(source, destination)
        return (UNKNOWN, None) if classes is None else ("routing", classes)
    is_carried = destination.numel() * destination.element_size() <= CARRIED_BYTES
    is_whole = not (destination.is_floating_point() or destination.is_complex())
    fits = is_whole and destination.numel() <= LARGEST
    return (COMPUTED, source) if (is_carried or fits) and source.layout == torch.strided else (UNKNOWN, None)


def _write(values, destination, known, how):
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
