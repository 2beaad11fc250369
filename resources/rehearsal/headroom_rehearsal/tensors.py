# SPDX-License-Identifier: Apache-2.0
"""Where parameters, gradients and the optimizer's state lie, so that what is held can be told apart."""

import gc

MOST_OPTIMIZERS = 16


class TensorRanges:
    def __init__(self, torch, records):
        self._torch = torch
        self._records = records
        self._left = MOST_OPTIMIZERS

    def write(self, optimizer):
        """After a first step: the state is there, and gradients are still."""
        if self._left == 0:
            return
        self._left -= 1
        names = self._named_parameters()
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                names.setdefault(id(parameter), ("", parameter))
        ranges = {}
        for name, parameter in names.values():
            self._add(ranges, "parameters", parameter, name)
            if parameter.grad is not None:
                self._add(ranges, "gradients", parameter.grad, name)
        for parameter, state in optimizer.state.items():
            self._add_state(ranges, state, names.get(id(parameter), ("", None))[0])
        for device, kinds in sorted(ranges.items()):
            self._records.write("tensors", device=device, **kinds)

    def _named_parameters(self):
        """Of all modules there are, by the longest name: that of the outermost module."""
        module = self._torch.nn.Module
        modules = [thing for thing in gc.get_objects() if issubclass(type(thing), module)]
        inner = {id(child) for parent in modules for child in parent._modules.values() if child is not None}
        names = {}
        for root in modules:
            if id(root) not in inner:
                for name, parameter in root.named_parameters():
                    if len(name) > len(names.get(id(parameter), ("", None))[0]):
                        names[id(parameter)] = (name, parameter)
        return names

    def _add_state(self, ranges, state, name):
        if isinstance(state, self._torch.Tensor):
            self._add(ranges, "optimizer_state", state, name)
        elif isinstance(state, dict):
            for value in state.values():
                self._add_state(ranges, value, name)
        elif isinstance(state, (list, tuple)):
            for value in state:
                self._add_state(ranges, value, name)

    def _add(self, ranges, kind, tensor, name):
        for plain in plain_tensors(tensor):
            if plain.device.type == "cuda":
                storage = plain.untyped_storage()
                kinds = ranges.setdefault(plain.device.index,
                                          {"parameters": [], "gradients": [], "optimizer_state": []})
                kinds[kind].append([storage.data_ptr(), storage.nbytes(), name])


def plain_tensors(tensor):
    """Sharded and quantised tensors are wrappers around plain ones."""
    if hasattr(tensor, "__tensor_flatten__"):
        for name in tensor.__tensor_flatten__()[0]:
            yield from plain_tensors(getattr(tensor, name))
    else:
        yield tensor
