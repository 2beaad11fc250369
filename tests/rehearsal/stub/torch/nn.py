# SPDX-License-Identifier: Apache-2.0
from types import SimpleNamespace


class Module:
    training = True

    def __init__(self, *parameters):
        self._modules = {}
        self._own = parameters

    def __call__(self, *arguments):
        return self.forward(*arguments)

    def forward(self):
        return None

    def parameters(self):
        return self._own

    def named_parameters(self):
        return [(parameter.name, parameter) for parameter in self._own]

    def train(self, mode=True):
        self.training = mode
        return self

    def eval(self):
        return self.train(False)


class Parameter:
    grad = None

    def __init__(self, name):
        self.name = name
        self.device = SimpleNamespace(type="cpu", index=None)
