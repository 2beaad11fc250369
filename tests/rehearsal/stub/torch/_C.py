# SPDX-License-Identifier: Apache-2.0
"""Counts of a device's memory, with the functions that torch has for them."""

LIMIT = 1000
_taken = {"current": 0, "peak": 0}
_failures = {"num_alloc_retries": 0, "num_ooms": 0}
_observers = []


class OutOfMemoryError(RuntimeError):
    pass


def move(size):
    if _taken["current"] + size > LIMIT:
        _failures["num_ooms"] += 1
        for observer in _observers:
            observer(0, size, LIMIT, LIMIT - _taken["current"])
        raise OutOfMemoryError("CUDA out of memory. Tried to allocate %d bytes" % size)
    _taken["current"] += size
    _taken["peak"] = max(_taken["peak"], _taken["current"])


def _cuda_memoryStats(device):
    assert device == 0
    kinds = ("allocated_bytes", "active_bytes", "reserved_bytes")
    return {**{kind: {"all": dict(_taken)} for kind in kinds}, **_failures}


def _cuda_resetPeakMemoryStats(device):
    assert device == 0
    _taken["peak"] = _taken["current"]


def _cuda_resetAccumulatedMemoryStats(device):
    assert device == 0
    _failures.update(num_alloc_retries=0, num_ooms=0)


def _cuda_attach_out_of_memory_observer(observer):
    _observers.append(observer)
