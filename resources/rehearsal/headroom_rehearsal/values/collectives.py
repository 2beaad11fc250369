# SPDX-License-Identifier: Apache-2.0
"""Messages between ranks: the card carries small ones as if every rank had sent this one's, so that what is known stays known."""

import torch

from .compute import forget_all, how_all
from .copies import CARRIED_BYTES
from .dispatch import AFTER_COMPUTING, flat, is_for_card, without_modes
from .known import UNKNOWN, remember

_NAMES = """allreduce_ allreduce_coalesced_ allgather_ _allgather_base_ allgather_coalesced_ allgather_into_tensor_coalesced_
    broadcast_ reduce_ gather_ scatter_ reduce_scatter_ _reduce_scatter_base_ reduce_scatter_tensor_coalesced_ alltoall_
    alltoall_base_ recv_ recv_any_source_""".split()


def operators():
    """Those of this PyTorch that have a kernel of the card's."""
    for name in _NAMES:
        if torch._C._dispatch_has_kernel_for_dispatch_key("c10d::" + name, "CUDA"):
            yield getattr(torch.ops.c10d, name).default


def collective_kernel(operator):
    redispatch = operator.redispatch
    names = [argument.name for argument in operator._schema.arguments]
    outputs = [i for i, name in enumerate(names) if name.startswith("output")]
    receives = operator._schema.name.startswith("c10d::recv")

    def kernel(keyset, *args):
        result = redispatch(keyset & AFTER_COMPUTING, *args)
        if is_for_card(keyset):
            with without_modes():
                sent = list(flat(a for i, a in enumerate(args) if i not in outputs))
                received = list(flat(args[i] for i in outputs)) if outputs else sent
                _pass_on(sent, received, UNKNOWN if receives else how_all(sent))
        return result

    return kernel


def _pass_on(sent, received, how) -> None:
    # Only what the card carries in one piece.
    if how is UNKNOWN or any(t.numel() * t.element_size() > CARRIED_BYTES for t in (*sent, *received)):
        forget_all(received)
        return
    for tensor in received:
        if tensor.is_cuda:
            remember(tensor, how)
