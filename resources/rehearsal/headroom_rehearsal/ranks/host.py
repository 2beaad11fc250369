# SPDX-License-Identifier: Apache-2.0
"""Messages between ranks in host memory: gloo's backend would wait for the others, so torch's fake one is in its place, and the
values are those that come when every rank sends what this one does."""

import threading

import torch
import torch._ops

_KEY = torch._C.DispatchKey.BackendSelect
_AFTER = torch._C._dispatch_keyset_full_after(_KEY)
_HOST = torch._C.DispatchKey.CPU


class Reductions(threading.local):
    """Which one the call asks for that is on its way: kernels are handed an object that does not tell."""

    current = None


_reductions = Reductions()


def noting_reduction(options):
    """A class of torch's options that says which reduction it was given."""

    class Noting(options):
        @property
        def reduceOp(self):
            return super().reduceOp

        @reduceOp.setter
        def reduceOp(self, value):
            _reductions.current = value
            options.reduceOp.__set__(self, value)

    return Noting


def backend_class(native):
    """Makes the fake backend, and passes for gloo's."""
    real, fake = native.ProcessGroupGloo, native.FakeProcessGroup
    fake._set_sequence_number_for_group = lambda self: None
    fake._set_default_timeout = lambda self, timeout: None

    class PassingForGloo(type):
        def __instancecheck__(cls, thing):
            return isinstance(thing, (real, fake))

        def __getattr__(cls, name):
            return getattr(real, name)

    class Gloo(metaclass=PassingForGloo):
        def __new__(cls, store, rank, size, timeout=None):
            return fake._create_internal(rank, size) if hasattr(fake, "_create_internal") else fake(rank, size)

    return Gloo


def carry_values():
    """The kernels live as long as what is returned."""
    library = torch._C._dispatch_library("IMPL", "c10d", "")
    for name, carry in _CARRIED.items():
        if torch._C._dispatch_has_kernel_for_dispatch_key("c10d::" + name, "CPU"):
            library.impl("c10d::" + name, _KEY, _kernel(getattr(torch.ops.c10d, name).default, carry), True)
    return library


def _kernel(operator, carry):
    redispatch = operator.redispatch
    names = [argument.name for argument in operator._schema.arguments]

    def kernel(keyset, *arguments):
        result = redispatch(keyset & _AFTER, *arguments)
        kind, _reductions.current = _reductions.current, None
        if keyset.has(_HOST):
            given = dict(zip(names, arguments))
            group = torch._C._distributed_c10d.ProcessGroup.unbox(given["process_group"])
            with torch.no_grad():
                carry({**given, "kind": kind}, group.rank(), group.size())
        return result

    return kernel


def _reduced(tensor, size, kind):
    """What equal contributions of all give."""
    kinds = torch.distributed.ReduceOp
    if kind is None or kind == kinds.SUM:
        tensor.mul_(size)
    elif kind == kinds.PRODUCT:
        tensor.pow_(size)
    elif kind == kinds.BXOR and size % 2 == 0:
        tensor.zero_()


def _all_reduced(given, _, size):
    for tensor in given["tensors"]:
        _reduced(tensor, size, given["kind"])


def _reduced_to_root(given, rank, size):
    if rank == given["root_rank"]:
        _all_reduced(given, rank, size)


def _scattered_sum(given, rank, size):
    for output, inputs in zip(given["output_tensors"], given["input_tensors"]):
        output.copy_(inputs[rank])
        _reduced(output, size, given["kind"])


def _scattered_chunk(output, source, rank, size, kind):
    output.copy_(source.reshape(size, -1)[rank].view_as(output))
    _reduced(output, size, kind)


def _scattered_base(given, rank, size):
    _scattered_chunk(given["output_tensor"], given["input_tensor"], rank, size, given["kind"])


def _scattered_bases(given, rank, size):
    for output, source in zip(given["outputs"], given["inputs"]):
        _scattered_chunk(output, source, rank, size, given["kind"])


def _gathered(given, rank, size):
    if rank == given["root_rank"]:
        for outputs, source in zip(given["output_tensors"], given["input_tensors"]):
            for output in outputs:
                output.copy_(source)


def _scattered(given, rank, size):
    if rank == given["root_rank"]:
        for output, inputs in zip(given["output_tensors"], given["input_tensors"]):
            output.copy_(inputs[rank])


def _exchanged(given, rank, _):
    """Each of the others sends here what this one keeps for itself."""
    own = given["input_tensors"][rank]
    for output in given["output_tensors"]:
        if output.shape == own.shape:
            output.copy_(own)


def _exchanged_base(given, rank, size):
    output, source = given["output"], given["input"]
    if not given["output_split_sizes"] and not given["input_split_sizes"] and output.numel() % size == 0:
        own = source.reshape(size, -1)[rank]
        output.copy_(own.repeat(size).view_as(output))


# Gathering to all and broadcasting the fake backend carries by itself.
_CARRIED = {
    "allreduce_": _all_reduced, "allreduce_coalesced_": _all_reduced, "reduce_": _reduced_to_root,
    "reduce_scatter_": _scattered_sum, "_reduce_scatter_base_": _scattered_base,
    "reduce_scatter_tensor_coalesced_": _scattered_bases, "gather_": _gathered, "scatter_": _scattered,
    "alltoall_": _exchanged, "alltoall_base_": _exchanged_base,
}
