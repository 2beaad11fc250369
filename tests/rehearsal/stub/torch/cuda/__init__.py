# SPDX-License-Identifier: Apache-2.0
from .. import _C
from . import memory  # noqa: F401

_queued_calls = []
_initialized = False


def _lazy_init():
    global _initialized
    if not _initialized:
        _initialized = True
        for call, _ in _queued_calls:
            call()


def device_count():
    return 1


def get_device_name(device):
    return "stub %d" % device


def get_allocator_backend():
    return "native"


def is_current_stream_capturing():
    return False


def max_memory_allocated():
    return _C._cuda_memoryStats(0)["allocated_bytes"]["all"]["peak"]


def reset_peak_memory_stats():
    _C._cuda_resetPeakMemoryStats(0)


class Event:
    device = 0

    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        pass

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        del end
        return 2000.0
