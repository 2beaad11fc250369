# SPDX-License-Identifier: Apache-2.0
"""Values that follow from floats which no kernel computed: each by a rule, so that programs go on as they would on the card.

An unknown number is 1.0: finite, true, no overflow. Experts are hit in turn. What is sampled lies inside the vocabulary, away from
its ends, where the tokens that end a text are."""

import math

import torch

from .compute import LARGEST, LARGEST_FLOATS, forget_all, host_results, how_all, how_tensor, is_capturing, put
from .dispatch import AFTER_COMPUTING, flat, is_for_card
from .known import UNKNOWN, range_of, set_range
from .operators import CHOICES, COMPARISONS, RANDOM

_VOCABULARY = 2048  # with as many to choose from it is no routing
_SMALL_RANDOM = 4096
_ORDERS = ("lt", "le", "gt", "ge")
_MOST_CLASSES = 64


class Rules:
    def __init__(self, card, account, assume):
        self._card, self._account, self._assume = card, account, assume
        self._generator = torch.Generator(device="cpu")  # of our own: the script's numbers stay as they are
        self._generator.manual_seed(0)

    def rule_of(self, base):
        if base in RANDOM:
            return self.random
        if base == "multinomial":
            return self.sampled
        if base in CHOICES:
            return self.chosen
        if base == "clamp":
            return self.clamped
        return self.compared if base in COMPARISONS else None

    # Comparisons

    def compared(self, call, args, kwargs, outputs):
        """Truth of floats: as of 1.0, but where elements are put into an order it is as assumed."""
        inputs = list(flat(call.inputs(args, kwargs)))
        if not outputs or outputs[0].dtype != torch.bool or not _only_floats_unknown(inputs):
            return
        drawn = self._drawn(args) if call.base in _ORDERS else None
        if drawn is not None:
            results = host_results(call, *call.on_host(self._card, [drawn, *args[1:]], kwargs))
        elif call.base in _ORDERS and outputs[0].numel() > 1 and not _is_against_infinity(args):
            results = [self.assumed_mask(outputs[0].shape)]
        elif call.base in ("eq", "ne") and not _is_against_infinity(args):
            results = [self._equality(call.base, args, outputs[0].shape)]
        else:
            host_args, host_kwargs = call.on_host(self._card, args, kwargs, _one)
            results = host_results(call, host_args, host_kwargs)
        if results is not None:
            put(self._card, outputs, results, "comparison" if drawn is None else "random")

    def _drawn(self, args):
        """Numbers of our own for uniform ones that are compared with what is known."""
        between = range_of(args[0], "uniform")
        if between is None or how_all(args[1:]) is UNKNOWN:
            return None
        return torch.empty(args[0].shape, device="cpu").uniform_(*between, generator=self._generator)

    def assumed_mask(self, shape):
        if self._assume == "balanced":
            return (torch.arange(_count(shape), device="cpu") % 2 == 0).view(shape)
        return torch.full(shape, self._assume == "all", device="cpu")

    def assumed_indices(self, tensor):
        """Where a tensor that is not known is assumed to be true; how many places that are where they are too many to be written."""
        if tensor.numel() <= LARGEST:
            return self.assumed_mask(tensor.shape).nonzero()
        return {"balanced": tensor.numel() // 2, "all": tensor.numel(), "none": 0}[self._assume]

    @staticmethod
    def _equality(base, args, shape):
        # A number is itself unless it is none; two that kernels computed differ.
        is_same = len(args) > 1 and args[0] is args[1]
        return torch.full(shape, is_same == (base == "eq"), device="cpu")

    # Choices

    def chosen(self, call, args, kwargs, outputs):
        """Indices of the largest, of an order."""
        indices = [output for output in outputs if output.dtype == torch.long]
        source = args[0]
        if not source.is_floating_point() or len(indices) != 1 or not 0 < indices[0].numel() <= LARGEST:
            return
        made = self._indices(call.base, source, args, kwargs, indices[0])
        put(self._card, indices, [made], "routing" if source.numel() else UNKNOWN)
        self._account.guess(*_name_of_choice(call.base, made, source))

    def _indices(self, base, source, args, kwargs, output):
        dim = _dimension(base, args, kwargs, source)
        choices = source.shape[dim] if dim is not None and source.dim() else source.numel()
        if base == "sort":
            return self._along(torch.arange(choices, device="cpu"), output.shape, dim)
        if base != "topk" or dim is None or output.dim() == 0:
            return self._in_turn(output.numel(), choices, 1).view(output.shape)
        width = output.shape[dim]
        rows = self._in_turn(output.numel(), choices, width).view(*output.movedim(dim, -1).shape)
        return rows.movedim(-1, dim)

    def _in_turn(self, count, choices, width):
        """Each of `width` in a row is another; row after row goes on with the next."""
        numbers = torch.arange(count, device="cpu")
        if choices >= _VOCABULARY:
            return (_middle(choices) + numbers) % choices
        return (numbers % width if self._assume == "all" else numbers) % choices

    @staticmethod
    def _along(values, shape, dim):
        if not shape:
            return values.view(shape)
        return values.view([-1 if i == dim % len(shape) else 1 for i in range(len(shape))]).expand(shape)

    def clamped(self, call, args, kwargs, outputs):
        """Floats that end between two whole numbers may be about to become one of them."""
        low, high = _bounds(args, kwargs)
        if low is not None and args[0].is_floating_point() and _has_storage_for_itself(outputs[0]):
            set_range(outputs[0], "clamp", low, high)

    def classes(self, source, destination):
        """Of clamped floats that become whole numbers: each number in turn, as detectors share boxes out to levels. None where nothing is
        known of them."""
        bounds = range_of(source, "clamp")
        if bounds is None or destination.is_floating_point() or destination.is_complex() or source.numel() > LARGEST:
            return None
        low, high = bounds
        self._account.guess("routing", "clamp")
        return (low + self._in_turn(source.numel(), high - low + 1, 1)).view(source.shape)

    def sampled(self, call, args, kwargs, outputs):
        choices = args[0].shape[-1]
        numbers = torch.arange(outputs[0].numel(), device="cpu")
        put(self._card, outputs, [((_middle(choices) + numbers) % choices).view(outputs[0].shape)], "sampling")
        self._account.guess("sampling", call.base)

    # Random numbers

    def random(self, call, args, kwargs, outputs):
        if not outputs or outputs[0].numel() > _most_random(call.base, outputs[0]):
            self._remember_uniform(call, args, kwargs, outputs)
            return
        if call.base.startswith("bernoulli") and how_all(call.inputs(args, kwargs)) is UNKNOWN:
            put(self._card, outputs, [self.assumed_mask(outputs[0].shape)], "random")
            return
        host_args, host_kwargs = call.on_host(self._card, args, kwargs)
        host_kwargs["generator"] = self._generator
        results = host_results(call, host_args, host_kwargs)
        if results is not None:
            put(self._card, outputs, results, "random")

    @staticmethod
    def _remember_uniform(call, args, kwargs, outputs):
        """Too many to be drawn for nothing: they are where they are compared."""
        low, high = (args[i] if len(args) > i else kwargs.get(name, default) for i, name, default in ((1, "from", 0.0), (2, "to", 1.0)))
        if call.base == "uniform_" and outputs and outputs[0].numel() <= LARGEST and _has_storage_for_itself(outputs[0]):
            set_range(outputs[0], "uniform", low, high)

    # The gradient scaler

    def scaler_kernel(self, call):
        """No gradient overflows, and the scale stays as it was set."""
        redispatch = call.operator.redispatch
        unscales = call.base.startswith("_amp_foreach")

        def kernel(keyset, first, *args, **kwargs):
            result = redispatch(keyset & AFTER_COMPUTING, first, *args, **kwargs)
            if is_for_card(keyset) and unscales and not is_capturing():
                forget_all(first)
                put(self._card, args[:1], [torch.zeros(args[0].shape, device="cpu")], "gradient scaler")
            return result

        return kernel


def _one(tensor):
    return torch.ones((), dtype=tensor.dtype, device="cpu").expand(tensor.shape)


def _count(shape):
    return math.prod(shape)


def _only_floats_unknown(inputs):
    unknown = [t for t in inputs if t.is_cuda and how_tensor(t) is UNKNOWN]
    return all(t.is_floating_point() and t.numel() <= LARGEST for t in unknown)


def _is_against_infinity(args):
    numbers = [a for a in args if isinstance(a, float)]
    numbers += [a.item() for a in args if isinstance(a, torch.Tensor) and not a.is_cuda and a.numel() == 1]
    return any(not math.isfinite(number) for number in numbers)


def _most_random(base, output):
    """Elements. Who draws zeros and ones selects by them."""
    if not output.is_floating_point():
        return LARGEST
    return LARGEST_FLOATS if base.startswith("bernoulli") else _SMALL_RANDOM


def _has_storage_for_itself(tensor):
    return tensor.untyped_storage().nbytes() == tensor.numel() * tensor.element_size()


def _bounds(args, kwargs):
    """Of clamp, where both are whole numbers and not far apart; else nothing."""
    low, high = ([*args[1:3], None, None][i] if len(args) > i + 1 else kwargs.get(name) for i, name in enumerate(("min", "max")))
    is_whole = all(isinstance(one, (int, float)) and float(one).is_integer() for one in (low, high))
    return (int(low), int(high)) if is_whole and 0 < high - low < _MOST_CLASSES else (None, None)


def _middle(choices):
    return choices * 3 // 7 + 11 if choices >= _VOCABULARY else choices // 2


def _dimension(base, args, kwargs, source):
    """Along which one chooses; None: among all elements."""
    if base in ("topk", "kthvalue"):
        return kwargs.get("dim", args[2] if len(args) > 2 else -1)
    if base == "sort":
        given = [a for a in args[1:] if isinstance(a, int) and not isinstance(a, bool)]
        return kwargs.get("dim", given[0] if given else -1)
    default = -1 if base == "mode" else None
    return kwargs.get("dim", args[1] if len(args) > 1 else default)


def _name_of_choice(base, made, source):
    if base == "sort":
        return "order", base
    return ("sampling" if source.shape[-1:] >= (_VOCABULARY,) else "routing"), base
