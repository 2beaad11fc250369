# SPDX-License-Identifier: Apache-2.0
"""Operators on integers and truths, each a function of tensors that lie on any device."""

import torch
import torch.nn.functional as F

BINARY = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "floor_divide": lambda a, b: a // (b.abs() + 1), "remainder": lambda a, b: a % (b.abs() + 1), "fmod": lambda a, b: torch.fmod(a, b.abs() + 1),
    "true_divide": lambda a, b: a / (b.abs() + 1), "trunc_divide": lambda a, b: torch.div(a, b.abs() + 1, rounding_mode="trunc"),
    "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b, "less": lambda a, b: a < b, "at_least": lambda a, b: a >= b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "logical_and": torch.logical_and,
    "logical_or": torch.logical_or, "logical_xor": torch.logical_xor, "maximum": torch.maximum, "minimum": torch.minimum,
    "where": lambda a, b: torch.where(a > b, a, b), "isin": lambda a, b: torch.isin(a.contiguous(), b.contiguous() * 2), "cat": lambda a, b: torch.cat([a, b, a]),
    "stack": lambda a, b: torch.stack([a, b], 1), "whole_equal": lambda a, b: torch.tensor([torch.equal(a, b), torch.equal(a, a.clone())]),
    "outer": lambda a, b: a.flatten()[:, None] * b.flatten()[None, :40], "gather": lambda a, b: a.gather(0, (b.abs() % a.shape[0]).long()),
    "scatter": lambda a, b: a.clone().scatter_(0, (b.abs() % a.shape[0]).long(), 7), "scatter_add": lambda a, b: torch.zeros_like(a).scatter_add_(0, (b.abs() % a.shape[0]).long(), a),
    "index_add": lambda a, b: a.index_add(0, torch.arange(a.shape[0], device=a.device), b), "masked_index": lambda a, b: a[b > 0],
    "masked_select": lambda a, b: torch.masked_select(a, b > a), "masked_write": lambda a, b: _write(a.clone(), b > 0, 3),
    "masked_scatter": lambda a, b: a.masked_scatter(b > 0, b), "add_in_place": lambda a, b: a.clone().add_(b), "out": lambda a, b: torch.add(a, b, out=torch.empty_like(a)),
    "searchsorted": lambda a, b: torch.searchsorted(a.flatten().sort().values, b.flatten().contiguous()), "bucketize": lambda a, b: torch.bucketize(a, b.flatten().sort().values),
    "index_by_tensors": lambda a, b: a[b.flatten().abs() % a.shape[0]], "write_by_tensors": lambda a, b: _write(a.clone(), b.flatten().abs() % a.shape[0], 5),
    "two_indices": lambda a, b: a.reshape(a.shape[0], -1)[b.flatten().abs() % a.shape[0], b.flatten().abs() % a[0].numel()],
    "clamp_by": lambda a, b: torch.clamp(a, min=b), "copy_of_part": lambda a, b: _copied(a.clone(), b), "shift": lambda a, b: a << (b.abs() % 3),
}

UNARY = {
    "negative": lambda a: -a, "absolute": torch.abs, "sign": torch.sign, "not": lambda a: ~a, "logical_not": torch.logical_not,
    "plus_number": lambda a: a + 3, "number_minus": lambda a: 3 - a, "times_number": lambda a: a * 2, "modulo": lambda a: a % 5, "power": lambda a: a**2,
    "number_to_the_power": lambda a: 2.0 ** (a % 7),
    "floor_divide_by": lambda a: a // 3, "halved": lambda a: (a / 2).floor().long(), "greater": lambda a: a > 0, "equals": lambda a: a.eq(2), "clamp": lambda a: a.clamp(-2, 5),
    "sum": torch.sum, "sum_along": lambda a: a.sum(-1), "product": lambda a: (a % 2 + 1).flatten()[:20].prod(), "cumsum": lambda a: a.cumsum(-1),
    "cumprod": lambda a: (a % 2).cumprod(-1), "cummax": lambda a: a.cummax(0), "max": torch.max, "max_along": lambda a: a.max(0), "min": torch.min, "amax": lambda a: a.amax(-1),
    "aminmax": lambda a: torch.aminmax(a), "argmax": lambda a: _distinct(a).argmax(-1), "argmin": lambda a: _distinct(a).argmin(), "any": torch.any, "all": lambda a: (a > -99).all(),
    "any_along": lambda a: (a > 3).any(-1), "all_along": lambda a: (a > 0).all(0), "count_nonzero": torch.count_nonzero, "count_along": lambda a: torch.count_nonzero(a, dim=0),
    "sort": lambda a: a.sort(dim=-1, stable=True), "argsort": lambda a: torch.argsort(a.flatten(), dim=0, stable=True), "topk": lambda a: _distinct(a).flatten().topk(min(3, a.numel())),
    "nonzero": torch.nonzero, "nonzero_tuple": lambda a: torch.nonzero(a > 0, as_tuple=True), "argwhere": lambda a: torch.argwhere(a > 1), "where_true": lambda a: torch.where(a == 1),
    "boolean_index": lambda a: a[a > 0], "bincount": lambda a: torch.bincount(a.flatten().abs()), "bincount_at_least": lambda a: torch.bincount(a.flatten().abs() % 4, minlength=9),
    "unique": torch.unique, "unique_all": lambda a: torch.unique(a, return_inverse=True, return_counts=True), "unique_of_truths": lambda a: torch.unique(a > 0),
    "unique_consecutive": lambda a: torch.unique_consecutive(a.flatten().sort().values, return_inverse=True, return_counts=True), "unique_rows": lambda a: torch.unique(a % 2, dim=0),
    "repeat_interleave": lambda a: torch.repeat_interleave(a.flatten().abs() % 4), "repeat_by": lambda a: torch.repeat_interleave(a, a.flatten()[: a.shape[0]].abs() % 3, dim=0),
    "one_hot": lambda a: F.one_hot(a.long().abs()), "one_hot_of": lambda a: F.one_hot(a.long().abs() % 5, 6), "item": lambda a: torch.tensor(a.sum().item()), "list": lambda a: torch.tensor(a.tolist()),
    "truth": lambda a: torch.tensor(bool((a > 0).any())), "host": lambda a: a.cpu(), "host_part": lambda a: a.T[:1].cpu(), "host_as_float": lambda a: a.to("cpu", torch.float32),
    "to_truth": lambda a: a.bool(), "to_int": lambda a: a.int(), "to_float": lambda a: a.float() + 0.5, "to_byte": lambda a: a.to(torch.uint8), "clone": torch.clone, "transposed": lambda a: a.T.contiguous(),
    "flip": lambda a: a.flip(0), "roll": lambda a: a.roll(1, 0), "triangle": lambda a: a.reshape(a.shape[0], -1).tril(), "upper": lambda a: a.reshape(a.shape[0], -1).triu(1), "repeat": lambda a: a.repeat(2, *[1] * (a.dim() - 1)),
    "pad": lambda a: F.pad(a, (1, 2), value=4), "diff": lambda a: torch.diff(a.flatten()), "fill": lambda a: a.clone().fill_(4), "zero": lambda a: a.clone().zero_(),
    "masked_fill": lambda a: a.masked_fill(a > 0, -1), "index_select": lambda a: a.index_select(0, torch.tensor([0, -1 % a.shape[0]], device=a.device)), "take": lambda a: a.take(torch.tensor([0, 1], device=a.device)),
    "index_fill": lambda a: a.index_fill(0, torch.tensor([0], device=a.device), 9), "histogram": lambda a: torch.histc(a.float(), 5, -10, 10), "median": lambda a: _distinct(a).flatten().median(), "kth": lambda a: _distinct(a).flatten().kthvalue(2),
    "mean": lambda a: a.float().mean(), "logical_reduce": lambda a: ((a > 0) & (a < 4)).long().sum(0), "ranges": lambda a: torch.arange(a.shape[0], device=a.device) + a.reshape(a.shape[0], -1)[:, 0],
    "zeros": lambda a: torch.zeros_like(a) + torch.ones_like(a) * 2, "full": lambda a: torch.full((3,), 7, device=a.device), "eye": lambda a: torch.eye(3, dtype=torch.long, device=a.device),
    "scalars": lambda a: torch.scalar_tensor(3, dtype=torch.long, device=a.device) + a, "linspace": lambda a: torch.linspace(0, 8, 5, dtype=torch.long, device=a.device),
    "part_by_part": lambda a: _by_parts(a), "tensor_split": lambda a: torch.cat(torch.tensor_split(a.flatten(), 3)), "mask_of_positions": lambda a: torch.arange(7, device=a.device)[None] < a.flatten().abs()[:, None],
    "empty": lambda a: a[:0].nonzero(), "trace": lambda a: a.reshape(a.shape[0], -1).trace(), "cumulative_lengths": lambda a: F.pad(a.flatten().abs().cumsum(0), (1, 0)), "negative_step": lambda a: a.flatten()[::3].clone(),
}


def _write(a, where, value):
    a[where] = value
    return a


def _copied(a, b):
    a[1:] = b[1:]
    return a


def _distinct(a):
    """Without ties, of which devices may choose another."""
    return a * a.numel() + torch.arange(a.numel(), device=a.device).reshape(a.shape)


def _by_parts(a):
    made = torch.empty(a.numel() + 1, dtype=a.dtype, device=a.device)
    made[0] = 5
    made[1:] = a.flatten()
    return made
