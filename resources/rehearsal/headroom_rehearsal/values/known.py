# SPDX-License-Identifier: Apache-2.0
"""Which device memory holds values that are known.

A mark hangs on the storage itself, so that it ends with it and memory that another tensor gets afterwards is unknown again."""

import functools

import torch

from .card import span_elements

_MARK = "_headroom_known"

UNKNOWN = None
COMPUTED = "computed"
# Zeros were written where nobody knows what a kernel would have.
GUESSED = "unknown"
# Any other word is the rule by which the values were made: "routing", "comparison".


def joined(one, other):
    """How a result of both is known."""
    if one is UNKNOWN or other is UNKNOWN:
        return UNKNOWN
    if GUESSED in (one, other):
        return GUESSED
    return other if one == COMPUTED else one


class _Mark:
    """The parts of a storage that are known, as addresses."""

    __slots__ = ("storage_address", "spans", "how", "range")

    def __init__(self, storage_address):
        self.storage_address = storage_address
        self.spans = []  # (begin, end), apart from each other and in order
        self.how = COMPUTED
        self.range = None  # of values that are not known, with how they came into it

    def holds(self, begin, end):
        return any(first <= begin and end <= last for first, last in self.spans)

    def add(self, begin, end):
        apart = [span for span in self.spans if span[1] < begin or span[0] > end]
        joined = [span for span in self.spans if not (span[1] < begin or span[0] > end)]
        whole = (min([begin] + [span[0] for span in joined]), max([end] + [span[1] for span in joined]))
        self.spans = sorted(apart + [whole])

    def remove(self, begin, end):
        kept = []
        for first, last in self.spans:
            kept += [span for span in ((first, min(last, begin)), (max(first, end), last)) if span[0] < span[1]]
        self.spans = kept


def _extent(tensor):
    begin = tensor.data_ptr()
    return begin, begin + span_elements(tensor) * tensor.element_size()


def _mark_of(tensor):
    storage = tensor.untyped_storage()
    mark = getattr(storage, _MARK, None)
    # A storage that was resized has other memory.
    return mark if mark is not None and mark.storage_address == storage.data_ptr() else None


def how_known(tensor):
    """COMPUTED, the word of a rule, or UNKNOWN where one value of the tensor is."""
    storage = tensor.untyped_storage()
    mark = getattr(storage, _MARK, None)
    if mark is None:
        return COMPUTED if tensor.numel() == 0 else UNKNOWN
    if tensor.numel() == 0:
        return COMPUTED
    is_there = mark.storage_address == storage.data_ptr() and mark.holds(*_extent(tensor))
    return mark.how if is_there else UNKNOWN


def watch_resizing() -> None:
    """A storage that is emptied and grows again may get the same address, with nothing of what was there."""
    resize = torch.UntypedStorage.resize_

    def resize_(storage, *size):
        if getattr(storage, _MARK, None) is not None:
            setattr(storage, _MARK, None)
        return resize(storage, *size)

    torch.UntypedStorage.resize_ = functools.wraps(resize)(resize_)


def is_dense(tensor) -> bool:
    """Whether its elements lie side by side, in whatever order."""
    return tensor.is_contiguous() or span_elements(tensor) == tensor.numel()


def _mark_to_set(tensor):
    mark = _mark_of(tensor)
    if mark is None:
        storage = tensor.untyped_storage()
        mark = _Mark(storage.data_ptr())
        setattr(storage, _MARK, mark)
    mark.range = None
    return mark


def set_range(tensor, name, low, high) -> None:
    """No value of a tensor that has its storage for itself is known, but between which two all lie, and by what."""
    _mark_to_set(tensor).range = (name, low, high)


def range_of(tensor, name):
    """The two, where such a range was set and nothing was written since; else None."""
    mark = _mark_of(tensor)
    return mark.range[1:] if mark is not None and mark.range is not None and mark.range[0] == name else None


def remember(tensor, how) -> None:
    """All values of the tensor have been written."""
    if tensor.numel() == 0:
        return
    mark = _mark_to_set(tensor)
    begin, end = _extent(tensor)
    if all(begin <= first and last <= end for first, last in mark.spans):
        mark.how = how  # nothing else is left of it
    mark.how = joined(mark.how, how)
    if is_dense(tensor):
        mark.add(begin, end)


def forget(tensor) -> None:
    """Somebody wrote what is not known."""
    mark = getattr(tensor.untyped_storage(), _MARK, None)
    if mark is not None and tensor.numel() != 0:
        mark.range = None
        mark.remove(*_extent(tensor))
