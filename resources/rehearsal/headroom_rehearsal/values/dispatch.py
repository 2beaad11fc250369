# SPDX-License-Identifier: Apache-2.0
"""Kernels of ours before those of the card.

They stand at the dispatcher's key BackendSelect: it lies below autograd and Python's modes and above every device, and each thread
has it, so that calls of other operators' kernels and of the autograd thread come through too, and the card's own kernel is still
there to be called. A kernel at the key CUDA would replace it."""

import itertools

import torch

_KEY = torch._C.DispatchKey.BackendSelect
AFTER = torch._C._dispatch_keyset_full_after(_KEY)
CARD = torch._C.DispatchKey.CUDA
HOST = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


class Library:
    """The kernels of one namespace; they go with this object."""

    def __init__(self, namespace):
        self._library = torch._C._dispatch_library("IMPL", namespace, "BackendSelect")

    def replace(self, operator, kernel) -> None:
        skip_in_dynamo(kernel)
        self._library.impl(_name(operator), _KEY, kernel, True)

    def remove(self) -> None:
        self._library.reset()


def skip_in_dynamo(function) -> None:
    """torch.compile would look into our frames as into the script's."""
    try:
        torch._C._dynamo.eval_frame.skip_code(function.__code__)
    except AttributeError:
        pass


def _name(operator):
    schema = operator._schema
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


def overloads(namespace="aten"):
    """All operators that have a kernel of the card's or one for all devices, and none at our key."""
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    for name in torch._C._dispatch_get_all_op_names():
        if not name.startswith(namespace + "::") or has_kernel(name, "BackendSelect"):
            continue
        if has_kernel(name, "CUDA") or has_kernel(name, "CompositeExplicitAutograd"):
            yield _overload(name)


def _overload(name):
    space, rest = name.split("::")
    packet, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), packet), overload or "default")


class Written:
    """The arguments that an operator writes to."""

    def __init__(self, operator):
        schema = operator._schema
        written = [bool(argument.alias_info and argument.alias_info.is_write) for argument in schema.arguments]
        self.positions = {i for i, is_written in enumerate(written) if is_written}
        self.names = {a.name for a, is_written in zip(schema.arguments, written) if is_written}
        self.is_out = any(a.kwarg_only for a, is_written in zip(schema.arguments, written) if is_written)

    def __bool__(self):
        return bool(self.positions)

    def pick(self, args, kwargs):
        """The tensors among these arguments that are written."""
        named = [kwargs[name] for name in self.names if name in kwargs]
        return list(flat(itertools.chain((a for i, a in enumerate(args) if i in self.positions), named)))


def flat(values):
    """The tensors in arguments or results, also those in lists."""
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from flat(value)
