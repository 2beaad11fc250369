# SPDX-License-Identifier: Apache-2.0
"""Kernels of ours before those of the card.

A kernel at the dispatcher's key CUDA would replace the card's own; ours stand at two keys above, and call it.

BackendSelect lies right above the devices and every thread has it: there stand those that read sizes and single numbers, which have
to be right wherever they are called, also in autograd's own nodes.

What computes stands at a key that PyTorch has for its own tests, above all others. A tensor that a kernel in Python has seen has one
owner more from PyTorch 2.10 on, and autograd adds gradients in place, or keeps them without a copy, only where it is their one
owner. So this key is off while autograd's nodes run, and on again in what they call of Python's (switching.py)."""

import itertools
import threading

import torch
import torch._ops

READING = torch._C.DispatchKey.BackendSelect
_COMPUTING = "TESTING_ONLY_GenericMode"
COMPUTING = torch._C._dispatch_key_parse(_COMPUTING)
AFTER_READING = torch._C._dispatch_keyset_full_after(READING)
AFTER_COMPUTING = torch._C._dispatch_keyset_full_after(COMPUTING)
HOST = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


# Transforms of functions: their tensors are none; what they call comes again.
_TRANSFORMS = ("Functionalize", "FuncTorchDynamicLayerFrontMode", "FuncTorchBatched", "FuncTorchGradWrapper")


def _tester():
    card = torch._C.DispatchKey.CUDA
    transforms = [torch._C._dispatch_key_parse(name) for name in _TRANSFORMS]
    sets = torch._C.DispatchKeySet
    if not hasattr(sets, "raw_repr"):  # before 2.5
        return lambda keyset: keyset.has(card) and not any(keyset.has(key) for key in transforms)
    wanted = mattering = sets(card).raw_repr()
    for key in transforms:
        mattering |= sets(key).raw_repr()
    return lambda keyset: keyset.raw_repr() & mattering == wanted


# Whether the card's kernel comes next, of a set of keys.
is_for_card = _tester()


class Library:
    """Kernels at one key; they go with this object."""

    def __init__(self, key, namespace="aten"):
        self._key = key
        self._library = torch._C._dispatch_library("IMPL", namespace, "")

    def replace(self, operator, kernel) -> None:
        self._library.impl(_name(operator), self._key, kernel, True)


class Switch:
    """The computing key, on in this thread and in those that Python starts from now on."""

    def __init__(self):
        self._others = torch._C._dispatch_library("IMPL", "_", _COMPUTING)
        self._others.fallback_fallthrough(_COMPUTING)
        _let_higher_order_through()
        self._turn_on()
        bootstrap = threading.Thread._bootstrap_inner

        def in_thread(thread):
            self._turn_on()
            bootstrap(thread)

        threading.Thread._bootstrap_inner = in_thread

    @staticmethod
    def _turn_on():
        torch._C._dispatch_tls_set_dispatch_key_included(COMPUTING, True)


def _let_higher_order_through() -> None:
    """Operators that take others are dispatched in Python, which asks no fallback: those that are there, and those to come."""
    for name, keys in vars(torch._ops).items():
        if name.startswith("_HIGHER_ORDER_OP") and isinstance(keys, list):
            keys.append(COMPUTING)
    for operator in torch._ops._higher_order_ops.values():
        operator.fallthrough(COMPUTING)


class turned:
    """Within, the computing key is on or off."""

    def __init__(self, is_on):
        self._is_off = not is_on

    def __enter__(self):
        self._was_off = torch._C._dispatch_tls_is_dispatch_key_excluded(COMPUTING)
        torch._C._dispatch_tls_set_dispatch_key_excluded(COMPUTING, self._is_off)

    def __exit__(self, *_):
        torch._C._dispatch_tls_set_dispatch_key_excluded(COMPUTING, self._was_off)


def _name(operator):
    schema = operator._schema
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


def overloads(may_matter, made_of_others):
    """The operators whose name may matter that have a kernel of the card's and none at our key. Those that have one kernel for all
    devices are made of others that come through, but for `made_of_others`."""
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    for name in torch._C._dispatch_get_all_op_names():
        space, _, rest = name.partition("::")
        if space != "aten" or not may_matter(*rest.partition(".")[::2]):
            continue
        if (has_kernel(name, "CUDA") or rest in made_of_others) and not has_kernel(name, "BackendSelect"):
            yield overload_of(name)


def overload_of(name):
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


# Of no class in Python that stands for something else.
PLAIN = (torch.Tensor, torch.nn.Parameter)


def is_plain(tensor) -> bool:
    return type(tensor) in PLAIN


# What we do with values ourselves is no matter of the script's modes.
without_modes = torch._C._DisableTorchDispatch


def flat(values):
    """The tensors in arguments or results, also those in lists."""
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from flat(value)
