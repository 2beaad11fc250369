# SPDX-License-Identifier: Apache-2.0
"""Values in the memory of the card that is not there, read and written outside of streams: no time passes, nothing is traced."""

import ctypes

import torch

_CPU = torch.device("cpu")


class Card:
    """The substitute's own functions (profiling/rehearsal/memory/ComputedValues.cpp)."""

    def __init__(self):
        library = ctypes.CDLL(None)
        address, count = ctypes.c_void_p, ctypes.c_size_t
        self._read = self._function(library.headroomCardRead, None, address, address, count)
        self._write = self._function(library.headroomCardWrite, None, address, address, count)
        self._answer = self._function(library.headroomCardAnswer, ctypes.c_int, ctypes.c_char_p, count)

    @staticmethod
    def _function(function, result, *arguments):
        function.restype, function.argtypes = result, arguments
        return function

    def answer_next_read(self, value: bytes) -> None:
        """The next copy of that many bytes to the host on this thread brings `value`."""
        self._answer(value, len(value))

    def withdraw_answer(self) -> bool:
        """Whether nobody took it."""
        return bool(self._answer(None, 0))

    def item_bytes(self, tensor) -> bytes:
        """Of the first element."""
        value = ctypes.create_string_buffer(tensor.element_size())
        self._read(value, tensor.data_ptr(), len(value))
        return value.raw

    def fetch(self, tensor):
        """The values of a tensor of the card, in a tensor of the host of the same shape and strides."""
        if tensor.numel() == 0 or tensor.is_contiguous():
            host = _host(tensor.shape, tensor.dtype)
            self._read(host.data_ptr(), tensor.data_ptr(), host.numel() * host.element_size())
            return host
        return self._span(tensor).as_strided(tensor.shape, tensor.stride())

    def store(self, tensor, values) -> None:
        """Writes `values`, of the host and of any dtype that converts, into a tensor of the card."""
        if tensor.numel() == 0:
            return
        if tensor.is_contiguous():
            host = values
            if host.dtype != tensor.dtype or host.shape != tensor.shape or not host.is_contiguous():
                host = _host(tensor.shape, tensor.dtype).copy_(values)
        else:
            host = self._span(tensor)  # what lies between its elements is another's
            host.as_strided(tensor.shape, tensor.stride()).copy_(values)
        self._write(tensor.data_ptr(), host.data_ptr(), host.numel() * host.element_size())

    def _span(self, tensor):
        host = _host([span_elements(tensor)], tensor.dtype)
        self._read(host.data_ptr(), tensor.data_ptr(), host.numel() * host.element_size())
        return host


def span_elements(tensor) -> int:
    """From the first element to after the last, in elements."""
    if tensor.is_contiguous():
        return tensor.numel()
    return 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))


def _host(shape, dtype):
    # By device, since a default device of the script's would be taken otherwise.
    return torch.empty(shape, dtype=dtype, device=_CPU)
